"""A change of access that is made at one node: once it is answered, no node stores or tells anything by what was before."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from live import codec
from persistence.store import PostgresStore
from tests.support.live import raw
from tests.support.live.people import World
from tests.support.live.raw import synced
from tests.support.live.rights import demote, move, remove, share, shared_document, trash
from tests.support.processes.servers import async_http
from tests.support.suite.rounds import ROUNDS

DOCUMENTS = 10
EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"


class Typist:
    """Somebody who types word after word into an open document, a few at once, until the socket is closed."""

    def __init__(self, socket, client=9):
        self.socket, self.doc, self.updates, self.count = socket, Doc(client_id=client), [], 0
        self.heard, self.is_at_it = [], asyncio.Event()
        self.doc.observe(lambda event: self.updates.append(event.update))
        self.text = XmlText()
        self.doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[self.text]))

    def type(self, words):
        for _ in range(words):
            self.count += 1
            self.text.insert(len(str(self.text)), f"{self.count} ")
        for update in self.updates:
            self.socket.send(codec.update(update))
        self.updates.clear()

    async def work(self):
        """Return the code with which the socket was closed."""
        while True:
            self.type(5)
            self.socket.send(codec.step1(self.doc.get_state()))
            seen = await self.socket.until(lambda payload: payload[:2] == b"\0\1")
            self.heard += seen
            if not isinstance(seen[-1], bytes):
                return seen[-1]
            self.is_at_it.set()


class Told:
    """What is stored of documents, straight from the database."""

    def __init__(self, store, documents):
        self.store, self.documents = store, documents

    async def numbers(self):
        async def ask(connection):
            asked = "select id::text, sequence from item where id = any(%s::uuid[])"
            return dict(await (await connection.execute(asked, [self.documents])).fetchall())

        return await self.store.autocommit(ask)


async def opened(stack, node, document, **headers):
    connection = raw.connected(node.origin, f"/collaboration/{document}", **headers or {"x_api_key": node.key("ben")})
    _, socket = await stack.enter_async_context(connection)
    await synced(socket)
    return Typist(socket)


async def all_at_it(typists):
    tasks = [asyncio.create_task(each.work()) for each in typists]
    for each in typists:
        await each.is_at_it.wait()
    return tasks


async def own(world):
    document = await world.personal()
    await share(world, document)
    return document


async def in_folder(world):
    folder, document = await shared_document(world)
    await share(world, folder)
    return document


ENDS = {
    "the grant is removed": (own, remove),
    "the grant becomes read_only": (own, demote),
    "it is trashed": (own, trash),
    "it is moved away": (in_folder, move),
}


@pytest.mark.parametrize("_", range(5 * ROUNDS // 2))  # a thousand documents in full
@pytest.mark.parametrize(("begin", "end"), ENDS.values(), ids=ENDS)
async def test_what_is_typed_at_the_other_node_is_stored_before_the_end_of_access_is_answered_or_never(
    two, begin, end, _
):
    one, other = two
    async with (
        World(one) as world,
        PostgresStore(one.database, readers=1, writers=1) as store,
        AsyncExitStack() as stack,
    ):
        documents = [await begin(world) for _ in range(DOCUMENTS)]
        told = Told(store, documents)
        typists = [await opened(stack, other, document) for document in documents]
        tasks = await all_at_it(typists)
        for document in documents:
            await end(world, document)
        stored = await told.numbers()
        for typist in typists:
            typist.type(100)
        assert {await task for task in tasks} == {4205}
        assert await told.numbers() == stored
        assert all(stored.values())


async def end_session(world, cookie):
    async with async_http(world.served.origin, headers={"cookie": cookie, "origin": world.served.origin}) as browser:
        query = {"query": "{ viewer { sessions { id current } } }"}
        sessions = (await browser.post("/graphql", json=query)).json()["data"]["viewer"]["sessions"]
    number = next(each["id"] for each in sessions if each["current"])
    await world.manage("mutation($i: ID!) { endSession(id: $i) { id } }", "ben", i=number)


async def test_a_session_that_ends_at_one_node_types_nothing_more_at_the_other(two):
    one, other = two
    async with (
        World(one) as world,
        PostgresStore(one.database, readers=1, writers=1) as store,
        AsyncExitStack() as stack,
    ):
        document, cookie = await world.document(), await world.cookie("ben")
        told = Told(store, [document])
        typist = await opened(stack, other, document, cookie=cookie, origin=other.origin)
        (task,) = await all_at_it([typist])
        await end_session(world, cookie)
        stored = await told.numbers()
        typist.type(100)
        assert await task == 4401
        assert await told.numbers() == stored


@pytest.mark.parametrize("_", range(ROUNDS))
async def test_who_lost_access_hears_nothing_at_another_node_that_was_written_after_the_answer(two, _):
    one, other = two
    async with World(one) as world, AsyncExitStack() as stack:
        documents = [await own(world) for _ in range(DOCUMENTS)]
        readers = [await opened(stack, other, document) for document in documents]
        for document in documents:
            await remove(world, document)
            await world.ask(EDIT, d=document, e={"append": "written after"})
        for reader in readers:
            seen = await reader.socket.until(lambda _: False)
            assert seen[-1] == 4205
            assert not any(b"written after" in each for each in seen[:-1])


@pytest.mark.parametrize("_", range(ROUNDS))
async def test_a_node_that_sleeps_is_not_waited_for_and_stores_and_tells_nothing_when_it_wakes(nodes, _):
    with nodes() as (one, sleeper):
        async with (
            World(one) as world,
            PostgresStore(one.database, readers=1, writers=1) as store,
            AsyncExitStack() as stack,
        ):
            documents = [await own(world) for _ in range(DOCUMENTS)]
            told = Told(store, documents)
            typists = [await opened(stack, sleeper, document) for document in documents]
            tasks = await all_at_it(typists)
            os.kill(sleeper.process.pid, signal.SIGSTOP)
            try:
                for typist in typists:
                    typist.type(20)
                await asyncio.gather(*(remove(world, document) for document in documents))
                for typist in typists:
                    typist.type(20)
                for document in documents:
                    await world.ask(EDIT, d=document, e={"append": "written after"})
                stored = await told.numbers()
            finally:
                os.kill(sleeper.process.pid, signal.SIGCONT)
            assert {await task for task in tasks} <= {4205, 4404}
            assert await told.numbers() == stored
            assert not any(b"written after" in each for typist in typists for each in typist.heard[:-1])
