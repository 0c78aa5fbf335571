import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pycrdt import XmlElement, XmlText

from documents.editing.apply_tree import Changed
from documents.editing.edit import (
    Append,
    Passage,
    PassageAmbiguous,
    PassageNotFound,
    Passages,
    Whole,
    edit,
    restore_content,
)
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.fitting import misfit
from documents.tree.tree import root, shaped, tree
from documents.yjs.scan import Refused
from documents.yjs.snapshot import apply, encode_state, load
from tests.documents.normal_form import normal
from tests.documents.trees import DOCUMENT, SIMPLE
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


def holds(kind, *content, **attrs):
    return {
        "type": kind,
        "attrs": attrs,
        "content": [text(each) if isinstance(each, str) else each for each in content],
    }


def paragraph(*content, **attrs):
    return holds("paragraph", *content, **attrs)


def held(written):
    return load(from_tree(written, 1))


def edited(live, wanted):
    """Edit, and check by a copy that gets the update that it did what it says."""
    copy = load(encode_state(live))
    update = edit(live, wanted)
    assert not isinstance(update, Refused), update
    if update:
        assert not isinstance(apply(copy, update), Refused)
    assert tree(copy) == tree(live)
    return update


def says(live, wanted):
    assert parse(markdown(tree(live))) == parse(markdown(shaped(parse(wanted))))
    assert normal(tree(live)) == normal(parse(wanted))


@given(DOCUMENT, DOCUMENT)
@settings(max_examples=examples(200), deadline=None)
def test_any_document_comes_to_say_any_other(old, new):
    live = held(old)
    wanted = markdown(new)
    edited(live, Whole(wanted))
    says(live, wanted)
    assert edit(live, Whole(wanted)) == b""


@given(SIMPLE, SIMPLE)
@settings(max_examples=examples(150), deadline=None)
def test_any_marked_text_comes_to_say_any_other(old, new):
    live = held(old)
    edited(live, Whole(markdown(new)))
    assert markdown(tree(live)) == markdown(new)


@given(DOCUMENT)
@settings(max_examples=examples(150), deadline=None)
def test_a_documents_own_markdown_changes_nothing(written):
    live = held(written)
    assert edit(live, Whole(markdown(tree(live)))) == b""
    assert edit(live, Append("")) == b""
    assert edit(live, Passages(())) == b""


SHAPES = """a|- a|- b|  - c|1. x|2) y|> q|```|    code|<details>|</details>|<summary>s</summary>|# h|---|***|[r]: /u|see [r]|<!-- c|a\\||"""
LINES = st.lists(
    st.sampled_from([*SHAPES.split("|"), "| a |", "| - |", "| b |", "<details>\n<summary>s</summary>"]), max_size=8
).map("\n".join)


@given(LINES, LINES, LINES)
@example("", "<details>\n<summary>s</summary>", "<details>\n<summary>s</summary>\n<!-- c")
@settings(max_examples=examples(200), deadline=None)
def test_markdown_of_any_shape_is_read_in_a_document_as_it_is_alone(first, second, third):
    live = held(parse(f"begin\n\n{first}\n\n***\n\n{second}\n\nfinish\n"))
    present = markdown(tree(live))
    for wanted in (present.replace("***", third), f"{present}\n{third}", f"{third}\n\n{present}", third):
        copy = load(encode_state(live))
        edited(copy, Whole(wanted))
        says(copy, wanted)


@given(DOCUMENT, LINES, st.data())
@settings(max_examples=examples(150), deadline=None)
def test_any_stretch_of_any_document_can_become_any_markdown(written, new, data):
    live = held(written)
    present = markdown(tree(live))
    start = data.draw(st.integers(0, len(present)))
    stop = data.draw(st.integers(start, len(present)))
    wanted = present[:start] + new + present[stop:]
    edited(live, Whole(wanted))
    says(live, wanted)


