import random
from itertools import pairwise
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.errors import Rejection
from domain.sort_key import sort_key
from domain.values import NAME_LENGTH, item_name

STORABLE = st.characters(exclude_categories=["Cs", "Cc"])
PIECES = st.sampled_from(
    ["file", "File", " ", "-", "9", "10", "010", "é", "e", "E\u0301", "ß", "SS", "Ł", "数", "٣", "\u0301", "x²"]
)
NAMES = st.one_of(st.text(STORABLE, max_size=NAME_LENGTH), st.lists(PIECES, max_size=12).map("".join)).filter(
    lambda text: not isinstance(item_name(text), Rejection)
)
# An entry of a B-tree holds 2,704 bytes; beside the key there are two ids and what PostgreSQL writes around them.
MAX_KEY_BYTES = 2_704 - 2 * 16 - 48
IN_ORDER = [
    "\u0301",
    " leading",
    "(draft)",
    "0",
    "00",
    "1.9",
    "1.10",
    "2",
    "10",
    "99999999999999999999",
    "100000000000000000000",
    "Apple",
    "apple",
    "Ápple",
    "apple pie",
    "café",
    "cafeteria",
    "file",
    "file 9",
    "file 010",
    "file 10",
    "file 10a",
    "file 11",
    "file a",
    "Łódź",
    "Lofoten",
    "Malmö",
    "Straße 2",
    "strasse 10",
    "Zebra",
]


def test_names_come_in_the_order_that_people_expect():
    shuffled = random.Random(4).sample(IN_ORDER, len(IN_ORDER))
    assert sorted(shuffled, key=sort_key) == IN_ORDER


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\u0669", "\u0661\u0660"),
        ("\uff19", "\uff11\uff10"),
        ("file \uff19", "file 10"),
        ("Ⅸ a", "ix b"),
        ("❤\ufe0f a", "❤ b"),
        ("co\u00adop 1", "coop 2"),
        ("कि", "की"),
        ("한", "함"),
    ],
)
def test_other_scripts_are_ordered_by_what_is_read(one, other):
    assert sort_key(one) < sort_key(other)


@given(NAMES, NAMES)
@example("a", "a\u0301")
def test_different_names_have_different_keys(one, other):
    assert (sort_key(one) == sort_key(other)) == (one == other)
    assert sort_key(one) > ""


def dressed(letters):
    """Draw the letters in any case, with any accents, composed or not."""
    case = st.sampled_from((str.lower, str.upper))
    accents = st.sampled_from(("", "", "\u0301", "\u0308", "\u0302\u0323"))
    drawn = st.tuples(*(st.tuples(st.just(letter), case, accents) for letter in letters))
    text = drawn.map(lambda parts: "".join(change(letter) + accent for letter, change, accent in parts))
    return st.tuples(text, st.sampled_from(("NFC", "NFD"))).map(lambda made: normalize(made[1], made[0]))


LETTERS = st.text("abeosz _-", min_size=1, max_size=8)


@given(LETTERS, LETTERS, st.data())
def test_case_and_accents_only_break_ties(one, other, data):
    one, other = sorted((one, other))
    if one != other:
        assert sort_key(data.draw(dressed(one))) < sort_key(data.draw(dressed(other)))


NUMBERS = st.one_of(st.integers(0, 200), st.integers(0, 10**40))


@given(st.text(STORABLE, max_size=20), NUMBERS, NUMBERS, st.text(STORABLE, max_size=20))
def test_numbers_compare_as_numbers_wherever_they_stand(before, one, other, after):
    low, high = sorted((one, other))
    if low != high:
        assert sort_key(f"{before}-{low}-{after}") < sort_key(f"{before}-{high}-{after}")


@given(NAMES)
@example("\ufdfa" * NAME_LENGTH)
@example("\U0001d7d9" * NAME_LENGTH)
@example("⑳" * NAME_LENGTH)
@example("\U0001f600" * NAME_LENGTH)
@example("e\u0315\u0316" * 85)
def test_a_key_fits_in_an_entry_of_an_index(name):
    assert len(sort_key(name).encode()) <= MAX_KEY_BYTES


def test_longest_names_that_begin_alike_are_told_apart():
    long = "가" * (NAME_LENGTH - 1)
    names = [long + last for last in "가각갂간"]
    assert all(sort_key(one) < sort_key(other) for one, other in pairwise(names))


def test_a_text_that_is_no_name_costs_no_more_than_a_name():
    marks = "\u0315\u0316" * 500_000
    assert sort_key(marks) == sort_key(marks[:NAME_LENGTH])
