"""Stores the public address of the server at its start, for commands that run beside it."""

from typing import Final

from persistence.postgres.connections import acquire, translate_errors
from persistence.store import PostgresStore

_NOTE: Final = """
insert into service_origin (origin) values (%s)
on conflict (single) do update set origin = excluded.origin where service_origin.origin <> excluded.origin"""


async def note_origin(store: PostgresStore, origin: str) -> None:
    """Note where people reach the server that starts now; an earlier one is forgotten."""
    with translate_errors:
        async with acquire(store.writers) as connection:
            await connection.execute(_NOTE, (origin,))


async def noted_origin(store: PostgresStore) -> str | None:
    """Return the origin of the server that started last; None where there was none."""
    with translate_errors:
        async with acquire(store.readers) as connection:
            row = await (await connection.execute("select origin from service_origin")).fetchone()
    return None if row is None else str(row[0])
