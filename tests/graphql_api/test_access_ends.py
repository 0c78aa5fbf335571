"""Who took one's access away: told to the one who had it, as long as it is the last word about their access."""

from graphql_api import object_types
from tests.graphql_api.asked import SHARE

END = "query($id: ID!) { viewer { accessEnd(itemId: $id) { by { name agent } at } } }"
REVOKE = "mutation($id: ID!, $email: EmailAddress!) { removeShare(itemId: $id, email: $email) { email } }"
LEAVE = "mutation($d: ID!, $u: ID!) { removeMember(driveId: $d, userId: $u) { driveId } }"
MOVE = "mutation($id: ID!, $d: ID!, $p: ID) { moveItem(itemId: $id, driveId: $d, parentId: $p) { id } }"
FOLDER = """mutation($d: ID!) {
  createItem(driveId: $d, name: "Folder", driveItemType: folder) { id } }"""
GUS = "gus@globex.example"


async def told(world, who, item):
    end = (await world.ask(who, END, id=item))["viewer"]["accessEnd"]
    return end and (end["by"]["name"], end["by"]["agent"])


async def placed(world):
    """Return a drive, a folder in it and a document in that."""
    drive, pad = await world.drive("grace", "Engineering"), await world.item("grace", "Scratch pad")
    folder = (await world.ask("grace", FOLDER, d=drive))["createItem"]["id"]
    await world.ask("grace", MOVE, id=pad, d=drive, p=folder)
    return drive, folder, pad


async def test_whoever_ended_a_share_is_told_to_the_one_who_had_it_alone(world):
    _, folder, pad = await placed(world)
    await world.ask("grace", SHARE, id=folder, email=GUS)
    assert await told(world, "gus", pad) is None, "they see it"
    await world.ask("agent", REVOKE, id=folder, email=GUS)
    assert await told(world, "gus", pad) == await told(world, "gus", folder) == ("Ada Lovelace", "research-assistant")
    assert await told(world, "ben", pad) is None, "a member sees it"
    assert await told(world, "gus", await world.item("grace", "Orbit plan")) is None, "they never saw it"
    assert await told(world, "gus", "no id") is None


async def test_whoever_ended_a_role_is_told_of_every_item_of_the_drive(world):
    drive, folder, pad = await placed(world)
    await world.ask("grace", LEAVE, d=drive, u=world.callers["ben"].user_id)
    assert await told(world, "ben", pad) == await told(world, "ben", folder) == ("Grace Hopper", None)


async def test_nobody_is_blamed_for_what_a_later_change_ended(world):
    drive, folder, pad = await placed(world)
    await world.ask("grace", SHARE, id=pad, email=GUS)
    await world.ask("grace", SHARE, id=folder, email=GUS)
    await world.ask("agent", REVOKE, id=pad, email=GUS)
    await world.ask("grace", MOVE, id=pad, d=drive, p=None)
    assert await told(world, "gus", pad) is None


async def test_null_is_held_back_as_not_found_is(world, monkeypatch):
    held = []

    async def hold(begun):
        held.append(begun)

    monkeypatch.setattr(object_types, "next_step", hold)
    _, folder, pad = await placed(world)
    for number, item in enumerate([pad, folder, await world.item("grace", "Orbit plan"), "no id"], 1):
        assert await told(world, "gus", item) is None
        assert len(held) == number
