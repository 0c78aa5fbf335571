"""Editing documents in Markdown, asked in GraphQL."""

import base64

import pytest

from documents.tree.build import from_tree
from graphql_api.document_mutations import MAX_PASSAGES
from tests.graphql_api.asked import APPLY

EDIT = "mutation($id: ID!, $e: EditInput!) { editDocument(documentId: $id, edit: $e) { id item { updatedBy { name agent } } } }"
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
    assert edited["editDocument"]["item"]["updatedBy"] == {"name": "Ada Lovelace", "agent": "research-assistant"}
    passages = [{"old": "Milk", "new": "Tea"}, {"old": "- two", "new": "- two\n- three"}]
    await world.ask("ben", EDIT, id=pad, e={"passages": passages})
    assert await text_of(world, pad) == "# Plan\n\nTea and *bread*\n\n- one\n- two\n- three\n"
    authors = (await world.ask("ben", READ, id=pad))["document"]["authors"]
    assert {author["agent"] for author in authors} == {None, "research-assistant"}
    assert len(authors) == 3


async def test_one_passage_that_is_not_there_once_refuses_them_all(world, pad):
    before = await text_of(world, pad)
    for old, code in (("Butter", "PASSAGE_NOT_FOUND"), ("a", "PASSAGE_AMBIGUOUS"), ("", "PASSAGE_AMBIGUOUS")):
        passages = [{"old": "Milk", "new": "Tea"}, {"old": old, "new": "x"}]
        refused, message = await world.told("ben", EDIT, id=pad, e={"passages": passages})
        assert (refused, "`passages[1].old`" in message) == (code, True)
    many = [{"old": "Milk", "new": "Tea"}] * (MAX_PASSAGES + 1)
    assert await world.refused("ben", EDIT, id=pad, e={"passages": many}) == "BAD_REQUEST"
    assert await text_of(world, pad) == before


@pytest.mark.parametrize("wanted", [{}, {"replace": "a", "append": "b"}, {"replace": None}])
async def test_an_edit_has_exactly_one_form(world, pad, wanted):
    assert await world.refused("ben", EDIT, id=pad, e=wanted) == "BAD_REQUEST"


async def test_an_edit_that_changes_nothing_is_nobodys(world, pad):
    before = await world.ask("ben", MADE, id=pad)
    edited = await world.ask("agent", EDIT, id=pad, e={"replace": await text_of(world, pad)})
    assert edited["editDocument"]["item"]["updatedBy"] == {"name": "Grace Hopper", "agent": None}
    assert await world.ask("ben", MADE, id=pad) == before


async def test_only_those_who_may_edit_a_document_can(world, pad):
    assert await world.refused("gus", EDIT, id=pad, e={"append": "x"}) == "NOT_FOUND"
    handbook = await world.item("grace", "Handbook")
    assert await world.refused("ben", EDIT, id=handbook, e={"append": "x"}) == "NOT_A_DOCUMENT"


async def applied(world, who, pad, **asked):
    return (await world.ask(who, APPLY, id=pad, **asked))["editDocument"]


async def test_an_applied_edit_tells_what_it_did_and_which_revision_it_made(world, pad):
    made = await applied(world, "agent", pad, append="- one")
    assert made == {
        "revision": 2,
        "markdown": "# Plan\n\nMilk and *bread*\n\n- one\n",
        "changes": [{"kind": "inserted", "path": [2], "inserted": "one", "deleted": ""}],
        "kept": [],
        "conflicts": [],
        "lost": [],
        "item": {"revision": 2, "updatedBy": {"agent": "research-assistant"}},
    }
    again = await applied(world, "agent", pad, passages=[{"old": "- one", "new": "- one"}])
    assert (again["revision"], again["changes"]) == (2, [])
    changed = await applied(world, "ben", pad, passages=[{"old": "Milk", "new": "Tea"}])
    assert changed["changes"] == [{"kind": "replaced", "path": [1], "inserted": "Tea", "deleted": "Milk"}]
    assert await text_of(world, pad) == changed["markdown"] == "# Plan\n\nTea and *bread*\n\n- one\n"


async def test_a_replacement_is_merged_with_what_others_wrote_since_its_base(world, pad):
    await world.ask("grace", EDIT, id=pad, e={"passages": [{"old": "bread", "new": "bread, eggs"}]})
    made = await applied(world, "agent", pad, replace="# Plan\n\nTea and *bread*\n\nSoon", base=1)
    assert made["markdown"] == await text_of(world, pad) == "# Plan\n\nTea and *bread, eggs*\n\nSoon\n"
    assert (made["revision"], made["kept"]) == (3, [])
    assert [(each["kind"], each["path"]) for each in made["changes"]] == [("replaced", [1]), ("inserted", [2])]


async def test_a_block_in_which_others_wrote_is_kept_or_the_edit_refused(world, pad):
    await world.ask("grace", EDIT, id=pad, e={"passages": [{"old": "bread", "new": "bread, eggs"}]})
    asked = {"replace": "# Plan", "base": 1}
    code, message = await world.told("agent", APPLY, id=pad, **asked, on="refuse")
    assert code == "REVISION_CHANGED"
    assert message.startswith(
        "1 change conflicts with what others changed since `base`, the first in the block at [1] (`others_inside`)"
    )
    before = await text_of(world, pad)
    made = await applied(world, "agent", pad, **asked)
    conflict = {"path": [1], "class": "others_inside", "theirs": "Milk and *bread, eggs*", "yours": ""}
    assert (made["kept"], made["conflicts"]) == ([{"path": [1], "notDone": "deleted"}], [conflict])
    assert made["markdown"] == await text_of(world, pad) == before
    tea = {"replace": "# Plan\n\nTea and *bread*", "base": 1}
    assert (await applied(world, "agent", pad, **tea, on="refuse"))["markdown"] == before.replace("Milk", "Tea")


