"""What many people did and were told at two nodes, in whatever order: there is one that explains it, but not of a faulty node."""

import asyncio
import logging
import os
import random
import re
import signal
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from functools import partial

import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from live import codec
from tests.nodes.histories import Grant, History, moments, revoked
from tests.support.live import raw
from tests.support.live.people import World
from tests.support.live.raw import EMPTY
from tests.support.live.rights import remove, share
from tests.support.suite.rounds import ROUNDS, seed

log = logging.getLogger(__name__)
AT_ONCE = 50  # histories
STEPS = 5  # of each who does something
MOST_ROUNDS = 10  # until a fault is found
NAME = re.compile(rb"edit(\d+)\.")
EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"


def named(payload):
    return {found.decode() for found in NAME.findall(payload)}


class Socket:
    """A document that is open at a node; what is told is noted when it comes."""

    def __init__(self, desk, socket, at):
        self.desk, self.socket, self.at = desk, socket, at  # the node where it is Ben's, and nothing where it is Ada's
        self.answers = asyncio.Queue()
        self.reading = asyncio.create_task(self.read())
        self.is_open = self.is_new = True

    async def read(self):
        try:
            while True:
                opcode, payload = await self.socket.next()
                if opcode == 8:
                    return
                is_answer = payload[:2] == b"\0\1"
                names = named(payload)
                if not is_answer:
                    self.desk.history.told(names, self.at)
                else:
                    self.answers.put_nowait(names)
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            self.is_open = False
            self.answers.put_nowait(None)

    async def look(self, *messages):
        """Say something, and note what all of the document is then; return whether there was an answer.

        At the first time the document is up to its log; later what others wrote may be on its way.
        """
        call = next(moments)
        for each in messages:
            self.socket.send(each)
        self.socket.send(codec.step1(EMPTY))
        found = await self.answers.get() if self.is_open else None
        if found is None:
            return False
        if self.is_new:
            self.desk.history.opened(call, found, self.at)
        else:
            self.desk.history.told(found, self.at)
        self.is_new = False
        return True

    async def edit(self):
        edit = self.desk.named_edit(self.at)
        if await self.look(
            codec.update(from_tree(parse(f"edit{edit.name}."), self.desk.chance.randrange(10, 1 << 31)))
        ):
            self.desk.history.acknowledged(edit)


class Desk:
    """One document of Ada's, which she now and then shares with Ben, and all that happens to it."""

    def __init__(self, nodes, worlds, chance, document):
        self.nodes, self.worlds, self.chance, self.document = nodes, worlds, chance, document
        self.history = History()
        self.count = 0
        self.is_shared = False

    def named_edit(self, at):
        self.count += 1
        return self.history.edit(f"{self.count}", at)

    @asynccontextmanager
    async def opened(self, at, who):
        path = f"/collaboration/{self.document}"
        async with raw.connected(self.nodes[at].origin, path, x_api_key=self.nodes[at].key(who)) as (_, socket):
            opened = Socket(self, socket, at if who == "ben" else None)
            try:
                yield opened if await opened.look() else None
            finally:
                opened.reading.cancel()

    async def change_access(self, at):
        call = next(moments)
        await (remove if self.is_shared else share)(self.worlds[at], self.document)
        end = next(moments)
        self.history.acts += revoked(call, end) if self.is_shared else [Grant(call, end)]
        self.is_shared = not self.is_shared

    async def read(self, at, who="ada"):
        call = next(moments)
        answer = await self.worlds[at].api[who].get(f"/api/v1/documents/{self.document}")
        assert answer.status_code in (200, 404), answer.text
        names = named(answer.json()["markdown"].encode()) if answer.status_code == 200 else None
        self.history.read(call, names, by_owner=who == "ada")

    async def edit(self, at):
        edit = self.named_edit(None)
        await self.worlds[at].ask(EDIT, d=self.document, e={"append": f"edit{edit.name}."})
        self.history.acknowledged(edit)

    async def join(self, at):
        async with self.opened(at, "ada"):
            pass

    async def own(self):
        """What Ada does, at either node."""
        acts = [self.change_access, self.change_access, self.read, self.edit, self.join, self.join]
        for _ in range(STEPS):
            await self.chance.choice(acts)(self.chance.randrange(2))

    async def visit(self, at):
        """What Ben does at one node, where he may."""
        for _ in range(STEPS):
            if self.chance.random() < 0.2:
                await self.read(at, "ben")
                continue
            async with self.opened(at, "ben") as socket:
                for _ in range(self.chance.randrange(1, 4)):
                    if socket:
                        await socket.edit()

    async def together(self):
        async with self.opened(0, "ada"), self.opened(1, "ada"):
            await self.change_access(0)
            await asyncio.gather(self.own(), self.visit(0), self.visit(1))
            await self.read(self.chance.randrange(2))

    async def share_with_ben(self, stack):
        """Share the document, and have Ben open it at the other node."""
        await self.change_access(0)
        self.bens = await stack.enter_async_context(self.opened(1, "ben"))
        await self.bens.edit()

    async def end_access(self):
        """End Ben's access at one node while he edits at the other, until he is closed there."""
        self.writing = asyncio.create_task(self.edit_while_open())
        await self.change_access(0)
        await self.edit(0)
        await self.read(0)

    async def edit_while_open(self):
        while self.bens.is_open:
            await self.bens.edit()

    async def after_closing(self):
        await self.writing
        await self.bens.reading
        for at in (0, 1):
            await self.read(at)


