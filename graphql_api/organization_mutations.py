"""Mutations of organizations, their members and invitations."""

from datetime import timedelta
from typing import Annotated

import strawberry

from domain import key, organization
from domain.events import Decision
from domain.mail import InvitationMail
from domain.organization import Invitation, OrganizationRole
from domain.questions import InvitationByDigest, InvitationsOf, OrganizationFor, OrganizationRoleOf
from graphql_api.arguments import Address, Name, OrganizationId, UserId
from graphql_api.context import Info, account_of_caller, context_of, decide_with
from graphql_api.object_types import OrganizationType, organization_of
from graphql_api.ports import LockScope, StateReader
from graphql_api.types import ID, CreatedInvitation, DeletedType, OrganizationFields

INVITATION_LASTS = timedelta(days=7)

RoleInOrganization = Annotated[OrganizationRole, strawberry.argument(description="The role to give.")]


@strawberry.type
class OrganizationMutations:
    @strawberry.mutation(graphql_type=OrganizationType, description="Make an organization; you are its first admin.")
    async def create_organization(self, info: Info, name: Name) -> OrganizationFields:
        context = context_of(info)
        new_id = context.ports.ids()

        async def decide(_: StateReader) -> Decision:
            return organization.create(new_id, name, context.user_id, context.ports.clock())

        await context.change(LockScope(), decide)
        return await organization_of(context, new_id)

    @strawberry.mutation(
        description="Invite an address to an organization, for seven days; for its admins. The link is mailed to the "
        "address; where the service sends no mail, it is in its operator's log."
    )
    async def invite_to_organization(
        self, info: Info, organization_id: OrganizationId, email: Address, role: RoleInOrganization
    ) -> CreatedInvitation:
        context = context_of(info)
        ports, user_id, now = context.ports, context.user_id, context.ports.clock()
        ports.mail.count_invitation(user_id, email)
        nobodys = key.digest(organization.invitation_token(ports.secrets()))  # another is made when it is sent
        ends, mailed = now + INVITATION_LASTS, ports.mail.delivers
        made = Invitation(ports.ids(), organization_id, email, role, now, ends, mailed)

        async def decide(ask: StateReader) -> Decision:
            facts = await ask.read(OrganizationFor(user_id, organization_id))
            standing, by = await ask.read(InvitationsOf(organization_id)), await account_of_caller(ask, user_id)
            return organization.invite(facts, made, nobodys, by, standing, ports.limit.open_invitations)

        mail = InvitationMail(email, made.id, context.caller.name)
        await context.change(LockScope(organizations=(organization_id,)), decide, mail=mail)
        return CreatedInvitation(invitation=made)

    @strawberry.mutation(
        graphql_type=OrganizationType, description="Join an organization by an invitation to your address."
    )
    async def accept_invitation(
        self, info: Info, token: Annotated[str, strawberry.argument(description="The invitation's token.")]
    ) -> OrganizationFields:
        context = context_of(info)
        digest, joined = key.digest(token), ""

        async def decide(ask: StateReader) -> Decision:
            nonlocal joined
            found = await ask.read(InvitationByDigest(digest))
            joined = found.organization_id if found else ""
            already = await ask.read(OrganizationRoleOf(joined, context.user_id))
            return organization.accept(found, context.user_id, context.caller.email, context.ports.clock(), already)

        await context.change(LockScope(), decide)
        return await organization_of(context, joined)

    @strawberry.mutation(description="Take an invitation back; for the organization's admins.")
    async def revoke_invitation(
        self,
        info: Info,
        organization_id: OrganizationId,
        id: Annotated[ID, strawberry.argument(description="The invitation's id.")],  # noqa: A002 - its public name
    ) -> DeletedType:
        context = context_of(info)
        decide = decide_with(
            OrganizationFor(context.user_id, organization_id),
            InvitationsOf(organization_id),
            lambda facts, standing: organization.revoke_invitation(facts, id, standing),
        )
        await context.change(LockScope(organizations=(organization_id,)), decide)
        return DeletedType(id=id)

    @strawberry.mutation(graphql_type=OrganizationType, description="Give a member another role; for the admins.")
    async def set_organization_role(
        self, info: Info, organization_id: OrganizationId, user_id: UserId, role: RoleInOrganization
    ) -> OrganizationFields:
        context = context_of(info)
        decide = decide_with(
            OrganizationFor(context.user_id, organization_id),
            OrganizationRoleOf(organization_id, user_id),
            lambda facts, present_role: organization.set_role(facts, user_id, role, present_role),
        )
        await context.change(LockScope(organizations=(organization_id,)), decide)
        return await organization_of(context, organization_id)

    @strawberry.mutation(
        description="Remove a member from an organization, or leave it: memberships and shares in its drives end too."
    )
    async def remove_organization_member(
        self, info: Info, organization_id: OrganizationId, user_id: UserId
    ) -> DeletedType:
        context = context_of(info)
        decide = decide_with(
            OrganizationFor(context.user_id, organization_id),
            OrganizationRoleOf(organization_id, user_id),
            lambda facts, role: organization.remove(facts, user_id, context.user_id, role),
        )
        await context.change(LockScope(organizations=(organization_id,), may_end_access=True), decide)
        return DeletedType(id=user_id)
