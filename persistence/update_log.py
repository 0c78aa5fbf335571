"""Appends the edits of open documents to their logs: a batch of them in one statement, which is one transaction.

An append names the number of the last update that its room has: the statement compares `item.sequence` with it and sets
it, which locks the row. So there are no gaps, a reader of a number reads all updates before it, and no room appends before
it has seen the appends of others. A document with another number, a deleted one, or one that is edited under its lock is
refused alone: nothing of it is written, and all of the other documents is. A process whose lease is gone writes nothing.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final, Protocol

from psycopg import Error, errors
from psycopg.pq.abc import PGresult

from domain.commit import LiveAuthor, LiveEdits, OnCommitted
from persistence.commit_feed import CommitFeed
from persistence.postgres.binary_format import (
    BYTEA_OID,
    INT4_OID,
    INT8_OID,
    NULL,
    TEXT_OID,
    UUID_OID,
    array,
    integer,
    long,
    size,
    timestamptz,
    uuid_of,
    with_length,
)
from persistence.postgres.connections import Pool, acquire, translate_errors
from persistence.postgres.locks import lock_key
from persistence.postgres.wire import WireConnection, column_text

# Two processes that write to the same documents in another order: nothing is written, and may be at the next try.
_CONFLICTS: Final = (errors.DeadlockDetected, errors.SerializationFailure)

# Who wrote comes once, and is named by its place: by each row, by each document for its last one, and for the audit.
# All of it was written at one moment, $4.
# INVARIANT: the number is compared in the update itself, which looks again where it had to wait for the row: a number that
# was read before would be that of then. So does the lock of the lease, for which whoever deletes the lease waits.
_APPEND: Final = """
prepare {name} (
    uuid[], uuid[], text[], timestamptz, int4[], int8[], bytea[], int4[], int8[], int8[], int8[], int8{audited_by}) as
with lease as materialized (select from node where id = $12 for key share),
head as (
    update item set sequence = d.after,
        updated_at = greatest(updated_at, $4), updated_by_user = $2[d.last], updated_by_agent = $3[d.last]
    from unnest($8, $9, $10, $11) as d(last, before, after, lock), lease
    where id = $1[d.last] and sequence = d.before and pg_try_advisory_xact_lock_shared(d.lock)
    returning id, drive_id),
written as (
    insert into document_update (item_id, sequence, user_id, agent, at, update)
    select head.id, r.sequence, $2[r.author], $3[r.author], $4, r.update
    from unnest($5, $6, $7) as r(author, sequence, update) join head on head.id = $1[r.author]),
credited as (
    insert into document_author (item_id, user_id, agent, edited_at)
    select distinct head.id, a.user_id, coalesce(a.agent, ''), $4
    from unnest($1, $2, $3) as a(item_id, user_id, agent) join head on head.id = a.item_id
    on conflict (item_id, user_id, agent)
        do update set edited_at = greatest(document_author.edited_at, excluded.edited_at)){audited}
