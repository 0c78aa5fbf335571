"""Where somebody lands who is signed in: their drives, and ways to everything else."""

from typing import Any

from litestar import Response
from litestar.handlers import HTTPRouteHandler

from web.pages import page, readable
from web.site import PageRequest, Site


def home_pages(site: Site) -> list[HTTPRouteHandler]:
    @readable("/")
    async def home(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        told = await site.act(visitor, "Home")
        return page("home.html", visitor=visitor, viewer=told["viewer"], drives=told["drives"]["nodes"], demo=site.demo)

    return [home]
