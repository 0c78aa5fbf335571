"""How the edits of open documents are written: a batch of them in one statement, which is one transaction.

Numbers go on from the last of each document. Somebody else who appends to the same document at that moment would take
the same number: one of the two meets the key of `document_update` and is done again, so there are no gaps and whoever
sees a number sees all before it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol

from psycopg import errors

from domain.credit import Credit
from domain.errors import Unavailable
from persistence.connections import Connection, Pool, is_lost, lent, reaching

_TRIES: Final = 5
_CONFLICTS: Final = (errors.UniqueViolation, errors.SerializationFailure, errors.DeadlockDetected)

_APPEND: Final = """
with rows as materialized (
    select * from unnest(%(documents)s::uuid[], %(users)s::uuid[], %(agents)s::text[], %(moments)s::timestamptz[],
        %(updates)s::bytea[], %(told)s::bool[])
    with ordinality as r(item_id, user_id, agent, at, update, told, place)),
found as materialized (
    select i.id, i.drive_id, greatest(
        (select max(sequence) from document_update where item_id = i.id),
        (select sequence from document_snapshot where item_id = i.id), 0) as sequence
    from item i where i.id = any(%(documents)s::uuid[])),
written as (
    insert into document_update (item_id, sequence, user_id, agent, at, update)
    select r.item_id, f.sequence + row_number() over (partition by r.item_id order by r.place),
        r.user_id, r.agent, r.at, r.update
    from rows r join found f on f.id = r.item_id
    returning item_id, sequence),
credited as (
    insert into document_author (item_id, user_id, agent, edited_at)
    select r.item_id, r.user_id, coalesce(r.agent, ''), max(r.at)
    from rows r join found f on f.id = r.item_id group by 1, 2, 3
    on conflict (item_id, user_id, agent)
        do update set edited_at = greatest(document_author.edited_at, excluded.edited_at)),
touched as (
    update item set updated_at = greatest(item.updated_at, r.at), updated_by_user = r.user_id, updated_by_agent = r.agent
    from (select distinct on (item_id) item_id, user_id, agent, at from rows order by item_id, place desc) r
    where item.id = r.item_id),
told as (
    insert into event (type, drive_id, item_id, user_id, agent, at, details)
    select 'documentEdited', f.drive_id, f.id, r.user_id, r.agent, r.at,
        jsonb_build_object('itemId', f.id, 'driveId', f.drive_id)
    from rows r join found f on f.id = r.item_id where r.told order by r.place)
select item_id::text, max(sequence) from written group by 1"""


class Row(Protocol):
    """One update as it came; `told`: it has a line in the audit, too."""

    @property
    def document_id(self) -> str: ...

    @property
    def by(self) -> Credit: ...

    @property
    def at(self) -> datetime: ...

    @property
    def update(self) -> bytes: ...

    @property
    def told(self) -> bool: ...


class UpdateLog:
    """The log of updates, over the pool of those who write."""

    def __init__(self, writers: Pool) -> None:
        self._writers = writers

    async def append(self, rows: Sequence[Row]) -> Mapping[str, int]:
        """Commit the rows, and return the last number of each document; one that is not there is not in the answer.

        Raises Unavailable where the database is lost: whether the rows were committed is not known then.
        """
        arguments = {
            "documents": [row.document_id for row in rows],
            "users": [row.by.user_id for row in rows],
            "agents": [row.by.agent for row in rows],
            "moments": [row.at for row in rows],
            "updates": [row.update for row in rows],
            "told": [row.told for row in rows],
        }
        with reaching():
            async with lent(self._writers) as connection:
                for _ in range(_TRIES - 1):
                    try:
                        return await _append(connection, arguments)
                    except _CONFLICTS:
                        continue
                return await _append(connection, arguments)


async def _append(connection: Connection, arguments: Mapping[str, object]) -> Mapping[str, int]:
    cursor = connection.cursor(binary=True)
    try:
        await cursor.execute(_APPEND, arguments, prepare=True)
        return dict(await cursor.fetchall())
    except Exception as error:
        if is_lost(error):
            await connection.close()
            raise Unavailable("the database was lost while edits were being committed") from error
        raise
