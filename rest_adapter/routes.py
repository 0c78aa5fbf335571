"""Serves each operation of the contract at its path."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import structlog
from graphql import GraphQLError
from litestar import Litestar, Request, route
from litestar.enums import HttpMethod
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.response import Response as LitestarResponse
from litestar.types import ASGIApp, HTTPScope, Receive

from domain.errors import NOT_FOUND, Code, Rejection, Unavailable
from edge.app import context_of
from edge.operations import Run, call_operation
from edge.rate_limit import RateLimiter
from edge.requests import ClientDisconnected, only, query_inputs
from edge.responses import (
    EMPTY,
    FAULT,
    JSON,
    METHOD_NOT_SUPPORTED,
    UNAVAILABLE,
    Response,
    encode,
    error_response,
    json_response,
)
from graphql_api.errors import rejection_of
from graphql_api.operation_schema import OperationSchema
from rest_adapter.etags import ETags

type Serve = Callable[[HTTPScope, Receive], Awaitable[Response]]
type ReadBody = Callable[[HTTPScope, Receive], Awaitable[dict[str, object]]]
"""Reads the inputs that a body holds; raises RejectionError: 413, 415, then 400."""

PRIVATE: Final = ((b"cache-control", b"private, no-cache"), (b"vary", b"x-api-key, accept-encoding"))
_log: Final = structlog.get_logger("rest")


def serve_row(shape: OperationSchema, run: Run, limiter: RateLimiter | None, read: ReadBody | None) -> Serve:
    """Return what answers the operation, in the contract's order: 413, 415, 400, 429, then what the operation says.

    `read` reads its body, if it has one.
    """
    etags = ETags() if shape.operation.conditional else None

    async def serve(scope: HTTPScope, receive: Receive) -> Response:
        body = await read(scope, receive) if read else {}
        given = body | query_inputs(scope, shape)
        result = await call_operation(shape, run, limiter, scope, context_of(scope), given)
        if etags is not None:
            return conditional(scope, result, etags.tag(result))
        return EMPTY if result is None else json_response(result)

    return serve


def conditional(scope: HTTPScope, result: object, tag: str) -> Response:
    """Return the answer with its ETag, or 304 where the client has it already.

    The ETag is weak, since the answer has one for its compressed bytes and for those that are not.
    """
    headers = (*PRIVATE, (b"etag", f"W/{tag}".encode()))
    known = only(scope, b"if-none-match")
    if known and (known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))):
        return Response(304, headers)
    return Response(200, (JSON, *headers), encode(result))


def route_handler(path: str, methods: Mapping[str, tuple[str | None, Serve]]) -> HTTPRouteHandler:
    """Return the one handler of a path, so that `Allow` is complete; each method has its operation and what serves it."""
    allow = allowed(methods)

    async def handle(request: Request) -> ASGIApp:  # type: ignore[type-arg]
        scope = request.scope
        if scope["method"] == "OPTIONS":
            return Response(204, ((b"allow", allow.encode()),))
        context = context_of(scope)
        context.operation, serve = methods[scope["method"]]
        try:
            return await serve(scope, request.receive)
        except GraphQLError as error:
            rejection, rate_limit = rejection_of(error), context.rate_limit
            if rejection.code is Code.TOO_MANY_REQUESTS:
                wait = rate_limit.retry_after if rate_limit else 1
                return error_response(rejection, (b"retry-after", b"%d" % wait))
            return error_response(rejection)
        except Unavailable:
            return error_response(UNAVAILABLE)

    template = path.replace("}", ":str}")
    return route(template, http_method=[HttpMethod(each) for each in (*methods, "OPTIONS")], status_code=200)(handle)


def allowed(methods: Mapping[str, object]) -> str:
    return ", ".join(sorted({*methods, "OPTIONS", *({"HEAD"} if "GET" in methods else ())}))


class MinimalLitestar(Litestar):
    """Litestar without the plugins that it looks for by itself: pydantic's took 11 MB, and nothing here is pydantic's."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def application(handlers: list[HTTPRouteHandler]) -> Litestar:
    """Return Litestar with these addresses and nothing of its own: no OpenAPI, no error bodies, no logging."""
    return MinimalLitestar(
        route_handlers=handlers,
        exception_handlers={NotFoundException: as_response, HTTPException: as_response, Exception: as_response},
        openapi_config=None,
        logging_config=None,
        debug=False,
    )


def as_response(request: Request, error: Exception) -> LitestarResponse[bytes]:  # type: ignore[type-arg]
    """Return the envelope for what Litestar itself has to say."""
    match error:
        case ClientDisconnected():
            raise error
        case Unavailable():
            answer = error_response(UNAVAILABLE)
        case NotFoundException():
            answer = error_response(NOT_FOUND)
        case MethodNotAllowedException():
            methods = dict.fromkeys((error.headers or {})["allow"].split(", "))
            answer = error_response(METHOD_NOT_SUPPORTED, (b"allow", allowed(methods).encode()))
        case HTTPException(status_code=400):
            answer = error_response(Rejection(Code.BAD_REQUEST, "the request is malformed: its host is no host"))
        case _:
            _log.error("request failed", request_id=context_of(request.scope).request_id.decode(), exc_info=error)
            answer = error_response(FAULT)
    headers = {name.decode(): value.decode() for name, value in answer.headers if name != b"content-type"}
    return LitestarResponse(answer.body, status_code=answer.status, headers=headers, media_type="application/json")
