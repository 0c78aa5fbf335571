"""What one subscription tells of everything that somebody sees: over a real socket, and after it was lost."""

import asyncio
import base64
import json

import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from graphql_api.system import new_id
from live import codec
from tests.support.live import raw
from tests.support.live.raw import synced
from tests.support.live.subscriptions import EDIT, rename
from tests.support.live.subscriptions import following_everything as following


async def begun(world, follower, item):
    """Rename the item until the follower hears of it."""
    heard = asyncio.ensure_future(follower.next())
    while not heard.done():
        await rename(world, item, f"Begun {new_id()}")
        await asyncio.wait([heard], timeout=0.05)
    await heard
    await rename(world, item, "All heard")
    await follower.until("All heard")


async def share(world, item, email="cleo@acme.example", permission="read_only"):
    body = {"email": email, "permission": permission}
    (await world.api["ada"].post(f"/api/v1/drive-items/{item}/access", json=body)).raise_for_status()


async def unshare(world, item, email="cleo@acme.example"):
    (await world.api["ada"].delete(f"/api/v1/drive-items/{item}/access/{email}")).raise_for_status()


async def folder(world):
    drives = (await world.api["ada"].get("/api/v1/drives")).json()["drives"]
    drive = next(drive["id"] for drive in drives if drive["kind"] == "shared")
    return drive, await child(world, f"drives/{drive}/items", "Folder", "folder")


async def child(world, path, name="Child", kind="docs_workbook"):
    made = await world.api["ada"].post(f"/api/v1/{path}", json={"name": name, "driveItemType": kind})
    return made.raise_for_status().json()["item"]["id"]


async def test_what_happens_between_a_read_and_the_subscription_is_told_from_the_cursor_on(world, served):
    item = await world.document()
    cursor = (await world.ask("{ viewer { changesCursor } }"))["viewer"]["changesCursor"]
    await rename(world, item, "Meanwhile")
    async with following(served, "ada", item, after=cursor) as ada:
        assert (await ada.next())["details"]["name"] == "Meanwhile"
        await rename(world, item, "And then")
        assert (await ada.next())["details"]["name"] == "And then"


async def test_who_has_only_a_share_hears_of_what_is_shared_with_them_and_of_nothing_else(world, served):
    drive, shared = await folder(world)
    inside, beside = await child(world, f"drive-items/{shared}/children"), await world.document()
    before = await world.document()
    await share(world, before)
    async with following(served, "cleo", before) as cleo:
        await begun(world, cleo, before)
        cleo.items = (shared, inside, beside)
        await share(world, shared)
        assert (await cleo.next())["type"] == "itemShared"
        assert (await cleo.next())["type"] == "accessChanged"
        await rename(world, beside, "Hidden")
        await share(world, inside, "gus@globex.example")
        await rename(world, inside, "Seen")
        seen = await cleo.next()
        assert (seen["type"], seen["itemId"], seen["driveId"], seen["by"]) == (
            "itemRenamed", inside, drive, {"name": "Ada Lovelace", "agent": None},
        )  # fmt: skip
        await world.ask(EDIT, d=beside, t="hidden")
        await world.ask(EDIT, d=inside, t="seen")
        assert (await cleo.next())["type"] == "documentEdited"
        path = f"/collaboration/{inside}"
        async with raw.connected(served.origin, path, x_api_key=served.key("ada")) as (_, ada):
            await synced(ada)
            ada.send(codec.update(from_tree(parse("typed"), 9)))
            assert (await cleo.next())["details"].get("live") is None, "it is in the audit"
            ada.send(codec.update(from_tree(parse("typed on"), 10)))
            live = await cleo.next()
            assert (live["type"], live["details"].get("live")) == ("documentEdited", True)
        moved = {"driveId": drive, "parentId": None}
        (await world.api["ada"].post(f"/api/v1/drive-items/{inside}/move", json=moved)).raise_for_status()
        assert (await cleo.next())["type"] == "accessChanged", "something has left her sight"


