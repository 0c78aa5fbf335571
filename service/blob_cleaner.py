"""Deletes the blobs of images whose rows are gone, and once a day those that no row ever named."""

from datetime import datetime, timedelta
from typing import Final

from graphql_api.ports import Clock
from persistence.blob_removals import BlobRemovals
from service.blobs import ObjectBlobs

SWEEP_INTERVAL: Final = timedelta(days=1)
MIN_AGE: Final = timedelta(days=1)  # a younger blob may be of an upload whose row is about to be written


class BlobCleaner:
    """A worker. A blob without a row is left behind where the process ended between the two."""

    every: float = 60.0

    def __init__(self, blobs: ObjectBlobs, removals: BlobRemovals, clock: Clock) -> None:
        self._blobs = blobs
        self._removals = removals
        self._clock = clock
        self._swept: datetime | None = None

    async def turn(self) -> None:
        while keys := await self._removals.due():
            for key in keys:
                await self._blobs.delete(key)
            await self._removals.done(keys)
        now = self._clock()
        if self._swept is None or now - self._swept >= SWEEP_INTERVAL:
            await self._sweep(now - MIN_AGE)
            self._swept = now

    async def _sweep(self, before: datetime) -> None:
        async for keys in self._blobs.put_before(before):
            for key in await self._removals.unnamed(keys):
                await self._blobs.delete(key)
