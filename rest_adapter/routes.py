"""How each row of the contract becomes an address that answers."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Protocol

import structlog
from graphql import GraphQLError
from litestar import Litestar, Request, route
from litestar.enums import HttpMethod
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.response import Response
from litestar.types import ASGIApp, HTTPScope, Receive

from domain.caller import Caller
from domain.errors import NOT_FOUND, Code, Rejection, Unavailable
from domain.values import bad
from graphql_api.errors import RejectionError, rejection_of, unwrap
from graphql_api.operation_schema import Location, OperationSchema, parse_inputs
from graphql_api.operations import Method, Operation
from graphql_api.rates import Buckets, Rate, Rates
from rest_adapter.answers import (
    EMPTY,
    FAULT,
    JSON,
    METHOD_NOT_SUPPORTED,
    TOO_MANY_REQUESTS,
    UNAVAILABLE,
    Answer,
    answer_json,
    encode,
    failure,
)
from rest_adapter.credentials import caller_of
from rest_adapter.edge import Visit, visit_of
from rest_adapter.requests import (
    MAX_BODY,
    Gone,
    idempotency_key,
    only,
    parameters,
    query_inputs,
    read_object,
    refused,
)
from rest_adapter.tags import Tags

type Serve = Callable[[HTTPScope, Receive], Awaitable[Answer]]

# What may be asked for again and again: the answer has an ETag, and need not be sent where it is the same.
CONDITIONAL: Final = frozenset({"documents.read"})
PRIVATE: Final = ((b"cache-control", b"private, no-cache"), (b"vary", b"x-api-key"))
_log: Final = structlog.get_logger("rest")


class Run(Protocol):
    async def __call__(
        self, operation: Operation, caller: Caller, inputs: Mapping[str, object], idempotency_key: str | None
    ) -> object:
        """Return what the operation answers, ready for JSON (None: nothing); raises RejectionError or Unavailable."""
        ...


def serve_row(shape: OperationSchema, run: Run, buckets: Buckets | None, most_body: int = MAX_BODY) -> Serve:
    """Return what answers the operation, in the contract's order: 413, 415, 400, 429, then what the operation says."""
    row = shape.operation
    has_body = bool(shape.placed(Location.BODY))
    rates = buckets.rates if buckets else Rates()
    rate = rates.reads if row.read_only else rates.writes
    tags = Tags() if row.name in CONDITIONAL else None

    async def serve(scope: HTTPScope, receive: Receive) -> Answer:
        visit = visit_of(scope)
        given = await read_object(scope, receive, most_body) if has_body else query_inputs(scope, shape)
        caller = asking(scope, visit)
        key = idempotency_key(scope) if row.method is Method.POST else None
        inputs = unwrap(parse_inputs(shape, _merged(parameters(scope["path_params"]), given)))
        spend(buckets, rate, visit)
        result = await run(row, caller, inputs, key)
        if tags is not None:
            return conditional(scope, result, tags.tag(result))
        return EMPTY if result is None else answer_json(result)

    return serve


def _merged(path: dict[str, object], given: dict[str, object]) -> dict[str, object]:
    if twice := next((name for name in given if name in path), None):
        raise RejectionError(bad(twice, "is in the path: leave it out of the body"))
    return path | given


def asking(scope: HTTPScope, visit: Visit) -> Caller:
    """Return who asks, with all that a request says outside its body found in order."""
    if not visit.path_is_whole:
        raise refused(Code.BAD_REQUEST, "the path is not percent-encoded UTF-8")
    assert visit.caller is not None, "the edge lets nobody else in"
    return unwrap(caller_of(visit.caller, scope["headers"]))


def spend(buckets: Buckets | None, rate: Rate, visit: Visit) -> None:
    if buckets is None or visit.caller is None:
        return
    visit.verdict = buckets.spend(rate, visit.caller.user_id)
    if not visit.verdict.allowed:
        raise RejectionError(TOO_MANY_REQUESTS)


def conditional(scope: HTTPScope, result: object, tag: str) -> Answer:
    """Answer with the ETag, or with 304 to whoever has what it stands for."""
    headers = (*PRIVATE, (b"etag", tag.encode()))
    known = only(scope, b"if-none-match")
    if known and (known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))):
        return Answer(304, headers)
    return Answer(200, (JSON, *headers), encode(result))


def address(path: str, methods: Mapping[str, tuple[str | None, Serve]]) -> HTTPRouteHandler:
    """Return the one handler of a path, so that `Allow` is complete; each method has its operation and what serves it."""
    allow = allowed(methods)

    async def handle(request: Request) -> ASGIApp:  # type: ignore[type-arg]
        scope = request.scope
        if scope["method"] == "OPTIONS":
            return Answer(204, ((b"allow", allow.encode()),))
        visit = visit_of(scope)
        visit.operation, serve = methods[scope["method"]]
        return await _told(serve, scope, request.receive)

    template = path.replace("}", ":str}")
    return route(template, http_method=[HttpMethod(each) for each in (*methods, "OPTIONS")], status_code=200)(handle)


async def _told(serve: Serve, scope: HTTPScope, receive: Receive) -> Answer:
    """Return the answer, or the envelope of whatever went wrong on the way to it."""
    visit = visit_of(scope)
    try:
        return await serve(scope, receive)
    except GraphQLError as error:
        refused = error.rejection if isinstance(error, RejectionError) else rejection_of(error)
        if refused.code is Code.TOO_MANY_REQUESTS:
            return failure(refused, (b"retry-after", b"%d" % (visit.verdict.retry_after if visit.verdict else 1)))
        return failure(refused)
    except Unavailable:
        return failure(UNAVAILABLE)


def allowed(methods: Mapping[str, object]) -> str:
    return ", ".join(sorted({*methods, "OPTIONS", *({"HEAD"} if "GET" in methods else ())}))


class Bare(Litestar):
    """Litestar without the plugins that it looks for by itself: pydantic's took 11 MB, and nothing here is pydantic's."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def application(handlers: list[HTTPRouteHandler]) -> Litestar:
    """Return Litestar with these addresses and nothing of its own: no OpenAPI, no error bodies, no logging."""
    return Bare(
        route_handlers=handlers,
        exception_handlers={NotFoundException: as_response, HTTPException: as_response, Exception: as_response},
        openapi_config=None,
        logging_config=None,
        debug=False,
    )


def as_response(request: Request, error: Exception) -> Response[bytes]:  # type: ignore[type-arg]
    """Return the envelope for what Litestar itself has to say."""
    match error:
        case Gone():
            raise error
        case Unavailable():
            answer = failure(UNAVAILABLE)
        case NotFoundException():
            answer = failure(NOT_FOUND)
        case MethodNotAllowedException():
            methods = dict.fromkeys((error.headers or {})["allow"].split(", "))
            answer = failure(METHOD_NOT_SUPPORTED, (b"allow", allowed(methods).encode()))
        case HTTPException(status_code=400):
            answer = failure(Rejection(Code.BAD_REQUEST, "the request is malformed: its host is no host"))
        case _:
            _log.error("request failed", request_id=visit_of(request.scope).request_id.decode(), exc_info=error)
            answer = failure(FAULT)
    headers = {name.decode(): value.decode() for name, value in answer.headers if name != b"content-type"}
    return Response(answer.body, status_code=answer.status, headers=headers, media_type="application/json")
