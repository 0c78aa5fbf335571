"""Runs callbacks once, at the end of the current event-loop tick."""

import asyncio
from collections.abc import Callable

import structlog

_log = structlog.get_logger("live")


class Tick:
    """A context manager around the work of one tick; deferred callbacks run when it exits.

    To leave it to the loop would cost a typed character as much as looking at it: a process that was just woken up has
    everything to fetch again, the loop's own going round first of all.
    """

    def __init__(self) -> None:
        self._deferred: list[Callable[[], None]] = []
        self._is_open = False

    def __enter__(self) -> None:
        self._is_open = True

    def __exit__(self, *_: object) -> None:
        try:
            self._run()
        finally:
            self._is_open = False

    def defer(self, act: Callable[[], None]) -> None:
        """Call `act` at the end of this tick, or of the loop's current iteration where no tick is open."""
        if not (self._is_open or self._deferred):
            asyncio.get_running_loop().call_soon(self._run_alone)
        self._deferred.append(act)

    def _run_alone(self) -> None:
        with self:
            pass

    def _run(self) -> None:
        while self._deferred:
            deferred, self._deferred = self._deferred, []
            for act in deferred:
                try:
                    act()
                except Exception:  # noqa: BLE001 - the others' work is still to be done
                    _log.exception("a callback at the end of a tick failed")
