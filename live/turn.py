"""What is left to be done at the end of a turn: once, however many ask for it, and before the process sleeps again."""

import asyncio
from collections.abc import Callable

import structlog

_log = structlog.get_logger("live")


class Turn:
    """A stretch of work, as a `with`; what is due at its end is done there and then.

    To leave it to the loop would cost a typed character as much as looking at it: a process that was just woken up has
    everything to fetch again, the loop's own going round first of all.
    """

    def __init__(self) -> None:
        self._due: list[Callable[[], None]] = []
        self._is_on = False

    def __enter__(self) -> None:
        self._is_on = True

    def __exit__(self, *_: object) -> None:
        try:
            self._end()
        finally:
            self._is_on = False

    def at_end(self, act: Callable[[], None]) -> None:
        """Do it at the end of this turn, and where none is on, of the loop's."""
        if not (self._is_on or self._due):
            asyncio.get_running_loop().call_soon(self._alone)
        self._due.append(act)

    def _alone(self) -> None:
        with self:
            pass

    def _end(self) -> None:
        while self._due:
            due, self._due = self._due, []
            for act in due:
                try:
                    act()
                except Exception:  # noqa: BLE001 - the others' work is still to be done
                    _log.exception("what ends a turn failed")
