"""Keystrokes are scanned by a pattern instead of byte by byte: the two must say the same of everything."""

import pytest
from encoding import number, string
from hypothesis import given
from hypothesis import strategies as st
from pycrdt import Doc, Text

from documents.keystroke import LONGEST, keystroke
from documents.scan import IMPORT, Limits, scan
from documents.snapshot import bring_in, state_vector

clocks = st.one_of(
    st.integers(0, 300), st.sampled_from([2**14, 2**31 - 3, 2**31 - 2, 2**31 - 1, 2**31, 2**35 - 1, 2**53, 2**63])
)
names = st.tuples(clocks, clocks).map(lambda pair: number(pair[0]) + number(pair[1]))
flags = st.sampled_from([0x84, 0x44, 0xC4, 0x04, 0x24, 0xA4, 0x8A, 0xC1])
texts = st.one_of(st.text(st.characters(max_codepoint=127), max_size=70), st.text(max_size=20)).map(string)


@st.composite
def typed(draw):
    """A text of one client, or something close to it."""
    body = draw(names) + bytes([draw(flags)]) + b"".join(draw(st.lists(names, min_size=1, max_size=2)))
    return b"\x01\x01" + body + draw(texts) + b"\0"


erased = st.tuples(clocks, names).map(lambda parts: b"\0\1" + number(parts[0]) + b"\1" + parts[1])


@st.composite
def damaged(draw):
    data = bytearray(draw(st.one_of(typed(), erased)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data) - 1))
        data[at : at + draw(st.integers(0, 1))] = draw(st.binary(max_size=2))
        data = data or bytearray(1)
    return bytes(data)


@given(st.one_of(damaged(), st.binary(max_size=30)), st.sampled_from([Limits(), IMPORT]))
def test_the_short_look_says_what_decoding_says_or_nothing(data, limits):
    short = keystroke(data)
    assert short is None or short._replace(plain=False) == scan(data, limits)


@given(st.lists(st.tuples(st.integers(0, 40), st.text("ab c", max_size=12)), max_size=30))
def test_typing_and_deleting_is_plain_and_brought_in_together_it_is_the_same_document(steps):
    doc, updates = Doc(client_id=3_000_000_000), []
    text = doc.get("default", type=Text)
    text += "begun"
    copy = Doc()
    copy.apply_update(doc.get_update())
    doc.observe(lambda event: updates.append(event.update))
    for at, typed_in in steps:
        if typed_in:
            text.insert(min(at, len(text)), typed_in)
        elif len(text) > 1:
            del text[0:1]
    assert all(keystroke(update) for update in updates)
    assert bring_in(copy, updates) is None
    assert str(copy.get("default", type=Text)) == str(text)
    assert state_vector(copy) == state_vector(doc)


@pytest.mark.parametrize("content", ["é", "a" * LONGEST])
def test_what_is_long_or_not_ascii_is_decoded(content):
    doc, updates = Doc(client_id=7), []
    text = doc.get("default", type=Text)
    text += "begun"
    doc.observe(lambda event: updates.append(event.update))
    text += content
    assert keystroke(updates[0]) is None
