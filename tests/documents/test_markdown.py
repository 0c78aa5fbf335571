import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prosemirror.model import Node, Schema

from documents.markdown.markdown_in import TooComplexError, parse
from documents.markdown.markdown_out import MAX_INDENTED_BYTES, markdown
from documents.tree.fitting import misfit
from documents.tree.schema import SCHEMA
from documents.tree.tree import TOO_DEEP, shaped, tree
from documents.yjs.snapshot import load
from tests.documents.normal_form import normal
from tests.documents.trees import DOCUMENT, SIMPLE, WITH_CODE
from tests.support.documents.sample_cases import CASES, UPDATES
from tests.support.suite.rounds import examples


def doc(*content):
    return {"type": "doc", "content": list(content)}


def text(words, *marks):
    return {
        "type": "text",
        "text": words,
        "marks": [mark if isinstance(mark, dict) else {"type": mark} for mark in marks],
    }


def paragraph(*content):
    return {"type": "paragraph", "content": [text(item) if isinstance(item, str) else item for item in content]}


def link(href, title=None):
    return {"type": "link", "attrs": {"href": href, "title": title}}


def holds(kind, *content, **attrs):
    return {"type": kind, "attrs": attrs, "content": list(content)}


BREAK = {"type": "hardBreak"}
RULE = {"type": "horizontalRule"}


def comes_back(written_tree):
    written = markdown(written_tree)
    read = parse(written)
    assert normal(read) == normal(written_tree), written
    assert misfit(read["content"]) is None
    return written


@given(DOCUMENT)
@settings(max_examples=examples(200), deadline=None)
def test_every_document_reads_back_as_it_was_written(written_tree):
    comes_back(written_tree)


@given(SIMPLE)
@settings(max_examples=examples(200), deadline=None)
def test_marked_text_reads_back_as_it_was_written(written_tree):
    comes_back(written_tree)


@given(WITH_CODE)
@settings(max_examples=examples(300), deadline=None)
def test_white_space_in_code_reads_back_as_it_was_written(written_tree):
    comes_back(written_tree)


@pytest.mark.parametrize("data", UPDATES, ids=[case["name"] for case in CASES])
def test_a_sample_reads_back_as_it_was_written(data):
    comes_back(tree(load(data)))


@pytest.mark.parametrize("data", UPDATES[:9], ids=[case["name"] for case in CASES[:9]])
def test_what_is_read_fits_the_schema_and_is_written_the_same_again(data):
    written = markdown(tree(load(data)))
    again = parse(written)
    Node.from_json(Schema(SCHEMA), again).check()
    assert markdown(again) == written


