"""Finds updates that no read asks for, since their numbers are not above their snapshot's, and appends them again.

Servers before revision 0008 of the schema wrote such rows: they remembered the last number of a log, and went on from it
after others had appended and compaction had deleted their rows. What was written so was acknowledged, and is complete.
"""

from typing import Final

from persistence.postgres.connections import Connection, acquire, translate_errors
from persistence.postgres.locks import lock_key
from persistence.store import PostgresStore

# Rows that a snapshot stands for are kept beside it on purpose while they are young: those from `rows_from` on.
_UNREAD: Final = "u.item_id = s.item_id and u.sequence < coalesce(s.rows_from, s.sequence + 1)"
_ARE_THERE: Final = f"""
select count(*) from document_snapshot s where exists (select from document_update u where {_UNREAD})"""
_ALL: Final = f"""
select u.item_id::text from document_snapshot s join document_update u on {_UNREAD} group by u.item_id order by u.item_id"""

_LOCK: Final = "select pg_advisory_xact_lock(%s)"
# They keep their order, authors and times. An audit entry for each author notifies the listeners of the document.
_APPEND_AGAIN: Final = f"""
with document as (
    select i.id, i.drive_id, i.sequence from item i where i.id = %(item_id)s::uuid for update),
unread as (
    delete from document_update u using document_snapshot s, document d
    where u.item_id = d.id and {_UNREAD} returning u.*),
appended as (
    insert into document_update (item_id, sequence, user_id, agent, at, update, copied)
    select u.item_id, d.sequence + row_number() over (order by u.sequence), u.user_id, u.agent, u.at, u.update, u.copied
    from unread u cross join document d),
audited as (
    insert into event (type, drive_id, item_id, user_id, agent, at, details)
    select 'documentEdited', d.drive_id, d.id, u.user_id, u.agent, max(u.at),
        jsonb_build_object('itemId', d.id, 'driveId', d.drive_id)
    from unread u cross join document d group by d.id, d.drive_id, u.user_id, u.agent),
numbered as (
    update item i set sequence = i.sequence + (select count(*) from unread) from document d where i.id = d.id)
select count(*) from unread"""


async def documents_with_unread_updates(store: PostgresStore) -> int:
    """Return in how many documents there are updates that no read asks for."""

    async def ask(connection: Connection) -> int:
        row = await (await connection.execute(_ARE_THERE)).fetchone()
        return int(row[0]) if row else 0

    return await store.autocommit(ask)


async def repair(store: PostgresStore) -> dict[str, int]:
    """Append again what no read asks for; return how many updates that was of each document. Can be done again."""

    async def ask(connection: Connection) -> list[str]:
        return [item_id for (item_id,) in await (await connection.execute(_ALL)).fetchall()]

    repaired: dict[str, int] = {}
    with translate_errors:
        for item_id in await store.autocommit(ask):
            async with acquire(store.writers) as connection, connection.transaction():
                await connection.execute(_LOCK, [lock_key(item_id)])
                row = await (await connection.execute(_APPEND_AGAIN, {"item_id": item_id})).fetchone()
            if row and row[0]:
                repaired[item_id] = row[0]
    return repaired
