"""How somebody gets an account, or back into it: by a link to their address, which proves it where it was mailed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response, post, route
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from domain import session
from domain.account import Account, AccountCreated, AccountRenamed, AddressProved, new_password
from domain.errors import NOT_FOUND, Code, Rejection
from domain.events import Event
from domain.link import Link, Purpose
from domain.questions import AccountByEmail, AccountOf, AppsOf, KeysOf, SessionsOf
from domain.session import PasswordSet
from domain.values import Email, email, item_name
from graphql_api.errors import RejectionError
from graphql_api.ports import StateReader
from graphql_api.rates import Rate
from web.entry import Found, enter, link_of, send_way_in, used
from web.next import START, going_on, item_path
from web.pages import page, readable, see
from web.session import Visitor
from web.site import PageRequest, Site, address_of
from web.taking_over import taken_over, touched

ASKED: Final = Rate("letters-asked-for", 20, 3_600.0)  # by one network address
SENT: Final = Rate("letters-sent", 5, 3_600.0)  # to one e-mail address
HAS_ACCOUNT: Final = Rejection(Code.BAD_REQUEST, "this address has an account by now: sign in")

type Faults = dict[str, str]


@route(["/sign-up", "/sign-up/{secret:str}"], http_method=["GET", "HEAD", "POST"], status_code=403)
async def closed() -> Response[Any]:
    """Nothing is looked at: no link makes an account, whenever it was mailed."""
    return page("closed.html", status=403)


def sign_up_pages(site: Site) -> list[HTTPRouteHandler]:
    asked = ["/sign-up", "/forgotten"] if site.sign_up_open else ["/forgotten"]
    by_link = _by_sign_up_link(site) if site.sign_up_open else [closed]
    return [*_asking(site, asked), *by_link, *_by_other_links(site)]


def _asking(site: Site, paths: list[str]) -> list[HTTPRouteHandler]:
    @readable(paths)
    async def show(request: PageRequest) -> Response[Any]:
        return _way_in(request, request.query_params, sent=request.query_params.get("said") == "sent")

    @post(paths, status_code=200)
    async def ask(request: PageRequest) -> Response[Any]:
        return await _ask(site, request)

    return [show, ask]


def _by_sign_up_link(site: Site) -> list[HTTPRouteHandler]:
    @readable("/sign-up/{secret:str}")
    async def show_sign_up(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        link, wanted = await link_of(site, secret, Purpose.sign_up), _wanted(request.query_params)
        return page("sign_up.html", email=link.email, secret=secret, name="", next=wanted, faults={})

    @post("/sign-up/{secret:str}", status_code=200)
    async def sign_up(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        return await _sign_up(site, request, secret)

    return [show_sign_up, sign_up]


def _by_other_links(site: Site) -> list[HTTPRouteHandler]:
    @readable("/reset-password/{secret:str}")
    async def show_reset(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        link, wanted = await link_of(site, secret, Purpose.reset_password), _wanted(request.query_params)
        return page("reset_password.html", email=link.email, secret=secret, next=wanted, faults={})

    @post("/reset-password/{secret:str}", status_code=200)
    async def reset(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        return await _reset(site, request, secret)

    @readable("/prove/{secret:str}")
    async def show_proof(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        visitor = await site.known(request)
        link = await link_of(site, secret, Purpose.prove_address)
        mine = link.user_id == visitor.caller.user_id
        return page("prove.html", visitor=visitor, email=link.email, secret=secret, mine=mine, faults={})

    @post("/prove/{secret:str}", status_code=200)
    async def prove(request: PageRequest, secret: FromPath[str]) -> Response[Any]:
        return await _prove(site, request, secret)

    return [show_reset, reset, show_proof, prove]


async def _ask(site: Site, request: PageRequest) -> Response[Any]:
    """Send a link, and say so whatever became of it: nobody learns here who has an account."""
    form = await site.form(request, None)
    given = form.get("email", "").strip()
    address = email(given)
    if isinstance(address, Rejection):
        faults = {"email": "Enter an address such as ada@example.com"}
        return _way_in(request, form, status=400, email=given, faults=faults)
    site.spend(ASKED, address_of(request))
    if site.buckets is None or site.buckets.spend(SENT, address).allowed:
        await send_way_in(site, address, going_on(_wanted(form)))
    said = {"said": "sent"} | ({"next": wanted} if (wanted := _wanted(form)) else {})
    return see(f"{request.scope['path']}?{urlencode(said, safe='/')}")


def _wanted(values: Mapping[str, str]) -> str | None:
    """Return the item's page that somebody wanted to see, as a form or an address says."""
    return item_path(values.get("next"))


def _way_in(request: PageRequest, asked: Mapping[str, str], **values: Any) -> Response[Any]:
    given: dict[str, Any] = {"email": "", "faults": {}, "sent": False, "status": 200} | values
    path, wanted = request.scope["path"], _wanted(asked)
    return page("way_in.html", path=path, forgotten=path == "/forgotten", next=wanted, onward=going_on(wanted), **given)


def named(form: dict[str, str]) -> tuple[str, Faults]:
    """Return the name in a form, and what is wrong with it."""
    name = item_name(form.get("name", "").strip())
    return (form.get("name", ""), {"name": "Enter your name"}) if isinstance(name, Rejection) else (name, {})


