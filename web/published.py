"""Serves published documents to anybody: as pages, as Markdown, with their images.

The publication is read with each request, so what is unpublished or in the trash is gone at once; rendered pages are
cached by what they were rendered from. The page may run nothing (charts: our own two scripts), asks for nothing elsewhere,
and is sandboxed into an origin of its own: it never shares the session of its reader.
"""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from cachetools import LRUCache
from litestar import Request, Response, Router
from litestar.params import FromPath
from markupsafe import Markup

from computing.jobs import WRITE_PAGE
from computing.runner import JobRunner
from contract.errors import RejectionError
from contract.scalars import timestamp_text
from documents.markdown.addresses import IMAGE_IDS
from documents.markdown.html import Html
from documents.markdown.html_inline import Picture
from domain.document import IMAGE_EXTENSIONS
from domain.errors import NOT_FOUND
from domain.questions import Published
from edge.rate_limit import Rate, RateLimiter
from edge.requests import knows
from graphql_api.ports import Blobs, LiveDocuments
from web.context import address_of, count_or_refuse
from web.errors import as_page
from web.pages import readable, render

HTML: Final = "text/html"
MARKDOWN: Final = "text/markdown"
READS: Final = Rate("published-reads", 1_200)
MAX_CACHE_BYTES: Final = 32 * 2**20
_NOTHING: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PLAIN: Final = f"{_NOTHING}; img-src 'self'; style-src 'self'; font-src 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
WITH_CHARTS: Final = f"{PLAIN} allow-scripts; script-src 'self'"
FRAMED: Final = MappingProxyType(
    {
        "content-security-policy": WITH_CHARTS.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
        "x-frame-options": "SAMEORIGIN",
    }
)
"""Headers of a page with a chart that only our own pages may frame."""
CONFINED: Final = f"{_NOTHING}; sandbox"
# The address is the secret: no page that is linked to may learn it.
_HEADERS: Final = {
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex, nofollow",
}


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A published document in one media type."""

    body: bytes
    media_type: str
    policy: str
    etag: str = field(init=False)

    def __post_init__(self) -> None:
        digest = hashlib.sha256(self.policy.encode() + self.body).hexdigest()
        object.__setattr__(self, "etag", f'"{digest[:32]}"')


class PageCache:
    """Caches rendered pages by slug and media type, while their document is unchanged."""

    def __init__(self, most: int = MAX_CACHE_BYTES) -> None:
        self._made: LRUCache[tuple[str, str], tuple[Published, RenderedPage]] = LRUCache(
            most, lambda kept: len(kept[1].body)
        )

    def find(self, place: tuple[str, str], published: Published) -> RenderedPage | None:
        known = self._made.get(place)
        return known[1] if known and known[0] == published else None

    def keep(self, place: tuple[str, str], published: Published, made: RenderedPage) -> None:
        with suppress(ValueError):  # it is larger than the cache
            self._made[place] = published, made


@dataclass(frozen=True, slots=True)
class Publications:
    """Renders published documents; `read` finds one by its slug, `origin` has no slash at its end."""

    origin: str
    read: Callable[[str], Awaitable[Published | None]]
    documents: LiveDocuments
    blobs: Blobs
    jobs: JobRunner
    kept: PageCache = field(default_factory=PageCache)
    making: dict[tuple[str, str], tuple[Published, asyncio.Task[RenderedPage]]] = field(default_factory=dict)

    async def published(self, slug: str) -> Published:
        """Return the publication of the slug; raises RejectionError where there is none."""
        found = await self.read(slug)
        if found is None:
            raise RejectionError(NOT_FOUND)
        return found

    async def made(self, slug: str, form: str) -> RenderedPage:
        """Return the document of the slug as the media type `form`."""
        published = await self.published(slug)
        place = slug, form
        known = self.kept.find(place, published)
        if known:
            return known
        making = self.making.get(place)
        if making is None or making[0] != published:  # requests meanwhile wait for the same page
            making = self.making[place] = published, asyncio.create_task(self._make(place, published))
            making[1].add_done_callback(lambda _: self.making.pop(place, None))
        return await asyncio.shield(making[1])

    async def _make(self, place: tuple[str, str], published: Published) -> RenderedPage:
        slug, form = place
        read = await self.documents.read(published.item.id, published.sequence)
        address = f"{self.origin}/p/{slug}"
        if form == MARKDOWN:
            made = _markdown(published, read.markdown)
        else:
            path = f"/p/{slug}"
            pictures = {
                each.id: Picture(f"{path}/images/{each.id}", each.width, each.height) for each in published.images
            }
            written = await self.jobs.run(WRITE_PAGE, published.item.id, "", bytes(read.tree), pictures, None)
            made = _page(published, written, path, address)
        self.kept.keep(place, published, made)
        return made


def _page(published: Published, made: Html, path: str, address: str) -> RenderedPage:
    shown = next((each for each in published.images if f'src="{path}/images/{each.id}"' in made.body), None)
    edited = published.item.updated_at
    text = render(
        "published.html",
        title=published.item.name,
        description=made.description,
        url=address,
        path=path,
        picture=f"{address}/images/{shown.id}" if shown else None,
        edited=timestamp_text(edited),
        day=_day(edited),
        made=made,
        body=Markup(made.body),  # noqa: S704 - an allow-list has written it
    )
    return RenderedPage(text.encode(), HTML, WITH_CHARTS if made.charts else PLAIN)


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _markdown(published: Published, markdown: str) -> RenderedPage:
    """Render the Markdown with the document's images at their public addresses."""
    own = {each.id for each in published.images}

    def opened(found: re.Match[str]) -> str:
        return f"/p/{published.item.slug}{found[0]}" if found[1] in own else found[0]

    text = IMAGE_IDS.sub(opened, markdown) if own else markdown
    return RenderedPage(text.encode(), MARKDOWN, CONFINED)


