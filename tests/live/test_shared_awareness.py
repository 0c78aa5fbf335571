"""Who is in a document that is open at two nodes: each tells the other of its own clients."""

import asyncio
import json

import pytest

from domain.credit import Credit
from domain.document import DocumentLog
from live import codec
from live.codec import ClientState
from live.document_connection import DocumentConnection
from live.rooms import Rooms
from live.shared_awareness import MAX_STATE
from tests.support.documents.jobs import JOBS

ADA, BEN = Credit("ada", "Ada"), Credit("ben", "Ben", "scribe")
DOCUMENT = "01900014-0014-7000-8000-000000000014"
MOST = 7_900
LEAST = 4_200


class NoLog:
    """The log of documents in which nobody writes."""

    async def read(self, question):
        del question
        return DocumentLog(None, None, (), 0)

    def append(self, batch, on_committed):
        raise AssertionError(batch, on_committed)


class Told:
    """A transport that keeps the awareness states that it was told, by client."""

    def __init__(self):
        self.shown = {}

    @staticmethod
    def frame(message):
        return message

    def send(self, message, *, whole=False):
        del whole
        assert message[0] == codec.AWARENESS
        _, told = codec.read(message, named=False)
        for state in told.states:
            self.shown[state.client] = json.loads(state.json)

    @property
    def present(self):
        return {client: state for client, state in self.shown.items() if state}


class Node:
    """A process: its rooms, and its lease as they see it."""

    has_others = True
    is_held = True

    def __init__(self, number):
        self.number = number
        self.rooms = Rooms(NoLog(), NoLog().append, lambda: 0, runner=JOBS, node=self)

    async def confirm(self):
        return self.is_held

    async def join(self, credit=ADA, document=DOCUMENT):
        transport = Told()
        connection = DocumentConnection(credit, transport, b"", True, True, lambda: None)
        return Client(self, await self.rooms.enter(document, connection), connection, transport)


class Client:
    def __init__(self, node, room, connection, transport):
        self.node, self.room, self.connection, self.transport = node, room, connection, transport

    def show(self, client, clock=1, **state):
        self.room.update_awareness(
            self.connection, (ClientState(client, clock, json.dumps(state, ensure_ascii=False)),)
        )

    def leave(self):
        self.node.rooms.leave(self.room, self.connection)

    async def sees(self):
        """What it is told: broadcasts end, and then it asks for everybody."""
        await asyncio.sleep(0)
        self.transport.shown.clear()
        self.room.send_awareness(self.connection)
        return self.transport.present

    async def told(self):
        """What broadcasts have told it by now."""
        await ticks()
        return self.transport.present


