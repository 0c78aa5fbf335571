"""Compares statements in a database of 1.3 million items with the same ones among 10,000, as a table of ratios.

    python -m benchmarks.database [items [small]] [--only WORDS]

`benchmarks.populated` fills both databases once, on a Postgres of their own. Each line runs on the two alternately; its ratio is the
median wall-clock time in the large database divided by that in the small one. Fails if a ratio exceeds its bound; a goal in
milliseconds is only reported, since it depends on the machine.

To add a line, write one row of `LINES`: its name, its function and its bound. `read` makes the function from questions of the domain;
any other takes a `Database` and the number of the round. The rows that it touches must be equally many in both databases, so that
only the rest grows: take the ids of `benchmarks.populated`, or add rows there.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

import msgspec
import psycopg

from benchmarks.populated import (
    BIG_DRIVE,
    COMMON_NAME,
    COMMON_WORD,
    DEEP_FOLDERS,
    FEW_OWNER,
    GROWING_FOLDER,
    GUEST,
    HOME_FOLDERS,
    MANY_GUEST,
    MANY_OWNER,
    OWNER,
    RARE_WORD,
    SHARED_FOLDER,
    TALL,
    TALL_FOLDER,
    populate,
)
from domain import item, move
from domain.credit import Credit
from domain.cursor import encode_cursor
from domain.errors import Rejection
from domain.item import ItemFacts, Place, TreeLimits
from domain.questions import (
    AccessOf,
    ChildrenFor,
    DriveContents,
    DrivesFor,
    HoldersOf,
    ItemFor,
    OverviewFor,
    Page,
    PlaceFor,
    Question,
    RootItemsFor,
    SearchFilter,
    SearchFor,
    SharedItemsFor,
    VisibleEventsSince,
)
from domain.values import Email, ItemName
from live.group_commit import EditAuthor, EditBatch
from persistence.node_lease import NodeLease
from persistence.postgres.embedded import start
from persistence.store import PostgresStore, Transaction
from persistence.update_log import UpdateLog

LARGE: Final = 1_300_000
SMALL: Final = 10_000
MIN_ROUNDS, MAX_ROUNDS = 5, 400  # of one line
SECONDS: Final = 10.0  # after which a line has no more rounds
PATIENCE: Final = 60.0  # seconds, as slow statements are what this is about
NOW: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)
LISTED: Final = 1_000  # items of a page
KEYSTROKE: Final = bytes(range(20))
ADA: Final = Credit(OWNER, "Ada")
OWNERS_ADDRESS: Final = Email("user1@example.com")
MIDDLE: Final = encode_cursor(msgspec.json.encode(("Minutes", OWNER)))  # of any folder, by name
_LOGS: Final = "select id::text, sequence from item where sequence > 0 order by md5(id::text) limit 1000"


class Database:
    """One of the two databases, open. `numbers` are the last numbers of a thousand logs, spread over all of them."""

    def __init__(self, url: str) -> None:
        self.store = PostgresStore(url, readers=1, writers=2, patience=PATIENCE)
        self.lease = NodeLease(self.store, inf)
        self.log = UpdateLog(self.store.writers, self.lease)
        self.numbers: dict[str, int] = {}

    async def __aenter__(self) -> Self:
        await self.store.open()
        await self.lease.begin()
        async with self.store.readers.connection() as connection:
            self.numbers = dict(await (await connection.execute(_LOGS)).fetchall())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.log.aclose()
        await self.lease.aclose()
        await self.store.close()


type Ask = Callable[[Database, int], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table: `bound` is the ratio above which it fails, `goal` a time in milliseconds in the large database."""

    name: str
    ask: Ask
    bound: float | None = 1.5
    goal: float | None = None


def read(*questions: Question[Any]) -> Ask:
    """Ask one of the questions in each round, in rotation."""

    async def ask(database: Database, turn: int) -> object:
        return await database.store.read(questions[turn % len(questions)])

    return ask


def search(user_id: str, text: str, wanted: SearchFilter = SearchFilter()) -> Ask:  # noqa: B008 - a value
    return read(SearchFor(user_id, text, None, 20, None, wanted))


def misspelled(word: str) -> str:
    return word[1] + word[0] + word[2:]


