"""A change of access, which is answered when every node has let go of what it ends, or has lost its lease."""

import asyncio
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from math import inf

import psycopg
import pytest

from domain.errors import Unavailable
from domain.item import ItemRenamed
from domain.questions import AccountOf
from domain.trash import ItemTrashed
from graphql_api.ports import LockScope
from persistence.access_barrier import PATIENCE_SECONDS, AccessBarrier
from persistence.audit_feed import AuditFeed
from persistence.node_lease import NodeLease
from persistence.store import PostgresStore
from tests.persistence.seeds import ADA, DRIVE, FOLDERS, PEOPLE, A, write
from tests.support.processes.servers import PATIENCE

LATE = "update node set renewed_at = renewed_at - interval '7 seconds' where id = %s"
TRASHED = ItemTrashed(A, DRIVE)


class Node:
    """A process that lets go of what a change ends once it `may`; `letting_go` from when it has begun to."""

    def __init__(self, store, lease, patience):
        self.store, self.lease = store, lease
        self.barrier = AccessBarrier(store, lease, patience, lease_seconds=0.0)
        self.audit = AuditFeed(store, acknowledge=self.barrier.acknowledge, since=lease.taken_at)
        self.letting_go, self.may = asyncio.Event(), asyncio.Event()
        store.feed.barrier = self.barrier
        store.feed.subscribe(self.let_go)

    async def let_go(self, commit):
        if not commit.is_local:
            self.letting_go.set()
            await self.may.wait()


@asynccontextmanager
async def node(store, patience=PATIENCE_SECONDS):
    async with AsyncExitStack() as stack:
        mine = await stack.enter_async_context(PostgresStore(store.url, readers=2, writers=1))
        lease = await stack.enter_async_context(aclosing(NodeLease(mine, inf)))
        await lease.begin()
        yield Node(mine, lease, patience)


@pytest.fixture
async def seeded(store):
    await write(store, *PEOPLE, *FOLDERS)
    return store


@pytest.fixture
async def one(seeded):
    async with node(seeded) as made:
        yield made


@pytest.fixture
async def other(seeded):
    async with node(seeded) as made:
        yield made


async def leases(store):
    async def ask(connection):
        return {row[0] for row in await (await connection.execute("select id from node")).fetchall()}

    return await store.autocommit(ask)


async def test_a_change_of_access_is_answered_when_the_other_node_has_let_go(one, other):
    changing = asyncio.create_task(write(one.store, TRASHED))
    async with asyncio.timeout(PATIENCE):
        while not other.letting_go.is_set():
            reading = asyncio.create_task(other.audit.turn())
            await asyncio.wait([reading, asyncio.create_task(other.letting_go.wait())], return_when="FIRST_COMPLETED")
    assert not changing.done()
    other.may.set()
    await reading
    one.barrier.rung()
    await changing


async def test_what_was_acknowledged_is_answered_at_once_and_the_next_change_is_not(one, other):
    other.may.set()
    for _ in range(2):
        other.letting_go.clear()
        changing = asyncio.create_task(write(one.store, TRASHED))
        async with asyncio.timeout(PATIENCE):
            while not other.letting_go.is_set():
                assert not changing.done()
                await other.audit.turn()
        await changing


async def test_each_waits_for_the_other_where_both_change_access(one, other):
    one.may.set()
    other.may.set()
    changing = [asyncio.create_task(write(each.store, TRASHED)) for each in (one, other)]
    async with asyncio.timeout(PATIENCE):
        while not all(each.done() for each in changing):
            await one.audit.turn()
            await other.audit.turn()
    await asyncio.gather(*changing)


async def test_what_changes_no_access_waits_for_nobody(one, other):
    await write(one.store, ItemRenamed(A, DRIVE, "Other"))
    assert not other.letting_go.is_set()


async def test_a_process_that_is_alone_waits_for_nobody(one):
    await write(one.store, TRASHED)


async def test_a_node_that_begins_after_the_change_is_not_waited_for(seeded, one):
    await write(one.store, TRASHED)
    async with node(seeded) as late:
        await one.barrier.passed(1)
        await late.audit.turn()
        assert not late.letting_go.is_set()


