"""Markdown that is read, and trees that are written as Markdown, of which nothing is stored."""

import json
from pathlib import Path

import pytest

READ = "query($m: String!) { prosemirrorDocOf(markdown: $m) }"
WRITE = "query($t: JSON!) { markdownOf(prosemirrorDoc: $t) }"
PASTED = json.loads((Path(__file__).parents[1] / "app" / "pasted" / "markdown.json").read_text())


async def read(world, markdown, who="ada"):
    return json.loads(
        json.dumps(
            (await world.ask(who, READ, m=markdown))["prosemirrorDocOf"], default=lambda raw: json.loads(bytes(raw))
        )
    )


async def written(world, tree, who="ada"):
    return (await world.ask(who, WRITE, t=tree))["markdownOf"]


@pytest.mark.parametrize("case", [each for each in PASTED if "reads" in each], ids=lambda each: each["name"])
async def test_what_looks_like_markdown_where_it_is_pasted_is_read_by_the_rules_of_documents(world, case):
    assert await written(world, await read(world, case["text"])) == case["reads"]


async def test_both_say_what_a_document_says_that_is_written_with_it(world):
    markdown = "# Title\n\n- a **b** [c](https://example.org)\n- d\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n"
    create = """mutation($d: ID!, $c: String) {
        createItem(driveId: $d, name: "Plan", driveItemType: docs_workbook, content: $c) { id } }"""
    made = await world.ask("ada", create, d=await world.drive("ada", "Engineering"), c=markdown)
    document = "query($i: ID!) { document(id: $i) { markdown prosemirrorDoc } }"
    stored = (await world.ask("ada", document, i=made["createItem"]["id"]))["document"]
    tree = json.loads(bytes(stored["prosemirrorDoc"]))
    assert await read(world, markdown) == tree
    assert await written(world, tree) == stored["markdown"] == markdown


async def test_a_selection_of_an_editor_is_written_with_its_defaults_and_unknown_nodes(world):
    tree = {
        "type": "doc",
        "content": [
            {"type": "heading", "attrs": {"level": 2, "textAlign": None}, "content": [{"type": "text", "text": "Title"}]},
            {"type": "callout", "attrs": {"kind": "note"}, "content": [{"type": "paragraph", "content": [
                {"type": "text", "text": "in", "marks": [{"type": "bold"}, {"type": "strange", "attrs": {"a": 1}}]}]}]},
        ],
    }  # fmt: skip
    assert await written(world, tree) == "## Title\n\n**in**\n"


@pytest.mark.parametrize(
    ("query", "values", "said"),
    [
        (READ, {"m": "> " * 1_000 + "deep"}, "`markdown`"),
        (READ, {"m": "[" * 50_000}, "`markdown` takes too much work to read"),
        (WRITE, {"t": []}, "`prosemirrorDoc` must be an object"),
        (WRITE, {"t": {"type": "paragraph"}}, "`prosemirrorDoc` is no ProseMirror document"),
        (WRITE, {"t": {"type": "doc", "content": [7]}}, "`prosemirrorDoc` is no ProseMirror document"),
    ],
)
async def test_what_cannot_be_read_is_refused(world, query, values, said):
    code, message = await world.told("ada", query, **values)
    assert (code, said in message) == ("BAD_REQUEST", True), message


async def test_an_operation_reads_no_more_than_the_contents_of_an_operation(world):
    long = "word " * 200_000
    many = " ".join(f"a{number}: prosemirrorDocOf(markdown: $m)" for number in range(20))
    assert await world.refused("ada", f"query($m: String!) {{ {many} }}", m=long) == "LIMIT_EXCEEDED"
