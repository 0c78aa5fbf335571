"""How everybody is looked at again: what many of them depend on is asked once."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import pytest

from demo.populate import populate
from domain.credit import Credit
from domain.errors import Unavailable
from domain.key import KeyRevoked, digest
from domain.questions import CredentialIsValid, DrivesFor, WhoHoldsKey
from graphql_api import system
from graphql_api.ports import LockScope
from live import codec
from live.client_connection import ClientConnection
from live.connection_registry import ConnectionRegistry
from live.document_reader import DocumentReader
from persistence.store import PostgresStore
from persistence.tickets import TicketTable
from service.socket_revocation import WatchedSocket
from tests.support.documents.jobs import JOBS


class Counted:
    def __init__(self, store):
        self.store, self.asked = store, Counter()

    async def read(self, question):
        self.asked[question] += 1
        return await self.store.read(question)


@pytest.fixture
async def world(fresh_database):
    async def no_password(_user_id, _password):
        return

    async with PostgresStore(fresh_database()) as store:
        yield store, await populate(store, DocumentReader(store, runner=JOBS), no_password)


def append(batch, _landed):
    raise AssertionError(batch)


async def holder(store, credentials, name):
    return await store.read(WhoHoldsKey(digest(credentials["users"][name]["apiKey"])))


async def document_of(store, who):
    drives = await store.read(DrivesFor(who.user_id, 100, 100, None))
    return next(item.id for each in drives.rows for item in each.items if item.kind == "docs_workbook")


async def revoke(store, who):
    revoked, by = (KeyRevoked(who.key_id, who.user_id),), Credit(who.user_id, who.name, None)
    await store.transact(LockScope(), lambda transaction: transaction.record(revoked, by, system.now()))


async def test_one_look_at_everybody_asks_each_question_once_and_the_next_one_asks_anew(world):
    store, credentials = world
    counted = Counted(store)
    registry = ConnectionRegistry.over(counted, append, TicketTable(store), system.milliseconds, runner=JOBS)
    closed = []
    identities = {}
    for name in ("ada", "ben"):
        identities[name] = await holder(store, credentials, name)
        for each in range(3):

            async def close(code, reason, who=(name, each)):
                closed.append((*who, code, reason))

            registry.connections.add(WatchedSocket(identities[name], close))
    users = {each.user_id for each in identities.values()}

    await registry.access_changed((), users)
    assert [*counted.asked.values()] == [1, 1]
    assert not closed

    await revoke(store, identities["ada"])
    await registry.access_changed((), users)
    assert sorted(closed) == [("ada", each, 4401, "UNAUTHORIZED") for each in range(3)]


async def test_a_connection_whose_rights_changed_and_cannot_be_read_is_to_come_back(world):
    store, credentials = world
    identities = [await holder(store, credentials, name) for name in ("ada", "ben")]
    ada = identities[0]

    class Failing:
        async def read(self, question):
            if question == CredentialIsValid(ada.credential):
                raise Unavailable("the database does not answer")
            return await store.read(question)

    registry = ConnectionRegistry.over(Failing(), append, TicketTable(store), system.milliseconds, runner=JOBS)
    closed = []
    for identity in identities:

        async def close(code, reason, name=identity.name):
            closed.append((name, code, reason))

        registry.connections.add(WatchedSocket(identity, close))
    await registry.access_changed((), {each.user_id for each in identities})
    assert closed == [(ada.name, 4205, "SERVICE_UNAVAILABLE")]


@dataclass
class Transport:
    """Records the first message that a connection is sent."""

    sent: asyncio.Future = field(default_factory=asyncio.Future)
    received_at: float = 0.0
    sent_at: float = 0.0

    def frame(self, message):
        return message

    def send(self, message, *, whole=False):
        del whole
        if not self.sent.done():
            self.sent.set_result(message)

    def close(self, code):
        self.send(code)

    def identified(self):
        pass

    def pause(self, *, reading):
        pass


async def test_a_key_that_is_revoked_while_its_ticket_opens_a_document_opens_nothing(world):
    store, credentials = world
    ada = await holder(store, credentials, "ada")
    document_id = await document_of(store, ada)
    looked = []  # how many had a document open at each look

    class Overtaken:
        """Answers as the store did before the key was revoked, which happens meanwhile."""

        async def read(self, question):
            answer = await store.read(question)
            if question == CredentialIsValid(ada.credential):
                looked.append(sum(len(room.connections) for room in registry.rooms.open.values()))
            if looked == [0] and question == CredentialIsValid(ada.credential):
                await revoke(store, ada)
                await registry.access_changed((), {ada.user_id})
            return answer

    registry = ConnectionRegistry.over(Overtaken(), append, TicketTable(store), system.milliseconds, runner=JOBS)
    transport = Transport()
    connection = ClientConnection(registry, transport, None, 0.0)
    connection.identified(None)
    ticket, _ = await registry.tickets.issue(ada, document_id, 1)
    connection.received(codec.text(document_id) + b"\x02\x00" + codec.text(ticket))
    assert await transport.sent == codec.text(document_id) + codec.encode_denied("UNAUTHORIZED")
    assert (looked, registry.rooms.open) == ([0, 0], {})
    connection.lost()


@pytest.mark.parametrize("whose", ["ada", "gus", None], ids=["readable", "hidden", "missing"])
@pytest.mark.parametrize("named", [True, False], ids=["hocuspocus", "y-websocket"])
async def test_a_hidden_document_is_denied_at_a_step_of_time_like_one_that_is_missing(world, whose, named):
    store, credentials = world
    ada = await holder(store, credentials, "ada")
    owner = await holder(store, credentials, whose or "ada")
    document_id = await document_of(store, owner) if whose else system.new_id()
    sent_before = []

    async def next_step(begun):
        del begun
        sent_before.append(transport.sent.done())

    registry = ConnectionRegistry.over(
        store, append, TicketTable(store), system.milliseconds, next_step=next_step, runner=JOBS
    )
    transport = Transport()
    connection = ClientConnection(registry, transport, None if named else document_id, 0.0)
    connection.identified(ada)
    connection.received((codec.text(document_id) + b"\x02\x00\x00") if named else codec.step1(b"\0"))
    sent = await transport.sent
    denied = codec.text(document_id) + codec.encode_denied("NOT_FOUND") if named else 4404
    assert (sent == denied, sent_before) == ((False, []) if whose == "ada" else (True, [False]))
    connection.lost()
