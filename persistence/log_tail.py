"""Reads the ends of the logs of open documents, which other nodes wrote: of all that are asked for meanwhile in one statement."""

import asyncio
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from psycopg import Error
from psycopg.pq.abc import PGresult

from domain.document import DocumentLog, LoggedUpdate
from domain.errors import Unavailable
from domain.questions import LogOf
from persistence.postgres.binary_format import INT8_OID, UUID_OID, array, long, time_of, uuid_of
from persistence.postgres.connections import translate_errors
from persistence.postgres.wire import WireConnection
from persistence.store import PostgresStore

# One row for each update after the number, in their order, and one row without an update where there is none.
_TAILS: Final = """
prepare tails (uuid[], int8[]) as
select d.place, i.sequence, n.sequence, n.update, n.user_id::text, n.agent, n.at, n.copied
from unnest($1, $2) with ordinality as d(id, after, place)
join item i on i.id = d.id
left join document_update n on n.item_id = i.id and n.sequence > d.after and n.sequence <= i.sequence
order by d.place, n.sequence"""


@dataclass(frozen=True, slots=True)
class _Asked:
    document_id: str
    after: int
    answer: asyncio.Future[DocumentLog | None]


class LogTail:
    """A worker, which connects. The store answers while there is no connection, and where rows are gone."""

    every: float = 5.0

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self._connection: WireConnection | None = None
        self._waiting: list[_Asked] = []
        self._is_asking = False

    async def turn(self) -> None:
        if self._connection is None or self._connection.lost:
            await self.aclose()
            with translate_errors:
                try:
                    self._connection = await WireConnection.open(self._store.writers, [_TAILS])
                except TimeoutError as late:
                    raise Unavailable("the database does not answer") from late

    async def aclose(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            await connection.close()

    async def read(self, document_id: str, after: int) -> DocumentLog | None:
        """Answer `LogOf(document_id, after=after)`, but for who showed client ids."""
        connection = self._connection
        if connection and not connection.lost:
            asked = _Asked(document_id, after, asyncio.get_running_loop().create_future())
            self._waiting.append(asked)
            if not self._is_asking:
                self._ask(connection)
            if found := await asked.answer:
                return found
        return await self._store.read(LogOf(document_id, after=after))

    def _ask(self, connection: WireConnection) -> None:
        asked, self._waiting = self._waiting, []
        self._is_asking = bool(asked)
        if not asked:
            return

        def answered(answer: PGresult | Error) -> None:
            found = {} if isinstance(answer, Error) else _tails(answer, asked)
            for place, each in enumerate(asked, 1):
                if not each.answer.done():  # nobody waits where it is
                    each.answer.set_result(found.get(place))
            self._ask(connection)

        arguments = [
            array(UUID_OID, [uuid_of(each.document_id) for each in asked]),
            array(INT8_OID, [long(each.after) for each in asked]),
        ]
        connection.ask(b"tails", arguments, answered, binary=True)


def _tails(answer: PGresult, asked: list[_Asked]) -> dict[int, DocumentLog]:
    """Return the ends of logs that are whole, by the places of those that asked."""
    found = {}
    rows = [[answer.get_value(row, column) for column in range(answer.nfields)] for row in range(answer.ntuples)]
    for place, ends in groupby(rows, lambda row: int.from_bytes(row[0] or b"")):
        end = [*ends]
        sequence = int.from_bytes(end[0][1] or b"")
        log = tuple(_logged(row) for row in end if row[2] is not None)
        if len(log) == sequence - asked[place - 1].after:
            found[place] = DocumentLog(None, None, log, sequence)
    return found


def _logged(row: list[bytes | None]) -> LoggedUpdate:
    _, _, _, update, user, agent, at, copied = row
    return LoggedUpdate(
        update or b"", (user or b"").decode(), None if agent is None else agent.decode(), time_of(at or b""), copied
    )
