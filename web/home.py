"""The page that people land on who are signed in: their drives, what is shared with them, and ways to everything else."""

from typing import Any

from litestar import Response
from litestar.handlers import HTTPRouteHandler

from web.items import after
from web.pages import page, readable
from web.site import PageRequest, Site


def home_pages(site: Site) -> list[HTTPRouteHandler]:
    @readable("/")
    async def home(request: PageRequest) -> Response[Any]:
        visitor = await site.reader(request)
        told = await site.act(visitor, "Home", drivesAfter=after(request, "drives"))
        return page(
            "home.html",
            visitor=visitor,
            viewer=told["viewer"],
            drives=told["drives"],
            shared=told["sharedWithMe"],
            demo=site.demo,
        )

    return [home]
