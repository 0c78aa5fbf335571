"""Markers of the documents that a process is loading, which outlive the process.

They are in a file that is mapped into memory, so a marker costs no system call, and the kernel keeps what was written there
however the process ends. Each process has its own file and holds a lock on it, by which others know that it is running.
"""

import fcntl
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final
from uuid import UUID

MAX_MARKERS: Final = 256  # documents that are loaded at the same moment; more are loaded without a marker
_SIZE: Final = 16  # bytes of a document's id
_NOTHING: Final = bytes(_SIZE)


class LoadingMarkers:
    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = folder / f"{os.getpid()}-{os.urandom(4).hex()}"
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(self._file, MAX_MARKERS * _SIZE)
        self._map = mmap.mmap(self._file, MAX_MARKERS * _SIZE)
        self._free = list(range(MAX_MARKERS))
        self._lock = Lock()

    @contextmanager
    def loading(self, document_id: str) -> Iterator[None]:
        with self._lock:
            place = self._free.pop() if self._free else None
        if place is None:
            yield
            return
        start = place * _SIZE
        self._map[start : start + _SIZE] = UUID(document_id).bytes
        try:
            yield
        finally:
            self._map[start : start + _SIZE] = _NOTHING
            with self._lock:
                self._free.append(place)

    def close(self) -> None:
        """Take the file away: this process ends by itself, so nothing that it loads has ended it."""
        self._path.unlink(missing_ok=True)
        os.close(self._file)


def markers_of_dead_processes(folder: Path) -> dict[Path, set[str]]:
    """Return the files of processes that died, with the documents that each was loading."""
    found: dict[Path, set[str]] = {}
    for path in folder.iterdir() if folder.is_dir() else ():
        try:
            file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:  # its process has just ended, or another one has counted it
            continue
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            found[path] = _documents(path.read_bytes())
        finally:
            os.close(file)
    return found


def _documents(written: bytes) -> set[str]:
    places = [written[at : at + _SIZE] for at in range(0, len(written) - _SIZE + 1, _SIZE)]
    return {str(UUID(bytes=place)) for place in places if place != _NOTHING}
