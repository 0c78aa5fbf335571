"""Edits, changes and undo that are asked wrongly: each is refused by its code, and nothing of the document is changed."""

import pytest

from tests.graphql_api.asked import APPLY, ATTRIBUTIONS, CHANGES, EDIT, SHARE, UNDO

MANY = 100_000
TRASH = "mutation($id: ID!) { trashItem(itemId: $id) { id } }"
NEW = """mutation($drive: ID!, $name: ItemName!, $type: DriveItemType!) {
  createItem(driveId: $drive, name: $name, driveItemType: $type) { id } }"""
READ = "query($id: ID!) { document(id: $id) { markdown item { revision } } }"
HUGE = 2**31 - 1

EDITS = {
    "no form": ({}, "BAD_REQUEST"),
    "two forms": ({"replace": "a", "append": "b", "base": 1}, "BAD_REQUEST"),
    "a replacement without its base": ({"replace": "a", "base": None}, "BAD_REQUEST"),
    "a base before the beginning": ({"replace": "a", "base": -1}, "BAD_REQUEST"),
    "text added to a base before the beginning": ({"append": "a", "base": -1}, "BAD_REQUEST"),
    "text added to a base of the future": ({"append": "a", "base": 3}, "REVISION_GONE"),
    "a base of the future": ({"replace": "a", "base": 3}, "REVISION_GONE"),
    "the last base of another document": ({"replace": "a", "base": 7}, "REVISION_GONE"),
    "the largest base": ({"replace": "a", "base": HUGE}, "REVISION_GONE"),
    "a passage that is there a hundred thousand times": ({"passages": [{"old": "a", "new": "b"}]}, "PASSAGE_AMBIGUOUS"),
    "an empty passage": ({"passages": [{"old": "", "new": "b"}]}, "PASSAGE_AMBIGUOUS"),
    "a passage that is nowhere": ({"passages": [{"old": "nowhere", "new": "b"}]}, "PASSAGE_NOT_FOUND"),
    "a passage over two blocks that are not neighbours": (
        {"passages": [{"old": "Plan\n\nlast", "new": "b"}]},
        "PASSAGE_NOT_FOUND",
    ),
    "passages that overlap": (
        {"passages": [{"old": "Plan", "new": "b"}, {"old": "# Plan", "new": "c"}]},
        "PASSAGE_AMBIGUOUS",
    ),
    "the same passage twice": ({"passages": [{"old": "Plan", "new": "b"}] * 2}, "PASSAGE_AMBIGUOUS"),
    "too many passages": ({"passages": [{"old": "Plan", "new": "b"}] * 501}, "BAD_REQUEST"),
    "quotes 10,000 deep": ({"append": "> " * 10_000 + "a"}, "BAD_REQUEST"),
    "lists 10,000 deep": ({"append": "- " * 10_000 + "a"}, "BAD_REQUEST"),
    "more brackets than the parser tries": ({"append": "[" * 5_000_000}, "BAD_REQUEST"),
    "more images than the parser tries": ({"append": "![" * 2_500_000}, "BAD_REQUEST"),
    "more emphasis than the parser tries": ({"append": "*a_" * 2_000_000}, "BAD_REQUEST"),
}
UNDOS = {
    "neither ids nor an author": ({}, "BAD_REQUEST"),
    "ids and an author": ({"ids": ["1-1-1-1-x"], "u": "somebody"}, "BAD_REQUEST"),
    "an agent of nobody": ({"a": "an-agent"}, "BAD_REQUEST"),
    "no id": ({"ids": []}, "BAD_REQUEST"),
    "too many ids": ({"ids": ["1-1-1-1-x"] * 501}, "BAD_REQUEST"),
    "an id of another form": ({"ids": ["change"]}, "NOT_FOUND"),
    "an id with numbers beyond all": ({"ids": [f"{10**40}-{10**40}-1-1-x"]}, "NOT_FOUND"),
    "a revision before the beginning": ({"u": "somebody", "r": -1}, "BAD_REQUEST"),
    "a revision of the future": ({"u": "somebody", "r": 3}, "REVISION_GONE"),
    "the largest revision": ({"u": "somebody", "r": HUGE}, "REVISION_GONE"),
}
LISTS = {
    "a revision of the future": ({"r": 3}, "REVISION_GONE"),
    "a version that is not there": ({"v": 9}, "NOT_FOUND"),
    "no change": ({"first": 0}, "BAD_REQUEST"),
    "too many changes": ({"first": 201}, "BAD_REQUEST"),
    "a cursor of nothing": ({"after": "nowhere"}, "NOT_FOUND"),
}
QUERIES = {
    "edit": (APPLY, {"append": "more"}),
    "changes": (CHANGES, {}),
    "undo": (UNDO, {"u": "somebody"}),
    "attributions": (ATTRIBUTIONS, {}),
}


