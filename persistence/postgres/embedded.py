"""Starts, stops and recovers the embedded Postgres.

Two locks in the data directory admit one server. This process holds `server.lock`, so a second server refuses to start.
`postgres.lock` is inherited by every Postgres process.
INVARIANT: the holder of `postgres.lock` knows that none of them is alive, whatever postmaster.pid says.
A watcher beside each postmaster stops it when this process has died.
"""

import asyncio
import logging
import os
import shutil
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from persistence.postgres import processes
from persistence.postgres.cluster import (
    DATABASE,
    PORT,
    SOCKET_PATH_LIMIT,
    Cluster,
    database_url,
    initialise,
    last_words,
    opened,
    options,
    spawn,
    write_config,
)
from persistence.postgres.installation import (
    INSTANCE_OF_YOUR_OWN,
    MAJOR,
    CannotStart,
    SystemAccount,
    account_for,
    copy_programs,
    installed,
    readable_by,
)
from persistence.postgres.postmaster_watcher import end_watcher, spawn_watcher, telling_its_id
from persistence.postgres.processes import FileLock

TEMPORARY = "codrive-"
RECOVERY = 60.0  # seconds that replaying the log after a crash may take
GLANCE = 0.5  # seconds between two looks at whether it lives
CALM = 30.0  # seconds after which an earlier death no longer counts
BACKOFF = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)  # seconds before each next attempt; the last one repeats
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Postmaster:
    """A child that is Postgres, and the child that watches over it."""

    process: subprocess.Popen[bytes]
    watcher: subprocess.Popen[bytes]

    def end(self) -> None:
        """End both; the watcher last, since this process may die meanwhile."""
        for order, patience in processes.STAGES:
            self.process.send_signal(order)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                continue
            break
        end_watcher(self.watcher)


@dataclass(slots=True)
class RunningPostgres:
    """A started Postgres: this process is its parent, and the only one that may use its data directory."""

    cluster: Cluster
    _postmaster: Postmaster
    _locks: list[FileLock]
    _stopping: threading.Event = field(default_factory=threading.Event)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return self.cluster.url()

    @property
    def pid(self) -> int:
        return self._postmaster.process.pid

    def exited(self) -> bool:
        return self._postmaster.process.poll() is not None

    def restart(self) -> None:
        """Start again after Postgres died by itself, at the same address; nothing once `stop` was called."""
        with self._turn:
            if self.exited() and not self._stopping.is_set():
                self._postmaster.end()
                self._postmaster = _launch(self.cluster, self._stopping)

    def stop(self) -> None:
        """Disconnect all clients and stop; commits are on disk, and the next start has nothing to recover."""
        self._stopping.set()
        with self._turn:
            self._postmaster.end()
            if self._locks and self.cluster.is_temporary:
                _remove_temporary(self.cluster.runtime)
            while self._locks:
                self._locks.pop().release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start(data_directory: Path, *, durable: bool = True, installation: Path | None = None) -> RunningPostgres:
    """Start Postgres on `data_directory`, made at first, and wait until it answers; CannotStart says what to do."""
    root = data_directory.absolute()
    account = account_for((root / "cluster", root))
    locks: list[FileLock] = []
    try:
        _make_root(root, account)
        locks.append(_hold(root))
        _refuse_foreign(root / "cluster", account)
        programs = installation or installed()
        runtime = _runtime(root, account)
        locks.extend(_keep(runtime))
        if not readable_by(account, programs):
            programs = copy_programs(programs, runtime)
        cluster = Cluster(root, runtime, programs, account, durable)
        return RunningPostgres(cluster, _launch(cluster, threading.Event()), locks)
    except BaseException as error:
        if locks and (root / "runtime").is_symlink():
            _remove_temporary((root / "runtime").readlink())
        for held in locks:
            held.release()
        if isinstance(error, OSError):
            raise CannotStart(
                f"the embedded Postgres cannot run on `{root}`: {error}; give that directory to the user who runs "
                f"the server, choose another one, {INSTANCE_OF_YOUR_OWN}"
            ) from error
        raise


