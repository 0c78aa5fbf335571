"""How somebody who was invited joins an organization: with the account of that address, or with a new one."""

from typing import Any
from urllib.parse import urlencode

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from domain.credit import Credit
from domain.errors import NOT_FOUND
from domain.key import digest
from domain.organization import Invitation, Organization
from domain.questions import AccountByEmail, InvitationByDigest, OrganizationFor
from domain.values import Email
from graphql_api.errors import RejectionError
from graphql_api.ports import StateReader, Transaction
from web.pages import page, readable, see
from web.session import Visitor
from web.sign_up import Claim, chosen, claimed, named
from web.site import Form, PageRequest, Site
from web.taking_over import touched


def invitation_pages(site: Site) -> list[HTTPRouteHandler]:
    @readable("/invitation/{token:str}")
    async def show(request: PageRequest, token: FromPath[str]) -> Response[Any]:
        visitor = await site.visitor(request)
        return await _shown(site, visitor, token)

    @post("/invitation/{token:str}", status_code=200)
    async def answer(request: PageRequest, token: FromPath[str]) -> Response[Any]:
        visitor = await site.visitor(request)
        form = await site.form(request, visitor)
        if visitor:
            return await _join(site, visitor, token)
        return await _begin(site, request, token, form)

    return [show, answer]


async def _standing(site: Site, ask: StateReader, token: str) -> tuple[Invitation, Organization]:
    found = await ask.read(InvitationByDigest(digest(token)))
    if found is None or found.expires_at <= site.clock():
        raise RejectionError(NOT_FOUND)
    facts = await ask.read(OrganizationFor("", found.organization_id))
    assert facts is not None
    return found, facts.organization


async def _shown(site: Site, visitor: Visitor | None, token: str, **values: Any) -> Response[Any]:
    invitation, organization = await _standing(site, site.store, token)
    given: dict[str, Any] = {"name": "", "faults": {}, "status": 200} | values
    return page(
        "invitation.html", visitor=visitor, token=token, invitation=invitation, organization=organization, **given
    )


async def _join(site: Site, visitor: Visitor, token: str) -> Response[Any]:
    joined = await site.act(visitor, "AcceptInvitation", token=token)
    if visitor.caller.organization_id is None:
        await site.act(visitor, "SwitchOrganization", id=joined["acceptInvitation"]["id"])
    return see(f"/settings/organizations/{joined['acceptInvitation']['id']}")


async def _begin(site: Site, request: PageRequest, token: str, form: Form) -> Response[Any]:
    """Make an account for the address that was invited, and answer alike where there is one.

    It is proved where the invitation was mailed to the address. Nobody is signed in: they do that with the password
    that they chose, or have, and then join.
    """
    site.try_sign_in(request)
    invitation, _ = await _standing(site, site.store, token)
    site.signed_in(request)
    address = Email(invitation.email)
    (name, wrong), (password, weak) = named(form), chosen(form, address)
    if faults := wrong | weak:
        return await _shown(site, None, token, name=name, faults=faults, status=400)
    site.spend_account(request)
    claim = Claim(name, address, await site.passwords.hashed(password), invitation.mailed)

    async def work(transaction: Transaction) -> None:
        await _standing(site, transaction, token)
        found = await claimed(transaction, site, claim)
        if found:
            account, events = found
            await transaction.record(events, Credit(account.id, account.name), site.clock())

    known = await site.store.read(AccountByEmail(address))
    await site.store.transact(await touched(site.store, known), work)
    return see(f"/sign-in?{urlencode({'next': f'/invitation/{token}'})}")