WRITTEN = {
    "an empty document": (doc(), ""),
    "a paragraph": (doc(paragraph("words")), "words\n"),
    "empty paragraphs vanish": (doc(paragraph(), paragraph(" "), paragraph("a"), paragraph()), "a\n"),
    "a rule never looks like front matter": (doc(RULE, paragraph("a")), "***\n\na\n"),
    "text that begins a block": (
        doc(paragraph("# a"), paragraph("1. a"), paragraph("- a")),
        "\\# a\n\n1\\. a\n\n\\- a\n",
    ),
    "text that only looks like it": (doc(paragraph("#a"), paragraph("1.5"), paragraph("-5")), "#a\n\n1.5\n\n-5\n"),
    "the start of every line": (doc(paragraph("a", BREAK, "# b", BREAK, "---")), "a\\\n\\# b\\\n\\---\n"),
    "a table made of breaks": (doc(paragraph("a|b", BREAK, ":-")), "a|b\\\n\\:-\n"),
    "a heading that ends in hashes": (doc(holds("heading", text("C ##"), level=2)), "## C #\\#\n"),
    "a break in a heading": (doc(holds("heading", text("a"), BREAK, text("b\nc"), level=1)), "# a<br>b c\n"),
    "an empty heading": (doc(holds("heading", level=3)), "###\n"),
    "a level out of range": (
        doc(holds("heading", text("a"), level=9), holds("heading", text("b"), level="2")),
        "###### a\n\n## b\n",
    ),
    "marks around white space": (doc(paragraph("a", text(" b ", "bold"), "c")), "a **b** c\n"),
    "a mark inside a word": (doc(paragraph("a", text("b", "bold"), "c")), "a**b**c\n"),
    "a mark before a letter": (doc(paragraph(text("bold.", "bold"), "next")), "<strong>bold.</strong>next\n"),
    "a mark between ideographs": (
        doc(paragraph("这是", text("强调（注）", "bold"), "后文")),  # noqa: RUF001
        "这是<strong>强调（注）</strong>后文\n",  # noqa: RUF001
    ),
    "marks that end together": (doc(paragraph(text("a ", "bold"), text("b", "bold", "italic"))), "**a *b***\n"),
    "marks that collide": (doc(paragraph(text("a", "bold"), text("b", "italic"))), "**a**<em>b</em>\n"),
    "marks that overlap": (
        doc(paragraph(text("a ", "bold"), text("b", "bold", "italic"), text(" c", "italic"))),
        "**a *b*** *c*\n",
    ),
    "code in bold": (doc(paragraph(text("a ", "bold"), text("b`c", "bold", "code"))), "**a ``b`c``**\n"),
    "white space in code": (
        doc(
            paragraph(text(" a", "code"), " and ", text("b  c ", "code")),
            paragraph(text(" ", "code")),
            paragraph("a", text("   ", "code"), "b"),
        ),
        "` a` and `b  c `\n\n` `\n\na`   `b\n",
    ),
    "code with a space at both ends": (doc(paragraph(text(" a ", "code"))), "`  a  `\n"),
    "code with a space and a backtick at the ends": (doc(paragraph(text("` ", "code"))), "`` `  ``\n"),
    "other white space in code": (
        doc(paragraph(text("\u00a0", "code")), paragraph(text(" \t ", "code"), text("a\r\nb\n", "code"))),
        "`\u00a0`\n\n`  \t a b  `\n",
    ),
    "white space around and in marked code": (
        doc(paragraph(text(" a ", "bold"), text(" b ", "bold", "code"), text(" ", "code"), " ")),
        "**a `  b  `**` `\n",
    ),
    "code of white space beside breaks": (
        doc(paragraph(" ", BREAK, text(" a ", "code"), BREAK, text(" ", "code"), BREAK, " ")),
        "`  a  `\\\n` `\n",
    ),
    "code of white space in every block": (
        doc(
            holds("heading", text(" ", "code"), level=2),
            holds("bulletList", holds("listItem", paragraph(text(" a", "code")))),
            holds("taskList", holds("taskItem", paragraph(text(" ", "code")), checked=True)),
            holds("blockquote", paragraph(text("a ", "code"))),
            holds(
                "table",
                holds(
                    "tableRow",
                    holds("tableCell", paragraph(text(" | ", "code")), paragraph(text(" ", "code"))),
                    holds("tableCell", paragraph(text("\\|", "code"), " ")),
                ),
            ),
        ),
        "## ` `\n\n- ` a`\n\n+ [x] ` `\n\n> `a `\n\n| `  \\|  `<br>` ` | `\\\\|` |\n| --- | --- |\n",
    ),
    "marks without delimiters": (
        doc(paragraph(text("a", "underline"), text("b", "superscript"))),
        "<u>a</u><sup>b</sup>\n",
    ),
    "a bang before a link": (doc(paragraph("wow!", text("a", link("/x")))), "wow\\![a](/x)\n"),
    "a link without an address": (doc(paragraph(text("a", link("")))), "[a](<>)\n"),
    "a link nobody should follow": (doc(paragraph(text("a", link("java\nscript:alert(1)")))), "a\n"),
    "an address with everything": (
        doc(paragraph(text("a", link("/a b\\<c>?x&y", 'say "hi"\n\n&')))),
        '[a](/a%20b%5C%3Cc%3E?x&amp;y "say \\"hi\\" \\&")\n',
    ),
    "a mention": (doc(paragraph({"type": "mention", "attrs": {"id": "1", "label": "a_b*"}})), "@a_b\\*\n"),
    "breaks at the ends": (doc(paragraph(BREAK, " a ", BREAK, BREAK, " b", BREAK)), "a\\\n\\\nb\n"),
    "a fence around fences": (doc(holds("codeBlock", text("```\n"), language="a b")), "````a\n```\n\n````\n"),
    "a language with a backtick": (doc(holds("codeBlock", text("x"), language="a`")), "~~~a`\nx\n~~~\n"),
    "lists side by side": (
        doc(*(holds("bulletList", holds("listItem", paragraph(word))) for word in "abc")),
        "- a\n\n+ b\n\n- c\n",
    ),
    "numbered lists side by side": (
        doc(*(holds("orderedList", holds("listItem", paragraph(word)), start=3) for word in "ab")),
        "3. a\n\n3) b\n",
    ),
    "a rule in an item": (doc(holds("bulletList", holds("listItem", RULE))), "- ***\n"),
    "nested empty items": (
        doc(
            holds(
                "bulletList",
                holds("listItem", holds("bulletList", holds("listItem", holds("bulletList", holds("listItem"))))),
            )
        ),
        "- + -\n",
    ),
    "an item without its paragraph": (
        doc(holds("bulletList", holds("listItem", paragraph(), holds("codeBlock", text("x"))))),
        "- ```\n  x\n  ```\n",
    ),
    "a number out of range": (doc(holds("orderedList", holds("listItem", paragraph("a")), start=-1)), "1. a\n"),
    "a numbered list inside, not from one": (
        doc(
            holds(
                "bulletList",
                holds("listItem", paragraph("a"), holds("orderedList", holds("listItem", paragraph("b")), start=4)),
            )
        ),
        "- a\n\n  4. b\n",
    ),
    "text like a box": (doc(holds("bulletList", holds("listItem", paragraph("[x] a")))), "- \\[x\\] a\n"),
    "a ragged table": (
        doc(
            holds(
                "table",
                holds("tableRow", holds("tableCell", paragraph("a|b"))),
                holds("tableRow", *[holds("tableCell")] * 2),
            )
        ),
        "| a\\|b |  |\n| --- | --- |\n|  |  |\n",
    ),
    "blocks in a cell": (
        doc(holds("table", holds("tableRow", holds("tableCell", paragraph("a"), holds("codeBlock", text("b\nc")))))),
        "| a<br>b<br>c |\n| --- |\n",
    ),
    "details": (
        doc(holds("details", holds("detailsSummary", text("a <b>")), holds("detailsContent", paragraph("c")))),
        "<details>\n<summary>a &lt;b&gt;</summary>\n\nc\n\n</details>\n",
    ),
    "what nobody knows": (
        doc(
            holds("panel", paragraph("a")),
            holds("callout", text("b")),
            {"type": "widget"},
            paragraph("c", {"type": "badge"}, "d"),
        ),
        "a\n\nb\n\ncd\n",
    ),
    "marks nobody knows": (
        doc(paragraph(text("a", "comment", "sparkle", {"type": "bold", "attrs": "odd"}))),
        "**a**\n",
    ),
    "an empty quote": (doc(holds("blockquote", paragraph())), ">\n"),
}