@given(DOCUMENT, DOCUMENT, LINES, st.data())
@settings(max_examples=examples(200), deadline=None)
def test_what_an_edit_changes_in_a_document_that_fits_the_schema_fits_it_too(written, other, new, data):
    live = held(parse(markdown(written)))
    present, more = markdown(tree(live)), data.draw(st.sampled_from([new, markdown(other), f"a ![b](c) {new}"]))
    start = data.draw(st.integers(0, len(present)))
    stop = data.draw(st.integers(start, len(present)))
    edited(live, Whole(present[:start] + more + present[stop:]))
    assert misfit(tree(live)["content"]) is None


IMAGE = {"type": "image", "attrs": {"src": "/i", "alt": "b"}}
COMMENTED = text("a", {"type": "comment", "attrs": {"commentId": "c1"}})
IN_TEXT = paragraph(COMMENTED, " ", IMAGE, " c", textAlign="right")


def test_an_image_in_a_text_that_changes_becomes_a_block_beside_it():
    live = held(doc(paragraph("before"), IN_TEXT, holds("blockquote", IN_TEXT), paragraph("behind")))
    edited(live, Passages((Passage("> a ![b](/i) c", "> a ![b](/j) d"),)))
    beside = [
        paragraph(COMMENTED, textAlign="right"),
        {"type": "image", "attrs": {"src": "/j", "alt": "b"}},
        paragraph("d", textAlign="right"),
    ]
    assert tree(live) == shaped(doc(paragraph("before"), IN_TEXT, holds("blockquote", *beside), paragraph("behind")))


def test_an_image_in_a_text_stays_there_while_others_around_it_change():
    live = held(doc(paragraph("before"), IN_TEXT, holds("callout", "x", IMAGE), paragraph("behind")))
    wanted = markdown(tree(live)).replace("before", "first").replace("behind", "last")
    edited(live, Whole(wanted))
    assert tree(live) == shaped(doc(paragraph("first"), IN_TEXT, holds("callout", "x", IMAGE), paragraph("last")))
    assert edit(live, Whole(wanted)) == b""


def test_a_block_that_editors_would_delete_is_refused(monkeypatch):
    live = held(doc(paragraph("before")))
    unfit = {"type": "doc", "content": [IN_TEXT]}
    monkeypatch.setattr("documents.editing.edit.merged_markdown", lambda *_: unfit)
    refused = edit(live, Append("a"))
    assert isinstance(refused, Refused)
    assert refused.reason.startswith(
        "`append` makes a block that editors would delete: Invalid content for node paragraph"
    )
    assert markdown(tree(live)) == "before\n"


@pytest.mark.parametrize("data", UPDATES, ids=[case["name"] for case in CASES])
def test_what_editors_wrote_can_be_edited(data):
    live = load(data)
    present = markdown(tree(live))
    edited(live, Append("## added *here*"))
    says(live, present + "\n## added *here*")
    edited(live, Whole("begin\n\n" + present))
    says(live, "begin\n\n" + present)
    edited(live, Whole(present))
    assert markdown(tree(live)) == present
    edited(live, Whole(""))
    assert markdown(tree(live)) == ""


def test_passages_become_others_all_or_none():
    live = held(doc(paragraph("one two"), paragraph("three ", text("four", "bold"), " one")))
    state = encode_state(live)
    for passages, refused in [
        ([("three", "3"), ("five", "5")], PassageNotFound("`passages[1].old` does not occur in the document", 1)),
        ([("one", "1")], PassageAmbiguous("`passages[0].old` occurs 2 times, in the lines 1, 3 of the document", 0)),
        ([("", "1")], PassageAmbiguous("`passages[0].old` is empty, which occurs everywhere", 0)),
        (
            [("two", "2"), ("one two", "x")],
            PassageAmbiguous("`passages[0].old` overlaps another passage in the document", 0),
        ),
    ]:
        assert edit(live, Passages(tuple(Passage(*each) for each in passages))) == refused
        assert encode_state(live) == state
    edited(live, Passages((Passage("**four**", "*4*"), Passage("one two\r\n\r\nthree", "one 2\n\n# new\n\n3"))))
    assert markdown(tree(live)) == "one 2\n\n# new\n\n3 *4* one\n"


