"""Which answers are compressed, for which clients, and does everything else leave as it was?"""

import gzip as stdlib

import pytest

from edge import compression
from edge.compression import MAX_ON_LOOP, MIN_SIZE, accepts
from edge.in_flight import InFlight
from edge.responses import Outgoing

LONG = b'{"name": "' + b"a" * MIN_SIZE + b'"}'
JSON = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]


async def sent(parts, headers, *, wanted=True, whole=True):
    """Return the headers and the body of what leaves of an answer in these parts."""
    told = []

    async def send(message):
        told.append(message)

    length = [(b"content-length", b"%d" % sum(map(len, parts)))] if whole else []
    answer = Outgoing(send, InFlight(None), [(b"accept-encoding", b"gzip")] if wanted else [])
    await answer({"type": "http.response.start", "status": 200, "headers": [*headers, *length]})
    for left, part in enumerate(reversed(parts), 1 - len(parts)):
        await answer({"type": "http.response.body", "body": part, "more_body": left < 0})
    assert [each["type"] for each in told] == ["http.response.start", *["http.response.body"] * len(parts)]
    return dict(told[0]["headers"]), b"".join(each["body"] for each in told[1:])


@pytest.mark.parametrize("size", [MIN_SIZE + 1, MAX_ON_LOOP, MAX_ON_LOOP + 1, 20 * MAX_ON_LOOP])
async def test_long_json_is_compressed_and_read_as_it_was(size):
    body = b"[" + b"1," * (size // 2) + b"1]"
    headers, packed = await sent([body], JSON)
    assert stdlib.decompress(packed) == body
    assert headers[b"content-encoding"] == b"gzip"
    assert headers[b"content-length"] == b"%d" % len(packed)
    assert headers[b"vary"] == b"accept-encoding"
    assert headers[b"cache-control"] == b"no-store"


async def test_only_long_bodies_leave_the_event_loop(monkeypatch):
    threads = []

    async def in_thread(body):
        threads.append(len(body))
        return compression.gzip(body)

    monkeypatch.setattr(compression, "_in_thread", in_thread)
    for size in (MAX_ON_LOOP, MAX_ON_LOOP + 1):
        await sent([b"1" * size], JSON)
    assert threads == [MAX_ON_LOOP + 1]


async def test_a_client_that_does_not_take_gzip_gets_it_as_it_is_and_caches_are_told():
    headers, body = await sent([LONG], [*JSON, (b"vary", b"x-api-key")], wanted=False)
    assert body == LONG
    assert headers[b"vary"] == b"x-api-key, accept-encoding"
    assert b"content-encoding" not in headers


UNTOUCHED = {
    "short": ([b"1" * MIN_SIZE], JSON),
    "a page": ([LONG], [(b"content-type", b"text/html; charset=utf-8")]),
    "Markdown": ([LONG], [(b"content-type", b"text/markdown")]),
    "an image": ([LONG], [(b"content-type", b"image/png")]),
    "encoded already": ([LONG], [*JSON, (b"content-encoding", b"br")]),
    "without a type": ([LONG], []),
}


@pytest.mark.parametrize("what", UNTOUCHED)
async def test_nothing_else_is_touched(what):
    parts, headers = UNTOUCHED[what]
    found, body = await sent(parts, headers)
    assert body == b"".join(parts)
    assert found == {**dict(headers), b"content-length": b"%d" % len(body)}


async def test_what_comes_in_parts_goes_in_parts():
    headers, body = await sent([LONG, LONG], JSON)
    assert body == LONG * 2
    assert b"content-encoding" not in headers
    assert (await sent([LONG], JSON, whole=False))[1] == LONG


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("deflate, gzip;q=1.0, *;q=0.5", True),
        ("br;q=1, gzip; q=0.1", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("*;q=0", False),
        ("identity", False),
        ("xgzip", False),
        ("gzip;q=x", False),
        ("", False),
    ],
)
def test_accept_encoding_is_read_as_http_has_it(given, taken):
    assert accepts(b"gzip", [(b"accept-encoding", given.encode())]) is taken


def test_several_lines_count_as_one():
    assert accepts(b"gzip", [(b"accept-encoding", b"br"), (b"accept-encoding", b"gzip")])
    assert not accepts(b"gzip", [])
