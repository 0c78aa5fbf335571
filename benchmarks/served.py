"""Runs the measured server process with its Postgres as in production, and reads its CPU and memory from the kernel."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

STARTS = 180.0  # seconds that it may take to answer
STOPS = 30.0
TICK = os.sysconf("SC_CLK_TCK")
IDLE = 0.02  # CPU seconds in a second of rest
MAX_REST = 30


@dataclass(frozen=True)
class Used:
    """CPU seconds of one process, and of its descendants."""

    own: float
    below: float

    def __sub__(self, other: "Used") -> "Used":
        return Used(self.own - other.own, self.below - other.below)

    @property
    def all(self) -> float:
        return self.own + self.below


def used(pid: int) -> Used:
    stats = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "stat").read_text()
        except OSError:
            continue
        fields = text.rpartition(") ")[2].split()
        stats[int(folder.name)] = int(fields[1]), [int(field) for field in fields[11:15]]
    below, found = 0, [pid]
    for parent in found:
        children = [child for child, (its_parent, _) in stats.items() if its_parent == parent]
        below += sum(sum(stats[child][1]) for child in children)
        found += children
    user, system, _, _ = stats[pid][1]
    return Used((user + system) / TICK, below / TICK)


def at_rest(*pids: int) -> Used:
    """Wait until processes are idle, and return what the first has used by then."""
    last = [used(pid) for pid in pids]
    for _ in range(MAX_REST):
        time.sleep(1)
        now = [used(pid) for pid in pids]
        if all((each - before).own <= IDLE for each, before in zip(now, last, strict=True)):
            return now[0]
        last = now
    raise SystemExit("a server does not become idle")


def resident_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))


@dataclass(frozen=True)
class Process:
    pid: int
    port: int
    credentials: dict[str, Any]


@contextmanager
def ended(process: subprocess.Popen[Any]) -> Iterator[None]:
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(STOPS)


@contextmanager
def server(folder: Path, *, is_limited: bool = False) -> Iterator[Process]:
    """Run the service with a database of its own in `folder`, with default settings, but for rate limits unless `is_limited`."""
    written = folder / "credentials.json"
    command = [Path(sys.executable).with_name("codrive-server"), "--demo", "--port", "0"]
    command += ["--data", folder / "data", "--credentials", written]
    command += [] if is_limited else ["--no-rate-limits"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    with ended(process):
        until = time.monotonic() + STARTS
        while not written.exists():
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"the server did not start: {(folder / 'log').read_text()}")
            time.sleep(0.05)
        credentials = json.loads(written.read_text())
        yield Process(process.pid, int(credentials["origin"].rpartition(":")[2]), credentials)


@contextmanager
def node(
    folder: Path, database: str, port: int, known: dict[str, Any] | None = None, drain: int = 0
) -> Iterator[Process]:
    """Run one of several servers on the database at a URL; `known` are the credentials of its world, if it has one.

    It hands over its clients for `drain` seconds when it is stopped.
    """
    own, written = folder / f"node-{port}", folder / "credentials.json"
    command = [Path(sys.executable).with_name("codrive-server"), "--demo", "--no-rate-limits", "--data", own]
    command += ["--credentials", written, "--blobs", folder / "blobs"]
    command += ["--port", str(port), "--origin", "http://127.0.0.1", "--drain-seconds", str(drain)]
    with (folder / f"log-{port}").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | {"DATABASE_URL": database})
    with ended(process):
        until = time.monotonic() + STARTS
        while not (_is_ready(port) and written.exists()):
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"the server did not start: {(folder / f'log-{port}').read_text()}")
            time.sleep(0.05)
        yield Process(process.pid, port, known or json.loads(written.read_text()))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _is_ready(port: int) -> bool:
    asked = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        asked.request("GET", "/readyz")
        return asked.getresponse().status == 200
    except OSError:
        return False
    finally:
        asked.close()


@contextmanager
def reference() -> Iterator[Process]:
    """Run the Node server of one kilobyte that requests are compared with."""
    command = ["node", Path(__file__).with_name("static.cjs")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process, ended(process):
        assert process.stdout is not None
        yield Process(process.pid, int(process.stdout.readline()), {})


class Client:
    """One connection of one user; an answer other than 200 ends the benchmark."""

    def __init__(self, to: Process, key: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", to.port, timeout=60)
        self._headers = {"x-api-key": key, "content-type": "application/json"}

    def ask(self, method: str, path: str, body: object = None) -> Any:
        self._connection.request(method, path, None if body is None else json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{method} {path}: {answer.status} {content.decode()}")
        return json.loads(content) if content else None

    def graphql(self, query: str, **variables: object) -> Any:
        answer = self.ask("POST", "/graphql", {"query": query, "variables": variables})
        if "errors" in answer:
            raise SystemExit(str(answer["errors"]))
        return answer["data"]
