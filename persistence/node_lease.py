"""The lease of this process, which is a node among others on its database: who has none writes and tells nothing.

A lease is a row of `node`, and its number is never used again. It is renewed every two seconds. Where it was not for six, by the
database's clock, any other node may delete it, and go on as if the process were gone: an append under it writes nothing, and one
that is under way is waited for. Then that node ends the connections of the process, which may hold locks while it sleeps. Four
seconds after a renewal, by its own clock, the process tells nothing before it has renewed the lease again, and lets go of everything
where it cannot within another second.

The node with the lowest number leads: it does what is to be done once for a database. Who begins has a higher one than all others.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial
from math import inf
from os import getpid
from socket import gethostname
from time import monotonic
from typing import Any, Final

import msgspec
import structlog
from psycopg import Error, errors
from psycopg.pq.abc import PGresult

from domain.errors import Unavailable
from persistence.postgres.connections import Connection, translate_errors
from persistence.postgres.migrations import NEWEST
from persistence.postgres.wire import WireConnection, column_text
from persistence.store import PostgresStore

LEASE_SECONDS: Final = 6.0  # by the clock of the database, after which others may end a lease that is not renewed
OWN_SECONDS: Final = 4.0  # by the clock of the process, which only has to run about as fast
LAST_SECONDS: Final = 1.0  # in which it is renewed then, or everything is let go of
RENEWAL_SECONDS: Final = 2.0
_PATIENCE: Final = 2.0  # seconds for an answer of the database
LATE: Final = f"renewed_at < clock_timestamp() - interval '{LEASE_SECONDS} seconds'"
_PREPARED: Final = (
    """
prepare take_lease (text, int8, text, text, text) as
insert into node (host, pid, revision, common, sessions) values ($1, $2, $3, $4::jsonb, $5)
returning id, (select count(*) from node), heard::text""",
    f"""