@pytest.mark.parametrize(
    ("present", "old", "new", "expected"),
    [
        ("AT&T costs a<b", "AT&T", "Bell", "Bell costs a<b\n"),
        ("1\\. one \\* two", "one * two", "two", "1\\. two\n"),
        ("a \\*b\\* c", "*b*", "d", "a d c\n"),
        ("snake\\_case\\_name", "case\\_name", "case", "snake_case\n"),
        ("`a\\<b>` \\<b>", "<b>` ", "c` ", "`a\\c` \\<b>\n"),
        ("```\na\\<b>\n```", "<b>", "c", "```\na\\c\n```\n"),
        ("x&nbsp;&lt;b&gt;", "<b>", "y", "x\u00a0y\n"),
        ("a \\[x\\] b", "a \\[x] b", "c", "c\n"),
        ("`a\\*b`", "a*b", "c", "`c`\n"),
        ("a \\* b and `a * b`", "a * b", "c", "a \\* b and `c`\n"),
    ],
)
def test_a_passage_is_found_however_it_is_escaped(present, old, new, expected):
    live = held(parse(present))
    edited(live, Passages((Passage(old, new),)))
    assert markdown(tree(live)) == expected


@pytest.mark.parametrize(
    ("present", "old", "refused"),
    [
        (
            "a\\*b a\\*b",
            "a*b",
            PassageAmbiguous("`passages[0].old` occurs 2 times, in the lines 1, 1 of the document", 0),
        ),
        (
            "a\\*b",
            "a*c",
            PassageNotFound("`passages[0].old` does not occur in the document: the nearest line is `a\\*b`", 0),
        ),
    ],
)
def test_a_passage_that_is_there_twice_or_not_at_all_without_escapes_is_refused(present, old, refused):
    assert edit(held(parse(present)), Passages((Passage(old, "x"),))) == refused


def test_a_refusal_says_of_what_there_is_too_much():
    for wanted, said in (("word *x* " * 60_000, "pieces of text"), ("[" * 31_000, "unmatched brackets")):
        refused = edit(held(doc()), Whole(wanted))
        assert isinstance(refused, Refused)
        assert said in refused.reason


def test_what_is_appended_to_a_list_goes_on_with_it():
    live = held(parse("1. a\n2. b\n"))
    edited(live, Append("3. c\n"))
    assert markdown(tree(live)) == "1. a\n2. b\n3. c\n"
    assert len(root(live).children) == 1


COMMENT = {"type": "comment", "attrs": {"commentId": "c1"}}
RED = {"type": "textStyle", "attrs": {"color": "red"}}
MENTION = {"type": "mention", "attrs": {"id": "u1", "label": "Ada"}}
LINK = {"type": "link", "attrs": {"href": "/x", "target": "_blank", "rel": "noopener"}}


def listed(*said):
    return [
        paragraph("first", textAlign="right"),
        holds("bulletList", *(holds("listItem", paragraph(each, odd=1)) for each in said)),
    ]


