"""Whether cursors are spelled as is published, and mean what they were made of."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cursor import CURSOR_PATTERN, MAX_CURSOR_LENGTH, cursor, decode_cursor, encode_cursor
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
