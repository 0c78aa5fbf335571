"""Who is in a document, as those see them who have it open at another node, and notices of what is typed there."""

import signal

import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from live import codec
from tests.support.live import raw
from tests.support.live.people import World
from tests.support.live.raw import synced
from tests.support.live.subscriptions import follow_from_now, following, told

ADAS = 7


@pytest.mark.parametrize("client", ["4", "y"])
async def test_people_at_two_nodes_see_each_other_until_they_leave(two, typists, client):
    one, other = two
    async with World(one) as here, World(other) as there:
        document = await here.document()
        await typists("open", "a", **here.way(document, client=client))
        ada = (await typists("show", "a", state={"user": {"color": "#aa0000"}, "cursor": 1}))["client"]
        await typists("open", "b", **there.way(document, "ben", client=client))
        ben = (await typists("show", "b", state={"cursor": 2}))["client"]
        seen = (await typists("shown", "b", client=ada))["state"]
        assert (seen["user"]["name"], seen["user"]["color"], seen["cursor"]) == ("Ada Lovelace", "#aa0000", 1)
        assert (await typists("shown", "a", client=ben))["state"]["user"]["name"] == "Ben Franklin"
        await typists("open", "late", **there.way(document, "ben", client=client))
        await typists("shown", "late", client=ada)
        await typists("gone", "b")
        await typists("unshown", "a", client=ben)


def is_about_ada(payload):
    _, message = codec.read(payload, named=False)
    return isinstance(message, codec.AwarenessUpdate) and ADAS in [state.client for state in message.states]


async def test_who_was_at_a_node_that_was_killed_is_shown_no_longer(nodes):
    with nodes() as (dying, other):
        async with World(other) as world:
            document = await world.document()
            path = f"/collaboration/{document}"
            async with (
                raw.connected(dying.origin, path, x_api_key=dying.key()) as (_, ada),
                raw.connected(other.origin, path, x_api_key=other.key("ben")) as (_, ben),
            ):
                await synced(ada)
                await synced(ben)
                ada.send(codec.awareness([codec.ClientState(ADAS, 1, "{}")]))
                assert b"Ada Lovelace" in (await ben.until(is_about_ada))[-1]
                dying.end(signal.SIGKILL)
                assert b"null" in (await ben.until(is_about_ada))[-1]


async def test_a_subscription_at_one_node_has_notices_of_what_is_typed_at_the_other(two):
    one, other = two
    async with World(one) as world:
        document = await world.document()
        item = (await world.api["ada"].get(f"/api/v1/drive-items/{document}")).json()["item"]
        async with (
            following(other, "ada", item["driveId"], document) as listener,
            raw.connected(one.origin, f"/collaboration/{document}", x_api_key=one.key("ben")) as (_, ben),
        ):
            await follow_from_now(world, listener, document)
            await synced(ben)
            for client, live in ((9, False), (10, True)):
                ben.send(codec.update(from_tree(parse(f"typed by {client}"), client)))
                assert told(await listener.next()) == ("documentEdited", "Ben Franklin", None, live)
