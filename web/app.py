"""Builds the router of all pages from the handlers of each group."""

from litestar import Router

from web.agents import agent_pages
from web.application_page import application_handlers
from web.context import MAX_FORM, WebContext
from web.errors import as_page
from web.graphiql import graphiql_handlers
from web.invitations import invitation_pages
from web.items import item_pages
from web.organizations import organization_pages
from web.pages import STATIC
from web.settings import settings_pages
from web.sign_in import sign_in_pages
from web.sign_up import sign_up_pages

GROUPS = (
    application_handlers,
    graphiql_handlers,
    item_pages,
    sign_in_pages,
    sign_up_pages,
    invitation_pages,
    settings_pages,
    agent_pages,
    organization_pages,
)


def web_handlers(context: WebContext) -> list[Router]:
    """Return the routers of all pages; their errors are pages, too."""
    return [
        Router(
            "/",
            route_handlers=[STATIC, *(handler for group in GROUPS for handler in group(context))],
            exception_handlers={Exception: as_page},
            include_in_schema=False,
            request_max_body_size=MAX_FORM,
        )
    ]
