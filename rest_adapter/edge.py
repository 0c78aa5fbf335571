"""What happens to every request before and after it is served: request id, path, credentials, rate headers, the last net."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from secrets import token_hex
from time import perf_counter
from typing import Final, cast

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from domain.caller import Caller
from domain.errors import NOT_FOUND, Unavailable
from graphql_api.errors import RejectionError
from graphql_api.in_flight import MAX_ARRIVING, MAX_UNREAD, InFlight
from graphql_api.rates import Buckets, Verdict, neighbourhood
from rest_adapter.answers import (
    FAULT,
    NOTHING_TO_SNIFF,
    TOO_MUCH_ARRIVES,
    UNAUTHORIZED,
    UNAVAILABLE,
    Answer,
    failure,
)
from rest_adapter.credentials import Credentials
from rest_adapter.outgoing import Outgoing
from rest_adapter.requests import Gone, routable

type Observe = Callable[["Seen"], None]
type Pause = Callable[[float], Awaitable[object]]

SLOWED_SECONDS: Final = 1.0
MAX_SLOWED: Final = 100
LATE_SECONDS: Final = 0.5  # after which whoever's body is still on the way may have been shut out meanwhile
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_fit_for_a_log: Final = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_log: Final = structlog.get_logger("rest")


@dataclass(slots=True)
class Visit:
    """What is known of a request on its way: filled in by whoever finds it out."""

    request_id: bytes
    path_is_whole: bool = True
    caller: Caller | None = None
    verdict: Verdict | None = None
    operation: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What metrics and access logs may know of a request; neither headers nor query are in it."""

    request_id: str
    method: str
    operation: str | None
    user_id: str | None
    status: int
    seconds: float


def visit_of(scope: Scope) -> Visit:
    return cast("Visit", scope["state"]["visit"])


def unobserved(_seen: Seen) -> None:
    pass


