"""What is written at one node is heard at the other: nothing polls, and nobody has to come back."""

import pytest

from documents.tree.schema import SCHEMA
from tests.support.live.people import World

EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"


@pytest.mark.parametrize("client", ["4", "y"])
async def test_what_is_typed_at_one_node_is_seen_at_the_other_and_back(two, typists, client):
    one, other = two
    async with World(one) as here, World(other) as there:
        document = await here.document()
        await typists("open", "a", **here.way(document, client=client))
        await typists("open", "b", **there.way(document, "ben", client=client))
        for name in "ab":
            await typists("synced", name)
        await typists("type", "a", text="from one ")
        await typists("sees", "b", text="from one ")
        await typists("type", "b", text="from the other")
        await typists("sees", "a", text="from the other")


async def test_what_is_changed_over_the_api_of_one_node_is_seen_in_an_editor_at_the_other(two, typists):
    one, other = two
    async with World(one) as here, World(other) as there:
        document = await here.document()
        await typists("open", "b", **there.way(document, "ben"))
        await typists("synced", "b")
        await typists("edits", "b", schema=SCHEMA)
        await here.ask(EDIT, d=document, e={"append": "by an agent"})
        await typists("sees", "b", text="by an agent")
        await typists("cursor", "b", user="Ada Lovelace", before="by an agent")


async def test_who_comes_from_another_node_has_what_was_heard_there_and_its_author_keeps_it(two, typists):
    one, other = two
    async with World(one) as here, World(other) as there:
        document = await here.document()
        await typists("open", "reader", **there.way(document))
        await typists("open", "a", **here.way(document))
        await typists("open", "mover", **here.way(document, "ben"))
        for name in ("reader", "a", "mover"):
            await typists("synced", name)
        await typists("type", "a", text="by Ada")
        await typists("sees", "mover", text="by Ada")
        await typists("gone", "mover")
        await typists("open", "moved", **there.way(document, "ben"))
        await typists("synced", "moved")
        await typists("sees", "moved", text="by Ada")
        assert [each["name"] for each in (await there.read(document))["authors"]] == ["Ada Lovelace"]
