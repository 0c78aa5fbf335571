"""The lease of a process: what is written under it, who ends it, and when the process lets go of what it has open."""

import asyncio
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from functools import partial
from math import inf

import psycopg
import pytest

from domain.item import ItemKind
from domain.questions import StateOf
from persistence.node_lease import NodeLease
from persistence.postgres.connections import acquire
from persistence.store import PostgresStore
from persistence.update_log import UpdateLog
from tests.persistence.seeds import ADA, FOLDERS, NOW, PEOPLE, folder, new_id, write
from tests.support.database.clusters import OTHER_BACKENDS, asked
from tests.support.database.updates import appended, batch, row
from tests.support.processes.servers import PATIENCE

ONE = new_id(20)
wrote = partial(row, ONE, by=ADA, at=NOW)
LATE = "update node set renewed_at = renewed_at - interval '7 seconds' where id = %s"


@pytest.fixture
async def seeded(store):
    await write(store, *PEOPLE, *FOLDERS, folder(ONE, kind=ItemKind.docs_workbook))
    return store


@asynccontextmanager
async def node(store, seconds=inf):
    """A process: its lease, its log, and how often it let go of everything."""
    async with AsyncExitStack() as stack:
        lease = await stack.enter_async_context(aclosing(NodeLease(store, seconds)))
        await lease.begin()
        yield lease, await stack.enter_async_context(aclosing(UpdateLog(store.writers, lease)))


@asynccontextmanager
async def beside(store):
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as connection:
        yield connection


def counted(lease):
    """The numbers that the lease had each time the process let go of everything."""
    numbers = []

    async def let_go():
        numbers.append(lease.number)

    lease.on_lost = let_go
    return numbers


async def test_what_is_appended_after_the_lease_was_ended_is_not_written(seeded):
    async with node(seeded) as (first, late), node(seeded) as (_, other), beside(seeded) as operator:
        assert await appended(late.append, [wrote(b"a")]) == {ONE: 1}
        await operator.execute("delete from node where id = %s", [first.number])
        assert await appended(late.append, [wrote(b"b")], {ONE: 1}) == {}
        assert await appended(late.append, [wrote(b"c", told=True)], {ONE: 1}) == {}
        assert await appended(other.append, [wrote(b"d")], {ONE: 1}) == {ONE: 2}
    assert (await seeded.read(StateOf(ONE))).updates == (b"a", b"d")


async def test_an_append_that_waits_while_its_lease_is_ended_writes_nothing(seeded):
    async with node(seeded) as (lease, log), beside(seeded) as operator, beside(seeded) as watcher:
        async with operator.transaction():
            await operator.execute("delete from node where id = %s", [lease.number])
            writing = asyncio.create_task(appended(log.append, [wrote(b"a")]))
            await asked(watcher, f"select true from {OTHER_BACKENDS} and wait_event_type = 'Lock'")
        assert await writing == {}
    assert (await seeded.read(StateOf(ONE))).updates == ()


async def test_whoever_ends_a_lease_waits_for_what_is_being_appended_under_it(seeded):
    async with (
        node(seeded) as (lease, log),
        beside(seeded) as operator,
        beside(seeded) as holder,
        beside(seeded) as watcher,
    ):
        async with holder.transaction():
            await holder.execute("select from item where id = %s for update", [ONE])
            writing = asyncio.create_task(appended(log.append, [wrote(b"a")]))
            waiting = f"select count(*) = %d from {OTHER_BACKENDS} and wait_event_type = 'Lock'"
            await asked(watcher, waiting % 1)
            ending = asyncio.create_task(operator.execute("delete from node where id = %s", [lease.number]))
            await asked(watcher, waiting % 2)
            assert not ending.done()
        assert await writing == {ONE: 1}
        await ending


async def test_renewing_a_lease_waits_for_no_append(seeded):
    async with node(seeded) as (lease, log), beside(seeded) as holder, beside(seeded) as watcher:
        async with holder.transaction():
            await holder.execute("select from item where id = %s for update", [ONE])
            writing = asyncio.create_task(appended(log.append, [wrote(b"a")]))
            await asked(watcher, f"select true from {OTHER_BACKENDS} and wait_event_type = 'Lock'")
            await lease.turn()
        assert await writing == {ONE: 1}


async def test_a_node_ends_the_leases_of_others_that_are_late_and_no_other(store):
    async with node(store) as (here, _), node(store) as (late, _), node(store) as (good, _), beside(store) as operator:
        await operator.execute(LATE, [late.number])
        await operator.execute(LATE, [here.number])
        await here.turn()
        found = await (await operator.execute("select id from node order by id")).fetchall()
        assert found == [(here.number,), (good.number,)]


