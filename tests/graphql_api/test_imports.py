"""Updates that are imported from elsewhere: what they become, and what is said where they become nothing."""

import base64

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from tests.documents.test_update_v2 import V2

IMPORT = """mutation($id: ID!, $u: String!) {
  importYjsUpdate(documentId: $id, update: $u) { revision updatedBy { name agent } } }"""
READ = """query($id: ID!) { document(id: $id) {
  markdown prosemirrorDoc authors { name agent } item { revision updatedAt updatedBy { name agent } } } }"""


@pytest.fixture
async def pad(world):
    return await world.item("grace", "Scratch pad")


async def imported(world, document, update, who="agent"):
    encoded = base64.b64encode(update).decode()
    return (await world.ask(who, IMPORT, id=document, u=encoded))["importYjsUpdate"]


async def refused(world, document, update):
    encoded = base64.b64encode(update).decode()
    return await world.told("agent", IMPORT, id=document, u=encoded)


async def read(world, document):
    return (await world.ask("ben", READ, id=document))["document"]


@pytest.mark.parametrize("update", V2.values(), ids=V2)
async def test_an_update_of_version_2_is_refused_by_that_name(world, pad, update):
    code, message = await refused(world, pad, base64.b64decode(update))
    assert code == "BAD_REQUEST"
    assert message == (
        "`update` is refused: it is encoded in version 2, send version 1: `Y.encodeStateAsUpdate` makes it, and "
        "`Y.convertUpdateFormatV2ToV1` converts to it"
    )
    assert (await read(world, pad))["item"]["revision"] == 0


async def test_content_that_a_document_has_makes_neither_a_revision_nor_an_author(world, pad):
    document = Doc(client_id=5)
    text = document.get("default", type=XmlFragment).children.append(
        XmlElement("paragraph", contents=[XmlText("Moved")])
    )
    first = document.get_update()
    del text.children[0]
    deleting = document.get_update()
    await imported(world, pad, first, "grace")
    before = await read(world, pad)
    assert (before["item"]["revision"], before["markdown"]) == (1, "Moved\n")
    assert (await imported(world, pad, first))["revision"] == 1
    assert await read(world, pad) == before
    assert (await imported(world, pad, deleting, "grace"))["revision"] == 2
    emptied = await read(world, pad)
    assert emptied["markdown"] == ""
    for known in (first, deleting):
        assert (await imported(world, pad, known))["revision"] == 2
    assert await read(world, pad) == emptied
