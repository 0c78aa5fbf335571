"""Surrounds every request: request id, path, credentials, rate headers, and handling of unexpected exceptions."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from time import perf_counter
from types import MappingProxyType
from typing import Final, cast

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from domain.caller import Caller
from domain.errors import NOT_FOUND, Rejection, Unavailable
from edge.compression import Compression
from edge.credentials import AUTHORIZATION, KEY_HEADER, TAKE_TOKENS, AccessPoint, Authenticator, token_of
from edge.in_flight import MAX_ARRIVING, MAX_UNREAD, InFlight
from edge.rate_limit import RateLimiter, RateLimitResult, client_network
from edge.requests import ClientDisconnected, Path, normalize_path
from edge.responses import (
    FAULT,
    NOSNIFF,
    TOO_MUCH_ARRIVES,
    UNAUTHORIZED,
    UNAVAILABLE,
    Outgoing,
    Response,
    error_response,
)
from graphql_api.errors import RejectionError, unwrap

type Observe = Callable[["RequestLog"], None]
type Header = tuple[bytes, bytes]
type Pause = Callable[[float], Awaitable[object]]

DELAY_SECONDS: Final = 1.0
MAX_SLOWED: Final = 100
LATE_SECONDS: Final = 0.5  # after which credentials are checked again for a body still on its way
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_LOGGABLE_ID: Final = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_SECRETS: Final = (KEY_HEADER, AUTHORIZATION)
_log: Final = structlog.get_logger("rest")


@dataclass(slots=True)
class RequestContext:
    """The context of a request, filled in on its way."""

    request_id: bytes
    path_is_whole: bool = True
    caller: Caller | None = None
    rate_limit: RateLimitResult | None = None
    operation: str | None = None
    point: AccessPoint | None = None


@dataclass(frozen=True, slots=True)
class RequestLog:
    """The fields of a request for metrics and access logs, without headers and query."""

    request_id: str
    method: str
    operation: str | None
    user_id: str | None
    status: int
    seconds: float


def context_of(scope: Scope) -> RequestContext:
    """Return the context of a request; on a socket, and without an edge, one that nothing reads."""
    state = scope.setdefault("state", {})
    return cast("RequestContext", state.setdefault("context", RequestContext(b"")))


def unobserved(_seen: RequestLog) -> None:
    pass


@dataclass(slots=True)
class Edge:
    """The ASGI application around that of a surface; `limiter` is None where nothing is limited.

    With an `authenticator` a caller is required before `app` runs, except where `point_of` returns None for the request
    and its normalized path; `challenge` is what a 401 asks for. Without one the surface identifies callers itself, and
    `operations` names its paths, and what is below a first segment such as `/p/`, for logs and metrics.
    """

    app: ASGIApp
    limiter: RateLimiter | None
    observe: Observe = unobserved
    authenticator: Authenticator | None = None
    point_of: Callable[[HTTPScope, Path | None], AccessPoint | None] = lambda _scope, _path: None
    challenge: bytes = b""
    operations: Mapping[str, str] = MappingProxyType({})
    pause: Pause = asyncio.sleep
    late: float = LATE_SECONDS
    bodies: InFlight = field(default_factory=lambda: InFlight(MAX_ARRIVING))
    unread: InFlight = field(default_factory=lambda: InFlight(MAX_UNREAD))
    _slowed: int = field(default=0, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._http(scope, receive, send)
        elif self.authenticator:
            await _deny_socket(scope, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, outer: HTTPScope, receive: Receive, send: Send) -> None:
        begun = perf_counter()
        context = RequestContext(request_id_of(outer), operation=self._operation(outer["path"]))
        bind_contextvars(request_id=context.request_id.decode())
        scope = cast("HTTPScope", {**outer, "state": {"context": context}})  # the server keeps its own
        without_body = scope["method"] == "HEAD"
        outgoing = Outgoing(send, self.unread)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                outgoing.user_id = context.caller.user_id if context.caller else None
                message["headers"] = self._headers(message["headers"], scope, context)
            elif without_body and message["type"] == "http.response.body":
                message["body"] = b""
            await outgoing(message)

        compressed = Compression(send_with_headers, outer["headers"])
        try:
            if self.authenticator:
                refusal = await self._admit(scope, context)
                with self.bodies.growing(context.caller.user_id if context.caller else "") as grow:
                    checked = self._recheck_on_late_body(scope, context, receive, begun, grow)
                    await (refusal or self.app)(scope, checked, compressed)
            else:
                await self.app(scope, _raise_on_disconnect(receive), compressed)
        except ClientDisconnected:
            pass
        except Exception:
            _log.exception("request failed", request_id=context.request_id.decode(), operation=context.operation)
            if outgoing.status:
                raise
            await error_response(FAULT)(scope, receive, send_with_headers)
        finally:
            outgoing.ended()
        if outgoing.status:
            request_id, seconds = context.request_id.decode(), perf_counter() - begun
            user_id, status = outgoing.user_id, outgoing.status
            self.observe(RequestLog(request_id, outer["method"], context.operation, user_id, status, seconds))

    def _operation(self, path: str) -> str | None:
        return self.operations.get(path) or self.operations.get(path[: path.find("/", 1) + 1])

    def _headers(self, headers: Iterable[Header], scope: HTTPScope, context: RequestContext) -> list[Header]:
        """Return the headers of an answer with those that every answer has."""
        found = [each for each in headers if each != NOSNIFF]
        found += (b"x-request-id", context.request_id), NOSNIFF
        if b"ratelimit" in dict(found):
            return found
        rate_limit = context.rate_limit or peek(self.limiter, scope, context.caller)
        return [*found, *rate_limit.headers] if rate_limit else found

    async def _admit(self, scope: HTTPScope, context: RequestContext) -> Response | None:
        """Admit a request, or return its refusal: 401 before anything else, then a malformed path."""
        raw = scope.get("raw_path") or scope["path"].encode()
        path = normalize_path(raw.decode("latin-1"))
        context.point = None if scope["method"] == "OPTIONS" else self.point_of(scope, path)
        if context.point:
            try:
                found = await self._identify(scope, context.point)
            except Unavailable:
                return error_response(UNAVAILABLE)
            if isinstance(found, Rejection):
                return error_response(found)
            context.caller = found
            if found is None:
                await self._slow_down(scope, context)
                return error_response(UNAUTHORIZED, (b"www-authenticate", self._challenge(scope, context.point)))
        if path is None:
            return error_response(NOT_FOUND)
        context.path_is_whole = path.whole
        scope["path"] = path.text
        scope["root_path"] = ""
        if scope["method"] == "HEAD":
            scope["method"] = "GET"
        return None

    async def _identify(self, scope: HTTPScope, point: AccessPoint) -> Caller | Rejection | None:
        assert self.authenticator
        return await self.authenticator.identify(point, scope["headers"], scope["query_string"])

    def _challenge(self, scope: HTTPScope, point: AccessPoint) -> bytes:
        if point in TAKE_TOKENS and token_of(scope["headers"]):
            return b'Bearer error="invalid_token", ' + self.challenge.removeprefix(b"Bearer ")
        return self.challenge

    def _recheck_on_late_body(
        self, scope: HTTPScope, context: RequestContext, receive: Receive, begun: float, grow: Callable[[int], bool]
    ) -> Receive:
        """Return what hears the body, and looks again who sends it where its end comes late; raises RejectionError.

        `grow` says whether so many bytes more may be on the way.
        """

        async def receive_checked() -> HTTPReceiveMessage:
            message = cast("HTTPReceiveMessage", await receive())
            if message["type"] == "http.request" and context.caller and not grow(len(message.get("body", b""))):
                raise RejectionError(TOO_MUCH_ARRIVES)
            ended = message["type"] == "http.request" and not message.get("more_body", False)
            if ended and context.caller and context.point and perf_counter() - begun > self.late:
                try:
                    context.caller = unwrap(await self._identify(scope, context.point))
                except Unavailable:
                    raise RejectionError(UNAVAILABLE) from None
                if context.caller is None:
                    raise RejectionError(UNAUTHORIZED)
            return message

        return receive_checked

    async def _slow_down(self, scope: HTTPScope, context: RequestContext) -> None:
        """Log an invalid key, and delay clients that try many of them, within a bound."""
        held = _SECRETS if context.point in TAKE_TOKENS else _SECRETS[:1]
        if not any(name in held for name, _ in scope["headers"]):
            return
        address = _address(scope)
        _log.warning("key refused", request_id=context.request_id.decode(), address=address)
        if self.limiter is None:
            return
        context.rate_limit = self.limiter.spend(self.limiter.rates.failed_sign_ins, address)
        if context.rate_limit.allowed or self._slowed >= MAX_SLOWED:
            return
        self._slowed += 1
        try:
            await self.pause(DELAY_SECONDS)
        finally:
            self._slowed -= 1


def by_path(exact: Mapping[str, ASGIApp], below: Mapping[str, ASGIApp], others: ASGIApp) -> ASGIApp:
    """Return what passes requests on by their path: that of an application, one at or below another's, or any other."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        at_or_below = [served for base, served in below.items() if path == base or path.startswith(f"{base}/")]
        served = exact.get(path) or [*at_or_below, others][0]
        await served(scope, receive, send)

    return app