def append(documents: int) -> Ask:
    """Append a keystroke to each of `documents` logs in one batch."""

    async def ask(database: Database, turn: int) -> None:
        logs = [*database.numbers]
        chosen = [logs[(turn * documents + each) % len(logs)] for each in range(documents)]
        rows = {document_id: [(EditAuthor(ADA), KEYSTROKE)] for document_id in chosen}
        batch = EditBatch(rows, database.numbers, (), time.time_ns() // 1_000_000)
        landed = asyncio.get_running_loop().create_future()
        database.log.append(batch, landed.set_result)
        numbers = await landed
        if isinstance(numbers, Exception) or len(numbers) != documents:
            raise SystemExit(f"an append was refused: {numbers}")
        database.numbers |= numbers

    return ask


def listing(user_id: str, *, page: int = 1) -> Ask:
    """Ask for a page of the user's drives with at most `LISTED` items."""
    cursors: dict[Database, str | None] = {}

    async def ask(database: Database, _: int) -> None:
        if database not in cursors:
            cursors[database] = None
            for _ in range(page - 1):
                cursors[database] = (await found(database)).next_cursor
        await found(database)

    async def found(database: Database) -> Page[DriveContents]:
        return await database.store.read(DrivesFor(user_id, LISTED, 1_000, cursors[database]))

    return ask


LINES: Final = (
    Line("facts of a folder at depth 50", read(*(OverviewFor(OWNER, each) for each in DEEP_FOLDERS))),
    Line("first 50 of a folder of a 13th of all", read(ChildrenFor(OWNER, GROWING_FOLDER, 50, None))),
    Line("50 from the middle of that folder", read(ChildrenFor(OWNER, GROWING_FOLDER, 50, MIDDLE))),
    Line("place for a new item in that folder", read(PlaceFor(OWNER, None, GROWING_FOLDER))),
    Line("root items of the big drive", read(RootItemsFor(OWNER, BIG_DRIVE, 50, None))),
    Line("newest 20 of a 260th of all, shared", read(SharedItemsFor(MANY_GUEST, 20, None))),
    Line("search, rare word, 20 items of one's own", search(FEW_OWNER, RARE_WORD), goal=30),
    Line("search, rare word, 20 items shared", search(GUEST, RARE_WORD), goal=30),
    Line("search, common word, 20 items of one's own", search(FEW_OWNER, COMMON_WORD), goal=30),
    Line("search, common name, 20 items of one's own", search(FEW_OWNER, COMMON_NAME), goal=30),
    Line("search, rare word, member of the big drive", search(OWNER, RARE_WORD), goal=300),
    Line("search, a word nowhere, member of the big drive", search(OWNER, "nowhere"), goal=300),
    Line("search, a misspelled rare word, 20 items of one's own", search(FEW_OWNER, misspelled(RARE_WORD)), goal=30),
    Line("search, a misspelled rare word, member of the big drive", search(OWNER, misspelled(RARE_WORD)), goal=300),
    Line("search, common word, member of the big drive", search(OWNER, COMMON_WORD), bound=None),
    Line("search, common name, member of the big drive", search(OWNER, COMMON_NAME), bound=None),
    Line(
        "search, common name, a folder of 20 items of it",
        search(OWNER, COMMON_NAME, SearchFilter(folder_id=SHARED_FOLDER)),
    ),
    Line("search, common name, an author of 20 items of it", search(OWNER, COMMON_NAME, SearchFilter(author_id=GUEST))),
    Line("search, no words, an author of 20 items of it", search(OWNER, "", SearchFilter(author_id=GUEST))),
    Line("drives.list, 20 items in one drive", listing(FEW_OWNER)),
    Line("drives.list, a page of 1,000 items of the big drive", listing(OWNER)),
    Line("drives.list, the fifth page of 1,000 items of it", listing(OWNER, page=5)),
    Line("drives.list, 1,000 drives", listing(MANY_OWNER)),
    Line("access of one to a folder at depth 50", read(*(AccessOf(each, OWNERS_ADDRESS) for each in DEEP_FOLDERS))),
    Line("holders of a folder at depth 50", read(*(HoldersOf(None, each) for each in DEEP_FOLDERS))),
    Line("holders of a folder of the big drive, shared", read(HoldersOf(None, SHARED_FOLDER)), bound=None),
    Line("news of 20 items of one's own", read(VisibleEventsSince(FEW_OWNER, None, 100))),
    Line("append to one document", append(1)),
    Line("append to 20 documents", append(20)),
)


@dataclass(frozen=True, slots=True)
class Touches:
    items: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    covers_reads: bool = False


async def rename(store: PostgresStore, item_id: str, name: str) -> None:
    async def work(transaction: Transaction) -> None:
        facts = await transaction.read(ItemFor(OWNER, item_id))
        await _record(transaction, item.rename(facts, ItemName(name)))

    await store.transact(Touches(items=(item_id,)), work)


async def move_inside(store: PostgresStore, item_id: str, drive_id: str, parent_id: str) -> None:
    async def work(transaction: Transaction) -> None:
        facts = await transaction.read(ItemFor(OWNER, item_id))
        place: Place = await transaction.read(PlaceFor(OWNER, drive_id, parent_id))
        if not isinstance(facts, ItemFacts) or move.needs_walk(facts, place, TreeLimits(drive_items=10**9)):
            raise SystemExit("the move was meant to need no walk")
        await _record(transaction, move.move(facts, place, None, TreeLimits(drive_items=10**9)))

    await store.transact(Touches(items=(item_id, parent_id), drives=(drive_id,), covers_reads=True), work)


async def _record(transaction: Transaction, decision: object) -> None:
    if isinstance(decision, Rejection) or not isinstance(decision, tuple) or len(decision) != 1:
        raise SystemExit(f"refused: {decision}")
    await transaction.record(decision, ADA, NOW)


async def timed(act: Awaitable[object]) -> float:
    """Await `act` and return its milliseconds."""
    began = time.perf_counter()
    await act
    return (time.perf_counter() - began) * 1000


async def compared(line: Line, small: Database, large: Database) -> tuple[float, float]:
    """Return the median of each, in milliseconds, without the first quarter of the rounds."""
    times: tuple[list[float], list[float]] = ([], [])
    until = time.monotonic() + SECONDS
    for turn in range(MAX_ROUNDS):
        if turn >= MIN_ROUNDS and time.monotonic() > until:
            break
        for database, its in zip((small, large), times, strict=True):
            its.append(await timed(line.ask(database, turn)))
    of_small, of_large = (median(its[len(its) // 4 :]) for its in times)
    return of_small, of_large


async def moved(database: Database) -> float:
    """Return the time of moving a folder of `TALL` items as a multiple of that of renaming it."""
    renames, moves = [], []
    for turn in range(120):
        renames.append(await timed(rename(database.store, TALL_FOLDER, f"Name {turn}")))
        home = HOME_FOLDERS[turn % len(HOME_FOLDERS)]
        moves.append(await timed(move_inside(database.store, TALL_FOLDER, BIG_DRIVE, home)))
    of_renames, of_moves = median(renames[20:]), median(moves[20:])
    print(f"a folder of {TALL:,} items: renamed in {of_renames:.2f} ms, moved in {of_moves:.2f} ms")
    return of_moves / of_renames


def nanoseconds(process_id: int) -> int:
    """Return the CPU that a process has used, in nanoseconds."""
    return int(Path(f"/proc/{process_id}/schedstat").read_text().split()[0])


async def unchanged(database: Database) -> None:
    """Print the CPU of listing `LISTED` unchanged items: of the backend, and of this process in the store."""
    ask, rounds = listing(OWNER), 200
    async with database.store.readers.connection() as connection:
        backend = connection.info.backend_pid
    for _ in range(20):
        await ask(database, 0)
    begun, own = nanoseconds(backend), time.process_time()
    for _ in range(rounds):
        await ask(database, 0)
    spent = (nanoseconds(backend) - begun) / 1e6 / rounds
    own = (time.process_time() - own) * 1000 / rounds
    print(f"{LISTED:,} unchanged items: CPU of {spent:.2f} ms in Postgres and {own:.2f} ms in the store a call")


async def measured(urls: tuple[str, str], only: str) -> bool:
    """Print a line of the table for each that is measured; return whether all are within their bounds."""
    fine = True
    async with AsyncExitStack() as stack:
        small, large = [await stack.enter_async_context(Database(url)) for url in urls]
        print(f"{'':50}{'small':>10}{'large':>10}{'ratio':>8}  bound")
        for line in LINES:
            if only not in line.name:
                continue
            of_small, of_large = await compared(line, small, large)
            ratio = of_large / of_small
            missed = line.bound is not None and ratio > line.bound
            fine = fine and not missed
            bound = (
                f"{line.bound or '-':>5}{f', goal {line.goal:g} ms' if line.goal else ''}{'  MISSED' if missed else ''}"
            )
            print(f"{line.name:50}{of_small:7.2f} ms{of_large:7.2f} ms{ratio:8.2f}  {bound}", flush=True)
        if only in "unchanged":
            await unchanged(large)
        if only in "moves":
            ratio = await moved(large)
            print(f"{ratio:.2f} times as long to move as to rename, at most 3")
            fine = fine and ratio <= 3
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Compare statements among a million items with the same ones among 10,000."
    )
    parser.add_argument("items", nargs="?", type=int, default=LARGE)
    parser.add_argument("small", nargs="?", type=int, default=SMALL)
    parser.add_argument("--only", default="", help="measure only lines whose names have these words")
    asked = parser.parse_args()
    directory = Path(tempfile.mkdtemp(prefix="codrive-benchmark-"))
    directory.chmod(0o711)
    postgres = start(directory, durable=False)
    try:
        urls = []
        for items in (asked.small, asked.items):
            with psycopg.connect(postgres.url, autocommit=True) as connection:
                connection.execute(f"create database items_{items}".encode())
            urls.append(urlsplit(postgres.url)._replace(path=f"/items_{items}").geturl())
            began = time.perf_counter()
            populate(urls[-1], items)
            print(f"{items:,} items made in {time.perf_counter() - began:.0f} s", flush=True)
        fine = asyncio.run(measured((urls[0], urls[1]), asked.only))
    finally:
        postgres.stop()
        shutil.rmtree(directory)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
