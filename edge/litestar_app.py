"""Litestar as a router of exact paths: without plugins, OpenAPI and logging of its own, its errors in the envelope."""

from collections.abc import Iterable, Mapping
from typing import Final

import structlog
from litestar import Litestar, Request
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.response import Response as LitestarResponse

from contract.errors import RejectionError
from domain.errors import NOT_FOUND, Code, Rejection, Unavailable
from edge.app import request_context
from edge.requests import ClientDisconnected
from edge.responses import FAULT, METHOD_NOT_SUPPORTED, UNAVAILABLE, error_response

_log: Final = structlog.get_logger("http")


def allowed(methods: Mapping[str, object]) -> str:
    return ", ".join(sorted({*methods, "OPTIONS", *({"HEAD"} if "GET" in methods else ())}))


class MinimalLitestar(Litestar):
    """Litestar without the plugins that it looks for by itself: pydantic's took 11 MB, and nothing here is pydantic's."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def router(handlers: Iterable[HTTPRouteHandler | WebsocketRouteHandler]) -> Litestar:
    """Return Litestar with these addresses and nothing of its own: no OpenAPI, no error bodies, no logging."""
    return MinimalLitestar(
        route_handlers=[*handlers],
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
        case RejectionError():
            answer = error_response(error.rejection)
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
            _log.error("request failed", request_id=request_context(request.scope).request_id.decode(), exc_info=error)
            answer = error_response(FAULT)
    headers = {name.decode(): value.decode() for name, value in answer.headers if name != b"content-type"}
    return LitestarResponse(answer.body, status_code=answer.status, headers=headers, media_type="application/json")
