"""Has a change of access answered when no process serves by what was true before it.

Who committed such a change asks, after it has closed what the change ends itself, which nodes have not: each says in its row up to
which snapshot of the database it has. A node that sleeps loses its lease within seconds, after which it stores and tells nothing.
One that is awake and still does not let go has its lease ended.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Protocol

import structlog

from persistence.node_lease import LATE, LEASE_SECONDS
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore

LOOK_SECONDS: Final = 0.25  # between two looks where no node rings
ACKNOWLEDGED: Final = "="  # what a node rings when it has let go
# An acknowledgement that is lost in a crash of the database is asked for again.
_HEARD: Final = f"""
with unlogged as materialized (select set_config('synchronous_commit', 'off', true)),
told as (update node set heard = %s::text::pg_snapshot from unlogged where id = %s returning id)
select pg_notify('codrive', '{ACKNOWLEDGED}') from told"""
_BEHIND: Final = f"""
select id, {LATE} from node where id <> %s and not pg_visible_in_snapshot(%s::text::xid8, heard)"""
_END: Final = "delete from node where id = any(%s)"
_log: Final = structlog.get_logger("persistence")


class OwnLease(Protocol):
    @property
    def number(self) -> int: ...

    async def end_late(self) -> None:
        """End the leases of others that were not renewed in time."""
        ...


class AccessBarrier:
    """The barrier of one process."""

    def __init__(self, store: PostgresStore, lease: OwnLease, lease_seconds: float = LEASE_SECONDS) -> None:
        self._store = store
        self._lease = lease
        self._lease_seconds = lease_seconds
        self._rung = asyncio.Event()

    def rung(self) -> None:
        """Look again: some node has let go."""
        self._rung.set()
        self._rung = asyncio.Event()

    async def acknowledge(self, snapshot: str) -> None:
        """Say that this process has let go of what those changes of access end that are visible in the snapshot."""
        await self._store.autocommit(partial(_execute, statement=_HEARD, values=[snapshot, self._lease.number]))

    async def passed(self, transaction: int) -> None:
        """Return when no other node serves by what was true before a change of access, which is committed."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._lease_seconds
        while True:
            rung = self._rung
            behind = await self._behind(transaction)
            if not behind:
                return
            if any(is_late for _, is_late in behind):
                await self._lease.end_late()
            elif loop.time() < deadline:
                await _within(LOOK_SECONDS, rung)
            else:
                await self._end([number for number, _ in behind])
                deadline = loop.time() + self._lease_seconds

    async def _end(self, numbers: list[int]) -> None:
        """End the leases of nodes that are awake; return when they know, by their own clocks, or are gone."""
        _log.error("nodes did not let go of what a change of access ended: they are taken for gone", leases=numbers)
        await self._store.autocommit(partial(_execute, statement=_END, values=[numbers]))
        await asyncio.sleep(self._lease_seconds)

    async def _behind(self, transaction: int) -> Sequence[tuple[int, bool]]:
        async def ask(connection: Connection) -> list[Any]:
            values = [self._lease.number, str(transaction)]
            return await (await connection.execute(_BEHIND.encode(), values, prepare=True)).fetchall()

        return await self._store.autocommit(ask)


async def _execute(connection: Connection, statement: str, values: Sequence[object]) -> None:
    await connection.execute(statement.encode(), values, prepare=True)


async def _within(seconds: float, rung: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(seconds):
            await rung.wait()
    except TimeoutError:
        return
