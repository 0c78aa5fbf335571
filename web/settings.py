"""What people set for themselves: their keys, their profile and password, and where they are signed in."""

from collections.abc import Mapping
from typing import Any

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from domain import session
from domain.errors import Code, Rejection
from domain.key import KeyRevoked
from domain.link import Purpose
from domain.oauth import AppDisconnected
from domain.questions import AppsOf, KeysOf, PasswordOf, SessionsOf
from domain.session import PasswordSet
from domain.values import agent_name, item_name
from graphql_api.errors import RejectionError
from graphql_api.ports import LockScope, Transaction
from graphql_api.rates import Rate
from web.entry import MAX_PASSWORD_LENGTH, send_link
from web.flash import flashed, see_once, shown
from web.pages import page, readable, see
from web.session import Visitor
from web.sign_up import SENT, chosen, named
from web.site import Form, PageRequest, Site

NO_MAIL = Rejection(Code.BAD_REQUEST, "this service sends no mail: ask its operator to confirm your address")
GUESSES = Rate("password-guesses", 20)  # by one account, of its own password


def settings_pages(site: Site) -> list[HTTPRouteHandler]:
    return [*_key_pages(site), *_profile_pages(site), *_access_pages(site)]


def _access_pages(site: Site) -> list[HTTPRouteHandler]:
    @readable("/settings/access")
    async def access(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        user_id = visitor.caller.user_id
        keys, apps = await site.store.read(KeysOf(user_id)), await site.store.read(AppsOf(user_id))
        return page("access.html", visitor=visitor, keys=keys, apps=apps)

    @post("/settings/access/end", status_code=200)
    async def end(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        await site.form(request, visitor)
        user_id = visitor.caller.user_id

        async def work(transaction: Transaction) -> None:
            keys, apps = await transaction.read(KeysOf(user_id)), await transaction.read(AppsOf(user_id))
            revoked = [KeyRevoked(each.id, user_id) for each in keys]
            disconnected = [AppDisconnected(each.id, user_id, each.name) for each in apps]
            await transaction.record([*revoked, *disconnected], visitor.caller.credit, site.clock())

        await site.store.transact(LockScope(), work)
        return see("/settings/access")

    return [access, end]


def _key_pages(site: Site) -> list[HTTPRouteHandler]:
    @readable("/settings")
    async def start(request: PageRequest) -> Response[Any]:
        await site.known(request)
        return see("/settings/keys")

    @readable("/settings/keys")
    async def keys(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        made = flashed(site, request, visitor)
        answer = await _keys(site, visitor, made=made)
        return shown(site, answer) if made else answer

    @post("/settings/keys", status_code=200)
    async def create(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        form = await site.form(request, visitor)
        name, agent = form.get("name", "").strip(), form.get("agent", "").strip()
        faults = _key_faults(name, agent)
        if faults:
            return await _keys(site, visitor, status=400, name=name, agent=agent, faults=faults)
        made = await site.act(visitor, "CreateKey", name=name, agent=agent or None)
        secret, key_id = made["createApiKey"]["secret"], made["createApiKey"]["apiKey"]["id"]
        return see_once(site, visitor, "/settings/keys", {"secret": secret, "id": key_id})

    @post("/settings/keys/{key_id:str}/revoke", status_code=200)
    async def revoke(request: PageRequest, key_id: FromPath[str]) -> Response[Any]:
        visitor = await site.known(request)
        await site.form(request, visitor)
        await site.act(visitor, "RevokeKey", id=key_id)
        return see("/settings/keys")

    return [start, keys, create, revoke]


def _key_faults(name: str, agent: str) -> dict[str, str]:
    faults = {}
    if isinstance(item_name(name), Rejection):
        faults["name"] = "Say what the key is for, in 1 to 255 characters"
    if agent and isinstance(agent_name(agent), Rejection):
        faults["agent"] = "An agent's name has 1 to 64 printable characters"
    return faults


async def _keys(site: Site, visitor: Visitor, **values: Any) -> Response[Any]:
    viewer = (await site.act(visitor, "Keys"))["viewer"]
    given: dict[str, Any] = {"name": "", "agent": "", "faults": {}, "made": None, "status": 200} | values
    organizations = {each["id"]: each["name"] for each in viewer["organizations"]}
    return page(
        "keys.html",
        visitor=visitor,
        keys=viewer["apiKeys"],
        proved=viewer["emailProved"],
        organizations=organizations,
        origin=site.origin,
        **given,
    )


def _profile_pages(site: Site) -> list[HTTPRouteHandler]:
    @readable("/settings/profile")
    async def profile(request: PageRequest) -> Response[Any]:
        said = {"sent": "A link is on its way to your address", "saved": "Saved"}
        visitor = await site.known(request)
        return await _profile(site, visitor, notice=said.get(request.query_params.get("said", "")))

    @post("/settings/profile", status_code=200)
    async def rename(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        name, faults = named(await site.form(request, visitor))
        if faults:
            return await _profile(site, visitor, status=400, name=name, faults=faults)
        await site.act(visitor, "Rename", name=name)
        return see("/settings/profile?said=saved")

    @post("/settings/profile/password", status_code=200)
    async def password(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        return await _change_password(site, visitor, await site.form(request, visitor))

    @post("/settings/profile/prove", status_code=200)
    async def prove(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        await site.form(request, visitor)
        caller = visitor.caller
        if not site.post.delivers:
            raise RejectionError(NO_MAIL)
        site.spend(SENT, caller.email)
        await send_link(site, caller.email, Purpose.prove_address, caller.user_id, caller.name)
        return see("/settings/profile?said=sent")

    @post("/settings/sessions/{session_id:str}/end", status_code=200)
    async def end(request: PageRequest, session_id: FromPath[str]) -> Response[Any]:
        visitor = await site.known(request)
        await site.form(request, visitor)
        await site.act(visitor, "EndSession", id=session_id)
        return see("/settings/profile?said=saved")

    @post("/settings/sessions/end-others", status_code=200)
    async def end_others(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        await site.form(request, visitor)
        await site.act(visitor, "EndOtherSessions")
        return see("/settings/profile?said=saved")

    return [profile, rename, password, prove, end, end_others]


async def _profile(site: Site, visitor: Visitor, **values: Any) -> Response[Any]:
    viewer: Mapping[str, Any] = (await site.act(visitor, "Profile"))["viewer"]
    held = await site.store.read(PasswordOf(visitor.caller.email))
    given: dict[str, Any] = {"name": viewer["name"], "faults": {}, "notice": None, "status": 200} | values
    has_password = bool(held and held.password_hash)
    return page("profile.html", visitor=visitor, viewer=viewer, site=site, has_password=has_password, **given)


async def _change_password(site: Site, visitor: Visitor, form: Form) -> Response[Any]:
    """Set another password, for whoever knows the present one; everywhere else they are signed out."""
    caller = visitor.caller
    held = await site.store.read(PasswordOf(caller.email))
    present = held.password_hash if held else None
    site.spend(GUESSES, caller.user_id)
    password, faults = chosen(form, caller.email)
    if present and not await site.passwords.fits(form.get("present", "")[:MAX_PASSWORD_LENGTH], present):
        faults = {"present": "This is not your present password"} | faults
    if faults:
        return await _profile(site, visitor, status=400, faults=faults)
    password_hash = await site.passwords.hashed(password)

    async def work(transaction: Transaction) -> None:
        others = session.end_all(await transaction.read(SessionsOf(caller.user_id)), but=visitor.session.id)
        await transaction.record([PasswordSet(caller.user_id, password_hash), *others], caller.credit, site.clock())

    await site.store.transact(LockScope(), work)
    return see("/settings/profile?said=saved")
