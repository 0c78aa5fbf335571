"""Finds the processes that hold a data directory, and ends them."""

import fcntl
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROCESSES = Path("/proc")
PAUSE = 0.02  # seconds between two looks at something that has no event to wait for

# signals to a postmaster, each with seconds to wait: fast shutdown, immediate shutdown, kill
FAST, IMMEDIATE, KILL = STAGES = (signal.SIGINT, 30.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0)


@dataclass(frozen=True, slots=True)
class FileLock:
    """An exclusive `flock`: it ends with the last process that has it open, however that process ends."""

    descriptor: int

    def release(self) -> None:
        """Close ours; a process it was passed to keeps the lock (an explicit unlock would take it from all)."""
        os.close(self.descriptor)


def file_lock(path: Path) -> FileLock | None:
    """The lock on a file, made when missing, or on a directory; None while another holds it."""
    flags = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return FileLock(descriptor)


def take_over(path: Path, cluster: Path) -> FileLock | None:
    """Return the lock that every process of `cluster` holds, once they have ended; they get ever stronger signals."""
    held = file_lock(path)
    if held is not None:
        return held
    postmaster = {pid for pid in (recorded_postmaster(cluster),) if pid in occupants(cluster)}
    # children of a dead postmaster get no fast shutdown: to the checkpointer the same signal means another thing
    stages = STAGES if postmaster else (IMMEDIATE, KILL)
    for order, patience in stages:
        for pid in postmaster if order is signal.SIGINT else occupants(cluster):
            with suppress(ProcessLookupError):
                os.kill(pid, order)
        held = wait_for(lambda: file_lock(path), patience)
        if held is not None:
            return held
    return None


def wait_for[Found](look: Callable[[], Found | None], patience: float) -> Found | None:
    deadline = time.monotonic() + patience
    while (found := look()) is None and time.monotonic() < deadline:
        time.sleep(PAUSE)
    return found


def recorded_postmaster(cluster: Path) -> int | None:
    """Return the process in postmaster.pid: perhaps dead, a zombie, or by now another program."""
    try:
        return int((cluster / "postmaster.pid").read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None


def occupants(cluster: Path) -> set[int]:
    """Return the running Postgres processes of `cluster`, without zombies."""
    if not PROCESSES.exists():  # no such view of processes here (macOS): believe the file, as pg_ctl does
        recorded = recorded_postmaster(cluster)
        return set() if recorded is None else {recorded}
    return {int(entry.name) for entry in PROCESSES.iterdir() if entry.name.isdigit() and _works_in(entry, cluster)}


def _works_in(process: Path, cluster: Path) -> bool:
    try:
        return (process / "comm").read_text().strip() == "postgres" and (process / "cwd").samefile(cluster)
    except OSError:  # it ended meanwhile, is a zombie, or belongs to someone else
        return False
