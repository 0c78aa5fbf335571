"""Stores images as objects in a local folder, or in S3, Google Cloud Storage or Azure; deletes those without a row."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched
from pathlib import Path
from secrets import token_hex
from typing import Final, Self

import structlog
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from domain.errors import Unavailable
from graphql_api.ports import Clock
from persistence.blob_removals import BlobRemovals
from persistence.postgres.installation import CannotStart
from service.folders import private_folder
from service.settings import Settings

SWEEP_INTERVAL: Final = timedelta(days=1)
MARK: Final = "codrive-store"  # no image has such a key
MAX_AT_ONCE: Final = 16  # deletions: in an object store each takes a round trip
MIN_AGE: Final = timedelta(days=1)  # a younger blob may be of an upload whose row is about to be written
_log: Final = structlog.get_logger("service")


@contextmanager
def _reaching() -> Iterator[None]:
    """Raise Unavailable for what keeps us from the store, such as a full disk, and name it in the log."""
    try:
        yield
    except (BaseError, OSError) as fault:
        _log.error("the store of images failed", error=str(fault))
        raise Unavailable("the store of images cannot be reached just now") from fault


@dataclass(frozen=True, slots=True)
class ObjectBlobs:
    """The Blobs port over any object store; a key is a name of one segment."""

    store: ObjectStore

    @classmethod
    def in_folder(cls, folder: Path) -> Self:
        return cls(LocalStore(private_folder(folder)))

    @classmethod
    def at_url(cls, url: str) -> Self:
        """Such as `s3://bucket/prefix`; the credentials come from the environment, as each provider has them.

        Raises CannotStart.
        """
        try:
            return cls(from_url(url))
        except BaseError as fault:
            raise CannotStart(f"`{url}` is no store of images: {str(fault).splitlines()[0]}") from fault

    async def put(self, key: str, content: bytes) -> None:
        with _reaching():
            await self.store.put_async(key, content)

    async def get(self, key: str) -> bytes | None:
        with _reaching(), suppress(FileNotFoundError):
            found = await self.store.get_async(key)
            return bytes(await found.bytes_async())
        return None

    async def delete(self, key: str) -> None:
        with _reaching(), suppress(FileNotFoundError):
            await self.store.delete_async(key)

    async def mark(self) -> str:
        """Return the mark of this store, which is made where there is none: who finds the same one has the same store."""
        found = await self.get(MARK)
        if found is None:
            await self.put(MARK, token_hex(16).encode())
            found = await self.get(MARK)
        return (found or b"").decode("ascii", "replace")

    async def put_before(self, moment: datetime) -> AsyncIterator[Sequence[str]]:
        """Yield the keys of everything that was put before the moment, some at a time."""
        async for found in self.store.list():
            yield [each["path"] for each in found if each["last_modified"] < moment]


def blobs_of(settings: Settings) -> ObjectBlobs:
    if settings.blobs and "://" in settings.blobs:
        return ObjectBlobs.at_url(settings.blobs)
    return ObjectBlobs.in_folder(Path(settings.blobs) if settings.blobs else settings.data / "images")


class BlobCleaner:
    """A worker. Deletes the blobs of images whose rows are gone, within a minute, also where a turn fails meanwhile.

    One that cannot be deleted holds up none of the others, and is tried again in the next turn.
    """

    every: float = 10.0

    def __init__(self, blobs: ObjectBlobs, removals: BlobRemovals) -> None:
        self._blobs = blobs
        self._removals = removals

    async def turn(self) -> None:
        last = ""
        while keys := await self._removals.due(last):
            for some in batched(keys, MAX_AT_ONCE):
                await self._delete(some)
            last = keys[-1]

    async def _delete(self, keys: Sequence[str]) -> None:
        outcomes = await asyncio.gather(*map(self._blobs.delete, keys), return_exceptions=True)
        failed = {key: fault for key, fault in zip(keys, outcomes, strict=True) if fault is not None}
        await self._removals.done([key for key in keys if key not in failed])
        for key, fault in failed.items():
            _log.error("the blob of an image was not deleted", key=key, error=str(fault))


class BlobSweep:
    """A worker. Deletes, once a day, the blobs that no row names.

    Such a blob is left behind where the process ended between storing the blob and writing the row.
    """

    every: float = 60.0

    def __init__(self, blobs: ObjectBlobs, removals: BlobRemovals, clock: Clock) -> None:
        self._blobs = blobs
        self._removals = removals
        self._clock = clock
        self._swept: datetime | None = None

    async def turn(self) -> None:
        now = self._clock()
        if self._swept is not None and now - self._swept < SWEEP_INTERVAL:
            return
        async for keys in self._blobs.put_before(now - MIN_AGE):
            for key in await self._removals.unnamed(keys):
                await self._blobs.delete(key)
        self._swept = now
