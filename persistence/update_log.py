"""How the edits of open documents are written: a batch of them in one statement, which is one transaction.

The statement has a connection to itself, prepared, and gets its arguments as the database stores them: what the driver
does for one of many statements with arguments of any kind costs more than all else that is done for a keystroke.

Numbers go on from the last of each document, which is remembered. Somebody else who has appended to the same document,
or does at that moment, has taken the same number: one of the two meets the key of `document_update` and is done again,
so there are no gaps and whoever sees a number sees all before it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import lru_cache
from struct import pack
from typing import Final, Protocol
from uuid import UUID

from psycopg import errors
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from domain.credit import Credit
from domain.errors import Unavailable
from persistence.connections import Connection, Pool, apart, is_lost, lent, reaching

_TRIES: Final = 20  # with each failed one somebody else has gone ahead
# Somebody else has written to the document, or it is gone.
_CONFLICTS: Final = (
    errors.UniqueViolation,
    errors.ForeignKeyViolation,
    errors.SerializationFailure,
    errors.DeadlockDetected,
)

# Who wrote comes once, and is named by its place: by each row, by each document for its last one, and for the audit.
_APPEND: Final = """
prepare {name} (uuid[], uuid[], text[], timestamptz[], int4[], int8[], bytea[], int4[]{told_by}) as
with written as (
    insert into document_update (item_id, sequence, user_id, agent, at, update)
    select $1[r.author], r.sequence, $2[r.author], $3[r.author], $4[r.author], r.update
    from unnest($5, $6, $7) as r(author, sequence, update)),
credited as (
    insert into document_author (item_id, user_id, agent, edited_at)
    select a.item_id, a.user_id, coalesce(a.agent, ''), max(a.at)
    from unnest($1, $2, $3, $4) as a(item_id, user_id, agent, at) group by 1, 2, 3
    on conflict (item_id, user_id, agent)
        do update set edited_at = greatest(document_author.edited_at, excluded.edited_at)){told}
update item set updated_at = greatest(updated_at, $4[last]), updated_by_user = $2[last], updated_by_agent = $3[last]
from unnest($8) as last where id = $1[last]"""

_TOLD: Final = """,
told as (
    insert into event (type, drive_id, item_id, user_id, agent, at, details)
    select 'documentEdited', i.drive_id, i.id, $2[author], $3[author], $4[author],
        jsonb_build_object('itemId', i.id, 'driveId', i.drive_id)
    from unnest($9) as author join item i on i.id = $1[author] order by author)"""
# Few batches have a line for the audit, and what is not asked for costs nothing.
_STATEMENTS: Final = {"append_updates": ("", ""), "append_and_tell": (", int4[]", _TOLD)}
_NUMBERS: Final = """
prepare last_numbers (uuid[]) as
select i.id::text, greatest(
    (select max(sequence) from document_update where item_id = i.id),
    (select sequence from document_snapshot where item_id = i.id), 0)
