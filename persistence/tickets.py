"""Keeps tickets, like keys by their digests alone, so that each opens something once, at whichever node it is shown.

Their table is not logged: a crash of the database forgets them, and clients get others. Time is that of the database.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final

import msgspec

from domain import key, ticket
from domain.caller import Caller
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore

_ISSUE: Final = f"""
with over as (delete from ticket where expires_at < now())
insert into ticket (digest, opens, holder, expires_at)
values (%s, %s, %s, now() + interval '{ticket.LIFETIME.total_seconds()} seconds') returning expires_at"""
_TAKE: Final = "delete from ticket where digest = %s returning opens = %s and expires_at > now(), holder"


class TicketTable:
    def __init__(self, store: PostgresStore) -> None:
        self._store = store

    async def issue(self, holder: Caller, opens: str, secret: int) -> tuple[str, datetime]:
        """Return a ticket made of a fresh secret, and when it ends."""
        made = ticket.compose(secret)
        values = [key.digest(made), opens, msgspec.json.encode(holder)]
        return made, await self._store.autocommit(partial(_issue, values=values))

    async def take(self, shown: str, opens: str) -> Caller | None:
        """Return whose ticket it is, and let nobody use it again; None where it opens nothing."""
        holder = await self._store.autocommit(partial(_take, values=[key.digest(shown), opens]))
        return msgspec.json.decode(holder, type=Caller) if holder else None


async def _issue(connection: Connection, values: Sequence[object]) -> datetime:
    row = await (await connection.execute(_ISSUE.encode(), values, prepare=True)).fetchone()
    assert row is not None, "it was inserted"
    expires_at: datetime = row[0]
    return expires_at


async def _take(connection: Connection, values: Sequence[object]) -> bytes | None:
    row = await (await connection.execute(_TAKE, values, prepare=True)).fetchone()
    return bytes(row[1]) if row and row[0] else None
