"""Serves GraphQL operations over a WebSocket: `graphql-transport-ws`, with one fresh context for each operation."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Protocol

import msgspec
from graphql import GraphQLError, OperationType
from strawberry.http.exceptions import NonJsonMessageReceived, NonTextMessageReceived
from strawberry.http.websocket_origin import is_same_origin, normalize_allowed_origins, normalize_origin
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL

from contract.errors import RejectionError
from domain.errors import Code, Rejection
from edge.requests import has_many_values
from graphql_api.request_limits import MAX_QUERY_LENGTH, LimitedSchema, ParsedDocument, query_too_long
from graphql_api.strawberry_internals import SubscribeMessage, TransportWSHandler

PROTOCOL: Final = GRAPHQL_TRANSPORT_WS_PROTOCOL
MAX_MESSAGE: Final = 1024 * 1024
MAX_OPERATIONS: Final = 50  # at once on one connection, most of them subscriptions
MAX_SUBSCRIPTIONS: Final = 50  # of one user, on all connections
TOO_MANY_SUBSCRIPTIONS: Final = Rejection(
    Code.TOO_MANY_REQUESTS, f"a user has at most {MAX_SUBSCRIPTIONS} subscriptions at once: end one first"
)
MAX_GREETING: Final = 1024  # characters of a message with a ticket
GREETING: Final = timedelta(seconds=10)  # the client's time to say connection_init

type JSONMessage = Mapping[str, object]


class Wire(Protocol):
    """An accepted WebSocket."""

    async def receive(self) -> str | None:
        """Return the next text, `""` for a frame that is no text, None at the end."""
        ...

    async def send(self, text: str) -> None:
        """Send, or do nothing if the other side has gone."""
        ...

    async def close(self, code: int, reason: str) -> None: ...


class Payload(msgspec.Struct):
    query: str
    variables: dict[str, Any] | None = None
    operation_name: str | None = msgspec.field(default=None, name="operationName")


class SocketMessage(msgspec.Struct):
    """The minimum form of a message; the handler below checks nothing else."""

    type: str
    id: str = ""
    payload: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class OperationHooks:
    """What is asked for each operation of a caller: `spend` takes one from the rates, or says why it may not run.

    A query or mutation waits for `turn`; a subscription is counted by `follow`, unless the user has too many, until
    `unfollow`. A document that is not known waits for the `next_turn` of the loop, since validating takes milliseconds.
    """

    new_context: Callable[[], Any]
    is_signed_in: Callable[[], Awaitable[bool]]
    spend: Callable[[ParsedDocument], Rejection | None]
    turn: asyncio.Semaphore
    follow: Callable[[], bool]
    unfollow: Callable[[], None]
    next_turn: Callable[[], Awaitable[None]]


async def serve_socket(wire: Wire, schema: LimitedSchema, hooks: OperationHooks) -> None:
    """Serve one connection of a caller who is signed in, until it closes."""
    await LimitedTransportHandler(wire, schema, hooks).handle()


def sites(origins: Collection[str]) -> frozenset[str]:
    """Return allowed origins as `is_own_page` wants them."""
    return frozenset(normalize_allowed_origins(origins))


def is_own_page(headers: Mapping[str, str], origins: frozenset[str]) -> bool:
    """Whether a handshake comes from no page at all, from a page of this host or of an allowed origin."""
    origin = headers.get("origin")
    return origin is None or is_same_origin(origin, headers.get("host")) or normalize_origin(origin) in origins


class LimitedTransportHandler(TransportWSHandler):
    def __init__(self, wire: Wire, schema: LimitedSchema, hooks: OperationHooks) -> None:
        self.guarded = schema
        self.hooks = hooks
        super().__init__(_Adapter(wire), schema, GREETING, MAX_OPERATIONS)

    @property
    def context(self) -> Any:
        return self.hooks.new_context()

    @context.setter
    def context(self, _: Any) -> None:
        """Each operation has its own."""

    async def handle_subscribe(self, message: SubscribeMessage) -> None:
        is_new = self.connection_acknowledged and message["id"] not in self.operations
        if is_new and message["payload"]["query"] not in self.guarded.documents:
            await self.hooks.next_turn()
        if is_new and (errors := self.refusals(message["payload"]["query"])):
            told = [error.formatted for error in errors]
            await self.send_message({"id": message["id"], "type": "error", "payload": told})
        elif not await self.hooks.is_signed_in():
            await self.websocket.close(4401, "UNAUTHORIZED")
        elif is_new and self.streams(message):
            await self.follow(message)
        elif is_new:
            await self.run_in_turn(message)
        else:
            await super().handle_subscribe(message)

    def refusals(self, text: str) -> Sequence[GraphQLError]:
        """Return why a document does not even begin to run, having spent it where it is looked at."""
        if len(text) > MAX_QUERY_LENGTH:
            return (RejectionError(query_too_long()),)
        read = self.guarded.documents.read(text)
        refused = self.hooks.spend(read)
        return (RejectionError(refused),) if refused else read.errors if text else ()

    def streams(self, message: SubscribeMessage) -> bool:
        """Whether it is a subscription that is asked for."""
        name = message["payload"].get("operationName")
        operations = self.guarded.documents.read(message["payload"]["query"]).operations
        named = [each for each in operations if name is None or (each.name and each.name.value == name)]
        return any(each.operation is OperationType.SUBSCRIPTION for each in named)

    async def run_in_turn(self, message: SubscribeMessage) -> None:
        """Run a query or mutation in the user's turn; nothing more is read from the socket before."""
        await self.hooks.turn.acquire()
        await self.begin(message, self.hooks.turn.release)

    async def follow(self, message: SubscribeMessage) -> None:
        """Begin a subscription, unless the user has too many."""
        if self.hooks.follow():
            await self.begin(message, self.hooks.unfollow)
        else:
            told = [RejectionError(TOO_MANY_SUBSCRIPTIONS).formatted]
            await self.send_message({"id": message["id"], "type": "error", "payload": told})

    async def begin(self, message: SubscribeMessage, ended: Callable[[], None]) -> None:
        """Begin an operation, and call `ended` once when it has ended or could not begin."""
        try:
            await super().handle_subscribe(message)
        except BaseException:
            ended()
            raise
        operation = self.operations.get(message["id"])
        if operation is None or operation.task is None:
            ended()
        else:
            operation.task.add_done_callback(lambda _: ended())