async def test_a_share_that_ends_ends_its_events_at_once(world, served):
    item = await world.document()
    await share(world, item)
    async with following(served, "cleo", item) as cleo:
        await begun(world, cleo, item)
        await unshare(world, item)
        assert (await cleo.next())["type"] == "accessChanged"
        await rename(world, item, "Not for Cleo")
        await world.ask(EDIT, d=item, t="not for Cleo")
        own = await world.document()
        await share(world, own)
        cleo.items = (item, own)
        heard = await cleo.next()
        assert (heard["type"], heard["itemId"]) == ("itemShared", own)


async def test_two_writers_are_heard_through_lost_connections_each_event_once_and_in_order(world, served):
    first, second = await world.document(), await world.document()
    await share(world, first)
    await share(world, second)
    names = [f"Name {number}" for number in range(40)]
    heard = []

    async def write(item, who):
        for name in names:
            await rename(world, item, name, who)

    async with following(served, "cleo", first, second) as cleo:
        await begun(world, cleo, first)
        after = cleo.last
    writers = asyncio.gather(write(first, "ada"), write(second, "ben"))
    while len(heard) < 2 * len(names):
        async with following(served, "cleo", first, second, after=after) as cleo:
            heard += [await cleo.next() for _ in range(min(7, 2 * len(names) - len(heard)))]
            after = cleo.last
    await writers
    for item in (first, second):
        assert [each["details"]["name"] for each in heard if each["itemId"] == item] == names
    await rename(world, first, "At the end")
    async with following(served, "cleo", first, second, after=after) as cleo:
        assert (await cleo.next())["details"]["name"] == "At the end"


async def test_members_hear_of_all_their_drives_and_of_those_they_are_given(world, served):
    item = await world.document()
    async with following(served, "ben", item) as ben:
        await begun(world, ben, item)
        made = await world.api["ada"].post("/api/v1/drives", json={"name": "New"})
        drive = made.raise_for_status().json()["drive"]["id"]
        inside = await child(world, f"drives/{drive}/items")
        ben.items = (item, inside)
        member = f"/api/v1/drives/{drive}/members/{served.credentials['users']['ben']['userId']}"
        (await world.api["ada"].put(member, json={"role": "contributor"})).raise_for_status()
        assert (await ben.next())["type"] == "accessChanged"
        await rename(world, inside, "In the new drive")
        assert (await ben.next())["details"]["name"] == "In the new drive"
        (await world.api["ada"].delete(member)).raise_for_status()
        assert (await ben.next())["type"] == "accessChanged"
        await rename(world, inside, "Not for Ben")
        await rename(world, item, "For Ben")
        assert (await ben.next())["details"]["name"] == "For Ben"


def cursor(*place):
    return base64.urlsafe_b64encode(json.dumps(place).encode()).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "after",
    [
        "nonsense",
        cursor("1:1:", None, 0, 0, ""),
        cursor("0:0:", None, 0, 0, ""),
        cursor("9:5:", None, 0, 0, ""),
        cursor("1:9:7,5", None, 0, 0, ""),
        cursor("1:9:11", "1:9:", 0, 0, ""),
        cursor("1:9223372036854775807:", None, 0, 0, ""),
        cursor("1:99999999999999999999:", None, 0, 0, ""),
        cursor("'; drop table event", None, 0, 0, ""),
        cursor("1:1:", None, 2**70, 0, ""),
        cursor("1:1:", None, -1, 0, ""),
        cursor("1:1:", "x", 0, 0, ""),
        cursor(None, None, 0, 0, ""),
    ],
)
async def test_a_place_that_is_unknown_or_too_long_ago_says_that_all_must_be_asked_anew(world, served, after):
    item = await world.document()
    if after == cursor("1:1:", None, 0, 0, ""):
        for number in range(12):
            await world.ask("mutation($d: ID!) {" + " ".join(
                f'r{n}: renameItem(itemId: $d, name: "{number} {n}") {{ id }}' for n in range(25)
            ) + "}", d=item)  # fmt: skip
    async with following(served, "ada", item, after=after) as ada:
        first = await ada.next()
        if first["type"] == "reload":
            await begun(world, ada, item)
        else:
            assert after == cursor("1:1:", None, 0, 0, ""), "all is told while it is little"
