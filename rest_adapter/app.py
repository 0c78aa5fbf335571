"""Assembles the REST surface: Litestar with one address for each path of the contract, inside the edge."""

import asyncio
from functools import partial
from typing import Final

import msgspec
from litestar.types import HTTPScope, Receive

from edge.app import Edge, Observe, Pause, unobserved
from edge.credentials import AccessPoint, Authenticator
from edge.in_flight import MAX_ARRIVING, MAX_UNREAD, InFlight
from edge.operations import Run
from edge.rate_limit import RateLimiter
from edge.requests import MAX_BODY, Path, read_object
from edge.responses import JSON, Response
from graphql_api.contract import Contract
from graphql_api.operation_schema import Location, OperationSchema
from graphql_api.operations import Surface
from rest_adapter.images import ImageUploads, document_in_query, few_at_a_time, read_image_file, serve_image
from rest_adapter.openapi import openapi, page
from rest_adapter.routes import Serve, application, route_handler, serve_row

BASE: Final = "/api/v1"
DESCRIPTION: Final = f"{BASE}/openapi.json"
PAGE: Final = f"{BASE}/docs"
IMAGES: Final = "/images"
IMAGE: Final = f"{IMAGES}/{{imageId}}"

_OPEN: Final = frozenset({DESCRIPTION, PAGE})
_PUBLIC: Final = (b"cache-control", b"public, max-age=300")
_HTML: Final = (
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
)


def rest_app(
    contract: Contract,
    *,
    run: Run,
    authenticator: Authenticator,
    gallery: ImageUploads,
    limiter: RateLimiter | None,
    max_body: int = MAX_BODY,
    observe: Observe = unobserved,
    pause: Pause = asyncio.sleep,
    bodies: InFlight | None = None,
    unread: InFlight | None = None,
) -> Edge:
    """Return the application for everything under `/api/v1` and `/images`; `limiter` None: nothing is limited."""
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
    by_path[PAGE] = {"GET": (None, _constant(Response(200, (*_HTML, _PUBLIC), page(contract).encode())))}
    litestar = application([route_handler(path, methods) for path, methods in by_path.items()])
    arriving, leaving = bodies or InFlight(MAX_ARRIVING), unread or InFlight(MAX_UNREAD)
    return Edge(
        litestar,
        limiter,
        observe,
        authenticator,
        access_point,
        b'ApiKey realm="codrive"',
        pause=pause,
        bodies=arriving,
        unread=leaving,
    )


def access_point(scope: HTTPScope, path: Path | None) -> AccessPoint | None:
    """Return what a request is for; None where it needs no credentials."""
    if path and path.text in _OPEN:
        return None
    if path and path.text == IMAGES and scope["method"] == "POST":
        return AccessPoint.IMAGE_UPLOADS
    is_image = path is not None and path.text.startswith(f"{IMAGES}/")
    return AccessPoint.IMAGES if is_image and scope["method"] in ("GET", "HEAD") else AccessPoint.REST


def _served(
    shape: OperationSchema, run: Run, gallery: ImageUploads, limiter: RateLimiter | None, max_body: int
) -> Serve:
    if shape.file:
        read_file = partial(read_image_file, most=gallery.most_bytes)
        return few_at_a_time(serve_row(shape, run, limiter, read_file), gallery)
    return serve_row(shape, run, limiter, partial(read_object, most=max_body) if shape.placed(Location.BODY) else None)


def _constant(answer: Response) -> Serve:
    async def serve(_scope: HTTPScope, _receive: Receive) -> Response:
        return answer

    return serve