async def test_a_node_lets_go_of_what_ended_before_its_first_look(one, other):
    other.may.set()
    changing = asyncio.create_task(write(one.store, TRASHED))
    async with asyncio.timeout(PATIENCE):
        while not other.letting_go.is_set():
            await other.audit.turn()
    await changing


async def test_a_node_that_sleeps_loses_its_lease_and_is_not_waited_for_any_longer(seeded, one, other):
    async with await psycopg.AsyncConnection.connect(seeded.url, autocommit=True) as operator:
        await operator.execute(LATE, [other.lease.number])
    await write(one.store, TRASHED)
    assert await leases(seeded) == {one.lease.number}


@pytest.mark.usefixtures("other")
async def test_a_node_that_is_awake_and_does_not_let_go_loses_its_lease(seeded):
    async with node(seeded, patience=0.0) as hasty:
        await write(hasty.store, TRASHED)
        assert await leases(seeded) == {hasty.lease.number}


async def test_a_node_that_took_another_lease_is_not_waited_for_on_account_of_what_it_closed(seeded, one, other):
    closed = []

    async def close():
        closed.append(other.lease.number)

    other.lease.on_lost = close
    changing = asyncio.create_task(write(one.store, TRASHED))
    async with asyncio.timeout(PATIENCE):
        while not (await seeded.autocommit(trashed)):
            pass
    assert not changing.done()
    async with await psycopg.AsyncConnection.connect(seeded.url, autocommit=True) as operator:
        await operator.execute("delete from node where id = %s", [other.lease.number])
    await other.lease.turn()
    await changing
    assert closed[-1] == other.lease.number


class RefusedError(Exception):
    pass


async def finds_it_done(transaction):
    await transaction.read(AccountOf(ADA.user_id))


async def finds_nothing(transaction):
    await finds_it_done(transaction)
    raise RefusedError


async def again(store, work):
    with suppress(RefusedError):
        await store.transact(LockScope(may_end_access=True), work)


@pytest.mark.parametrize("work", [finds_it_done, finds_nothing])
async def test_who_repeats_a_change_elsewhere_and_finds_it_done_waits_for_it_as_well(seeded, one, other, work):
    async with node(seeded) as repeating:
        repeating.may.set()
        changing = asyncio.create_task(write(one.store, TRASHED))
        async with asyncio.timeout(PATIENCE):
            while not (await seeded.autocommit(trashed)):
                pass
        one.may.set()
        await repeating.audit.turn()
        repeated = asyncio.create_task(again(repeating.store, work))
        async with asyncio.timeout(PATIENCE):
            while not other.letting_go.is_set():
                reading = asyncio.create_task(other.audit.turn())
                await asyncio.wait(
                    [reading, asyncio.create_task(other.letting_go.wait())], return_when="FIRST_COMPLETED"
                )
        await one.audit.answer()
        await repeating.audit.answer()
        assert not repeated.done()
        other.may.set()
        await reading
        await other.audit.answer()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(changing, repeated)


async def test_a_node_says_how_far_it_is_when_it_is_asked(one, other):
    repeated = asyncio.create_task(again(one.store, finds_it_done))
    async with asyncio.timeout(PATIENCE):
        while not repeated.done():
            await one.audit.answer()
            await other.audit.answer()


class Away(PostgresStore):
    """A store whose database is away for so many questions."""

    left = 0

    async def autocommit(self, ask):
        if self.left:
            self.left -= 1
            raise Unavailable("the database cannot be reached just now")
        return await super().autocommit(ask)


@asynccontextmanager
async def barrier_of(store, away, **patience):
    async with Away(store.url, readers=2, writers=1) as mine, aclosing(NodeLease(mine, inf)) as lease:
        await lease.begin()
        mine.left = away
        yield AccessBarrier(mine, lease, **patience)


@pytest.mark.usefixtures("one")
async def test_a_database_that_is_away_for_a_moment_is_waited_for_before_a_change_of_access_is_answered(seeded):
    async with barrier_of(seeded, away=3) as barrier:
        await barrier.passed(1)


async def test_of_a_database_that_stays_away_it_is_said_that_the_change_is_made(seeded):
    async with barrier_of(seeded, away=1, patience=0.0) as barrier:
        with pytest.raises(Unavailable, match="the change is made"):
            await barrier.passed(1)


async def trashed(connection):
    return await (await connection.execute("select from event where type = 'itemTrashed'")).fetchall()
