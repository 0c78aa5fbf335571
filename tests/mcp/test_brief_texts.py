"""Whether the text blocks of `/mcp-full` are short, complete enough to go on with, and cannot be forged by a name."""

import json

import pytest

from contract.examples import example
from contract.operations import Answer, Surface
from domain.access import Can
from graphql_api.system import new_id
from mcp_adapter.structured_content import MAX_CHANGES, MAX_HIT, MAX_NESTING, MAX_TEXT, structured_content
from mcp_adapter.texts import brief_text, escaped
from mcp_adapter.tools import tools
from tests.mcp.tool_calls import TOOLS, exemplary, said
from tests.support.surfaces.callers import CONTRACT

SEVENTEEN = tools(CONTRACT, Surface.MCP)
LONG_NAMES = ["n" * 255, '"\\' * 127, "\u200b" * 255, "\U000e0041" * 127, "議事録" * 85]
EVIL = "Notes\u2028drive 0 \u202e\u00a0\x7f\U000e0041 \\n"


def told(name, answer):
    """The structured content for an answer, and the text block."""
    tool = TOOLS[name]
    structured = structured_content(tool.shape.operation.name, answer)
    return structured, brief_text(tool, {}, structured)


def item(name, *, kind="docs_workbook", parent=None, id_=None):
    (found,) = exemplary(TOOLS["drives_list"])[1]["drives"][0]["items"]
    return found | {"id": id_ or new_id(), "name": name, "parentId": parent, "driveItemType": kind}


def drive(*items):
    return exemplary(TOOLS["drives_list"])[1]["drives"][0] | {"items": list(items), "name": "Acme"}


def outlined(*drives, cursor=None):
    return told("drives_list", {"drives": list(drives), "nextCursor": cursor})[1].split("\n")


def read(markdown, **changes):
    answer = exemplary(TOOLS["documents_read"])[1]
    return told("documents_read", answer | {"markdown": markdown, "item": answer["item"] | changes})[1]


def test_these_are_the_seventeen_and_every_extension():
    assert set(SEVENTEEN) < set(TOOLS)
    assert all(TOOLS[name].shape.operation.extension is (name not in SEVENTEEN) for name in TOOLS)
    assert all(TOOLS[name].annotations == SEVENTEEN[name].annotations for name in SEVENTEEN)


def size(value):
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


@pytest.mark.parametrize("name", TOOLS)
def test_the_catalogue_is_short_and_says_nothing_of_answers(name):
    listed = TOOLS[name].listed()
    assert "outputSchema" not in listed
    assert size(listed) <= 1_100


@pytest.mark.parametrize("name", TOOLS)
def test_no_schema_has_at_its_top_what_providers_of_models_refuse(name):
    assert not {"oneOf", "anyOf", "allOf", "not", "enum"} & TOOLS[name].schema.keys()
    assert TOOLS[name].schema["type"] == "object"


@pytest.mark.parametrize("name", TOOLS)
def test_every_answer_has_a_text_of_lines_that_print_and_names_what_was_asked_for(name):
    tool = TOOLS[name]
    given, answer = exemplary(tool)
    structured = None if answer is None else structured_content(tool.shape.operation.name, answer)
    text = brief_text(tool, given, structured)
    assert all(line.isprintable() for line in text.split("\n"))
    if tool.shape.operation.answer is Answer.EMPTY:
        assert text.startswith(f"done: {name} ")
        assert all(str(value) in text for key, value in given.items() if key.endswith("Id") and value)
    elif name not in ("documents_read", "documents_read_version", "documents_read_part"):
        assert len(text) <= 1.1 * len(json.dumps(answer))


def test_a_document_is_its_markdown_after_one_line_of_facts():
    markdown = "# Notes\n\n" + "A line of some text.\n\n" * 230
    text = read(markdown)
    facts, _, rest = text.partition("\n")
    assert rest == markdown
    assert json.loads(facts).keys() == {"name", "id", "revision", "url", "updatedAt", "lastEditedBy", "youMay"}
    assert len(markdown) > 5_000
    assert len(text) <= 1.3 * len(markdown) + 600


def test_a_document_has_no_tree_in_its_structured_content_and_costs_little_more_than_its_markdown():
    markdown = '# Notes\n\n"A line", of \\_some\\_ text & more ünlauts.\n\n' * 500
    _, answer = exemplary(TOOLS["documents_read"])
    structured, text = told("documents_read", answer | {"markdown": markdown})
    assert structured["markdown"] == markdown
    assert "prosemirrorDoc" not in str(structured)
    for each in (len(text), size(structured)):
        assert each <= 1.3 * len(markdown) + 600


