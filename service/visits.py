"""Gives requests outside REST a request id, a log line and metrics."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from domain.caller import Caller
from edge.app import Observe, RequestContext, RequestLog, peek, request_id_of
from edge.in_flight import MAX_UNREAD, InFlight
from edge.outgoing import Outgoing
from edge.rate_limit import RateLimiter, RateLimitResult
from edge.requests import ClientDisconnected
from edge.responses import NOSNIFF, Headers

_present: Final[ContextVar[RequestContext]] = ContextVar("context")


def known_as(caller: Caller) -> None:
    """Note who makes the request that is being answered; nobody makes one on a socket."""
    if context := _present.get(None):
        context.caller = caller


def counted_as(rate_limit: RateLimitResult) -> None:
    """Note the first rate that the request being answered is counted against: the others are of parts of it."""
    context = _present.get(None)
    if context and context.rate_limit is None:
        context.rate_limit = rate_limit


@dataclass(frozen=True, slots=True)
class Visited:
    """The ASGI application around `app`; `operations` says how metrics call its paths, and what is below `/p/`, say.

    `limiter` are those whose rates the answers send_with_headers of; None where nothing is limited.
    """

    app: ASGIApp
    operations: Mapping[str, str]
    observe: Observe
    limiter: RateLimiter | None = None
    unread: InFlight = field(default_factory=lambda: InFlight(MAX_UNREAD))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._http(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _operation(self, path: str) -> str | None:
        return self.operations.get(path) or self.operations.get(path[: path.find("/", 1) + 1])

    def _rate(self, headers: Iterable[tuple[bytes, bytes]], scope: HTTPScope, context: RequestContext) -> Headers:
        if any(name == b"ratelimit" for name, _ in headers):
            return ()
        rate_limit = context.rate_limit or peek(self.limiter, scope, context.caller)
        return rate_limit.headers if rate_limit else ()

    async def _http(self, outer: HTTPScope, receive: Receive, send: Send) -> None:
        begun = perf_counter()
        context = RequestContext(request_id_of(outer), operation=self._operation(outer["path"]))
        _present.set(context)
        bind_contextvars(request_id=context.request_id.decode())
        outgoing = Outgoing(send, self.unread)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                outgoing.user_id = context.caller.user_id if context.caller else None
                message["headers"] = [
                    *(each for each in message["headers"] if each != NOSNIFF),
                    (b"x-request-id", context.request_id),
                    NOSNIFF,
                    *self._rate(message["headers"], outer, context),
                ]
            await outgoing(message)

        async def receive_checked() -> HTTPReceiveMessage:
            message = cast("HTTPReceiveMessage", await receive())
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            return message

        try:
            with suppress(ClientDisconnected):  # no client is left, and the server is not at fault
                await self.app(
                    cast("HTTPScope", {**outer, "state": {"context": context}}), receive_checked, send_with_headers
                )
        finally:
            outgoing.ended()
        if not outgoing.status:
            return
        user_id = context.caller.user_id if context.caller else None
        seconds = perf_counter() - begun
        self.observe(
            RequestLog(
                context.request_id.decode(), outer["method"], context.operation, user_id, outgoing.status, seconds
            )
        )
