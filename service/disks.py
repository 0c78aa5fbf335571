"""Watches the disks that the server writes to: a full one is named in the log, in `/readyz` and in the metrics."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from service.settings import Settings

MIN_FREE: Final = 32 << 20  # bytes: two segments of PostgreSQL's write-ahead log
_log: Final = structlog.get_logger("service")


@dataclass(frozen=True, slots=True)
class Disks:
    """A worker over the folders that the server writes to, by what is in them."""

    folders: Mapping[str, Path]
    every: float = 60.0

    def free(self) -> dict[str, float]:
        """Return the free bytes of each folder's disk."""
        return {name: shutil.disk_usage(folder).free for name, folder in self.folders.items()}

    def full(self) -> list[str]:
        return [name for name, free in self.free().items() if free < MIN_FREE]

    async def turn(self) -> None:
        for name in self.full():
            _log.error("the disk is full: nothing can be stored", holds=name, folder=str(self.folders[name]))


def disks_of(settings: Settings) -> Disks:
    """Return the data folder, and that of the images where it is another one."""
    images = Path(settings.blobs) if settings.blobs and "://" not in settings.blobs else None
    return Disks({"data": settings.data} | ({"images": images} if images else {}))