@pytest.mark.parametrize("name", LONG_NAMES)
@pytest.mark.parametrize("markdown", ["", "word " * 200])
def test_what_is_told_with_a_document_is_short_whatever_it_is_called_and_whoever_edited_it(name, markdown):
    _, answer = exemplary(TOOLS["documents_read"])
    urls = {"url": f"https://drive.example.com/doc/{new_id()}", "publicUrl": f"https://drive.example.com/p/{'x' * 22}"}
    told_ = {"name": name, **urls, "capabilities": [can.value for can in Can]}
    by = {"name": name, "agent": name, "editedAt": "2026-11-20T09:30:00.000Z"}
    structured, text = told(
        "documents_read", answer | {"item": answer["item"] | told_, "authors": [by], "markdown": markdown}
    )
    for each in (len(text), size(structured)):
        assert each <= 1.3 * len(markdown) + 600
    assert urls.items() <= structured["item"].items()


def test_a_document_is_told_with_its_whole_name_where_that_has_room():
    name = "Minutes of the meeting of the platform engineering group, 19 November 2026, with all decisions"
    assert json.loads(read("text\n", name=name).partition("\n")[0])["name"] == name


@pytest.mark.parametrize(
    "text", ["Goals", "Ziele und Maßnahmen " * 30, '"\\' * 200, "\u200b" * 200, "\U000e0041" * 90, "議事録" * 99]
)
def test_a_heading_of_an_outline_takes_a_short_line_whatever_it_says(text):
    heading = {"id": "4294967295-10000000", "level": 2, "text": text, "size": 10_000_000}
    structured, told_ = told("documents_outline", {"revision": 7, "size": 1, "blocks": 1, "headings": [heading]})
    (line,) = [each for each in told_.split("\n") if each.startswith(" ")]
    (shown,) = structured["headings"]
    assert len(line) <= 120
    assert size(shown) <= 120
    assert shown["text"] == text or (shown["text"].endswith("…") and text.startswith(shown["text"][:-1]))
    assert text != "Goals" or shown == heading


def test_a_part_is_its_markdown_after_one_line_of_facts():
    structured, text = told(
        "documents_read_part", {"revision": 7, "markdown": "## Goals\n\n- one\n", "nextBlock": None}
    )
    assert text == '{"revision": 7}\n## Goals\n\n- one\n'
    assert structured == {"revision": 7, "markdown": "## Goals\n\n- one\n"}


def test_what_is_null_is_left_out_and_moments_are_to_the_second():
    _, answer = exemplary(TOOLS["drive_items_get"])
    moment = {"updatedAt": "2026-11-26T08:00:00.123Z", "publicUrl": None, "trashedAt": None}
    structured, text = told("drive_items_get", answer | {"item": answer["item"] | moment})
    assert structured["item"]["updatedAt"] == "2026-11-26T08:00:00Z"
    assert not {"publicUrl", "trashedAt"} & structured["item"].keys()
    assert "publicUrl" not in text
    assert "2026-11-26T08:00:00Z" in text


@pytest.mark.parametrize("name", ["drive_items_get", "drive_items_create_child", "drive_items_set_publication"])
def test_what_people_are_given_is_in_the_text(name):
    _, answer = exemplary(TOOLS[name])
    answer["item"] |= {"url": "http://127.0.0.1:8000/doc/1", "publicUrl": "http://127.0.0.1:8000/p/a-b_c"}
    structured, text = told(name, answer)
    for link in ("url", "publicUrl"):
        assert answer["item"][link] == structured["item"][link]
        assert f"{link}={answer['item'][link]}" in text


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
    lines = outlined(drive(item(EVIL), item("Plan")) | {"name": EVIL})
    assert len(lines) == 5
    assert all(line.isprintable() for line in lines)
    assert escaped(EVIL) in lines[1]
    assert json.loads(f'"{lines[2].split(" ", 2)[2]}"') == EVIL


def test_an_item_of_a_listing_takes_sixty_bytes_of_text_and_ninety_structured():
    folders = [item(f"Project {number}", kind="folder") for number in range(20)]
    documents = [item(f"Minutes 2026-{n:02}", parent=folder["id"]) for folder in folders for n in range(1, 25)]
    structured, text = told("drives_list", {"drives": [drive(*folders, *documents)], "nextCursor": None})
    assert len(text.encode()) <= 60 * len(folders + documents)
    assert size(structured) <= 90 * len(folders + documents)


