"""The authors of a document in the order of their first edits, by which an editor gives them their colours."""

from tests.graphql_api.asked import SHARE

AUTHORS = "query($id: ID!) { documentAuthorIds(documentId: $id) }"
EDIT = "mutation($id: ID!, $edit: EditInput!) { editDocument(documentId: $id, edit: $edit) { revision } }"


async def authors(world, who, item):
    return (await world.ask(who, AUTHORS, id=item))["documentAuthorIds"]


async def test_authors_come_in_the_order_of_their_first_edits_however_they_edit_later(world):
    pad = await world.item("grace", "Scratch pad")
    assert await authors(world, "grace", pad) == []
    for who in ("grace", "agent", "ben", "ada", "grace", "ben"):
        await world.ask(who, EDIT, id=pad, edit={"append": f"By {who}"})
    assert await authors(world, "ben", pad) == [world.callers[who].user_id for who in ("grace", "ada", "ben")]


async def test_authors_are_told_to_who_reads_the_document(world):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, edit={"append": "Milk"})
    assert await world.refused("gus", AUTHORS, id=pad) == "NOT_FOUND"
    await world.ask("grace", SHARE, id=pad, email="gus@globex.example")
    assert await authors(world, "gus", pad) == [world.callers["grace"].user_id]