@pytest.mark.parametrize(("written_tree", "written"), WRITTEN.values(), ids=WRITTEN)
def test_it_is_written_so_that_every_reader_agrees(written_tree, written):
    assert comes_back(written_tree) == written


READ = {
    "a link to nowhere safe": ("[a](javascript:x) b", [{"type": "text", "text": "[a](javascript:x) b"}]),
    "unknown tags": ("a <blink>b</blink>", [{"type": "text", "text": "a b"}]),
    "a tag without an end": ("<u>a", [{"type": "text", "marks": [{"type": "underline"}], "text": "a"}]),
    "an end without a tag": ("a</u>", [{"type": "text", "text": "a"}]),
    "a soft break": ("a\nb", [{"type": "text", "text": "a b"}]),
    "code over lines": ("`a\n  b\n\tc`", [{"type": "text", "marks": [{"type": "code"}], "text": "a b c"}]),
    "an escaped character": (r"a\*b&amp;c", [{"type": "text", "text": "a*b&c"}]),
}


@pytest.mark.parametrize(("markdown", "content"), READ.values(), ids=READ)
def test_other_peoples_markdown_is_read_for_what_it_says(markdown, content):
    assert parse(markdown)["content"] == [{"type": "paragraph", "content": content}]


def image(source, **attrs):
    return {"type": "image", "attrs": {"src": source, **attrs}}


