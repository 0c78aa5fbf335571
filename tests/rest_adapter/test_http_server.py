"""What a connection says when no application was reached: envelopes too, and never for ever."""

import asyncio
import contextlib
import json

import pytest

from service.http_server import EnvelopeProtocol, Patience
from tests.support.processes.asgi_server import serving_asgi
from tests.support.processes.servers import LONG_PATIENCE, PATIENCE


async def application(scope, receive, send):
    """Answer with the method, the length of the body and what headers named `a` hold; some paths misbehave."""
    if scope["path"] == "/fault":
        raise RuntimeError
    if scope["path"] == "/slow":
        ARRIVED.set()
        await HELD.wait()
    if scope["path"] != "/early":
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body, more = body + message["body"], message["more_body"]
    else:
        body = b""
    named = [value for name, value in scope["headers"] if name == b"a"]
    said = b" ".join([f"{scope['method']} {len(body)}".encode(), *named])
    headers = [(b"content-length", str(len(said)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": said})


ARRIVED, HELD = asyncio.Event(), asyncio.Event()


class Hasty(EnvelopeProtocol):
    """Gives up soon; on a slow host a whole request may be given up, too, so what it should answer is asked again."""

    patience = Patience(head_seconds=0.2, body_seconds=0.2, body_bytes_a_second=1 << 30)


class Calm(EnvelopeProtocol):
    """Never gives up for the time that something takes."""

    patience = Patience(head_seconds=LONG_PATIENCE, body_seconds=LONG_PATIENCE, ignored_bytes=1 << 20)


@contextlib.asynccontextmanager
async def serving(protocol=EnvelopeProtocol, **options):
    ARRIVED.clear()
    HELD.clear()
    async with serving_asgi(application, http=protocol, ws="websockets-sansio", **options) as port:
        try:
            yield port
        finally:
            HELD.set()


async def say(port, *parts, until_closed=True):
    """Send the parts, each when the server has had time to read the one before it; return all it answers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
        with contextlib.suppress(ConnectionError):
            await writer.drain()
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.read() if until_closed else await reader.readuntil(b"\r\n\r\n")
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


def envelope(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert headers["content-type"] == "application/json"
    assert headers["connection"] == "close"
    assert headers["x-request-id"]
    assert int(headers["content-length"]) == len(body)
    assert set(json.loads(body)) == {"code", "message"}
    return int(status.split()[1]), json.loads(body)["code"]


MALFORMED = {
    "no HTTP": b"hello\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "space in a name": b"GET / HTTP/1.1\r\nhost : a\r\n\r\n",
    "NUL in a value": b"GET / HTTP/1.1\r\nhost: a\0b\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
    "length and chunks": b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "negative length": b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
    "bad chunk": b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
    "path beyond ASCII": b"GET /\xff HTTP/1.1\r\nhost: a\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
    "two hosts of 1.0": b"GET / HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n",
    "no method": b" / HTTP/1.1\r\nhost: a\r\n\r\n",
}


async def test_what_is_no_http_is_answered_in_the_envelope():
    async with serving() as port:
        for what, sent in MALFORMED.items():
            assert envelope(await say(port, sent)) == (400, "BAD_REQUEST"), what


@pytest.mark.parametrize("method", [b"FROB", b"get", b"A-Z"])
async def test_a_method_that_nothing_knows_is_405(method):
    async with serving() as port:
        answer = await say(port, method + b" / HTTP/1.1\r\nhost: a\r\n\r\n")
        assert envelope(answer) == (405, "METHOD_NOT_SUPPORTED")
        assert b"\r\nallow: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT\r\n" in answer


async def test_what_is_http_is_answered_as_ever():
    async with serving() as port:
        close = b"host: a\r\nconnection: close\r\n\r\n"
        assert (await say(port, b"GET / HTTP/1.1\r\n" + close)).endswith(b"GET 0")
        assert (await say(port, b"GET / HTTP/1.0\r\n\r\n")).endswith(b"GET 0")
        assert (await say(port, b"POST / HTTP/1.1\r\ncontent-length: 2\r\n" + close + b"ab")).endswith(b"POST 2")
        twice = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n" + b"PUT / HTTP/1.1\r\n" + close
        assert (await say(port, twice)).count(b"HTTP/1.1 200 OK") == 2


@pytest.mark.parametrize("around", [b"", b" ", b"\t", b" \t  "])
async def test_white_space_around_a_value_is_no_part_of_it(around):
    async with serving() as port:
        head = b"GET / HTTP/1.1\r\nhost: b\r\nconnection: close\r\na:" + around + b"one two" + around + b"\r\n\r\n"
        assert (await say(port, head)).endswith(b"\r\n\r\nGET 0 one two")


async def test_rubbish_after_a_whole_request_does_not_speak_before_its_answer():
    async with serving() as port:
        answer = await say(port, b"GET / HTTP/1.1\r\nhost: a\r\n\r\n\0\0\0\0")
        assert answer.startswith(b"HTTP/1.1 200 OK")
        assert answer.endswith(b"GET 0")


async def test_too_many_at_once_are_told_to_come_back_in_the_envelope():
    async with serving(limit_concurrency=3) as port:
        slow = asyncio.create_task(say(port, b"GET /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"))
        _, held = await asyncio.open_connection("127.0.0.1", port)
        answer = await say(port, b"GET / HTTP/1.1\r\nhost: a\r\n\r\n")
        assert envelope(answer) == (503, "SERVICE_UNAVAILABLE")
        assert b"retry-after: " in answer
        HELD.set()
        assert (await slow).endswith(b"GET 0")
        held.close()
        await held.wait_closed()


async def test_an_application_that_falls_over_is_500_in_the_envelope(caplog):
    async with serving() as port:
        answer = await say(port, b"GET /fault HTTP/1.1\r\nhost: a\r\n\r\n")
        assert envelope(answer) == (500, "INTERNAL_SERVER_ERROR")
    assert "RuntimeError" in caplog.text


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nhost: a\r\n",
        b"\r\n",
        b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nab",
        b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n",
    ],
)
async def test_a_request_that_does_not_arrive_is_given_up(sent):
    async with serving(Hasty) as port:
        answer = await say(port, sent)
        assert answer == b"" or envelope(answer) == (400, "BAD_REQUEST")


async def test_a_second_request_that_does_not_arrive_is_given_up_too():
    for rest in (b"GET /", b"\r\n"):
        async with serving(Hasty, timeout_keep_alive=60) as port:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await answered_once(port)
                writer.write(rest)
                assert envelope(await reader.read()) == (400, "BAD_REQUEST")
            writer.close()
            await writer.wait_closed()


async def answered_once(port):
    """Return a connection on which one request was answered."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n")
        with contextlib.suppress(asyncio.IncompleteReadError):
            await reader.readuntil(b"GET 0")
            return reader, writer
        writer.close()


async def test_a_head_without_end_is_400_long_before_the_memory_is():
    async with serving() as port:
        answer = await say(port, b"GET / HTTP/1.1\r\n", *[b"x: " + b"y" * 10_000 + b"\r\n"] * 7)
        assert envelope(answer) == (400, "BAD_REQUEST")


async def test_an_answer_that_takes_its_time_is_waited_for():
    async with serving(Hasty) as port:
        asking = await asked_slowly(port)
        await say(port, b"")  # as long as a connection's patience
        await say(port, b"")
        HELD.set()
        assert (await asking).endswith(b"GET 0")


async def asked_slowly(port):
    """Return the task of a request that the application has and does not answer yet."""
    while True:
        asking = asyncio.create_task(say(port, b"GET /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"))
        arriving = asyncio.create_task(ARRIVED.wait())
        await asyncio.wait((asking, arriving), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if ARRIVED.is_set():
            return asking
        arriving.cancel()


async def test_the_rest_of_a_body_that_was_answered_early_is_read_but_not_for_ever():
    async with serving(Calm) as port:
        head = b"POST /early HTTP/1.1\r\nhost: a\r\ncontent-length: %d\r\n\r\n"
        small = await say(port, head % 100_000, b"a" * 100_000, b"GET / HTTP/1.0\r\n\r\n")
        assert small.count(b"HTTP/1.1 200 OK") == 2
        with contextlib.suppress(ConnectionError):
            assert (await say(port, head % (1 << 30), *[b"a" * (1 << 16)] * 64)).count(b"HTTP/1.1 200 OK") == 1


async def test_the_rest_of_a_body_that_does_not_arrive_is_given_up_after_the_answer():
    async with serving(Hasty) as port:
        head = b"POST /early HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n"
        assert (await say(port, head, b"a")).count(b"HTTP/1.1 200 OK") <= 1


async def test_a_body_that_nobody_read_goes_with_its_connection():
    ended = asyncio.Queue()

    class Told(EnvelopeProtocol):
        def connection_lost(self, exc):
            super().connection_lost(exc)
            ended.put_nowait(self)

    async with serving(Told) as port:
        answer = await say(
            port,
            b"POST /early HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 50000\r\n\r\n",
            bytes(50_000),
        )
        assert answer.endswith(b"POST 0")
        async with asyncio.timeout(PATIENCE):
            protocol = await ended.get()
    # the protocol and the request name one another: both stay until the garbage is collected
    assert len(protocol.cycle.body) == 0
