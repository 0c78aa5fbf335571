"""Everything that people see, as one router: each group of pages is a function that returns its handlers."""

from litestar import Router

from web.errors import as_page
from web.pages import STATIC
from web.site import MOST_FORM, Site


def web_handlers(site: Site) -> list[Router]:
    """Return the routers for the application; whatever goes wrong in them is told as a page."""
    del site
    handlers = [STATIC]
    return [
        Router(
            "/",
            route_handlers=handlers,
            exception_handlers={Exception: as_page},
            include_in_schema=False,
            request_max_body_size=MOST_FORM,
        )
    ]
