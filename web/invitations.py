"""Pages of an invitation: join an organization with the account of the address or a new one."""

from typing import Any
from urllib.parse import urlencode

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from accounts.sign_up import read_invitation, sign_up_by_invitation
from contract.errors import unwrap
from domain.values import Email
from web.context import Form, PageRequest, WebContext
from web.pages import page, readable, redirect
from web.session import Visitor
from web.sign_in_flow import parse_name, parse_password


def invitation_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable("/invitation/{token:str}")
    async def show(request: PageRequest, token: FromPath[str]) -> Response[Any]:
        visitor = await context.visitor(request)
        return await _shown(context, visitor, token)

    @post("/invitation/{token:str}", status_code=200)
    async def answer(request: PageRequest, token: FromPath[str]) -> Response[Any]:
        visitor = await context.visitor(request)
        form = await context.form(request, visitor)
        if visitor:
            return await _join(context, visitor, token)
        return await _sign_up(context, request, token, form)

    return [show, answer]


async def _shown(context: WebContext, visitor: Visitor | None, token: str, **values: Any) -> Response[Any]:
    invitation, organization = unwrap(await read_invitation(context.accounts, token))
    given: dict[str, Any] = {"name": "", "faults": {}, "status": 200} | values
    return page(
        "invitation.html", visitor=visitor, token=token, invitation=invitation, organization=organization, **given
    )


async def _join(context: WebContext, visitor: Visitor, token: str) -> Response[Any]:
    joined = await context.run(visitor, "AcceptInvitation", token=token)
    if visitor.caller.organization_id is None:
        await context.run(visitor, "SwitchOrganization", id=joined["acceptInvitation"]["id"])
    return redirect(f"/settings/organizations/{joined['acceptInvitation']['id']}")


async def _sign_up(context: WebContext, request: PageRequest, token: str, form: Form) -> Response[Any]:
    """Make an account for the invited address, and answer alike where there is one.

    Nobody is signed in: they do that with the password that they chose, or have, and then join.
    """
    context.try_sign_in(request)
    invitation, _ = unwrap(await read_invitation(context.accounts, token))
    context.refund_sign_in(request)
    (name, wrong), (password, weak) = parse_name(form), parse_password(form, Email(invitation.email))
    if faults := wrong | weak:
        return await _shown(context, None, token, name=name, faults=faults, status=400)
    context.spend_account(request)
    unwrap(await sign_up_by_invitation(context.accounts, token, invitation, name, password))
    return redirect(f"/sign-in?{urlencode({'next': f'/invitation/{token}'})}")