async def test_an_edit_refused_for_conflicts_lists_them_in_the_extensions_of_its_error(world, pad):
    await world.ask("grace", EDIT, id=pad, e={"passages": [{"old": "Milk", "new": "Beer"}]})
    result = await world.run("agent", APPLY, id=pad, replace="# Plan\n\nTea and *bread*", base=1, on="refuse")
    conflict = {"path": [1], "class": "deleted_by_others", "theirs": "Beer", "yours": "Tea"}
    assert result.errors[0].extensions == {"code": "REVISION_CHANGED", "conflicts": [conflict]}
    told = await applied(world, "agent", pad, replace="# Plan\n\nTea and *bread*", base=1, dry=True)
    assert told["conflicts"] == [conflict]


async def test_a_dry_run_tells_what_the_edit_would_do_and_writes_nothing(world, pad):
    before = await text_of(world, pad)
    told = await applied(world, "agent", pad, replace="# Plan\n\nTea", base=1, dry=True)
    assert await text_of(world, pad) == before
    assert (told["revision"], told["item"]["revision"]) == (1, 1)
    made = await applied(world, "agent", pad, replace="# Plan\n\nTea", base=1)
    assert {**made, "revision": 1, "item": told["item"]} == told
    assert await world.refused("gus", APPLY, id=pad, append="x", dry=True) == "NOT_FOUND"


async def test_what_markdown_cannot_say_is_told_where_an_edit_loses_it(world, pad):
    update = from_tree(
        {
            "type": "doc",
            "content": [
                {
                    "type": "paragraph",
                    "attrs": {"textAlign": "center"},
                    "content": [{"type": "text", "text": "some words in the middle"}],
                }
            ],
        },
        77,
    )
    imported = "mutation($id: ID!, $u: String!) { importYjsUpdate(documentId: $id, update: $u) { revision } }"
    drive = (await world.ask("grace", "query($id: ID!) { driveItem(id: $id) { driveId } }", id=pad))["driveItem"][
        "driveId"
    ]
    made = 'mutation($d: ID!) { createItem(driveId: $d, name: "Centred", driveItemType: docs_workbook) { id } }'
    centred = (await world.ask("grace", made, d=drive))["createItem"]["id"]
    await world.ask("grace", imported, id=centred, u=base64.b64encode(update).decode())
    told = await applied(world, "grace", centred, replace="- some words in the middle", base=1, dry=True)
    assert told["lost"] == []  # it goes along
    told = await applied(world, "grace", centred, replace="```\nsome words in the middle\n```", base=1, dry=True)
    assert {"path": [0], "what": "attribute", "name": "textAlign"} in told["lost"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({}, "BAD_REQUEST"),
        ({"replace": "a", "append": "b", "base": 1}, "BAD_REQUEST"),
        ({"replace": "a", "base": None}, "BAD_REQUEST"),
        ({"replace": "a", "base": -1}, "BAD_REQUEST"),
        ({"append": "a", "base": -1}, "BAD_REQUEST"),
        ({"append": "a", "base": 2}, "REVISION_GONE"),
        ({"passages": [{"old": "Milk", "new": "x"}], "base": -1}, "BAD_REQUEST"),
        ({"passages": [{"old": "Milk", "new": "x"}], "base": 2}, "REVISION_GONE"),
        ({"replace": "a", "base": 2**31}, "BAD_REQUEST"),
        ({"replace": "a", "base": 2**31 - 1}, "REVISION_GONE"),
        ({"replace": "a", "base": 2}, "REVISION_GONE"),
        ({"passages": [{"old": "", "new": "x"}]}, "PASSAGE_AMBIGUOUS"),
        ({"passages": [{"old": "M", "new": "x"}, {"old": "Milk", "new": "y"}]}, "PASSAGE_AMBIGUOUS"),
        ({"passages": [{"old": "Milk", "new": "x"}] * 501}, "BAD_REQUEST"),
        ({"passages": [{"old": "Milk", "new": "x"}, {"old": "Butter", "new": "y"}]}, "PASSAGE_NOT_FOUND"),
        ({"passages": [{"old": "Milk", "new": "x"}, {"old": "a", "new": "y"}]}, "PASSAGE_AMBIGUOUS"),
    ],
)
async def test_an_edit_that_cannot_be_made_is_refused_and_nothing_of_it_is_done(world, pad, asked, code):
    before = await text_of(world, pad)
    assert await world.refused("agent", APPLY, id=pad, **asked) == code
    assert await text_of(world, pad) == before


async def test_an_edit_by_graphql_input_takes_a_base_too(world, pad):
    edit = (
        "mutation($id: ID!, $e: EditInput!, $b: Int) { editDocument(documentId: $id, edit: $e, base: $b) { revision } }"
    )
    await world.ask("grace", EDIT, id=pad, e={"append": "eggs"})
    made = await world.ask("agent", edit, id=pad, e={"replace": "# Plan\n\nTea"}, b=1)
    assert made["editDocument"]["revision"] == 3
    assert await text_of(world, pad) == "# Plan\n\nTea\n\neggs\n"
    assert await world.refused("agent", edit, id=pad, e={"replace": "x"}, b=9) == "REVISION_GONE"