@asynccontextmanager
async def at_desks(nodes, number):
    async with World(nodes[0]) as one, World(nodes[1]) as other:
        documents = [await one.personal() for _ in range(AT_ONCE)]
        yield [
            Desk(nodes, (one, other), random.Random(f"{seed()} {number} {at}"), document)
            for at, document in enumerate(documents)
        ]


async def together(nodes, number):
    """Return whether all histories of a round are explained."""
    async with at_desks(nodes, number) as desks:
        await asyncio.gather(*(desk.together() for desk in desks))
    return explained(desks)


async def ending(nodes, number, awake=nullcontext):
    """Do the same where a share is removed while it is edited by at the other node."""
    async with at_desks(nodes, number) as desks, AsyncExitStack() as stack:
        await asyncio.gather(*(desk.share_with_ben(stack) for desk in desks))
        with awake():
            await asyncio.gather(*(desk.end_access() for desk in desks))
        await asyncio.gather(*(desk.after_closing() for desk in desks))
    return explained(desks)


async def sleeping(nodes, number):
    """Do the same where the other node sleeps meanwhile for longer than its lease."""
    return await ending(nodes, number, partial(asleep, nodes[1]))


@contextmanager
def asleep(node):
    os.kill(node.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(node.process.pid, signal.SIGCONT)


def explained(desks):
    strange = [desk.history for desk in desks if not desk.history.is_explained()]
    for history in strange:
        log.warning("no order explains %s", history)
    return not strange


LOOKS = [together, ending, together, sleeping]  # 200 histories; 2,000 in full


@pytest.fixture(scope="module")
def slow(nodes):
    with nodes(script="slow_rings.py") as both:
        yield both


@pytest.mark.parametrize("number", range(len(LOOKS) * ROUNDS))
async def test_some_order_explains_what_each_was_answered_and_told(slow, number):
    assert await LOOKS[number % len(LOOKS)](slow, number)


@pytest.mark.parametrize(("fault", "look"), [("catch up at join", together), ("epoch", sleeping), ("barrier", ending)])
async def test_no_order_explains_what_happens_at_nodes_with_a_fault(nodes, fault, look):
    with nodes(script="slow_rings.py", WITHOUT=fault) as both:
        for number in range(MOST_ROUNDS):
            if not await look(both, number):
                return
        raise AssertionError("the fault was not found")
