"""A PostgreSQL with a synchronous standby, which is promoted when the primary is killed."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psycopg

from persistence.postgres import processes
from persistence.postgres.cluster import DATABASE, PORT, USER
from persistence.postgres.embedded import RunningPostgres, start
from tests.support.processes.servers import PATIENCE, eventually

STANDBY = "standby"


class Replicated:
    def __init__(self, primary: RunningPostgres, standby: RunningPostgres) -> None:
        self.primary, self.standby = primary, standby

    @property
    def url(self) -> str:
        """Where both are, for connections that write."""
        hosts = ",".join(quote(str(each.cluster.sockets), safe="") for each in (self.primary, self.standby))
        return f"postgresql://{USER}@/{DATABASE}?host={hosts}&port={PORT},{PORT}&target_session_attrs=read-write"

    def fail_over(self) -> None:
        """Kill the primary with all of its processes, and have the standby take its place."""
        for process in [self.primary.pid, *processes.occupants(self.primary.cluster.data)]:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        with psycopg.connect(self.standby.url, autocommit=True) as connection:
            assert connection.execute("select pg_promote()").fetchone() == (True,)


@contextmanager
def replicated(folder: Path, fill: Callable[[str], object]) -> Iterator[Replicated]:
    """Start a primary, `fill` it by its URL, and give it a standby without which nothing is committed."""
    with start(folder / "primary") as primary:
        fill(primary.url)
        with (primary.cluster.runtime / "pg_hba.conf").open("a") as rules:
            rules.write(f"local replication {USER} peer map={USER}\n")
        with psycopg.connect(primary.url, autocommit=True) as connection:
            connection.execute("select pg_reload_conf()")
            copy_of(primary, folder / STANDBY)
            with start(folder / STANDBY) as standby:
                connection.execute(f"alter system set synchronous_standby_names = '{STANDBY}'")
                connection.execute("select pg_reload_conf()")
                eventually(
                    lambda: connection.execute(
                        "select true from pg_stat_replication where sync_state = 'sync'"
                    ).fetchone()
                )
                yield Replicated(primary, standby)


def copy_of(primary: RunningPostgres, root: Path) -> None:
    cluster = primary.cluster
    root.mkdir()
    root.chmod(0o711)
    way = f"host={cluster.sockets} port={PORT} user={USER} application_name={STANDBY}"
    command: list[str | Path] = [
        cluster.programs / "bin" / "pg_basebackup",
        "--pgdata",
        root / "cluster",
        "--dbname",
        way,
    ]
    options = ["--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--no-sync"]
    subprocess.run([*command, *options], check=True, timeout=PATIENCE)
    if not cluster.account.is_ours():
        for path in [root / "cluster", *(root / "cluster").rglob("*")]:
            os.chown(path, cluster.account.uid, cluster.account.gid, follow_symlinks=False)
