"""Stars in GraphQL: one's own, of what one sees, and told to nobody."""

import pytest

from domain.questions import StarsFor
from persistence.postgres.connections import Connection

STAR = "mutation($id: ID!) { starItem(itemId: $id) { id isStarred } }"
UNSTAR = "mutation($id: ID!) { unstarItem(itemId: $id) { id isStarred } }"
STARRED = "{ viewer { starred { nodes { name isStarred } } } }"
EVENTS = "{ events(first: 200) { nodes { type itemId } } }"
ITEM = "query($id: ID!) { driveItem(id: $id) { isStarred revision updatedAt updatedBy { userId } } }"


async def starred(world, who):
    nodes = (await world.ask(who, STARRED))["viewer"]["starred"]["nodes"]
    assert all(node["isStarred"] for node in nodes)
    return [node["name"] for node in nodes]


async def test_what_one_stars_is_listed_the_last_first_to_oneself_alone(world):
    handbook, welcome = await world.item("grace", "Handbook"), await world.item("grace", "Welcome")
    for item_id in (handbook, welcome, handbook):
        assert (await world.ask("grace", STAR, id=item_id))["starItem"] == {"id": item_id, "isStarred": True}
        world.later()
    assert await starred(world, "grace") == ["Welcome", "Handbook"]
    assert await starred(world, "ada") == []
    assert (await world.ask("ada", ITEM, id=welcome))["driveItem"]["isStarred"] is False
    for _ in range(2):
        assert (await world.ask("grace", UNSTAR, id=welcome))["unstarItem"] == {"id": welcome, "isStarred": False}
    assert await starred(world, "grace") == ["Handbook"]


async def test_a_star_is_no_change_of_the_item_and_nobody_is_told(world):
    welcome = await world.item("grace", "Welcome")
    seen = [await world.ask(who, EVENTS) for who in ("grace", "ada")]
    before = (await world.ask("grace", ITEM, id=welcome))["driveItem"]
    world.later()
    await world.ask("grace", STAR, id=welcome)
    assert (await world.ask("grace", ITEM, id=welcome))["driveItem"] == before | {"isStarred": True}
    assert [await world.ask(who, EVENTS) for who in ("grace", "ada")] == seen


@pytest.mark.parametrize("mutation", [STAR, UNSTAR])
async def test_hidden_equals_missing(world, mutation):
    welcome = await world.item("grace", "Welcome")
    hidden = await world.told("gus", mutation, id=welcome)
    assert hidden == await world.told("gus", mutation, id="01890a5d-ac96-774b-bcce-b302099a8057")
    assert hidden[0] == "NOT_FOUND"


async def test_what_is_in_the_trash_or_no_longer_shared_is_not_listed_until_it_is_back(world):
    welcome = await world.item("grace", "Welcome")
    await world.ask("grace", STAR, id=welcome)
    await world.ask("grace", "mutation($id: ID!) { trashItem(itemId: $id) { id } }", id=welcome)
    assert await starred(world, "grace") == []
    await world.ask("grace", "mutation($id: ID!) { restoreItem(itemId: $id) { id } }", id=welcome)
    assert await starred(world, "grace") == ["Welcome"]
    share = 'mutation($id: ID!) { shareItem(itemId: $id, email: "gus@globex.example", permission: read_only) { id } }'
    await world.ask("grace", share, id=welcome)
    await world.ask("gus", STAR, id=welcome)
    assert await starred(world, "gus") == ["Welcome"]
    assert (await world.ports.store.read(StarsFor(world.callers["gus"].user_id, welcome))).count == 1
    end = 'mutation($id: ID!) { removeShare(itemId: $id, email: "gus@globex.example") { itemId } }'
    await world.ask("grace", end, id=welcome)
    assert await starred(world, "gus") == []
    assert (await world.ports.store.read(StarsFor(world.callers["gus"].user_id, welcome))).count == 0


async def test_a_star_goes_with_its_item(world):
    welcome = await world.item("grace", "Welcome")
    await world.ask("grace", STAR, id=welcome)
    await world.ask("grace", "mutation($id: ID!) { trashItem(itemId: $id) { id } }", id=welcome)
    await world.ask("grace", "mutation($id: ID!) { deleteItemForever(itemId: $id) { id } }", id=welcome)

    async def stars(connection: Connection):
        return await (await connection.execute("select count(*) from item_star")).fetchone()

    assert await world.ports.store.autocommit(stars) == (0,)
