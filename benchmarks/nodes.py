"""Compares two servers on one PostgreSQL with one: when letters are seen, CPU, and the answer where a share is removed.

    python -m benchmarks nodes [-- ROUNDS SECONDS]

Letters: four people type in each of five documents, eight letters a second each, and beside them in one document that only the first
server has open. In each round they are all at one server, while there is no other; then at two servers, two people of each
document at each; then at two servers, each document at one of them. The delay is the time until another client has received a
letter. CPU is what the kernel counts for the servers, and for PostgreSQL; a letter has a few bytes more than one, so that it is found.

Reads: `documents.read` of 5,000 characters, in turn at the servers. Shares: Ada removes a share of Ben's at the first server. The server
closes a socket of Ben's there, or at the other server, before it answers.

Stopping: people type at the second server and programs read and write there, when it gets SIGTERM. Whoever's socket is closed connects to
the first server at once, and is connected when the document is there; real clients wait before that, as they are set. A program asks
the first server what it could not ask, or what was answered with 503, as a proxy does; any other end of a request is a failure.

Each line is printed once it is measured, over all rounds, and says MISSED where it is above its limit. Delays are wall-clock figures and
need the machine for themselves, a core each for servers, database and typists.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread
from typing import Any, Final

from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from benchmarks.served import Client, Process, at_rest, free_port, node, used
from benchmarks.typists import Address, Connection, Load, Typed, Wrong
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from persistence.postgres.embedded import start

PEOPLE, DOCUMENTS = 4, 5
EVERY: Final = 0.125  # seconds from one letter of the same person to the next
READS: Final = 300  # in a round
SHARES: Final = 40  # in a round
APPEND: Final = 'mutation($d: ID!) { editDocument(documentId: $d, edit: { append: "said" }) { id } }'
REFUSED, LOST, WRONG = -1, -2, -3  # beside the statuses of answers
SHARE: Final = {"email": "ben@acme.example", "permission": "read_write"}
PARAGRAPH: Final = (
    "Who has the watch writes down what differs, and signs it, and the next one reads it again at noon.\n\n"
)
CHARACTERS: Final = 5_000
OTHER_MEDIAN = 8.0, 4.0  # ms more than at the same server, or so many times as long
OTHER_LAST: Final = 3.0
UNRELATED_LAST: Final = 1.3
ANSWER: Final = 15.0  # ms more than with one server
DRAIN: Final = 5  # seconds, the default
STOPS: Final = 10.0  # seconds from SIGTERM until people and programs stop
PROGRAMS: Final = 4
RECONNECT: Final = 1.0  # seconds, the median
FORGETS: Final = 3.0  # seconds in which a server notices that there is no other


@dataclass(frozen=True, slots=True)
class Setting:
    """The servers that are used, the first of which is always there, and the PostgreSQL of all."""

    nodes: Sequence[Process]
    postgres: int

    def client(self, at: int = 0, user: str = "ada") -> Client:
        return Client(self.nodes[at], self.key(user))

    def address(self, at: int, user: str) -> Address:
        return Address(self.nodes[at].port, "/collaboration", {"x-api-key": self.key(user)})

    def used(self) -> tuple[float, float]:
        """Return the CPU seconds of the servers and of PostgreSQL."""
        return sum(used(node.pid).all for node in self.nodes), used(self.postgres).all

    def rest(self) -> None:
        at_rest(*(node.pid for node in self.nodes))

    def key(self, user: str) -> str:
        return str(self.nodes[0].credentials["users"][user]["apiKey"])


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU of the servers and of PostgreSQL for one letter or read, in microseconds, by round."""

    servers: list[float] = field(default_factory=list)
    postgres: list[float] = field(default_factory=list)

    def add(self, before: tuple[float, float], after: tuple[float, float], number: int) -> None:
        self.servers.append((after[0] - before[0]) / number * 1e6)
        self.postgres.append((after[1] - before[1]) / number * 1e6)


@dataclass(frozen=True, slots=True)
class Letters:
    """Seconds until a letter was seen at its own server, at the other one, and in the document beside; and the CPU."""

    same: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)


