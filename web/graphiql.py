"""Serves GraphiQL, the page that a browser is shown at `/graphql`, under a policy of its own, and what it loads.

Its editor draws with styles in attributes, so that its policy allows these, and no script but ours.
"""

from collections.abc import Callable
from typing import Any

from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from web.application_page import asset_answer, with_sockets
from web.built_application import GRAPHIQL_AT, asset
from web.context import WebContext
from web.pages import HEADERS, readable, render


def graphiql_page(context: WebContext) -> Callable[[], Response[str]] | None:
    """Return what makes the answer with the page, or None where it is not served."""
    if context.graphiql is None:
        return None
    headers = HEADERS | {"content-security-policy": _policy(context.origin)}
    text = render("graphiql.html", built=context.graphiql)
    return lambda: Response(text, media_type="text/html", headers=headers)


def graphiql_handlers(context: WebContext) -> list[HTTPRouteHandler]:
    """Return the handler of its assets, of which nothing is kept in memory."""
    built = context.graphiql
    if built is None:
        return []

    @readable(f"{GRAPHIQL_AT}{{name:str}}", include_in_schema=False, sync_to_thread=True)
    def graphiql_asset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
        found = built.assets.get(name)
        if found is None:
            raise NotFoundException
        return asset_answer(request, asset(found))

    return [graphiql_asset]


def _policy(origin: str) -> str:
    """Return what the page may load; fonts and pictures of its style sheet are written in it."""
    return (
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        f"font-src 'self' data:; connect-src {with_sockets(origin)}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
