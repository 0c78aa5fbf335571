"""Keeps the key that signs cursors, so that a cursor is good at every process and after a restart."""

import secrets
from typing import Final

from persistence.postgres.connections import acquire, translate_errors
from persistence.store import PostgresStore

_BYTES: Final = 32
_MAKE: Final = "insert into cursor_key (key) values (%s) on conflict do nothing"


async def cursor_key(store: PostgresStore) -> bytes:
    """Return the key, which is made where there is none."""
    with translate_errors:
        async with acquire(store.writers) as connection:
            await connection.execute(_MAKE, (secrets.token_bytes(_BYTES),))
            row = await (await connection.execute("select key from cursor_key")).fetchone()
    if row is None:
        raise LookupError("the database has no key of cursors")
    return bytes(row[0])
