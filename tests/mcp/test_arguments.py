"""Whether tools take their arguments as models and their clients send them, and refuse the rest in words that help."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.errors import RejectionError
from contract.field_suggestions import suggestion
from edge.requests import parse_inputs
from mcp_adapter.arguments import normalized, with_ids_of_public_pages
from tests.mcp.tool_calls import TOOLS, exemplary, said

ID, OTHER = "01936f0e-0000-7000-8000-000000000001", "01936f0e-0000-7000-8000-000000000002"
ORIGINS = {"https://drive.example.com"}


def taken(tool, **arguments):
    """The inputs as they are parsed."""
    shape = TOOLS[tool].shape
    return parse_inputs(shape, normalized(shape, arguments, ORIGINS))


def refused(tool, **arguments):
    with pytest.raises(RejectionError) as caught:
        taken(tool, **arguments)
    return caught.value.rejection.message


@pytest.mark.parametrize(
    "sent",
    [
        f"https://drive.example.com/doc/{ID}", f"https://drive.example.com/folder/{ID}?tab=1#x", f"/doc/{ID}/history",
        f"<https://DRIVE.example.com/doc/{ID}>", f" https://drive.example.com/doc/{ID}/\n",
        f"[Plan](https://drive.example.com/doc/{ID})", f'[The "Plan"](</doc/{ID}>)',
    ],
)  # fmt: skip
def test_an_address_of_this_server_is_an_id(sent):
    assert taken("documents_read", documentId=sent) == {"documentId": ID}


@pytest.mark.parametrize(
    "sent", [f"https://other.example/doc/{ID}", "https://drive.example.com/settings/keys", "a/b", f" {ID}", "null"]
)
def test_any_other_address_is_left_as_it_is(sent):
    assert taken("documents_read", documentId=sent) == {"documentId": sent}


async def test_the_address_of_a_public_page_is_the_id_of_its_document():
    asked = []

    async def published_id(slug):
        asked.append(slug)
        return ID if slug == "3fX" else None

    async def resolved(sent, tool="documents_read", field="documentId"):
        return (await with_ids_of_public_pages(TOOLS[tool].shape, {field: sent}, ORIGINS, published_id))[field]

    for sent in ("https://drive.example.com/p/3fX", "/p/3fX/", "<https://DRIVE.example.com/p/3fX#x>"):
        assert await resolved(sent) == ID
    asked.clear()
    for sent in ("https://other.example/p/3fX", "https://drive.example.com/q/3fX", "p", ID, 7, None):
        assert await resolved(sent) == sent
    text = "https://drive.example.com/p/3fX"
    assert await resolved(text, "documents_edit", "append") == text
    assert asked == []
    assert await resolved("https://drive.example.com/p/none") == "https://drive.example.com/p/none"


def test_empty_filters_are_as_good_as_left_out():
    filled = {"driveId": "", "folderId": "", "types": [], "userId": "", "agent": "", "changedSince": "", "cursor": ""}
    assert taken("drive_items_search", text="hello", **filled) == {"text": "hello"}
    assert taken("drive_items_search", text="hello", types="[]", first=None) == {"text": "hello"}
    assert taken("drive_items_search", text="") == {"text": ""}


def test_an_empty_agent_alone_asks_for_people():
    assert taken("documents_changes", documentId=ID, agent="") == {"documentId": ID, "agent": ""}


def test_numbers_truths_lists_and_null_may_be_texts():
    passages = [{"old": "a", "new": "b"}]
    for sent in (json.dumps(passages), json.dumps(passages[0]), [json.dumps(passages[0])], passages[0], passages):
        made = taken("documents_edit", documentId=ID, passages=sent, base="1", dryRun="True", onConflict=None)
        assert made == {"documentId": ID, "passages": passages, "base": 1, "dryRun": True}
    assert taken("documents_undo_changes", documentId=ID, ids=f"{ID},{OTHER}")["ids"] == [ID, OTHER]
    assert taken("documents_undo_changes", documentId=ID, ids=json.dumps([ID]), sinceRevision="null") == {
        "documentId": ID, "ids": [ID],
    }  # fmt: skip


def test_of_the_forms_of_an_edit_only_empty_ones_beside_another_are_left_out():
    assert taken("documents_edit", documentId=ID, replace="", append="x", passages=[]) == {
        "documentId": ID,
        "append": "x",
    }
    assert taken("documents_edit", documentId=ID, replace="", base=3) == {"documentId": ID, "replace": "", "base": 3}


def test_texts_are_never_read_as_anything_else():
    for text in ("null", "[1]", "", "true", "2026-11-26", "https://drive.example.com/doc/1"):
        assert taken("documents_edit", documentId=ID, append=text)["append"] == text
        assert taken("drive_items_search", text=text)["text"] == text


@pytest.mark.parametrize(
    ("name", "sent", "meant_"),
    [
        ("sinceTime", "2026-11-26", "2026-11-26T00:00:00+00:00"),
        ("untilTime", "2026-11-26", "2026-11-27T00:00:00+00:00"),
        ("sinceTime", "2026-11-26T08:30", "2026-11-26T08:30:00+00:00"),
        ("sinceTime", "2026-11-26 08:30:15 +01:00", "2026-11-26T07:30:15+00:00"),
    ],
)
def test_a_date_alone_is_a_moment(name, sent, meant_):
    assert taken("documents_changes", documentId=ID, **{name: sent})[name].isoformat() == meant_


def test_a_move_needs_no_drive_where_the_folder_tells_it():
    assert taken("drive_items_move", itemId=ID, parentId=OTHER) == {"itemId": ID, "parentId": OTHER}
    assert "driveId" not in TOOLS["drive_items_move"].schema["required"]


@pytest.mark.parametrize("sent", ["", " ", "null", None])
def test_no_folder_is_the_top_of_the_drive_however_a_client_says_none(sent):
    assert taken("drive_items_move", itemId=ID, driveId=OTHER, parentId=sent)["parentId"] is None


@pytest.mark.parametrize(
    ("tool", "sent", "field"),
    [
        ("documents_read", "document_id", "documentId"), ("drive_items_search", "query", "text"),
        ("drive_items_search", "limit", "first"), ("documents_read", "id", "documentId"),
        ("drive_items_get", "id", "itemId"), ("documents_edit", "old_str", "passages"), ("drives_create", "title", "name"),
        ("documents_edit", "dry_run", "dryRun"), ("documents_edit", "passage", "passages"),
        ("drive_items_move", "parent_id", "parentId"), ("drives_events", "page_token", "cursor"),
        ("drive_items_search", "sort", "order"), ("documents_read_part", "limit", "characters"),
        ("documents_read_part", "heading", "section"), ("drive_items_move", "folderId", "parentId"),
        ("documents_edit", "text", "append"), ("drive_items_share", "to", "email"),
    ],
)  # fmt: skip
def test_the_refusal_of_an_unknown_field_names_the_one_that_was_meant(tool, sent, field):
    message = refused(tool, **{sent: "x"})
    assert message == f"`{sent}` is no field of this request: send `{field}` instead"


def test_an_unknown_field_of_a_passage_is_told_as_well():
    message = refused("documents_edit", documentId=ID, passages=[{"old_str": "a", "new_str": "b"}])
    assert message == "`passages[0].old_str` is no field of this object: send `old` instead"
    assert suggestion("colour", ["documentId", "text"]) is None


@pytest.mark.parametrize("sent", ["ten", 1.5, 0, 201, True])
def test_the_refusal_of_a_number_tells_its_range(sent):
    assert "from 1 to 200" in refused("drive_items_search", text="x", first=sent)


async def test_over_http_arguments_are_read_as_meant():
    _, answer = exemplary(TOOLS["documents_read"])
    result, world = await said(
        "documents_read", answer, documentId=f"https://drive.example.com/doc/{ID}", include='["tree"]'
    )
    assert "isError" not in result or not result["isError"]
    assert world.asked[0][2] == {"documentId": ID}
    assert world.documents == ["DocumentsRead"]


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["[", "{}", "2026-13-45", "http://["]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["old", "new", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(list(TOOLS)), st.data())
def test_whatever_is_sent_is_parsed_or_refused(name, data):
    shape = TOOLS[name].shape
    arguments = data.draw(st.dictionaries(st.sampled_from([*shape.inputs, "other"]), anything, max_size=5))
    with suppress(RejectionError):
        parse_inputs(shape, normalized(shape, arguments, ORIGINS))