KEPT = [
    (
        "alignment, comments and colours in a text that changes",
        doc(
            paragraph(
                "plain ", text("com", COMMENT), text("mented", COMMENT, "bold"), text(" red", RED), textAlign="right"
            )
        ),
        ("plain com**mented**", "plainer com, **mented**"),
        doc(
            paragraph(
                "plainer ",
                text("com, ", COMMENT),
                text("mented", COMMENT, "bold"),
                text(" red", RED),
                textAlign="right",
            )
        ),
    ),
    (
        "a mention beside what changes",
        doc(paragraph("ask ", MENTION, " today")),
        ("ask @Ada today", "tell @Ada tomorrow"),
        doc(paragraph("tell ", MENTION, " tomorrow")),
    ),
    (
        "a mention that changes becomes text",
        doc(paragraph("ask ", MENTION)),
        ("@Ada", "@Adam"),
        doc(paragraph("ask @Adam")),
    ),
    (
        "what a link has besides its address",
        doc(paragraph(text("here", LINK))),
        ("[here](/x)", "[right here](/y)"),
        doc(
            paragraph(
                text("right ", {"type": "link", "attrs": {"href": "/y"}}),
                text("here", {"type": "link", "attrs": {**LINK["attrs"], "href": "/y"}}),
            )
        ),
    ),
    (
        "a comment on a text that goes on before it and behind it",
        doc(paragraph(text("all red", COMMENT))),
        ("all red", "not all so red here"),
        doc(paragraph(text("not "), text("all so red", COMMENT), text(" here"))),
    ),
    (
        "a colour under a mark that comes",
        doc(paragraph(text("all red", {"type": "highlight", "attrs": {"color": "red"}}))),
        ("all red", "all **red**"),
        doc(
            paragraph(
                text("all ", {"type": "highlight", "attrs": {"color": "red"}}),
                text("red", "bold", {"type": "highlight", "attrs": {"color": "red"}}),
            )
        ),
    ),
    (
        "the size of an image whose text changes",
        doc(holds("image", src="/i", alt="old", width=40)),
        ("old", "new"),
        doc(holds("image", src="/i", alt="new", width=40)),
    ),
    (
        "a paragraph that becomes a heading",
        doc(paragraph(text("note", COMMENT), textAlign="center")),
        ("note", "## note"),
        doc(holds("heading", text("note", COMMENT), textAlign="center", level=2)),
    ),
    (
        "nodes that nobody knows, around and within",
        doc(
            holds("panel", paragraph("in"), holds("video", src="v"), paragraph("out"), tone="info"),
            holds("video", src="w"),
            paragraph("end", holds("badge", n=1)),
        ),
        ("out", "OUT\n\nmore"),
        doc(
            holds("panel", paragraph("in"), holds("video", src="v"), paragraph("OUT"), paragraph("more"), tone="info"),
            holds("video", src="w"),
            paragraph("end", holds("badge", n=1)),
        ),
    ),
    (
        "an unknown block with text",
        doc(holds("callout", "be careful", tone="red"), paragraph("x")),
        ("be careful", "be very careful"),
        doc(holds("callout", "be very careful", tone="red"), paragraph("x")),
    ),
    (
        "empty paragraphs and breaks that are not shown",
        doc(paragraph("a"), paragraph(), paragraph("b", {"type": "hardBreak"}), paragraph(), paragraph("c")),
        ("a", "A"),
        doc(paragraph("A"), paragraph(), paragraph("b", {"type": "hardBreak"}), paragraph(), paragraph("c")),
    ),
    (
        "an empty paragraph between what goes",
        doc(paragraph("a"), paragraph("b"), paragraph(), paragraph("c")),
        ("a\n\nb\n\nc", "a"),
        doc(paragraph("a")),
    ),
    (
        "the widths and spans of a table's cells",
        doc(
            holds(
                "table",
                holds(
                    "tableRow",
                    holds("tableHeader", paragraph("a"), colwidth=[90]),
                    holds("tableHeader", paragraph("b")),
                ),
                holds("tableRow", holds("tableCell", paragraph("wide", textAlign="right"), colspan=2)),
                holds(
                    "tableRow",
                    holds("tableCell", paragraph("c"), align="left"),
                    holds("tableCell", paragraph("d"), paragraph("e")),
                ),
            )
        ),
        ("wide", "wider"),
        doc(
            holds(
                "table",
                holds(
                    "tableRow",
                    holds("tableHeader", paragraph("a"), colwidth=[90]),
                    holds("tableHeader", paragraph("b")),
                ),
                holds("tableRow", holds("tableCell", paragraph("wider", textAlign="right"), colspan=2)),
                holds(
                    "tableRow",
                    holds("tableCell", paragraph("c"), align="left"),
                    holds("tableCell", paragraph("d"), paragraph("e")),
                ),
            )
        ),
    ),
    (
        "the paragraphs of a cell",
        doc(
            holds(
                "table",
                holds(
                    "tableRow",
                    holds("tableHeader", paragraph("a", textAlign="left"), paragraph("b", textAlign="right")),
                ),
            )
        ),
        ("a<br>b", "A<br>b<br>c"),
        doc(
            holds(
                "table",
                holds(
                    "tableRow",
                    holds(
                        "tableHeader",
                        paragraph("A", textAlign="left"),
                        paragraph("b", {"type": "hardBreak"}, "c", textAlign="right"),
                    ),
                ),
            )
        ),
    ),
    *(
        (
            f"the {name} of a cell",
            doc(
                holds("table", holds("tableRow", holds("tableHeader", *cell("red", "two")), holds("tableHeader", "x")))
            ),
            passage,
            doc(holds("table", holds("tableRow", holds("tableHeader", *cell(*said)), holds("tableHeader", "x")))),
        )
        for name, cell, passage, said in (
            ("list", listed, ("two", "too"), ("red", "too")),
            ("list in a quote", lambda *said: [holds("blockquote", *listed(*said))], ("red", "read"), ("read", "two")),
            (
                "code",
                lambda *said: [holds("codeBlock", said[0], language="c"), paragraph(said[1], textAlign="right")],
                ("two", "too"),
                ("red", "too"),
            ),
            (
                "image",
                lambda *said: [paragraph(said[0]), holds("image", src="/i/1", odd=1), paragraph(said[1])],
                ("two", "too"),
                ("red", "too"),
            ),
            (
                "blocks",
                lambda *said: [holds("heading", said[0], level=2, odd=1), *listed("item", said[1])],
                ("red", "read"),
                ("read", "two"),
            ),
        )
    ),
    (
        "the words of an item that holds blocks",
        doc(
            holds(
                "bulletList",
                holds(
                    "listItem",
                    paragraph("red", odd=1),
                    *listed("two", "three"),
                    holds("blockquote", paragraph("end", odd=2)),
                ),
            )
        ),
        ("two", "too"),
        doc(
            holds(
                "bulletList",
                holds(
                    "listItem",
                    paragraph("red", odd=1),
                    *listed("too", "three"),
                    holds("blockquote", paragraph("end", odd=2)),
                ),
            )
        ),
    ),
    (
        "attributes of items that are ticked",
        doc(
            holds(
                "taskList",
                holds("taskItem", paragraph("do", textAlign="right"), checked=False, due="x"),
                holds("taskItem", paragraph("more"), checked=True),
            )
        ),
        ("[ ] do", "[x] done"),
        doc(
            holds(
                "taskList",
                holds("taskItem", paragraph("done", textAlign="right"), checked=True, due="x"),
                holds("taskItem", paragraph("more"), checked=True),
            )
        ),
    ),
    (
        "a list that becomes numbered",
        doc(holds("bulletList", holds("listItem", paragraph(text("a", COMMENT))), odd=1)),
        ("- a", "2. a"),
        doc(holds("orderedList", holds("listItem", paragraph(text("a", COMMENT))), odd=1, start=2)),
    ),
    (
        "an address nobody should follow",
        doc(paragraph(text("click", {"type": "link", "attrs": {"href": "javascript:x"}}), " here")),
        ("here", "there"),
        doc(paragraph(text("click", {"type": "link", "attrs": {"href": "javascript:x"}}), " there")),
    ),
]


