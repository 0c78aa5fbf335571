"""How somebody signs in and out: with a password, or with a link that is good once."""

from typing import Any, Final

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from domain.errors import NOT_FOUND, Rejection
from domain.link import Purpose
from domain.questions import AccountOf, PasswordOf
from domain.values import email
from graphql_api.ports import StateReader
from web.entry import Found, by_password, enter, link_of, used
from web.next import ASKED, going_on, own_path
from web.pages import keep_opener, page, readable, see
from web.site import PageRequest, Site

WRONG: Final = "The address or the password is wrong"


def sign_in_pages(site: Site) -> list[HTTPRouteHandler]:
    @readable("/sign-in")
    async def show(request: PageRequest) -> Response[Any]:
        wanted = own_path(request.query_params.get("next"))
        if await site.visitor(request):
            return _for(wanted, see(wanted))
        return _for(wanted, _form(site, wanted))

    @post("/sign-in", status_code=200)
    async def sign_in(request: PageRequest) -> Response[Any]:
        return await _sign_in(site, request)

    @readable("/sign-in/{secret:str}")
    async def show_link(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        visitor = await site.visitor(request)
        link = await link_of(site, secret, Purpose.sign_in)
        return page("sign_in_link.html", visitor=visitor, email=link.email, secret=secret)

    @post("/sign-in/{secret:str}", status_code=200)
    async def use_link(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        return await _use_link(site, request, secret)

    @post("/sign-out", status_code=200)
    async def sign_out(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        await site.form(request, visitor)
        await site.act(visitor, "EndSession", id=visitor.session.id)
        return see("/sign-in", site.cookies.clear())

    return [show, sign_in, show_link, use_link, sign_out]


def _form(site: Site, wanted: str, **values: Any) -> Response[Any]:
    given = {"email": "", "faults": {}} | values
    return page("sign_in.html", next=wanted, onward=going_on(wanted), sign_up_open=site.sign_up_open, **given)


async def _sign_in(site: Site, request: PageRequest) -> Response[Any]:
    form = await site.form(request, None)
    site.try_sign_in(request)
    wanted, given = own_path(form.get("next")), form.get("email", "").strip()
    address = email(given)
    entered = await by_password(
        site, request, None if isinstance(address, Rejection) else address, form.get("password", "")
    )
    if entered is None:
        return _for(wanted, _form(site, wanted, status=400, email=given, faults={"email": WRONG}))
    site.signed_in(request)
    return _for(wanted, see(wanted, entered.cookie))


def _for(wanted: str, answer: Response[Any]) -> Response[Any]:
    """Keep the window of an application that sent somebody here."""
    return keep_opener(answer) if wanted.startswith(ASKED) else answer


async def _use_link(site: Site, request: PageRequest, secret: str) -> Response[Any]:
    """Sign in by a link: only by a form, since whatever previews a link would use it up."""
    visitor = await site.visitor(request)
    await site.form(request, visitor)

    async def find(ask: StateReader) -> Found | Rejection:
        decided = await used(ask, site, secret, Purpose.sign_in)
        if isinstance(decided, Rejection):
            return decided
        link, event = decided
        account = await ask.read(AccountOf(link.user_id or ""))
        return NOT_FOUND if account is None else (account, (event,))

    entered = await enter(site, request, find)
    held = await site.store.read(PasswordOf(entered.account.email))
    return see("/" if held and held.password_hash else "/settings/profile#password", entered.cookie)
