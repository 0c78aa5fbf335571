"""Measures what people notice of one user who does the most costly things there are, without pause, with rate limits on.

    python -m benchmarks hostile [-- INPUT... --pairs N --seconds S]

Each input has a server of its own and ends within minutes: `-- repeats` measures that one alone. Ten people of four users type five
letters a second, each in a document of their own, and read it once a second; one more edits a document of 4 KB. They are alone for some
seconds, and then beside the user, in pairs of both; figures are the medians of the pairs.
Acknowledgements and reads may take `SLOWER` times as long at the 99th percentile, at least `THROUGHPUT` of the letters are acknowledged,
and no edit is refused. The memory of the server, `SETTLED_SECONDS` after the user has gone, is at most `MEMORY` times what it was
once the input was prepared. The user is a process of its own; what the server refuses it is part of the measurement. All of it
needs the machine for itself.
"""

import argparse
import http.client
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from select import select
from statistics import median, quantiles
from typing import Any, Final

from PIL import Image
from pycrdt import Doc, XmlElement, XmlFragment, XmlText
from websockets import Subprotocol, WebSocketException
from websockets.sync.client import connect

from benchmarks.served import Process, resident_bytes, server
from benchmarks.typists import Address, Connection, Wrong
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from live import codec

PAIRS, SECONDS = 5, 6.0
PIECE_SECONDS: Final = 240.0  # for all of one input: what is not measured by then is missed
NICE: Final = 10  # of the user's process, which would not have the server's processors
PREPARED_SECONDS: Final = 90.0
SETTLED_SECONDS: Final = 75.0  # after which the server has let go of what nobody reads, and given back what it freed
ANSWER_SECONDS: Final = 30.0  # for an answer to people: one that takes longer counts as these
PEOPLE: Final = 10
USERS: Final = ("ada", "ben", "cleo", "grace")
ATTACKER: Final = "gus"
EVERY: Final = 0.2  # seconds between two letters of a person
LETTERS_A_READ: Final = 5
SLOWER, THROUGHPUT, MEMORY = 5.0, 0.8, 1.3
IMPORT: Final = "mutation($id: ID!, $update: String!) { importYjsUpdate(documentId: $id, update: $update) { id } }"
NESTED: Final = (
    "{ drives { nodes { items(first: 200) { nodes { access { person { name } } recentAuthors { name } } } } } }"
)


@dataclass(frozen=True, slots=True)
class Web:
    """The server as one user asks it."""

    port: int
    key: str

    def ask(self, method: str, path: str, body: object = None, kind: str = "application/json") -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body)
        try:
            connection.request(method, path, sent, {"x-api-key": self.key, "content-type": kind})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def document(self, name: str, update: bytes | None = None) -> str:
        """Make a document, with an update imported; return its id."""
        drive = json.loads(self.ask("GET", "/api/v1/drives")[1])["drives"][0]["id"]
        body = {"name": name, "driveItemType": "docs_workbook"}
        made = json.loads(self.ask("POST", f"/api/v1/drives/{drive}/items", body)[1])["item"]["id"]
        values = {"id": made, "update": b64encode(update or b"").decode()}
        until = time.monotonic() + PREPARED_SECONDS
        while update and b'"errors"' in (
            said := self.ask("POST", "/graphql", {"query": IMPORT, "variables": values})[1]
        ):
            if time.monotonic() > until:
                raise SystemExit(f"{name} could not be imported: {said[:500]!r}")
            time.sleep(1.0)
        return str(made)

    def socket(self) -> Connection:
        return Connection(Address(self.port, "/collaboration", {"x-api-key": self.key}))


@dataclass
class Noticed:
    """What people noticed in a phase: seconds of acknowledgements, reads and edits, and the statuses of edits."""

    acknowledged: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    edited: list[float] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    seconds: float = 0.0  # that the phase took