@pytest.mark.parametrize(("before", "passage", "after"), [case[1:] for case in KEPT], ids=[case[0] for case in KEPT])
def test_what_markdown_cannot_say_stays(before, passage, after):
    live = held(before)
    edited(live, Passages((Passage(*passage),)))
    assert tree(live) == shaped(after)


def strange(node):
    """Everything in the tree that Markdown cannot say, where it is on known text or blocks."""
    found = (
        []
        if node["type"] in ("doc", "text")
        else [("align", node["attrs"]["textAlign"])]
        if "textAlign" in node.get("attrs", {})
        else []
    )
    found += [(mark["type"], node["text"]) for mark in node.get("marks", []) if mark["type"] == "comment"]
    return found + [each for child in node.get("content", []) for each in strange(child)]


STRANGE = st.lists(
    st.builds(
        lambda one, other, align: paragraph(one, text(other, COMMENT), textAlign=align),
        st.sampled_from("abc"),
        st.sampled_from("def"),
        st.sampled_from(["left", "right"]),
    ),
    min_size=1,
    max_size=5,
).map(lambda blocks: doc(*blocks))


@given(STRANGE, st.data())
@settings(max_examples=examples(100), deadline=None)
def test_nothing_strange_is_lost_by_what_is_added_between(written, data):
    live = held(written)
    before = strange(tree(live))
    at = data.draw(st.integers(0, len(written["content"])))
    blocks = markdown(tree(live)).strip("\n").split("\n\n")
    edited(live, Whole("\n\n".join([*blocks[:at], "# new", "- one\n- two", *blocks[at:]])))
    assert strange(tree(live)) == before
    assert len(tree(live)["content"]) == len(blocks) + 2