class _Adapter:
    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.closed = False

    async def iter_json(self, *, ignore_parsing_errors: bool = False) -> AsyncGenerator[object, None]:
        del ignore_parsing_errors
        while not self.closed and (text := await self.wire.receive()) is not None:
            if not text:
                raise NonTextMessageReceived
            if len(text) > MAX_MESSAGE or has_many_values(text.encode()):
                await self.close(1009, "a message is too large")
                return
            yield _message(text)

    async def send_json(self, message: JSONMessage) -> None:
        if not self.closed:
            await self.wire.send(msgspec.json.encode(message).decode())

    async def close(self, code: int, reason: str) -> None:
        if not self.closed:
            self.closed = True
            await self.wire.close(code, reason[:120])


def ticket_of(text: str) -> str:
    """Return the ticket in a `connection_init`; nothing where it has none."""
    if len(text) > MAX_GREETING:
        return ""
    try:
        message = msgspec.json.decode(text, type=SocketMessage)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeError, RecursionError):
        return ""
    ticket = (message.payload or {}).get("ticket") if message.type == "connection_init" else None
    return ticket if isinstance(ticket, str) else ""


def _message(text: str) -> object:
    try:
        message = msgspec.json.decode(text, type=SocketMessage)
        if message.type == "subscribe":
            msgspec.convert(message.payload, Payload)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeError, RecursionError) as error:
        raise NonJsonMessageReceived from error
    return msgspec.json.decode(text)
