"""How tests run the real server: as a process of its own on a free port, ended by its pid."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from persistence.postgres.embedded import url_of_running
from tests.support.processes.forkserver import FORKSERVER, Forked
from tests.support.processes.servers import end_of, operator

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers; `credentials` are of the demo world."""

    origin: str
    credentials: dict[str, Any]
    data: Path
    log: Path
    database: str

    @property
    def base_url(self) -> str:
        return f"{self.origin}/api/v1"

    def operator(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the operator's beside the server."""
        return operator("--data", self.data, *words, DATABASE_URL=self.database, **variables)

    def faults(self) -> list[str]:
        """What the server logged as an error: nothing that a test sends may lead to one."""
        lines = (line for line in self.log.read_text().splitlines() if line.startswith("{"))
        said = (json.loads(line) for line in lines)
        return [json.dumps(each) for each in said if each.get("level") in ("error", "critical")]


@contextmanager
def running(*flags: str, known: str = "", **variables: str) -> Iterator[Server]:
    """Start a server with the demo world on a fresh directory, wait until it answers, and stop it afterwards.

    Where the database at `DATABASE_URL` has a demo world, its credentials are `known`.
    """
    with tempfile.TemporaryDirectory(prefix="codrive-tests-") as made:
        directory = Path(made)
        directory.chmod(0o711)
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("CODRIVE_", "DATABASE_URL"))}
        data, credentials, log = directory / "data", directory / "credentials.json", directory / "log"
        given = ("--demo", "--port", "0", "--data", str(data), "--credentials", str(credentials), *flags)
        if known:
            credentials.write_text(known)
        with log.open("w") as writing, FORKSERVER.start(None, given, keep | variables, writing, ROOT) as process:
            try:
                _await_announcement(process, log)
                found = json.loads(credentials.read_text())
                database = variables.get("DATABASE_URL") or url_of_running(data / "postgres")
                assert database
                yield Server(found["origin"], found, data, log, database)
            finally:
                process.terminate()
                end_of(process, data, log)


def _await_announcement(process: Forked, log: Path) -> None:
    assert process.stdout
    for line in process.stdout:
        if "credentials are in" in line:
            return
    raise AssertionError(f"the server did not start:\n{log.read_text()}")
