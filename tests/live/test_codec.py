"""Frames as bytes: what is written is read again, and nothing that is not a frame passes for one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from documents.yjs.lib0 import Decoder, Hostile, uint
from live import codec
from live.codec import (
    AwarenessUpdate,
    ClientState,
    Leave,
    Malformed,
    Ping,
    QueryAwareness,
    Stateless,
    Step1,
    Step2,
    Token,
    UpdateMessage,
)
from tests.support.suite.rounds import examples

names = some.text(max_size=40).filter(lambda name: name.isprintable())
numbers = some.integers(0, 2**53)
states = some.lists(
    some.builds(ClientState, numbers, numbers, some.text(max_size=30).filter(str.isprintable)), max_size=5
)


@given(numbers)
def test_numbers_are_read_as_they_were_written(number):
    reader = Decoder(uint(number))
    assert reader.uint() == number
    assert reader.at == len(reader.data)


@given(names, some.binary(max_size=200))
def test_updates_are_read_as_they_were_written(name, content):
    assert codec.read(codec.text(name) + codec.update(content), named=True) == (name, UpdateMessage(content))
    assert codec.read(codec.text(name) + codec.step2(content), named=True) == (name, Step2(content))
    assert codec.read(codec.update(content), named=False) == ("", UpdateMessage(content))


@given(names, states)
def test_presence_is_read_as_it_was_written(name, shown):
    assert codec.read(codec.text(name) + codec.awareness(shown), named=True) == (name, AwarenessUpdate(tuple(shown)))


@given(some.dictionaries(some.integers(0, 2**32), some.integers(0, 2**31 - 1), max_size=5))
def test_state_vectors_are_read_as_they_were_written(clocks):
    vector = uint(len(clocks)) + b"".join(uint(one) + uint(clocks[one]) for one in clocks)
    assert codec.read_vector(vector) == clocks
    assert codec.read(codec.step1(vector), named=False) == ("", Step1(vector))


@settings(max_examples=examples(200))
@given(some.binary(max_size=60), some.booleans())
def test_any_bytes_are_a_message_or_malformed(frame, named):
    read = codec.read(frame, named=named)
    assert isinstance(read, Malformed | tuple)


@settings(max_examples=examples(200))
@given(names, some.binary(max_size=60), some.integers(0, 100))
def test_a_frame_that_was_cut_or_goes_on_is_malformed(name, content, at):
    whole = codec.text(name) + codec.update(content)
    assert isinstance(codec.read(whole[: min(at, len(whole) - 1)], named=True), Malformed | tuple)
    assert isinstance(codec.read(whole + b"\0", named=True), Malformed)


# As @hocuspocus/provider and y-websocket write them.
WRITTEN = {
    "token with a version": (b"\x03doc\x02\x00\x03abc\x054.8.0", ("doc", Token("abc"))),
    "token of a provider 2.x": (b"\x03doc\x02\x00\x03abc", ("doc", Token("abc"))),
    "empty step 1": (b"\x03doc\x00\x00\x01\x00", ("doc", Step1(b"\0"))),
    "empty step 2": (b"\x03doc\x00\x01\x02\x00\x00", ("doc", Step2(b"\0\0"))),
    "query": (b"\x03doc\x03", ("doc", QueryAwareness())),
    "stateless": (b"\x03doc\x05\x02hi", ("doc", Stateless("hi"))),
    "leave": (b"\x03doc\x07", ("doc", Leave())),
    "ping": (b"\x09", ("", Ping())),
    "a session of the client's own": (b"\x05doc\x00s\x03", ("doc\0s", QueryAwareness())),
}


@pytest.mark.parametrize(("frame", "said"), WRITTEN.values(), ids=WRITTEN)
def test_what_providers_write_is_understood(frame, said):
    assert codec.read(frame, named=True) == said


WRONG = {
    "nothing": b"",
    "a broadcast, which only servers send": b"\x03doc\x06\x02hi",
    "an acknowledgement, which only servers send": b"\x03doc\x08\x01",
    "a fourth step": b"\x03doc\x00\x03\x00",
    "a name that is no UTF-8": b"\x02\xff\xfe\x03",
    "a vector with a huge claim": b"\x03doc\x00\x00\x04\xff\xff\xff\x07",
    "presence with a huge claim": b"\x03doc\x01\x04\xff\xff\xff\x07",
    "an answer of a server to a token": b"\x03doc\x02\x02\x0aread-write",
}


@pytest.mark.parametrize("frame", WRONG.values(), ids=WRONG)
def test_what_no_client_says_is_malformed(frame):
    assert isinstance(codec.read(frame, named=True), Malformed)


def test_a_vector_with_a_clock_out_of_range_is_refused():
    with pytest.raises(Hostile):
        codec.read_vector(b"\x01\x01" + uint(2**31))


def test_what_the_server_says_is_as_the_providers_read_it():
    assert codec.authenticated(may_edit=True) == b"\x02\x02\x0aread-write"
    assert codec.authenticated(may_edit=False) == b"\x02\x02\x08readonly"
    assert codec.encode_denied("NO") == b"\x02\x01\x02NO"
    assert codec.sync_status(applied=True) == b"\x08\x01"
    assert codec.sync_status(applied=False) == b"\x08\x00"
    assert codec.NO_PRESENCE == b"\x01\x01\x00"
