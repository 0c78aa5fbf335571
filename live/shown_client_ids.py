"""Records the client ids that editors show, so that they are kept for them after the room has closed or the process has ended."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog

from domain.document import ShownClientId
from domain.errors import Unavailable

AGAIN_SECONDS: Final = 1.0  # after which what could not be recorded is recorded again
_log: Final = structlog.get_logger("live")

type RecordShown = Callable[[Sequence[ShownClientId]], Awaitable[None]]
"""Keep client ids for who showed them, for a day from now at least; raises Unavailable."""


async def unrecorded(_: Sequence[ShownClientId]) -> None:
    """Record nothing."""


class ShownClientIds:
    """Records in batches, one after the other."""

    def __init__(self, record: RecordShown) -> None:
        self._record = record
        self._waiting: dict[ShownClientId, Callable[[], None]] = {}
        self._recording: asyncio.Task[None] | None = None

    def add(self, shown: ShownClientId, on_recorded: Callable[[], None]) -> None:
        """Record it, and then call `on_recorded`."""
        self._waiting[shown] = on_recorded
        if self._recording is None:
            self._recording = asyncio.create_task(self._go_on())

    async def _go_on(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, {}
                try:
                    await self._record([*batch])
                except Unavailable as error:
                    _log.warning("client ids could not be recorded", error=str(error))
                    self._waiting = batch | self._waiting
                    await asyncio.sleep(AGAIN_SECONDS)
                else:
                    for on_recorded in batch.values():
                        on_recorded()
        finally:
            self._recording = None
