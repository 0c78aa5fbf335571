"""Whether cursors are spelled as is published, and mean what they were made of."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cursor import (
    CURSOR_PATTERN,
    MAX_CURSOR_LENGTH,
    cursor,
    decode_cursor,
    encode_cursor,
    signed_cursor,
    signed_place,
)
from domain.errors import Code, Rejection


@given(st.binary(min_size=1, max_size=100))
def test_a_cursor_matches_the_published_pattern_and_gives_its_place_back(place):
    made = encode_cursor(place)
    assert re.fullmatch(CURSOR_PATTERN, made)
    assert cursor(made) == made
    assert decode_cursor(made) == place


@pytest.mark.parametrize("text", ["", "=", "a=", "a b", "a+b", "a/b", "\0", "é", "a\n", "a" * (MAX_CURSOR_LENGTH + 1)])
def test_what_breaks_the_pattern_is_refused_by_the_name_of_its_field(text):
    refused = cursor(text, "after")
    assert isinstance(refused, Rejection)
    assert refused.code is Code.BAD_REQUEST
    assert "`after`" in refused.message


@given(st.text())
def test_no_text_breaks_the_decoding(text):
    decoded = decode_cursor(text)
    assert decoded is None or isinstance(decoded, bytes)


KEY, LIST = b"k" * 32, ("attributions", "document", "user")


@given(st.from_regex(r"[0-9]{1,18}-[0-9]{1,18}", fullmatch=True))
def test_a_signed_cursor_matches_the_published_pattern_and_gives_its_place_back(place):
    made = signed_cursor(KEY, place, LIST)
    assert re.fullmatch(CURSOR_PATTERN, made)
    assert signed_place(KEY, made, LIST) == place


@given(st.text(max_size=60))
def test_no_text_is_a_signed_cursor(text):
    assert signed_place(KEY, text, LIST) is None


def test_a_signed_cursor_has_no_place_with_another_key_in_another_list_or_changed():
    made = signed_cursor(KEY, "12-5", LIST)
    assert signed_place(b"l" * 32, made, LIST) is None
    assert signed_place(KEY, made, ("attributions", "document", "another user")) is None
    for at, letter in enumerate(made):
        changed = made[:at] + ("1" if letter != "1" else "3") + made[at + 1 :]
        assert signed_place(KEY, changed, LIST) is None
