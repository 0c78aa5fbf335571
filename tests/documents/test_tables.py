"""Tables in Markdown: values stay under their columns where cells are merged, and columns stay aligned."""

import pytest
from pycrdt import Doc, XmlFragment

from documents.editing.edit import Passage, Passages, Whole, edit
from documents.markdown.markdown_in import TooComplexError, parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import tree


def text(said):
    return {"type": "paragraph", "content": [{"type": "text", "text": said}]} if said else {"type": "paragraph"}


def cell(*blocks, kind="tableCell", **attrs):
    content = [text(each) if isinstance(each, str) else each for each in blocks or ("",)]
    return {"type": kind, **({"attrs": attrs} if attrs else {}), "content": content}


def head(said, **attrs):
    return cell(said, kind="tableHeader", **attrs)


def table(*rows):
    return {"type": "table", "content": [{"type": "tableRow", "content": [*row]} for row in rows]}


def document(*blocks):
    doc = Doc()
    doc.get("default", type=XmlFragment)
    doc.apply_update(from_tree({"type": "doc", "content": [*blocks]}, 7))
    return doc


def edited(doc, wanted):
    made = edit(doc, wanted)
    assert isinstance(made, bytes), made
    doc.apply_update(made)
    return tree(doc)["content"][0]


SALES = table(
    (head("Region"), head("Year"), head("Sales")),
    (cell("North", rowspan=2), cell("2025"), cell("10")),
    (cell("2026"), cell("12")),
    (cell("Total", colspan=2), cell("22")),
)
WRITTEN = """| Region | Year | Sales |
| --- | --- | --- |
| North | 2025 | 10 |
|  | 2026 | 12 |
| Total |  | 22 |
"""


def test_what_a_merged_cell_covers_is_written_as_empty_cells():
    assert markdown(tree(document(SALES))) == WRITTEN


def test_covered_cells_that_come_back_are_no_new_cells():
    doc = document(SALES)
    before = tree(doc)
    assert edit(doc, Whole(WRITTEN)) == b""
    made = edited(doc, Passages((Passage("12 |", "13 |"), Passage("Total", "Sum"))))
    expected = table(
        (head("Region"), head("Year"), head("Sales")),
        (cell("North", rowspan=2), cell("2025"), cell("10")),
        (cell("2026"), cell("13")),
        (cell("Sum", colspan=2), cell("22")),
    )
    assert markdown({"type": "doc", "content": [made]}) == WRITTEN.replace("12 |", "13 |").replace("Total", "Sum")
    assert [[each.get("attrs") for each in row["content"]] for row in made["content"]] == [
        [each.get("attrs") for each in row["content"]] for row in before["content"][0]["content"]
    ]
    assert [len(row["content"]) for row in made["content"]] == [len(row["content"]) for row in expected["content"]]


def test_a_text_in_a_covered_cell_is_kept():
    made = edited(document(SALES), Whole(WRITTEN.replace("|  | 2026", "| South | 2026")))
    assert markdown({"type": "doc", "content": [made]}) == WRITTEN.replace("|  | 2026", "| South | 2026")


@pytest.mark.parametrize(
    "spans",
    [
        {"rowspan": 10**9},
        {"colspan": 10**9},
        {"rowspan": "x"},
        {"colspan": -1},
        {"colspan": 2.5},
        {"rowspan": float("inf")},
    ],
)
def test_odd_spans_do_no_harm(spans):
    odd = {"type": "doc", "content": [table((cell("a", **spans), cell("b")), (cell("c"), cell("d")))]}
    assert all(letter in markdown(odd) for letter in "abcd")


def test_many_spans_do_not_multiply():
    rows = [[cell("a", rowspan=1000, colspan=1000)] * 10] * 1000
    assert len(markdown({"type": "doc", "content": [table(*rows)]})) < 1_000_000


@pytest.mark.parametrize("edge", ["|", ""])
def test_a_table_has_a_thousand_columns_at_most(edge):
    def rows(columns):
        return "\n".join(f"{edge}{'|'.join([each] * columns)}{edge}" for each in ("a", "---", "b"))

    assert parse(rows(1_000))["content"][0]["type"] == "table"
    with pytest.raises(TooComplexError, match="more than 1,000 columns"):
        parse(rows(1_001))


ALIGNED = "| a | b | c | d |\n| :--- | :---: | ---: | --- |\n| 1 | 2 | 3 | 4 |\n"


def test_the_alignment_of_columns_goes_both_ways():
    doc = document(text("before"))
    made = edited(doc, Whole(ALIGNED))
    assert markdown(tree(doc)) == ALIGNED
    aligns = [[(each.get("attrs") or {}).get("align") for each in row["content"]] for row in made["content"]]
    assert aligns == [["left", "center", "right", None]] * 2


def test_the_alignment_of_a_column_is_changed_and_taken_away():
    doc = document(text("before"))
    edited(doc, Whole(ALIGNED))
    changed = ALIGNED.replace("| :--- | :---: |", "| --- | ---: |").replace("4", "5")
    edited(doc, Whole(changed))
    assert markdown(tree(doc)) == changed


def test_an_alignment_of_single_cells_stays_where_markdown_cannot_say_it():
    mixed = table((head("a"), head("b")), (cell("1", align="right"), cell("2")), (cell("3"), cell("4")))
    doc = document(mixed)
    assert "| --- | --- |" in markdown(tree(doc))
    made = edited(doc, Passages((Passage("| 2 |", "| two |"),)))
    assert made["content"][1]["content"][0]["attrs"]["align"] == "right"


CODE = {"type": "codeBlock", "content": [{"type": "text", "text": "a|b\nc"}]}


def test_lines_of_code_in_a_cell_are_lines():
    doc = document(table((head("x"),), (cell("intro", CODE),)))
    assert markdown(tree(doc)) == "| x |\n| --- |\n| intro<br>a\\|b<br>c |\n"
    made = edited(doc, Passages((Passage("intro", "INTRO"),)))
    assert [each["type"] for each in made["content"][1]["content"][0]["content"]] == ["paragraph", "codeBlock"]
    assert markdown(tree(doc)) == "| x |\n| --- |\n| INTRO<br>a\\|b<br>c |\n"