def _wanted(request: Request[Any, Any, Any]) -> str:
    return request.accept.best_match([HTML, MARKDOWN], default=HTML) or HTML


def _answer(request: Request[Any, Any, Any], made: RenderedPage, headers: Mapping[str, str]) -> Response[bytes]:
    sent = {**_HEADERS, **headers, "etag": made.etag, "content-security-policy": made.policy}
    if knows(request.headers.get("if-none-match", ""), made.etag):
        return Response(b"", status_code=304, headers=sent)
    return Response(made.body, media_type=made.media_type, headers=sent)


def published_pages(publications: Publications, limiter: RateLimiter | None = None, rate: Rate = READS) -> Router:
    """Return the pages; reads are counted by network address, since readers are anonymous."""

    async def count(request: Request[Any, Any, Any]) -> None:
        count_or_refuse(request, limiter, rate, address_of(request))

    @readable("/{name:str}")
    async def page(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
        slug, dot, extension = name.partition(".")
        if dot and extension != "md":
            raise RejectionError(NOT_FOUND)
        made = await publications.made(slug, MARKDOWN if dot else _wanted(request))
        return _answer(request, made, {"vary": "accept"} if not dot else {})

    @readable("/{slug:str}/images/{image_id:str}")
    async def image(request: Request[Any, Any, Any], slug: FromPath[str], image_id: FromPath[str]) -> Response[bytes]:
        published = await publications.published(slug)
        known = next((each for each in published.images if each.id == image_id), None)
        content = await publications.blobs.get(known.blob) if known else None
        if known is None or content is None:
            raise RejectionError(NOT_FOUND)
        name = f"{known.id}.{IMAGE_EXTENSIONS[known.content_type]}"
        made = RenderedPage(content, known.content_type, CONFINED)
        return _answer(request, made, {"content-disposition": f'inline; filename="{name}"'})

    return Router(
        "/p",
        route_handlers=[page, image],
        before_request=count,
        exception_handlers={Exception: as_page},
        include_in_schema=False,
    )
