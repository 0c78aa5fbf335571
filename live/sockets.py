"""How WebSockets run on picows: frames into whole messages, one write for each connection and turn of the loop.

`engine` makes what turns a connection with a handshake in its bytes into a running socket; `service` hands those over
from the port that everything else is served on.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final, cast, override

import structlog
from picows import (
    WSAutoPingStrategy,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
    ws_create_server,
)

from live.allowance import Allowance
from live.connection import Connection
from live.hall import Hall
from live.handshake import Arrival, Door, Refusal
from live.protocol import LARGEST_FIRST_SYNC, MAX_UNIDENTIFIED_MESSAGE, CloseCode
from live.turn import Turn

SLOW_READER: Final = 4 * 1024 * 1024  # bytes that may wait for a client, one document as such apart
UNLOOKED: Final = 64 * 1024  # bytes that are said before it is looked at whether the client reads
LAST_WORDS: Final = 5.0  # seconds in which a client may still fetch what was said to it
LATE: Final = 1024 * 1024  # bytes that a client may still say meanwhile
MOST_PARTS: Final = 4096  # frames of one message
_BINARY: Final = WSMsgType.BINARY
_log: Final = structlog.get_logger("live")

type Factory = Callable[[], asyncio.BufferedProtocol]


class Turns:
    """What all sockets hear and say in one turn of the loop.

    Messages are looked at together once all were read, since between one read and the next everything that looks at them
    has gone cold; and each socket is written to once.
    """

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._heard: list[tuple[Socket, bytes]] = []
        self._full: list[Socket] = []

    def heard(self, socket: "Socket", message: bytes) -> None:
        if not self._heard:
            asyncio.get_running_loop().call_soon(self.look)
        self._heard.append((socket, message))

    def look(self) -> None:
        heard, self._heard = self._heard, []
        now = asyncio.get_running_loop().time()
        with self._turn:
            for socket, message in heard:
                socket.heard_at = now
                socket.look(message)

    def filled(self, socket: "Socket") -> None:
        """The socket has something to write."""
        if not self._full:
            self._turn.at_end(self._write)
        self._full.append(socket)

    def _write(self) -> None:
        full, self._full = self._full, []
        now = asyncio.get_running_loop().time()
        for socket in full:
            socket.flush()
            socket.said_at = now


def _head(kind: int, size: int) -> bytes:
    if size < 126:
        return bytes((kind, size))
    return bytes((kind, 126)) + size.to_bytes(2) if size < 65536 else bytes((kind, 127)) + size.to_bytes(8)


_SHORT: Final = [_head(0x82, size) for size in range(126)]


class Socket(WSListener):
    __slots__ = (  # fewer places in memory to look at for each socket that something is said to
        "_allowance",
        "_allowed_behind",
        "_answering",
        "_answers",
        "_arrival",
        "_bounds",
        "_closed",
        "_connection",
        "_hall",
        "_identifying",
        "_late",
        "_loop",
        "_out",
        "_parts",
        "_pauses",
        "_transport",
        "_turns",
        "_under",
        "_unlooked",
        "_unread",
        "_whole",
        "heard_at",
        "said_at",
    )

    def __init__(self, hall: Hall, arrival: Arrival, bounds: "Bounded", turns: Turns) -> None:
        super().__init__()
        self._hall = hall
        self._arrival = arrival
        self._bounds = bounds
        self._turns = turns
        self._answers: deque[Callable[[], bool]] = deque()  # that wait until what was sent whole is read
        self._answering = False
        self._whole = False  # something was sent whole and is not read
        self._unread = False
        self._out: list[bytes] = []
        self._allowed_behind = SLOW_READER
        self._unlooked = 0
        self._late = 0
        self._parts: list[bytes] = []
        self._closed = False
        self._pauses = 0
        self._identifying: asyncio.Task[None] | None = None

    # picows' side

    @override
    def on_ws_connected(self, transport: WSTransport) -> None:
        loop = asyncio.get_running_loop()
        self._transport = transport
        self._under = transport.underlying_transport
        self._loop = loop
        self.heard_at = self.said_at = loop.time()
        self._allowance = Allowance(loop.time()) if self._arrival.limited else None
        self._bounds.connections.add(self)
        self._connection = Connection(self._hall, self, self._arrival.path_document, loop.time())
        self._bounds.begin(self)
        if self._arrival.limited and not self._hall.unidentified.add(self._connection, self._arrival.address):
            self.close(CloseCode.RESET)
        else:
            self._identifying = loop.create_task(self._identify())

    @override
    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self._closed:
            self._too_late(frame)
            return
        if self._allowance and not self._go_on(self._allowance, frame.payload_size):
            return
        self._bounds.unfinished = 0
        kind = frame.msg_type
        if kind == _BINARY and frame.fin and not (self._parts or frame.rsv1 or frame.rsv2 or frame.rsv3):
            self._turns.heard(self, frame.get_payload_as_bytes())
        else:
            self._turns.look()
            self.heard_at = self._loop.time()
            self._rare(kind, frame)

    def _rare(self, kind: WSMsgType, frame: WSFrame) -> None:
        if kind in (_BINARY, WSMsgType.CONTINUATION):
            self._part(frame, begun=kind == _BINARY)
        elif kind == WSMsgType.CLOSE:
            self._leave(int(frame.get_close_code()), asked=True)  # type: ignore[call-overload]
        elif kind == WSMsgType.TEXT:
            self.close(CloseCode.UNSUPPORTED)
        elif kind == WSMsgType.PING:  # here and not by picows, so that answers that nobody reads are counted
            payload = frame.get_payload_as_bytes()
            self.write((_head(0x8A, len(payload)), payload))

    @override
    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._turns.look()
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
        if self._whole and not self._out:
            self._read_whole()

    def shutdown(self) -> None:
        """Uvicorn's word to its connections that it stops."""
        self.close(CloseCode.RESET)

    async def _identify(self) -> None:
        try:
            session = await self._arrival.identify()
        except Exception as error:  # noqa: BLE001 - the client comes back when we can look again
            _log.warning("a connection could not be identified", error=repr(error))
            self.close(CloseCode.RESET)
            return
        if isinstance(session, bool):
            self.close(CloseCode.UNAUTHORIZED)
        else:
            self._connection.identified(session)

    def _leave(self, code: int, reason: str = "", *, asked: bool = False) -> None:
        """Say the code, or (0: the client said none) that all is well, and go; `asked`: the client said it first."""
        if self._closed:
            return
        self.flush()
        if not self._closed:
            self._end(code if code >= CloseCode.NORMAL else 1000, reason)
        if asked:
            self._transport.disconnect()
        self._connection.lost()

    def _end(self, code: int, reason: str) -> None:
        """Say the last word, and hear on until the client has gone or said its own.

        To close a connection with something unread in it is to reset it, and a client that is writing then never reads
        why it was closed.
        """
        self._closed = True
        self._transport.send_close(cast("Any", code), reason.encode())
        if not self._under.is_closing():
            self._under.write_eof()
            self._under.resume_reading()
        self._loop.call_later(LAST_WORDS, self._under.abort)

    def _too_late(self, frame: WSFrame) -> None:
        self._late += frame.payload_size
        if frame.msg_type == WSMsgType.CLOSE or self._late > LATE:
            self._transport.disconnect()

    def _go_on(self, allowance: Allowance, size: int) -> bool:
        wait = allowance.spend(size, self._loop.time())
        if wait is None:
            self.close(CloseCode.RESET)
        elif wait:
            self.pause(reading=False)
            self._loop.call_later(wait, lambda: self.pause(reading=True))
        return wait is not None

    def _part(self, frame: WSFrame, *, begun: bool) -> None:
        """Put a message together from its frames; the engine hands them over one by one."""
        if begun == bool(self._parts) or frame.rsv1 or frame.rsv2 or frame.rsv3:
            self.close(CloseCode.UNSUPPORTED)
            return
        self._parts.append(frame.get_payload_as_bytes())
        if len(self._parts) > MOST_PARTS or sum(map(len, self._parts)) > self._bounds.largest:
            self.close(CloseCode.TOO_BIG)
        elif frame.fin:
            message, self._parts = b"".join(self._parts), []
            self.look(message)

    def look(self, message: bytes) -> None:
        if self._closed:
            return
        try:
            self._connection.received(message)
        except Exception:  # noqa: BLE001 - a fault of ours costs this connection and nothing else
            _log.exception("a message could not be answered")
            self.close(CloseCode.RESET)

    # The connection's side

    @staticmethod
    def frame(message: bytes) -> bytes:
        size = len(message)
        return (_SHORT[size] if size < 126 else _head(0x82, size)) + message

    def write(self, frames: Iterable[bytes]) -> None:
        if self._closed:
            return
        if not self._out:
            self._turns.filled(self)
        self._out += frames

    def send(self, message: bytes, *, whole: bool = False) -> None:
        self.write((self.frame(message),))
        if whole:
            self._whole = True
            self._allowed_behind = SLOW_READER + len(message)

    def in_turn(self, answer: Callable[[], bool]) -> None:
        self._answers.append(answer)
        self._answer()

    def _answer(self) -> None:
        while self._answers and not self._answering and not self._closed:
            self._answering = True
            self._answering = self._answers.popleft()()

    def _read_whole(self) -> None:
        self._whole = self._answering = False
        self._allowed_behind = SLOW_READER
        if self._answers:
            self._loop.call_soon(self._answer)

    def flush(self) -> None:
        out, self._out = self._out, []
        if self._closed or not out:
            return
        said = b"".join(out)
        self._under.write(said)
        self._unlooked += len(said)
        if self._whole and not self._unread:
            self._read_whole()
        if self._unlooked > UNLOOKED:
            self._unlooked = 0
            if self._under.get_write_buffer_size() > self._allowed_behind:
                self._end(CloseCode.RESET, CloseCode.RESET.reason)
                self._connection.lost()

    def close(self, code: CloseCode) -> None:
        self._leave(int(code), code.reason)

    def identified(self) -> None:
        self._bounds.lift()

    def ping(self) -> None:
        if not self._closed:
            self._transport.send_ping()

    def pause(self, *, reading: bool) -> None:
        self._pauses += -1 if reading else 1
        if self._closed or self._under.is_closing():
            return
        if reading and not self._pauses:
            self._under.resume_reading()
        elif not reading and self._pauses == 1:
            self._under.pause_reading()