def typing(count: int) -> tuple[bytes, list[Typed]]:
    """Return a document with a paragraph for each person, and what each types into it, with a mark in each update."""
    base: Doc[Any] = Doc(client_id=1)
    children = base.get("default", type=XmlFragment).children
    for _ in range(PEOPLE):
        children.append(XmlElement("paragraph", contents=[XmlText("")]))
    people = []
    for person in range(PEOPLE):
        doc: Doc[Any] = Doc(client_id=10 + person)
        doc.apply_update(base.get_update())
        text = doc.get("default", type=XmlFragment).children[person].children[0]
        updates: list[bytes] = []
        doc.observe(lambda event, into=updates: into.append(event.update))
        marks = {at: f"{person}.{at:05};".encode() for at in range(count)}
        for mark in marks.values():
            text.insert(len(str(text)), mark.decode())
        people.append(Typed(updates, marks))
    return base.get_update(), people


def documents(at: Setting, number: int) -> list[str]:
    client = at.client()
    drives = client.ask("GET", "/api/v1/drives")["drives"]
    drive = next(each["id"] for each in drives if each["kind"] == "shared")
    body = {"name": "Nodes", "driveItemType": "docs_workbook"}
    return [client.ask("POST", f"/api/v1/drives/{drive}/items", body)["item"]["id"] for _ in range(number)]


def typed(at: Setting, places: Sequence[Sequence[int]], seconds: int, into: Letters) -> None:
    """Let people type: by document, the servers of its people in turn."""
    count = int(seconds / EVERY)
    base, people = typing(count)
    *shared, beside = documents(at, DOCUMENTS + 1)
    addresses = {
        name: [at.address(place, user) for place, user in zip(nodes, cycle(("ada", "ben")), strict=False)]
        for name, nodes in zip(shared, cycle(places), strict=False)
    }
    load = Load(addresses | {beside: [at.address(0, "ada")]}, base, people, count)
    at.rest()
    before = at.used()
    load.steadily(len(load.typists), EVERY)
    into.cost.add(before, at.used(), count * len(load.typists))
    ports = [typist.socket.getpeername()[1] for typist in load.typists]
    for number, typist in enumerate(load.typists):
        for mark, delay in typist.delays.items():
            author = number - number % PEOPLE + int(mark[:1])
            delays = (
                into.beside if typist.name == beside else into.same if ports[author] == ports[number] else into.other
            )
            delays.append(delay)
    if not load.converged():
        raise SystemExit("the clients did not converge")
    load.close()


def read(at: Setting, document: str, into: Cost) -> None:
    clients = [at.client(number) for number in range(len(at.nodes))]
    for client in clients:
        client.ask("GET", f"/api/v1/documents/{document}")
    at.rest()
    before = at.used()
    for _, client in zip(range(READS), cycle(clients), strict=False):
        client.ask("GET", f"/api/v1/documents/{document}")
    into.add(before, at.used(), READS)


def revoked(at: Setting, open_at: int | None, into: list[float]) -> None:
    """Share and stop sharing one document, with a socket of Ben's open at a server or at none."""
    client = at.client()
    drives = client.ask("GET", "/api/v1/drives")["drives"]
    drive = next(each["id"] for each in drives if each["kind"] == "personal")
    body = {"name": "Shared", "driveItemType": "docs_workbook"}
    document = client.ask("POST", f"/api/v1/drives/{drive}/items", body)["item"]["id"]
    for _ in range(SHARES):
        client.ask("POST", f"/api/v1/drive-items/{document}/access", SHARE)
        opened = None if open_at is None else Connection(at.address(open_at, "ben"))
        if opened:
            opened.open(document)
        began = time.perf_counter()
        client.ask("DELETE", f"/api/v1/drive-items/{document}/access/{SHARE['email']}")
        into.append(time.perf_counter() - began)
        if opened:
            opened.socket.close()


@dataclass(frozen=True, slots=True)
class Handed:
    """Seconds in which closed sockets were replaced; how many requests there were, what was asked again, and what failed."""

    reconnects: list[float] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def type_through(at: Setting, document: str, client: int, stop: Event, into: Handed) -> None:
    """Type at the second server, and at the first one when the socket is closed."""
    doc: Doc[Any] = Doc(client_id=client)
    updates: list[bytes] = []
    doc.observe(lambda event: updates.append(event.update))
    text = XmlText("")
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[text]))
    connection = Connection(at.address(1, "ada"))
    connection.open(document)
    while not stop.wait(EVERY):
        text.insert(0, "a")
        try:
            for update in updates:
                connection.write(document, update)
            updates.clear()
        except (Wrong, OSError):
            began = time.perf_counter()
            connection = Connection(at.address(0, "ada"))
            connection.open(document)
            into.reconnects.append(time.perf_counter() - began)
    connection.socket.close()