class Person(threading.Thread):
    def __init__(self, web: Web, number: int) -> None:
        super().__init__(daemon=True)
        self.web, self.noticed, self.goes_on = web, Noticed(), True
        self._id = web.document(f"Typed {number}", from_tree(parse("word " * 1_000), 1))
        self._socket = web.socket()
        self._socket.open(self._id)
        doc, self._updates = Doc[Any](client_id=random.getrandbits(30)), list[bytes]()
        doc.observe(lambda event: self._updates.append(event.update))
        self._text = XmlText()
        doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[self._text]))

    def run(self) -> None:
        letters = 0
        while self.goes_on:
            began = time.perf_counter()
            self._text += "a"
            self._timed(self.noticed.acknowledged, self._send)
            letters += 1
            if letters % LETTERS_A_READ == 0:
                self._timed(self.noticed.read, lambda: self.web.ask("GET", f"/api/v1/documents/{self._id}"))
            time.sleep(max(0.0, EVERY - (time.perf_counter() - began)))

    def _send(self) -> None:
        while self._updates:
            self._socket.write(self._id, self._updates[0])
            self._updates.pop(0)

    def _timed(self, taken: list[float], act: Callable[[], object]) -> None:
        """Add how long an act took; one that fails, as where a socket is closed, took as long as anybody waits."""
        began = time.perf_counter()
        try:
            act()
            taken.append(time.perf_counter() - began)
        except (OSError, Wrong, http.client.HTTPException):
            taken.append(ANSWER_SECONDS)
            with suppress(OSError, Wrong):
                self._socket = self.web.socket()
                self._socket.open(self._id)


class Editor(threading.Thread):
    def __init__(self, web: Web) -> None:
        super().__init__(daemon=True)
        self.web, self.noticed, self.goes_on = web, Noticed(), True
        self._id = web.document("Edited", from_tree(parse("word " * 800), 1))

    def run(self) -> None:
        while self.goes_on:
            began, noticed = time.perf_counter(), self.noticed
            try:
                status, _ = self.web.ask("PATCH", f"/api/v1/documents/{self._id}", {"append": "more"})
            except (OSError, http.client.HTTPException):
                status = 0
            noticed.edited.append(time.perf_counter() - began)
            noticed.statuses.append(status)
            time.sleep(0.5)


def blocks(count: int) -> bytes:
    node = {"type": "paragraph", "content": [{"type": "text", "text": "word " * 10}]}
    return from_tree({"type": "doc", "content": [node] * count}, 1)


def typed_backwards(letters: int) -> bytes:
    doc = Doc[Any](client_id=9)
    text = XmlText()
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[text]))
    with doc.transaction():
        for _ in range(letters):
            text.insert(0, "x")
    return doc.get_update()


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (6_000, 6_000)).save(out, "PNG")
    return out.getvalue()


def multipart(content: bytes) -> bytes:
    head = b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
    return head + content + b"\r\n--x--\r\n"


type Act = Callable[[], object]


def repeats(web: Web) -> Act:
    """Send a whole document of many structs back as what one has."""
    whole = typed_backwards(150_000)
    document = web.document("Repeated", whole)

    def act() -> None:
        socket = web.socket()
        socket.open(document)
        socket.write(document, whole, codec.step2)

    return act


def fills(web: Web) -> Act:
    """Fill a new document with 60,000 blocks over a socket."""
    whole = blocks(60_000)

    def act() -> None:
        document = web.document("Filled")
        socket = web.socket()
        socket.open(document)
        socket.write(document, whole, codec.step2)

    return act


def asks_for_all(web: Web) -> Act:
    """Open a document of 12 MB."""
    document = web.document("Large", from_tree(parse("word " * 2_400_000), 1))
    return lambda: web.socket().open(document)


def reads(web: Web) -> Act:
    """Edit a document of 40,000 blocks, and read it."""
    document = web.document("Read", blocks(40_000))

    def act() -> None:
        web.ask("PATCH", f"/api/v1/documents/{document}", {"append": "more"})
        web.ask("GET", f"/api/v1/documents/{document}")

    return act


def lists_changes(web: Web) -> Act:
    """Ask for the changes and the authors of 150,000 keystrokes."""
    document = web.document("Changed", typed_backwards(150_000))

    def act() -> None:
        web.ask("GET", f"/api/v1/documents/{document}/changes?sinceRevision=0")
        web.ask("GET", f"/api/v1/documents/{document}/attributions")

    return act


def replaces(web: Web) -> Act:
    """Replace a document by 30,000 rules."""
    document = web.document("Replaced")
    body = {"replace": "***\n" * 30_000, "base": 0}
    return lambda: web.ask("PATCH", f"/api/v1/documents/{document}", body)


def uploads(web: Web) -> Act:
    """Upload the image that takes most to decode."""
    document, body = web.document("Pictured"), multipart(picture())
    path = f"/api/v1/drive-items/{document}/images"
    return lambda: web.ask("POST", path, body, "multipart/form-data; boundary=x")


def searches(web: Web) -> Act:
    """Search for the beginnings of common words."""
    return lambda: web.ask("GET", "/api/v1/search?query=a%20w%20th")


