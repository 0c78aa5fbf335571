"""Whether a passage that is not there is told with what is there, and one that is there several times with where."""

import pytest

from documents.editing.nearest import MAX_SHOWN, nearest, occurrences

MARKDOWN = (
    "# Plan\n\n## Action items\n\nThe budget is **10,000** for AT\\&T.\n\nWe met  twice.\n\nGrace opens the meeting.\n"
)


@pytest.mark.parametrize(
    ("passage", "told"),
    [
        ("## Action Items", ": it has `## Action items`, where the case differs"),
        ("for AT&T", ": it has `for AT\\&T`, where characters are escaped by `\\`"),
        ("budget is 10,000 for", ": it has `budget is **10,000** for`, where marks such as `**` stand in it"),
        ("We met twice", ": it has `We met  twice`, where white space differs"),
        (
            "The Budget is 10,000",
            ": it has `The budget is **10,000**`, where the case differs and marks such as `**` stand in it",
        ),
        ("Grace opened the meeting today", ": the nearest line is `Grace opens the meeting.`"),
        ("nothing alike here whatsoever", ""),
        ("  ", ""),
    ],
)
def test_a_passage_that_is_not_there_is_told_with_what_is_there(passage, told):
    assert nearest(MARKDOWN, passage) == told


def test_what_is_shown_is_short_and_on_one_line():
    told = nearest("A line\nand\u2028" + "more words " * 100, "a LINE and more words " + "more words " * 90)
    assert told.isprintable()
    assert len(told) < MAX_SHOWN + 120


@pytest.mark.parametrize(
    ("passage", "told"),
    [("aa", "3 times, in the lines 1, 3, 3"), ("b", "7 times, in the lines 2, 2, 2, 2, 2, …")],
)
def test_a_passage_that_is_there_several_times_is_told_with_its_lines(passage, told):
    assert occurrences("aa\nbbbbbbb\naaa\n", passage) == told
