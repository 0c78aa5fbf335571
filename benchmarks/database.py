"""What a big database costs: an item at depth 50 among a million, and a folder of 10,000 items that moves.

    python -m benchmarks.database [items]

Fails where `driveItems.get`'s facts take more than 1.5 times as long among a million items as among 10,000, or a move
inside a drive more than 3 times as long as renaming what is moved. Times are of the wall clock, medians of `ROUNDS`
calls in turns on a Postgres of its own.
"""

import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import psycopg

from domain import item, move
from domain.credit import Credit
from domain.errors import Rejection
from domain.item import ItemFacts, Limits, Place
from domain.questions import ItemFor, OverviewFor, PlaceFor
from domain.values import ItemName
from persistence.embedded import start
from persistence.migrations import migrate
from persistence.store import PostgresStore, Transaction

ROUNDS = 400
DRIVES, CHAINS, DEPTH, CHILDREN, BIG = 20, 20, 50, 20, 10_000
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
COLUMNS = "id, drive_id, parent_id, kind, name, created_at, updated_at, created_by_user, updated_by_user"


@dataclass(frozen=True, slots=True)
class Touches:
    items: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


class Filling:
    """The rows of a database, made in the order in which time-ordered ids would have been."""

    def __init__(self) -> None:
        self.random = random.Random(7)
        self.made = 0
        self.rows: list[tuple[object, ...]] = []
        self.user = self.id()
        self.drives = [self.id() for _ in range(DRIVES)]

    def id(self) -> str:
        self.made += 1
        tail = f"{self.random.getrandbits(60):015x}"
        at = f"{0x0190_0000_0000 + self.made:012x}"
        return f"{at[:8]}-{at[8:]}-7{tail[:3]}-8{tail[3:6]}-{tail[3:15]}"

    def add(self, drive_id: str, parent_id: str | None, *, folder: bool) -> str:
        made = self.id()
        kind = "folder" if folder else "docs_workbook"
        self.rows.append((made, drive_id, parent_id, kind, f"Item {self.made}", NOW, NOW, self.user, self.user))
        return made

    def others(self, number: int) -> None:
        """Add items anywhere, half of them folders, so that trees grow deep by themselves."""
        folders: dict[str, list[str | None]] = {drive: [None] for drive in self.drives}
        for _ in range(number):
            drive = self.random.choice(self.drives)
            folder = self.random.random() < 0.5
            made = self.add(drive, self.random.choice(folders[drive][-200:]), folder=folder)
            if folder:
                folders[drive].append(made)

    def chains(self, between: int) -> list[str]:
        """Return items at depth 50 with children, their ancestors spread over the whole table."""
        tops: list[str | None] = [None] * CHAINS
        for _ in range(DEPTH):
            tops = [self.add(self.drives[0], top, folder=True) for top in tops]
            self.others(between)
        for top in tops:
            for _ in range(CHILDREN):
                self.add(self.drives[0], top, folder=False)
        return [top for top in tops if top]

    def big(self) -> str:
        """Return a folder of 10,000 items."""
        top = self.add(self.drives[1], None, folder=True)
        for _ in range(BIG // 100):
            folder = self.add(self.drives[1], top, folder=True)
            for _ in range(99):
                self.add(self.drives[1], folder, folder=False)
        return top


def fill(url: str, total: int) -> tuple[Filling, list[str], str, list[str]]:
    filling = Filling()
    planned = CHAINS * (DEPTH + CHILDREN) + (BIG if total > 2 * BIG else 0) + 3
    chains = filling.chains((total - planned) // DEPTH)
    big = filling.big() if total > 2 * BIG else ""
    homes = [filling.add(filling.drives[1], None, folder=True) for _ in range(2)]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "insert into account (id, name, email, created_at) values (%s, 'Ada', 'ada@example.com', now())",
            [filling.user],
        )
        for drive in filling.drives:
            connection.execute(
                "insert into drive (id, kind, name, created_at, updated_at, depth)"
                " values (%s, 'personal', '', now(), now(), 60)",
                [drive],
            )
            connection.execute("insert into drive_member values (%s, %s, 'owner', now())", [drive, filling.user])
        with connection.cursor().copy(f"copy item ({COLUMNS}) from stdin") as copy:
            for row in filling.rows:
                copy.write_row(row)
        connection.execute("update drive set items = (select count(*) from item where drive_id = drive.id)")
        connection.execute("vacuum (analyze, freeze)")
        connection.execute("checkpoint")
    return filling, chains, big, homes


async def timed(act: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await act()
    return (time.perf_counter() - began) * 1000


async def renaming(store: PostgresStore, user: Credit, item_id: str, name: str) -> None:
    async def work(transaction: Transaction) -> None:
        facts = await transaction.read(ItemFor(user.user_id, item_id))
        await _record(transaction, item.rename(facts, ItemName(name)), user)

    await store.transact(Touches(items=(item_id,)), work)


async def moving(store: PostgresStore, user: Credit, item_id: str, drive_id: str, parent_id: str) -> None:
    async def work(transaction: Transaction) -> None:
        facts = await transaction.read(ItemFor(user.user_id, item_id))
        place: Place = await transaction.read(PlaceFor(user.user_id, drive_id, parent_id))
        if not isinstance(facts, ItemFacts) or move.needs_walk(facts, place, Limits()):
            raise SystemExit("the move was meant to need no walk")
        await _record(transaction, move.move(facts, place, None, Limits()), user)

    await store.transact(Touches(items=(item_id, parent_id), drives=(drive_id,)), work)


async def _record(transaction: Transaction, decision: object, user: Credit) -> None:
    if isinstance(decision, Rejection) or not isinstance(decision, tuple) or len(decision) != 1:
        raise SystemExit(f"refused: {decision}")
    await transaction.record(decision, user, NOW)


async def deep_reads(urls: dict[int, str], filled: dict[int, tuple[Filling, list[str], str, list[str]]]) -> float:
    """Return how many times longer the facts of an item at depth 50 take in the bigger database."""
    stores = {total: PostgresStore(url, readers=1, writers=1) for total, url in urls.items()}
    times: dict[int, list[float]] = {total: [] for total in urls}
    for store in stores.values():
        await store.open()
    for turn in range(ROUNDS + 40):
        for total, store in stores.items():
            filling, chains, _, _ = filled[total]
            question = OverviewFor(filling.user, chains[turn % CHAINS])
            took = await timed(partial(store.read, question))
            if turn >= 40:
                times[total].append(took)
    for store in stores.values():
        await store.close()
    small, large = sorted(times)
    print(f"an item at depth {DEPTH} with {CHILDREN} children, one statement:")
    print(f"  among {small:,}: {median(times[small]):.2f} ms, among {large:,}: {median(times[large]):.2f} ms")
    return median(times[large]) / median(times[small])


async def moves(url: str, filled: tuple[Filling, list[str], str, list[str]]) -> float:
    """Return how many times longer moving a folder of 10,000 items takes than renaming it."""
    filling, _, big, homes = filled
    user, renames, moved = Credit(filling.user, "Ada"), [], []
    async with PostgresStore(url, readers=1, writers=1) as store:
        for turn in range(ROUNDS // 4 + 20):
            took = await timed(partial(renaming, store, user, big, f"Name {turn}"))
            took_move = await timed(partial(moving, store, user, big, filling.drives[1], homes[turn % 2]))
            if turn >= 20:
                renames.append(took)
                moved.append(took_move)
    print(f"a folder of {BIG:,} items: renamed in {median(renames):.2f} ms, moved in {median(moved):.2f} ms")
    return median(moved) / median(renames)


def main() -> int:
    large = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    directory = Path(tempfile.mkdtemp(prefix="codrive-benchmark-"))
    directory.chmod(0o711)
    postgres = start(directory, durable=False)
    try:
        urls, filled = {}, {}
        for total in (10_000, large):
            with psycopg.connect(postgres.url, autocommit=True) as connection:
                connection.execute(f"create database items_{total}".encode())
            urls[total] = urlsplit(postgres.url)._replace(path=f"/items_{total}").geturl()
            migrate(urls[total])
            filled[total] = fill(urls[total], total)
        deeper = asyncio.run(deep_reads(urls, filled))
        farther = asyncio.run(moves(urls[large], filled[large]))
    finally:
        postgres.stop()
        shutil.rmtree(directory)
    print(f"(b) {deeper:.2f} times as long in the bigger database, at most 1.5")
    print(f"(c) {farther:.2f} times as long to move as to rename, at most 3")
    return 0 if deeper <= 1.5 and farther <= 3 else 1


if __name__ == "__main__":
    sys.exit(main())