def nests(web: Web) -> Act:
    """Ask over GraphQL for lists of items in lists."""
    return lambda: web.ask("POST", "/graphql", {"query": NESTED})


def encloses(web: Web) -> Act:
    """Send bodies of as many objects as fit."""
    body = b'{"name": [' + b"{}," * 340_000 + b"{}]}"
    return lambda: web.ask("POST", "/api/v1/drives", body)


def composes(web: Web) -> Act:
    """Ask what takes longest to validate, each time in other words."""
    fragments = "".join(f" fragment f{each} on Viewer {{ id ...f{each + 1} ...f{each + 2} }}" for each in range(29))
    ends = " fragment f29 on Viewer { id } fragment f30 on Viewer { id }"
    numbers = count()
    return lambda: web.ask(
        "POST", "/graphql", {"query": f"query q{next(numbers)} {{ viewer {{ ...f0 ...f1 }} }}{fragments}{ends}"}
    )


def converses(web: Web) -> Act:
    """Send the largest messages over a WebSocket of GraphQL, of which all but the first are refused."""
    asked = {"query": "{ __typename }", "variables": {"nested": [[]] * 300_000}}
    message = json.dumps({"type": "subscribe", "id": "1", "payload": asked}, separators=(",", ":"))
    spoken, headers = [Subprotocol("graphql-transport-ws")], {"x-api-key": web.key}
    own = threading.local()

    def act() -> None:
        try:
            if not hasattr(own, "socket"):
                url = f"ws://127.0.0.1:{web.port}/graphql"
                opened = connect(url, subprotocols=spoken, additional_headers=headers, proxy=None)
                own.socket = opened.__enter__()  # until its end: whoever does so without pause closes nothing
                own.socket.send('{"type": "connection_init"}')
            own.socket.send(message)
            own.socket.recv(ANSWER_SECONDS)
        except (WebSocketException, OSError):
            own.__dict__.clear()
            raise

    return act


def scatters(web: Web) -> Act:
    """Bring letters, each of which is searched a place in a long text."""
    whole = typed_backwards(40_000)
    document = web.document("Searched", whole)
    doc = Doc[Any](client_id=77)
    doc.apply_update(whole)
    before, text = doc.get_state(), doc.get("default", type=XmlFragment).children[0].children[0]
    with doc.transaction():
        for at in range(0, 30_000, 2):
            text.insert(at, "y")
    brought = b64encode(doc.get_update(before)).decode()
    return lambda: web.ask("POST", "/graphql", {"query": IMPORT, "variables": {"id": document, "update": brought}})


# The worst inputs, and by how many threads each is given at once.
INPUTS: Final[dict[str, tuple[Callable[[Web], Act], int]]] = {
    "repeats": (repeats, 12),
    "fills": (fills, 6),
    "asks_for_all": (asks_for_all, 24),
    "reads": (reads, 6),
    "lists_changes": (lists_changes, 6),
    "replaces": (replaces, 3),
    "uploads": (uploads, 6),
    "searches": (searches, 12),
    "nests": (nests, 12),
    "scatters": (scatters, 6),
    "encloses": (encloses, 12),
    "converses": (converses, 12),
    "composes": (composes, 12),
}


def attack(name: str, port: int, key: str) -> None:
    """Prepare an input, say so, and give it without pause in each phase that a line of the standard input begins or ends."""
    os.nice(NICE)
    make, threads = INPUTS[name]
    act = make(Web(port, key))
    going = threading.Event()

    def go_on() -> None:
        while True:
            going.wait()
            try:
                act()
            except Exception:  # noqa: BLE001 - whatever the server does to this user is measured by the others
                time.sleep(0.01)

    for _ in range(threads):
        threading.Thread(target=go_on, daemon=True).start()
    print("ready", flush=True)
    for _ in sys.stdin:
        going.clear() if going.is_set() else going.set()


def phase(people: list[Person | Editor], seconds: float) -> Noticed:
    for each in people:
        each.noticed = Noticed()
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < seconds or not people[-1].noticed.edited:
        if took > seconds + 2 * ANSWER_SECONDS:
            break  # the figure of nothing is that it took for ever
        time.sleep(0.1)
    found = [each.noticed for each in people]
    figures = ("acknowledged", "read", "edited", "statuses")
    return Noticed(*([value for each in found for value in getattr(each, name)] for name in figures), took)


def worst(seconds: list[float]) -> float:
    """The 99th percentile; of nothing, for ever."""
    return quantiles(seconds, n=100)[98] if len(seconds) > 1 else float("inf")


