"""Is a connection ended whose peer reads nothing, and no other?"""

import asyncio
import socket

import pytest

from service.http_server import EnvelopeProtocol
from service.write_deadline import BoundedWebSocket, WriteDeadline
from tests.support.processes.asgi_server import serving_asgi
from tests.support.processes.servers import PATIENCE

LONG = 64 << 20  # bytes: far more than the system itself takes for a peer that does not read
LONG_TEXT = {"type": "websocket.send", "text": "x" * LONG}
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Transport:
    def __init__(self) -> None:
        self.waiting = 0
        self.aborted = False

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def abort(self) -> None:
        self.aborted = True


class Timers:
    """A loop of timers that go off when a test says so."""

    def __init__(self) -> None:
        self.set = {}

    def call_later(self, seconds, act):
        timer = Timer(self, act)
        self.set[timer] = seconds
        return timer

    def go_off(self) -> None:
        (timer,) = self.set
        timer.cancel()
        timer.act()


class Timer:
    def __init__(self, timers, act) -> None:
        self.timers, self.act = timers, act

    def cancel(self) -> None:
        del self.timers.set[self]


class Flow:
    def pause_writing(self) -> None:
        pass

    def resume_writing(self) -> None:
        pass


class Protocol(WriteDeadline, Flow):
    def __init__(self) -> None:
        self.loop = Timers()
        self.transport = Transport()


@pytest.fixture
def paused() -> Protocol:
    made = Protocol()
    made.transport.waiting = 100
    made.pause_writing()
    return made


def test_a_peer_that_takes_nothing_in_time_is_hung_up_on(paused):
    assert [*paused.loop.set.values()] == [30.0]
    paused.loop.go_off()
    assert paused.transport.aborted


def test_a_peer_that_takes_something_each_time_is_waited_for(paused):
    for left in range(99, 0, -1):
        paused.transport.waiting = left
        paused.loop.go_off()
    assert not paused.transport.aborted
    paused.loop.go_off()
    assert paused.transport.aborted


def test_a_peer_that_has_read_on_is_watched_no_more(paused):
    paused.transport.waiting = 10
    paused.resume_writing()
    assert paused.loop.set == {}


def test_a_connection_with_nothing_to_send_is_not_watched():
    made = Protocol()
    made.watch_unread()
    assert made.loop.set == {}


async def application(scope, receive, send):
    """Answer with more than any peer takes that does not read."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        SENDING.set()
        await send(LONG_TEXT)
        SENT.set()
        return
    length = str(LONG).encode()
    close = [(b"connection", b"close")] if scope["path"] == "/close" else []
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length), *close]})
    await send({"type": "http.response.body", "body": b"x" * LONG})


SENDING, SENT = asyncio.Event(), asyncio.Event()


def serving(http, ws):
    SENDING.clear()
    SENT.clear()
    return serving_asgi(application, http=http, ws=ws)


def hasty(protocol, lost):
    """The protocol without patience; `lost` is set when it has lost a connection."""

    class Hasty(protocol):
        unread_seconds = 0.1

        def connection_lost(self, exc):
            super().connection_lost(exc)
            lost.set()

    return Hasty


@pytest.mark.parametrize(
    "asked", [b"GET / HTTP/1.1\r\nhost: a\r\n\r\n", b"GET /close HTTP/1.1\r\nhost: a\r\n\r\n", HANDSHAKE]
)
async def test_over_real_connections_whoever_reads_nothing_is_hung_up_on(asked):
    lost = asyncio.Event()
    http = EnvelopeProtocol if asked is HANDSHAKE else hasty(EnvelopeProtocol, lost)
    async with serving(http, hasty(BoundedWebSocket, lost)) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(asked)
            async with asyncio.timeout(PATIENCE):
                await lost.wait()


async def test_a_message_counts_as_sent_when_it_was_read():
    async with serving(EnvelopeProtocol, BoundedWebSocket) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        await SENDING.wait()
        assert not SENT.is_set()
        await reader.readexactly(LONG)
        await SENT.wait()
        writer.close()
        await writer.wait_closed()


async def test_what_waits_to_be_sent_while_another_closes_meets_a_connection_that_has_gone():
    raised = asyncio.get_running_loop().create_future()

    async def application(_scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        sent = [asyncio.ensure_future(send(each)) for each in (LONG_TEXT, {"type": "websocket.close"}, LONG_TEXT)]
        SENDING.set()
        raised.set_result(await asyncio.gather(*sent, return_exceptions=True))

    SENDING.clear()
    async with serving_asgi(application, http=EnvelopeProtocol, ws=BoundedWebSocket) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        await SENDING.wait()
        await reader.readexactly(LONG)
        *sent, late = await raised
        assert sent == [None, None]
        assert isinstance(late, OSError)
        writer.close()
        await writer.wait_closed()
