"""Compares live documents with Hocuspocus in memory: CPU, delay, throughput and memory, as ratios in the same run.

    python -m benchmarks live [-- ROUNDS SECONDS GROUPS]

First it opens documents of 5,000 characters on fresh servers. Then 20 people type and delete in 4 others, at 2,000 updates a
second and as fast as acknowledgements arrive. At 2,000 a second they type in GROUPS, one after the other: two by default, so ten
updates arrive at once; with more groups fewer updates share a commit and a write.

Our server acknowledges after the commit, Hocuspocus from memory. Rounds alternate between the two servers, on new documents each
time, and the first ones only warm up; each figure is the median of the rounds. CPU is what the kernel counts for the server's
process, so that other processes change little; each round begins at rest. The last lines are the CPU that our server uses for some
seconds afterwards, for the search index and versions, and that of Postgres. Delay and throughput are wall-clock figures and need
the machine for themselves, a core each for server, database and typists. In every round all clients must converge.
"""

import json
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.served import Client, Process, at_rest, ended, resident_bytes, server, used
from benchmarks.typists import EVERY, Address, Connection, Load, Typed
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from tests.support.processes.node import ENVIRONMENT, NODE, install

FOLDER: Final = Path(__file__).with_name("hocuspocus")
DOCUMENTS, PEOPLE = 4, 5
UPDATES: Final = 2_000  # of each person, as fast as they are acknowledged
WINDOW: Final = 100
OPEN: Final = 200  # documents that are opened for the memory of one
ON_A_SOCKET: Final = 50
PARAGRAPH: Final = (
    "What differs is written down by whoever has the watch, and signed, and read again at noon by the other one.\n\n"
)
CHARACTERS: Final = 5_000
WARMING: Final = 2
AFTERWARDS: Final = 2.5  # seconds in which a server is watched when typing has ended
USERS: Final = ("ada", "ben")
LIMITS: Final = {
    "CPU per update, us": 0.7,
    "delay until others see it, ms": 2.5,
    "updates/s, at most": 1.0,
    "memory per open document, KB": 0.7,
}


@dataclass(frozen=True, slots=True)
class Side:
    """One of the servers. `fresh` returns names of new documents; `settle` makes it release memory."""

    process: Process
    addresses: list[Address]
    fresh: Callable[[int], list[str]]
    settle: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Figures:
    """The measurements of one side, one for each round; microseconds, milliseconds, bytes."""

    cpu: list[float] = field(default_factory=list)
    below: list[float] = field(default_factory=list)
    afterwards: list[float] = field(default_factory=list)
    delay: list[float] = field(default_factory=list)
    most: list[float] = field(default_factory=list)
    cpu_at_most: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


