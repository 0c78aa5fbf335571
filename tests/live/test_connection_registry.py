"""How everybody is looked at again: what many of them depend on is asked once."""

from collections import Counter

import pytest

from demo.populate import populate
from domain.credit import Credit
from domain.key import KeyRevoked, digest
from domain.questions import WhoHoldsKey
from graphql_api import system
from graphql_api.ports import LockScope
from live.connection_registry import ConnectionRegistry
from live.document_reader import DocumentReader
from persistence.store import PostgresStore
from service.socket_revocation import WatchedSocket


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
        yield store, await populate(store, DocumentReader(store), no_password)


def append(batch, _landed):
    raise AssertionError(batch)


async def test_one_look_at_everybody_asks_each_question_once_and_the_next_one_asks_anew(world):
    store, credentials = world
    counted = Counted(store)
    registry = ConnectionRegistry.over(counted, append, system.now, system.milliseconds)
    closed = []
    identities = {}
    for name in ("ada", "ben"):
        secret = credentials["users"][name]["apiKey"]
        identities[name] = await store.read(WhoHoldsKey(digest(secret)))
        for each in range(3):

            async def close(who=(name, each)):
                closed.append(who)

            registry.connections.add(WatchedSocket(identities[name], close))
    users = {each.user_id for each in identities.values()}

    await registry.access_changed((), users)
    assert [*counted.asked.values()] == [1, 1]
    assert not closed

    ada = identities["ada"]
    revoked = (KeyRevoked(ada.key_id, ada.user_id),)
    by = Credit(ada.user_id, ada.name, None)
    await store.transact(LockScope(), lambda transaction: transaction.record(revoked, by, system.now()))
    await registry.access_changed((), users)
    assert sorted(closed) == [("ada", 0), ("ada", 1), ("ada", 2)]
