"""Selects the part of a document's log to compact, and replaces it in one transaction.

INVARIANT: a log is compacted up to the end of a version, and never past one that the caller declares too young. The
number of its last update belongs to the item, and appends continue from it whatever happens to the rows.

Rows younger than a day stay beside their snapshot, back to the end of the version before them, so that the document
can be rebuilt as of any moment of that day. The next look at a document is scheduled beside its versions, so nothing
scans all documents.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Any, Final

from documents.history.attribution import Logged
from documents.history.compaction import Compacted, CompactionInput, VersionEnd
from documents.history.copied_text import decode_copied
from documents.history.credits import Source
from persistence.postgres.connections import Connection, acquire, is_lost, translate_errors
from persistence.statements import only_row
from persistence.store import PostgresStore

TAIL: Final = 1_000
KEPT: Final = timedelta(hours=24)
MAX_DUE: Final = 100  # documents of one turn
MAX_DELETED: Final = 10_000  # rows of one deletion
IDLE_ROWS: Final = 20  # rows from which on a document is compacted that nobody edited for that long

_DUE: Final = f"""
select item_id::text, sequence from compaction_due where due_at <= %s order by due_at limit {MAX_DUE}"""
_PUT_OFF: Final = "update compaction_due set due_at = %s where item_id = %s::uuid and sequence = %s"
# A version that ends meanwhile has another sequence, and the document is looked at again.
_AGAIN: Final = """
update compaction_due d set due_at = n.last + %(kept)s
from (select max(at) as last from document_update where item_id = %(item_id)s::uuid) n
where d.item_id = %(item_id)s::uuid and d.sequence = %(sequence)s and n.last + %(kept)s > %(now)s"""
_DONE: Final = """
delete from compaction_due where item_id = %(item_id)s::uuid and sequence = %(sequence)s and due_at <= %(now)s"""

# A very long log is compacted in parts; a part of the later rows is read to check that the document continues alike.
_PAST: Final = """
with begun as (
    select i.id as item_id, coalesce(s.sequence, 0) as begun
    from item i left join document_snapshot s on s.item_id = i.id where i.id = %(item_id)s::uuid),
ended as (
    select b.item_id, b.begun, coalesce(
        max(v.sequence) filter (where v.sequence <= b.begun + %(most)s), min(v.sequence)) as sequence
    from begun b join document_version v on v.item_id = b.item_id
    where v.sequence > b.begun and v.created_at <= %(before)s group by b.item_id, b.begun),
log as (
    select n.* from document_update n join ended e on n.item_id = e.item_id
    where n.sequence > e.begun and n.sequence <= e.sequence)
select e.sequence, e.begun, s.state, s.credits,
    n.updates, n.users, n.agents, n.ats, n.copied,
    (select array_agg(row(v.number, v.sequence) order by v.number) from document_version v
        where v.item_id = e.item_id and v.sequence > e.begun and v.sequence <= e.sequence),
    coalesce((
        select array[s.state] from document_version v
        where v.item_id = e.item_id and v.sequence = e.begun and v.state is null), (
        select array_agg(v.state order by v.number) from document_version v
        where v.item_id = e.item_id and v.sequence <= e.begun and v.number >= (
            select max(w.number) from document_version w
            where w.item_id = e.item_id and w.sequence <= e.begun and w.whole))),
    (select array_agg(n.update order by n.sequence) from document_update n
        where n.item_id = e.item_id and n.sequence > e.sequence and n.sequence <= e.sequence + %(tail)s)
from ended e left join document_snapshot s on s.item_id = e.item_id, (
    select array_agg(n.update order by n.sequence) as updates, array_agg(n.user_id::text order by n.sequence) as users,
        array_agg(n.agent order by n.sequence) as agents, array_agg(n.at order by n.sequence) as ats,
        array_agg(n.copied order by n.sequence) as copied
    from log n) n
