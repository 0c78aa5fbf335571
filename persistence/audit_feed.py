"""Reads the audit as a feed: publishes what other processes committed, and names the edited documents to workers."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Any, Final

from domain.commit import DOCUMENT_EDITED, AuditEntry, Commit
from domain.credit import Credit
from persistence.event_feed import IN_ORDER, PART, READ_UP_TO, FeedPosition
from persistence.postgres.connections import Connection
from persistence.statements import NIL_UUID
from persistence.store import PostgresStore

_MAX_PART: Final = 1_000  # entries
_PART: Final = f"""
select {READ_UP_TO}, pg_current_snapshot()::text,
    e.transaction_id::text, e.sequence, e.type, e.drive_id::text, e.item_id::text, e.user_id::text, e.agent, e.at, e.details
from (values (1)) v left join lateral ({PART} and {{condition}} {IN_ORDER}) e on true"""
_NOW: Final = f"select {READ_UP_TO}, pg_current_snapshot()::text"
_PROGRESS: Final = "select snapshot::text from worker_progress where worker = %s"
_KEEP: Final = """
insert into worker_progress (worker, snapshot) values (%s, %s::pg_snapshot)
on conflict (worker) do update set snapshot = excluded.snapshot, at = now()"""
# In the order of ids, so that each part is bounded whatever is in it. `{behind}` is about an item `i`.
_BEHIND: Final = """
select (array_agg(i.id::text order by i.id desc))[1], array_agg(i.id::text) filter (where {behind})
from (select id, sequence from item where id > %s::uuid order by id limit 5000) i
{beside}"""


@dataclass(frozen=True, slots=True)
class ReadSnapshot:
    """A snapshot of the database up to which everything was read, and when that was asked for, as `monotonic` says it.

    What is visible in it may be other transactions after a crash, but for those of events.
    """

    snapshot: str
    asked_at: float


type Acknowledge = Callable[[ReadSnapshot], Awaitable[bool]]
"""Says how far a process has let go; false where the audit has to be read again first."""


class AuditReader:
    """Reads what was committed since it read last: entries of one type, or all."""

    def __init__(self, store: PostgresStore, event_type: str | None = None) -> None:
        self._store = store
        self.seen: str | None = None  # the snapshot up to which everything was read, as `READ_UP_TO` says it
        self.read = ReadSnapshot("", 0.0)
        self._question = _PART.format(condition=f"e.type = '{event_type}'" if event_type else "true")

    def go_on(self, snapshot: str) -> None:
        """Begin after what was visible in a snapshot, instead of now."""
        self.seen = snapshot

    async def entries(self) -> list[tuple[int, AuditEntry]]:
        """Return each new entry once, with the number of its transaction; none at the first call, where reading begins."""
        if self.seen is None:
            rows, self.read = await self._store.autocommit(partial(_ask, question=_NOW, arguments={}))
            self.seen = rows[0][0]
            return []
        place, found, more = FeedPosition.at(self.seen), list[tuple[int, AuditEntry]](), True
        first: ReadSnapshot | None = None
        while more:
            arguments = {**place.arguments(), "first": _MAX_PART}
            rows, read = await self._store.autocommit(partial(_ask, question=self._question, arguments=arguments))
            first = first or read
            part = [(int(row[2]), _entry(*row[4:])) for row in rows if row[2] is not None]
            found += part
            more = len(part) == _MAX_PART
            place = place.after(rows[0][0], (int(rows[-1][2]), rows[-1][3]) if more else None)
        self.seen, self.read = place.since, first or self.read
        return found


async def _ask(
    connection: Connection, question: str, arguments: Mapping[str, object]
) -> tuple[list[Any], ReadSnapshot]:
    asked_at = monotonic()
    rows = await (await connection.execute(question.encode(), arguments, prepare=True)).fetchall()
    return rows, ReadSnapshot(rows[0][1], asked_at)


def _entry(
    kind: str, drive_id: str | None, item_id: str | None, user_id: str, agent: str | None, at: datetime, details: Any
) -> AuditEntry:
    return AuditEntry(kind, drive_id, item_id, Credit(user_id, "", agent), at, details)


async def _always() -> bool:
    return True


async def _nothing(read: ReadSnapshot) -> bool:
    del read
    return True


class AuditFeed:
    """A worker. Publishes to the store's feed what other processes commit, within `every` seconds.

    A transaction of this process is left out, unless it is read while it is being published or its caller was cancelled
    meanwhile: so listeners may get a commit twice, but a local one once.
    """

    every: float = 0.5

    def __init__(
        self,
        store: PostgresStore,
        may_tell: Callable[[], Awaitable[bool]] = _always,
        acknowledge: Acknowledge = _nothing,
        since: str = "",
    ) -> None:
        """Begin after what was visible in the snapshot `since`, or else at the first turn.

        `may_tell` says whether a change of access still waits for this process: what was read is kept until then. `acknowledge`
        is called with what was read once nothing is left here of what those changes of access ended that are visible in it.
        """
        self._feed = store.feed
        self._reader = AuditReader(store)
        if since:
            self._reader.go_on(since)
        self._feed.tracked = set()
        self._may_tell = may_tell
        self._acknowledge = acknowledge
        self._is_awaited = False  # some process may wait for this one to acknowledge a change of access
        self._found: list[AuditEntry] = []
        self._turns = asyncio.Lock()

    async def turn(self) -> None:
        async with self._turns:
            await self._publish()

    async def answer(self) -> None:
        """Read what there is, and acknowledge it also where it ends no access."""
        async with self._turns:
            self._is_awaited = True
            await self._publish()

    async def _publish(self) -> None:
        await self._publish_new()
        while self._is_awaited and not self._found:
            if await self._acknowledge(self._reader.read):
                self._is_awaited = False
            else:
                await self._publish_new()

    async def _publish_new(self) -> None:
        found = await self._reader.entries()
        local = self._feed.tracked or set()
        self._found += [entry for transaction, entry in found if transaction not in local]
        if self._found and await self._may_tell():
            commit, self._found = Commit(self._found, is_local=False), []
            await self._feed.publish(commit)
            self._is_awaited |= commit.changes_access
            await self._feed.settle(commit)
        oldest = int((self._reader.seen or "0").partition(":")[0])  # before it, everything was read
        self._feed.tracked = {transaction for transaction in local if transaction >= oldest}


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one named worker on each edited document.

    `behind` is the SQL condition under which it is still to be done, on an item `i` and the tables joined `beside` it.
    """

    worker: str
    behind: str
    beside: str = ""


