"""Whether the text blocks of `/mcp-full` are short, complete enough to go on with, and cannot be forged by a name."""

import json
from types import SimpleNamespace

import pytest
from surfaces.callers import CONTRACT
from surfaces.tools import Mcp
from test_tokens import KEY, World

from edge.mcp_resources import MCP_FULL
from graphql_api.examples import example
from graphql_api.operations import Answer, Surface
from graphql_api.system import new_id
from mcp_adapter.texts import MAX_TEXT, brief_text, escaped
from mcp_adapter.tools import tools

TOOLS = tools(CONTRACT, Surface.MCP_FULL)
SEVENTEEN = tools(CONTRACT, Surface.MCP)
EVIL = "Notes\u2028drive 0 \u202e\u00a0\x7f\U000e0041 \\n"


def exemplary(tool):
    """An example of the inputs of a tool, and of its answer."""
    given = {
        each.name: example(each.type.schema, CONTRACT.components, each.name) for each in tool.shape.inputs.values()
    }
    return given, example(tool.shape.answer, CONTRACT.components) if tool.shape.answer else None


def item(name, *, kind="docs_workbook", parent=None, id_=None):
    (found,) = exemplary(TOOLS["drive_items_shared_with_me"])[1]["items"]
    return found | {"id": id_ or new_id(), "name": name, "parentId": parent, "driveItemType": kind, "revision": 3}


def drive(*items):
    return exemplary(TOOLS["drives_list"])[1]["drives"][0] | {"items": list(items), "name": "Acme"}


def outlined(*drives, cursor=None):
    return brief_text(TOOLS["drives_list"], {}, {"drives": list(drives), "nextCursor": cursor}).split("\n")


def read(markdown, **changes):
    answer = exemplary(TOOLS["documents_read"])[1]
    return brief_text(TOOLS["documents_read"], {}, answer | {"markdown": markdown, "item": answer["item"] | changes})


def test_these_are_the_seventeen_and_every_extension():
    assert set(SEVENTEEN) < set(TOOLS)
    assert all(TOOLS[name].shape.operation.extension is (name not in SEVENTEEN) for name in TOOLS)
    assert all(TOOLS[name].listed() == SEVENTEEN[name].listed() for name in SEVENTEEN)


@pytest.mark.parametrize("name", TOOLS)
def test_no_schema_has_at_its_top_what_providers_of_models_refuse(name):
    assert not {"oneOf", "anyOf", "allOf", "not", "enum"} & TOOLS[name].schema.keys()
    assert TOOLS[name].schema["type"] == "object"


@pytest.mark.parametrize("name", TOOLS)
def test_every_answer_has_a_text_of_lines_that_print_and_names_what_was_asked_for(name):
    tool = TOOLS[name]
    given, answer = exemplary(tool)
    text = brief_text(tool, given, answer)
    assert all(line.isprintable() for line in text.split("\n"))
    if tool.shape.operation.answer is Answer.EMPTY:
        assert text.startswith(f"done: {name} ")
        assert all(str(value) in text for key, value in given.items() if key.endswith("Id") and value)
    elif name not in ("documents_read", "documents_read_version"):
        assert len(text) < len(json.dumps(answer))


def test_a_document_is_its_markdown_after_one_line_of_facts():
    markdown = "# Notes\n\n" + "A line of some text.\n\n" * 230
    text = read(markdown)
    facts, _, rest = text.partition("\n")
    assert rest == markdown
    assert json.loads(facts).keys() == {"name", "id", "revision", "lastEditedBy", "youMay"}
    assert len(markdown) > 5_000
    assert len(text.encode()) <= 1.5 * len(markdown.encode())


def test_the_facts_stay_one_line_whatever_the_name():
    facts, _, rest = read("text\n", name=EVIL).partition("\n")
    assert facts.isprintable()
    assert (json.loads(facts)["name"], rest) == (EVIL, "text\n")


def test_a_listing_is_an_outline_that_ends_with_how_to_get_more():
    folder, inner, document = item("Reports", kind="folder"), item("2026", kind="folder"), item("Minutes")
    inner, document = inner | {"parentId": folder["id"]}, document | {"parentId": inner["id"]}
    lines = outlined(drive(folder, item("Plan"), inner, document))
    assert lines[1].startswith("drive ")
    assert lines[2] == f" {folder['id']}/ Reports"
    assert lines[3] == f"  {inner['id']}/ 2026"
    assert lines[4] == f"   {document['id']} Minutes"
    assert lines[5].endswith(" Plan")
    assert lines[6] == "That is everything."
    assert outlined(drive(folder), cursor="c1")[-1] == 'There is more: call drives_list with cursor "c1"'


def test_what_goes_on_on_a_later_page_stands_under_the_id_of_its_folder():
    folder = new_id()
    first, second = item("One", parent=folder), item("Two", parent=folder)
    assert outlined(drive(first, second))[2:5] == [
        f" {folder}/ (named before)",
        f"  {first['id']} One",
        f"  {second['id']} Two",
    ]


def test_a_name_in_an_outline_is_on_one_line():
    lines = outlined(drive(item(EVIL), item("Plan")))
    assert len(lines) == 5
    assert all(line.isprintable() for line in lines)
    assert json.loads(f'"{lines[2].split(" ", 2)[2]}"') == EVIL


def test_an_item_of_a_listing_takes_sixty_bytes_at_most():
    folders = [item(f"Project {number}", kind="folder") for number in range(20)]
    documents = [item(f"Minutes 2026-{n:02}", parent=folder["id"]) for folder in folders for n in range(1, 25)]
    text = "\n".join(outlined(drive(*folders, *documents)))
    assert len(text.encode()) <= 60 * len(folders + documents)


def test_an_outline_of_a_hundred_levels_is_made_without_recursion():
    chain, parent = [], None
    for number in range(3_000):
        chain.append(item(f"{number}", kind="folder", parent=parent))
        parent = chain[-1]["id"]
    assert len(outlined(drive(*chain))) == 3_003


def test_a_long_text_of_others_is_cut_and_says_by_how_much():
    tool = TOOLS["drive_items_search"]
    _, answer = exemplary(tool)
    found = answer["results"][0] | {"item": item("Plan"), "excerpt": [{"text": "a\n" * MAX_TEXT, "hit": True}]}
    text = brief_text(tool, {}, {"results": [found], "nextCursor": "c2"})
    assert f"… and {MAX_TEXT} more characters" in text
    assert text.split("\n")[-1] == 'There is more: call drive_items_search with cursor "c2"'
    assert len(text.split("\n")) == 3


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\u0085", "\u2028", "\u202e", "\u200b", "\U000e0041"])
def test_what_does_not_print_is_escaped_and_still_said(character):
    assert escaped(f"a{character}b").isprintable()
    assert json.loads(escaped(f"a{character}b")) == f"a{character}b"


async def test_over_http_the_text_is_brief_and_the_content_complete():
    tool = TOOLS["documents_read"]
    given, answer = exemplary(tool)
    world = World(answer=answer, resource=MCP_FULL)
    request = SimpleNamespace(post=lambda _path, **sent: sent)
    sent = Mcp(request).send("tools/call", headers={"mcp-name": tool.name}, name=tool.name, arguments=given)
    headers = sent["headers"] | {"x-api-key": KEY}
    result = (await world.client.post(MCP_FULL.path, json=sent["json"], headers=headers)).json()["result"]
    assert result["structuredContent"] == answer
    assert result["content"] == [{"type": "text", "text": brief_text(tool, given, answer)}]
    assert world.seen[0].operation == "documents.read"
