"""Lets large messages go on one in each turn of the event loop, so that what others ask is looked at between two."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

LARGE_MESSAGE: Final = 64 * 1024  # bytes, of which looking at all takes a millisecond


@dataclass(slots=True)
class LoopTurns:
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def next(self) -> None:
        """Wait for a turn of the loop in which no other large message goes on."""
        async with self._lock:
            await asyncio.sleep(0)