def test_a_changed_word_in_a_long_document_is_a_few_bytes():
    live = held(
        doc(*[paragraph(f"Paragraph {number} says ", text("this", "bold"), " and that.") for number in range(2_000)])
    )
    assert len(edited(live, Passages((Passage("Paragraph 999 says", "Paragraph 999 tells"),)))) < 60
    assert len(edited(live, Append("the end"))) < 100


def test_typing_meanwhile_is_kept_and_so_are_new_paragraphs():
    live = held(parse("# Plan\n\nWe meet on Monday.\n\n- milk\n- bread\n"))
    other = load(encode_state(live))
    edited(live, Passages((Passage("on Monday", "at **noon** on Tuesday"), Passage("- bread", "- bread\n- tea"))))
    with other.transaction():
        children = root(other).children
        children[1].children[0].insert(len("We meet"), " again")
        children[2].children[1].children[0].children[0].insert(len("bread"), " and butter")
        children.insert(1, XmlElement("paragraph")).children.append(XmlText("Draft"))
    live.apply_update(other.get_update(live.get_state()))
    assert (
        markdown(tree(live))
        == "# Plan\n\nDraft\n\nWe meet again at **noon** on Tuesday.\n\n- milk\n- bread and butter\n- tea\n"
    )


@given(st.integers(2, 6), st.data(), LINES)
@settings(max_examples=examples(100), deadline=None)
def test_whatever_one_paragraph_becomes_typing_in_the_others_is_kept(count, data, new):
    words = [f"paragraph {number} 😀" for number in range(count)]
    live = held(doc(*map(paragraph, words)))
    at, typed = data.draw(st.permutations(range(count)))[:2]
    other = load(encode_state(live))
    wanted = markdown(tree(live)).replace(words[at], new)
    edited(live, Whole(wanted))
    with other.transaction():
        root(other).children[typed].children[0].insert(len("paragraph"), " TYPED")
        root(other).children.append(XmlElement("paragraph")).children.append(XmlText("ADDED"))
    live.apply_update(other.get_update(live.get_state()))
    other.apply_update(live.get_update(other.get_state()))
    assert tree(live) == tree(other)
    written = markdown(tree(live))
    assert "ADDED" in written
    if shaped(paragraph(words[typed])) in parse(wanted)["content"]:  # and not swallowed by what is new
        assert words[typed].replace("paragraph", "paragraph TYPED") in written


