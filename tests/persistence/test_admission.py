"""A process that does not have in common with the others what all must have begins no lease."""

import asyncio
from contextlib import aclosing, asynccontextmanager

import psycopg
import pytest

from persistence.admission import Admission
from persistence.node_lease import NodeLease
from persistence.postgres.installation import CannotStart

TOLD = {"origin": "address (`--origin`)", "blobs": "store of images (`--blobs`)"}
OURS = {"origin": "https://a.example", "blobs": "1"}


@asynccontextmanager
async def node(store, common, told=TOLD):
    async def ask():
        return common

    async with aclosing(NodeLease(store, admitted=Admission(store, ask, told).admitted)) as lease:
        await lease.begin()
        yield lease


@asynccontextmanager
async def renewed(lease, monkeypatch):
    """Renew the lease whenever another process waits for whether it lives."""

    async def renew(_):
        await lease.turn()

    with monkeypatch.context() as patched:
        patched.setattr("persistence.admission.asyncio.sleep", renew)
        yield


@pytest.mark.parametrize(
    ("theirs", "what"),
    [
        ({**OURS, "origin": "https://b.example"}, "another address .`--origin`."),
        ({"origin": "https://a.example"}, "another store of images .`--blobs`."),
        ({"origin": "", "blobs": "2"}, "address .`--origin`. and store of images .`--blobs`."),
    ],
)
async def test_one_that_differs_is_refused_with_a_sentence(store, monkeypatch, theirs, what):
    async with node(store, OURS) as lease, renewed(lease, monkeypatch):
        with pytest.raises(CannotStart, match=what):
            async with node(store, theirs):
                pass


async def test_one_that_knows_of_more_or_less_than_another_release_may_begin(store):
    async with (
        node(store, OURS | {"new": "x"}),
        node(store, OURS),
        node(store, {**OURS, "newer": "y"}, {"newer": "z"}) as last,
    ):
        assert last.others == 2


async def test_one_that_differs_from_one_that_died_begins_when_that_ones_lease_is_over(store):
    async with (
        node(store, {**OURS, "blobs": "2"}) as dead,
        await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as operator,
    ):
        await operator.execute("update node set renewed_at = now() - interval '5 seconds' where id = %s", [dead.number])
        async with node(store, OURS) as lease:
            assert lease.number > dead.number


async def test_of_two_that_differ_and_begin_at_once_one_begins(store, monkeypatch):
    begun = []

    async def begin(common):
        async with node(store, common) as lease:
            begun.append(common)
            monkeypatch.setattr("persistence.admission.asyncio.sleep", lambda _: lease.turn())
            await asyncio.Event().wait()

    tasks = [asyncio.create_task(begin({**OURS, "blobs": blobs})) for blobs in "12"]
    done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    assert len(begun) == 1
    assert [type(task.exception()) for task in done] == [CannotStart]
    for task in waiting:
        task.cancel()
    await asyncio.wait(waiting)


async def test_one_of_a_release_that_may_not_serve_the_database_any_more_does_not_begin(store):
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as operator:
        await operator.execute("update schema_support set oldest = '9999'")
        try:
            with pytest.raises(CannotStart, match="a newer release"):
                async with node(store, OURS):
                    pass
        finally:
            await operator.execute("update schema_support set oldest = '0035'")
