"""A real server as its operator runs it: a process of its own with an embedded Postgres, told what to do by signals."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import httpx2
from websockets.asyncio import client
from websockets.sync import client as sync_client

from persistence.postgres import processes
from persistence.postgres.embedded import url_of_running
from tests.support.processes.forkserver import FORKSERVER, Forked

PROGRAM = str(Path(sys.executable).with_name("codrive-server"))
ANSWERS = re.compile(r"Codrive answers at (\S+)")
PATIENCE = 180.0  # seconds after which something that should have happened has not
PROMPT, PROBES = 1.0, 3  # seconds for the answer of a server that is not late, and how often it is asked
LONG_PATIENCE = (
    10 * PATIENCE
)  # seconds for what a registry is asked for, and for a program that asks or tries many things


def http(base_url: str = "", **options: Any) -> httpx.Client:
    """Return a client of a server of these tests: it waits as long as they do, and by no proxy of the environment."""
    return httpx.Client(base_url=base_url, timeout=PATIENCE, trust_env=False, **options)


def async_http(base_url: str = "", **options: Any) -> httpx.AsyncClient:
    """Return what `http` returns, for a loop."""
    return httpx.AsyncClient(base_url=base_url, timeout=PATIENCE, trust_env=False, **options)


def mcp_http(**options: Any) -> httpx2.AsyncClient:
    """Return what the MCP SDK's clients ask by."""
    return httpx2.AsyncClient(timeout=PATIENCE, trust_env=False, **options)


def websocket(address: str, **options: Any) -> client.connect:
    """Return a WebSocket to a server of these tests, to be entered; nothing is pinged, since a late answer is no fault."""
    return client.connect(address, open_timeout=PATIENCE, ping_interval=None, proxy=None, **options)


def sync_websocket(address: str, **options: Any) -> sync_client.ClientConnection:
    """Return what `websocket` returns, without a loop."""
    return sync_client.connect(address, open_timeout=PATIENCE, ping_interval=None, proxy=None, **options)


def program(*arguments: object, **variables: str) -> tuple[list[str], dict[str, str]]:
    """Return the command line and the environment in which only these variables of the service are set."""
    quiet = {name: value for name, value in os.environ.items() if not name.startswith(("CODRIVE_", "DATABASE_"))}
    return [PROGRAM, *map(str, arguments)], quiet | variables


def operator(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the operator's to its end; `.returncode`, `.stdout` and `.stderr` tell of it."""
    command, environment = program(*arguments, **variables)
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)


def answers_at_once(origin: str) -> bool:
    """Whether a server is ready, several times and each within PROMPT: then what does not come from it is missing, not late."""
    try:
        with httpx.Client(base_url=origin, timeout=PROMPT, trust_env=False) as probe:
            return all(probe.get("/readyz").is_success for _ in range(PROBES))
    except httpx.TransportError:
        return False


def ran_out(what: str, origin: str | None = None) -> AssertionError | TimeoutError:
    """Return the failure of a wait: an AssertionError where the server at `origin` answers at once, else a TimeoutError."""
    if origin and answers_at_once(origin):
        return AssertionError(f"{what}, though the server answers at once")
    return TimeoutError(what)


def free_port() -> int:
    """Return a port that nobody listens on just now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def eventually[Found](look: Callable[[], Found | None], *, origin: str | None = None) -> Found:
    """Ask again and again, within bounds, until the answer is something; where it never is, raise what `ran_out` says."""
    found = processes.wait_for(lambda: look() or None, PATIENCE)
    if found is None:
        raise ran_out("it did not happen in time", origin)
    return found


async def async_eventually[Found](look: Callable[[], Awaitable[Found | None]], *, origin: str | None = None) -> Found:
    """Do what `eventually` does, for a loop."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not (found := await look()):  # noqa: ASYNC110 - it looks at another process
                await asyncio.sleep(processes.PAUSE)
            return found
    except TimeoutError:
        raise ran_out("it did not happen in time", origin) from None


def end_of(process: Forked | subprocess.Popen[str], data: Path, log: Path, patience: float = PATIENCE) -> int:
    """Wait for the end of a server and return how it came; where it does not, end it and its database, and say so."""
    try:
        return process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        if (data / "postgres").exists():
            left = processes.take_over(data / "postgres" / "postgres.lock", data / "postgres" / "cluster")
            if left:
                left.release()
        raise AssertionError(f"it did not end: {log.read_text()}") from None


