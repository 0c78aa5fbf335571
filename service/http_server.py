"""Parses HTTP/1.1 by uvicorn's protocol, refuses in the error envelope, and times out requests that do not arrive."""

import asyncio
import http
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, ClassVar, Final, Protocol, override

from domain.errors import Code, Rejection
from edge.rate_limit import client_network
from edge.responses import FAULT, METHOD_NOT_SUPPORTED, NOSNIFF, UNAVAILABLE, Headers, Response, error_response
from service.uvicorn_internals import HttpProtocol, is_unknown_method, service_unavailable
from service.write_deadline import WriteDeadline

MALFORMED: Final = Rejection(Code.BAD_REQUEST, "this is not a well-formed HTTP request")
ONE_HOST: Final = Rejection(Code.BAD_REQUEST, "a request has exactly one `Host` header")
TOO_LONG: Final = Rejection(Code.BAD_REQUEST, "the head of the request is too long")
ALLOW: Final = (
    b"allow",
    b"DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
)  # wherever a method is one that nothing here knows
MAX_METHOD: Final = 64  # bytes of the first line in which the method stands
TOO_SLOW: Final = Rejection(Code.BAD_REQUEST, "the request did not arrive in time: send it again")

_request_line: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ [/*]")


@dataclass(frozen=True, slots=True)
class Patience:
    """The time limits for receiving a request: for its whole head, and a least rate in bytes a second for its body."""

    head_seconds: float = 10.0
    body_seconds: float = 30.0
    body_bytes_a_second: int = 16_384
    head_bytes: int = 65_536
    ignored_bytes: int = 64 << 20  # of a body that was answered before it had arrived


class Draining(Protocol):
    @property
    def is_on(self) -> bool:
        """Whether the server stops soon: each answer is the last one of its connection."""
        ...

    @property
    def takes_sockets(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class ServesOn:
    is_on: bool = False
    takes_sockets: bool = True


class EnvelopeProtocol(WriteDeadline, HttpProtocol):
    """One connection. Subclass it with another `patience` to set that, or with the rate headers of its own answers."""

    patience: ClassVar[Patience] = Patience()
    draining: ClassVar[Draining] = ServesOn()
    rate_headers: ClassVar[Callable[[str], Headers]] = staticmethod(lambda _: ())
    _watch: asyncio.TimerHandle | None = None
    _awaited_since: float | None = None  # None while nothing of a request is awaited
    _malformed: Rejection = MALFORMED
    _in_head: bool = True
    _begun: bytes = b""  # of the head that is awaited
    _arrived: int = 0  # bytes of the head, or of the body, that is awaited

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()
        self._watch = self.loop.call_later(self.patience.head_seconds, self._check)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching()
        super().connection_lost(exc)
        if self.cycle is not None:
            self.cycle.body = bytearray()  # a body that nobody read would stay until the garbage is collected

    @override
    def handle_websocket_upgrade(self) -> None:
        self._stop_watching()
        super().handle_websocket_upgrade()

    @override
    def data_received(self, data: bytes) -> None:
        if self._awaited_since is None and (self.cycle is None or self.cycle.response_complete):
            self._await_head()
        if self._in_head:
            self._begun = self._begun if self._arrived else data[:MAX_METHOD]
            self._arrived += len(data)
        super().data_received(data)
        if self._in_head and self._arrived > self.patience.head_bytes and not self.transport.is_closing():
            self._refuse(TOO_LONG)

    @override
    def on_message_begin(self) -> None:
        super().on_message_begin()
        if not self._in_head:
            self._await_head()

    @override
    def on_header(self, name: bytes, value: bytes) -> None:
        # the parser leaves what stands behind the value, which is no part of it (RFC 9110, section 5.5)
        super().on_header(name, value.rstrip(b" \t"))

    @override
    def on_headers_complete(self) -> None:
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):  # RFC 9112, section 3.2
            self._malformed = ONE_HOST
            raise ValueError(ONE_HOST.message)  # which the parser turns into its own error and so into a 400
        self._in_head, self._arrived, self._awaited_since = False, 0, self.loop.time()
        super().on_headers_complete()
        if type(self).draining.is_on:
            self.answer_last()

    @override
    def on_body(self, body: bytes) -> None:
        self._arrived += len(body)
        super().on_body(body)
        if self.cycle.response_complete and self._arrived > self.patience.ignored_bytes:
            self.transport.close()

    @override
    def on_message_complete(self) -> None:
        self._awaited_since = None
        super().on_message_complete()

    @override
    def send_400_response(self, msg: str) -> None:
        if is_unknown_method(sys.exception()) and _request_line.match(self._begun):
            self._refuse(METHOD_NOT_SUPPORTED, ALLOW)
        else:
            self._refuse(self._malformed)

    @override
    def application_for(self, cycle: Any, app: Any) -> Any:
        """Have uvicorn's own answers, 503 and 500, in the envelope."""

        async def say_fault() -> None:
            await self._closing(error_response(FAULT))(cycle.scope, cycle.receive, cycle.send)

        async def unavailable(scope: Any, receive: Any, send: Any) -> None:
            await self._closing(error_response(UNAVAILABLE))(scope, receive, send)

        cycle.send_500_response = say_fault
        return unavailable if app is service_unavailable else app

    def answer_last(self) -> None:
        """Have the answer that is on its way be the last one of the connection, and say so to the client."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False

    def _refuse(self, rejection: Rejection, *headers: tuple[bytes, bytes]) -> None:
        """Send a response of the server itself and close; but answer a complete request first, and alone."""
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            if not cycle.more_body:
                cycle.keep_alive = False
                self.flow.pause_reading()
                return
            cycle.disconnected = True  # readers of its rest learn that it will not arrive
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.close()
                return
        self.transport.write(_as_bytes(self._closing(error_response(rejection), *headers)))
        self.transport.close()

    def _closing(self, answer: Response, *headers: tuple[bytes, bytes]) -> Response:
        rate = type(self).rate_headers(client_network(self.client[0]) if self.client else "")
        request_id = (b"x-request-id", token_hex(16).encode())
        ours = (*headers, NOSNIFF, request_id, *rate, (b"connection", b"close"))
        return Response(answer.status, (*answer.headers, *ours), answer.body)

    # Patience

    def _await_head(self) -> None:
        self._in_head, self._arrived, self._awaited_since = True, 0, self.loop.time()

    def _stop_watching(self) -> None:
        """Stop awaiting requests, as where the connection ends or belongs to another protocol from now on."""
        self.stop_watching_unread()
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _check(self) -> None:
        """Check at the earliest possible end of the time, so that a connection costs a timer and a request none."""
        self._watch = None
        if self.transport.is_closing():
            self.watch_unread()
            return
        left = self._seconds_left()
        if left > 0:
            self._watch = self.loop.call_later(left, self._check)
        elif self._in_head and not self._arrived:
            self.transport.close()
        else:
            self._refuse(TOO_SLOW)

    def _seconds_left(self) -> float:
        patience, now = self.patience, self.loop.time()
        if self._awaited_since is None:
            return patience.head_seconds
        if self._in_head:
            return self._awaited_since + patience.head_seconds - now
        if self.flow.read_paused:  # the server itself is slow
            return patience.body_seconds
        return self._awaited_since + patience.body_seconds + self._arrived / patience.body_bytes_a_second - now


def _as_bytes(answer: Response) -> bytes:
    status = http.HTTPStatus(answer.status)
    lines = [f"HTTP/1.1 {status.value} {status.phrase}".encode()]
    lines += [name + b": " + value for name, value in answer.headers]
    return b"\r\n".join([*lines, b"content-length: %d" % len(answer.body), b"", answer.body])
