"""Checks at start whether the database was restored from another cluster, whose transactions mean nothing in this one."""

from typing import Final

from persistence.postgres.connections import acquire, translate_errors
from persistence.store import PostgresStore

# No transaction that is visible to us can be as young as the next one of this cluster. What is told of by transactions
# of another would be news again and again: it is told by its numbers, as events from before transactions were kept are.
# How far workers had come by such a snapshot says nothing here: they look at all documents once.
_RESET: Final = """
with reset as (
    update event set transaction_id = '0', snapshot = null
    where transaction_id > '0' and exists (
        select from event where transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))
    returning sequence)
delete from worker_progress where exists (select from reset)
    or pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(pg_current_snapshot())"""


async def reset_restored(store: PostgresStore) -> None:
    """Call it before anybody reads the audit as a feed; where nothing was restored it costs one look at an index."""
    with translate_errors:
        async with acquire(store.writers) as connection, connection.transaction():
            await connection.execute("set local statement_timeout = 0")
            await connection.execute(_RESET)
