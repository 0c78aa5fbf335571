"""Mends documents in which a client cut a surrogate pair in half before that was refused: the server reads them otherwise than editors.

What is stored of such a document is rewritten: both halves become U+FFFD, as in the copies of all editors that had it open. Its
clocks stay, so authors, versions and whatever builds on them stay, too.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from computing.jobs import MEND_PAIRS
from computing.runner import JobRunner
from persistence.postgres.connections import Connection, acquire, translate_errors
from persistence.postgres.locks import lock_key
from persistence.store import PostgresStore


class _Stored(NamedTuple):
    """The statements that read the stored bytes of a document, each with its place, and write those of one place."""

    read: str
    write: str


_STORED: Final = (
    _Stored(
        "select item_id::text, state from document_snapshot where item_id = %s::uuid",
        "update document_snapshot set state = %(state)s where item_id = %(item_id)s::uuid and item_id = %(place)s::uuid",
    ),
    _Stored(
        "select sequence, update from document_update where item_id = %s::uuid order by sequence",
        "update document_update set update = %(state)s where item_id = %(item_id)s::uuid and sequence = %(place)s",
    ),
    _Stored(
        "select number, state from document_version where item_id = %s::uuid and state is not null order by number",
        "update document_version set state = %(state)s where item_id = %(item_id)s::uuid and number = %(place)s",
    ),
)
# In UTF-8 a pair begins with one of these bytes; where there is none, no document is read.
_MAY_HOLD_PAIRS: Final = """
select item_id::text from (
    select item_id, state from document_snapshot
    union all select item_id, update from document_update
    union all select item_id, state from document_version where state is not null) stored
where position('\\xf0'::bytea in state) > 0 or position('\\xf1'::bytea in state) > 0 or position('\\xf2'::bytea in state) > 0
    or position('\\xf3'::bytea in state) > 0 or position('\\xf4'::bytea in state) > 0
group by item_id order by item_id"""
_LOCK: Final = "select pg_advisory_xact_lock(%s)"


async def mend_cut_pairs(store: PostgresStore, runner: JobRunner) -> Sequence[str]:
    """Return the ids of the documents that were mended. Can be done again."""

    async def ask(connection: Connection) -> list[str]:
        return [item_id for (item_id,) in await (await connection.execute(_MAY_HOLD_PAIRS)).fetchall()]

    found: list[str] = []
    with translate_errors:
        for item_id in await store.autocommit(ask):
            async with acquire(store.writers) as connection, connection.transaction():
                if await _mend(connection, item_id, runner):
                    found.append(item_id)
    return found


async def _mend(connection: Connection, item_id: str, runner: JobRunner) -> bool:
    await connection.execute(_LOCK, [lock_key(item_id)])
    await connection.execute(
        "set local idle_in_transaction_session_timeout = '60s'"
    )  # a large document is mended meanwhile
    rows = [
        (stored, place, state)
        for stored in _STORED
        for place, state in await (await connection.execute(stored.read, [item_id])).fetchall()
    ]
    states = [state for _, _, state in rows]
    made = await runner.run(MEND_PAIRS, "", "", states)
    for (stored, place, state), new in zip(rows, made or states, strict=True):
        if new != state:
            await connection.execute(stored.write, {"state": new, "item_id": item_id, "place": place})
    return made is not None
