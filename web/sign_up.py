"""Pages that send links by e-mail, and that make accounts, reset passwords and verify addresses by such links."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response, post, route
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from accounts.access import read_access
from accounts.email_links import read_link, send_recovery_link
from accounts.emails import item_path, next_query
from accounts.mail_limits import EMAILS_TO_ADDRESS
from accounts.passwords import reset_password
from accounts.sign_up import sign_up
from accounts.verification import read_verification, verify_email
from contract.errors import unwrap
from domain.email_link import Purpose
from domain.errors import Rejection
from domain.values import email
from edge.rate_limit import Rate
from web.context import Form, PageRequest, WebContext, address_of
from web.pages import page, readable, redirect
from web.redirects import HOME
from web.sign_in_flow import browser_of, parse_name, parse_password, signed_in

LINKS_ASKED_FOR: Final = Rate("letters-asked-for", 20, 3_600.0)  # by one network address
VERIFY_PATHS: Final = [
    "/verify/{secret:str}",
    "/prove/{secret:str}",
]  # links mailed by earlier versions lead to the second


@route(["/sign-up", "/sign-up/{secret:str}"], http_method=["GET", "HEAD", "POST"], status_code=403)
async def closed() -> Response[Any]:
    """Answer without looking at anything: no link makes an account, whenever it was mailed."""
    return page("closed.html", status=403)


def sign_up_pages(context: WebContext) -> list[HTTPRouteHandler]:
    sign_up_open = context.accounts.sign_up_open
    paths = ["/sign-up", "/forgotten"] if sign_up_open else ["/forgotten"]
    by_link = _sign_up_pages(context) if sign_up_open else [closed]
    return [*_request_pages(context, paths), *by_link, *_reset_pages(context), *_verification_pages(context)]


def _request_pages(context: WebContext, paths: list[str]) -> list[HTTPRouteHandler]:
    @readable(paths)
    async def show(request: PageRequest) -> Response[Any]:
        return _request_form(request, request.query_params, sent=request.query_params.get("notice") == "sent")

    @post(paths, status_code=200)
    async def send(request: PageRequest) -> Response[Any]:
        return await _send(context, request)

    return [show, send]


async def _send(context: WebContext, request: PageRequest) -> Response[Any]:
    """Send a link; the answer is the same whether or not the address has an account."""
    form = await context.form(request, None)
    given = form.get("email", "").strip()
    address = email(given)
    if isinstance(address, Rejection):
        faults = {"email": "Enter an address such as ada@example.com"}
        return _request_form(request, form, status=400, email=given, faults=faults)
    context.spend(request, LINKS_ASKED_FOR, address_of(request))
    if context.limiter is None or context.limiter.spend(EMAILS_TO_ADDRESS, address).allowed:
        await send_recovery_link(context.accounts, address, next_query(_next(form)))
    query = {"notice": "sent"} | ({"next": path} if (path := _next(form)) else {})
    return redirect(f"{request.scope['path']}?{urlencode(query, safe='/')}")


def _next(values: Mapping[str, str]) -> str | None:
    """Return the path of the item's page that a form or query leads on to."""
    return item_path(values.get("next"))


def _request_form(request: PageRequest, asked: Mapping[str, str], **values: Any) -> Response[Any]:
    given: dict[str, Any] = {"email": "", "faults": {}, "sent": False, "status": 200} | values
    path, onward = request.scope["path"], _next(asked)
    return page(
        "way_in.html", path=path, forgotten=path == "/forgotten", next=onward, onward=next_query(onward), **given
    )


def _sign_up_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/sign-up/{secret:str}")
    async def show(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        link = unwrap(await read_link(context.accounts, secret, Purpose.sign_up))
        path = _next(request.query_params)
        return page("sign_up.html", email=link.email, secret=secret, name="", next=path, faults={})

    @post("/sign-up/{secret:str}", status_code=200)
    async def send(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        return await _sign_up(context, request, secret)

    return [show, send]


async def _sign_up(context: WebContext, request: PageRequest, secret: str) -> Response[Any]:
    form = await context.form(request, None)
    context.try_sign_in(request)
    link = unwrap(await read_link(context.accounts, secret, Purpose.sign_up))
    (name, wrong), (password, weak) = parse_name(form), parse_password(form, link.email)
    context.refund_sign_in(request)
    path = _next(form)
    if faults := wrong | weak:
        return page("sign_up.html", status=400, email=link.email, secret=secret, name=name, next=path, faults=faults)
    context.spend_account(request)
    browser = browser_of(request, await context.visitor(request))
    return signed_in(context, await sign_up(context.accounts, secret, link, name, password, browser), path or HOME)


def _reset_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/reset-password/{secret:str}")
    async def show(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        link = unwrap(await read_link(context.accounts, secret, Purpose.reset_password))
        return page("reset_password.html", email=link.email, secret=secret, next=_next(request.query_params), faults={})

    @post("/reset-password/{secret:str}", status_code=200)
    async def reset(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        return await _reset(context, request, secret, await context.form(request, None))

    return [show, reset]


async def _reset(context: WebContext, request: PageRequest, secret: str, form: Form) -> Response[Any]:
    """Set a new password; whose keys or applications still act is led to the page that ends them."""
    link = unwrap(await read_link(context.accounts, secret, Purpose.reset_password))
    (password, faults), path = parse_password(form, link.email), _next(form)
    if faults:
        return page("reset_password.html", status=400, email=link.email, secret=secret, next=path, faults=faults)
    browser = browser_of(request, await context.visitor(request))
    session = unwrap(await reset_password(context.accounts, secret, link, password, browser))
    acting = any(await read_access(context.accounts, session.account.id))
    return signed_in(context, session, "/settings/access" if acting else path or HOME)


def _verification_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable(VERIFY_PATHS)
    async def show(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        visitor = await context.require_user(request)
        link = unwrap(await read_link(context.accounts, secret, Purpose.verify_email))
        mine = link.user_id == visitor.caller.user_id
        return page("verify_email.html", visitor=visitor, email=link.email, secret=secret, mine=mine, faults={})

    @post(VERIFY_PATHS, status_code=200)
    async def verify(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        return await _verify(context, request, secret)

    return [show, verify]


async def _verify(context: WebContext, request: PageRequest, secret: str) -> Response[Any]:
    """Verify an address where its account is signed in: a link that is merely opened verifies nothing."""
    visitor = await context.require_user(request)
    form = await context.form(request, visitor)
    link = unwrap(await read_verification(context.accounts, visitor.caller, secret))
    password, faults = parse_password(form, link.email)
    if faults:
        return page(
            "verify_email.html", status=400, visitor=visitor, email=link.email, secret=secret, mine=True, faults=faults
        )
    browser = browser_of(request, visitor)
    session = await verify_email(context.accounts, visitor.caller, secret, password, browser)
    return signed_in(context, session, "/settings/profile")