@dataclass(frozen=True, slots=True)
class Pair:
    acknowledgements: float
    reads: float
    throughput: float
    edits: float
    refused: int

    @staticmethod
    def of(quiet: Noticed, beside: Noticed) -> "Pair":
        return Pair(
            worst(beside.acknowledged) / worst(quiet.acknowledged),
            worst(beside.read) / worst(quiet.read),
            len(beside.acknowledged) / beside.seconds / (len(quiet.acknowledged) / quiet.seconds),
            median(beside.edited or [float("inf")]) / median(quiet.edited or [float("inf")]),
            sum(status != 200 for status in beside.statuses),
        )


@contextmanager
def attacking(name: str, at: Process) -> Iterator[Callable[[], None]]:
    """Have an input prepared; what is yielded begins to give it, or ends that."""
    key = at.credentials["users"][ATTACKER]["apiKey"]
    command = [sys.executable, "-m", "benchmarks.hostile", "--attack", name, str(at.port), key]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as attacker:
        stdin, stdout = attacker.stdin, attacker.stdout
        assert stdin
        assert stdout

        def begin_or_end() -> None:
            stdin.write("\n")
            stdin.flush()

        try:
            is_told, _, _ = select([stdout], [], [], PREPARED_SECONDS)
            if not is_told or stdout.readline() != "ready\n":
                raise SystemExit(f"{name} could not be prepared")
            yield begin_or_end
        finally:
            attacker.kill()


def pairs(
    begin_or_end: Callable[[], None], people: list[Person | Editor], count: int, seconds: float
) -> Iterator[Pair]:
    until = time.monotonic() + PIECE_SECONDS - PREPARED_SECONDS
    for _ in range(count):
        if time.monotonic() > until:
            return
        quiet = phase(people, seconds)
        begin_or_end()
        yield Pair.of(quiet, phase(people, seconds))
        begin_or_end()
        time.sleep(seconds / 2)


def measured(name: str, at: Process, people: list[Person | Editor], count: int, seconds: float) -> bool:
    with attacking(name, at) as begin_or_end:
        before = resident_bytes(at.pid)
        found = list(pairs(begin_or_end, people, count, seconds))
    phase(people, SETTLED_SECONDS)
    if not found:
        print(f"{name:15} MISSED: no pair was measured in time", flush=True)
        return False
    memory = resident_bytes(at.pid) / before
    acks, read, throughput, edits = (
        median([getattr(each, figure) for each in found])
        for figure in ("acknowledgements", "reads", "throughput", "edits")
    )
    refused = sum(each.refused for each in found)
    good = max(acks, read, edits) <= SLOWER and throughput >= THROUGHPUT and memory <= MEMORY and not refused
    print(
        f"{name:15} acks {acks:6.1f}x  reads {read:6.1f}x  letters {throughput:5.2f}  edits {edits:6.1f}x  "
        f"refused {refused:3}  memory {memory:5.2f}x  pairs {len(found)}  {'ok' if good else 'MISSED'}",
        flush=True,
    )
    return good


def alone(name: str, count: int, seconds: float) -> bool:
    """Measure an input at a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        with server(Path(folder), is_limited=True) as at:
            webs = [Web(at.port, at.credentials["users"][user]["apiKey"]) for user in USERS]
            people: list[Person | Editor] = [Person(webs[number % len(webs)], number) for number in range(PEOPLE)]
            people.append(Editor(webs[-1]))
            for each in people:
                each.start()
            time.sleep(seconds)
            try:
                return measured(name, at, people, count, seconds)
            finally:
                for each in people:
                    each.goes_on = False
                for each in people:
                    each.join(ANSWER_SECONDS)


def main() -> int:
    if sys.argv[1:2] == ["--attack"]:
        attack(sys.argv[2], int(sys.argv[3]), sys.argv[4])
        return 0
    asked = argparse.ArgumentParser(prog="python -m benchmarks hostile --")
    asked.add_argument("inputs", nargs="*", metavar="INPUT", help=", ".join(INPUTS))
    asked.add_argument("--pairs", type=int, default=PAIRS)
    asked.add_argument("--seconds", type=float, default=SECONDS)
    given = asked.parse_args()
    if unknown := set(given.inputs) - set(INPUTS):
        asked.error(f"no input is called {', '.join(sorted(unknown))}")
    good = [alone(name, given.pairs, given.seconds) for name in given.inputs or INPUTS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
