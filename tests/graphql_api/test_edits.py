"""Editing documents in Markdown, asked in GraphQL."""

import pytest

from graphql_api.document_mutations import MAX_PASSAGES

EDIT = "mutation($id: ID!, $e: EditInput!) { editDocument(documentId: $id, edit: $e) { updatedBy { name agent } } }"
READ = "query($id: ID!) { document(id: $id) { markdown authors { name agent } } }"
MADE = "query($id: ID!) { driveItem(id: $id) { updatedAt } }"


@pytest.fixture
async def pad(world):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, e={"replace": "# Plan\n\nMilk and *bread*\n"})
    return pad


async def text_of(world, pad):
    return (await world.ask("ben", READ, id=pad))["document"]["markdown"]


async def test_a_document_is_replaced_added_to_and_changed_in_places_and_each_is_credited(world, pad):
    assert await text_of(world, pad) == "# Plan\n\nMilk and *bread*\n"
    edited = await world.ask("agent", EDIT, id=pad, e={"append": "- one\n- two"})
    assert edited["editDocument"]["updatedBy"] == {"name": "Ada Lovelace", "agent": "research-assistant"}
    passages = [{"old": "Milk", "new": "Tea"}, {"old": "- two", "new": "- two\n- three"}]
    await world.ask("ben", EDIT, id=pad, e={"passages": passages})
    assert await text_of(world, pad) == "# Plan\n\nTea and *bread*\n\n- one\n- two\n- three\n"
    authors = (await world.ask("ben", READ, id=pad))["document"]["authors"]
    assert {author["agent"] for author in authors} == {None, "research-assistant"}
    assert len(authors) == 3


async def test_one_passage_that_is_not_there_once_refuses_them_all(world, pad):
    before = await text_of(world, pad)
    for old in ("Butter", "a", ""):
        passages = [{"old": "Milk", "new": "Tea"}, {"old": old, "new": "x"}]
        assert await world.refused("ben", EDIT, id=pad, e={"passages": passages}) == "BAD_REQUEST"
    many = [{"old": "Milk", "new": "Tea"}] * (MAX_PASSAGES + 1)
    assert await world.refused("ben", EDIT, id=pad, e={"passages": many}) == "BAD_REQUEST"
    assert await text_of(world, pad) == before


@pytest.mark.parametrize("wanted", [{}, {"replace": "a", "append": "b"}, {"replace": None}])
async def test_an_edit_has_exactly_one_form(world, pad, wanted):
    assert await world.refused("ben", EDIT, id=pad, e=wanted) == "BAD_REQUEST"


async def test_an_edit_that_changes_nothing_is_nobodys(world, pad):
    before = await world.ask("ben", MADE, id=pad)
    edited = await world.ask("agent", EDIT, id=pad, e={"replace": await text_of(world, pad)})
    assert edited["editDocument"]["updatedBy"] == {"name": "Grace Hopper", "agent": None}
    assert await world.ask("ben", MADE, id=pad) == before


async def test_only_those_who_may_edit_a_document_can(world, pad):
    assert await world.refused("gus", EDIT, id=pad, e={"append": "x"}) == "NOT_FOUND"
    handbook = await world.item("grace", "Handbook")
    assert await world.refused("ben", EDIT, id=handbook, e={"append": "x"}) == "NOT_A_DOCUMENT"