def listed(*items):
    return holds("bulletList", *(holds("listItem", *item) for item in items))


IMAGES = {
    "in a paragraph": ("a ![b](/c) d", [paragraph("a"), image("/c", alt="b"), paragraph("d")]),
    "beside breaks": ("a  \n![](/c)\\\n*d*", [paragraph("a"), image("/c"), paragraph(text("d", "italic"))]),
    "beside code": ("` a `![](/c)", [paragraph(text("a", "code")), image("/c")]),
    "in a heading": ("# ![](/c) d", [image("/c"), holds("heading", text("d"), level=1)]),
    "in a link": ("[![](/c)](/d)", [image("/c")]),
    "in a list": ("- ![](/c)\n- a ![](/d)", [listed([paragraph(), image("/c")], [paragraph("a"), image("/d")])]),
    "in a task": (
        "- [ ] ![](/c)",
        [holds("taskList", holds("taskItem", paragraph(), image("/c"), checked=False))],
    ),
    "in a cell": (
        "| a ![](/c) |\n| - |\n",
        [holds("table", holds("tableRow", holds("tableHeader", paragraph("a"), image("/c"))))],
    ),
}


@pytest.mark.parametrize(("markdown", "content"), IMAGES.values(), ids=IMAGES)
def test_an_image_is_read_as_a_block_wherever_it_stands(markdown, content):
    assert shaped(parse(markdown)) == shaped(doc(*content))


def tasks(*items):
    return holds("taskList", *(holds("taskItem", paragraph(words), checked=done) for words, done in items))


BOXES = {
    "first a bullet": (
        "- one\n- [ ] todo\n- [x] done",
        [listed([paragraph("one")]), tasks(("todo", False), ("done", True))],
    ),
    "between bullets": (
        "* a\n* [X] b\n* c",
        [listed([paragraph("a")]), tasks(("b", True)), listed([paragraph("c")])],
    ),
    "in an item": (
        "- a\n  - [ ] b\n  - c",
        [listed([paragraph("a"), tasks(("b", False)), listed([paragraph("c")])])],
    ),
    "with blocks in them": (
        "- [ ] a\n\n  b\n- c\n\n  > d",
        [
            holds("taskList", holds("taskItem", paragraph("a"), paragraph("b"), checked=False)),
            listed([paragraph("c"), holds("blockquote", paragraph("d"))]),
        ],
    ),
    "escaped": ("- a\n- \\[ ] b", [listed([paragraph("a")], [paragraph("[ ] b")])]),
}


@pytest.mark.parametrize(("markdown", "content"), BOXES.values(), ids=BOXES)
def test_items_with_a_box_are_tasks_beside_those_without(markdown, content):
    assert shaped(parse(markdown)) == shaped(doc(*content))
    assert parse(comes_back(parse(markdown))) == parse(markdown)


@given(st.text(alphabet=st.sampled_from("ab \n\t*_`~[]()<>#-+=|!\\&;1.:\"'/") | st.characters(codec=None)))
@settings(max_examples=examples(200), deadline=None)
def test_any_text_is_read_as_some_tree_and_settles(markdown_text):
    read = parse(markdown_text)
    json.dumps(read)
    assert misfit(read["content"]) is None
    comes_back(read)


@pytest.mark.parametrize("hostile", ["> ", "- ", "1. ", "*", "<u>"])
def test_deeply_nested_markdown_is_read_without_harm(hostile):
    assert parse(hostile * 3_000 + "a")["type"] == "doc"


TOO_COMPLEX = {
    "unmatched brackets": "[" * 31_000,
    "unmatched brackets of images": "![" * 15_500,
    "brackets between words": "[a " * 10_000,
    "brackets of nothing": "[a](" * 2_000 + "[a " * 8_000,
    "nested images": "![" * 4_400 + "a" + "](b)" * 4_400,
    "a wide table": "|" + "a|" * 8_000 + "\n|" + "-|" * 8_000,
    "wide rows": "|" + "a|" * 900 + "\n|" + "-|" * 900 + "\n" + "|\n" * 15_000,
    "lines that go on with nested quotes": ">" * 90 + "a\n" + "b\n" * 15_000,
    "a small table of many empty cells": "|" + "a|" * 250 + "\n|" + "-|" * 250 + "\n" + "|\n" * 260,
    "many blocks": "- a\n" * 60_000,
    "details in details": "<details>\n<summary>a</summary>\n\n" * 3_000 + "a",
    "many tags": "<p>" * 300_000,
}