where e.sequence - e.begun >= case
        when (select max(n.at) from document_update n where n.item_id = e.item_id) < %(young)s
        then least(%(rows)s, %(idle_rows)s) else %(rows)s end
    or (select sum(octet_length(n.update)) from log n) >= %(bytes)s"""

_LOCK: Final = "select pg_try_advisory_xact_lock(hashtextextended(%s, 0))"
_STANDS: Final = """
select coalesce(s.sequence, 0) from item i left join document_snapshot s on s.item_id = i.id
where i.id = %s::uuid for key share of i"""
# All stored rows, also those that the snapshot replaces.
_ROWS_FROM: Final = """
select coalesce(rows_from, sequence + 1) from document_snapshot where item_id = %s::uuid for update"""
_COUNT: Final = "select count(*) from document_update where item_id = %s::uuid and sequence > %s and sequence <= %s"
# The snapshot goes on from the end of a version that it was the state of.
_LEFT: Final = """
update document_version v set whole = true, state = s.state from document_snapshot s
where s.item_id = %s::uuid and v.item_id = s.item_id and v.sequence = s.sequence and v.state is null"""
_VERSION: Final = """
update document_version set whole = %s, state = %s where item_id = %s::uuid and number = %s and state is null"""
_SNAPSHOT: Final = """
insert into document_snapshot (item_id, sequence, state, credits, rows_from)
values (%(item_id)s::uuid, %(sequence)s, %(state)s, %(credits)s, %(rows_from)s)
on conflict (item_id) do update set sequence = excluded.sequence, state = excluded.state, credits = excluded.credits,
    rows_from = excluded.rows_from"""
# INVARIANT: it begins right after the end of a version, which is what those rows go on from, or at the first row.
_KEEP_FROM: Final = """
select greatest(%(rows_from)s, 1 + (
    select max(v.sequence) from document_version v where v.item_id = %(item_id)s::uuid and v.sequence < young.sequence))
from (
    select min(sequence) as sequence from document_update
    where item_id = %(item_id)s::uuid and sequence >= %(rows_from)s and sequence <= %(sequence)s and at >= %(young)s) young