def url_of_running(data_directory: Path) -> str | None:
    """Return the address of another process's Postgres on `data_directory`, if any, for commands beside a running server."""
    try:
        lines = (data_directory / "cluster" / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return None
    held = processes.file_lock(data_directory.absolute() / "postgres.lock")
    if held is not None:
        held.release()
        return None
    return database_url(Path(lines[4]), DATABASE) if len(lines) > 4 else None


async def supervise(running: RunningPostgres) -> None:
    """Bring Postgres back whenever it dies, until cancelled; cancel before `stop`."""
    attempt, last = 0, 0.0
    while True:
        await asyncio.sleep(GLANCE)
        if not running.exited():
            continue
        attempt = 0 if time.monotonic() - last > CALM else attempt + 1
        await asyncio.sleep(BACKOFF[min(attempt, len(BACKOFF) - 1)])
        log.error("the embedded postgres died, starting it again (attempt %d)", attempt + 1)
        try:
            await asyncio.to_thread(running.restart)
        except (CannotStart, OSError) as error:
            log.error("the embedded postgres did not start: %s", error)  # noqa: TRY400 - the message says it all
        last = time.monotonic()


def _make_root(root: Path, account: SystemAccount) -> None:
    if not root.exists():
        root.mkdir(parents=True)
        root.chmod(0o700 if account.is_ours() else 0o711)


def _hold(root: Path) -> FileLock:
    held = processes.file_lock(root / "server.lock")
    if held is None:
        raise CannotStart(f"another server is running on `{root}`: stop it, or choose another data directory")
    return held


def _refuse_foreign(data: Path, account: SystemAccount) -> None:
    if not data.exists():
        return
    if not account.owns(data):
        raise CannotStart(
            f"`{data}` belongs to uid {data.stat().st_uid}: run the server as that user or as root, "
            f"or give the directory to uid {account.uid}"
        )
    found = (data / "PG_VERSION").read_text().strip()
    if found != str(MAJOR):
        raise CannotStart(
            f"`{data}` was made by Postgres {found} and this release brings Postgres {MAJOR}: back up with the release "
            f"that made it, move the directory away, and restore with this one"
        )


def _runtime(root: Path, account: SystemAccount) -> Path:
    """A fresh directory that `account` can reach, and whose socket has a path short enough.

    Where that cannot be inside `root`, `root/runtime` is a link to it, which also tells the next start what to remove.
    """
    inside = root / "runtime"
    if inside.is_symlink():
        _remove_temporary(inside.readlink())
        inside.unlink()
    elif inside.exists():
        shutil.rmtree(inside)
    longest = os.fsencode(inside / "socket" / f".s.PGSQL.{PORT}")
    if len(longest) <= SOCKET_PATH_LIMIT and (account.is_ours() or account.may_enter(root)):
        inside.mkdir()
        runtime = inside
    else:
        runtime = Path(tempfile.mkdtemp(prefix=TEMPORARY))  # a name nobody can have guessed and taken
        inside.symlink_to(runtime)
    runtime.chmod(0o700 if account.is_ours() else 0o711)
    return runtime


def _remove_temporary(runtime: Path) -> None:
    ours = runtime.name.startswith(TEMPORARY) and runtime.exists() and runtime.lstat().st_uid == os.geteuid()
    if ours and not runtime.is_symlink():
        shutil.rmtree(runtime, ignore_errors=True)


def _keep(runtime: Path) -> list[FileLock]:
    """A lock that keeps systemd-tmpfiles from clearing the directory after some days."""
    held = processes.file_lock(runtime)
    return [] if held is None else [held]


def _launch(cluster: Cluster, stopping: threading.Event) -> Postmaster:
    claim = processes.take_over(cluster.root / "postgres.lock", cluster.data)
    if claim is None:
        raise CannotStart(f"processes of an earlier server still use `{cluster.data}`: end them and try again")
    try:
        write_config(cluster)
        if not cluster.data.exists():
            log.info("making the database")
            initialise(cluster, claim)
        (cluster.data / "postmaster.pid").unlink(missing_ok=True)  # of the dead: we hold the lock
        postmaster = _spawn_watched(cluster, claim)
    finally:
        claim.release()
    try:
        _await_ready(cluster, postmaster.process, stopping)
    except BaseException:
        postmaster.end()
        raise
    return postmaster


def _spawn_watched(cluster: Cluster, claim: FileLock) -> Postmaster:
    with opened(cluster.log) as log:
        watcher = spawn_watcher(log)
    try:
        assert watcher.stdin is not None, "a pipe was asked for"
        command = telling_its_id(cluster.command("postgres", cluster.data, *options(cluster)))
        return Postmaster(spawn(cluster, cluster.data, command, claim, watcher.stdin.fileno()), watcher)
    except BaseException:
        end_watcher(watcher)
        raise


def _await_ready(cluster: Cluster, process: subprocess.Popen[bytes], stopping: threading.Event) -> None:
    deadline = time.monotonic() + RECOVERY
    while not stopping.wait(processes.PAUSE):
        if process.poll() is not None:
            raise CannotStart(f"Postgres ended at once: {last_words(cluster)}")
        try:
            with psycopg.connect(cluster.url("postgres"), autocommit=True, connect_timeout=5) as connection:
                known = connection.execute("select 1 from pg_database where datname = %s", (DATABASE,)).fetchone()
                if known is None:
                    connection.execute(f"create database {DATABASE}")
        except psycopg.OperationalError as error:
            if time.monotonic() > deadline:
                raise CannotStart(f"Postgres did not answer within {RECOVERY:.0f} seconds: {error}") from error
        else:
            return