class Bounded(asyncio.BufferedProtocol):
    """The engine's protocol, within the bounds of a client that has not shown who it is.

    The engine keeps a frame until it is whole, so what has come of one is counted here. `connections` are those of
    whoever handed this one over, `peer` is the address at the other end.
    """

    def __init__(self, inner: Any, connections: set[Any], peer: str) -> None:
        self.connections = connections
        self.peer = peer
        self.largest = MAX_UNIDENTIFIED_MESSAGE
        self.unfinished = 0  # bytes since the last frame
        self._inner = inner
        self._socket: Socket | None = None
        self._transport: asyncio.Transport | None = None

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
        self._transport = cast("asyncio.Transport", transport)
        self._inner.connection_made(transport)

    def begin(self, socket: Socket) -> None:
        """Count from here on, behind the handshake."""
        self._socket = socket
        self.unfinished = 0

    def lift(self) -> None:
        self.largest = LARGEST_FIRST_SYNC
        if self._transport and not self._transport.is_closing():
            self._transport.set_protocol(self._inner)

    @override
    def buffer_updated(self, nbytes: int) -> None:
        self.unfinished += nbytes
        self._inner.buffer_updated(nbytes)
        if self._socket and self.unfinished > self.largest:
            self._socket.close(CloseCode.TOO_BIG)


