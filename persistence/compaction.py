"""What of a document's log may be compacted, and how what came of it takes the place of the log: all of it or nothing.

INVARIANT: a log is compacted up to the end of a version, and never past one that whoever asks says is too young. The number
of its last update is no concern of compaction: it is the item's, and appends go on from it whatever became of the rows.
"""

from datetime import datetime
from typing import Any, Final

from documents.attribution import Logged
from documents.compaction import Compacted, Ended, Past
from documents.credits import Source
from persistence.connections import Connection, is_lost, lent, reaching
from persistence.store import PostgresStore

TAIL: Final = 1_000

# There are no gaps in a log, so its numbers count it.
_LONG: Final = """
select v.item_id::text from (select item_id, max(sequence) as sequence from document_version group by item_id) v
left join document_snapshot s on s.item_id = v.item_id
where v.sequence - coalesce(s.sequence, 0) >= %(rows)s"""

# Of a very long log, as much at once as is bounded; and of what comes later, as much as shows that it goes on alike.
_PAST: Final = """
with begun as (
    select i.id as item_id, coalesce(s.sequence, 0) as begun
    from item i left join document_snapshot s on s.item_id = i.id where i.id = %(item_id)s::uuid),
ended as (
    select b.item_id, b.begun, coalesce(
        max(v.sequence) filter (where v.sequence <= b.begun + %(most)s), min(v.sequence)) as sequence
    from begun b join document_version v on v.item_id = b.item_id
    where v.sequence > b.begun and v.created_at < %(before)s group by b.item_id, b.begun),
log as (
    select n.* from document_update n join ended e on n.item_id = e.item_id
    where n.sequence > e.begun and n.sequence <= e.sequence)
select e.sequence, e.begun, s.state, s.credits,
    (select array_agg(row(n.update, n.user_id::text, n.agent, n.at) order by n.sequence) from log n),
    (select array_agg(row(v.number, v.sequence) order by v.number) from document_version v
        where v.item_id = e.item_id and v.sequence > e.begun and v.sequence <= e.sequence),
    (select array_agg(v.state order by v.number) from document_version v
        where v.item_id = e.item_id and v.sequence <= e.begun and v.number >= (
            select max(w.number) from document_version w
            where w.item_id = e.item_id and w.sequence <= e.begun and w.whole)),
    (select array_agg(n.update order by n.sequence) from document_update n
        where n.item_id = e.item_id and n.sequence > e.sequence and n.sequence <= e.sequence + %(tail)s)
from ended e left join document_snapshot s on s.item_id = e.item_id
where e.sequence - e.begun >= %(rows)s or (select sum(octet_length(n.update)) from log n) >= %(bytes)s"""

_LOCK: Final = "select pg_try_advisory_xact_lock(hashtextextended(%s, 0))"
_STANDS: Final = """
select coalesce(s.sequence, 0) from item i left join document_snapshot s on s.item_id = i.id
where i.id = %s::uuid for key share of i"""
_VERSION: Final = """
update document_version set whole = %s, state = %s where item_id = %s::uuid and number = %s and state is null"""
_SNAPSHOT: Final = """
insert into document_snapshot (item_id, sequence, state, credits) values (%s::uuid, %s, %s, %s)
on conflict (item_id) do update set sequence = excluded.sequence, state = excluded.state, credits = excluded.credits"""
_DELETE: Final = "delete from document_update where item_id = %s::uuid and sequence <= %s"


class CompactionLog:
    """`rows` and `from_bytes` say from when on it is worth it; about `most` updates are compacted at once."""

    def __init__(self, store: PostgresStore, *, rows: int, from_bytes: int, most: int = 50_000) -> None:
        self._store = store
        self._worth = {"rows": rows, "bytes": from_bytes, "most": most, "tail": TAIL}

    async def long(self) -> set[str]:
        """Return the documents with many updates that belong to versions."""

        async def ask(connection: Connection) -> set[str]:
            rows = await (await connection.execute(_LONG, self._worth)).fetchall()
            return {item_id for (item_id,) in rows}

        return await self._store.reading(ask)

    async def past(self, document_id: str, before: datetime) -> Past | None:
        """Return what is to be compacted, of versions made before then; nothing where it is not worth it yet."""
        values = {"item_id": document_id, "before": before, **self._worth}

        async def ask(connection: Connection) -> Any:
            return await (await connection.cursor(binary=True).execute(_PAST, values)).fetchone()

        row = await self._store.reading(ask)
        if row is None:
            return None
        sequence, begun, snapshot, whose, log, versions, chain, later = row
        return Past(
            sequence,
            snapshot,
            whose,
            tuple(Logged(update, Source.of(user_id, agent, at)) for update, user_id, agent, at in log),
            tuple(Ended(number, end - begun) for number, end in versions),
            tuple(chain or ()),
            tuple(later or ()),
        )

    async def keep(self, document_id: str, past: Past, made: Compacted) -> bool:
        """Put what was made in the place of the log; whether it still was what was to be compacted."""
        with reaching():
            async with lent(self._store.writers) as connection:
                try:
                    async with connection.transaction():
                        return await _kept(connection, document_id, past, made)
                except _Stale:
                    return False
                except Exception as error:
                    if is_lost(error):
                        await connection.close()
                    raise


class _Stale(Exception):  # noqa: N818 - nothing is wrong: somebody else was there first
    pass


async def _kept(connection: Connection, document_id: str, past: Past, made: Compacted) -> bool:
    locked = await (await connection.execute(_LOCK, [f"compaction {document_id}"])).fetchone()
    stands = await (await connection.execute(_STANDS, [document_id])).fetchone()
    if locked != (True,) or stands != (past.sequence - len(past.log),):
        return False
    for version in made.versions:
        done = await connection.execute(_VERSION, [version.whole, version.state, document_id, version.number])
        if done.rowcount != 1:
            raise _Stale
    await connection.execute(_SNAPSHOT, [document_id, past.sequence, made.state, made.credits])
    gone = await connection.execute(_DELETE, [document_id, past.sequence])
    if gone.rowcount != len(past.log):
        raise _Stale
    return True
