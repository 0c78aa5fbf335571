"""Appends the edits of open documents to their logs: a batch of them in one statement, which is one transaction.

The statement has a connection to itself, prepared, and gets its arguments as the database stores them: what the driver
does for one of many statements with arguments of any kind costs more than all else that is done for a keystroke.

An append names the number of the last update that its room has: the statement compares `item.sequence` with it and sets
it, which locks the row. So there are no gaps, a reader of a number reads all before it, and no room appends that has not
seen what others appended. A document whose number is another one, or that is gone, or that is edited under its lock, is
refused alone: nothing of it is written, and all of the others.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from struct import Struct
from typing import Final, Protocol
from uuid import UUID

from psycopg import Error, errors
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from domain.commit import LiveAuthor, LiveEdits, OnCommitted
from domain.errors import Unavailable
from persistence.commit_feed import CommitFeed
from persistence.postgres.connections import Connection, Pool, acquire, dedicated_connection, is_lost, translate_errors
from persistence.postgres.locks import key

# Two processes that write to the same documents in another order: nothing is written, and may be at the next try.
_CONFLICTS: Final = (errors.DeadlockDetected, errors.SerializationFailure)

# Who wrote comes once, and is named by its place: by each row, by each document for its last one, and for the audit.
# All of it was written at one moment, $4.
# INVARIANT: the number is compared in the update itself, which looks again where it had to wait for the row: a number that
# was read before would be that of then.
_APPEND: Final = """
prepare {name} (
    uuid[], uuid[], text[], timestamptz, int4[], int8[], bytea[], int4[], int8[], int8[], int8[]{audited_by}) as
