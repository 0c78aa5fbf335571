"""Has a change of access answered when no process serves by what was true before it.

Who committed such a change asks, after it has closed what the change ends itself, which nodes have not: each says in its row up to
which snapshot of the database it has. A node that sleeps loses its lease within seconds, after which it stores and tells nothing.
One that is awake and still does not let go has its lease ended.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol

import structlog

from domain.errors import Unavailable
from persistence.audit_feed import ReadSnapshot
from persistence.node_lease import LATE, LEASE_SECONDS, end_sessions
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore

LOOK_SECONDS: Final = 0.25  # between two looks where no node rings
PATIENCE_SECONDS: Final = 30.0  # for a node that is awake: it may have thousands of sockets to look at
ACKNOWLEDGED: Final = "="  # what a node rings when it has let go
ASKED: Final = "?"  # what is rung where every node is to say how far it is
# An acknowledgement that is lost in a crash of the database is asked for again.
_HEARD: Final = f"""
with unlogged as materialized (select set_config('synchronous_commit', 'off', true)),
told as (update node set heard = %s::text::pg_snapshot from unlogged where id = %s returning id)
select pg_notify('codrive', '{ACKNOWLEDGED}') from told"""
_BEHIND: Final = f"""
select id, {LATE} from node where id <> %s and not pg_visible_in_snapshot(%s::text::xid8, heard)"""
_ASK: Final = f"select pg_current_xact_id()::text, pg_notify('codrive', '{ASKED}')"
_END: Final = "delete from node where id = any(%s) returning sessions"
_log: Final = structlog.get_logger("persistence")


def _ignored(seconds: float) -> None:
    del seconds


class OwnLease(Protocol):
    @property
    def number(self) -> int: ...

    async def end_late(self) -> None:
        """End the leases of others that were not renewed in time."""
        ...


class AccessBarrier:
    """The barrier of one process."""

    def __init__(
        self,
        store: PostgresStore,
        lease: OwnLease,
        patience: float = PATIENCE_SECONDS,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._store = store
        self._lease = lease
        self._patience = patience
        self._lease_seconds = lease_seconds
        self._rung = asyncio.Event()
        self.on_passed: Callable[[float], None] = (
            _ignored  # called with the seconds that a change waited for other nodes
        )

    def rung(self) -> None:
        """Look again: some node has let go."""
        self._rung.set()
        self._rung = asyncio.Event()

    async def acknowledge(self, read: ReadSnapshot) -> bool:
        """Say that this process has let go of what those changes of access end that are visible in the snapshot.

        Return False where the database may have crashed since that was read: it has to be read again.
        """
        return await self._store.autocommit(partial(_acknowledge, read=read, lease=self._lease.number))

    async def passed(self, transaction: int) -> None:
        """Return when no other node serves by what was true before a change of access, which is committed.

        A database that is lost meanwhile is waited for as nodes are; raises Unavailable where it stays away.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            await self._pass(str(transaction), but=self._lease.number)
            self.on_passed(loop.time() - begun)
        except Unavailable as fault:
            raise Unavailable(
                f"the change is made, but servers may go by what was before for some seconds: {fault}"
            ) from fault

    async def all_passed(self) -> None:
        """Return when no node, nor this one, serves by what was true before any change of access that is committed by now."""
        await self._pass(await self._ask(), but=0)

    async def _pass(self, transaction: str, but: int) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience
        while True:
            rung = self._rung
            try:
                behind = await self._behind(transaction, but)
                if not behind:
                    return
                if any(is_late for _, is_late in behind):
                    await self._lease.end_late()
                elif loop.time() >= deadline:
                    await self._end([number for number, _ in behind])
                    deadline = loop.time() + self._patience
                elif not await _within(LOOK_SECONDS, rung):
                    await self._ask()  # a ring, or what a node said of itself, may be lost with the database
            except Unavailable:
                if loop.time() >= deadline:
                    raise
                await _within(LOOK_SECONDS, rung)

    async def _end(self, numbers: list[int]) -> None:
        """End the leases of nodes that are awake; return when they know, by their own clocks, or are gone."""
        _log.error("nodes did not let go of what a change of access ended: they are taken for gone", leases=numbers)
        await self._store.autocommit(partial(_end, numbers=numbers))
        await asyncio.sleep(self._lease_seconds)

    async def _behind(self, transaction: str, but: int) -> Sequence[tuple[int, bool]]:
        return await self._store.autocommit(partial(_rows, statement=_BEHIND, values=[but, transaction]))

    async def _ask(self) -> str:
        """Have each node say how far it is; return a transaction that is newer than all that is committed."""
        return str((await self._store.autocommit(partial(_rows, statement=_ASK, values=[])))[0][0])


async def _acknowledge(connection: Connection, read: ReadSnapshot, lease: int) -> bool:
    # INVARIANT: a connection does not outlive a crash. Other changes may have the numbers then that were visible in the snapshot.
    if connection.opened_at > read.asked_at:
        return False
    await connection.execute(_HEARD.encode(), [read.snapshot, lease], prepare=True)
    return True


async def _rows(connection: Connection, statement: str, values: Sequence[object]) -> list[Any]:
    return await (await connection.execute(statement.encode(), values, prepare=True)).fetchall()


async def _end(connection: Connection, numbers: Sequence[int]) -> None:
    gone = await _rows(connection, _END, [numbers])
    await end_sessions(connection, [sessions for (sessions,) in gone])


async def _within(seconds: float, rung: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await rung.wait()
    except TimeoutError:
        return False
