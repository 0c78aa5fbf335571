"""The path of items in lists: the folders above them that the caller sees, at no statement of its own."""

import pytest

LISTS = {
    "search": '{ list: search(text: "o", first: 200) { nodes { %s } } }',
    "sharedWithMe": "{ list: sharedWithMe { nodes { %s } } }",
    "trash": "{ list: trash { nodes { %s } } }",
    "items": """{ drives(first: 4) { nodes { items(first: 4) { nodes {
      %s children(first: 4) { nodes { %s children(first: 4) { nodes { %s } } } } } } } } }""",
    "allSharedWithMe": "{ allSharedWithMe { %s } }",
}
BOTH = "id name path { id name } ancestors { id name }"


def items(value):
    """Yield all items of an answer."""
    if isinstance(value, dict):
        if "path" in value:
            yield value
        for each in value.values():
            yield from items(each)
    if isinstance(value, list):
        for each in value:
            yield from items(each)


@pytest.mark.parametrize("listed", LISTS)
@pytest.mark.parametrize("who", ["grace", "ada", "ben", "cleo", "gus"])
async def test_the_path_names_the_ancestors_that_one_sees(world, listed, who):
    trash = "mutation($id: ID!) { trashItem(itemId: $id) { id } }"
    for name in ("Launch numbers", "Handbook"):
        await world.ask("grace", trash, id=await world.item("grace", name))
    for item in items(await world.ask(who, LISTS[listed].replace("%s", BOTH))):
        assert item["path"] == item["ancestors"]


async def test_a_listing_of_whole_drives_tells_it_by_the_parents_alone(world):
    listed = items(await world.ask("grace", "{ driveListing { drives { items { path { id } } } } }"))
    assert {item["path"] for item in listed} == {None}


async def test_hidden_folders_are_not_in_it(world):
    found = '{ search(text: "orbit plan") { nodes { name path { name } } } }'
    assert (await world.ask("grace", found))["search"]["nodes"][0]["path"] == [{"name": "Projects"}, {"name": "Orbit"}]
    assert (await world.ask("cleo", found))["search"]["nodes"][0]["path"] == [{"name": "Orbit"}]
    assert (await world.ask("cleo", "{ sharedWithMe { nodes { path { name } } } }"))["sharedWithMe"]["nodes"] == [
        {"path": []}
    ]


@pytest.mark.parametrize("listed", ["search", "sharedWithMe", "trash", "items"])
async def test_it_takes_no_question_of_its_own(world, listed, monkeypatch):
    asked = []
    read = world.ports.store.read

    async def count(question):
        asked.append(question)
        return await read(question)

    monkeypatch.setattr(world.ports.store, "read", count)
    numbers = []
    for fields in ("id name", "id name path { id name }"):
        asked.clear()
        await world.ask("grace", LISTS[listed].replace("%s", fields))
        numbers.append(len(asked))
    assert numbers[0] == numbers[1]