WORDS = [f"word{number}" for number in range(5_000)]


def test_every_other_word_of_a_long_paragraph_can_change():
    live = held(doc(paragraph(" ".join(WORDS))))
    wanted = " ".join("new" if at % 2 else word for at, word in enumerate(WORDS))
    assert len(edited(live, Whole(wanted))) < 40_000
    says(live, wanted)


def test_more_changes_than_one_text_can_keep_apart_still_make_what_is_wanted():
    words = [f"word{number}" for number in range(20_000)]
    live = held(doc(paragraph(" ".join(words))))
    wanted = " ".join("new" if at % 2 else word for at, word in enumerate(words))
    edited(live, Whole(wanted))
    says(live, wanted)


def test_a_cell_that_a_row_does_not_have_yet_is_filled_in_its_column():
    first = holds("tableRow", holds("tableHeader", paragraph("a")), holds("tableHeader", paragraph("b")))
    live = held(doc(holds("table", first, holds("tableRow"))))
    wanted = "| a | b |\n| --- | --- |\n|  | c |\n"
    edited(live, Whole(wanted))
    assert markdown(tree(live)) == wanted


def test_what_is_nested_deep_keeps_what_markdown_cannot_say_where_a_word_in_it_changes():
    quoted = [paragraph(f"paragraph {number} of many", textAlign="right") for number in range(200)]
    node = holds("blockquote", *quoted)
    for _ in range(59):
        node = holds("blockquote", node)
    live = held(doc(node))
    assert len(edited(live, Passages((Passage("paragraph 99 of", "paragraph 99 among"),)))) < 60
    assert json.dumps(tree(live)).count('"textAlign": "right"') == 200


def test_what_is_nested_deeper_than_markdown_may_be_elsewhere_stays_as_it_is():
    node = paragraph("bottom", textAlign="right")
    for _ in range(90):
        node = holds("blockquote", node)
    live = held(doc(paragraph("top"), node))
    before = tree(live)["content"]
    edited(live, Append("the end"))
    edited(live, Passages((Passage("top", "the top"),)))
    assert tree(live)["content"][1] == before[1]
    assert markdown(tree(live)).startswith("the top\n\n> > >")


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        (Whole("![" * 15_500), "`replace`"),
        (Whole("[" * 2**24), "`replace`"),
        (Append("[" * 31_000), "`append`"),
        (Passages((Passage("a", "[" * 31_000),)), "`passages`"),
    ],
    ids=["replace", "replace of 16 MiB", "append", "passages"],
)
def test_markdown_that_takes_too_much_work_is_refused_by_its_field(wanted, field):
    live = held(doc(paragraph("a")))
    refused = edit(live, wanted)
    assert isinstance(refused, Refused)
    assert field in refused.reason
    assert markdown(tree(live)) == "a\n"


def test_text_nested_too_deep_is_refused_and_not_cut_off():
    live = held(doc(paragraph("a")))
    for deep in ("> " * 160 + "deep", "- " * 200 + "deep", "> " * 3_000 + "deep"):
        assert isinstance(edit(live, Whole(deep)), Refused)
    assert markdown(tree(live)) == "a\n"


def test_an_earlier_tree_comes_back_as_an_edit():
    live = held(doc(paragraph("one", textAlign="right"), holds("panel", paragraph("two"))))
    earlier = tree(live)
    edited(live, Whole("another"))
    restored = restore_content(live, earlier)
    assert isinstance(restored, Changed)
    assert restored.update
    assert tree(live) == earlier
    assert restore_content(live, earlier) == Changed(b"", earlier, False)


def test_half_a_character_and_what_is_too_deep_are_no_reason_to_fail():
    live = held(doc(paragraph("a")))
    edited(live, Whole("a\ud83d b"))
    assert markdown(tree(live)) == "a? b\n"
    assert isinstance(edit(live, Whole("> " * 149 + "deep")), Refused)