def peek(limiter: RateLimiter | None, scope: HTTPScope, caller: Caller | None) -> RateLimitResult | None:
    """Return the state of the rate that a request might have cost which cost nothing; None where nothing is limited."""
    if limiter is None:
        return None
    if caller is None:
        return limiter.peek(limiter.rates.failed_sign_ins, _address(scope))
    return limiter.peek(limiter.rates.reads if scope["method"] in SAFE else limiter.rates.writes, caller)


def _raise_on_disconnect(receive: Receive) -> Receive:
    async def receive_checked() -> HTTPReceiveMessage:
        message = cast("HTTPReceiveMessage", await receive())
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        return message

    return receive_checked


def request_id_of(scope: HTTPScope) -> bytes:
    """Return the caller's own id for the request where it has one that is fit for a log, else a new one."""
    given = [value for name, value in scope["headers"] if name == b"x-request-id"]
    if len(given) == 1 and _LOGGABLE_ID.fullmatch(given[0]):
        return given[0]
    return token_hex(16).encode()


def _address(scope: HTTPScope) -> str:
    client = scope.get("client")
    return client_network(client[0]) if client else ""


async def _deny_socket(scope: Scope, send: Send) -> None:
    """No WebSocket lives here: say so in the envelope where the server can, else close."""
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": 4404, "reason": NOT_FOUND.code.value})
        return
    answer = error_response(NOT_FOUND)
    headers = [*answer.headers, (b"content-length", b"%d" % len(answer.body))]
    await send(cast("Message", {"type": "websocket.http.response.start", "status": answer.status, "headers": headers}))
    await send(cast("Message", {"type": "websocket.http.response.body", "body": answer.body}))
