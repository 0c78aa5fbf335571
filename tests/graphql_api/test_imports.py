"""Updates that are imported from elsewhere: what they become, and what is said where they become nothing."""

import base64

import pytest
from pycrdt import Array, Doc, Map, Text, XmlElement, XmlFragment, XmlText

from tests.support.documents.foreign_updates import BASIC, BASIC_MARKDOWN, V2

IMPORT = """mutation($id: ID!, $u: String!, $field: String) {
  importYjsUpdate(documentId: $id, update: $u, field: $field) { revision updatedBy { name agent } } }"""
READ = """query($id: ID!) { document(id: $id) {
  markdown prosemirrorDoc authors { name agent } item { revision updatedAt updatedBy { name agent } } } }"""


@pytest.fixture
async def pad(world):
    return await world.item("grace", "Scratch pad")


async def imported(world, document, update, who="agent", field=None):
    encoded = base64.b64encode(update).decode()
    return (await world.ask(who, IMPORT, id=document, u=encoded, field=field))["importYjsUpdate"]


async def refused(world, document, update, field=None):
    encoded = base64.b64encode(update).decode()
    return await world.told("agent", IMPORT, id=document, u=encoded, field=field)


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


def xml(root="default", text="Moved", client=5):
    """Return a document with one paragraph in this root."""
    document = Doc(client_id=client)
    add_paragraph(document, root, text)
    return document


def add_paragraph(document, root, text):
    document.get(root, type=XmlFragment).children.append(XmlElement("paragraph", contents=[XmlText(text)]))


def in_map():
    document = Doc(client_id=5)
    document.get("store", type=Map)["title"] = "Moved"
    document.get("order", type=Array).append(1)
    return document.get_update()


def in_text(root):
    document = Doc(client_id=5)
    document.get(root, type=Text).insert(0, "Moved")
    return document.get_update()


HIDDEN = {
    "blocknote": (xml("document-store").get_update(), "`document-store`"),
    "another fragment": (xml("content").get_update(), "`content`"),
    "quill": (in_text("quill"), "`quill`"),
    "a text at the root that is read": (in_text("default"), "`default`"),
    "a map and an array": (in_map(), "`store`, `order`"),
}


@pytest.mark.parametrize(("update", "roots"), HIDDEN.values(), ids=HIDDEN)
async def test_an_update_of_which_no_read_would_show_anything_is_refused_with_the_roots_that_it_has(
    world, pad, update, roots
):
    reason = (
        f"`update` is refused: no read would show anything of it: it has content in {roots}, but no XML nodes in "
        "`default` or `prosemirror`: name another root with such nodes in `field`"
    )
    code, message = await refused(world, pad, update)
    assert code == "BAD_REQUEST"
    assert sorted(message) == sorted(reason)  # roots come in any order
    assert (await read(world, pad))["item"]["revision"] == 0
    await imported(world, pad, xml(client=6, text="There").get_update())
    assert (await refused(world, pad, update))[0] == "BAD_REQUEST"
    assert (await read(world, pad))["markdown"] == "There\n"


async def test_an_update_that_was_emptied_or_has_hidden_content_beside_its_text_is_imported(world, pad):
    emptied = xml()
    del emptied.get("default", type=XmlFragment).children[0]
    assert (await imported(world, pad, emptied.get_update()))["revision"] == 1
    beside = xml(client=6)
    beside.get("meta", type=Map)["title"] = "A title"
    assert (await imported(world, pad, beside.get_update()))["revision"] == 2
    assert (await read(world, pad))["markdown"] == "Moved\n"


async def test_an_edit_that_changes_nothing_in_the_text_that_is_read_is_imported_too(world, pad):
    """Else the updates of its client that follow could not come."""
    document = xml()
    await imported(world, pad, document.get_update())
    for value in ("center", "center"):
        known = document.get_state()
        document.get("default", type=XmlFragment).children[0].attributes["textAlign"] = value
        await imported(world, pad, document.get_update(known))
    assert (await read(world, pad))["item"]["revision"] == 3


async def test_the_root_that_has_the_text_is_named_by_field(world, pad):
    document = xml("document-store")
    document.get("meta", type=Map)["title"] = "A title"
    await imported(world, pad, document.get_update(), field="document-store")
    assert (await read(world, pad))["markdown"] == "Moved\n"
    known = document.get_state()
    add_paragraph(document, "document-store", "Since")
    await imported(world, pad, document.get_update(known))  # an update that goes on needs no root
    await imported(world, pad, document.get_update(), field="document-store")
    now = await read(world, pad)
    assert (now["markdown"], now["item"]["revision"]) == ("Moved\n\nSince\n", 2)


async def test_a_field_that_the_update_does_not_have_or_has_without_nodes_is_refused(world, pad):
    assert await refused(world, pad, xml("content").get_update(), field="contents") == (
        "BAD_REQUEST",
        "`update` is refused: `field` is none of its roots, which are `content`",
    )
    assert await refused(world, pad, in_text("quill"), field="quill") == (
        "BAD_REQUEST",
        (
            "`update` is refused: no read would show anything of it: it has content in `quill`, but no XML nodes in the root "
            "of `field`"
        ),
    )
    assert (await read(world, pad))["item"]["revision"] == 0


async def test_a_message_names_a_few_roots_and_of_long_names_the_beginning(world, pad):
    document = Doc(client_id=5)
    for number in range(12):
        add_paragraph(document, f"root {number:02} {'x' * 99}", "text")
    code, message = await refused(world, pad, document.get_update())
    assert code == "BAD_REQUEST"
    assert "…`" in message
    assert "and 4 more" in message
    assert len(message) < 700


async def test_an_import_goes_to_the_root_that_the_document_is_read_from(world, pad):
    """Text in `prosemirror` would vanish where anything is typed in `default`, which stock editors are bound to."""
    first = xml("prosemirror", "First")
    await imported(world, pad, first.get_update())
    await imported(world, pad, xml("default", "Typed", 6).get_update())
    await imported(world, pad, xml("prosemirror", "Second", 7).get_update())
    now = await read(world, pad)
    assert sorted(now["markdown"].split()) == ["First", "Second", "Typed"]
    assert (await imported(world, pad, first.get_update()))["revision"] == 3
    add_paragraph(first, "prosemirror", "Since")
    await imported(world, pad, first.get_update())
    assert sorted((await read(world, pad))["markdown"].split()) == ["First", "Second", "Since", "Typed"]


async def test_of_both_roots_that_are_read_an_import_shows_the_one_with_nodes(world, pad):
    document = xml("default", "Gone")
    del document.get("default", type=XmlFragment).children[0]
    add_paragraph(document, "prosemirror", "There")
    await imported(world, pad, document.get_update())
    assert (await read(world, pad))["markdown"] == "There\n"
    await imported(world, pad, xml("default", "Typed", 6).get_update())
    assert sorted((await read(world, pad))["markdown"].split()) == ["There", "Typed"]


async def test_a_document_of_the_basic_schema_is_read_with_its_lists_code_rules_and_marks(world, pad):
    await imported(world, pad, BASIC)
    assert (await read(world, pad))["markdown"] == BASIC_MARKDOWN
    assert (await imported(world, pad, BASIC))["revision"] == 1
