"""What a request outside REST is given, as REST's edge gives it: an id, a line in the log, a place in the metrics."""

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
from graphql_api.in_flight import MAX_UNREAD, InFlight
from graphql_api.rates import Buckets, Verdict
from rest_adapter.answers import NOTHING_TO_SNIFF, Headers
from rest_adapter.edge import Observe, Seen, Visit, look, request_id_of
from rest_adapter.outgoing import Outgoing
from rest_adapter.requests import Gone

_present: Final[ContextVar[Visit]] = ContextVar("visit")


def known_as(caller: Caller) -> None:
    """Note who makes the request that is being answered; nobody makes one on a socket."""
    if visit := _present.get(None):
        visit.caller = caller


def counted_as(verdict: Verdict) -> None:
    """Note the first rate that the request being answered is counted against: the others are of parts of it."""
    visit = _present.get(None)
    if visit and visit.verdict is None:
        visit.verdict = verdict


@dataclass(frozen=True, slots=True)
class Visited:
    """The ASGI application around `app`; `operations` says how metrics call its paths, and what is below `/p/`, say.

    `buckets` are those whose rates the answers tell of; None where nothing is limited.
    """

    app: ASGIApp
    operations: Mapping[str, str]
    observe: Observe
    buckets: Buckets | None = None
    unread: InFlight = field(default_factory=lambda: InFlight(MAX_UNREAD))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._http(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _operation(self, path: str) -> str | None:
        return self.operations.get(path) or self.operations.get(path[: path.find("/", 1) + 1])

    def _rate(self, headers: Iterable[tuple[bytes, bytes]], scope: HTTPScope, visit: Visit) -> Headers:
        if any(name == b"ratelimit" for name, _ in headers):
            return ()
        verdict = visit.verdict or look(self.buckets, scope, visit.caller)
        return verdict.headers if verdict else ()

    async def _http(self, outer: HTTPScope, receive: Receive, send: Send) -> None:
        begun = perf_counter()
        visit = Visit(request_id_of(outer), operation=self._operation(outer["path"]))
        _present.set(visit)
        bind_contextvars(request_id=visit.request_id.decode())
        outgoing = Outgoing(send, self.unread)

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                outgoing.user_id = visit.caller.user_id if visit.caller else None
                message["headers"] = [
                    *(each for each in message["headers"] if each != NOTHING_TO_SNIFF),
                    (b"x-request-id", visit.request_id),
                    NOTHING_TO_SNIFF,
                    *self._rate(message["headers"], outer, visit),
                ]
            await outgoing(message)

        async def hear() -> HTTPReceiveMessage:
            message = cast("HTTPReceiveMessage", await receive())
            if message["type"] == "http.disconnect":
                raise Gone
            return message

        try:
            with suppress(Gone):  # nobody is left to be told, and it is no fault of ours
                await self.app(cast("HTTPScope", {**outer, "state": {"visit": visit}}), hear, tell)
        finally:
            outgoing.ended()
        if not outgoing.status:
            return
        user_id = visit.caller.user_id if visit.caller else None
        seconds = perf_counter() - begun
        self.observe(
            Seen(visit.request_id.decode(), outer["method"], visit.operation, user_id, outgoing.status, seconds)
        )
