"""Pages of organizations: for their members, and for their admins, who set roles and invite."""

from typing import Any, Final

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from contract.errors import RejectionError
from domain.errors import Rejection
from domain.organization import OrganizationRole
from domain.values import bad, email, item_name
from web.context import Form, PageRequest, WebContext
from web.flash import clear_flash, read_flash, redirect_with_flash
from web.pages import page, readable, redirect
from web.session import Visitor

ROLES: Final = tuple(role.value for role in OrganizationRole)


def organization_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/settings/organizations")
    async def organizations(request: PageRequest) -> Response[Any]:
        return await _all(context, await context.require_user(request))

    @post("/settings/organizations", status_code=200)
    async def create(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        form = await context.form(request, visitor)
        name = form.get("name", "").strip()
        if isinstance(item_name(name), Rejection):
            return await _all(context, visitor, status=400, name=name, faults={"name": "Give the organization a name"})
        made = (await context.run(visitor, "CreateOrganization", name=name))["createOrganization"]
        await context.run(visitor, "SwitchOrganization", id=made["id"])
        return redirect(f"/settings/organizations/{made['id']}")

    @post("/settings/organizations/{of:str}/switch", status_code=200)
    async def switch(request: PageRequest, of: FromPath[str]) -> Response[Any]:
        visitor = await context.require_user(request)
        await context.form(request, visitor)
        await context.run(visitor, "SwitchOrganization", id=of)
        return redirect("/settings/organizations")

    return [organizations, create, switch, *_member_pages(context)]


def _member_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/settings/organizations/{of:str}")
    async def members(request: PageRequest, of: FromPath[str]) -> Response[Any]:
        visitor = await context.require_user(request)
        invited = read_flash(context, request, visitor)
        answer = await _one(context, visitor, of, invited=invited)
        return clear_flash(context, answer) if invited else answer

    @post("/settings/organizations/{of:str}/invite", status_code=200)
    async def invite(request: PageRequest, of: FromPath[str]) -> Response[Any]:
        visitor = await context.require_user(request)
        return await _invite(context, visitor, of, await context.form(request, visitor))

    @post("/settings/organizations/{of:str}/invitations/{one:str}/revoke", status_code=200)
    async def revoke(request: PageRequest, of: FromPath[str], one: FromPath[str]) -> Response[Any]:
        visitor = await context.require_user(request)
        await context.form(request, visitor)
        await context.run(visitor, "RevokeInvitation", id=of, invitationId=one)
        return redirect(f"/settings/organizations/{of}")

    @post("/settings/organizations/{of:str}/members/{user:str}/role", status_code=200)
    async def set_role(request: PageRequest, of: FromPath[str], user: FromPath[str]) -> Response[Any]:
        visitor = await context.require_user(request)
        role = _role(await context.form(request, visitor))
        await context.run(visitor, "SetRole", id=of, userId=user, role=role)
        return redirect(f"/settings/organizations/{of}")

    @post("/settings/organizations/{of:str}/members/{user:str}/remove", status_code=200)
    async def remove(request: PageRequest, of: FromPath[str], user: FromPath[str]) -> Response[Any]:
        visitor = await context.require_user(request)
        await context.form(request, visitor)
        await context.run(visitor, "RemoveMember", id=of, userId=user)
        left = user == visitor.caller.user_id
        return redirect("/settings/organizations" if left else f"/settings/organizations/{of}")

    return [members, invite, revoke, set_role, remove]


def _role(form: Form) -> str:
    role = form.get("role", "")
    if role not in ROLES:
        raise RejectionError(bad("role", "must be `admin` or `member`"))
    return role


async def _all(context: WebContext, visitor: Visitor, **values: Any) -> Response[Any]:
    viewer = (await context.run(visitor, "Organizations"))["viewer"]
    active = viewer["activeOrganization"]
    given: dict[str, Any] = {"name": "", "faults": {}, "status": 200} | values
    return page(
        "organizations.html",
        visitor=visitor,
        organizations=viewer["organizations"],
        active=active["id"] if active else None,
        **given,
    )


async def _one(context: WebContext, visitor: Visitor, of: str, **values: Any) -> Response[Any]:
    found = (await context.run(visitor, "OrganizationPage", id=of))["organization"]
    given: dict[str, Any] = {"email": "", "faults": {}, "invited": None, "status": 200} | values
    return page(
        "organization.html",
        visitor=visitor,
        organization=found,
        roles=ROLES,
        mails=context.accounts.mailer.delivers,
        **given,
    )


async def _invite(context: WebContext, visitor: Visitor, of: str, form: Form) -> Response[Any]:
    """Invite an address. The link is mailed to it, or else written to the operator's log, and never shown here."""
    given, role = form.get("email", "").strip(), _role(form)
    address = email(given)
    if isinstance(address, Rejection):
        faults = {"email": "Enter an address such as ada@example.com"}
        return await _one(context, visitor, of, status=400, email=given, faults=faults)
    invited = (await context.run(visitor, "Invite", id=of, email=address, role=role))["inviteToOrganization"]
    return redirect_with_flash(context, visitor, f"/settings/organizations/{of}", invited["invitation"])
