"""Serves GraphQL over HTTP at one path, by the GraphQL over HTTP specification.

The edge admits requests as it does those of REST: what it refuses has REST's body, everything else GraphQL's. Queries use
GET or POST, mutations POST; there are no batches and no uploads. `graphql_adapter.socket` serves the WebSocket at the same path.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Final

import msgspec
from graphql import ExecutionResult as GraphQLExecutionResult
from graphql import GraphQLError
from litestar import Request, Response, WebSocket, route, websocket
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.types import HTTPScope
from strawberry.exceptions import MissingQueryError
from strawberry.http.websocket_origin import normalize_allowed_origins
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from contract.errors import RejectionError, retry_after
from domain.errors import UNAUTHORIZED, Code, Rejection
from edge.app import SAFE, Edge, request_context
from edge.credentials import KEY_CHALLENGE, AccessPoint
from edge.litestar_app import router
from edge.operations import require_caller, spend
from edge.requests import Path
from edge.responses import STATUS, UNAVAILABLE
from graphql_adapter.endpoint import GraphQLEndpoint, rate_of
from graphql_adapter.requests import ALLOW, JSON, GraphQLRequest, RefusedRequestError, read_request
from graphql_adapter.socket import is_own_page
from graphql_adapter.socket_admission import admit_socket
from graphql_api.query_limits import request_error
from graphql_api.request_limits import bad_request, mask_error

PATH: Final = "/graphql"
RESPONSE: Final = "application/graphql-response+json"
# the answer to which clients send the query itself, by its message (Apollo) or its code (urql)
NO_PERSISTED_QUERIES: Final = GraphQLError(
    "PersistedQueryNotSupported", extensions={"code": "PERSISTED_QUERY_NOT_SUPPORTED"}
)


def graphql_app(endpoint: GraphQLEndpoint) -> Edge:
    """Return the application for `PATH` alone."""

    def access_point(scope: HTTPScope, _path: Path | None) -> AccessPoint | None:
        """Return what a request is for; None for the page, which needs no credentials."""
        asks = Request[Any, Any, Any](scope)
        if endpoint.page is None or asks.method not in SAFE or "query" in asks.query_params:
            return AccessPoint.GRAPHQL
        return None if "text/html" in asks.headers.get("accept", "") else AccessPoint.GRAPHQL

    return Edge(
        router(_handlers(endpoint)),
        endpoint.edge,
        access_point,
        KEY_CHALLENGE,
        takes_sockets=True,
        operations={PATH: AccessPoint.GRAPHQL.value},
    )


def _handlers(endpoint: GraphQLEndpoint) -> tuple[HTTPRouteHandler, WebsocketRouteHandler]:
    origins = normalize_allowed_origins(endpoint.origins)

    @route(PATH, http_method=list(HttpMethod), status_code=200, include_in_schema=False)
    async def graphql(request: Request[Any, Any, Any]) -> Response[Any]:
        return await _respond(endpoint, request)

    @websocket(PATH)
    async def graphql_socket(socket: WebSocket[Any, Any, Any]) -> None:
        if is_own_page(socket.headers, origins):
            await admit_socket(endpoint, socket)
        else:
            await socket.close(1008)  # before accepting: the handshake is answered 403

    return graphql, graphql_socket


async def _respond(endpoint: GraphQLEndpoint, request: Request[Any, Any, Any]) -> Response[Any]:
    if request.method == "OPTIONS":
        return Response(b"", status_code=204, headers=ALLOW)
    context, limiter = request_context(request.scope), endpoint.edge.limiter
    if endpoint.page and context.point is None:
        return endpoint.page()
    media = _media(request.headers.get("accept", ""))
    try:
        caller = require_caller(request.scope, context)
        with ExitStack() as held:
            asked = await read_request(endpoint, request, caller, held)
            if asked.query not in endpoint.schema.documents:  # parsing and validating a long one takes milliseconds
                await endpoint.edge.turns.next()
            if limiter and context.rate_limit is None:  # a long body is paid already
                spend(limiter, rate_of(endpoint.schema.documents.read(asked.query), limiter.rates), context)
            async with endpoint.requests.slot(caller.user_id):
                result = await _run(endpoint, asked, endpoint.context_for(caller), request.method)
    except RejectionError as refused:
        if refused.rejection in (UNAUTHORIZED, UNAVAILABLE):  # of the edge, which looked again once the body was there
            raise
        return _refused(refused, media)
    return _answer(result, media)


def _refused(refused: RejectionError, media: str) -> Response[bytes]:
    rejection, headers = refused.rejection, refused.headers if isinstance(refused, RefusedRequestError) else None
    error = GraphQLError(rejection.message, extensions={"code": rejection.code.value})
    return _sent({"errors": [error.formatted]}, media, STATUS[rejection.code], headers)


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
        kind, *parameters = [part.strip() for part in entry.split(";")]
        weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        weights[kind] = float(weight) if weight.replace(".", "", 1).isdecimal() else 0.0
    return RESPONSE if weights.get(RESPONSE, 0.0) > 0 and weights[RESPONSE] >= weights.get(JSON, 0.0) else JSON