async def ticks():
    """Let everything happen that can."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr("live.awareness.BROADCAST_SECONDS", 0.0)


@pytest.fixture
async def nodes():
    return Node(1), Node(2)


async def ring(*nodes, size=MOST):
    """Pass on what each has to tell to all the others; return how many rings that took."""
    count = 0
    await ticks()
    while ringing := [node for node in nodes if node.rooms.awareness.has_news]:
        for node in ringing:
            message = node.rooms.awareness.take(size)
            assert len(message.encode()) <= size
            count += 1
            for other in nodes:
                if other is not node:
                    other.rooms.awareness.heard(message)
    return count


async def test_clients_of_both_nodes_see_each_other_and_what_each_shows_next(nodes):
    one, other = nodes
    ada = await one.join()
    ada.show(7, cursor=1)
    ben = await other.join(BEN)
    await ring(*nodes)
    assert (await ben.told())[7] == {"cursor": 1, "user": {"id": "ada", "name": "Ada", "agent": None}}
    ben.show(8, cursor=2)
    ada.show(7, 2, cursor=3)
    await ring(*nodes)
    assert (await ada.told())[8]["user"] == {"id": "ben", "name": "Ben", "agent": "scribe"}
    assert (await ben.told())[7]["cursor"] == 3
    late = await one.join(BEN)
    assert {*(await late.sees())} == {7, 8}


async def test_nothing_is_told_of_a_document_that_is_open_at_one_node(nodes):
    one, other = nodes
    ada = await one.join()
    await other.join(BEN, document="another")
    await ring(*nodes)
    ada.show(7)
    assert not one.rooms.awareness.has_news


async def test_who_leaves_is_gone_at_both_nodes(nodes):
    one, other = nodes
    ada, ben, reader = await one.join(), await one.join(BEN), await other.join()
    ada.show(7)
    ben.show(8)
    await ring(*nodes)
    assert {*(await reader.told())} == {7, 8}
    ada.leave()
    await ring(*nodes)
    assert {*(await reader.told())} == {*(await reader.sees())} == {8}
    ben.leave()
    await ring(*nodes)
    assert await reader.sees() == {}


async def test_all_who_are_at_a_node_go_with_it(nodes):
    one, other = nodes
    ada, reader = await one.join(), await other.join(BEN)
    ada.show(7)
    await ring(*nodes)
    other.rooms.awareness.keep({1})
    assert {*(await reader.told())} == {7}
    other.rooms.awareness.keep(())
    assert await reader.told() == await reader.sees() == {}
    reader.show(8)
    assert not other.rooms.awareness.has_news


async def test_a_client_that_moves_to_the_other_node_stays_shown_there(nodes):
    one, other = nodes
    before, reader = await one.join(), await other.join(BEN)
    before.show(7, 1, cursor=1)
    await ring(*nodes)
    after = await other.join()
    after.show(7, 1, cursor=2)
    before.leave()
    await ring(*nodes)
    assert (await reader.told())[7]["cursor"] == (await reader.sees())[7]["cursor"] == 2


async def test_a_client_that_has_come_from_here_is_shown_when_its_old_connection_ends(nodes):
    one, other = nodes
    before, reader, after = await one.join(), await one.join(BEN), await other.join()
    before.show(7, 1, cursor=1)
    await ring(*nodes)
    after.show(7, 1, cursor=2)
    await ring(*nodes)
    before.leave()
    await ring(*nodes)
    assert (await reader.told())[7]["cursor"] == 2


async def test_a_client_id_of_somebody_else_is_not_shown_for_another_node(nodes):
    one, other = nodes
    ada, ben = await one.join(), await other.join(BEN)
    await ring(*nodes)
    ben.show(7)
    ada.show(7)
    await ring(*nodes)
    assert (await ben.sees())[7]["user"]["id"] == "ben"
    assert (await ada.sees())[7]["user"]["id"] == "ada"


async def test_a_process_that_may_be_taken_for_gone_tells_nothing_of_others(nodes):
    one, other = nodes
    ada, reader = await one.join(), await other.join(BEN)
    await ring(*nodes)
    other.is_held = False
    ada.show(7)
    await ring(*nodes)
    assert await reader.told() == {}
    other.is_held = True
    ada.show(7, 2)
    await ring(*nodes)
    assert {*(await reader.told())} == {7}


async def test_a_node_that_heard_nothing_for_a_while_is_told_everything_once_more(nodes):
    one, other = nodes
    ada, ben, reader = await one.join(), await one.join(BEN), await other.join()
    ada.show(7)
    await ring(*nodes)
    ada.leave()
    ben.show(8)
    await ring(one)
    other.rooms.awareness.begin_again()
    await ring(*nodes)
    assert {*(await reader.told())} == {*(await reader.sees())} == {8}


@pytest.mark.parametrize("size", [LEAST, MOST])
async def test_many_states_go_in_several_rings_and_the_last_of_each_client_alone(nodes, size):
    one, other = nodes
    documents = [f"{DOCUMENT[:-3]}{number:03}" for number in range(20)]
    typists = [await one.join(document=document) for document in documents for _ in range(5)]
    readers = [await other.join(BEN, document) for document in documents]
    await ring(*nodes, size=size)
    for clock in range(1, 11):
        for number, each in enumerate(typists):
            each.show(100 + number, clock, cursor="x" * 200, at=clock)
    assert 3 < await ring(*nodes, size=size) < 20
    for number, reader in enumerate(readers):
        seen = await reader.sees()
        assert {client: state["at"] for client, state in seen.items()} == dict.fromkeys(
            range(100 + 5 * number, 105 + 5 * number), 10
        )


async def test_a_state_that_no_ring_has_room_for_is_shown_at_its_own_node_alone(nodes):
    one, other = nodes
    ada, here, reader = await one.join(), await one.join(BEN), await other.join(BEN)
    ada.show(7, 1)
    await ring(*nodes, size=LEAST)
    assert {*(await reader.told())} == {7}
    ada.show(7, 2, selection="ü" * (MAX_STATE // 2))
    await ring(*nodes, size=LEAST)
    assert await reader.told() == {}
    assert {*(await here.sees())} == {7}
    ada.show(7, 3)
    await ring(*nodes, size=LEAST)
    assert {*(await reader.told())} == {7}
