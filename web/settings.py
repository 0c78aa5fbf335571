"""Pages on which people set their keys, their profile and password, and see where they are signed in."""

from collections.abc import Mapping
from typing import Any

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from accounts.access import end_access, read_access
from accounts.mail_limits import EMAILS_TO_ADDRESS
from accounts.passwords import change_password, check_password, has_password
from accounts.verification import send_verification
from contract.errors import RejectionError
from domain.errors import Code, Rejection
from domain.values import agent_name, item_name
from edge.rate_limit import Rate
from web.context import Form, PageRequest, WebContext
from web.flash import clear_flash, read_flash, redirect_with_flash
from web.pages import page, readable, redirect
from web.session import Visitor
from web.sign_in_flow import parse_name, parse_password

NO_MAIL = Rejection(Code.BAD_REQUEST, "this service sends no mail: ask its operator to confirm your address")
GUESSES = Rate("password-guesses", 20)  # by one account, of its own password
NOTICES = {  # by what the address of the profile names
    "sent": "A link is on its way to your address",
    "saved": "Saved",
    "password": "Your password is changed. Every other browser is signed out; API keys and connected apps still work.",
    "first-password": "Your password is set. Every other browser is signed out.",
    "ended": "Signed out there",
    "ended-others": "You are signed out everywhere else",
}


def settings_pages(context: WebContext) -> list[HTTPRouteHandler]:
    return [*_key_pages(context), *_profile_pages(context), *_access_pages(context)]


def _access_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/settings/access")
    async def access(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        keys, apps = await read_access(context.accounts, visitor.caller.user_id)
        return page("access.html", visitor=visitor, keys=keys, apps=apps)

    @post("/settings/access/end", status_code=200)
    async def end(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        await context.form(request, visitor)
        await end_access(context.accounts, visitor.caller)
        return redirect("/settings/access")

    return [access, end]


def _key_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/settings")
    async def start(request: PageRequest) -> Response[Any]:
        await context.require_user(request)
        return redirect("/settings/keys")

    @readable("/settings/keys")
    async def keys(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        made = read_flash(context, request, visitor)
        answer = await _keys(context, visitor, made=made)
        return clear_flash(context, answer) if made else answer

    @post("/settings/keys", status_code=200)
    async def create(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        form = await context.form(request, visitor)
        name, agent = form.get("name", "").strip(), form.get("agent", "").strip()
        faults = _key_faults(name, agent)
        if faults:
            return await _keys(context, visitor, status=400, name=name, agent=agent, faults=faults)
        made = await context.run(visitor, "CreateKey", name=name, agent=agent or None)
        secret, key_id = made["createApiKey"]["secret"], made["createApiKey"]["apiKey"]["id"]
        return redirect_with_flash(context, visitor, "/settings/keys", {"secret": secret, "id": key_id})

    @post("/settings/keys/{key_id:str}/revoke", status_code=200)
    async def revoke(request: PageRequest, key_id: FromPath[str]) -> Response[Any]:
        visitor = await context.require_user(request)
        await context.form(request, visitor)
        await context.run(visitor, "RevokeKey", id=key_id)
        return redirect("/settings/keys")

    return [start, keys, create, revoke]


def _key_faults(name: str, agent: str) -> dict[str, str]:
    faults = {}
    if isinstance(item_name(name), Rejection):
        faults["name"] = "Say what the key is for, in 1 to 255 characters"
    if agent and isinstance(agent_name(agent), Rejection):
        faults["agent"] = "An agent's name has 1 to 64 printable characters"
    return faults


async def _keys(context: WebContext, visitor: Visitor, **values: Any) -> Response[Any]:
    viewer = (await context.run(visitor, "Keys"))["viewer"]
    given: dict[str, Any] = {"name": "", "agent": "", "faults": {}, "made": None, "status": 200} | values
    organizations = {each["id"]: each["name"] for each in viewer["organizations"]}
    return page(
        "keys.html",
        visitor=visitor,
        keys=viewer["apiKeys"],
        verified=viewer["emailVerified"],
        organizations=organizations,
        origin=context.origin,
        **given,
    )


def _profile_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/settings/profile")
    async def profile(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        return await _profile(context, visitor, notice=NOTICES.get(request.query_params.get("notice", "")))

    @post("/settings/profile", status_code=200)
    async def rename(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        name, faults = parse_name(await context.form(request, visitor))
        if faults:
            return await _profile(context, visitor, status=400, name=name, faults=faults)
        await context.run(visitor, "RenameViewer", name=name)
        return redirect("/settings/profile?notice=saved")

    @post("/settings/profile/password", status_code=200)
    async def password(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        return await _change_password(context, request, visitor, await context.form(request, visitor))

    @post("/settings/profile/verify", status_code=200)
    async def verify(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        await context.form(request, visitor)
        if not context.accounts.mailer.delivers:
            raise RejectionError(NO_MAIL)
        context.spend(request, EMAILS_TO_ADDRESS, visitor.caller.email)
        await send_verification(context.accounts, visitor.caller)
        return redirect("/settings/profile?notice=sent")

    @post("/settings/sessions/{session_id:str}/end", status_code=200)
    async def end(request: PageRequest, session_id: FromPath[str]) -> Response[Any]:
        visitor = await context.require_user(request)
        await context.form(request, visitor)
        await context.run(visitor, "EndSession", id=session_id)
        return redirect("/settings/profile?notice=ended")

    @post("/settings/sessions/end-others", status_code=200)
    async def end_others(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        await context.form(request, visitor)
        await context.run(visitor, "EndOtherSessions")
        return redirect("/settings/profile?notice=ended-others")

    return [profile, rename, password, verify, end, end_others]


async def _profile(context: WebContext, visitor: Visitor, **values: Any) -> Response[Any]:
    viewer: Mapping[str, Any] = (await context.run(visitor, "Profile"))["viewer"]
    given: dict[str, Any] = {
        "name": viewer["name"],
        "faults": {},
        "notice": None,
        "status": 200,
        "mails": context.accounts.mailer.delivers,
        "has_password": await has_password(context.accounts, visitor.caller.email),
    }
    return page("profile.html", visitor=visitor, viewer=viewer, **(given | values))


async def _change_password(context: WebContext, request: PageRequest, visitor: Visitor, form: Form) -> Response[Any]:
    """Change the password; with a wrong present password, show the form again."""
    caller = visitor.caller
    context.spend(request, GUESSES, caller.user_id)
    password, faults = parse_password(form, caller.email)
    if not await check_password(context.accounts, caller.email, form.get("present", "")):
        faults = {"present": "This is not your present password"} | faults
    if faults:
        return await _profile(context, visitor, status=400, faults=faults)
    is_first = not await has_password(context.accounts, caller.email)
    await change_password(context.accounts, caller, password)
    return redirect(f"/settings/profile?notice={'first-password' if is_first else 'password'}")