async def engine(hall: Hall, door: Door) -> Callable[[set[Any], str], asyncio.BufferedProtocol]:
    """Return what makes the protocol of one connection, given the connections of whoever hands it over, and its peer."""
    logging.getLogger("picows").setLevel(logging.CRITICAL)  # what clients do wrong is told to them
    turns = Turns(hall.rooms.turn)
    begins: list[Bounded] = []  # the connection whose handshake is being read

    def route(request: WSUpgradeRequest) -> WSUpgradeResponseWithListener:
        try:
            headers = [
                (name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
                for name, value in request.headers.items()
            ]
            answer = door(request.path, headers, begins[-1].peer)
        except Exception:  # noqa: BLE001 - picows would tell the client what it was
            _log.exception("a handshake could not be answered")
            answer = Refusal(500, b"", {})
        if isinstance(answer, Refusal):
            refused = WSUpgradeResponse.create_error_response(answer.status, answer.body, answer.headers)
            return WSUpgradeResponseWithListener(refused, None)
        listener = Socket(hall, answer, begins[-1], turns)
        return WSUpgradeResponseWithListener(WSUpgradeResponse.create_101_response(), listener)

    make = await _factory(route)

    def begun(handing_over: set[Any], peer: str) -> asyncio.BufferedProtocol:
        begins[:] = [Bounded(make(), handing_over, peer)]
        return begins[-1]

    return begun


async def _factory(route: Callable[[WSUpgradeRequest], WSUpgradeResponseWithListener]) -> Factory:
    """Have picows make its protocol factory by its public function, and keep that instead of a listening port."""
    loop = asyncio.get_running_loop()
    kept: list[Factory] = []
    listen = loop.create_server

    async def keep(factory: Factory, *_: object, **__: object) -> None:
        kept.append(factory)

    loop.create_server = keep  # type: ignore[assignment,method-assign]
    try:
        await ws_create_server(
            route,
            use_aiofastnet=False,
            max_frame_size=LARGEST_FIRST_SYNC,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
            enable_auto_pong=False,
        )
    finally:
        loop.create_server = listen  # type: ignore[method-assign]
    return kept[0]