@dataclass(slots=True)
class Edge:
    """The ASGI application around another. `public` paths need no key; `buckets` is None where nothing is limited."""

    app: ASGIApp
    credentials: Credentials
    buckets: Buckets | None
    public: frozenset[str]
    observe: Observe = unobserved
    pause: Pause = asyncio.sleep
    late: float = LATE_SECONDS
    bodies: InFlight = field(default_factory=lambda: InFlight(MAX_ARRIVING))
    unread: InFlight = field(default_factory=lambda: InFlight(MAX_UNREAD))
    _slowed: int = field(default=0, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._http(scope, receive, send)
        else:
            await _deny_socket(scope, send)

    async def _http(self, outer: HTTPScope, receive: Receive, send: Send) -> None:
        begun = perf_counter()
        visit = Visit(request_id_of(outer))
        bind_contextvars(request_id=visit.request_id.decode())
        scope = cast("HTTPScope", {**outer, "state": {"visit": visit}})  # the server keeps its own
        without_body = scope["method"] == "HEAD"
        outgoing = Outgoing(send, self.unread)

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                outgoing.user_id = visit.caller.user_id if visit.caller else None
                added = [(b"x-request-id", visit.request_id), NOTHING_TO_SNIFF]
                if verdict := visit.verdict or look(self.buckets, scope, visit.caller):
                    added.extend(verdict.headers)
                message["headers"] = [*message["headers"], *added]
            elif without_body and message["type"] == "http.response.body":
                message["body"] = b""
            await outgoing(message)

        try:
            turned_away = await self._enter(scope, visit)
            with self.bodies.growing(visit.caller.user_id if visit.caller else "") as grow:
                await (turned_away or self.app)(scope, self._hearing(scope, visit, receive, begun, grow), tell)
        except Gone:
            return
        except Exception:
            _log.exception("request failed", request_id=visit.request_id.decode(), operation=visit.operation)
            if outgoing.status:
                raise
            await failure(FAULT)(scope, receive, tell)
        finally:
            outgoing.ended()
        user_id = visit.caller.user_id if visit.caller else None
        seconds = perf_counter() - begun
        self.observe(
            Seen(visit.request_id.decode(), outer["method"], visit.operation, user_id, outgoing.status, seconds)
        )

    async def _enter(self, scope: HTTPScope, visit: Visit) -> Answer | None:
        """Let a request in, or return what it is told instead: 401 before anything, then a path that cannot be."""
        raw = scope.get("raw_path") or scope["path"].encode()
        path = routable(raw.decode("latin-1"))
        needs_key = scope["method"] != "OPTIONS" and (path is None or path.text not in self.public)
        if needs_key:
            try:
                visit.caller = await self.credentials.identify(scope)
            except Unavailable:
                return failure(UNAVAILABLE)
            if visit.caller is None:
                await self._slow_down(scope, visit)
                return failure(UNAUTHORIZED, (b"www-authenticate", self.credentials.challenge(scope)))
        if path is None:
            return failure(NOT_FOUND)
        visit.path_is_whole = path.whole
        scope["path"] = path.text
        scope["root_path"] = ""
        if scope["method"] == "HEAD":
            scope["method"] = "GET"
        return None

    def _hearing(
        self, scope: HTTPScope, visit: Visit, receive: Receive, begun: float, grow: Callable[[int], bool]
    ) -> Receive:
        """Return what hears the body, and looks again who sends it where its end comes late; raises RejectionError.

        `grow` says whether so many bytes more may be on the way.
        """

        async def hear() -> HTTPReceiveMessage:
            message = cast("HTTPReceiveMessage", await receive())
            if message["type"] == "http.request" and visit.caller and not grow(len(message.get("body", b""))):
                raise RejectionError(TOO_MUCH_ARRIVES)
            ended = message["type"] == "http.request" and not message.get("more_body", False)
            if ended and visit.caller and perf_counter() - begun > self.late:
                try:
                    visit.caller = await self.credentials.identify(scope)
                except Unavailable:
                    raise RejectionError(UNAVAILABLE) from None
                if visit.caller is None:
                    raise RejectionError(UNAUTHORIZED)
            return message

        return hear

    async def _slow_down(self, scope: HTTPScope, visit: Visit) -> None:
        """Log a key that opened nothing, and make whoever tries many of them wait, as far as there is room to."""
        if not any(name in self.credentials.headers for name, _ in scope["headers"]):
            return
        address = _address(scope)
        _log.warning("key refused", request_id=visit.request_id.decode(), address=address)
        if self.buckets is None:
            return
        visit.verdict = self.buckets.spend(self.buckets.rates.failed_sign_ins, address)
        if visit.verdict.allowed or self._slowed >= MAX_SLOWED:
            return
        self._slowed += 1
        try:
            await self.pause(SLOWED_SECONDS)
        finally:
            self._slowed -= 1


def look(buckets: Buckets | None, scope: HTTPScope, caller: Caller | None) -> Verdict | None:
    """Return the state of the rate that a request might have cost which cost nothing; None where nothing is limited."""
    if buckets is None:
        return None
    if caller is None:
        return buckets.look(buckets.rates.failed_sign_ins, _address(scope))
    return buckets.look(buckets.rates.reads if scope["method"] in SAFE else buckets.rates.writes, caller.user_id)


def request_id_of(scope: HTTPScope) -> bytes:
    """Return the caller's own id for the request where it has one that is fit for a log, else a new one."""
    given = [value for name, value in scope["headers"] if name == b"x-request-id"]
    if len(given) == 1 and _fit_for_a_log.fullmatch(given[0]):
        return given[0]
    return token_hex(16).encode()


def _address(scope: HTTPScope) -> str:
    client = scope.get("client")
    return neighbourhood(client[0]) if client else ""


async def _deny_socket(scope: Scope, send: Send) -> None:
    """No WebSocket lives here: say so in the envelope where the server can, else close."""
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": 4404, "reason": NOT_FOUND.code.value})
        return
    answer = failure(NOT_FOUND)
    headers = [*answer.headers, (b"content-length", b"%d" % len(answer.body))]
    await send(cast("Message", {"type": "websocket.http.response.start", "status": answer.status, "headers": headers}))
    await send(cast("Message", {"type": "websocket.http.response.body", "body": answer.body}))