CUTTING: Final = Work(
    "versions", "i.sequence > coalesce((select max(sequence) from document_version where item_id = i.id), 0)"
)
INDEXING: Final = Work(
    "search", "i.sequence > coalesce(t.sequence, 0)", "left join document_text t on t.item_id = i.id"
)


class EditedLog:
    """The edited documents, for one worker. An author's edits of one document have a line about once a minute.

    INVARIANT: a worker holds a document for waiting until it has looked at it more than a minute after the document was
    named. Until then there may be edits that have no other entry than the one that was read.

    How far the worker has come outlives the process; only on a database where it never worked are all documents asked.
    """

    def __init__(self, store: PostgresStore, work: Work) -> None:
        self._store = store
        self._work = work
        self._audit = AuditReader(store, DOCUMENT_EDITED)
        self._round = 0
        self._snapshots: dict[int, str] = {}  # up to which each round read
        self._latest: dict[str, int] = {}  # the last round that named each waiting document
        self._kept = 0

    async def edited_documents(self) -> set[str]:
        """Return the documents edited since this was asked last; at first, since the worker had done its work."""
        if self._audit.seen is None:
            return await self._begun()
        documents = {entry.item_id for _, entry in await self._audit.entries() if entry.item_id}
        if documents:
            self._round += 1
            self._latest |= dict.fromkeys(documents, self._round)
        self._snapshots[self._round] = self._audit.seen
        return documents

    async def finished(self, waiting: Collection[str]) -> None:
        """Note that all work is done but that on the documents that are waiting: those are named again after a restart."""
        self._latest = {each: self._latest[each] for each in waiting if each in self._latest}
        done = min(self._latest.values(), default=self._round + 1) - 1
        if done <= self._kept:
            return
        self._kept = done
        needed = {done, self._round, *(latest - 1 for latest in self._latest.values())}
        self._snapshots = {each: self._snapshots[each] for each in needed}
        values = [self._work.worker, self._snapshots[done]]

        async def keep(connection: Connection) -> None:
            await connection.execute(_KEEP, values)

        await self._store.autocommit(keep)

    async def _begun(self) -> set[str]:
        """Go on from where the last process left off, or else from all documents that are behind."""
        snapshot = await self._store.autocommit(self._progress)
        if snapshot is not None:
            self._audit.go_on(snapshot)
            self._snapshots[0] = snapshot
            return await self.edited_documents()
        await self._audit.entries()
        behind = await self.behind()
        # No snapshot is kept before these are done: a restart begins as this does.
        self._kept = -1
        self._latest = dict.fromkeys(behind, 0)
        self._snapshots[0] = self._audit.seen or ""
        return behind

    async def _progress(self, connection: Connection) -> str | None:
        row = await (await connection.execute(_PROGRESS, [self._work.worker])).fetchone()
        return str(row[0]) if row else None

    async def behind(self) -> set[str]:
        """Return the documents of all on which the work is still to be done, as they are found part by part."""
        question = _BEHIND.format(behind=self._work.behind, beside=self._work.beside)
        last, found = NIL_UUID, set[str]()
        while last is not None:

            async def part(connection: Connection, last: str = last) -> Any:
                return await (await connection.execute(question.encode(), [last], prepare=True)).fetchone()

            last, behind = await self._store.autocommit(part)
            found |= {*(behind or ())}
        return found
