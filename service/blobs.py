"""Where images are kept: objects in a local folder, or in S3, Google Cloud Storage or Azure by their URL."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from obstore.store import LocalStore, ObjectStore, from_url

from service.settings import Settings


@dataclass(frozen=True, slots=True)
class ObjectBlobs:
    """The Blobs port over any object store; a key is a name of one segment."""

    store: ObjectStore

    @classmethod
    def in_folder(cls, folder: Path) -> Self:
        return cls(LocalStore(folder, mkdir=True))

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


def blobs_of(settings: Settings) -> ObjectBlobs:
    if settings.blobs and "://" in settings.blobs:
        return ObjectBlobs.at_url(settings.blobs)
    return ObjectBlobs.in_folder(Path(settings.blobs) if settings.blobs else settings.data / "images")