@pytest.mark.parametrize("hostile", TOO_COMPLEX.values(), ids=TOO_COMPLEX)
def test_markdown_that_takes_too_much_work_for_its_length_is_not_read(hostile):
    with pytest.raises(TooComplexError):
        parse(hostile)


@pytest.mark.parametrize(
    "honest",
    [
        "a long sentence of *many* words, and a [link](/to) in it. " * 4_000,
        "[ ] " * 300,
        "- [ ] a\n" * 4_000,
        "a " * 200_000,
    ],
    ids=lambda text: text[:8],
)
def test_long_markdown_is_read(honest):
    assert parse(honest)["content"]


@given(
    st.lists(
        st.sampled_from([*"[]()!<>*_`|~&#\\", "a", " ", "\n", "> ", "- ", "](b)", "<u>", "|-|"]), min_size=1, max_size=6
    )
)
@settings(max_examples=examples(60), deadline=None)
def test_no_repetition_takes_more_than_its_length_allows(parts):
    with suppress(TooComplexError):
        assert parse("".join(parts) * 1_000)["type"] == "doc"


def test_marks_that_are_never_closed_do_not_pile_up():
    texts = parse("<b>x" * 2_000)["content"][0]["content"]
    assert texts == [{"type": "text", "marks": [{"type": "bold"}], "text": "x" * 2_000}]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
KINDS = st.sampled_from(sorted(SCHEMA["nodes"])) | st.just("panel")
ODD_MARK = st.fixed_dictionaries(
    {"type": st.sampled_from([*SCHEMA["marks"], "odd"])},
    optional={"attrs": JUNK | st.fixed_dictionaries({"href": JUNK, "title": JUNK})},
)
ODD_ATTRS = JUNK | st.dictionaries(
    st.sampled_from(["level", "start", "checked", "language", "src", "alt", "title", "label"]), JUNK
)
ODD = st.recursive(
    st.fixed_dictionaries(
        {"type": KINDS},
        optional={"text": JUNK, "attrs": ODD_ATTRS, "content": JUNK, "marks": st.lists(ODD_MARK, max_size=3)},
    ),
    lambda inner: st.fixed_dictionaries(
        {"type": KINDS, "content": st.lists(inner | inner | JUNK, max_size=4)}, optional={"attrs": ODD_ATTRS}
    ),
    max_leaves=12,
)


@given(st.lists(ODD, max_size=4))
@settings(max_examples=examples(200), deadline=None)
def test_no_tree_however_odd_can_raise(content):
    written = markdown({"type": "doc", "content": content})
    written.encode()
    parse(written)


@pytest.mark.parametrize(
    "kind", ["blockquote", "bulletList", "orderedList", "panel", "paragraph", "table", "tableCell", "details"]
)
def test_no_depth_can_raise(kind):
    node = paragraph("bottom")
    for _ in range(3_000):
        node = holds(kind, node)
    written = markdown(doc(node))
    assert "bottom" in written or TOO_DEEP.strip("[]") in written or kind in ("table", "details")


@pytest.mark.parametrize(
    "pair", [("blockquote",), ("bulletList", "listItem"), ("orderedList", "listItem")], ids=lambda pair: pair[0]
)
def test_a_tree_as_deep_as_allowed_reads_back(pair):
    node = paragraph("bottom")
    for at in range(98):
        node = holds(pair[-1 - at % len(pair)], node)
    assert "bottom" in comes_back(doc(node))


def test_nested_prefixes_cannot_multiply_without_bound():
    node = holds("codeBlock", text("\n" * 1_000_000))
    for _ in range(90):
        node = holds("blockquote", node)
    assert len(markdown(doc(node))) <= MAX_INDENTED_BYTES


def test_a_wide_row_does_not_widen_the_others():
    cell = holds("tableCell", paragraph("a"))
    rows = [holds("tableRow", *[cell] * 2_000), *[holds("tableRow", cell)] * 2_000]
    assert len(markdown(doc(holds("table", *rows)))) < 50_000