def ask_through(at: Setting, document: str, stop: Event, into: Handed) -> None:
    """Read and append in turn at the second server, and at the first one what that does not take."""
    edit = {"query": APPEND, "variables": {"d": document}}
    requests = cycle([("GET", f"/api/v1/documents/{document}", None), ("POST", "/graphql", edit)])
    connection: HTTPConnection | None = None
    while not stop.is_set():
        request = next(requests)
        into.requests.append(request[1])
        connection = connection or HTTPConnection("127.0.0.1", at.nodes[1].port, timeout=60)
        status, ends = asked(at, connection, *request)
        if ends:
            connection.close()
            connection = None
        if status in (REFUSED, 503):
            into.again.append(request[1])
            status, _ = asked(at, HTTPConnection("127.0.0.1", at.nodes[0].port, timeout=60), *request)
        if status != 200:
            into.failures.append(f"{request[1]}: {status}")


def asked(at: Setting, connection: HTTPConnection, method: str, path: str, body: object) -> tuple[int, bool]:
    """Return the status, REFUSED where nobody listens and LOST where there is no answer, and whether the connection is at its end."""
    headers = {"x-api-key": at.key("ada"), "content-type": "application/json"}
    try:
        if connection.sock is None:
            connection.connect()
    except OSError:
        return REFUSED, True
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, HTTPException):
        return LOST, True
    is_wrong = answer.status == 200 and path == "/graphql" and "errors" in json.loads(content)
    return WRONG if is_wrong else answer.status, connection.sock is None


def stopped(at: Setting, into: Handed) -> None:
    stop = Event()
    opened = documents(at, DOCUMENTS)
    people = [
        Thread(target=type_through, args=(at, document, 1 + person, stop, into))
        for document in opened
        for person in range(PEOPLE)
    ]
    programs = [Thread(target=ask_through, args=(at, opened[0], stop, into)) for _ in range(PROGRAMS)]
    for thread in (*people, *programs):
        thread.start()
    time.sleep(1)
    os.kill(at.nodes[1].pid, signal.SIGTERM)
    time.sleep(STOPS)
    stop.set()
    for thread in (*people, *programs):
        thread.join()


@contextmanager
def beside(one: Setting, folder: Path, database: str, port: int, drain: int = 0) -> Iterator[Setting]:
    """Run a second server for a while."""
    with node(folder, database, port, one.nodes[0].credentials, drain) as other:
        yield Setting([*one.nodes, other], one.postgres)
    time.sleep(FORGETS)


