"""Admits a process to the others on its database, which must have some things in common; one that differs does not begin."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

from persistence.node_lease import LATE, Common
from persistence.postgres.connections import Connection, acquire, translate_errors
from persistence.postgres.installation import CannotStart
from persistence.postgres.migrations import ADMISSION, NEWEST
from persistence.store import PostgresStore

LOOK_SECONDS: Final = 0.5
_LOCK: Final = f"select pg_advisory_xact_lock({ADMISSION})"
_NEEDED: Final = "select oldest from schema_support where oldest > %s"
_OTHERS: Final = f"select id, renewed_at, host, pid, common from node where not ({LATE})"


class Admission:
    """`common` is asked once, while no other process begins; `told` says of a name how an operator knows what it is."""

    def __init__(self, store: PostgresStore, common: Callable[[], Awaitable[Common]], told: Mapping[str, str]) -> None:
        self._store = store
        self._ask = common
        self._told = told
        self.common: Common | None = None

    @asynccontextmanager
    async def admitted(self) -> AsyncIterator[Common]:
        """Keep others from beginning during the body; raises CannotStart beside processes that differ.

        One that died a moment ago is waited for: it does not renew its lease.
        """
        seen: dict[int, datetime] = {}
        while True:
            with translate_errors:
                async with acquire(self._store.writers) as connection, connection.transaction():
                    await connection.execute(_LOCK)
                    if await (await connection.execute(_NEEDED, [NEWEST])).fetchone():
                        raise CannotStart("a newer release changed the database meanwhile: start that release")
                    self.common = common = await self._ask() if self.common is None else self.common
                    differing = await self._differing(connection, common)
                    if not differing:
                        yield common
                        return
            for lease, renewed_at, what in differing:
                if seen.setdefault(lease, renewed_at) != renewed_at:
                    raise CannotStart(what)
            await asyncio.sleep(LOOK_SECONDS)

    async def _differing(self, connection: Connection, common: Common) -> list[tuple[int, datetime, str]]:
        """Return each process that differs, by its lease, with when it was renewed, and what to say of it."""
        rows: list[Any] = await (await connection.execute(_OTHERS.encode())).fetchall()
        found = []
        for lease, renewed_at, host, pid, theirs in rows:
            names = [what for name, what in self._told.items() if name in theirs and common.get(name) != theirs[name]]
            if names:
                who, what = f"process {pid} at {host}", " and ".join(names)
                say = f"a server that runs on this database ({who}) has another {what}: give all the same, or stop the others"
                found.append((lease, renewed_at, say))
        return found
