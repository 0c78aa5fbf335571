"""Nodes that ring for each other: what one appends, another reads without any poll."""

import asyncio
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from functools import partial
from math import inf

import psycopg
import pytest

from domain.item import ItemKind
from domain.trash import ItemTrashed
from persistence.access_barrier import AccessBarrier
from persistence.audit_feed import ReadSnapshot
from persistence.bell import Bell
from persistence.node_lease import NodeLease
from persistence.store import PostgresStore
from persistence.update_log import UpdateLog
from tests.persistence.seeds import ADA, DRIVE, FOLDERS, NOW, PEOPLE, A, folder, new_id, write
from tests.support.database.updates import appended, row
from tests.support.processes.servers import PATIENCE

ONE, OTHER = new_id(20), new_id(21)
wrote = partial(row, by=ADA, at=NOW)


class Node:
    """A process that has one document open, and what it reads because others rang."""

    def __init__(self, store, lease):
        self.store, self.lease = store, lease
        self.numbers = {ONE: 0}
        self.read = asyncio.Queue()
        self.bell = Bell(store, lease, self, self.news, self.asked, self.acknowledged, {})
        store.feed.subscribe(self.bell.committed)
        self.log = UpdateLog(store.writers, lease, store.feed)

    @property
    def open(self):
        return self.numbers

    async def bring_up(self, document_id):
        await self.read.put(document_id)

    async def news(self):
        await self.read.put("news")

    async def asked(self):
        await self.read.put("asked")

    def acknowledged(self):
        self.read.put_nowait("acknowledged")

    async def heard(self, count):
        """What it reads next, so many in any order."""
        async with asyncio.timeout(PATIENCE):
            return sorted([await self.read.get() for _ in range(count)])


@dataclass
class Nodes:
    one: Node
    other: Node


@pytest.fixture
async def nodes(store):
    await write(store, *PEOPLE, *FOLDERS, *(folder(each, kind=ItemKind.docs_workbook) for each in (ONE, OTHER)))
    async with AsyncExitStack() as stack:
        made = []
        for _ in range(2):
            mine = await stack.enter_async_context(PostgresStore(store.url, readers=1, writers=1))
            lease = await stack.enter_async_context(aclosing(NodeLease(mine, inf)))
            await lease.begin()
            made.append(Node(mine, lease))
            await stack.enter_async_context(aclosing(made[-1].log))
            await stack.enter_async_context(aclosing(made[-1].bell))
            await made[-1].bell.turn()
        both = Nodes(*made)
        assert await both.one.heard(1) == ["news"]  # the other one says that it is there
        yield both


async def test_each_knows_of_the_other_before_either_wrote_anything(nodes):
    assert (nodes.one.lease.has_others, nodes.other.lease.has_others) == (True, True)


async def test_a_node_reads_what_another_appends_to_a_document_that_is_open_there(nodes):
    assert await appended(nodes.one.log.append, [wrote(ONE, b"a"), wrote(OTHER, b"x")]) == {ONE: 1, OTHER: 1}
    assert await nodes.other.heard(1) == [ONE]
    nodes.other.numbers[OTHER] = 1
    assert await appended(nodes.one.log.append, [wrote(OTHER, b"y")], {OTHER: 1}) == {OTHER: 2}
    assert await nodes.other.heard(1) == [OTHER]
    assert nodes.one.read.empty()


async def test_a_node_reads_the_audit_when_another_commits_something_else(nodes):
    await write(nodes.one.store, ItemTrashed(A, DRIVE))
    assert await nodes.other.heard(1) == ["news"]


async def test_a_node_reads_the_audit_when_another_records_in_it_who_types(nodes):
    await appended(nodes.one.log.append, [wrote(ONE, b"a", told=True)])
    assert await nodes.other.heard(2) == [ONE, "news"]


async def test_a_node_hears_that_another_has_let_go_and_so_do_those_that_did(nodes):
    await AccessBarrier(nodes.other.store, nodes.other.lease).acknowledge(ReadSnapshot("1:1:", inf))
    assert await nodes.one.heard(1) == await nodes.other.heard(1) == ["acknowledged"]


async def test_a_document_that_is_rung_for_while_it_is_read_is_read_once_more_and_by_one_at_a_time(nodes):
    other, going, reading = nodes.other, asyncio.Event(), []

    async def bring_up(document_id):
        reading.append(document_id)
        await going.wait()
        await other.read.put(len(reading))
        reading.pop()

    other.bring_up = bring_up
    for number, update in enumerate((b"a", b"b", b"c")):
        await appended(nodes.one.log.append, [wrote(ONE, update)], {ONE: number})
    async with asyncio.timeout(PATIENCE):
        while not other.bell._again.get(ONE):
            await other.store.ready()
    going.set()
    assert await other.heard(2) == [1, 1]


async def test_what_was_appended_while_nothing_could_be_heard_is_read_after_connecting_again(nodes):
    async with await psycopg.AsyncConnection.connect(nodes.other.store.url, autocommit=True) as operator:
        listening = nodes.other.bell._connection._wire.backend_pid
        await operator.execute("select pg_terminate_backend(%s, 60000)", [listening])
        async with asyncio.timeout(PATIENCE):
            while not nodes.other.bell._connection.lost:
                await operator.execute("select 1")
    assert await appended(nodes.one.log.append, [wrote(ONE, b"a")]) == {ONE: 1}
    await nodes.other.bell.turn()
    assert ONE in await nodes.other.heard(1)


async def test_a_process_that_is_alone_rings_for_nobody(store):
    await write(store, *PEOPLE, *FOLDERS, folder(ONE, kind=ItemKind.docs_workbook))
    async with aclosing(NodeLease(store, inf)) as lease:
        await lease.begin()
        node = Node(store, lease)
        async with aclosing(node.log), aclosing(node.bell):
            await node.bell.turn()
            assert await appended(node.log.append, [wrote(ONE, b"a")]) == {ONE: 1}
            assert not node.bell._untold
