"""Describes a data directory of Postgres and the commands that run on it.

Postgres accepts `peer` connections over a Unix socket that only its own account (and root) can reach, so the kernel
vouches for the client and there is no password. There is no TCP.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from persistence.postgres.installation import CannotStart, SystemAccount
from persistence.postgres.processes import FileLock

USER = "codrive"
DATABASE = "codrive"
PORT = 5432  # only ever part of the socket's name
SOCKET_PATH_LIMIT = 103  # bytes: 107 on Linux, 103 on macOS
LOG_LIMIT = 10_000_000  # bytes, looked at when Postgres starts
NEW_CLUSTER_BYTES = 64 << 20
HERE = "/proc/self/cwd"

SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "max_wal_size": "1GB",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # errors go to the client, whose own log has them: here they would grow without bound and quote what people write
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
# tests have many servers on one Postgres
FORGETFUL = dict.fromkeys(DURABLE, "off") | {"max_connections": "600"}


@dataclass(frozen=True, slots=True)
class Cluster:
    """One data directory and all that is needed to run it.

    `root` is ours; of what lies below it only `data` and the sockets belong to `account`. `runtime` holds the socket
    and what Postgres reads: inside `root`, or a private temporary directory where `root` is closed or its path long.
    """

    root: Path
    runtime: Path
    programs: Path
    account: SystemAccount
    durable: bool

    @property
    def data(self) -> Path:
        return self.root / "cluster"

    @property
    def sockets(self) -> Path:
        return self.runtime / "socket"

    @property
    def is_temporary(self) -> bool:
        return self.runtime.parent != self.root

    @property
    def log(self) -> Path:
        return self.root / "postgres.log"

    def url(self, database: str = DATABASE) -> str:
        return database_url(self.sockets, database)

    def command(self, program: str, data: Path, *arguments: str) -> list[str]:
        """Run in `data` (see `_spawn`), so an account that may not pass the directories above still gets there."""
        reachable = self.account.is_ours() or self.account.may_enter(data.parent)
        return [str(self.programs / "bin" / program), "-D", str(data) if reachable else HERE, *arguments]


def database_url(sockets: Path, database: str) -> str:
    return f"postgresql://{USER}@/{database}?host={quote(str(sockets), safe='')}&port={PORT}"


def write_config(cluster: Cluster) -> None:
    """Write who may connect, make the socket's directory anew, and rotate a long log."""
    people = "".join(f"{USER} {name} {USER}\n" for name in cluster.account.names())
    for name, text in (("pg_hba.conf", f"local all {USER} peer map={USER}\n"), ("pg_ident.conf", people)):
        file = cluster.runtime / name
        file.write_text(text)
        file.chmod(0o644)
    shutil.rmtree(cluster.sockets, ignore_errors=True)
    _make_for(cluster.account, cluster.sockets)
    if cluster.log.exists() and cluster.log.stat().st_size > LOG_LIMIT:
        cluster.log.replace(cluster.log.with_suffix(".log.1"))


def _make_for(account: SystemAccount, directory: Path) -> None:
    directory.mkdir(mode=0o700)
    if not account.is_ours():
        os.chown(directory, account.uid, account.gid, follow_symlinks=False)


def initialise(cluster: Cluster, claim: FileLock) -> None:
    """Make the data directory under another name first, so that a half-made one is never taken for a database."""
    unfinished = cluster.root / "cluster.new"
    shutil.rmtree(unfinished, ignore_errors=True)
    _make_for(cluster.account, unfinished)
    command = cluster.command(
        "initdb",
        unfinished,
        f"--username={USER}",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--auth-local=peer",
        "--auth-host=reject",
        "--no-instructions",
        *([] if cluster.durable else ["--no-sync"]),
    )
    if spawn(cluster, unfinished, command, claim).wait() != 0:
        raise CannotStart(f"initdb failed on `{unfinished}`: {last_words(cluster)}")
    unfinished.rename(cluster.data)
    directory = os.open(cluster.root, os.O_RDONLY)
    os.fsync(directory)
    os.close(directory)


def options(cluster: Cluster) -> list[str]:
    settings = SETTINGS | (DURABLE if cluster.durable else FORGETFUL)
    settings |= {
        "unix_socket_directories": f'"{cluster.sockets}"',
        "hba_file": str(cluster.runtime / "pg_hba.conf"),
        "ident_file": str(cluster.runtime / "pg_ident.conf"),
    }
    return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]


def spawn(
    cluster: Cluster, data: Path, command: list[str], claim: FileLock, source: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """A direct child, so that we reap it, in a session of its own, so that the terminal's Ctrl-C is ours alone."""
    ours = cluster.account.is_ours()
    with opened(cluster.log) as output:
        return subprocess.Popen(  # noqa: S603 - the programs of the wheel
            command,
            cwd=data,
            env={"PATH": os.defpath, "LC_ALL": "C"},  # none of our secrets
            stdin=source,
            stdout=output,
            stderr=output,
            start_new_session=True,
            umask=0o077,
            pass_fds=(claim.descriptor,),
            user=None if ours else cluster.account.uid,
            group=None if ours else cluster.account.gid,
            extra_groups=None if ours else [],
        )


@contextmanager
def opened(log: Path) -> Iterator[int]:
    """Give a descriptor that appends to Postgres's log."""
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield output
    finally:
        os.close(output)


def last_words(cluster: Cluster) -> str:
    """Return why Postgres ended: the end of its log, which on a full disk may lack the reason, and what the disk has left."""
    lines = cluster.log.read_text(errors="replace").splitlines()[-3:] or [f"see `{cluster.log}`"]
    free = shutil.disk_usage(cluster.root).free
    return " / ".join([*([f"its disk has {free >> 20} MB left"] if free < NEW_CLUSTER_BYTES else []), *lines])
