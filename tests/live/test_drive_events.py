"""What subscriptions and open documents hear: all that is committed, over the API, by typing and by other processes."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from websockets.exceptions import ConnectionClosed

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.credit import Credit
from domain.document import DocumentEdited
from domain.item import ItemRenamed
from graphql_api.ports import LockScope
from live import codec
from persistence.store import PostgresStore
from tests.support.live import raw
from tests.support.live.raw import synced
from tests.support.live.subscriptions import EDIT, follow_from_now, following, rename, told


@asynccontextmanager
async def another_process(served):
    """The store as another process has it."""
    async with PostgresStore(served.database, readers=1, writers=1) as store:
        yield store


async def test_whoever_follows_a_drive_hears_of_every_change_whoever_commits_it(world, served):
    document = await world.document()
    item = (await world.api["ada"].get(f"/api/v1/drive-items/{document}")).json()["item"]
    path, key = f"/collaboration/{document}", served.key("ben")
    async with (
        following(served, "ben", item["driveId"], document) as listener,
        raw.connected(served.origin, path, x_api_key=key) as (_, ben),
        another_process(served) as other,
    ):
        await follow_from_now(world, listener, document)
        await synced(ben)

        await rename(world, document, "By Ada")
        assert told(await listener.next()) == ("itemRenamed", "Ada Lovelace", "By Ada", False)
        ben.send(codec.update(from_tree(parse("first"), 9)))
        first = await listener.next()
        assert told(first) == ("documentEdited", "Ben Franklin", None, False)
        await world.ask(EDIT, d=document, t="over the API")
        assert told(await listener.next()) == ("documentEdited", "Ada Lovelace", None, False)
        await rename(world, document, "By Ben", "ben")
        last = await listener.next()
        assert told(last) == ("itemRenamed", "Ben Franklin", "By Ben", False)
        ben.send(codec.update(from_tree(parse("second"), 10)))
        notice = await listener.next()
        assert told(notice) == ("documentEdited", "Ben Franklin", None, True)
        assert (notice["itemId"], notice["id"]) == (document, last["id"])

        by = Credit(item["createdBy"]["userId"], "Ada Lovelace")
        renamed = ItemRenamed(document, item["driveId"], "Elsewhere")
        await other.transact(LockScope(), lambda to: to.record((renamed,), by, datetime.now(UTC)))
        assert told(await listener.next()) == ("itemRenamed", "Ada Lovelace", "Elsewhere", False)
    async with following(served, "ben", item["driveId"], document, after=notice["id"]) as again:
        assert told(await again.next()) == ("itemRenamed", "Ada Lovelace", "Elsewhere", False)


async def test_an_edit_that_another_process_commits_reaches_an_open_document(world, served):
    document = await world.document()
    item = (await world.api["ada"].get(f"/api/v1/drive-items/{document}")).json()["item"]
    edited = DocumentEdited(document, item["driveId"], from_tree(parse("from elsewhere"), 9))
    by = Credit(item["createdBy"]["userId"], "Ada Lovelace")
    key = served.key("ben")
    async with (
        raw.connected(served.origin, f"/collaboration/{document}", x_api_key=key) as (_, ben),
        another_process(served) as other,
    ):
        await synced(ben)
        scope = LockScope(documents=(document,))
        await other.transact(scope, lambda to: to.record((edited,), by, datetime.now(UTC)))
        assert b"from elsewhere" in (await ben.until(lambda payload: b"from elsewhere" in payload))[-1]


async def test_two_writers_at_once_are_heard_each_in_order(world, served):
    document, edited = await world.document(), await world.document()
    drive = (await world.api["ada"].get(f"/api/v1/drive-items/{document}")).json()["item"]["driveId"]
    names = [f"Name {number}" for number in range(20)]
    async with following(served, "ben", drive, document, edited) as listener:
        await follow_from_now(world, listener, document)

        async def ada():
            for name in names:
                await rename(world, document, name)

        async def ben():
            for number in range(10):
                await world.ask(EDIT, "ben", d=edited, t=f"line {number}")
                await rename(world, edited, f"After {number}", "ben")

        async with asyncio.TaskGroup() as writers:
            writers.create_task(ada())
            writers.create_task(ben())
            heard = [await listener.next() for _ in range(40)]
    assert [event["details"]["name"] for event in heard if event["itemId"] == document] == names
    of_ben = [told(event)[::2] for event in heard if event["itemId"] == edited]
    assert of_ben == [pair for n in range(10) for pair in (("documentEdited", None), ("itemRenamed", f"After {n}"))]


async def test_an_account_that_the_operator_disables_hears_nothing_more(world, served):
    document = await world.document()
    drive = (await world.api["ada"].get(f"/api/v1/drive-items/{document}")).json()["item"]["driveId"]
    command = ("account", "disable", "ben@acme.example")
    async with following(served, "ben", drive, document) as listener:
        await follow_from_now(world, listener, document)
        try:
            disabled = await asyncio.to_thread(served.operator, *command)
            assert disabled.returncode == 0, disabled.stderr
            with pytest.raises(ConnectionClosed) as closed:
                await listener.next()
            assert closed.value.rcvd.code == 4401
        finally:
            await asyncio.to_thread(served.operator, *command, "--enable")
