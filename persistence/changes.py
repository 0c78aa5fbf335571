"""Who waits for something to happen in a drive: those of this process, told after each commit."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable


class Changes:
    def __init__(self) -> None:
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)

    def happened(self, drives: Iterable[str]) -> None:
        for drive_id in drives:
            for waiting in self._waiting.get(drive_id, ()):
                waiting.set()

    async def of(self, drive_id: str) -> AsyncIterator[None]:
        """Yield once now, and then after commits; those that come while the last one is looked at are one."""
        changed = asyncio.Event()
        self._waiting[drive_id].add(changed)
        try:
            changed.set()
            while True:
                await changed.wait()
                changed.clear()
                yield
        finally:
            self._waiting[drive_id].discard(changed)
            if not self._waiting[drive_id]:
                del self._waiting[drive_id]