@pytest.fixture
async def pad(world):
    """A document of two revisions, with the same letter a hundred thousand times."""
    drive = await world.drive("grace", "Engineering")
    made = await world.ask("grace", NEW, drive=drive, name="Pad", type="docs_workbook")
    pad = made["createItem"]["id"]
    await world.ask("grace", EDIT, id=pad, e={"append": "# Plan\n\n" + "a" * MANY})
    await world.ask("agent", EDIT, id=pad, e={"append": "last"})
    return pad


async def read(world, pad):
    return (await world.ask("grace", READ, id=pad))["document"]


@pytest.mark.parametrize("case", EDITS)
async def test_an_edit_that_is_asked_wrongly_changes_nothing(world, pad, case):
    inputs, code = EDITS[case]
    before = await read(world, pad)
    assert await world.refused("agent", APPLY, id=pad, **inputs) == code
    assert await read(world, pad) == before


@pytest.mark.parametrize("case", UNDOS)
async def test_an_undo_that_is_asked_wrongly_changes_nothing(world, pad, case):
    inputs, code = UNDOS[case]
    before = await read(world, pad)
    assert await world.refused("agent", UNDO, id=pad, **inputs) == code
    assert await read(world, pad) == before


@pytest.mark.parametrize("case", LISTS)
async def test_changes_that_are_asked_for_wrongly_are_refused(world, pad, case):
    inputs, code = LISTS[case]
    assert await world.refused("agent", CHANGES, id=pad, **inputs) == code


async def test_the_changes_of_another_document_are_none_of_this_one(world, pad):
    other = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=other, e={"append": "elsewhere"})
    listed = (await world.ask("grace", CHANGES, id=other))["documentChanges"]["nodes"]
    before = await read(world, pad)
    assert await world.refused("grace", UNDO, id=pad, ids=[listed[-1]["id"]]) == "NOT_FOUND"
    assert await read(world, pad) == before


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("place", ["unknown", "hidden", "in the trash", "a folder"])
async def test_what_is_no_document_of_the_asker_is_refused_alike(world, pad, query, place):
    text, inputs = QUERIES[query]
    who, document = "grace", "unknown"
    if place == "hidden":
        who, document = "gus", pad
    if place == "in the trash":
        await world.ask("grace", TRASH, id=pad)
        document = pad
    if place == "a folder":
        drive = await world.drive("grace", "Engineering")
        document = (await world.ask("grace", NEW, drive=drive, name="Folder", type="folder"))["createItem"]["id"]
    expected = "NOT_A_DOCUMENT" if place == "a folder" else "NOT_FOUND"
    assert await world.refused(who, text, id=document, **inputs) == expected


@pytest.mark.parametrize("query", ["edit", "changes", "undo"])
async def test_who_may_only_read_is_told_so_and_changes_nothing(world, pad, query):
    await world.ask("grace", SHARE, id=pad, email="gus@globex.example")
    text, inputs = QUERIES[query]
    before = await read(world, pad)
    assert await world.refused("gus", text, id=pad, **inputs) == "FORBIDDEN"
    assert await read(world, pad) == before
