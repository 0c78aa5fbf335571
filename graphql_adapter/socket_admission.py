"""Admits WebSockets to `/graphql`, and their messages: whose they are, how many of them, how fast."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect
from litestar.types import WebSocketScope

from domain.caller import Caller
from domain.errors import Code, Rejection, Unavailable, in_seconds
from edge.credentials import AccessPoint, caller_of
from edge.in_flight import InFlight
from edge.loop_turns import LARGE_MESSAGE
from edge.rate_limit import client_network
from graphql_adapter.endpoint import GraphQLEndpoint, rate_of
from graphql_adapter.socket import GREETING, PROTOCOL, OperationHooks, serve_socket, ticket_of
from graphql_api.request_limits import ParsedDocument

TOO_MANY_SOCKETS: Final = 4429
MESSAGE_LENGTH: Final = 32 * 1024  # characters over a socket that count as one message
TOO_MUCH_UNREAD: Final = 4205  # come back, and read
# An ASGI server raises an OSError for what is sent after the other side has closed.
_GONE: Final = (WebSocketDisconnect, OSError)


async def admit_socket(endpoint: GraphQLEndpoint, socket: WebSocket[Any, Any, Any]) -> None:
    """Accept a socket and serve it, or close it with the code that says why not."""
    spoken = PROTOCOL in socket.scope["subprotocols"]
    await socket.accept(subprotocols=PROTOCOL if spoken else None)
    try:
        caller = await _caller(endpoint, socket.scope)
        is_page = "origin" in socket.headers  # which can send no other header
        first, tickets = "", endpoint.tickets if caller is None and spoken and is_page else None
        if tickets:
            first = await _greeting(endpoint, socket)
            caller = await tickets.take(ticket_of(first))
    except Unavailable:
        with suppress(*_GONE):
            await socket.close(4205, Code.SERVICE_UNAVAILABLE.value)
        return
    if not isinstance(caller, Caller):
        with suppress(*_GONE):
            await socket.close(4401, Code.UNAUTHORIZED.value)
        return
    if not spoken:
        await socket.close(4406, "Subprotocol not acceptable")
        return

    async def is_signed_in() -> bool:
        if tickets:
            return await tickets.is_valid(caller)
        return isinstance(await _caller(endpoint, socket.scope), Caller)

    def spend_operation(read: ParsedDocument) -> Rejection | None:
        limiter = endpoint.edge.limiter
        verdict = limiter.spend(rate_of(read, limiter.rates), caller) if limiter else None
        if verdict is None or verdict.allowed:
            return None
        return Rejection(Code.TOO_MANY_REQUESTS, f"too many requests: wait {in_seconds(verdict.retry_after)}")

    wire = _Wire(socket, endpoint.edge.unread, caller.user_id, first, partial(_admit_message, endpoint, caller))
    hooks = OperationHooks(
        lambda: endpoint.context_for(caller),
        is_signed_in,
        spend_operation,
        endpoint.requests.slot(caller.user_id),
        lambda: endpoint.subscriptions.begin(caller.user_id),
        lambda: endpoint.subscriptions.end(caller.user_id),
        endpoint.edge.turns.next,
    )
    with endpoint.sockets.holding(caller.user_id) as has_room:
        if not has_room:
            await socket.close(TOO_MANY_SOCKETS, Code.TOO_MANY_REQUESTS.value)
            return
        with endpoint.watch(caller, wire.close):
            await serve_socket(wire, endpoint.schema, hooks)


async def _caller(endpoint: GraphQLEndpoint, scope: WebSocketScope) -> Caller | Rejection | None:
    """Return the caller of a socket with the agent that its headers name."""
    found = await endpoint.edge.authenticator.identify(AccessPoint.GRAPHQL, scope["headers"])
    return caller_of(found, scope["headers"]) if isinstance(found, Caller) else found


async def _admit_message(endpoint: GraphQLEndpoint, caller: Caller, size: int) -> None:
    """Wait until the user may send so many characters more: whoever sends without pause is read more slowly."""
    if limiter := endpoint.edge.limiter:
        for _ in range(1 + size // MESSAGE_LENGTH):
            while not (verdict := limiter.spend(limiter.rates.messages, caller)).allowed:
                await endpoint.edge.pause(verdict.next_in)
    if size > LARGE_MESSAGE:
        await endpoint.edge.turns.next()


async def _greeting(endpoint: GraphQLEndpoint, socket: WebSocket[Any, Any, Any]) -> str:
    """Return the first message of a socket that may come with a ticket; nothing where it does not come in time."""
    address = socket.client.host if socket.client else ""
    with endpoint.greeting.holding(client_network(address)) as has_room:
        if not has_room:
            return ""
        with suppress(TimeoutError, *_GONE):
            async with asyncio.timeout(GREETING.total_seconds()):
                return await socket.receive_text()
    return ""


@dataclass(slots=True)
class _Wire:
    """Litestar's WebSocket as `graphql_adapter.socket` wants it."""

    socket: WebSocket[Any, Any, Any]
    unread: InFlight
    user_id: str
    first: str  # what was received already
    admit: Callable[[int], Awaitable[None]]  # before a message of so many characters is looked at

    async def receive(self) -> str | None:
        if self.first:
            received, self.first = self.first, ""
            return received
        try:
            text = await self.socket.receive_text()
        except WebSocketDisconnect:
            return None
        await self.admit(len(text))
        return text

    async def send(self, text: str) -> None:
        with suppress(*_GONE), self.unread.holding(self.user_id, len(text)) as has_room:
            if has_room:
                await self.socket.send_text(text)
            else:
                await self.socket.close(TOO_MUCH_UNREAD, Code.TOO_MANY_REQUESTS.value)

    async def close(self, code: int, reason: str) -> None:
        with suppress(*_GONE):
            await self.socket.close(code, reason)
