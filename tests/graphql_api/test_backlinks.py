"""Documents that link to an item, for whoever sees both."""

import pytest

from tests.graphql_api.asked import EDIT

MAKE = "mutation($d: ID!, $n: ItemName!, $c: String!) { createItem(driveId: $d, name: $n, driveItemType: docs_workbook, content: $c) { id } }"
BACKLINKS = "query($id: ID!, $first: Int!, $after: Cursor) { driveItem(id: $id) { backlinks(first: $first, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } } }"


async def linked_from(world, who, item_id):
    """Read all pages, of one document each."""
    names, after = [], None
    while True:
        answer = (await world.ask(who, BACKLINKS, id=item_id, first=1, after=after))["driveItem"]
        names += [node["name"] for node in answer["backlinks"]["nodes"]]
        after = answer["backlinks"]["pageInfo"]["endCursor"]
        if not answer["backlinks"]["pageInfo"]["hasNextPage"]:
            return names


async def drive_of(world, item_id):
    return (await world.ask("grace", "query($id: ID!) { driveItem(id: $id) { driveId } }", id=item_id))["driveItem"][
        "driveId"
    ]


@pytest.fixture
async def linked(world):
    """Two documents that link to Welcome, of which one is in the trash later, and one that names its id alone."""
    welcome = await world.item("grace", "Welcome")
    drive = await drive_of(world, welcome)
    made = []
    for name, content in (
        ("Plain", f"see {welcome}"),
        ("Relative", f"see [it](/doc/{welcome})"),
        ("Whole", f"- see [it](https://codrive.example/doc/{welcome}?panel=outline), [again](/doc/{welcome})"),
    ):
        made.append((await world.ask("grace", MAKE, d=drive, n=name, c=content))["createItem"]["id"])
        world.later()
    return welcome, made


async def test_documents_that_link_to_an_item_are_listed_the_last_made_first(world, linked):
    welcome, (_, relative, _) = linked
    assert await linked_from(world, "grace", welcome) == ["Whole", "Relative"]
    link = {"old": f"[it](/doc/{welcome})", "new": "it"}
    await world.ask("grace", EDIT, id=relative, e={"passages": [link]})
    assert await linked_from(world, "grace", welcome) == ["Whole"]


async def test_who_sees_the_item_alone_learns_of_no_document(world, linked):
    welcome, (_, relative, _) = linked
    share = 'mutation($id: ID!) { shareItem(itemId: $id, email: "gus@globex.example", permission: read_only) { id } }'
    await world.ask("grace", share, id=welcome)
    assert await linked_from(world, "gus", welcome) == []
    await world.ask("grace", share, id=relative)
    assert await linked_from(world, "gus", welcome) == ["Relative"]


async def test_what_is_in_the_trash_is_not_listed_until_it_is_back(world, linked):
    welcome, (_, _, whole) = linked
    await world.ask("grace", "mutation($id: ID!) { trashItem(itemId: $id) { id } }", id=whole)
    assert await linked_from(world, "grace", welcome) == ["Relative"]
    await world.ask("grace", "mutation($id: ID!) { restoreItem(itemId: $id) { id } }", id=whole)
    assert await linked_from(world, "grace", welcome) == ["Whole", "Relative"]
