"""How the REST surface is put together: Litestar with one address for each path of the contract, inside the edge."""

import asyncio
from typing import Final

import msgspec
from litestar.types import HTTPScope, Receive

from graphql_api.contract import Contract
from graphql_api.operations import Surface
from graphql_api.rates import Buckets
from rest_adapter.answers import JSON, Answer
from rest_adapter.credentials import Authenticate, by_key
from rest_adapter.edge import Edge, Observe, Pause, unobserved
from rest_adapter.images import Gallery, serve_image, serve_upload
from rest_adapter.openapi import openapi, page
from rest_adapter.requests import MOST_BODY
from rest_adapter.routes import Run, Serve, address, application, serve_row

BASE: Final = "/api/v1"
DESCRIPTION: Final = f"{BASE}/openapi.json"
PAGE: Final = f"{BASE}/docs"
IMAGE: Final = "/images/{imageId}"
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
    gallery: Gallery,
    buckets: Buckets | None,
    most_body: int = MOST_BODY,
    observe: Observe = unobserved,
    pause: Pause = asyncio.sleep,
) -> Edge:
    """Return the application for everything under `/api/v1` and `/images`; `buckets` None: nothing is limited."""
    by_path: dict[str, dict[str, tuple[str | None, Serve]]] = {}
    for name, shape in contract.shapes.items():
        row = shape.operation
        if Surface.REST in row.surfaces:
            upload = row.document is None
            serve = serve_upload(shape, gallery, buckets) if upload else serve_row(shape, run, buckets, most_body)
            by_path.setdefault(BASE + row.path, {})[row.method.value] = (name, serve)
    by_path[IMAGE] = {"GET": ("images", serve_image(gallery, buckets))}
    described = Answer(200, (JSON, _PUBLIC), msgspec.json.encode(openapi(contract)))
    by_path[DESCRIPTION] = {"GET": (None, _constant(described))}
    by_path[PAGE] = {"GET": (None, _constant(Answer(200, (*_HTML, _PUBLIC), page(contract).encode())))}
    litestar = application([address(path, methods) for path, methods in by_path.items()])
    return Edge(litestar, by_key(authenticate), buckets, frozenset({DESCRIPTION, PAGE}), observe, pause)


def _constant(answer: Answer) -> Serve:
    async def serve(_scope: HTTPScope, _receive: Receive) -> Answer:
        return answer

    return serve