@pytest.mark.parametrize("kind", ["folder", "docs_workbook"])
@pytest.mark.parametrize("name", LONG_NAMES)
def test_a_long_name_is_cut_in_an_outline_so_that_its_line_stays_short(name, kind):
    structured, text = told("drives_list", {"drives": [drive(item(name, kind=kind))], "nextCursor": None})
    (line,) = [each for each in text.split("\n") if each.startswith(" ")]
    (shown,) = structured["drives"][0]["items"]
    assert len(line) <= 120
    assert size(shown) <= 120
    assert shown["name"].endswith("…")
    assert name.startswith(shown["name"][:-1])


def test_a_name_that_has_room_in_an_outline_is_told_in_full():
    name = "Minutes of the platform group, 19 November"
    structured, text = told(
        "drives_list", {"drives": [drive(item(name), item(name, kind="folder"))], "nextCursor": None}
    )
    assert [each["name"] for each in structured["drives"][0]["items"]] == [name, name]
    assert text.count(f" {name}\n") == 2


def test_lines_stay_short_however_deep_their_items_lie():
    chain, parent = [], None
    for _ in range(60):
        chain.append(item("n" * 255, kind="folder", parent=parent))
        parent = chain[-1]["id"]
    assert max(map(len, outlined(drive(*chain))[2:])) <= 120


def nested(items, depth=0):
    """The ids of an outline, each with how deep it lies."""
    return {each["id"]: depth for each in items} | {
        inner: level for each in items for inner, level in nested(each.get("items", []), depth + 1).items()
    }


def test_an_outline_is_nested_in_the_structured_content_as_far_as_parsers_go():
    chain, parent = [], None
    for number in range(100):
        chain.append(item(f"{number}", kind="folder", parent=parent))
        parent = chain[-1]["id"]
    structured, _ = told("drives_list", {"drives": [drive(*chain)], "nextCursor": None})
    found = nested(structured["drives"][0]["items"])
    assert found.keys() == {each["id"] for each in chain}
    assert max(found.values()) <= MAX_NESTING


def test_an_outline_of_a_hundred_levels_is_made_without_recursion():
    chain, parent = [], None
    for number in range(3_000):
        chain.append(item(f"{number}", kind="folder", parent=parent))
        parent = chain[-1]["id"]
    deep = [line for line in outlined(drive(*chain)) if line.endswith("(named before)")]
    assert len(outlined(drive(*chain))) == 3_003 + len(deep)


def hit(text, *, name="Minutes of the board", folders=2, by="Ada Lovelace"):
    """A result of a search whose excerpt has a hit in the middle."""
    (found,) = exemplary(TOOLS["drive_items_search"])[1]["results"]
    url = {"url": f"https://drive.example.com/doc/{new_id()}", "updatedAt": "2026-11-20T09:30:00.000Z"}
    path = {"folders": [{"name": "Meetings of the board"}] * folders}
    by = {"updatedBy": {"name": by, "agent": "research-assistant"}}
    parts = [{"text": text, "hit": False}, {"text": "budget", "hit": True}, {"text": text, "hit": False}]
    return found | {"item": found["item"] | {"id": new_id(), "name": name} | url | by, "excerpt": parts} | path


@pytest.mark.parametrize("text", ["", "words of it ", 'w\n"' * 100, "wörter und \U0001f600 " * 50, "\u200b" * 90])
@pytest.mark.parametrize("folders", [0, 2, 30])
def test_a_hit_says_where_it_lies_when_it_was_changed_and_by_whom_in_three_hundred_characters(text, folders):
    found = hit(text, folders=folders)
    structured, said = told("drive_items_search", {"results": [found], "nextCursor": "c2"})
    (one,) = structured["results"]
    assert max(size(one), len(said.split("\n")[1])) <= MAX_HIT
    assert one["item"]["url"] == found["item"]["url"]
    assert (one["item"]["updatedBy"], one["item"]["updatedAt"]) == (
        "Ada Lovelace (research-assistant)", "2026-11-20T09:30:00Z",
    )  # fmt: skip
    assert one["item"].get("path", "").endswith("Meetings of the board" if 0 < folders < 30 else "")
    assert said.split("\n")[-1] == 'There is more: call drive_items_search with cursor "c2"'
    assert len(said.split("\n")) == 3


