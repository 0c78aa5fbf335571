"""Whether what is done to a document over the API goes well while somebody types in it without a pause."""

import pytest

EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
NUMBER = 40
MOST = 8_000  # numbers that each types: where edits take long, the document would grow without end, and they longer


async def edited(world, document, number):
    await world.ask(EDIT, "ben", d=document, e={"append": f"edit {number}"})


async def renamed(world, document, number):
    body = {"name": f"Name {number}"}
    (await world.api["ben"].patch(f"/api/v1/drive-items/{document}", json=body)).raise_for_status()


@pytest.mark.parametrize("changed", [edited, renamed])
async def test_typing_makes_nothing_fail_and_none_of_it_is_lost(clients, world, changed):
    document = await world.document()
    for name, who in (("a", "ada"), ("b", "ben")):
        await clients("open", name, **world.way(document, who))
        await clients("synced", name)
        await clients("stream", name, every=1, mark=name, most=MOST)
    for number in range(NUMBER):
        await changed(world, document, number)
    for name in "ab":
        last = (await clients("halt", name))["typed"]
        await clients("acknowledged", name)
        read = (await world.read(document))["markdown"]
        assert [number for number in range(1, last + 1) if f"{name}{number};" not in read] == []
    assert changed is renamed or [number for number in range(NUMBER) if f"edit {number}" not in read] == []