@dataclass
class Served:
    """A running server and everything it says."""

    process: Forked
    data: Path
    log: Path
    other_database: str | None = None  # where it is not its own
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        with self.process.stdout as spoken:
            self.said.extend(iter(spoken.readline, ""))

    @property
    def text(self) -> str:
        return "".join(list(self.said))

    @property
    def errors(self) -> str:
        return self.log.read_text()

    @property
    def origin(self) -> str:
        return eventually(self._origin)

    def _origin(self) -> str | None:
        found = ANSWERS.search(self.text)
        assert found or self.process.poll() is None, f"it ended at once: {self.text} {self.errors}"
        return found[1] if found else None

    @property
    def database(self) -> str:
        """The URL of its database."""
        url = self.other_database or url_of_running(self.data / "postgres")
        assert url, "its database is not running"
        return url

    @property
    def postmaster(self) -> int | None:
        return processes.recorded_postmaster(self.data / "postgres" / "cluster")

    @property
    def credentials(self) -> Any:
        return json.loads((self.data / "credentials.json").read_text())

    @property
    def memory(self) -> float:
        """What the server itself occupies, in MiB."""
        command = ["ps", "-o", "rss=", "-p", str(self.process.pid)]
        told = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE)
        return int(told.stdout) / 1024

    def eventually[Found](self, look: Callable[[], Found | None]) -> Found:
        """Wait for something that this server should do."""
        return eventually(look, origin=self.origin)

    def key(self, who: str = "ada") -> str:
        return self.credentials["users"][who]["apiKey"]

    def headers(self, who: str = "ada") -> dict[str, str]:
        return {"x-api-key": self.key(who)}

    def client(self, who: str = "ada", **options: Any) -> httpx.Client:
        return http(self.origin, headers=self.headers(who), **options)

    def operator(self, *words: object) -> subprocess.CompletedProcess[str]:
        """Run a command of the operator's beside the server."""
        variables = {"DATABASE_URL": self.other_database} if self.other_database else {}
        return operator("--data", self.data, *words, **variables)

    def end(self, order: int = signal.SIGTERM) -> int:
        """Send the signal and return how it ended."""
        self.process.send_signal(order)
        return self.ended()

    def ended(self) -> int:
        """Wait for the end and return how it came."""
        status = end_of(self.process, self.data, self.log)
        self._reader.join(PATIENCE)
        return status


def launch(data: Path, *flags: object, script: Path | None = None, **variables: str) -> Served:
    """Start a server on the folder `data` at a free port; it may not answer yet. `script` may begin it in another way."""
    data.mkdir(exist_ok=True)
    data.chmod(0o711)
    log = data / f"stderr-{len([*data.glob('stderr-*')])}.log"
    (_, *arguments), environment = program("--data", data, "--port", 0, *flags, **variables)
    with log.open("w") as errors:
        process = FORKSERVER.start(script, arguments, environment, errors)
    return Served(process, data, log, variables.get("DATABASE_URL"))


def launch_demo(data: Path, *flags: object, script: Path | None = None, **variables: str) -> Served:
    given = ("--demo", "--credentials", data / "credentials.json", "--no-rate-limits", *flags)
    return launch(data, *given, script=script, **variables)


@contextmanager
def serving(
    data: Path, *flags: object, begin: Callable[..., Served] = launch_demo, **variables: Any
) -> Iterator[Served]:
    """A server that answers; whatever happens, it is gone afterwards."""
    served = begin(data, *flags, **variables)
    try:
        assert served.origin
        yield served
    finally:
        if served.process.poll() is None:
            served.end()


def signed_in(origin: str, user: Mapping[str, str], **options: Any) -> httpx.Client:
    """Return a client with the session of a user of the demo world, for what takes no key; the caller closes it."""
    client = http(origin, headers={"x-codrive-csrf": "1"}, **options)
    said = {"email": user["email"], "password": user["password"]}
    answer = client.post("/sign-in", data=said, headers={"origin": origin})
    assert answer.status_code == 303, answer.text
    return client


def pages(client: httpx.Client) -> list[dict[str, Any]]:
    """Every drive that `drives.list` tells of, with all of its items, page by page."""
    drives: dict[str, dict[str, Any]] = {}
    cursor = None
    while True:
        page = client.get("/api/v1/drives", params={"cursor": cursor} if cursor else None).raise_for_status().json()
        for drive in page["drives"]:
            if drive["id"] in drives:
                drives[drive["id"]]["items"] += drive["items"]
            else:
                drives[drive["id"]] = drive
        cursor = page["nextCursor"]
        if cursor is None:
            return list(drives.values())


def anywhere(served: Served, told: object) -> str:
    """What the server told, but for the port in its own addresses."""
    return json.dumps(told).replace(served.origin, "http://origin")


def ask(client: httpx.Client, query: str, **variables: Any) -> Any:
    """Run a GraphQL document that must go well."""
    answer = client.post("/graphql", json={"query": query, "variables": variables}).raise_for_status().json()
    assert "errors" not in answer, answer["errors"]
    return answer["data"]
