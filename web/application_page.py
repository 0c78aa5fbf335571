"""Serves the web application: one page at a fixed list of addresses, and its assets.

The page is the same for every id, known, unknown or hidden: what may be seen is asked at `/graphql` by the reader's session.
It carries the first data (who reads, and their drives), so that the frame is drawn without another request.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from markupsafe import Markup

from contract.errors import RejectionError
from edge.compression import accepts
from web.built_application import Asset, BuiltApplication
from web.context import PageRequest, WebContext
from web.operations import CHANGES_CURSOR, ITEM_PLACE, SIDEBAR
from web.pages import FOR_EVER, HEADERS, readable, render
from web.published import FRAMED
from web.session import Visitor

PLAIN: Final = "plain"
"""In the query of an address that has a read-only page, too: show that one, which needs no script."""
ONLY_HERE: Final = (
    "/recent",
    "/starred",
    "/trash",
    "/search",
    "/doc/{document_id:str}/history",
    "/agents",
    "/agents/{name:str}",
)
"""The addresses that nothing but the application serves; `web.items` serves the others both ways."""


def application_handlers(context: WebContext) -> list[HTTPRouteHandler]:
    """Return the handlers of the assets, and of the addresses that have no read-only page."""
    built = context.application
    if built is None:
        return []

    @readable("/static/app/{name:str}", include_in_schema=False)
    async def asset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
        found = built.assets.get(name)
        if found is None:
            raise NotFoundException
        return asset_answer(request, found)

    @readable(list(ONLY_HERE))
    async def screen(request: PageRequest) -> Response[Any]:
        return await application_page(context, built, await context.require_reader(request), has_plain=False)

    @readable("/chart")
    async def chart() -> Response[str]:
        headers = {**HEADERS, **FRAMED}
        return Response(render("chart.html", body=None), media_type="text/html", headers=headers)

    return [asset, chart, screen]


def asset_answer(request: Request[Any, Any, Any], found: Asset) -> Response[bytes]:
    """Answer with an asset in the first of its encodings that the client takes."""
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    for coding, content in found.encoded.items():
        if accepts(coding.encode(), request.scope["headers"]):
            headers["content-encoding"] = coding
            return Response(content, media_type=found.media_type, headers=headers)
    return Response(found.content, media_type=found.media_type, headers=headers)


def application_of(context: WebContext, request: PageRequest) -> BuiltApplication | None:
    """Return the application where it serves a request at an address that has a read-only page, too."""
    return None if PLAIN in request.query_params else context.application


async def application_page(
    context: WebContext,
    built: BuiltApplication,
    visitor: Visitor,
    *,
    modules: Sequence[str] = (),
    has_plain: bool = True,
    item_id: str | None = None,
) -> Response[str]:
    """Return the application's page with its first data: `viewer`, `drives`, the token of the form that signs out, and whether mail is sent.

    `modules` are what the screen needs beside those of every page. Of an item's page, `item_id` is its id: its first data has the
    item and where it lies, unless the reader sees none, whatever the reason.
    """
    # INVARIANT: read before the data to show, so that each change is in that data or comes over the subscription
    place = await context.run(visitor, CHANGES_CURSOR)
    shown = await context.run(visitor, SIDEBAR)
    own = {"csrf": visitor.csrf, "mails": context.accounts.mailer.delivers, **place["viewer"]}
    if item_id is not None:
        own |= await _item(context, visitor, item_id)
    first = msgspec.json.encode({**shown, **own}).decode()
    # nothing in it ends the element that holds it
    text = render(
        "application.html",
        built=built,
        modules=(*built.modules, *modules),
        boot=Markup(first.replace("<", "\\u003c")),  # noqa: S704 - see the comment above
        has_plain=has_plain,
    )
    return Response(
        text, media_type="text/html", headers=HEADERS | {"content-security-policy": _policy(context.origin)}
    )


async def _item(context: WebContext, visitor: Visitor, item_id: str) -> dict[str, Any]:
    try:
        return {"item": (await context.run(visitor, ITEM_PLACE, id=item_id))["driveItem"]}
    except RejectionError:  # the screen asks, and says so
        return {}


def _policy(origin: str) -> str:
    """Return what the application may load."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; manifest-src 'self'; "
        f"connect-src {with_sockets(origin)}; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


def with_sockets(origin: str) -> str:
    """Return the source of our own addresses and sockets; Safari before 15.4 does not count sockets as `'self'`."""
    return f"'self' {origin.replace('http', 'ws', 1)}"