@pytest.mark.parametrize("name", LONG_NAMES)
def test_a_hit_stays_short_whatever_it_is_called_and_whoever_changed_it(name):
    found = hit("words of it " * 9, name=name, by=name)
    found["folders"] = [{"name": name}] * 20
    structured, said = told("drive_items_search", {"results": [found], "nextCursor": None})
    (one,) = structured["results"]
    assert max(size(one), len(said.split("\n")[1])) <= MAX_HIT
    assert one["item"]["url"] == found["item"]["url"]
    assert name.startswith(one["item"]["name"][:-1])


def test_an_excerpt_is_cut_around_what_was_sought():
    structured, _ = told("drive_items_search", {"results": [hit("words of it " * 90, folders=0)], "nextCursor": None})
    excerpt = structured["results"][0]["excerpt"]
    assert "budget" in excerpt
    assert (excerpt[0], excerpt[-1]) == ("…", "…")


def test_an_event_names_its_item_and_the_same_done_again_is_one_line():
    by = {"name": "Ada Lovelace", "agent": None}
    edited = {"type": "documentEdited", "itemId": new_id(), "itemName": "Plan", "by": by, "details": {"update": "…"}}
    events = [edited | {"at": f"2026-11-26T08:{minute:02}:00.000Z"} for minute in (30, 20, 10)]
    shared = edited | {"type": "itemShared", "at": "2026-11-26T08:05:00.000Z"}
    shared |= {"details": {"email": "cleo@acme.example", "permission": "read_only", "itemId": edited["itemId"]}}
    structured, said = told("drives_events", {"events": [*events, shared], "nextCursor": None})
    assert structured["events"] == [
        {
            "type": "documentEdited", "itemId": edited["itemId"], "itemName": "Plan", "by": "Ada Lovelace",
            "at": "2026-11-26T08:30:00Z", "times": 3, "since": "2026-11-26T08:10:00Z",
        },
        {
            "type": "itemShared", "itemId": edited["itemId"], "itemName": "Plan", "by": "Ada Lovelace",
            "at": "2026-11-26T08:05:00Z", "email": "cleo@acme.example", "permission": "read_only",
        },
    ]  # fmt: skip
    assert said.count("itemName=Plan") == 2
    assert said.endswith("That is everything.")


def test_an_edit_answers_what_changed_with_ids_and_not_the_document():
    _, answer = exemplary(TOOLS["documents_edit"])
    made = [
        {"id": f"{n}-1-2-3-ab", "kind": "inserted", "path": [n], "inserted": "x" * 5_000, "deleted": ""}
        for n in range(60)
    ]
    structured, said = told("documents_edit", answer | {"recordedChanges": made})
    assert [each["id"] for each in structured["changes"]] == [each["id"] for each in made[:MAX_CHANGES]]
    assert structured["moreChanges"] == 60 - MAX_CHANGES
    assert all(f"… and {5_000 - MAX_TEXT} more characters" in each["inserted"] for each in structured["changes"])
    assert "markdown" not in structured
    assert "id=7-1-2-3-ab" in said
    tried, _ = told("documents_edit", answer | {"recordedChanges": []})
    assert tried["changes"] == answer["changes"]


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\u0085", "\u2028", "\u202e", "\u200b", "\U000e0041"])
def test_what_does_not_print_is_escaped_and_still_said(character):
    assert escaped(f"a{character}b").isprintable()
    assert json.loads(escaped(f"a{character}b")) == f"a{character}b"


async def test_over_http_text_and_content_say_the_same():
    tool = TOOLS["documents_read"]
    given, answer = exemplary(tool)
    result, world = await said(tool.name, answer, **given)
    structured = structured_content("documents.read", answer)
    assert result["structuredContent"] == structured
    assert result["content"] == [{"type": "text", "text": brief_text(tool, given, structured)}]
    assert world.seen[0].operation == "documents.read"
    assert world.documents == ["DocumentsReadForModels"]


async def test_the_tree_is_there_for_who_asks():
    tree = {"type": "doc", "content": [{"type": "paragraph", "attrs": {"note": "n" * 500, "none": None}}]}
    answer = example(CONTRACT.shapes["documents.read"].answer, CONTRACT.components) | {"prosemirrorDoc": tree}
    result, world = await said("documents_read", answer, documentId=new_id(), include=["tree"])
    assert result["structuredContent"]["prosemirrorDoc"] == tree
    assert json.loads(result["content"][0]["text"].partition("\n")[0])["prosemirrorDoc"] == tree
    assert world.documents == ["DocumentsRead"]
    assert "role" not in result["structuredContent"]["item"]