prepare renew_lease (int8) as
with renewed as (update node set renewed_at = clock_timestamp() where id = $1 returning id)
select (select count(*) from renewed), count(*) filter (where id <> $1 and {LATE}), string_agg(id::text, ' ') filter (where id <> $1)
from node""",
    "prepare end_lease (int8) as delete from node where id = $1",
)
_EVICT: Final = f"delete from node where {LATE} returning id, sessions"
_END_SESSIONS: Final = """
select pg_terminate_backend(pid) from pg_stat_activity
where application_name = any(%s) and datname = current_database() and pid <> pg_backend_pid()"""
_log: Final = structlog.get_logger("persistence")


type Common = Mapping[str, str]
"""What a process has in common with all others on the database, by its name; of secrets a digest."""

type Admitted = Callable[[], AbstractAsyncContextManager[Common]]
"""Keeps other processes from beginning meanwhile; raises CannotStart beside those that this one may not be with."""


def _alone() -> AbstractAsyncContextManager[Common]:
    return nullcontext({})


async def _nothing() -> None: ...


def _ignored(others: Collection[int]) -> None:
    del others


class NodeLease:
    """A worker. `seconds` without a renewal end the lease by the clock of this process, infinite where no other can be there.

    `on_lost` lets go of all that is open. It is called when the lease is lost, and again when there is another one. `on_renewed` is
    called with the numbers of all others.
    """

    every: float = RENEWAL_SECONDS

    def __init__(
        self,
        store: PostgresStore,
        seconds: float = OWN_SECONDS,
        clock: Callable[[], float] = monotonic,
        admitted: Admitted = _alone,
    ) -> None:
        self.number = 0
        self.taken_at = ""  # the snapshot of the database in which the first lease was taken
        self.has_others = False  # as far as is known
        self.others = 0  # how many there were when that was asked last
        self.losses = 0  # how often everything was closed since others may have taken this process for gone
        self._leading = asyncio.Event()  # it was the lowest of all when that was asked last
        self.on_lost: Callable[[], Coroutine[Any, Any, None]] = _nothing
        self.on_renewed: Callable[[Collection[int]], None] = _ignored
        self._store = store
        self._seconds = seconds
        self._clock = clock
        self._admitted = admitted
        self._ends = 0.0
        self._connection: WireConnection | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._looking: asyncio.Task[None] | None = None
        self._turns = asyncio.Lock()

    @property
    def is_held(self) -> bool:
        """Whether nobody can have ended the lease, by the clock of this process."""
        return self._clock() < self._ends

    @property
    def leads(self) -> bool:
        """Whether this process leads the others, as far as is known."""
        return self._leading.is_set() and self.is_held

    async def begin(self) -> None:
        """Take a lease; raises Unavailable where the database is away, and CannotStart where this process is not admitted."""
        async with self._admitted() as common:
            told = msgspec.json.encode(common).decode()
            begun = self._clock()
            answer = await self._ask(b"take_lease", gethostname(), getpid(), NEWEST, told, self._store.sessions)
        self.number, self.others = int(column_text(answer, 0, 0)), int(column_text(answer, 0, 1))
        self.has_others = bool(self.others)
        self.taken_at = self.taken_at or column_text(answer, 0, 2)
        self._renewed(begun)
        if self._seconds == inf:
            self._leading.set()

    async def turn(self) -> None:
        async with self._turns:
            await self._renew()

    async def confirm(self) -> bool:
        """Whether others still wait for this process; raises Unavailable where it cannot know.

        Where they do not, all is closed that was open.
        """
        if not self.is_held:
            async with self._turns:
                if not self.is_held:
                    await self._renew()
        return self.is_held

    async def lead(self) -> None:
        """Return when this process leads the others; raises Unavailable where it cannot know.

        Two may lead for a moment, where one of them slept in the middle of its work.
        """
        while True:
            await self._leading.wait()
            if await self.confirm() and self._leading.is_set():
                return

    async def _renew(self) -> None:
        """Renew the lease, or take another where somebody ended it, and end those that are late."""
        begun = self._clock()
        answer = await self._ask(b"renew_lease", self.number)
        others = frozenset(map(int, column_text(answer, 0, 2).split()))
        self.has_others, self.others = bool(others), len(others)
        self.on_renewed(others)
        if column_text(answer, 0, 0) == "1":
            self._renewed(begun)
            self._lead(is_first=self._seconds == inf or self.number < min(others, default=inf))
        else:
            _log.error("others took this node for gone: everything is closed, and opened again", lease=self.number)
            self.number, self._ends = 0, 0.0
            self.losses += 1
            self._lead(is_first=False)
            await self.on_lost()
            await self.begin()
            await self.on_lost()  # what was opened meanwhile: nobody waited for it to hear of a change of access
        if column_text(answer, 0, 1) != "0":
            await self.end_late()

    async def end_late(self) -> None:
        """End the leases of others that were not renewed in time."""
        await self._store.autocommit(_evict)

    async def aclose(self) -> None:
        """End the lease, so that nobody waits for it."""
        if self._timer:
            self._timer.cancel()
        if self._looking:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        if self.number:
            with suppress(Unavailable, Error):  # it ends by itself
                await self._ask(b"end_lease", self.number)
        if self._connection:
            await self._connection.close()

    def _lead(self, *, is_first: bool) -> None:
        if is_first and not self._leading.is_set():
            _log.info("this node leads the others", lease=self.number)
            self._leading.set()
        elif not is_first:
            self._leading.clear()

    def _renewed(self, begun: float) -> None:
        self._ends = begun + self._seconds
        if self._timer:
            self._timer.cancel()
        if self._seconds < inf:
            self._timer = asyncio.get_running_loop().call_later(self._ends - self._clock(), self._late)

    def _late(self) -> None:
        self._looking = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        """Renew the lease in the last moment, or let go of everything."""
        with suppress(Unavailable, TimeoutError):
            async with asyncio.timeout(LAST_SECONDS):
                await self.confirm()
        if not self.is_held:
            _log.error("the lease could not be renewed: everything is closed", lease=self.number)
            self.losses += 1
            await self.on_lost()

    async def _ask(self, name: bytes, *arguments: int | str) -> PGresult:
        answered: asyncio.Future[PGresult | Error] = asyncio.get_running_loop().create_future()
        with translate_errors:
            connection = await self._connected()
            connection.ask(name, [_binary(each) for each in arguments], partial(_answer, answered))
            try:
                answer = await asyncio.wait_for(answered, _PATIENCE)
            except BaseException as error:
                await connection.close()
                if isinstance(error, TimeoutError):
                    raise Unavailable("the database does not answer") from error
                raise
        if isinstance(answer, Error):
            raise connection.fault(answer)
        return answer

    async def _connected(self) -> WireConnection:
        connection = self._connection
        if connection is None or connection.lost:
            try:
                connection = self._connection = await WireConnection.open(self._store.writers, _PREPARED)
            except TimeoutError as late:
                raise Unavailable("the database does not answer") from late
        return connection


def _binary(argument: int | str) -> bytes:
    return argument.encode() if isinstance(argument, str) else argument.to_bytes(8)


def _answer(answered: asyncio.Future[PGresult | Error], answer: PGresult | Error) -> None:
    if not answered.done():
        answered.set_result(answer)


async def _evict(connection: Connection) -> None:
    found = await (await connection.execute(_EVICT.encode())).fetchall()
    if found:
        _log.warning("nodes that did not renew their leases are taken for gone", leases=[row[0] for row in found])
        await end_sessions(connection, [row[1] for row in found])


async def end_sessions(connection: Connection, names: Sequence[str]) -> None:
    """End the connections with these names, and so give back what they locked.

    Those of nodes that lost their leases: a connection of a process that sleeps lives as long as that, and what it was to do is done
    by others.
    """
    try:
        await connection.execute(_END_SESSIONS.encode(), [[name for name in names if name]])
    except errors.InsufficientPrivilege as error:  # where the role is not that of the connections
        _log.warning("the connections of nodes that are gone were not ended", error=str(error))
