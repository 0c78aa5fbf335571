"""Which words are taken for another with one typing error."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.projection.search_text import excerpt, fold, query_terms, searched_words
from documents.projection.typing_errors import MAX_LETTERS, MIN_LETTERS, misspelled


def meets(typed, meant):
    return any(meant.startswith(word) if begun else meant == word for word, begun in misspelled(fold(typed)))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("recieve", "receive"),
        ("rokcet", "rocket"),
        ("rockt", "rocket"),
        ("rocckets", "rockets"),
        ("focket", "rocket"),
        ("ocket", "rocket"),
        ("rockex", "rocket"),
        ("rocketx", "rocket"),
        ("launhc", "launches"),
        ("ουρανςο", "ουρανός"),
        ("дакумент", "документы"),
        ("שלוום", "שלום"),
        ("مدرصة", "مدرسة"),
        ("किताप", "किताब"),
        ("안녕하새요", "안녕하세요"),
        ("하국어", "한국어"),
        ("éqiupe", "équipe"),
    ],
)
def test_a_word_is_met_with_one_error(typed, meant):
    assert meets(typed, fold(meant))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("recieev", "receive"),
        ("rckt", "rocket"),
        ("cat", "car"),
        ("moon", "noon"),
        ("12345", "12346"),
        ("v1234", "v1235"),
        ("東京都庁舎前", "東京都庁舎後"),
    ],
)
def test_two_errors_a_short_word_and_another_number_are_another_word(typed, meant):
    assert not meets(typed, fold(meant))


LETTERS = st.characters(min_codepoint=ord("a"), max_codepoint=ord("z"))


@given(st.text(LETTERS, min_size=MIN_LETTERS, max_size=MAX_LETTERS - 1), st.data())
def test_every_error_in_a_word_is_met_and_few_words_are_asked_for(word, data):
    at = data.draw(st.integers(0, len(word) - 1))
    other = data.draw(LETTERS)
    for typed in (
        word[:at] + other + word[at + 1 :],
        word[:at] + other + word[at:],
        word[:at] + word[at + 1 :],
        word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
    ):
        if len(typed) >= MIN_LETTERS and not word.startswith(typed):
            assert meets(typed, word)
    assert len(misspelled(word)) <= 53 * len(word)


@given(st.text(max_size=30))
def test_whatever_is_asked_for_is_a_folded_word_of_its_own(text):
    for word in searched_words(text):
        for other, _ in misspelled(word):
            assert other != word
            assert unicodedata.is_normalized("NFC", other)


def test_an_excerpt_marks_what_was_meant():
    asked = query_terms("the rokcet", misspelled=True)
    assert [part.text for part in excerpt("all the rockets fly", asked) if part.hit] == ["the", "rockets"]


def test_a_query_asks_for_a_bounded_number_of_words():
    asked = query_terms(" ".join(["abcdefghijklmnopqrstuvwx"] * 30), misspelled=True)
    assert 1_000 < sum(len(term.misspelled) for term in asked) <= 2_500
