"""Surrounds every request: request id, path, credentials, rate headers, and handling of unexpected exceptions."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from secrets import token_hex
from time import perf_counter
from types import MappingProxyType
from typing import Final, cast

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPResponseStartEvent, HTTPScope, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from contract.errors import RejectionError, unwrap
from domain.caller import Caller
from domain.errors import NOT_FOUND, UNAUTHORIZED, Unavailable
from edge.credentials import AUTHORIZATION, KEY_HEADER, TAKE_TOKENS, AccessPoint, Authenticator, token_of
from edge.in_flight import MAX_ARRIVING, MAX_UNREAD, SMALL_BODY, InFlight
from edge.loop_turns import LARGE_MESSAGE, LoopTurns
from edge.rate_limit import RateLimiter, RateLimitResult, client_network
from edge.requests import ClientDisconnected, Path, parse_path
from edge.responses import (
    FAULT,
    NO_STORE,
    NOSNIFF,
    TOO_MUCH_ARRIVES,
    UNAVAILABLE,
    Outgoing,
    Response,
    error_response,
)

type Observe = Callable[["RequestLog"], None]
type Header = tuple[bytes, bytes]
type Pause = Callable[[float], Awaitable[object]]

DELAY_SECONDS: Final = 1.0
MAX_SLOWED: Final = 100
LATE_SECONDS: Final = 0.5  # after which credentials are checked again for a body still on its way
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_LOGGABLE_ID: Final = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_SECRETS: Final = (KEY_HEADER, AUTHORIZATION)
_log: Final = structlog.get_logger("http")


@dataclass(slots=True)
class RequestContext:
    """The context of a request, filled in on its way.

    `check_credential` looks the credential of its caller up anew and raises what answers one that has ended; whatever
    identifies the caller sets it. It runs where the body was late.
    """

    request_id: bytes
    path_is_whole: bool = True
    caller: Caller | None = None
    rate_limit: RateLimitResult | None = None
    operation: str | None = None
    point: AccessPoint | None = None
    check_credential: Callable[[], Awaitable[object]] | None = None
    begun: float = field(default_factory=perf_counter)


@dataclass(frozen=True, slots=True)
class RequestLog:
    """The fields of a request for metrics and access logs, without headers and query."""

    request_id: str
    method: str
    operation: str | None
    user_id: str | None
    status: int
    seconds: float


def request_context(scope: Scope) -> RequestContext:
    """Return the context of a request; on a socket, and without an edge, one that nothing reads."""
    state = scope.setdefault("state", {})
    return cast("RequestContext", state.setdefault("context", RequestContext(b"")))


def unobserved(_seen: RequestLog) -> None:
    pass


@dataclass(frozen=True, slots=True)
class EdgeParts:
    """What the edges of one server share; `limiter` is None where nothing is limited.

    `bodies` and `unread` count the bytes of each user that are on the way in and out. `pause` waits for so many seconds,
    credentials are checked again for a body that takes more than `late` seconds, and long bodies have `turns`.
    """

    authenticator: Authenticator
    limiter: RateLimiter | None = None
    observe: Observe = unobserved
    bodies: InFlight = field(default_factory=lambda: InFlight(MAX_ARRIVING))
    unread: InFlight = field(default_factory=lambda: InFlight(MAX_UNREAD))
    pause: Pause = asyncio.sleep
    late: float = LATE_SECONDS
    turns: LoopTurns = field(default_factory=LoopTurns)


@dataclass(slots=True)
class Edge:
    """The ASGI application around that of a surface.

    With `point_of` a caller is required before `app` runs, except where it returns None for the request and its path;
    `challenge` is what a 401 asks for. Without it the surface identifies callers itself. WebSockets are denied, unless
    `takes_sockets`: then the surface identifies their callers, too. `operations` names paths, and what is below a first
    segment such as `/p/`, for logs and metrics.
    """

    app: ASGIApp
    parts: EdgeParts
    point_of: Callable[[HTTPScope, Path | None], AccessPoint | None] | None = None
    challenge: bytes = b""
    takes_sockets: bool = False
    operations: Mapping[str, str] = MappingProxyType({})
    _slowed: int = field(default=0, init=False)

    async def __call__(self, outer: Scope, receive: Receive, send: Send) -> None:
        if outer["type"] != ScopeType.HTTP:
            is_denied = outer["type"] == ScopeType.WEBSOCKET and not self.takes_sockets
            await (_deny_socket if is_denied else self.app)(outer, receive, send)
            return
        path = outer["path"]
        operation = self.operations.get(path) or self.operations.get(path[: path.find("/", 1) + 1])
        context = RequestContext(request_id_of(outer), operation=operation)
        bind_contextvars(request_id=context.request_id.decode())
        scope = cast("HTTPScope", {**outer, "state": {"context": context}})  # the server keeps its own
        incoming = _Incoming(self, context, receive)
        outgoing = Outgoing(send, self.parts.unread, outer["headers"], without_body=outer["method"] == "HEAD")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                outgoing.user_id = context.caller.user_id if context.caller else None
                message["headers"] = self._headers(message, scope, context)
                if _is_refused(message, context):
                    await self._hold_back(context.caller)
            await outgoing(message)

        try:
            refusal = await self._admit(scope, context) if self.point_of else None
            await (refusal or self.app)(scope, incoming, send_with_headers)
        except ClientDisconnected:
            pass
        except Exception:
            _log.exception("request failed", request_id=context.request_id.decode(), operation=context.operation)
            if outgoing.status:
                raise
            await error_response(FAULT)(scope, receive, send_with_headers)
        finally:
            outgoing.ended()
            incoming.ended()
        if outgoing.status:
            request_id, seconds = context.request_id.decode(), perf_counter() - context.begun
            user_id, status = outgoing.user_id, outgoing.status
            self.parts.observe(RequestLog(request_id, outer["method"], context.operation, user_id, status, seconds))

    def _headers(self, start: HTTPResponseStartEvent, scope: HTTPScope, context: RequestContext) -> list[Header]:
        """Return the headers of an answer with those that every answer has; one that does not say so is not stored."""
        found = [each for each in start["headers"] if each != NOSNIFF]
        found += (b"x-request-id", context.request_id), NOSNIFF
        names, rate_limit = dict(found), context.rate_limit
        if b"cache-control" not in names:
            found.append(NO_STORE)
        if _is_refused(start, context) and b"retry-after" not in names:
            found.append((b"retry-after", b"%d" % (rate_limit.retry_after if rate_limit else 1)))
        if b"ratelimit" not in names and (left := rate_limit or peek(self.parts.limiter, scope, context.caller)):
            found += left.headers
        return found

    async def _hold_back(self, caller: Caller | None) -> None:
        """Have a user who goes on asking in spite of refusals wait for each further one, so that refusing costs little."""
        limiter = self.parts.limiter
        if limiter and caller and not limiter.spend(limiter.rates.refusals, caller.user_id).allowed:
            await self._delay()

    async def _admit(self, scope: HTTPScope, context: RequestContext) -> Response | None:
        """Admit a request, or return its refusal: 401 before anything else, then a malformed path."""
        raw = scope.get("raw_path") or scope["path"].encode()
        path = parse_path(raw.decode("latin-1"))
        context.point = self.point_of(scope, path) if self.point_of and scope["method"] != "OPTIONS" else None
        try:
            await self.identify(scope, context)
        except RejectionError as refused:
            if refused.rejection is not UNAUTHORIZED:
                return error_response(refused.rejection)
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

    async def identify(self, scope: HTTPScope, context: RequestContext) -> None:
        """Find the caller of a request where it needs one; raises RejectionError."""
        if context.point is None:
            return
        context.caller = None
        try:
            found = await self.parts.authenticator.identify(context.point, scope["headers"], scope["query_string"])
        except Unavailable:
            raise RejectionError(UNAVAILABLE) from None
        context.caller = unwrap(UNAUTHORIZED if found is None else found)
        context.check_credential = partial(self.identify, scope, context)

    def _challenge(self, scope: HTTPScope, point: AccessPoint | None) -> bytes:
        if point in TAKE_TOKENS and token_of(scope["headers"]):
            return b'Bearer error="invalid_token", ' + self.challenge.removeprefix(b"Bearer ")
        return self.challenge

    async def _slow_down(self, scope: HTTPScope, context: RequestContext) -> None:
        """Log an invalid key, and delay clients that try many of them, within a bound."""
        held = _SECRETS if context.point in TAKE_TOKENS else _SECRETS[:1]
        if not any(name in held for name, _ in scope["headers"]):
            return
        address = _address(scope)
        _log.warning("key refused", request_id=context.request_id.decode(), address=address)
        limiter = self.parts.limiter
        if limiter is None:
            return
        context.rate_limit = limiter.spend(limiter.rates.failed_sign_ins, address)
        if not context.rate_limit.allowed:
            await self._delay()

    async def _delay(self) -> None:
        """Wait, unless too many wait already."""
        if self._slowed >= MAX_SLOWED:
            return
        self._slowed += 1
        try:
            await self.parts.pause(DELAY_SECONDS)
        finally:
            self._slowed -= 1


def _is_refused(start: HTTPResponseStartEvent, context: RequestContext) -> bool:
    """Whether an answer says that its caller asks too often: by its status or, where GraphQL answers 200, by the rate."""
    return start["status"] == 429 or (context.rate_limit is not None and not context.rate_limit.allowed)


@dataclass(slots=True)
class _Incoming:
    """The body of one request as the application hears it: a large one counts among what its user has on the way."""

    edge: Edge
    context: RequestContext
    receive: Receive
    _arrived: int = field(default=0, init=False)
    _held: int = field(default=0, init=False)
    _held_of: str = field(default="", init=False)

    async def __call__(self) -> HTTPReceiveMessage:
        """Return the next message; raises ClientDisconnected for applications that do not look for disconnects.

        Raises RejectionError where too much is on the way, and what `check_credential` raises where the body was late.
        """
        message = cast("HTTPReceiveMessage", await self.receive())
        if message["type"] == "http.disconnect":
            if self.edge.point_of is None:
                raise ClientDisconnected
            return message
        caller = self.context.caller
        self._arrived += len(message.get("body", b""))
        if caller and self._arrived > SMALL_BODY:
            if not self.edge.parts.bodies.begin(caller.user_id, self._arrived - self._held):
                raise RejectionError(TOO_MUCH_ARRIVES)
            self._held, self._held_of = self._arrived, caller.user_id
        check, is_last = self.context.check_credential, not message.get("more_body", False)
        if check and is_last and perf_counter() - self.context.begun > self.edge.parts.late:
            await check()
        if is_last and self._arrived > LARGE_MESSAGE:
            await self.edge.parts.turns.next()
        return message

    def ended(self) -> None:
        if self._held:
            self.edge.parts.bodies.end(self._held_of, self._held)


def by_path(exact: Mapping[str, ASGIApp], below: Mapping[str, ASGIApp], others: ASGIApp) -> ASGIApp:
    """Return what passes requests on by their path: that of an application, one at or below another's, or any other.

    The path is the one that was sent, from here on: were it decoded, `%2F` would be a slash of ours.
    """

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raw = scope.get("raw_path")
        path = raw.decode("latin-1") if raw else scope["path"]
        scope = cast("Scope", {**scope, "path": path})
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


def request_id_of(scope: HTTPScope) -> bytes:
    """Return the caller's own id for the request where it has one that is fit for a log, else a new one."""
    given = [value for name, value in scope["headers"] if name == b"x-request-id"]
    if len(given) == 1 and _LOGGABLE_ID.fullmatch(given[0]):
        return given[0]
    return token_hex(16).encode()


def _address(scope: HTTPScope) -> str:
    client = scope.get("client")
    return client_network(client[0]) if client else ""


async def _deny_socket(scope: Scope, _receive: Receive, send: Send) -> None:
    """No WebSocket lives here: say so in the envelope where the server can, else close."""
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": 4404, "reason": NOT_FOUND.code.value})
        return
    answer = error_response(NOT_FOUND)
    headers = [*answer.headers, (b"content-length", b"%d" % len(answer.body))]
    await send(cast("Message", {"type": "websocket.http.response.start", "status": answer.status, "headers": headers}))
    await send(cast("Message", {"type": "websocket.http.response.body", "body": answer.body}))
