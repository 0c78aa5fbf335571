"""Compares the CPU of an append to the update log in PostgreSQL with that of the earlier statement without the comparison.

    python -m benchmarks append [appends]

Fails if an append takes more than 1.3 times as much CPU, to one document or to 20 at once, with one keystroke each. The CPU is that
of the backend, as the kernel counts it, so that other processes change little; the two statements alternate in blocks, on a Postgres
of their own, and each figure is the median of `RUNS` runs.
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

import psycopg
from psycopg.pq import ExecStatus

from domain.credit import Credit
from live.group_commit import EditAuthor, EditBatch
from persistence.postgres.embedded import start
from persistence.postgres.migrations import migrate
from persistence.update_log import append_statement, written

RUNS: Final = 5
BLOCK: Final = 50  # appends of one statement before it is the other's turn
LIMIT: Final = 1.3
KEYSTROKE: Final = bytes(range(20))
USER: Final = "01900000-0000-7000-8000-000000000001"
DRIVE: Final = "01900000-0000-7000-8000-000000000002"

# The statement before the log's number became a column: the process remembered numbers, and the key refused duplicates.
BEFORE: Final = """
prepare before (uuid[], uuid[], text[], timestamptz, int4[], int8[], bytea[], int4[]) as
with written as (
    insert into document_update (item_id, sequence, user_id, agent, at, update)
    select $1[r.author], r.sequence, $2[r.author], $3[r.author], $4, r.update
    from unnest($5, $6, $7) as r(author, sequence, update)),
credited as (
    insert into document_author (item_id, user_id, agent, edited_at)
    select distinct a.item_id, a.user_id, coalesce(a.agent, ''), $4
    from unnest($1, $2, $3) as a(item_id, user_id, agent)
    on conflict (item_id, user_id, agent)
        do update set edited_at = greatest(document_author.edited_at, excluded.edited_at))
update item set updated_at = greatest(updated_at, $4), updated_by_user = $2[last], updated_by_agent = $3[last]
from unnest($8) as last where id = $1[last]"""
BEFORE_ARGUMENTS: Final = 8


@dataclass(frozen=True, slots=True)
class Side:
    """One of the statements and the documents that it appends to. `used` is the CPU of its backend, in nanoseconds."""

    connection: psycopg.Connection
    name: bytes
    arguments: int | None
    documents: Sequence[str]
    author: EditAuthor
    numbers: dict[str, int]
    lease: int

    def append(self) -> None:
        authors = {document_id: EditAuthor(self.author.by) for document_id in self.documents}
        rows = {document_id: [(author, KEYSTROKE)] for document_id, author in authors.items()}
        batch = EditBatch(rows, self.numbers, (), time.time_ns() // 1_000_000)
        numbers, _, arguments = written(batch, self.lease)
        given = arguments[: self.arguments]
        result = self.connection.pgconn.exec_prepared(self.name, given, param_formats=[1] * len(given))
        if result.status not in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
            raise SystemExit(result.error_message.decode())
        if self.arguments is None and result.ntuples != len(self.documents):
            raise SystemExit("an append was refused")
        self.numbers.update(numbers)

    @property
    def used(self) -> int:
        return int(Path(f"/proc/{self.connection.info.backend_pid}/schedstat").read_text().split()[0])


def measured(old: Side, new: Side, appends: int) -> float:
    """Return the CPU of the new statement as a multiple of the old one's."""
    spent = {old.name: 0, new.name: 0}
    for _ in range(max(1, appends // BLOCK)):
        for side in (old, new):
            before = side.used
            for _ in range(BLOCK):
                side.append()
            spent[side.name] += side.used - before
    for side in (old, new):
        each = spent[side.name] / (max(1, appends // BLOCK) * BLOCK) / 1000
        print(f"  {side.name.decode():6} {each:7.0f} us of CPU an append", end="")
    print(f"  {spent[new.name] / spent[old.name]:.2f}")
    return spent[new.name] / spent[old.name]


def sides(url: str, fresh: Callable[[], str], documents: int) -> tuple[Side, Side]:
    author = EditAuthor(Credit(USER, "Ada"))
    made = []
    for name, arguments in ((b"before", BEFORE_ARGUMENTS), (b"after", None)):
        connection = psycopg.connect(url, autocommit=True)
        connection.execute("set jit = off; set plan_cache_mode = force_generic_plan; set enable_seqscan = off")
        connection.execute((BEFORE if arguments else append_statement("after")).encode())
        row = connection.execute("insert into node default values returning id").fetchone()
        named = sorted(fresh() for _ in range(documents))
        made.append(Side(connection, name, arguments, named, author, dict.fromkeys(named, 0), row[0] if row else 0))
    return made[0], made[1]


def compared(url: str, appends: int, documents: int) -> float:
    numbers = count(1)

    def fresh() -> str:
        item_id = f"0190{documents:04x}-{next(numbers):04x}-7000-8000-{documents:012x}"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "insert into item (id, drive_id, kind, name, sort_key, created_at, updated_at, created_by_user,"
                " updated_by_user) values (%s, %s, 'docs_workbook', 'Log', 'log', now(), now(), %s, %s)",
                [item_id, DRIVE, USER, USER],
            )
        return item_id

    print(f"{documents} document(s) at once:")
    ratios = []
    for _ in range(RUNS):
        old, new = sides(url, fresh, documents)
        with old.connection, new.connection:
            for side in (old, new):
                for _ in range(BLOCK):
                    side.append()
            ratios.append(measured(old, new, appends))
    return median(ratios)


def main() -> int:
    appends = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    directory = Path(tempfile.mkdtemp(prefix="codrive-benchmark-"))
    directory.chmod(0o711)
    postgres = start(directory, durable=False)
    try:
        migrate(postgres.url)
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute(
                "insert into account (id, name, sort_key, email, created_at)"
                " values (%s, 'Ada', 'ada', 'ada@example.com', now())",
                [USER],
            )
            connection.execute(
                "insert into drive (id, kind, name, sort_key, created_at, updated_at)"
                " values (%s, 'personal', '', '', now(), now())",
                [DRIVE],
            )
        found = {documents: compared(postgres.url, appends, documents) for documents in (1, 20)}
    finally:
        postgres.stop()
        shutil.rmtree(directory)
    for documents, ratio in found.items():
        print(f"an append to {documents} document(s): {ratio:.2f} times as much, at most {LIMIT}")
    return 0 if max(found.values()) <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
