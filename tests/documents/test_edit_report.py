"""What an edit changes, block by block, and what it loses of what Markdown cannot say."""

import pytest
from hypothesis import given

from documents.editing.edit_report import Unsayable, differences, lost
from documents.history.changes import Kind
from documents.markdown.markdown_in import parse
from documents.tree.tree import shaped, text_of
from tests.documents.trees import DOCUMENT


def told(before, after):
    return [(each.kind, each.path, each.inserted, each.deleted) for each in differences(parse(before), parse(after))]


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("one\n\ntwo", "one\n\ntwo", []),
        ("one\n\ntwo", "one\n\ntwo words", [(Kind.inserted, (1,), " words", "")]),
        ("one two\n\nlast", "one\n\nlast", [(Kind.deleted, (0,), "", " two")]),
        ("one two\n\nlast", "one 2\n\nlast", [(Kind.replaced, (0,), "2", "two")]),
        ("one\n\ntwo\n\nthree", "one\n\nthree", [(Kind.deleted, None, "", "two")]),
        ("one\n\nthree", "one\n\ntwo\n\nthree", [(Kind.inserted, (1,), "two", "")]),
        ("one two", "**one** two", [(Kind.formatted, (0,), "", "")]),
        ("one two", "# one two", [(Kind.formatted, (0,), "", "")]),
        ("", "a 😀", [(Kind.inserted, (0,), "a 😀", "")]),
    ],
)
def test_what_an_edit_changes_is_told_block_by_block(before, after, found):
    assert told(before, after) == found


MOVED = Kind.moved


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("one and\n\ntwo and\n\nthree", "two and\n\nthree\n\none and", [(MOVED, (2,), "", "")]),
        ("one two", "one\n\ntwo", [(MOVED, (0,), "", ""), (MOVED, (1,), "", " ")]),
        ("one\n\ntwo", "one two", [(MOVED, (0,), " ", "")]),
        (
            "The words of one sentence.\n\nOthers stay here.",
            "Others stay here.\n\nSay the words of one sentence.",
            [(Kind.deleted, None, "", "The"), (Kind.inserted, (1,), "Say the", "")],
        ),
        ("- one and\n- two\n- three", "- two\n- three\n- one and", [(MOVED, (0,), "", "")]),
        ("one\n\nlast", "- one\n\nlast", [(Kind.formatted, (0,), "", "")]),
        (
            "The cat sat here.\n\nlast",
            "last\n\nA dog sat here.",
            [(Kind.deleted, None, "", "The cat sat here."), (Kind.inserted, (1,), "A dog sat here.", "")],
        ),
        ("one\n\ntwo", "one\n\ntwo\n\none", [(Kind.inserted, (2,), "one", "")]),
    ],
    ids=["block", "split", "join", "moved and written", "items", "kind", "rewritten", "copied"],
)
def test_text_that_an_edit_only_moves_is_neither_inserted_nor_deleted(before, after, found):
    assert told(before, after) == found


@given(DOCUMENT, DOCUMENT)
def test_all_that_differs_is_told(one, other):
    before, after = shaped(one), shaped(other)
    found = differences(before, after)
    assert bool(found) == (before != after)
    texts = [sum(map(len, map(text_of, tree["content"]))) for tree in (before, after)]
    assert texts[0] - texts[1] == sum(len(each.deleted) - len(each.inserted) for each in found)
    assert all(after["content"][each.path[0]] for each in found if each.path)
    lost(before, after)


def paragraph(*texts, **attrs):
    nodes = [
        {"type": "text", "text": text, **({"marks": [{"type": mark} for mark in marks]} if marks else {})}
        for text, *marks in texts
    ]
    return {"type": "doc", "content": [{"type": "paragraph", **({"attrs": attrs} if attrs else {}), "content": nodes}]}


def test_what_markdown_cannot_say_is_lost_only_where_its_text_stays():
    before = paragraph(("red", "textStyle"), (" and ",), ("bold", "bold"), textAlign="right")
    assert lost(before, before) == []
    plain = paragraph(("red and bold",))
    assert [(each.path, each.what, each.name) for each in lost(before, plain)] == [
        ((0,), Unsayable.attribute, "textAlign"),
        ((0,), Unsayable.mark, "textStyle"),
    ]
    without = paragraph((" and ",), ("bold", "bold"), textAlign="right")
    assert lost(before, without) == []
