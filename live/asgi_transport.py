"""WebSockets of documents on any ASGI server: the fallback where picows does not run.

The server under it pings, puts messages together and bounds them; reading stops while nothing is received from it.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final

import structlog

from live.client_connection import ClientConnection
from live.connection_registry import ConnectionRegistry
from live.flow_control import TokenBucket
from live.handshake import Authorize, Handshake, HandshakeRejected
from live.picows_transport import CLOSING_SECONDS, MAX_UNREAD
from live.protocol import MAX_FIRST_SYNC, MAX_UNIDENTIFIED, CloseCode

_log: Final = structlog.get_logger("live")

type AsgiMessage = MutableMapping[str, Any]
type Receive = Callable[[], Awaitable[AsgiMessage]]
type Send = Callable[[AsgiMessage], Awaitable[None]]
type App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]


class AsgiSocket:
    """One accepted WebSocket, for as long as `run` runs."""

    def __init__(self, registry: ConnectionRegistry, handshake: Handshake, receive: Receive, send: Send) -> None:
        self._loop = asyncio.get_running_loop()
        self.received_at = self.sent_at = self._loop.time()
        self._registry = registry
        self._handshake = handshake
        self._receive = receive
        self._send = send
        self._allowance = TokenBucket(self.received_at) if handshake.limited else None
        self._out: deque[bytes] = deque()
        self._behind = 0
        self._allowed_behind = MAX_UNREAD
        self._unidentified: int | None = 0  # bytes that came; None: the client has shown who it is
        self._answers: deque[Callable[[], bool]] = deque()  # that wait until a whole document is read
        self._answering = False
        self._whole: bytes | None = None
        self._something = asyncio.Event()
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._pauses = 0
        self._code: CloseCode | None = None
        self._connection = ClientConnection(registry, self, handshake.path_document, self.received_at)

    async def run(self) -> None:
        writing = asyncio.create_task(self._write())
        self._reading = asyncio.create_task(self._read())
        try:
            await asyncio.wait((writing, self._reading), return_when=asyncio.FIRST_COMPLETED)
            if self._code is not None:
                await asyncio.wait((writing,), timeout=CLOSING_SECONDS)
        finally:
            self._connection.lost()
            writing.cancel()
            self._reading.cancel()
            await asyncio.gather(writing, self._reading, return_exceptions=True)

    async def _read(self) -> None:
        if self._handshake.limited and not self._registry.unidentified.add(self._connection, self._handshake.address):
            self.close(CloseCode.RESET)
            return
        try:
            caller = await self._handshake.identify()
            if isinstance(caller, bool):
                self.close(CloseCode.UNAUTHORIZED)
                return
            self._connection.identified(caller)
            while self._code is None:
                message = await self._receive()
                if message["type"] == "websocket.disconnect":
                    return
                self.received_at = self._loop.time()
                await self._received(message.get("bytes"))
                await self._may_read.wait()
        except Exception as error:  # noqa: BLE001 - whatever it was costs this connection and nothing else
            _log.warning("a connection was given up", error=repr(error))
            self.close(CloseCode.RESET)

    async def _received(self, message: bytes | None) -> None:
        if message is None:
            self.close(CloseCode.UNSUPPORTED)
            return
        if self._unidentified is not None:
            self._unidentified += len(message)
        if len(message) > MAX_FIRST_SYNC or (self._unidentified or 0) > MAX_UNIDENTIFIED:
            self.close(CloseCode.TOO_BIG)
            return
        wait = self._allowance.spend(len(message), self.received_at) if self._allowance else 0.0
        if wait is None:
            self.close(CloseCode.RESET)
            return
        self._connection.received(message)
        await asyncio.sleep(wait)

    async def _write(self) -> None:
        while self._out or self._code is None:
            if not self._out:
                self._something.clear()
                await self._something.wait()
                continue
            message = self._out.popleft()
            await self._send({"type": "websocket.send", "bytes": message})
            self.sent_at = self._loop.time()
            self._behind -= len(message)
            if message is self._whole:
                self._whole, self._answering, self._allowed_behind = None, False, MAX_UNREAD
                self._answer()
        await self._send({"type": "websocket.close", "code": int(self._code), "reason": self._code.reason})

    # Called by the connection

    @staticmethod
    def frame(message: bytes) -> bytes:
        return message

    def write(self, frames: Iterable[bytes]) -> None:
        if self._code is not None:
            return
        messages = tuple(frames)
        self._out += messages
        self._behind += sum(map(len, messages))
        self._something.set()
        if self._behind > self._allowed_behind:
            self._out.clear()
            self.close(CloseCode.RESET)

    def send(self, message: bytes, *, whole: bool = False) -> None:
        if whole:
            self._whole = message
            self._allowed_behind = MAX_UNREAD + len(message)
        self.write((message,))

    def when_read(self, answer: Callable[[], bool]) -> None:
        self._answers.append(answer)
        self._answer()

    def _answer(self) -> None:
        while self._answers and not self._answering and self._code is None:
            self._answering = True
            self._answering = self._answers.popleft()() or self._whole is not None
        if not self._answering:
            self._connection.answered()

    def close(self, code: CloseCode) -> None:
        if self._code is None:
            self._code = code
            self._something.set()
            self._reading.cancel()
            self._connection.lost()

    def identified(self) -> None:
        self._unidentified = None

    def ping(self) -> None:
        """Do nothing: the server pings, and closes connections that do not answer."""
        self.received_at = self._loop.time()

    def pause(self, *, reading: bool) -> None:
        self._pauses += -1 if reading else 1
        if self._pauses:
            self._may_read.clear()
        else:
            self._may_read.set()


def asgi_app(registry: ConnectionRegistry, authorize: Authorize) -> App:
    """Return an ASGI application that answers WebSockets of documents and nothing else."""

    async def app(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        query = scope["query_string"]
        peer = scope["client"][0] if scope.get("client") else ""
        answer = authorize(scope["raw_path"] + (b"?" + query if query else b""), scope["headers"], peer)
        await receive()
        if isinstance(answer, HandshakeRejected):
            headers = [(name.lower().encode(), value.encode()) for name, value in answer.headers.items()]
            start = {"type": "websocket.http.response.start", "status": answer.status, "headers": headers}
            await send(start)
            await send({"type": "websocket.http.response.body", "body": answer.body})
            return
        await send({"type": "websocket.accept"})
        await AsgiSocket(registry, answer, receive, send).run()

    return app
