"""Assembles the REST surface: Litestar with one address for each path of the contract, inside the edge."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import msgspec
from litestar.types import HTTPScope, Receive

from domain.caller import Caller
from edge.app import Edge, Observe, Pause, unobserved
from edge.credentials import KEY_HEADER, Authenticate, Credentials, by_key, key_in_query
from edge.in_flight import MAX_ARRIVING, MAX_UNREAD, InFlight
from edge.operations import Run
from edge.rate_limit import RateLimiter
from edge.requests import MAX_BODY, normalize_path
from edge.responses import JSON, Response
from graphql_api.contract import Contract
from graphql_api.operations import Surface
from rest_adapter.images import ImageUploads, serve_image, serve_upload
from rest_adapter.openapi import openapi, page
from rest_adapter.routes import Serve, application, route_handler, serve_row

BASE: Final = "/api/v1"
DESCRIPTION: Final = f"{BASE}/openapi.json"
PAGE: Final = f"{BASE}/docs"
IMAGE: Final = "/images/{imageId}"

type Viewer = Callable[[Mapping[str, str]], Awaitable[Caller | None]]
_PUBLIC: Final = (b"cache-control", b"public, max-age=300")
_HTML: Final = (
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
)


def rest_app(
    contract: Contract,
    *,
    run: Run,
    authenticate: Authenticate,
    gallery: ImageUploads,
    limiter: RateLimiter | None,
    max_body: int = MAX_BODY,
    observe: Observe = unobserved,
    pause: Pause = asyncio.sleep,
    viewer: Viewer | None = None,
    bodies: InFlight | None = None,
    unread: InFlight | None = None,
) -> Edge:
    """Return the application for everything under `/api/v1` and `/images`; `limiter` None: nothing is limited.

    `viewer` says who looks at an image in a browser: the one place here where a cookie counts.
    """
    by_path: dict[str, dict[str, tuple[str | None, Serve]]] = {}
    for name, shape in contract.shapes.items():
        row = shape.operation
        if Surface.REST in row.surfaces:
            upload = row.document is None
            serve = serve_upload(shape, gallery, limiter) if upload else serve_row(shape, run, limiter, max_body)
            by_path.setdefault(BASE + row.path, {})[row.method.value] = (name, serve)
    by_path[IMAGE] = {"GET": ("images", serve_image(gallery, limiter))}
    described = Response(200, (JSON, _PUBLIC), msgspec.json.encode(openapi(contract)))
    by_path[DESCRIPTION] = {"GET": (None, _constant(described))}
    by_path[PAGE] = {"GET": (None, _constant(Response(200, (*_HTML, _PUBLIC), page(contract).encode())))}
    litestar = application([route_handler(path, methods) for path, methods in by_path.items()])
    credentials = _also_looked_at(by_key(authenticate), viewer)
    arriving, leaving = bodies or InFlight(MAX_ARRIVING), unread or InFlight(MAX_UNREAD)
    return Edge(
        litestar, credentials, limiter, frozenset({DESCRIPTION, PAGE}), observe, pause, bodies=arriving, unread=leaving
    )


def _also_looked_at(keys: Credentials, viewer: Viewer | None) -> Credentials:
    """Authenticate requests for images by the web session where they carry no key."""
    if viewer is None:
        return keys

    async def identify(scope: HTTPScope) -> Caller | None:
        path = normalize_path((scope.get("raw_path") or scope["path"].encode()).decode("latin-1"))
        image = (
            path is not None and path.text.startswith(IMAGE.partition("{")[0]) and scope["method"] in ("GET", "HEAD")
        )
        shown = key_in_query(scope["query_string"]) or any(name == KEY_HEADER for name, _ in scope["headers"])
        if image and not shown:
            return await viewer({name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]})
        return await keys.identify(scope)

    return Credentials(identify, keys.headers, keys.challenge)


def _constant(answer: Response) -> Serve:
    async def serve(_scope: HTTPScope, _receive: Receive) -> Response:
        return answer

    return serve