where young.sequence is not null"""
# INVARIANT: rows before the first one that is there by what we know are never deleted: see `persistence.repair`.
_DELETE: Final = "delete from document_update where item_id = %s::uuid and sequence >= %s and sequence < %s"
_STANDS_FOR: Final = """
select sequence, rows_from from document_snapshot where item_id = %s::uuid and rows_from is not null for update"""
_MOVED: Final = "update document_snapshot set rows_from = %s where item_id = %s::uuid"


class CompactionLog:
    """A log is compacted from `rows` rows or `from_bytes` bytes on; about `most` updates are compacted at once.

    Reading 3,000 of them takes 40 ms of the loop's thread. `before` is the time up to which versions are compacted; rows
    a day older than that are no longer young.
    """

    def __init__(self, store: PostgresStore, *, rows: int, from_bytes: int, most: int = 3_000) -> None:
        self._store = store
        self._worth = {"rows": rows, "idle_rows": IDLE_ROWS, "bytes": from_bytes, "most": max(most, rows), "tail": TAIL}

    async def due(self, now: datetime) -> list[tuple[str, int]]:
        """Return some of the documents that are to be looked at by now, each with where its last version ended."""

        async def ask(connection: Connection) -> list[tuple[str, int]]:
            return await (await connection.execute(_DUE, [now], prepare=True)).fetchall()

        return await self._store.autocommit(ask)

    async def put_off(self, document_id: str, sequence: int, until: datetime) -> None:
        await self._do(_PUT_OFF, [until, document_id, sequence])

    async def looked_at(self, document_id: str, sequence: int, now: datetime, before: datetime) -> None:
        """Schedule the next look at the document for when its last row is a day old; where it is already, unschedule it."""
        values = {"item_id": document_id, "sequence": sequence, "now": now, "kept": KEPT + (now - before)}
        await self._do(_AGAIN, values)
        await self._do(_DONE, values)

    async def past(self, document_id: str, before: datetime) -> CompactionInput | None:
        """Return the part to compact, of versions made before then; None if it is still too small."""
        values = {"item_id": document_id, "before": before, "young": before - KEPT, **self._worth}

        row = await self._store.autocommit(lambda connection: only_row(connection, _PAST, values))
        if row is None:
            return None
        sequence, begun, snapshot, whose, updates, users, agents, ats, copied, versions, chain, later = row
        await asyncio.sleep(0)  # what is made of a long log keeps nobody else waiting
        sources = map(Source.of, users, agents, ats)
        log = tuple(map(Logged, updates, sources, map(decode_copied, copied)))
        await asyncio.sleep(0)
        return CompactionInput(
            sequence,
            snapshot,
            whose,
            log,
            tuple(VersionEnd(number, end - begun) for number, end in versions),
            tuple(chain or ()),
            tuple(later or ()),
        )

    async def keep(self, document_id: str, past: CompactionInput, made: Compacted, before: datetime) -> bool:
        """Replace the log with the result; return whether the log was unchanged."""
        with translate_errors:
            async with acquire(self._store.writers) as connection:
                try:
                    async with connection.transaction():
                        return await _kept(connection, document_id, past, made, before - KEPT)
                except _Stale:
                    return False
                except Exception as error:
                    if is_lost(error):
                        await connection.close()
                    raise

    async def delete_kept(self, document_id: str, before: datetime) -> bool:
        """Delete rows beside the snapshot that are older than a day; return whether there are more of them."""
        with translate_errors:
            async with acquire(self._store.writers) as connection, connection.transaction():
                return await _deleted(connection, document_id, before - KEPT)

    async def _do(self, statement: str, values: Any) -> None:
        async def act(connection: Connection) -> None:
            await connection.execute(statement.encode(), values)

        await self._store.autocommit(act)


class _Stale(Exception):  # noqa: N818 - not an error: another process was first
    pass


async def _kept(
    connection: Connection, document_id: str, past: CompactionInput, made: Compacted, young: datetime
) -> bool:
    if not await _locked(connection, document_id):
        return False
    stands = await _one(connection, _STANDS, [document_id])
    begun = past.sequence - len(past.log)
    if stands != begun or await _one(connection, _COUNT, [document_id, begun, past.sequence]) != len(past.log):
        return False
    rows_from = await _one(connection, _ROWS_FROM, [document_id]) or 1
    await connection.execute(_LEFT, [document_id])
    for version in made.versions:
        done = await connection.execute(_VERSION, [version.whole, version.state, document_id, version.number])
        connection.carried([version.state])
        if done.rowcount != 1:
            raise _Stale
    values = {"item_id": document_id, "sequence": past.sequence, "young": young, "rows_from": rows_from}
    keep_from = await _one(connection, _KEEP_FROM, values)
    kept = {"item_id": document_id, "sequence": past.sequence, "rows_from": keep_from}
    await connection.execute(_SNAPSHOT, {**kept, "state": made.state, "credits": made.credits})
    connection.carried([made.state, made.credits])
    await connection.execute(_DELETE, [document_id, rows_from, keep_from or past.sequence + 1])
    return True


async def _deleted(connection: Connection, document_id: str, young: datetime) -> bool:
    if not await _locked(connection, document_id):
        return False
    row = await (await connection.execute(_STANDS_FOR, [document_id])).fetchone()
    if row is None:
        return False
    sequence, rows_from = row
    values = {"item_id": document_id, "sequence": sequence, "young": young, "rows_from": rows_from}
    keep_from = await _one(connection, _KEEP_FROM, values) or sequence + 1
    until = min(keep_from, rows_from + MAX_DELETED)
    await connection.execute(_DELETE, [document_id, rows_from, until])
    await connection.execute(_MOVED, [until if until <= sequence else None, document_id])
    return bool(until < keep_from)


async def _locked(connection: Connection, document_id: str) -> bool:
    return bool(await _one(connection, _LOCK, [f"compaction {document_id}"]))


async def _one(connection: Connection, statement: str, values: Any) -> Any:
    row = await (await connection.execute(statement.encode(), values)).fetchone()
    return row[0] if row else None