@contextmanager
def hocuspocus() -> Iterator[Side]:
    install(FOLDER)
    command = [NODE, "--expose-gc", "server.mjs"]
    with (
        subprocess.Popen(
            command, cwd=FOLDER, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process,
        ended(process),
    ):
        said, told = process.stdout, process.stdin
        assert said is not None
        assert told is not None
        port, made = int(said.readline()), iter(range(1_000_000))

        def settle() -> None:
            told.write(b"\n")
            told.flush()
            said.readline()

        def fresh(number: int) -> list[str]:
            return [f"01a1f000-0000-7000-8000-{next(made):012x}" for _ in range(number)]

        yield Side(Process(process.pid, port, {}), [Address(port, "/", {})], fresh, settle)


@contextmanager
def ours(folder: Path) -> Iterator[Side]:
    with server(folder) as process:
        keys = [process.credentials["users"][user]["apiKey"] for user in USERS]
        drives = Client(process, keys[0]).ask("GET", "/api/v1/drives")["drives"]
        drive_id = next(drive["id"] for drive in drives if drive["kind"] == "shared")

        def fresh(number: int) -> list[str]:
            client = Client(process, keys[0])  # the server closed the last client's idle connection
            bodies = [{"name": f"Live {at}", "driveItemType": "docs_workbook"} for at in range(number)]
            return [client.ask("POST", f"/api/v1/drives/{drive_id}/items", body)["item"]["id"] for body in bodies]

        addresses = [Address(process.port, "/collaboration", {"x-api-key": key}) for key in keys]
        yield Side(process, addresses, fresh, lambda: None)


def typing() -> tuple[bytes, list[Typed]]:
    said = subprocess.run([NODE, "updates.mjs", str(PEOPLE), str(UPDATES)], cwd=FOLDER, check=True, capture_output=True)
    made = json.loads(said.stdout)
    people = [
        Typed([*map(b64decode, each["updates"])], {int(at): mark.encode() for at, mark in each["marks"].items()})
        for each in made["people"]
    ]
    return b64decode(made["base"]), people


def typed(side: Side, base: bytes, people: list[Typed], seconds: int, groups: int, into: Figures) -> None:
    """Measure a round of typing."""
    for count, steady in ((int(seconds / EVERY), True), (UPDATES, False)):
        load = Load(dict.fromkeys(side.fresh(DOCUMENTS), side.addresses), base, people, count)
        updates = count * DOCUMENTS * PEOPLE
        before = at_rest(side.process.pid)
        delays, most = (load.steadily(groups), 0.0) if steady else ([], load.at_most(WINDOW))
        spent = used(side.process.pid) - before
        if steady:
            time.sleep(AFTERWARDS)
            into.afterwards.append(((used(side.process.pid) - before).own - spent.own) / updates * 1e6)
        if not load.converged():
            raise SystemExit("the clients did not converge")
        load.close()
        if steady:
            into.cpu.append(spent.own / updates * 1e6)
            into.below.append(spent.below / updates * 1e6)
            into.delay.append(median(delays) * 1e3)
        else:
            into.most.append(most)
            into.cpu_at_most.append(spent.own / updates * 1e6)


def opened(side: Side, content: bytes, kept: list[Connection], into: Figures) -> None:
    """Open documents and measure the memory of one; they stay open."""
    names = side.fresh(OPEN)
    side.settle()
    before = resident_bytes(side.process.pid)
    for at, name in enumerate(names):
        if at % ON_A_SOCKET == 0:
            kept.append(Connection(side.addresses[0]))
        kept[-1].open(name)
        kept[-1].write(name, content)
    side.settle()
    into.memory.append((resident_bytes(side.process.pid) - before) / OPEN / 1024)


def measure(rounds: int, seconds: int, groups: int, folder: Path) -> tuple[Figures, Figures]:
    """Return the figures of ours and of Hocuspocus's."""
    with hocuspocus() as reference, ours(folder) as codrive:
        base, people = typing()
        sides = [(codrive, Figures()), (reference, Figures())]
        content = from_tree(parse((PARAGRAPH * CHARACTERS)[:CHARACTERS]), 1)
        for side, figures in sides:
            kept: list[Connection] = []
            for turn in range(rounds + 1):
                opened(side, content, kept, figures if turn else Figures())
            for connection in kept:
                connection.socket.close()
        for turn in range(rounds + WARMING):
            for side, figures in sides if turn % 2 else reversed(sides):
                typed(side, base, people, seconds, groups, figures if turn >= WARMING else Figures())
    return sides[0][1], sides[1][1]


def lines(own: Figures, theirs: Figures) -> Iterator[tuple[str, bool]]:
    yield f"{'':34}{'limit':>7}{'ratio':>8}{'ours':>10}{'theirs':>10}", True
    for (name, limit), measured, other in zip(
        LIMITS.items(),
        (own.cpu, own.delay, own.most, own.memory),
        (theirs.cpu, theirs.delay, theirs.most, theirs.memory),
        strict=True,
    ):
        ratio = median(measured) / median(other)
        holds = ratio >= limit if name.startswith("updates/s") else ratio <= limit
        yield f"{name:34}{limit:7}{ratio:8.2f}{median(measured):10,.1f}{median(other):10,.1f}", holds
    ratio = median(own.cpu_at_most) / median(theirs.cpu_at_most)
    name = "CPU per update at most, us"
    yield f"{name:34}{'':7}{ratio:8.2f}{median(own.cpu_at_most):10,.1f}{median(theirs.cpu_at_most):10,.1f}", True
    yield f"{'and afterwards, us':34}{'':15}{median(own.afterwards):10,.1f}{median(theirs.afterwards):10,.1f}", True
    yield f"{'and of Postgres, us':34}{'':15}{median(own.below):10,.1f}", True


def main() -> int:
    rounds, seconds, groups = [int(number) for number in (*sys.argv[1:], *("5", "4", "2")[len(sys.argv) - 1 :])]
    with tempfile.TemporaryDirectory(prefix="codrive-benchmark-") as folder:
        figures = measure(rounds, seconds, groups, Path(folder))
    held = True
    for line, holds in lines(*figures):
        held = held and holds
        print(line + ("" if holds else "  MISSED"))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