async def test_what_a_connection_of_a_node_locked_is_free_once_the_node_is_taken_for_gone(store):
    async with (
        PostgresStore(store.url, readers=1, writers=1, sessions="codrive asleep") as asleep,
        PostgresStore(store.url, readers=1, writers=1, sessions="codrive awake") as awake,
        node(asleep) as (late, _),
        node(awake) as (here, _),
        beside(store) as operator,
        acquire(asleep.writers) as holder,
        acquire(awake.writers) as other,
    ):
        for connection, lock in ((holder, 1), (other, 2)):
            await connection.execute(f"select pg_advisory_lock({lock})")
        await here.turn()
        assert await asked(operator, "select not pg_try_advisory_lock(1)")
        await operator.execute(LATE, [late.number])
        await here.turn()
        await asked(operator, "select pg_try_advisory_lock(1)")
        assert await asked(operator, "select not pg_try_advisory_lock(2)")


async def test_a_node_that_was_taken_for_gone_lets_go_before_and_after_it_has_another_lease(seeded):
    async with node(seeded) as (lease, log), beside(seeded) as operator:
        gone, numbers = lease.number, counted(lease)
        await lease.turn()
        assert numbers == []
        await operator.execute("delete from node")
        await lease.turn()
        assert numbers == [0, lease.number]
        assert lease.number > gone
        assert await appended(log.append, [wrote(b"a")]) == {ONE: 1}


async def test_what_was_typed_before_the_lease_was_lost_is_not_written_under_the_next_one(seeded):
    async with node(seeded) as (lease, log), beside(seeded) as operator:
        await operator.execute("delete from node")
        told = asyncio.get_running_loop().create_future()
        log.append(batch([wrote(b"a")]), told.set_result)  # which connects first
        await lease.turn()
        assert await told == {}


async def test_a_node_lets_go_by_its_own_clock_where_it_cannot_renew_its_lease(store):
    async with node(store, seconds=0.5) as (lease, _), beside(store) as operator, operator.transaction():
        let_go = asyncio.Event()

        async def on_lost():
            let_go.set()

        lease.on_lost = on_lost
        await operator.execute("lock table node in access exclusive mode")
        async with asyncio.timeout(PATIENCE):
            await let_go.wait()
        assert not lease.is_held


async def test_a_node_that_woke_up_late_goes_on_where_nobody_ended_its_lease(store):
    async with node(store, seconds=4) as (lease, _):
        numbers, number = counted(lease), lease.number
        lease._ends = 0.0
        assert await lease.confirm()
        assert (numbers, lease.number) == ([], number)


async def test_a_node_that_ends_leaves_no_lease(store):
    async with beside(store) as operator:
        async with node(store):
            pass
        assert await (await operator.execute("select id from node")).fetchall() == []


async def test_a_lease_whose_connection_was_lost_is_renewed_over_another(store):
    async with node(store) as (lease, _), beside(store) as operator:
        number = lease.number
        await operator.execute(f"select pg_terminate_backend(pid, 60000) from {OTHER_BACKENDS}")
        async with asyncio.timeout(PATIENCE):
            while not lease._connection.lost:
                await operator.execute("select 1")
        await lease.turn()
        assert (lease.number, lease.is_held) == (number, True)


async def test_the_node_that_began_first_leads_and_another_one_when_it_is_gone(store):
    async with node(store, seconds=4) as (first, _), node(store, seconds=4) as (other, _), beside(store) as operator:
        assert (first.leads, other.leads) == (False, False)  # another one may begin at the same moment
        await first.turn()
        await other.turn()
        assert (first.leads, other.leads) == (True, False)
        waiting = asyncio.create_task(other.lead())
        await operator.execute("delete from node where id = %s", [first.number])
        await other.turn()
        await waiting
        await first.turn()
        await first.turn()
        assert (first.leads, other.leads) == (False, True)


async def test_a_node_that_sleeps_while_it_leads_looks_before_it_does_anything(store):
    async with node(store, seconds=4) as (sleeper, _), node(store, seconds=4) as (other, _), beside(store) as operator:
        await sleeper.turn()
        await operator.execute(LATE, [sleeper.number])
        await other.turn()
        await other.turn()
        assert other.leads
        sleeper._ends = 0.0
        assert not sleeper.leads
        waiting = asyncio.create_task(sleeper.lead())
        await operator.execute("delete from node where id = %s", [other.number])
        await asked(operator, f"select count(*) = 1 from node where id > {other.number}")
        assert not waiting.done()
        await sleeper.turn()
        await waiting


async def test_a_node_that_is_alone_by_its_settings_leads_at_once(store):
    async with node(store) as (lease, _):
        assert lease.leads
        await lease.lead()
