"""Read-only pages of drives, folders and documents, and the home page, for people who are signed in.

What is hidden and what does not exist is one page. A document's page runs no script: each of its charts is a frame whose
page is sandboxed into an origin of its own, since a specification is what somebody else wrote and this page's origin has
the reader's session.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

from litestar import Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from markupsafe import Markup

from computing.jobs import WRITE_CHART, WRITE_PAGE
from contract.errors import RejectionError
from documents.markdown.html_inline import Picture
from domain.errors import NOT_FOUND, Code
from web.application_page import application_of, application_page
from web.context import PageRequest, WebContext
from web.errors import refusal_page
from web.pages import HEADERS, page, path_of, readable, redirect, render
from web.published import CONFINED, FRAMED, MARKDOWN
from web.session import Visitor

READING: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

type Crumbs = list[tuple[str, str]]
"""The way to an item: each place's address and name."""


def item_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/")
    async def home(request: PageRequest) -> Response[Any]:
        return await _either(context, request, partial(_home, context, request))

    @readable("/drive/{drive_id:str}")
    async def drive(request: PageRequest, drive_id: FromPath[str]) -> Response[Any]:
        return await _either(context, request, partial(_drive, context, request, drive_id))

    @readable("/folder/{folder_id:str}")
    async def folder(request: PageRequest, folder_id: FromPath[str]) -> Response[Any]:
        return await _either(context, request, partial(_folder, context, request, folder_id))

    @readable("/doc/{name:str}")
    async def document(request: PageRequest, name: FromPath[str]) -> Response[Any]:
        document_id, dot, extension = name.partition(".")
        if not dot:
            return await _either(context, request, partial(_document, context, document_id))
        visitor = await context.require_reader(request)
        return await _or_missing(
            context, visitor, _markdown(context, visitor, document_id if extension == "md" else "")
        )

    @readable("/doc/{document_id:str}/charts/{digest:str}")
    async def chart(request: PageRequest, document_id: FromPath[str], digest: FromPath[str]) -> Response[Any]:
        visitor = await context.require_reader(request)
        return await _chart(context, visitor, document_id, digest)

    @readable("/shared")
    async def shared(request: PageRequest) -> Response[Any]:
        return await _either(context, request, partial(_shared, context, request))

    return [home, drive, folder, document, chart, shared]


def after(request: PageRequest, name: str = "after") -> str | None:
    """Return the cursor in the query, after which a list continues."""
    return request.query_params.get(name)


async def _or_missing(context: WebContext, visitor: Visitor, found: Awaitable[Response[Any]]) -> Response[Any]:
    """Return the page, or one and the same page for hidden and missing items.

    It says whom the reader is signed in as, since what was shared with another address of theirs is hidden, too.
    """
    try:
        return await found
    except RejectionError as refused:
        if refused.rejection.code is not Code.NOT_FOUND:
            raise
    viewer = (await context.run(visitor, "Missing"))["viewer"]
    return page("missing.html", visitor=visitor, status=404, viewer=viewer)


async def _either(
    context: WebContext, request: PageRequest, plain: Callable[[Visitor], Awaitable[Response[Any]]]
) -> Response[Any]:
    """Return the page of the web application, or the read-only one where that is asked for or nothing else is built."""
    visitor = await context.require_reader(request)
    if built := application_of(context, request):
        kind, _, name = request.url.path.removeprefix("/").partition("/")
        if kind == "doc":
            return await application_page(context, built, visitor, modules=built.editor, item_id=name)
        return await application_page(context, built, visitor)
    return await _or_missing(context, visitor, plain(visitor))


async def _home(context: WebContext, request: PageRequest, visitor: Visitor) -> Response[Any]:
    found = await context.run(visitor, "Home", drivesAfter=after(request, "drives"))
    return page(
        "home.html",
        visitor=visitor,
        viewer=found["viewer"],
        drives=found["drives"],
        shared=found["sharedWithMe"],
        graphiql=context.graphiql is not None,
    )


async def _shared(context: WebContext, request: PageRequest, visitor: Visitor) -> Response[Any]:
    found = (await context.run(visitor, "SharedPage", after=after(request)))["sharedWithMe"]
    return page("shared.html", visitor=visitor, items=found, path="/shared")


async def _drive(context: WebContext, request: PageRequest, drive_id: str, visitor: Visitor) -> Response[Any]:
    found = (await context.run(visitor, "DrivePage", id=drive_id, after=after(request)))["drive"]
    return page("drive.html", visitor=visitor, drive=found, items=found["items"], path=f"/drive/{found['id']}")


async def _folder(context: WebContext, request: PageRequest, folder_id: str, visitor: Visitor) -> Response[Any]:
    found = (await context.run(visitor, "FolderPage", id=folder_id, after=after(request)))["driveItem"]
    if found["driveItemType"] != "folder":
        return redirect(path_of(found["url"]))
    return page(
        "folder.html",
        visitor=visitor,
        folder=found,
        items=found["children"],
        crumbs=_crumbs(found),
        path=path_of(found["url"]),
    )


def _crumbs(item: Mapping[str, Any]) -> Crumbs:
    """Return the way to an item: from its drive, or from what is shared where the reader is no member of it."""
    drive = item["drive"]
    first = (f"/drive/{drive['id']}", drive["name"]) if drive["role"] else ("/shared", "Shared with you")
    return [first, *((path_of(each["url"]), each["name"]) for each in item["ancestors"])]


async def _document(context: WebContext, document_id: str, visitor: Visitor) -> Response[Any]:
    try:
        found = (await context.run(visitor, "DocumentPage", id=document_id))["document"]
    except RejectionError as refused:
        if refused.rejection.code is Code.NOT_A_DOCUMENT:
            return redirect(f"/folder/{document_id}")
        raise
    item = found["item"]
    pictures = {each["id"]: Picture(f"/images/{each['id']}", each["width"], each["height"]) for each in found["images"]}
    path = path_of(item["url"])

    tree = bytes(found["prosemirrorDoc"])
    made = await context.jobs.run(WRITE_PAGE, visitor.caller.credit, "", tree, pictures, f"{path}/charts")
    return page(
        "document.html",
        visitor=visitor,
        csp=READING,
        item=item,
        authors=found["authors"],
        crumbs=_crumbs(item),
        path=path,
        titled=made.titled,
        writable=context.application is not None,
        body=Markup(made.body),  # noqa: S704 - an allow-list has written it
    )


async def _markdown(context: WebContext, visitor: Visitor, document_id: str) -> Response[Any]:
    found = (await context.run(visitor, "DocumentMarkdown", id=document_id))["document"]
    headers = {**HEADERS, "content-security-policy": CONFINED}
    return Response(found["markdown"].encode(), media_type=MARKDOWN, headers=headers)


async def _chart(context: WebContext, visitor: Visitor, document_id: str, digest: str) -> Response[Any]:
    """Return the page of one chart, which only the document's own page may frame."""
    tree = (await context.run(visitor, "DocumentTree", id=document_id))["document"]["prosemirrorDoc"]
    body = await context.jobs.run(WRITE_CHART, visitor.caller.credit, "", bytes(tree), digest)
    if body is None:
        return refusal_page(NOT_FOUND)
    text = render("chart.html", body=Markup(body))  # noqa: S704 - as above
    return Response(text, media_type="text/html", headers={**HEADERS, **FRAMED})