with head as (
    update item set sequence = d.after,
        updated_at = greatest(updated_at, $4), updated_by_user = $2[d.last], updated_by_agent = $3[d.last]
    from unnest($8, $9, $10, $11) as d(last, before, after, lock)
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
    from unnest($12) as author join head on head.id = $1[author] join item i on i.id = head.id order by author)"""
# Few batches have an entry in the audit, and what is not asked for costs nothing.
_STATEMENTS: Final = {"append_updates": False, "append_and_audit": True}
_FINE: Final = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


def append_statement(name: str, *, audited: bool = False) -> str:
    """Return what prepares the statement; an `audited` one writes entries to the audit and tells its transaction."""
    if audited:
        return _APPEND.format(
            name=name, audited_by=", int4[]", audited=_AUDITED, transaction_id=", pg_current_xact_id()::text"
        )
    return _APPEND.format(name=name, audited_by="", audited="", transaction_id="")


class Batch(Protocol):
    """Updates as they came, each with its author, by the documents that they belong to, which are named by their ids.

    `after` is the number of the last update that is known of each of these documents; all of them have rows. Those who
    are `audited` have a line in the audit, too. `at` is when all of it was, in milliseconds since 1970.
    """

    @property
    def rows(self) -> Mapping[str, Sequence[tuple[LiveAuthor, bytes]]]: ...

    @property
    def after(self) -> Mapping[str, int]: ...

    @property
    def audited(self) -> Collection[LiveAuthor]: ...

    @property
    def at(self) -> int: ...


class UpdateLog:
    """The log of updates; `writers` is the pool of those who write otherwise, and knows where the database is.

    It keeps nothing of any document. What it commits is published to `feed` before `on_committed` is called.
    """

    def __init__(self, writers: Pool, feed: CommitFeed | None = None) -> None:
        self._writers = writers
        self._feed = feed or CommitFeed()
        self._line: _LogConnection | None = None
        self._getting_ready: set[asyncio.Task[None]] = set()

    def append(self, batch: Batch, on_committed: OnCommitted) -> None:
        """Commit the batch and call `on_committed`, once; one batch at a time.

        It gets Unavailable where the database is lost: whether the batch was committed is not known then. Where there is
        a connection, as there mostly is, no task is made for the batch.
        """
        line = self._line
        if line and not line.lost:
            self._write(line, batch, on_committed)
        else:
            self._write_when_ready(batch, on_committed)

    async def aclose(self) -> None:
        line, self._line = self._line, None
        if line:
            await line.close()

    def _write(self, line: "_LogConnection", batch: Batch, on_committed: OnCommitted) -> None:
        numbers, name, arguments = written(batch)

        def answered(answer: PGresult | Error) -> None:
            if isinstance(answer, _CONFLICTS):
                on_committed({})
            elif isinstance(answer, Error):
                on_committed(line.fault(answer))
            else:
                drives = _drives(answer)
                if drives:
                    edits = LiveEdits(drives, batch.rows, batch.audited, batch.at)
                    self._feed.publish_live(edits, _transaction_id(answer))
                on_committed({document_id: numbers[document_id] for document_id in drives})

        line.ask(name, arguments, answered)

    def _write_when_ready(self, batch: Batch, on_committed: OnCommitted) -> None:
        async def write() -> None:
            try:
                self._write(await self._ready(), batch, on_committed)
            except Exception as error:  # noqa: BLE001 - the caller handles it
                on_committed(error)

        task = asyncio.get_running_loop().create_task(write())
        self._getting_ready.add(task)
        task.add_done_callback(self._getting_ready.discard)

    async def _ready(self) -> "_LogConnection":
        line = self._line
        if line is None or line.lost:
            await self.aclose()
            with translate_errors:
                async with acquire(self._writers):  # which waits while the database is away for a moment
                    line = self._line = await _LogConnection.open(self._writers)
        return line


def _drives(answer: PGresult) -> dict[str, str]:
    """Return the drives of those documents that the statement wrote to, which are those that it names."""
    return {_text(answer, row, 0): _text(answer, row, 1) for row in range(answer.ntuples)}


def _transaction_id(answer: PGresult) -> int | None:
    return int(_text(answer, 0, 2)) if answer.nfields > 2 else None


def _text(answer: PGresult, row: int, column: int) -> str:
    return (answer.get_value(row, column) or b"").decode()


class _LogConnection:
    """The connection, one question at a time; its socket is listened to all the while."""

    def __init__(self, connection: Connection) -> None:
        self.lost = False
        self._connection = connection
        self._wire = connection.pgconn
        self._socket = self._wire.socket
        self._loop = asyncio.get_running_loop()
        self._result: PGresult | None = None
        self._answered: Callable[[PGresult | Error], None] | None = None
        self._loop.add_reader(self._socket, self._readable)

    @staticmethod
    async def open(writers: Pool) -> "_LogConnection":
        connection = await dedicated_connection(writers)
        for name, audited in _STATEMENTS.items():
            await connection.execute(append_statement(name, audited=audited))
        return _LogConnection(connection)

    def fault(self, error: Error) -> Exception:
        """Return what to tell of an error; a connection that is gone is left."""
        if not is_lost(error):
            return error
        self.leave()
        lost = Unavailable("the database was lost while edits were being committed")
        lost.__cause__ = error
        return lost

    def ask(self, name: bytes, arguments: Sequence[bytes], answered: Callable[[PGresult | Error], None]) -> None:
        """Have `answered` audited what comes back, or why nothing ever will."""
        self._answered = answered
        try:
            self._wire.send_query_prepared(name, arguments, param_formats=[1] * len(arguments))
            if self._wire.flush():
                self._loop.add_writer(self._socket, self._writable)
        except errors.OperationalError as error:
            self._broken(error)

    async def close(self) -> None:
        self.leave()
        await self._connection.close()

    def _writable(self) -> None:
        try:
            if not self._wire.flush():
                self._loop.remove_writer(self._socket)
        except errors.OperationalError as error:
            self._broken(error)

    def _readable(self) -> None:
        """Take what came. Where that was no answer, look again: of a connection that broke, the loop tells but once."""
        try:
            if not self._took_answer():
                self._took_answer()
        except errors.OperationalError as error:
            self._broken(error)

    def _took_answer(self) -> bool:
        self._wire.consume_input()
        while not self._wire.is_busy():
            result = self._wire.get_result()
            if result is None:
                return self._tell()
            self._result = result
        return False

    def _tell(self) -> bool:
        result, self._result = self._result, None
        answered, self._answered = self._answered, None
        if result and answered:
            answered(result if result.status in _FINE else errors.error_from_result(result))
        return result is not None

    def _broken(self, error: errors.OperationalError) -> None:
        self.leave()
        answered, self._answered = self._answered, None
        if answered:
            answered(error)

    def leave(self) -> None:
        if not self.lost:
            self.lost = True
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)


# How arrays are sent: the number of dimensions, whether nulls are among them, the type of what is in them, how many
# there are and where counting begins; then each, behind its length.
_UUID, _TEXT, _INT, _LONG, _BYTES = 2950, 25, 23, 20, 17
_head, _size, _int, _long, _moment = (Struct(form).pack for form in ("!iiIii", "!i", "!ii", "!iq", "!q"))
_NULL: Final = b"\xff\xff\xff\xff"
_BEGINNING: Final = 946_684_800_000  # milliseconds from 1970 to 2000, where Postgres counts from, in microseconds


def written(batch: Batch) -> tuple[dict[str, int], bytes, list[bytes]]:
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
        before.append(_long(8, number))
        for author, update in batch.rows[document_id]:
            place = places.get(author)
            if place is None:
                place = places[author] = _int(4, len(places) + 1)
                document, user, agent = _whose(document_id, author.by.user_id, author.by.agent)
                documents.append(document)
                users.append(user)
                agents.append(agent)
            number += 1
            by.append(place)
            sequences.append(_long(8, number))
            updates += (_size(len(update)), update)
        numbers[document_id] = number
        last.append(by[-1])
        after.append(_long(8, number))
        locks.append(_lock(document_id))
    arguments = [
        _array(_UUID, documents),
        _array(_UUID, users),
        _array(_TEXT, agents),
        _moment((batch.at - _BEGINNING) * 1000),
        _array(_INT, by),
        _array(_LONG, sequences),
        _array(_BYTES, updates, len(by)),
        _array(_INT, last),
        _array(_LONG, before),
        _array(_LONG, after),
        _array(_LONG, locks),
    ]
    if lines := [places[author] for author in batch.audited if author in places]:
        return numbers, b"append_and_audit", [*arguments, _array(_INT, lines)]
    return numbers, b"append_updates", arguments


def _array(kind: int, values: Sequence[bytes], count: int | None = None) -> bytes:
    return _head(1, 1, kind, len(values) if count is None else count, 1) + b"".join(values)


@lru_cache(10_000)
def _whose(document_id: str, user_id: str, agent: str | None) -> tuple[bytes, bytes, bytes]:
    return _uuid(document_id), _uuid(user_id), _NULL if agent is None else _sized(agent.encode())


@lru_cache(10_000)
def _lock(document_id: str) -> bytes:
    return _long(8, key(document_id))


def _uuid(written: str) -> bytes:
    return _sized(UUID(written).bytes)


def _sized(value: bytes) -> bytes:
    return _size(len(value)) + value