def last(seconds: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return quantiles(seconds, n=100)[98]


def say(name: str, figures: str, *, holds: bool = True) -> bool:
    print(f"{name:44}{figures}" + ("" if holds else "  MISSED"), flush=True)
    return holds


def of_delays(seconds: Sequence[float]) -> str:
    return f"p50 {median(seconds) * 1e3:6.1f} ms, p99 {last(seconds) * 1e3:6.1f} ms of {len(seconds):,}"


def of_cost(cost: Cost, one: Cost) -> str:
    servers, postgres = median(cost.servers), median(cost.postgres)
    ratios = f"{servers / median(one.servers):5.2f} and {postgres / median(one.postgres):5.2f} times that of one server"
    return f"{servers:6.0f} us, of PostgreSQL {postgres:6.0f} us" + ("" if cost is one else f": {ratios}")


def measure_letters(one: Setting, two: Callable[[], Any], rounds: int, seconds: int) -> bool:
    alone, spread, routed = Letters(), Letters(), Letters()
    for _ in range(rounds):
        typed(one, [[0] * PEOPLE], seconds, alone)
        with two() as both:
            typed(both, [[0, 1] * (PEOPLE // 2)], seconds, spread)
            typed(both, [[0] * PEOPLE, [1] * PEOPLE], seconds, routed)
    say("letters, one server", of_delays(alone.same))
    say("letters, two servers: at the same one", of_delays(spread.same))
    same, other = median(spread.same) * 1e3, median(spread.other) * 1e3
    more, times = OTHER_MEDIAN
    held = [
        say(
            "letters, two servers: at the other one",
            f"{of_delays(spread.other)}: p50 {other - same:+.1f} ms or {other / same:.2f} times, limit {more:+} or {times}",
            holds=other <= max(same + more, same * times),
        ),
        say(
            "",
            f"p99 {last(spread.other) / last(spread.same):.2f} times, limit {OTHER_LAST}",
            holds=last(spread.other) <= last(spread.same) * OTHER_LAST,
        ),
    ]
    say("a document beside, one server", of_delays(alone.beside))
    ratio = last(spread.beside) / last(alone.beside)
    held.append(
        say(
            "a document beside, two servers",
            f"{of_delays(spread.beside)}: p99 {ratio:.2f} times, limit {UNRELATED_LAST}",
            holds=ratio <= UNRELATED_LAST,
        )
    )
    say("CPU per letter, one server", of_cost(alone.cost, alone.cost))
    say("CPU per letter, documents open at both", of_cost(spread.cost, alone.cost))
    say("CPU per letter, each document at one of two", of_cost(routed.cost, alone.cost))
    return all(held)


def measure_reads(one: Setting, two: Callable[[], Any], rounds: int) -> None:
    (document,) = documents(one, 1)
    writer = Connection(one.address(0, "ada"))
    writer.open(document)
    writer.write(document, from_tree(parse((PARAGRAPH * CHARACTERS)[:CHARACTERS]), 1))
    writer.socket.close()
    alone, spread = Cost(), Cost()
    for _ in range(rounds):
        read(one, document, alone)
        with two() as both:
            read(both, document, spread)
    say("CPU per read, one server", of_cost(alone, alone))
    say("CPU per read, two servers in turn", of_cost(spread, alone))


def measure_shares(one: Setting, two: Callable[[], Any], rounds: int) -> bool:
    names = "", " with a socket there", ", two servers", ", two servers, a socket at the other"
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        revoked(one, None, times[names[0]])
        revoked(one, 0, times[names[1]])
        with two() as both:
            revoked(both, None, times[names[2]])
            revoked(both, 1, times[names[3]])
    first = median(times[""]) * 1e3
    held = True
    for name, seconds in times.items():
        more = median(seconds) * 1e3 - first
        limit = f": p50 {more:+.1f} ms, limit {ANSWER:+}" if "two" in name else ""
        held &= say(f"a share is removed{name or ', one server'}", of_delays(seconds) + limit, holds=more <= ANSWER)
    return held


def measure_stopping(two: Callable[[int], Any], rounds: int) -> bool:
    found = Handed()
    for _ in range(rounds):
        with two(DRAIN) as both:
            stopped(both, found)
    middle = median(found.reconnects)
    return all(
        (
            say(
                "a server is stopped: sockets",
                f"{of_delays(found.reconnects)} to reconnect, limit {RECONNECT * 1e3:.0f}",
                holds=middle <= RECONNECT,
            ),
            say(
                "requests meanwhile",
                f"{len(found.requests):,}, of them {len(found.again):,} asked again and {len(found.failures)} failed, limit 0",
                holds=not found.failures,
            ),
        )
    )


def main() -> int:
    rounds, seconds = [int(number) for number in (*sys.argv[1:], *("5", "10")[len(sys.argv) - 1 :])]
    folder = Path(tempfile.mkdtemp(prefix="codrive-benchmark-"))
    folder.chmod(0o711)
    first, second = free_port(), free_port()
    try:
        with start(folder / "postgres") as postgres, node(folder, postgres.url, first) as process:
            one = Setting([process], postgres.pid)

            def two(drain: int = 0) -> Any:
                return beside(one, folder, postgres.url, second, drain)

            typed(one, [[0] * PEOPLE], seconds, Letters())  # to warm up
            held = measure_letters(one, two, rounds, seconds)
            measure_reads(one, two, rounds)
            held &= measure_shares(one, two, rounds)
            held &= measure_stopping(two, rounds)
    finally:
        shutil.rmtree(folder)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