select id, drive_id{transaction_id} from head"""

_AUDITED: Final = """,
audited as (
    insert into event (type, drive_id, item_id, user_id, agent, at, details)
    select 'documentEdited', i.drive_id, i.id, $2[author], $3[author], $4,
        jsonb_build_object('itemId', i.id, 'driveId', i.drive_id)
    from unnest($13) as author join head on head.id = $1[author] join item i on i.id = head.id order by author)"""


def append_statement(name: str, *, audited: bool = False) -> str:
    """Return the SQL that prepares the statement; an `audited` one writes audit entries and returns its transaction."""
    if audited:
        return _APPEND.format(
            name=name, audited_by=", int4[]", audited=_AUDITED, transaction_id=", pg_current_xact_id()::text"
        )
    return _APPEND.format(name=name, audited_by="", audited="", transaction_id="")


# Two statements, since few batches have an entry in the audit.
_PREPARED: Final = (append_statement("append_updates"), append_statement("append_and_audit", audited=True))


class Batch(Protocol):
    """Updates in the order in which they came, each with its author, by the ids of their documents.

    `after` is the number of the last update that the room of each of these documents has; all of them have rows. The
    `audited` authors get an audit entry, too. `at` is the time of all of it, in milliseconds since 1970.
    """

    @property
    def rows(self) -> Mapping[str, Sequence[tuple[LiveAuthor, bytes]]]: ...

    @property
    def after(self) -> Mapping[str, int]: ...

    @property
    def audited(self) -> Collection[LiveAuthor]: ...

    @property
    def at(self) -> int: ...


class WritingLease(Protocol):
    @property
    def number(self) -> int:
        """The number of the lease under which this process writes; 0 where it has none."""
        ...


def _ignored(count: int) -> None:
    del count


class UpdateLog:
    """The log of updates; `writers` is the pool of the store's writing connections, from which it gets the address.

    It caches nothing of any document. What it commits is published to `feed` before `on_committed` is called.
    """

    def __init__(self, writers: Pool, lease: WritingLease, feed: CommitFeed | None = None) -> None:
        self._writers = writers
        self._lease = lease
        self._feed = feed or CommitFeed()
        self._log_connection: WireConnection | None = None
        self._connecting: set[asyncio.Task[None]] = set()
        self.on_refused: Callable[[int], None] = _ignored  # called with how many documents others wrote to meanwhile

    def append(self, batch: Batch, on_committed: OnCommitted) -> None:
        """Commit the batch and call `on_committed`, once; one batch at a time.

        `on_committed` gets Unavailable where the database is lost: whether the batch was committed is unknown then. Where
        there is a connection, as there mostly is, no task is made for the batch.
        """
        connection, lease = self._log_connection, self._lease.number
        if connection and not connection.lost:
            self._write(connection, batch, lease, on_committed)
        else:
            self._write_when_ready(batch, lease, on_committed)

    async def aclose(self) -> None:
        connection, self._log_connection = self._log_connection, None
        if connection:
            await connection.close()

    def _write(self, connection: WireConnection, batch: Batch, lease: int, on_committed: OnCommitted) -> None:
        numbers, name, arguments = written(batch, lease)

        def answered(answer: PGresult | Error) -> None:
            if isinstance(answer, _CONFLICTS):
                self.on_refused(len(batch.rows))
                on_committed({})
            elif isinstance(answer, Error):
                on_committed(connection.fault(answer))
            else:
                drives = _drives(answer)
                if drives:
                    edits = LiveEdits(drives, batch.rows, batch.audited, batch.at)
                    self._feed.publish_live(edits, _transaction_id(answer))
                if refused := len(batch.rows) - len(drives):
                    self.on_refused(refused)
                on_committed({document_id: numbers[document_id] for document_id in drives})

        connection.ask(name, arguments, answered)

    def _write_when_ready(self, batch: Batch, lease: int, on_committed: OnCommitted) -> None:
        # INVARIANT: `lease` is that of when the batch was taken: a later one is for what is open then.
        async def write() -> None:
            try:
                self._write(await self._ready(), batch, lease, on_committed)
            except Exception as error:  # noqa: BLE001 - the caller handles it
                on_committed(error)

        task = asyncio.get_running_loop().create_task(write())
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    async def _ready(self) -> WireConnection:
        connection = self._log_connection
        if connection is None or connection.lost:
            await self.aclose()
            with translate_errors:
                async with acquire(self._writers):  # waits while the database is away for a moment
                    connection = self._log_connection = await WireConnection.open(self._writers, _PREPARED)
        return connection


def _drives(answer: PGresult) -> dict[str, str]:
    """Return the drives of the documents that the statement wrote to."""
    return {column_text(answer, row, 0): column_text(answer, row, 1) for row in range(answer.ntuples)}


def _transaction_id(answer: PGresult) -> int | None:
    return int(column_text(answer, 0, 2)) if answer.nfields > 2 else None


def written(batch: Batch, lease: int) -> tuple[dict[str, int], bytes, list[bytes]]:
    """Return the last number of each document once all is written, and the statement for it with its arguments."""
    numbers: dict[str, int] = {}
    places: dict[LiveAuthor, bytes] = {}
    documents: list[bytes] = []
    users: list[bytes] = []
    agents: list[bytes] = []
    by: list[bytes] = []
    sequences: list[bytes] = []
    updates: list[bytes] = []
    last: list[bytes] = []
    before: list[bytes] = []
    after: list[bytes] = []
    locks: list[bytes] = []
    for document_id in sorted(batch.rows):  # everybody locks them in this order, so that no two wait for each other
        number = batch.after[document_id]
        before.append(long(number))
        for author, update in batch.rows[document_id]:
            place = places.get(author)
            if place is None:
                place = places[author] = integer(len(places) + 1)
                document, user, agent = _whose(document_id, author.by.user_id, author.by.agent)
                documents.append(document)
                users.append(user)
                agents.append(agent)
            number += 1
            by.append(place)
            sequences.append(long(number))
            updates += (size(len(update)), update)
        numbers[document_id] = number
        last.append(by[-1])
        after.append(long(number))
        locks.append(_lock(document_id))
    arguments = [
        array(UUID_OID, documents),
        array(UUID_OID, users),
        array(TEXT_OID, agents),
        timestamptz(batch.at),
        array(INT4_OID, by),
        array(INT8_OID, sequences),
        array(BYTEA_OID, updates, len(by)),
        array(INT4_OID, last),
        array(INT8_OID, before),
        array(INT8_OID, after),
        array(INT8_OID, locks),
        lease.to_bytes(8),
    ]
    if lines := [places[author] for author in batch.audited if author in places]:
        return numbers, b"append_and_audit", [*arguments, array(INT4_OID, lines)]
    return numbers, b"append_updates", arguments


@lru_cache(10_000)
def _whose(document_id: str, user_id: str, agent: str | None) -> tuple[bytes, bytes, bytes]:
    return uuid_of(document_id), uuid_of(user_id), NULL if agent is None else with_length(agent.encode())


@lru_cache(10_000)
def _lock(document_id: str) -> bytes:
    return long(lock_key(document_id))
