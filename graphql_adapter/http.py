"""Serves GraphQL over HTTP at one path, by the GraphQL over HTTP specification.

The edge admits requests as it does those of REST: what it refuses has REST's body, everything else GraphQL's. Queries use
GET or POST, mutations POST; there are no batches and no uploads. `graphql_adapter.socket` serves the WebSocket at the same path.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import msgspec
from graphql import ExecutionResult as GraphQLExecutionResult
from graphql import FieldNode, GraphQLError
from litestar import Request, Response, WebSocket, route, websocket
from litestar.enums import HttpMethod
from litestar.exceptions import WebSocketDisconnect
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.types import HTTPScope, WebSocketScope
from strawberry.exceptions import MissingQueryError
from strawberry.http.websocket_origin import normalize_allowed_origins
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from contract.errors import RejectionError, retry_after
from domain.caller import Caller
from domain.errors import UNAUTHORIZED, Code, Rejection, Unavailable, in_seconds
from edge.app import LATE_SECONDS, SAFE, Edge, Observe, Pause, request_context, unobserved
from edge.credentials import KEY_CHALLENGE, AccessPoint, Authenticator, caller_of
from edge.in_flight import MAX_ARRIVING, MAX_UNREAD, InFlight
from edge.litestar_app import router
from edge.loop_turns import LARGE_MESSAGE, LoopTurns
from edge.operations import require_caller, spend
from edge.rate_limit import Rate, RateLimiter, Rates, client_network
from edge.requests import TOO_MANY_VALUES, Path, has_many_values, may_have_many_values, refuse_encoded, stream
from edge.responses import STATUS, UNAVAILABLE
from graphql_adapter.socket import (
    GREETING,
    MAX_SUBSCRIPTIONS,
    PROTOCOL,
    OperationHooks,
    is_own_page,
    serve_socket,
    ticket_of,
)
from graphql_api.prepared_documents import PreparedDocuments
from graphql_api.query_limits import request_error
from graphql_api.read_limits import MAX_REQUESTS, Slots
from graphql_api.request_limits import (
    MAX_QUERY_LENGTH,
    LimitedSchema,
    ParsedDocument,
    bad_request,
    mask_error,
    query_too_long,
)

type Close = Callable[[int, str], Awaitable[None]]
type Watch = Callable[[Caller, Close], AbstractContextManager[None]]
type ContextFor = Callable[[Caller], Any]

PATH: Final = "/graphql"
JSON: Final = "application/json"
RESPONSE: Final = "application/graphql-response+json"
MEGABYTE: Final = 1024 * 1024
LONG_FIELD: Final = "importYjsUpdate"  # the one field whose request may be long
TREE_FIELD: Final = "markdownOf"  # the one field whose request may have many values
MAX_TREE_VALUES: Final = 100_000
# the answer to which clients send the query itself, by its message (Apollo) or its code (urql)
NO_PERSISTED_QUERIES: Final = GraphQLError(
    "PersistedQueryNotSupported", extensions={"code": "PERSISTED_QUERY_NOT_SUPPORTED"}
)
ALLOW: Final = {"allow": "GET, HEAD, POST, OPTIONS"}
MAX_GREETING: Final = 20  # sockets of one address of which nobody knows yet whose they are
MAX_SOCKETS: Final = 20  # of one user
MAX_LONG_BODIES: Final = 2  # of one user at once
TOO_MANY_LONG: Final = Rejection(
    Code.TOO_MANY_REQUESTS, f"at most {MAX_LONG_BODIES} long bodies are taken at once: wait for their answers"
)
TOO_MANY_SOCKETS: Final = 4429
MESSAGE_LENGTH: Final = 32 * 1024  # characters over a socket that count as one message
TOO_MUCH_UNREAD: Final = 4205  # come back, and read


class GraphQLRequest(msgspec.Struct, frozen=True, rename="camel"):
    query: str = ""
    variables: dict[str, Any] | None = None
    operation_name: str | None = None
    extensions: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Sizes:
    body: int = MEGABYTE
    long_body: int = 24 * MEGABYTE  # of a request for `importYjsUpdate`


class RefusedRequestError(RejectionError):
    """The request is none that is run; `headers` go with the answer that says so."""

    def __init__(self, rejection: Rejection, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(rejection)
        self.headers = headers


@dataclass(frozen=True, slots=True)
class SocketTickets:
    """`take` returns whose ticket it is, once; `is_valid` whether the credential that it was got with still is."""

    take: Callable[[str], Awaitable[Caller | None]]
    is_valid: Callable[[Caller], Awaitable[bool]]


def unwatched(_caller: Caller, _close: Close) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True, slots=True)
class GraphQLEndpoint:
    """The parts of the endpoint.

    `authenticator` finds the caller of a request or handshake; `context_for` makes the `info.context` of one operation;
    `page` makes the answer to a browser that asks for a page; `origins` are the other sites whose pages may open a socket; `watch` is given each socket for as long
    as it is open, and closes it when its caller is signed in no more; `sockets` counts those that each user has open,
    `subscriptions` what they follow on all of these, `requests` has the turns of the operations that run,
    `long_bodies` the requests of each over `sizes.body`, and `unread` the bytes of answers on sockets that were not read
    yet. `prepared` holds the documents that run by a compiled plan. `tickets` admit the sockets of pages that send no session,
    of which `greeting` counts those of an address that have not sent theirs.
    `pause` waits for so many seconds, and long bodies and messages have `turns`.
    """

    schema: LimitedSchema
    authenticator: Authenticator
    context_for: ContextFor
    page: Callable[[], Response[str]] | None = None
    origins: Collection[str] = ()
    sizes: Sizes = Sizes()
    limiter: RateLimiter | None = None
    watch: Watch = unwatched
    sockets: InFlight = field(default_factory=lambda: InFlight(MAX_SOCKETS))
    subscriptions: InFlight = field(default_factory=lambda: InFlight(MAX_SUBSCRIPTIONS))
    requests: Slots = field(default_factory=lambda: Slots(MAX_REQUESTS))
    unread: InFlight = field(default_factory=lambda: InFlight(MAX_UNREAD))
    long_bodies: InFlight = field(default_factory=lambda: InFlight(MAX_LONG_BODIES))
    prepared: PreparedDocuments | None = None
    tickets: SocketTickets | None = None
    greeting: InFlight = field(default_factory=lambda: InFlight(MAX_GREETING))
    pause: Pause = asyncio.sleep
    turns: LoopTurns = field(default_factory=LoopTurns)

    def access_point(self, scope: HTTPScope, _path: Path | None) -> AccessPoint | None:
        """Return what a request is for; None for the page, which needs no credentials."""
        return None if self.page and _wants_page(scope) else AccessPoint.GRAPHQL


def graphql_app(
    endpoint: GraphQLEndpoint,
    *,
    observe: Observe = unobserved,
    late: float = LATE_SECONDS,
    bodies: InFlight | None = None,
) -> Edge:
    """Return the application for `PATH` alone."""
    return Edge(
        router(_handlers(endpoint)),
        endpoint.limiter,
        observe,
        endpoint.authenticator,
        endpoint.access_point,
        KEY_CHALLENGE,
        takes_sockets=True,
        operations={PATH: AccessPoint.GRAPHQL.value},
        pause=endpoint.pause,
        late=late,
        bodies=bodies or InFlight(MAX_ARRIVING),
        unread=endpoint.unread,
        turns=endpoint.turns,
    )


def _handlers(endpoint: GraphQLEndpoint) -> tuple[HTTPRouteHandler, WebsocketRouteHandler]:
    origins = normalize_allowed_origins(endpoint.origins)

    @route(PATH, http_method=list(HttpMethod), status_code=200, include_in_schema=False)
    async def graphql(request: Request[Any, Any, Any]) -> Response[Any]:
        return await _respond(endpoint, request)

    @websocket(PATH)
    async def graphql_socket(socket: WebSocket[Any, Any, Any]) -> None:
        if is_own_page(socket.headers, origins):
            await _serve_socket(endpoint, socket)
        else:
            await socket.close(1008)  # before accepting: the handshake is answered 403

    return graphql, graphql_socket


async def _respond(endpoint: GraphQLEndpoint, request: Request[Any, Any, Any]) -> Response[Any]:
    if request.method == "OPTIONS":
        return Response(b"", status_code=204, headers=ALLOW)
    context, limiter = request_context(request.scope), endpoint.limiter
    if endpoint.page and context.point is None:
        return endpoint.page()
    media = _media(request.headers.get("accept", ""))
    try:
        caller = require_caller(request.scope, context)
        with ExitStack() as held:
            asked = await _read_request(endpoint, request, caller, held)
            if asked.query not in endpoint.schema.documents:  # parsing and validating a long one takes milliseconds
                await endpoint.turns.next()
            if limiter and context.rate_limit is None:  # a long body is paid already
                spend(limiter, _rate(endpoint.schema.documents.read(asked.query), limiter.rates), context)
            async with endpoint.requests.slot(caller.user_id):
                result = await _run(endpoint, asked, endpoint.context_for(caller), request.method)
    except RejectionError as refused:
        if refused.rejection in (UNAUTHORIZED, UNAVAILABLE):  # of the edge, which looked again once the body was there
            raise
        return _refused(refused, media)
    return _answer(result, media)


async def _caller(endpoint: GraphQLEndpoint, scope: WebSocketScope) -> Caller | Rejection | None:
    """Return the caller of a socket with the agent that its headers name."""
    found = await endpoint.authenticator.identify(AccessPoint.GRAPHQL, scope["headers"])
    return caller_of(found, scope["headers"]) if isinstance(found, Caller) else found


def _refused(refused: RejectionError, media: str) -> Response[bytes]:
    rejection, headers = refused.rejection, refused.headers if isinstance(refused, RefusedRequestError) else None
    error = GraphQLError(rejection.message, extensions={"code": rejection.code.value})
    return _sent({"errors": [error.formatted]}, media, STATUS[rejection.code], headers)


def _rate(read: ParsedDocument, rates: Rates) -> Rate:
    return rates.writes if read.may_write else rates.reads


async def _serve_socket(endpoint: GraphQLEndpoint, socket: WebSocket[Any, Any, Any]) -> None:
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
        limiter = endpoint.limiter
        verdict = limiter.spend(_rate(read, limiter.rates), caller) if limiter else None
        if verdict is None or verdict.allowed:
            return None
        return Rejection(Code.TOO_MANY_REQUESTS, f"too many requests: wait {in_seconds(verdict.retry_after)}")

    wire = _Wire(socket, endpoint.unread, caller.user_id, first, partial(_admit_message, endpoint, caller))
    hooks = OperationHooks(
        lambda: endpoint.context_for(caller),
        is_signed_in,
        spend_operation,
        endpoint.requests.slot(caller.user_id),
        lambda: endpoint.subscriptions.begin(caller.user_id),
        lambda: endpoint.subscriptions.end(caller.user_id),
        endpoint.turns.next,
    )
    with endpoint.sockets.holding(caller.user_id) as has_room:
        if not has_room:
            await socket.close(TOO_MANY_SOCKETS, Code.TOO_MANY_REQUESTS.value)
            return
        with endpoint.watch(caller, wire.close):
            await serve_socket(wire, endpoint.schema, hooks)


async def _admit_message(endpoint: GraphQLEndpoint, caller: Caller, size: int) -> None:
    """Wait until the user may send so many characters more: whoever sends without pause is read more slowly."""
    if limiter := endpoint.limiter:
        for _ in range(1 + size // MESSAGE_LENGTH):
            while not (verdict := limiter.spend(limiter.rates.messages, caller)).allowed:
                await endpoint.pause(verdict.next_in)
    if size > LARGE_MESSAGE:
        await endpoint.turns.next()


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


async def _read_request(
    endpoint: GraphQLEndpoint, request: Request[Any, Any, Any], caller: Caller, held: ExitStack
) -> GraphQLRequest:
    """Return the request, of which a long body has cost a write already; raises RejectionError."""
    if request.method == "GET":
        return _of_bounded_text(_from_query(request.query_params.dict()))
    if request.method != "POST":
        raise RefusedRequestError(
            Rejection(Code.METHOD_NOT_SUPPORTED, f"`{request.method}` is not supported: use GET or POST"), ALLOW
        )
    refuse_encoded(request.scope)
    kind, parameters = request.content_type
    if kind.lower() != JSON or parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise RefusedRequestError(Rejection(Code.UNSUPPORTED_MEDIA_TYPE, f"the body must be `{JSON}` in UTF-8"))
    sizes, body = endpoint.sizes, await _body(endpoint, request, caller, held)
    is_long = len(body) > sizes.body
    if is_long and may_have_many_values(body):  # its one long value is base64
        raise _too_large(sizes.body)
    has_many = not is_long and has_many_values(body)
    if has_many and has_many_values(body, MAX_TREE_VALUES):
        raise RefusedRequestError(TOO_MANY_VALUES)
    asked, read = _of_bounded_text(_from_body(body)), endpoint.schema.documents.read
    if has_many and not _asks_for(read(asked.query), TREE_FIELD):
        raise RefusedRequestError(TOO_MANY_VALUES)
    if is_long:
        if not _asks_for(read(asked.query), LONG_FIELD):
            raise _too_large(sizes.body)
        await asyncio.sleep(0)  # what is executed then decodes megabytes once more
    return asked


async def _body(endpoint: GraphQLEndpoint, request: Request[Any, Any, Any], caller: Caller, held: ExitStack) -> bytes:
    """Read the body. A long one costs a write before it is read, and its place among them is `held` until the answer."""
    sizes, arrived, declared = endpoint.sizes, bytearray(), request.content_length or 0
    if declared > sizes.long_body:
        raise _too_large(sizes.long_body)
    is_long = declared > sizes.body
    if is_long:
        _admit_long_body(endpoint, request, caller, held)
    async for part in stream(request.receive):
        arrived += part
        if len(arrived) > sizes.long_body:
            raise _too_large(sizes.long_body)
        if not is_long and len(arrived) > sizes.body:
            is_long = True
            _admit_long_body(endpoint, request, caller, held)
    return bytes(arrived)


def _admit_long_body(
    endpoint: GraphQLEndpoint, request: Request[Any, Any, Any], caller: Caller, held: ExitStack
) -> None:
    """Admit a long body, for the price of a write; raises RejectionError."""
    if not held.enter_context(endpoint.long_bodies.holding(caller.user_id)):
        raise RejectionError(TOO_MANY_LONG)
    if endpoint.limiter:
        spend(endpoint.limiter, endpoint.limiter.rates.writes, request_context(request.scope))


def _of_bounded_text(asked: GraphQLRequest) -> GraphQLRequest:
    if len(asked.query) > MAX_QUERY_LENGTH:
        raise RefusedRequestError(query_too_long())
    return asked


def _from_body(body: bytes) -> GraphQLRequest:
    try:
        return msgspec.json.decode(body, type=GraphQLRequest)
    except msgspec.ValidationError as error:
        raise RefusedRequestError(bad_request(f"the body is no GraphQL request: {error}")) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise RefusedRequestError(bad_request("the body is not valid JSON")) from None


def _from_query(given: Mapping[str, Any]) -> GraphQLRequest:
    members: dict[str, Any] = {name: values[-1] for name, values in given.items() if values[-1]}
    try:
        for name in ("variables", "extensions"):
            if name in members:
                members[name] = msgspec.json.decode(members[name])
        return msgspec.convert(members, GraphQLRequest)
    except msgspec.ValidationError as error:
        raise RefusedRequestError(bad_request(f"the query string is no GraphQL request: {error}")) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise RefusedRequestError(bad_request("`variables` and `extensions` must be JSON")) from None


def _asks_for(read: ParsedDocument, field: str) -> bool:
    """Whether a document asks for nothing but this field, however often."""
    chosen = [each for operation in read.operations for each in operation.selection_set.selections]
    return {each.name.value if isinstance(each, FieldNode) else None for each in chosen} == {field}


def _too_large(most: int) -> RefusedRequestError:
    return RefusedRequestError(Rejection(Code.PAYLOAD_TOO_LARGE, f"the body must be at most {most} bytes"))


async def _run(
    endpoint: GraphQLEndpoint, asked: GraphQLRequest, context: Any, method: str
) -> ExecutionResult | GraphQLExecutionResult:
    schema, prepared = endpoint.schema, endpoint.prepared
    if not asked.query and "persistedQuery" in (asked.extensions or {}):
        return ExecutionResult(data=None, errors=[NO_PERSISTED_QUERIES])
    if prepared and (found := prepared.find(asked.query, asked.operation_name, method)):
        return await prepared.run(found, asked.variables, context)
    if asked.query and (errors := schema.documents.read(asked.query).errors):
        return ExecutionResult(data=None, errors=[*errors])
    allowed = {OperationType.QUERY} if method == "GET" else {OperationType.QUERY, OperationType.MUTATION}
    try:
        return await schema.execute(
            asked.query,
            asked.variables,
            context,
            operation_name=asked.operation_name,
            allowed_operation_types=allowed,
        )
    except MissingQueryError:
        raise RefusedRequestError(bad_request("`query` must hold a document")) from None
    except CannotGetOperationTypeError:
        said = "`operationName` must name an operation of the document"
        return ExecutionResult(data=None, errors=[request_error(said)])
    except InvalidOperationTypeError as error:
        if error.operation_type is OperationType.SUBSCRIPTION:
            return ExecutionResult(data=None, errors=[request_error("subscriptions run over a WebSocket at this path")])
        raise RefusedRequestError(
            Rejection(Code.METHOD_NOT_SUPPORTED, "mutations need POST"), {"allow": "POST"}
        ) from None


def _answer(result: ExecutionResult | GraphQLExecutionResult, media: str) -> Response[bytes]:
    errors = [mask_error(error) for error in result.errors or ()]
    waits = [seconds for error in errors if (seconds := retry_after(error))]
    headers = {"retry-after": str(max(waits))} if waits else None
    ran = result.data is not None or any(error.path for error in errors)
    body: dict[str, Any] = {"errors": [error.formatted for error in errors]} if errors else {}
    if ran:
        body["data"] = result.data
    return _sent(body, media, 200 if ran or media == JSON else 400, headers)


def _sent(body: object, media: str, status: int, headers: Mapping[str, str] | None = None) -> Response[bytes]:
    return Response(
        msgspec.json.encode(body), status_code=status, media_type=f"{media}; charset=utf-8", headers=headers
    )


def _media(accept: str) -> str:
    """The better of the two media types for an `accept` header; plain JSON where it names neither."""
    weights: dict[str, float] = {}
    for entry in accept.lower().split(","):
        kind, *parameters = (part.strip() for part in entry.split(";"))
        weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        weights[kind] = float(weight) if weight.replace(".", "", 1).isdecimal() else 0.0
    return RESPONSE if weights.get(RESPONSE, 0.0) > 0 and weights[RESPONSE] >= weights.get(JSON, 0.0) else JSON


def _wants_page(scope: HTTPScope) -> bool:
    asks = Request[Any, Any, Any](scope)
    return asks.method in SAFE and "query" not in asks.query_params and "text/html" in asks.headers.get("accept", "")


# An ASGI server raises an OSError for what is sent after the other side has closed.
_GONE: Final = (WebSocketDisconnect, OSError)


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
