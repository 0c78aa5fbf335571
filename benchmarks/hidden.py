"""Compares the times of `NOT_FOUND` for hidden and for missing ids.

    python -m benchmarks hidden [-- PAIRS]

On each surface the benchmark requests pairs of a hidden and a missing id, each pair in random order, over one connection. It prints
the AUC: the share of all comparisons of a hidden with a missing id in which the hidden one took longer; 0.5 reveals nothing.
"""

import json
import random
import sys
import tempfile
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from benchmarks.served import Client, Process, server
from domain.errors import Code
from graphql_api.system import new_id
from live import codec
from live.protocol import CloseCode

PAIRS = 2_000
LIMITS = 0.45, 0.55
ITEMS = 20  # hidden ones, in a folder that is in a folder
WARM_UP = 50  # pairs that do not count
CREATE = "mutation($d: ID!, $n: ItemName!) { createItem(driveId: $d, name: $n, driveItemType: folder) { id } }"
READ = "query($i: ID!) { driveItem(id: $i) { name } }"
WRITE = 'mutation($i: ID!) { renameItem(itemId: $i, name: "other") { id } }'
WITHOUT_TOKEN = b"\2\0\0"  # an authentication of Hocuspocus
HEAD = f"{'':28}{'AUC':>8}{'hidden, ms':>13}{'unknown, ms':>13}"


@dataclass(frozen=True)
class Surface:
    """A request with an id: method, path and body. `of_drive` marks the id of a drive, `answer` what is not found."""

    name: str
    request: Callable[[str], tuple[str, str, object]]
    of_drive: bool = False
    answer: bytes = b"NOT_FOUND"  # is in each

    def time(self, asking: "Asking", id_: str) -> int:
        return asking.time(self.request(id_), self.answer)


@dataclass(frozen=True)
class Named:
    """The denial of a document on a WebSocket of Hocuspocus' protocol, which goes on."""

    name: str
    of_drive: bool = False

    def time(self, asking: "Asking", id_: str) -> int:
        return asking.time_named(id_)


@dataclass(frozen=True)
class Alone:
    """The denial of a document on a WebSocket of y-websocket's protocol, which is closed."""

    name: str
    of_drive: bool = False

    def time(self, asking: "Asking", id_: str) -> int:
        return asking.time_alone(id_)


def _tool(id_: str) -> tuple[str, str, object]:
    call = {"name": "drive_items_get", "arguments": {"itemId": id_}}
    return "POST", "/api/v1/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}


def _extension(operation: str, method: str, path: str, body: object = None) -> Surface:
    """The request of an operation beyond the specification; `{}` in the path is the id."""
    return Surface(operation, lambda id_: (method, f"/api/v1{path.format(id_)}", body))


_BASE = {"replace": None, "append": None, "passages": None, "base": None}
_CHOSEN = {"ids": None, "userId": "nobody", "agent": None, "sinceRevision": None, "sinceTime": None}

SURFACES: Sequence[Surface | Named | Alone] = (
    Surface("REST, read", lambda id_: ("GET", f"/api/v1/drive-items/{id_}", None)),
    Surface("REST, read a document", lambda id_: ("GET", f"/api/v1/documents/{id_}", None)),
    Surface("REST, write", lambda id_: ("PATCH", f"/api/v1/drive-items/{id_}", {"name": "other"})),
    Surface("REST, write to a drive", lambda id_: ("PATCH", f"/api/v1/drives/{id_}", {"name": "other"}), of_drive=True),
    Surface("GraphQL, read", lambda id_: ("POST", "/graphql", {"query": READ, "variables": {"i": id_}})),
    Surface("GraphQL, write", lambda id_: ("POST", "/graphql", {"query": WRITE, "variables": {"i": id_}})),
    Surface("MCP", _tool),
    _extension("documents.edit", "PATCH", "/documents/{}", _BASE | {"append": "more"}),
    _extension("documents.changes", "GET", "/documents/{}/changes"),
    _extension("documents.undoChanges", "POST", "/documents/{}/undo-changes", _CHOSEN),
    _extension("documents.attributions", "GET", "/documents/{}/attributions"),
    _extension("documents.versions", "GET", "/documents/{}/versions"),
    _extension("documents.readVersion", "GET", "/documents/{}/versions/1"),
    _extension("documents.restoreVersion", "POST", "/documents/{}/versions/1/restore"),
    _extension("driveItems.trash", "POST", "/drive-items/{}/trash"),
    _extension("driveItems.restore", "POST", "/drive-items/{}/restore"),
    _extension("driveItems.explainAccess", "GET", "/drive-items/{}/access/ben@acme.example"),
    _extension(
        "driveItems.previewShare",
        "POST",
        "/drive-items/{}/access-preview",
        {"email": "ben@acme.example", "permission": "read_only"},
    ),
    _extension(
        "driveItems.previewMove", "POST", "/drive-items/{}/move-preview", {"driveId": "nothing", "parentId": None}
    ),
    Surface("drives.get", lambda id_: ("GET", f"/api/v1/drives/{id_}", None), of_drive=True),
    Surface("drives.events", lambda id_: ("GET", f"/api/v1/drives/{id_}/events", None), of_drive=True),
    Surface(
        "drives.organizationMembers",
        lambda id_: ("GET", f"/api/v1/drives/{id_}/organization-members", None),
        of_drive=True,
    ),
    Surface(
        "driveItems.search, a folder",
        lambda id_: ("GET", f"/api/v1/search?text=a&folderId={id_}", None),
        answer=b'"results":[]',
    ),
    Named("Hocuspocus"),
    Alone("y-websocket"),
)


