"""The REST surface: serves each operation of the contract at its path, by Litestar inside the edge."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

import msgspec
from graphql import GraphQLError
from litestar import Request, route
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, HTTPScope, Receive

from contract.contract import Contract
from contract.errors import RejectionError, rejection_of, retry_after
from contract.operation_schema import Location, OperationSchema
from contract.operations import MediaType, Surface
from domain.errors import Unavailable
from domain.values import bad
from edge.app import Edge, EdgeParts, request_context
from edge.credentials import KEY_CHALLENGE, AccessPoint
from edge.litestar_app import allowed, router
from edge.operations import Run, operation_call
from edge.rate_limit import RateLimiter
from edge.requests import MAX_BODY, Path, knows, only, query_inputs, read_object
from edge.responses import EMPTY, JSON, PRIVATE, UNAVAILABLE, Response, Serve, encode, error_response, json_response
from rest_adapter.etags import ETags
from rest_adapter.images import ImageUploads, document_in_query, few_at_a_time, read_image_file, serve_image
from rest_adapter.openapi import openapi, reference_page

type ReadBody = Callable[[HTTPScope, Receive], Awaitable[dict[str, object]]]
"""Reads the inputs that a body holds; raises RejectionError: 413, 415, then 400."""

BASE: Final = "/api/v1"
DESCRIPTION: Final = f"{BASE}/openapi.json"
PAGE: Final = f"{BASE}/docs"
IMAGES: Final = "/images"
IMAGE: Final = f"{IMAGES}/{{imageId}}"

BASE_NOT_TAG: Final = bad("If-Match", "is not looked at: send the `revision` that you read as `base`")
_OPEN: Final = frozenset({DESCRIPTION, PAGE})
_PUBLIC: Final = (b"cache-control", b"public, max-age=300")
_HTML: Final = (
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
)


def rest_app(
    contract: Contract, parts: EdgeParts, *, run: Run, gallery: ImageUploads, max_body: int = MAX_BODY
) -> Edge:
    """Return the application for everything under `/api/v1` and `/images`."""
    limiter = parts.limiter
    by_path: dict[str, dict[str, tuple[str | None, Serve]]] = {}
    for name, shape in contract.shapes.items():
        row = shape.operation
        if Surface.REST in row.surfaces:
            serve = _served(shape, run, gallery, limiter, max_body)
            by_path.setdefault(BASE + row.path, {})[row.method.value] = (name, serve)
            if shape.file:  # the one row that sends images is at a second address, which browsers' sessions may use
                by_path[IMAGES] = {"POST": (name, document_in_query(serve))}
    by_path[IMAGE] = {"GET": ("images", serve_image(gallery, limiter))}
    described = Response(200, (JSON, _PUBLIC), msgspec.json.encode(openapi(contract)))
    by_path[DESCRIPTION] = {"GET": (None, _constant(described))}
    by_path[PAGE] = {"GET": (None, _constant(Response(200, (*_HTML, _PUBLIC), reference_page(contract).encode())))}
    litestar = router([route_handler(path, methods) for path, methods in by_path.items()])
    return Edge(litestar, parts, access_point, KEY_CHALLENGE)


def access_point(scope: HTTPScope, path: Path | None) -> AccessPoint | None:
    """Return what a request is for; None where it needs no credentials."""
    if path and path.text in _OPEN:
        return None
    if path and path.text == IMAGES and scope["method"] == "POST":
        return AccessPoint.IMAGE_UPLOADS
    is_image = path is not None and path.text.startswith(f"{IMAGES}/")
    return AccessPoint.IMAGES if is_image and scope["method"] in ("GET", "HEAD") else AccessPoint.REST


def serve_row(shape: OperationSchema, run: Run, limiter: RateLimiter | None, read: ReadBody | None) -> Serve:
    """Return what answers the operation, in the contract's order: 413, 415, 400, 429, then what the operation says.

    `read` reads its body, if it has one.
    """
    etags, call = ETags() if shape.operation.conditional else None, operation_call(shape, run, limiter)
    in_query = {each.name: each for each in shape.placed(Location.QUERY)}

    async def serve(scope: HTTPScope, receive: Receive) -> Response:
        if "base" in shape.inputs and only(scope, b"if-match") is not None:
            raise RejectionError(BASE_NOT_TAG)
        body = await read(scope, receive) if read else {}
        given = body | query_inputs(scope, in_query)
        result = await call(scope, request_context(scope), given)
        if etags is not None:
            return conditional(scope, result, etags.tag(result))
        return EMPTY if result is None else json_response(result)

    return serve


def conditional(scope: HTTPScope, result: object, tag: str) -> Response:
    """Return the answer with its ETag, or 304 where the client has it already.

    The ETag is weak, since the answer has one for its compressed bytes and for those that are not.
    """
    headers = (*PRIVATE, (b"etag", f"W/{tag}".encode()))
    if knows(only(scope, b"if-none-match") or "", tag):
        return Response(304, headers)
    return Response(200, (JSON, *headers), encode(result))


def route_handler(path: str, methods: Mapping[str, tuple[str | None, Serve]]) -> HTTPRouteHandler:
    """Return the one handler of a path, so that `Allow` is complete; each method has its operation and what serves it."""
    allow = allowed(methods)

    async def handle(request: Request) -> ASGIApp:  # type: ignore[type-arg]
        scope = request.scope
        if scope["method"] == "OPTIONS":
            return Response(204, ((b"allow", allow.encode()),))
        request_context(scope).operation, serve = methods[scope["method"]]
        try:
            return await serve(scope, request.receive)
        except GraphQLError as error:
            seconds = retry_after(error)
            return error_response(rejection_of(error), *([(b"retry-after", b"%d" % seconds)] if seconds else ()))
        except Unavailable:
            return error_response(UNAVAILABLE)

    template = path.replace("}", ":str}")
    return route(template, http_method=[HttpMethod(each) for each in (*methods, "OPTIONS")], status_code=200)(handle)


def _served(
    shape: OperationSchema, run: Run, gallery: ImageUploads, limiter: RateLimiter | None, max_body: int
) -> Serve:
    match shape.body:
        case None:
            return serve_row(shape, run, limiter, None)
        case MediaType.JSON:
            return serve_row(shape, run, limiter, partial(read_object, most=max_body))
        case MediaType.MULTIPART:
            read_file = partial(read_image_file, most=gallery.most_bytes)
            return few_at_a_time(serve_row(shape, run, limiter, read_file), gallery)


def _constant(answer: Response) -> Serve:
    async def serve(_scope: HTTPScope, _receive: Receive) -> Response:
        return answer

    return serve
