from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from documents.editing.sequence_alignment import common, equal_pairs, likely_pairs
from documents.editing.text_diff import clusters, kept_spans, words_of_text
from tests.support.suite.rounds import examples

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
LETTERS = st.lists(
    st.sampled_from(
        ["a", "b", "word", " ", "  ", "_", "1", ".", "é", "e\u0301", "😀", FAMILY, "🇩🇪", "\r\n", "\n", "한"]
    ),
    max_size=12,
).map("".join)


@given(st.text(max_size=20) | LETTERS)
def test_the_pieces_of_a_text_are_the_text(text):
    assert "".join(clusters(text)) == text
    assert "".join(words_of_text(text)) == text


def test_a_character_is_what_a_reader_sees_as_one():
    assert clusters(f"e\u0301{FAMILY}🇩🇪🇫🇷👍🏽\r\nx") == ["e\u0301", FAMILY, "🇩🇪", "🇫🇷", "👍🏽", "\r\n", "x"]


def test_words_keep_the_spaces_behind_them():
    assert words_of_text("one  two, three\u0301 _x!") == ["one  ", "two", ",", " ", "three\u0301 ", "_x", "!"]


@given(LETTERS, LETTERS)
def test_what_is_kept_is_in_both_texts_and_ends_where_characters_end(old, new):
    last = (0, 0)
    for at, there, length in kept_spans(old, new):
        assert length > 0
        assert at >= last[0]
        assert there >= last[1]
        assert old[at : at + length] == new[there : there + length]
        last = at + length, there + length
        for text, start in ((old, at), (new, there)):
            borders = {sum(map(len, clusters(text)[:count])) for count in range(len(text) + 1)}
            assert {start, start + length} <= borders


def test_a_changed_word_is_cut_at_its_ends_only():
    assert kept_spans("the old word", "the older word") == [(0, 0, 7), (7, 9, 5)]
    assert kept_spans("hello all", "world all") == [(5, 5, 4)]


def test_a_word_stays_though_the_spaces_behind_it_change():
    assert kept_spans("to a sea  shore", "to see a  shore") == [(0, 0, 3), (3, 7, 2), (9, 9, 6)]
    assert kept_spans("x y", "x  y") == [(0, 0, 2), (2, 3, 1)]


ITEMS = st.lists(st.integers(0, 4), max_size=12)


@given(ITEMS, ITEMS)
@settings(max_examples=examples(200))
def test_short_sequences_share_their_longest_common_subsequence_or_nearly(old, new):
    pairs = equal_pairs(old, new)
    assert all(old[one] == new[other] for one, other in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    assert len(equal_pairs(old, old)) == len(old)


def test_what_is_equal_before_and_behind_an_item_that_both_have_once_is_paired():
    assert equal_pairs("aaxZcbb", "yaaZbbd") == [(0, 1), (1, 2), (3, 3), (5, 4), (6, 5)]


def test_one_item_that_moved_leaves_the_others_paired():
    many = list(range(1000))
    assert len(equal_pairs(many, [*many[500:501], *many[:500], *many[501:]])) == 999


def test_long_sequences_that_nothing_holds_together_come_to_an_end():
    nested = [*range(20_000), *range(20_000, 0, -1)]
    assert equal_pairs(nested, nested[::-1])
    assert equal_pairs([1, 2] * 20_000, [2, 1, 1] * 20_000) == []


def test_what_changed_is_paired_by_what_is_most_alike():
    def likeness(one, other):
        return {(1, 0): 0.9, (0, 0): 0.1, (1, 1): 0.1}.get((one, other), 0)

    assert likely_pairs([], (2, 2), likeness) == [(1, 0)]
    assert likely_pairs([(0, 0)], (2, 2), likeness) == [(0, 0), (1, 1)]


@pytest.mark.parametrize(
    "text",
    ["a" * 300_000, "e" + "\u0301" * 300_000, "a " * 200_000, "\U0001f1e9" * 262_144],
    ids=["word", "accents", "words", "flags"],
)
def test_a_long_text_is_cut_in_time_that_grows_with_its_length(text):
    assert "".join(words_of_text(text)) == text


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_what_two_sequences_have_in_common_is_as_long_as_can_be(old, new):
    longest = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for row in range(len(old) - 1, -1, -1):
        for column in range(len(new) - 1, -1, -1):
            skipped = max(longest[row + 1][column], longest[row][column + 1])
            longest[row][column] = longest[row + 1][column + 1] + 1 if old[row] == new[column] else skipped
    pairs = common(old, new)
    assert len(pairs) == longest[0][0]
    assert all(old[one] == new[other] for one, other in pairs)
    assert pairs == sorted(set(pairs))
