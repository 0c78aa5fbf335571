"""Checks at start whether the database was restored from another cluster, whose transactions mean nothing in this one."""

from typing import Final

from persistence.postgres.connections import acquire, translate_errors
from persistence.store import PostgresStore

# A visible transaction of this cluster is older than its next one, so a younger one is from another cluster. Its events
# would be delivered again and again: they are read by their numbers, as events from before transactions were kept are.
# A worker's progress in such a snapshot means nothing here: the worker looks at all documents once.
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