def chosen(form: dict[str, str], address: Email) -> tuple[str, Faults]:
    """Return the new password in a form, and what is wrong with it."""
    password = new_password(form.get("password", ""), address)
    if isinstance(password, Rejection):
        return "", {"password": f"The password {password.message.partition('` ')[2]}"}
    return password, {}


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody says who came by a link to an address; `mailed`: its secret was mailed there, which proves it."""

    name: str
    email: Email
    password_hash: str
    mailed: bool


async def claimed(ask: StateReader, site: Site, claim: Claim) -> Found | None:
    """Return the account of the address with what makes it, or with what takes it over from whoever made it before.

    None where it is somebody's: a proved account, or one that nothing was mailed to.
    """
    known = await ask.read(AccountByEmail(claim.email))
    if known is None:
        made = Account(site.ids(), claim.name, claim.email, email_proved=False, created_at=site.clock())
        begun: list[Event] = [AccountCreated(made, site.ids()), PasswordSet(made.id, claim.password_hash)]
        return made, [*begun, AddressProved(made.id, made.email)] if claim.mailed else begun
    if known.email_proved or not claim.mailed:
        return None
    changed: list[Event] = [AccountRenamed(known.id, claim.name), PasswordSet(known.id, claim.password_hash)]
    return known, [*changed, *await taken_over(ask, known)]


async def _sign_up(site: Site, request: PageRequest, secret: str) -> Response[Any]:
    form = await site.form(request, None)
    site.try_sign_in(request)
    link = await link_of(site, secret, Purpose.sign_up)
    (name, wrong), (password, weak) = named(form), chosen(form, link.email)
    site.signed_in(request)
    if faults := wrong | weak:
        return page(
            "sign_up.html",
            status=400,
            email=link.email,
            secret=secret,
            name=name,
            next=_wanted(form),
            faults=faults,
        )
    site.spend_account(request)
    claim = Claim(name, link.email, await site.passwords.hashed(password), link.mailed)

    async def find(ask: StateReader) -> Found | Rejection:
        decided = await used(ask, site, secret, Purpose.sign_up)
        if isinstance(decided, Rejection):
            return decided
        found = await claimed(ask, site, claim)
        return (found[0], (*found[1], decided[1])) if found else HAS_ACCOUNT

    known = await site.store.read(AccountByEmail(link.email))
    entered = await enter(site, request, find, await touched(site.store, known))
    return see(_wanted(form) or START, entered.cookie)


async def _reset(site: Site, request: PageRequest, secret: str) -> Response[Any]:
    form = await site.form(request, None)
    link = await link_of(site, secret, Purpose.reset_password)
    password, faults = chosen(form, link.email)
    if faults:
        wanted = _wanted(form)
        return page("reset_password.html", status=400, email=link.email, secret=secret, next=wanted, faults=faults)
    password_hash = await site.passwords.hashed(password)

    async def find(ask: StateReader) -> Found | Rejection:
        decided = await used(ask, site, secret, Purpose.reset_password)
        if isinstance(decided, Rejection):
            return decided
        account = await ask.read(AccountOf(link.user_id or ""))
        if account is None:
            return NOT_FOUND
        changed = PasswordSet(account.id, password_hash)
        if link.mailed and not account.email_proved:
            return account, (changed, *await taken_over(ask, account))
        return account, (decided[1], changed, *session.end_all(await ask.read(SessionsOf(account.id))))

    known = await site.store.read(AccountOf(link.user_id or ""))
    entered = await enter(site, request, find, await touched(site.store, known))
    acting = [question(entered.account.id) for question in (KeysOf, AppsOf)]
    left = [await site.store.read(question) for question in acting]
    return see("/settings/access" if any(left) else _wanted(form) or START, entered.cookie)


async def _prove(site: Site, request: PageRequest, secret: str) -> Response[Any]:
    """Prove an address, in a browser where its account is signed in: a link that is merely opened proves nothing.

    The password is set anew, since whoever made the account may know the one that it had.
    """
    visitor = await site.known(request)
    form = await site.form(request, visitor)
    link = await _mine(site, visitor, secret)
    password, faults = chosen(form, link.email)
    if faults:
        return page(
            "prove.html", status=400, visitor=visitor, email=link.email, secret=secret, mine=True, faults=faults
        )
    password_hash = await site.passwords.hashed(password)

    async def find(ask: StateReader) -> Found | Rejection:
        decided = await used(ask, site, secret, Purpose.prove_address)
        account = await ask.read(AccountOf(visitor.caller.user_id))
        if isinstance(decided, Rejection) or account is None:
            return NOT_FOUND
        changed = PasswordSet(account.id, password_hash)
        if account.email_proved:
            return account, (decided[1], changed)
        return account, (changed, *await taken_over(ask, account))

    known = await site.store.read(AccountOf(visitor.caller.user_id))
    entered = await enter(site, request, find, await touched(site.store, known))
    return see("/settings/profile", entered.cookie)


async def _mine(site: Site, visitor: Visitor, secret: str) -> Link:
    """Return the link that proves the visitor's own address; raises RejectionError for any other."""
    link = await link_of(site, secret, Purpose.prove_address)
    if link.user_id != visitor.caller.user_id or not link.mailed:
        raise RejectionError(NOT_FOUND)
    return link
