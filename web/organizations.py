"""What people see of their organizations, and what their admins do there: members, roles and invitations."""

from typing import Any, Final

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from domain.errors import Rejection
from domain.organization import OrganizationRole
from domain.values import bad, email, item_name
from graphql_api.errors import RejectionError
from web.flash import flashed, see_once, shown
from web.pages import page, readable, see
from web.session import Visitor
from web.site import Form, PageRequest, Site

ROLES: Final = tuple(role.value for role in OrganizationRole)


def organization_pages(site: Site) -> list[HTTPRouteHandler]:
    @readable("/settings/organizations")
    async def organizations(request: PageRequest) -> Response[Any]:
        return await _all(site, await site.known(request))

    @post("/settings/organizations", status_code=200)
    async def create(request: PageRequest) -> Response[Any]:
        visitor = await site.known(request)
        form = await site.form(request, visitor)
        name = form.get("name", "").strip()
        if isinstance(item_name(name), Rejection):
            return await _all(site, visitor, status=400, name=name, faults={"name": "Give the organization a name"})
        made = (await site.act(visitor, "CreateOrganization", name=name))["createOrganization"]
        await site.act(visitor, "SwitchOrganization", id=made["id"])
        return see(f"/settings/organizations/{made['id']}")

    @post("/settings/organizations/{of:str}/switch", status_code=200)
    async def switch(request: PageRequest, of: FromPath[str]) -> Response[Any]:
        visitor = await site.known(request)
        await site.form(request, visitor)
        await site.act(visitor, "SwitchOrganization", id=of)
        return see("/settings/organizations")

    return [organizations, create, switch, *_member_pages(site)]


def _member_pages(site: Site) -> list[HTTPRouteHandler]:
    @readable("/settings/organizations/{of:str}")
    async def members(request: PageRequest, of: FromPath[str]) -> Response[Any]:
        visitor = await site.known(request)
        invited = flashed(site, request, visitor)
        answer = await _one(site, visitor, of, invited=invited)
        return shown(site, answer) if invited else answer

    @post("/settings/organizations/{of:str}/invite", status_code=200)
    async def invite(request: PageRequest, of: FromPath[str]) -> Response[Any]:
        visitor = await site.known(request)
        return await _invite(site, visitor, of, await site.form(request, visitor))

    @post("/settings/organizations/{of:str}/invitations/{one:str}/revoke", status_code=200)
    async def revoke(request: PageRequest, of: FromPath[str], one: FromPath[str]) -> Response[Any]:
        visitor = await site.known(request)
        await site.form(request, visitor)
        await site.act(visitor, "RevokeInvitation", id=of, invitationId=one)
        return see(f"/settings/organizations/{of}")

    @post("/settings/organizations/{of:str}/members/{user:str}/role", status_code=200)
    async def set_role(request: PageRequest, of: FromPath[str], user: FromPath[str]) -> Response[Any]:
        visitor = await site.known(request)
        role = _role(await site.form(request, visitor))
        await site.act(visitor, "SetRole", id=of, userId=user, role=role)
        return see(f"/settings/organizations/{of}")

    @post("/settings/organizations/{of:str}/members/{user:str}/remove", status_code=200)
    async def remove(request: PageRequest, of: FromPath[str], user: FromPath[str]) -> Response[Any]:
        visitor = await site.known(request)
        await site.form(request, visitor)
        await site.act(visitor, "RemoveMember", id=of, userId=user)
        left = user == visitor.caller.user_id
        return see("/settings/organizations" if left else f"/settings/organizations/{of}")

    return [members, invite, revoke, set_role, remove]


def _role(form: Form) -> str:
    role = form.get("role", "")
    if role not in ROLES:
        raise RejectionError(bad("role", "must be `admin` or `member`"))
    return role


async def _all(site: Site, visitor: Visitor, **values: Any) -> Response[Any]:
    viewer = (await site.act(visitor, "Organizations"))["viewer"]
    active = viewer["activeOrganization"]
    given: dict[str, Any] = {"name": "", "faults": {}, "status": 200} | values
    return page(
        "organizations.html",
        visitor=visitor,
        organizations=viewer["organizations"],
        active=active["id"] if active else None,
        **given,
    )


async def _one(site: Site, visitor: Visitor, of: str, **values: Any) -> Response[Any]:
    found = (await site.act(visitor, "OrganizationPage", id=of))["organization"]
    given: dict[str, Any] = {"email": "", "faults": {}, "invited": None, "status": 200} | values
    return page("organization.html", visitor=visitor, organization=found, roles=ROLES, site=site, **given)


async def _invite(site: Site, visitor: Visitor, of: str, form: Form) -> Response[Any]:
    """Invite an address. The link goes to whoever reads its mail, else to the operator, and is never shown here."""
    given, role = form.get("email", "").strip(), _role(form)
    address = email(given)
    if isinstance(address, Rejection):
        faults = {"email": "Enter an address such as ada@example.com"}
        return await _one(site, visitor, of, status=400, email=given, faults=faults)
    invited = (await site.act(visitor, "Invite", id=of, email=address, role=role))["inviteToOrganization"]
    return see_once(site, visitor, f"/settings/organizations/{of}", invited["invitation"])
