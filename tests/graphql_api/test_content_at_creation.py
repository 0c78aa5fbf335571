"""Documents that are made with what they say."""

import pytest

from tests.graphql_api.asked import READ

CREATE = """mutation($drive: ID!, $name: ItemName!, $type: DriveItemType!, $content: String) {
  createItem(driveId: $drive, name: $name, driveItemType: $type, content: $content) {
    id revision updatedBy { name agent } lost { path what name } } }"""
CHILD = """mutation($id: ID!, $content: String) {
  createChild(itemId: $id, name: "Child", driveItemType: docs_workbook, content: $content) { id revision } }"""
EVENTS = "query($d: ID!) { driveEvents(driveId: $d, first: 2) { nodes { type by { agent } } } }"


async def made(world, content, *, kind="docs_workbook", who="agent"):
    drive = await world.drive("grace", "Engineering")
    return (await world.ask(who, CREATE, drive=drive, name="Made", type=kind, content=content))["createItem"]


async def said(world, item):
    return (await world.ask("grace", READ, id=item["id"]))["document"]


@pytest.mark.parametrize("markdown", ["# Minutes\n\n- [ ] call\n", "line\n\n" * 2_000])
async def test_a_document_says_what_it_was_made_with_and_credits_its_maker(world, markdown):
    item = await made(world, markdown)
    assert item["revision"] == 1
    document = await said(world, item)
    assert document["markdown"] == markdown.rstrip() + "\n"
    assert document["authors"] == [{"name": "Ada Lovelace", "agent": "research-assistant"}]
    events = await world.ask("grace", EVENTS, d=await world.drive("grace", "Engineering"))
    assert [each["type"] for each in events["driveEvents"]["nodes"]] == ["documentEdited", "itemCreated"]


@pytest.mark.parametrize(
    ("content", "lost"),
    [
        (None, None),
        ("", []),
        ("Words", []),
        ("<!-- a word -->", [("node", "comment")]),
        ('<p align="right">Words</p> <blink>more</blink>', [("attribute", "align"), ("node", "blink")]),
    ],
)
async def test_what_of_its_content_is_left_out_is_told_once(world, content, lost):
    item = await made(world, content)
    told = item["lost"] and [(each["what"], each["name"]) for each in item["lost"]]
    assert told == lost
    asked = "query($id: ID!) { driveItem(id: $id) { lost { name } children { nodes { lost { name } } } } }"
    assert (await world.ask("grace", asked, id=item["id"]))["driveItem"]["lost"] is None


@pytest.mark.parametrize("content", [None, "", "  \n"])
async def test_without_content_a_document_is_empty(world, content):
    item = await made(world, content)
    assert item["revision"] == 0
    assert (await said(world, item))["markdown"] == ""


async def test_a_chart_says_its_content_or_else_shows_an_example(world):
    chart = await made(world, "```vega-lite\n{}\n```\n", kind="viz_workbook")
    assert (await said(world, chart))["markdown"] == "```vega-lite\n{}\n```\n"
    assert "Jan" in (await said(world, await made(world, None, kind="viz_workbook")))["markdown"]


async def test_a_child_of_a_folder_has_content_too(world):
    folder = await made(world, None, kind="folder")
    child = (await world.ask("ben", CHILD, id=folder["id"], content="Words"))["createChild"]
    assert (await said(world, child))["markdown"] == "Words\n"


async def test_content_of_a_folder_and_content_that_costs_too_much_are_refused_and_make_nothing(world):
    drive = await world.drive("grace", "Engineering")
    before = await world.ask("grace", EVENTS, d=drive)
    for kind, content, says in (
        ("folder", "x", "`content`"), ("docs_workbook", "> " * 200 + "x", "deeper"), ("docs_workbook", "[" * 60_000, "`content`"),
    ):  # fmt: skip
        code, message = await world.told("grace", CREATE, drive=drive, name="No", type=kind, content=content)
        assert code == "BAD_REQUEST"
        assert says in message
    assert await world.ask("grace", EVENTS, d=drive) == before
