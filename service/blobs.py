"""Stores images as objects in a local folder, or in S3, Google Cloud Storage or Azure; deletes those without a row."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Self

from obstore.store import LocalStore, ObjectStore, from_url

from graphql_api.ports import Clock
from persistence.blob_removals import BlobRemovals
from service.folders import private_folder
from service.settings import Settings

SWEEP_INTERVAL: Final = timedelta(days=1)
MIN_AGE: Final = timedelta(days=1)  # a younger blob may be of an upload whose row is about to be written


@dataclass(frozen=True, slots=True)
class ObjectBlobs:
    """The Blobs port over any object store; a key is a name of one segment."""

    store: ObjectStore

    @classmethod
    def in_folder(cls, folder: Path) -> Self:
        return cls(LocalStore(private_folder(folder)))

    @classmethod
    def at_url(cls, url: str) -> Self:
        """Such as `s3://bucket/prefix`; the credentials come from the environment, as each provider has them."""
        return cls(from_url(url))

    async def put(self, key: str, content: bytes) -> None:
        await self.store.put_async(key, content)

    async def get(self, key: str) -> bytes | None:
        try:
            found = await self.store.get_async(key)
        except FileNotFoundError:
            return None
        return bytes(await found.bytes_async())

    async def delete(self, key: str) -> None:
        with suppress(FileNotFoundError):
            await self.store.delete_async(key)

    async def put_before(self, moment: datetime) -> AsyncIterator[Sequence[str]]:
        """Yield the keys of everything that was put before the moment, some at a time."""
        async for found in self.store.list():
            yield [each["path"] for each in found if each["last_modified"] < moment]


def blobs_of(settings: Settings) -> ObjectBlobs:
    if settings.blobs and "://" in settings.blobs:
        return ObjectBlobs.at_url(settings.blobs)
    return ObjectBlobs.in_folder(Path(settings.blobs) if settings.blobs else settings.data / "images")


class BlobCleaner:
    """A worker. Deletes the blobs of images whose rows are gone, and once a day those that no row ever named.

    A blob without a row is left behind where the process ended between the two.
    """

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
