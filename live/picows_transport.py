"""WebSockets on picows: joins frames to messages, and writes once for each connection and tick.

`protocol_factory` makes the protocol of a connection whose first bytes are a handshake; `service` hands those connections over
from the port that everything else is served on.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final, cast, override

import structlog
from picows import (
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)

from live.client_connection import ClientConnection
from live.connection_registry import ConnectionRegistry
from live.flow_control import TokenBucket
from live.handshake import Authorize, Handshake, HandshakeRejected
from live.picows_internals import picows_factory
from live.protocol import MAX_FIRST_SYNC, MAX_UNIDENTIFIED, CloseCode
from live.tick import Tick

MAX_UNREAD: Final = 4 * 1024 * 1024  # bytes that a client may leave unread, apart from one whole document
FLUSH_CHECK_BYTES: Final = 64 * 1024  # bytes written between two checks whether the client reads
CLOSING_SECONDS: Final = 5.0  # seconds in which a client may still read after a close
MAX_AFTER_CLOSE: Final = 1024 * 1024  # bytes that a client may still send meanwhile
MAX_SMALL: Final = MAX_UNIDENTIFIED  # bytes of a message that need not be counted before it is whole
MAX_FRAMES: Final = 4096  # frames of one message
_BINARY: Final = WSMsgType.BINARY
_log: Final = structlog.get_logger("live")


class MessageBatch:
    """The messages of all WebSockets in one tick.

    They are processed together once all were read, since between one read and the next the processor's caches have gone
    cold; and each WebSocket is written to once.
    """

    def __init__(self, tick: Tick) -> None:
        self._tick = tick
        self._received: list[tuple[PicowsSocket, bytes]] = []
        self._unflushed: list[PicowsSocket] = []

    def received(self, socket: "PicowsSocket", message: bytes) -> None:
        if not self._received:
            asyncio.get_running_loop().call_soon(self.process)
        self._received.append((socket, message))

    def process(self) -> None:
        received, self._received = self._received, []
        now = asyncio.get_running_loop().time()
        with self._tick:
            for socket, message in received:
                socket.received_at = now
                socket.process(message)

    def needs_flush(self, socket: "PicowsSocket") -> None:
        """Flush the socket at the end of the tick."""
        if not self._unflushed:
            self._tick.defer(self._write)
        self._unflushed.append(socket)

    def _write(self) -> None:
        unflushed, self._unflushed = self._unflushed, []
        now = asyncio.get_running_loop().time()
        for socket in unflushed:
            socket.flush()
            socket.sent_at = now


def _head(kind: int, size: int) -> bytes:
    if size < 126:
        return bytes((kind, size))
    return bytes((kind, 126)) + size.to_bytes(2) if size < 65536 else bytes((kind, 127)) + size.to_bytes(8)


_SHORT: Final = [_head(0x82, size) for size in range(126)]


class PicowsSocket(WSListener):
    __slots__ = (  # fewer places in memory to look at for each socket that is written to
        "_allowance",
        "_allowed_behind",
        "_answering",
        "_answers",
        "_batch",
        "_bounds",
        "_bytes_after_close",
        "_closed",
        "_connection",
        "_fragments",
        "_handshake",
        "_identifying",
        "_loop",
        "_out",
        "_pauses",
        "_registry",
        "_socket_transport",
        "_transport",
        "_unchecked",
        "_unread",
        "_whole_unread",
        "received_at",
        "sent_at",
    )

    def __init__(
        self, registry: ConnectionRegistry, handshake: Handshake, bounds: "BoundedProtocol", batch: MessageBatch
    ) -> None:
        super().__init__()
        self._registry = registry
        self._handshake = handshake
        self._bounds = bounds
        self._batch = batch
        self._answers: deque[Callable[[], bool]] = deque()  # that wait until a whole document is read
        self._answering = False
        self._whole_unread = False  # a whole document was sent and is not read
        self._unread = False
        self._out: list[bytes] = []
        self._allowed_behind = MAX_UNREAD
        self._unchecked = 0
        self._bytes_after_close = 0
        self._fragments: list[bytes] = []
        self._closed = False
        self._pauses = 0
        self._identifying: asyncio.Task[None] | None = None

    # Called by picows

    @override
    def on_ws_connected(self, transport: WSTransport) -> None:
        loop = asyncio.get_running_loop()
        self._transport = transport
        self._socket_transport = transport.underlying_transport
        self._loop = loop
        self.received_at = self.sent_at = loop.time()
        self._allowance = TokenBucket(loop.time()) if self._handshake.limited else None
        self._bounds.connections.add(self)
        self._connection = ClientConnection(self._registry, self, self._handshake.path_document, loop.time())
        self._bounds.begin(self)
        if self._handshake.limited and not self._registry.unidentified.add(self._connection, self._handshake.address):
            self.close(CloseCode.RESET)
        else:
            self._identifying = loop.create_task(self._identify())

    @override
    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self._closed:
            self._after_close(frame)
            return
        if self._allowance and not self._within_allowance(self._allowance, frame.payload_size):
            return
        bounds = self._bounds
        if bounds.identified:
            if bounds.unfinished > MAX_SMALL:
                self._connection.arriving(0)
            bounds.unfinished = 0
        kind = frame.msg_type
        if kind == _BINARY and frame.fin and not (self._fragments or frame.rsv1 or frame.rsv2 or frame.rsv3):
            self._batch.received(self, frame.get_payload_as_bytes())
        else:
            self._batch.process()
            self.received_at = self._loop.time()
            self._other_frame(kind, frame)

    def _other_frame(self, kind: WSMsgType, frame: WSFrame) -> None:
        if kind in (_BINARY, WSMsgType.CONTINUATION):
            self._fragment(frame, begun=kind == _BINARY)
        elif kind == WSMsgType.CLOSE:
            self._close(int(frame.get_close_code()), asked=True)  # type: ignore[call-overload]
        elif kind == WSMsgType.TEXT:
            self.close(CloseCode.UNSUPPORTED)
        elif kind == WSMsgType.PING:  # here and not by picows, so that answers that nobody reads are counted
            payload = frame.get_payload_as_bytes()
            self.write((_head(0x8A, len(payload)), payload))

    @override
    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._batch.process()
        self._closed = True
        self._out.clear()
        self._bounds.connections.discard(self)
        if self._identifying:
            self._identifying.cancel()
        self._connection.lost()

    @override
    def pause_writing(self) -> None:
        self._unread = True

    @override
    def resume_writing(self) -> None:
        self._unread = False
        if self._whole_unread and not self._out:
            self._whole_was_read()

    def shutdown(self) -> None:
        """Close: uvicorn calls this on all its connections when it stops."""
        self.close(CloseCode.RESET)

    async def _identify(self) -> None:
        try:
            caller = await self._handshake.identify()
        except Exception as error:  # noqa: BLE001 - the client comes back when we can look again
            _log.warning("a connection could not be identified", error=repr(error))
            self.close(CloseCode.RESET)
            return
        if isinstance(caller, bool):
            self.close(CloseCode.UNAUTHORIZED)
        else:
            self._connection.identified(caller)

    def _close(self, code: int, reason: str = "", *, asked: bool = False) -> None:
        """Close with the code (0: the client sent none, so 1000 answers it); `asked`: the client closed first."""
        if self._closed:
            return
        self.flush()
        if not self._closed:
            self._send_close(code if code >= CloseCode.NORMAL else 1000, reason)
        if asked:
            self._transport.disconnect()
        self._connection.lost()

    def _send_close(self, code: int, reason: str) -> None:
        """Send the close frame, and read on until the client has gone or sent its own.

        To close a connection with something unread in it is to reset it, and a client that is writing then never reads
        why it was closed.
        """
        self._closed = True
        self._transport.send_close(cast("Any", code), reason.encode())
        if not self._socket_transport.is_closing():
            self._socket_transport.write_eof()
            self._socket_transport.resume_reading()
        self._loop.call_later(CLOSING_SECONDS, self._socket_transport.abort)

    def _after_close(self, frame: WSFrame) -> None:
        self._bytes_after_close += frame.payload_size
        if frame.msg_type == WSMsgType.CLOSE or self._bytes_after_close > MAX_AFTER_CLOSE:
            self._transport.disconnect()

    def _within_allowance(self, allowance: TokenBucket, size: int) -> bool:
        wait = allowance.spend(size, self._loop.time())
        if wait is None:
            self.close(CloseCode.RESET)
        elif wait:
            self.pause(reading=False)
            self._loop.call_later(wait, lambda: self.pause(reading=True))
        return wait is not None

    def _fragment(self, frame: WSFrame, *, begun: bool) -> None:
        """Join the frames of a message; picows hands them over one by one."""
        if begun == bool(self._fragments) or frame.rsv1 or frame.rsv2 or frame.rsv3:
            self.close(CloseCode.UNSUPPORTED)
            return
        self._fragments.append(frame.get_payload_as_bytes())
        size = sum(map(len, self._fragments))
        if len(self._fragments) > MAX_FRAMES or size > MAX_FIRST_SYNC:
            self.close(CloseCode.TOO_BIG)
        elif frame.fin:
            message, self._fragments = b"".join(self._fragments), []
            self._connection.arriving(0)
            self.process(message)
        elif self._bounds.identified:
            self._connection.arriving(size)

    def unfinished(self, size: int) -> None:
        """Bound what has arrived of a frame; picows keeps it until it is whole."""
        size += sum(map(len, self._fragments))
        if size > MAX_FIRST_SYNC:
            self.close(CloseCode.TOO_BIG)
        elif not self._closed:
            self._connection.arriving(size)

    def process(self, message: bytes) -> None:
        if self._closed:
            return
        try:
            self._connection.received(message)
        except Exception:  # noqa: BLE001 - a fault of ours costs this connection and nothing else
            _log.exception("a message could not be answered")
            self.close(CloseCode.RESET)

    # Called by the connection

    @staticmethod
    def frame(message: bytes) -> bytes:
        size = len(message)
        return (_SHORT[size] if size < 126 else _head(0x82, size)) + message

    def write(self, frames: Iterable[bytes]) -> None:
        if self._closed:
            return
        if not self._out:
            self._batch.needs_flush(self)
        self._out += frames

    def send(self, message: bytes, *, whole: bool = False) -> None:
        self.write((self.frame(message),))
        if whole:
            self._whole_unread = True
            self._allowed_behind = MAX_UNREAD + len(message)

    def when_read(self, answer: Callable[[], bool]) -> None:
        self._answers.append(answer)
        self._answer()

    def _answer(self) -> None:
        while self._answers and not self._answering and not self._closed:
            self._answering = True
            self._answering = self._answers.popleft()()
        if not self._answering:
            self._connection.answered()

    def _whole_was_read(self) -> None:
        self._whole_unread = self._answering = False
        self._allowed_behind = MAX_UNREAD
        self._loop.call_soon(self._answer)

    def flush(self) -> None:
        out, self._out = self._out, []
        if self._closed or not out:
            return
        frames = b"".join(out)
        self._socket_transport.write(frames)
        self._unchecked += len(frames)
        if self._whole_unread and not self._unread:
            self._whole_was_read()
        if self._unchecked > FLUSH_CHECK_BYTES:
            self._unchecked = 0
            if self._socket_transport.get_write_buffer_size() > self._allowed_behind:
                self._send_close(CloseCode.RESET, CloseCode.RESET.reason)
                self._connection.lost()

    def close(self, code: CloseCode) -> None:
        self._close(int(code), code.reason)

    def identified(self) -> None:
        self._bounds.lift()

    def ping(self) -> None:
        if not self._closed:
            self._transport.send_ping()

    def pause(self, *, reading: bool) -> None:
        self._pauses += -1 if reading else 1
        if self._closed or self._socket_transport.is_closing():
            return
        if reading and not self._pauses:
            self._socket_transport.resume_reading()
        elif not reading and self._pauses == 1:
            self._socket_transport.pause_reading()


class BoundedProtocol(asyncio.BufferedProtocol):
    """picows' protocol, within bounds: picows keeps a frame until it is whole, so what has come of one is counted here.

    Of a client that has not shown who it is all is counted together. `connections` are those of the server that handed this
    one over, `peer` is the address at the other end.
    """

    def __init__(self, inner: Any, connections: set[Any], peer: str) -> None:
        self.connections = connections
        self.peer = peer
        self.identified = False
        self.unfinished = 0  # bytes since the last frame, or since the handshake where the client is not identified
        self._inner = inner
        self._socket: PicowsSocket | None = None

    @override
    def get_buffer(self, sizehint: int) -> Any:
        return self._inner.get_buffer(sizehint)

    @override
    def eof_received(self) -> bool | None:
        return cast("bool | None", self._inner.eof_received())

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._inner.connection_lost(exc)

    @override
    def pause_writing(self) -> None:
        self._inner.pause_writing()

    @override
    def resume_writing(self) -> None:
        self._inner.resume_writing()

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._inner.connection_made(transport)

    def begin(self, socket: PicowsSocket) -> None:
        """Count from here on: the handshake is over."""
        self._socket = socket
        self.unfinished = 0

    def lift(self) -> None:
        self.identified = True
        self.unfinished = 0

    @override
    def buffer_updated(self, nbytes: int) -> None:
        self.unfinished += nbytes
        self._inner.buffer_updated(nbytes)
        if self.unfinished > MAX_SMALL and self._socket:
            if self.identified:
                self._socket.unfinished(self.unfinished)
            else:
                self._socket.close(CloseCode.TOO_BIG)


async def protocol_factory(
    registry: ConnectionRegistry, authorize: Authorize
) -> Callable[[set[Any], str], asyncio.BufferedProtocol]:
    """Return a function that makes the protocol of a connection, given the server's connections and the peer's address."""
    logging.getLogger("picows").setLevel(logging.CRITICAL)  # it logs errors that clients made
    batch = MessageBatch(registry.rooms.tick)
    begins: list[BoundedProtocol] = []  # the connection whose handshake is being read

    def route(request: WSUpgradeRequest) -> WSUpgradeResponseWithListener:
        try:
            headers = [
                (name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
                for name, value in request.headers.items()
            ]
            answer = authorize(request.path, headers, begins[-1].peer)
        except Exception:  # noqa: BLE001 - picows would tell the client what it was
            _log.exception("a handshake could not be answered")
            answer = HandshakeRejected(500, b"", {})
        if isinstance(answer, HandshakeRejected):
            refused = WSUpgradeResponse.create_error_response(answer.status, answer.body, answer.headers)
            return WSUpgradeResponseWithListener(refused, None)
        listener = PicowsSocket(registry, answer, begins[-1], batch)
        return WSUpgradeResponseWithListener(WSUpgradeResponse.create_101_response(), listener)

    make = await picows_factory(route)

    def begun(handing_over: set[Any], peer: str) -> asyncio.BufferedProtocol:
        begins[:] = [BoundedProtocol(make(), handing_over, peer)]
        return begins[-1]

    return begun