@dataclass(frozen=True)
class Hidden:
    items: Sequence[str]
    drives: Sequence[str]


def hide(client: Client) -> Hidden:
    """Make items that a user of another organization cannot see."""
    drive = client.ask("POST", "/api/v1/drives", {"name": "Hidden"})["drive"]["id"]
    folder = client.graphql(CREATE, d=drive, n="Outer")["createItem"]["id"]

    def make(parent: str, kind: str) -> str:
        made = {"name": "Inner", "driveItemType": kind}
        item: str = client.ask("POST", f"/api/v1/drive-items/{parent}/children", made)["item"]["id"]
        return item

    inner = make(folder, "folder")
    return Hidden([make(inner, "docs_workbook") for _ in range(ITEMS)], [drive])


def _connect(to: Process, key: str, path: str = "") -> AbstractContextManager[ClientConnection]:
    """Return a WebSocket, as a context manager."""
    return connect(f"ws://127.0.0.1:{to.port}/collaboration{path}", additional_headers={"x-api-key": key}, proxy=None)


class Asking:
    """The connections of a user who can see none of them."""

    def __init__(self, to: Process, key: str, named: ClientConnection) -> None:
        self._connection = HTTPConnection("127.0.0.1", to.port, timeout=60)
        accept = "application/json, text/event-stream"
        self._headers: Mapping[str, str] = {"x-api-key": key, "content-type": "application/json", "accept": accept}
        self._named, self._connect = named, partial(_connect, to, key)

    def time(self, request: tuple[str, str, object], expected: bytes) -> int:
        """Return the nanoseconds until the answer, which must have what is expected in it."""
        method, path, body = request
        content = None if body is None else json.dumps(body)
        begun = perf_counter_ns()
        self._connection.request(method, path, content, dict(self._headers))
        answer = self._connection.getresponse().read()
        taken = perf_counter_ns() - begun
        if expected not in answer:
            raise SystemExit(f"{method} {path}: {answer.decode()}")
        return taken

    def time_named(self, document_id: str) -> int:
        """Return the nanoseconds until a document is denied by a message."""
        name = codec.text(document_id)
        begun = perf_counter_ns()
        self._named.send(name + WITHOUT_TOKEN)
        answer = self._named.recv()
        taken = perf_counter_ns() - begun
        if answer != name + codec.encode_denied(Code.NOT_FOUND.value):
            raise SystemExit(f"{document_id}: {answer!r}")
        return taken

    def time_alone(self, document_id: str) -> int:
        """Return the nanoseconds until a document is denied by closing the WebSocket."""
        with self._connect(f"/{document_id}") as socket:
            begun = perf_counter_ns()
            socket.send(codec.step1(b"\0"))
            try:
                answer = repr(socket.recv())
            except ConnectionClosed as closed:
                taken = perf_counter_ns() - begun
                if closed.rcvd and closed.rcvd.code == CloseCode.NOT_FOUND:
                    return taken
                answer = str(closed)
        raise SystemExit(f"{document_id}: {answer}")


def auc(longer: Sequence[int], shorter: Sequence[int]) -> float:
    """Return the share of pairs in which the first is larger; equal values count half."""
    ordered = sorted(shorter)
    below = sum(bisect_left(ordered, each) + bisect_right(ordered, each) for each in longer) / 2
    return below / (len(longer) * len(shorter))


def measure(pairs: int, folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table, and whether each is within its limits."""
    yield HEAD, True
    times: dict[str, tuple[list[int], list[int]]] = {surface.name: ([], []) for surface in SURFACES}
    with server(folder) as process:
        users: dict[str, Any] = process.credentials["users"]
        hidden, key = hide(Client(process, users["gus"]["apiKey"])), users["ada"]["apiKey"]
        with _connect(process, key) as named:
            asking = Asking(process, key, named)
            for number, surface in product(range(pairs + WARM_UP), SURFACES):
                ids = hidden.drives if surface.of_drive else hidden.items
                turns = [(0, ids[number % len(ids)]), (1, new_id())]
                random.shuffle(turns)
                for place, id_ in turns:
                    taken = surface.time(asking, id_)
                    times[surface.name][place].extend([taken] if number >= WARM_UP else [])
    for name, (those, others) in times.items():
        found = auc(those, others)
        line = f"{name:28}{found:8.3f}{median(those) / 1e6:13.3f}{median(others) / 1e6:13.3f}"
        yield line, LIMITS[0] <= found <= LIMITS[1]


def main() -> int:
    (pairs,) = [int(number) for number in sys.argv[1:]] or [PAIRS]
    with tempfile.TemporaryDirectory(prefix="codrive-benchmark-") as folder:
        lines = list(measure(pairs, Path(folder)))
    for line, holds in lines:
        print(line + ("" if holds else "  MISSED"))
    return 0 if all(holds for _, holds in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
