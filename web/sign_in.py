"""Pages that sign people in, with a password or a one-time link, and out."""

from typing import Any, Final

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from accounts.email_links import read_link
from accounts.emails import next_query
from accounts.passwords import has_password
from accounts.sign_in import sign_in_with_link, sign_in_with_password
from contract.errors import unwrap
from domain.email_link import Purpose
from domain.errors import Rejection
from domain.values import email
from web.context import PageRequest, WebContext
from web.pages import keep_opener, page, readable, redirect
from web.redirects import AUTHORIZE, HOME, own_path
from web.sign_in_flow import browser_of, signed_in

WRONG: Final = "The address or the password is wrong"


def sign_in_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/sign-in")
    async def show(request: PageRequest) -> Response[Any]:
        path = own_path(request.query_params.get("next"))
        if await context.visitor(request):
            return _keep_opener_of(path, redirect(path))
        return _keep_opener_of(path, _form(context, path))

    @post("/sign-in", status_code=200)
    async def sign_in(request: PageRequest) -> Response[Any]:
        return await _sign_in(context, request)

    @readable("/sign-in/{secret:str}")
    async def show_link(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        visitor = await context.visitor(request)
        link = unwrap(await read_link(context.accounts, secret, Purpose.sign_in))
        return page("sign_in_link.html", visitor=visitor, email=link.email, secret=secret)

    @post("/sign-in/{secret:str}", status_code=200)
    async def use_link(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        return await _use_link(context, request, secret)

    @post("/sign-out", status_code=200)
    async def sign_out(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        await context.form(request, visitor)
        await context.run(visitor, "EndSession", id=visitor.session.id)
        return redirect("/sign-in", context.cookies.clear())

    return [show, sign_in, show_link, use_link, sign_out]


def _form(context: WebContext, path: str, **values: Any) -> Response[Any]:
    given = {"email": "", "faults": {}} | values
    sign_up_open = context.accounts.sign_up_open
    return page("sign_in.html", next=path, onward=next_query(path), sign_up_open=sign_up_open, **given)


async def _sign_in(context: WebContext, request: PageRequest) -> Response[Any]:
    form = await context.form(request, None)
    context.try_sign_in(request)
    path, given = own_path(form.get("next")), form.get("email", "").strip()
    address = email(given)
    session = await sign_in_with_password(
        context.accounts,
        None if isinstance(address, Rejection) else address,
        form.get("password", ""),
        browser_of(request, await context.visitor(request)),
    )
    if session is None:
        return _keep_opener_of(path, _form(context, path, status=400, email=given, faults={"email": WRONG}))
    answer = signed_in(context, session, path)
    context.refund_sign_in(request)
    return _keep_opener_of(path, answer)


def _keep_opener_of(path: str, answer: Response[Any]) -> Response[Any]:
    """Keep the window of an application that sent somebody here."""
    return keep_opener(answer) if path.startswith(AUTHORIZE) else answer


async def _use_link(context: WebContext, request: PageRequest, secret: str) -> Response[Any]:
    """Sign in by a link: only by a form, since whatever previews a link would use it up."""
    visitor = await context.visitor(request)
    await context.form(request, visitor)
    session = unwrap(await sign_in_with_link(context.accounts, secret, browser_of(request, visitor)))
    knows = await has_password(context.accounts, session.account.email)
    return signed_in(context, session, HOME if knows else "/settings/profile#password")