from item i where i.id = any($1)"""
_MOST_NUMBERS: Final = 10_000  # documents whose last number is remembered


class Author(Protocol):
    """Who wrote in one document, and when, in milliseconds since 1970; `told`: that has a line in the audit, too.

    The same one is named once.
    """

    @property
    def by(self) -> Credit: ...

    @property
    def at(self) -> int: ...

    @property
    def told(self) -> bool: ...


type Batch = Mapping[str, Sequence[tuple[Author, bytes]]]
"""Updates as they came, each with its author, by the documents that they belong to."""


class UpdateLog:
    """The log of updates; `writers` is the pool of those who write otherwise, and knows where the database is."""

    def __init__(self, writers: Pool) -> None:
        self._writers = writers
        self._line: _Line | None = None

    async def append(self, batch: Batch) -> Mapping[str, int]:
        """Commit the batch, and return the last number of each document; one that is not there is not in the answer.

        Raises Unavailable where the database is lost: whether it was committed is not known then.
        """
        with reaching():
            for _ in range(_TRIES - 1):
                try:
                    return await self._append(batch)
                except _CONFLICTS:
                    continue
            return await self._append(batch)

    async def aclose(self) -> None:
        line, self._line = self._line, None
        if line:
            await line.close()

    async def _append(self, batch: Batch) -> Mapping[str, int]:
        line = self._line
        if line is None or line.lost:
            line = await self._reconnected()
        try:
            # A difference of the two would go over every number that is known.
            if unknown := [document_id for document_id in batch if document_id not in line.numbers]:
                await line.look_up(unknown)
            numbers, name, arguments = _written(batch, line.numbers)
            if numbers:
                await line.ask(name, arguments)
                line.numbers.update(numbers)
        except _CONFLICTS:
            line.numbers.clear()
            raise
        except Exception as error:
            if is_lost(error):
                await self.aclose()
                raise Unavailable("the database was lost while edits were being committed") from error
            raise
        except BaseException:  # nobody waits for the answer any more, which would be taken for the next one's
            await self.aclose()
            raise
        return numbers

    async def _reconnected(self) -> "_Line":
        await self.aclose()
        async with lent(self._writers):  # which waits while the database is away for a moment
            self._line = await _Line.open(self._writers)
        return self._line


class _Line:
    """The connection, one question at a time; its socket is listened to all the while.

    `numbers` are the last ones of documents, as far as is known here.
    """

    def __init__(self, connection: Connection) -> None:
        self.lost = False
        self.numbers: dict[str, int] = {}
        self._connection = connection
        self._wire = connection.pgconn
        self._socket = self._wire.socket
        self._loop = asyncio.get_running_loop()
        self._result: PGresult | None = None
        self._answer: asyncio.Future[PGresult] | None = None
        self._loop.add_reader(self._socket, self._readable)

    @staticmethod
    async def open(writers: Pool) -> "_Line":
        connection = await apart(writers)
        for name, (told_by, told) in _STATEMENTS.items():
            await connection.execute(_APPEND.format(name=name, told_by=told_by, told=told))
        await connection.execute(_NUMBERS)
        return _Line(connection)

    async def look_up(self, documents: Sequence[str]) -> None:
        """Get to know the last numbers of those of the documents that are there."""
        if len(self.numbers) > _MOST_NUMBERS:
            self.numbers.clear()
        result = await self.ask("last_numbers", [_array(_UUID, [*map(_uuid, documents)])])
        for row in range(result.ntuples):
            self.numbers[(result.get_value(row, 0) or b"").decode()] = int(result.get_value(row, 1) or 0)

    async def ask(self, name: str, arguments: Sequence[bytes]) -> PGresult:
        self._answer = self._loop.create_future()
        self._wire.send_query_prepared(name.encode(), arguments, param_formats=[1] * len(arguments))
        while self._wire.flush():
            await self._writable()
        result = await self._answer
        if result.status not in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
            raise errors.error_from_result(result)
        return result

    async def close(self) -> None:
        self._leave()
        await self._connection.close()

    async def _writable(self) -> None:
        writable = asyncio.Event()
        self._loop.add_writer(self._socket, writable.set)
        try:
            await writable.wait()
        finally:
            self._loop.remove_writer(self._socket)

    def _readable(self) -> None:
        """Take what came. Where that was no answer, look again: of a connection that broke, the loop tells but once."""
        try:
            if not self._took_answer():
                self._took_answer()
        except errors.OperationalError as error:
            self._leave()
            if self._answer and not self._answer.done():
                self._answer.set_exception(error)

    def _took_answer(self) -> bool:
        self._wire.consume_input()
        while not self._wire.is_busy():
            result = self._wire.get_result()
            if result is None:
                return self._answered()
            self._result = result
        return False

    def _answered(self) -> bool:
        result, self._result = self._result, None
        if result and self._answer and not self._answer.done():
            self._answer.set_result(result)
        return result is not None

    def _leave(self) -> None:
        if not self.lost:
            self.lost = True
            self._loop.remove_reader(self._socket)


# How arrays are sent: the number of dimensions, whether nulls are among them, the type of what is in them, how many
# there are and where counting begins; then each, behind its length.
_UUID, _TEXT, _MOMENT, _INT, _LONG, _BYTES = 2950, 25, 1184, 23, 20, 17
_NULL: Final = b"\xff\xff\xff\xff"
_BEGINNING: Final = 946_684_800_000  # milliseconds from 1970 to 2000, where Postgres counts from, in microseconds


def _written(batch: Batch, before: Mapping[str, int]) -> tuple[dict[str, int], str, list[bytes]]:
    """Return how the numbers of the documents that are there go on, and the statement for it with its arguments."""
    numbers: dict[str, int] = {}
    places: dict[Author, bytes] = {}
    documents: list[bytes] = []
    users: list[bytes] = []
    agents: list[bytes] = []
    moments: list[bytes] = []
    by: list[bytes] = []
    sequences: list[bytes] = []
    updates: list[bytes] = []
    last: list[bytes] = []
    told: list[bytes] = []
    for document_id, rows in batch.items():
        if document_id not in before:
            continue
        number = before[document_id]
        for author, update in rows:
            place = places.get(author)
            if place is None:
                place = places[author] = pack("!ii", 4, len(places) + 1)
                document, user, agent = _whose(document_id, author.by.user_id, author.by.agent)
                documents.append(document)
                users.append(user)
                agents.append(agent)
                moments.append(pack("!iq", 8, (author.at - _BEGINNING) * 1000))
                if author.told:
                    told.append(place)
            number += 1
            by.append(place)
            sequences.append(pack("!iq", 8, number))
            updates += (pack("!i", len(update)), update)
        numbers[document_id] = number
        last.append(by[-1])
    arguments = [
        _array(_UUID, documents),
        _array(_UUID, users),
        _array(_TEXT, agents),
        _array(_MOMENT, moments),
        _array(_INT, by),
        _array(_LONG, sequences),
        pack("!iiIii", 1, 0, _BYTES, len(by), 1) + b"".join(updates),
        _array(_INT, last),
    ]
    if told:
        return numbers, "append_and_tell", [*arguments, _array(_INT, told)]
    return numbers, "append_updates", arguments


def _array(kind: int, values: Sequence[bytes]) -> bytes:
    return pack("!iiIii", 1, 1, kind, len(values), 1) + b"".join(values)


@lru_cache(10_000)
def _whose(document_id: str, user_id: str, agent: str | None) -> tuple[bytes, bytes, bytes]:
    return _uuid(document_id), _uuid(user_id), _NULL if agent is None else _sized(agent.encode())


def _uuid(written: str) -> bytes:
    return _sized(UUID(written).bytes)


def _sized(value: bytes) -> bytes:
    return pack("!i", len(value)) + value
