"""What can be changed about drives, organizations and keys: who belongs where, and what acts for whom."""

from datetime import timedelta
from typing import Annotated

import strawberry

from domain import drive, key, member, organization
from domain.access import Role
from domain.account import proved
from domain.errors import NOT_FOUND
from domain.key import ApiKey as DomainApiKey
from domain.key import KeyCreated
from domain.organization import Invitation as DomainInvitation
from domain.organization import OrganizationRole
from domain.questions import (
    DriveFor,
    InvitationByDigest,
    InvitationsOf,
    KeysOf,
    MembershipFactsOf,
    OrganizationFor,
    OrganizationMembershipsOf,
    OrganizationRoleOf,
)
from domain.values import AgentName, ItemName
from graphql_api import present
from graphql_api.context import Asked, Context, Decision, acting, context_of, upon, upon_both
from graphql_api.mutations import Address, Name
from graphql_api.nodes import Drive, Organization, organization_of
from graphql_api.ports import Reader, Touches
from graphql_api.queries import DriveId
from graphql_api.refused import accepted
from graphql_api.types import (
    ID,
    CreatedApiKey,
    CreatedInvitation,
    Deleted,
    DriveFields,
    OrganizationFields,
    RemovedMember,
)

INVITATION_LASTS = timedelta(days=7)
TOKEN_LENGTH = 30

UserId = Annotated[ID, strawberry.argument(description="The user's id.")]
OrganizationId = Annotated[ID, strawberry.argument(description="The organization's id.")]
RoleInOrganization = Annotated[OrganizationRole, strawberry.argument(description="The role to give.")]


async def _drive(context: Context, drive_id: str) -> DriveFields:
    facts = accepted(drive.member_of(await context.read(DriveFor(context.user_id, drive_id))))
    return present.drive(facts.drive, facts.role)


@strawberry.type
class GroupMutations:
    @strawberry.mutation(graphql_type=Drive, description="Make a shared drive in your active organization.")
    async def create_drive(self, info: Asked, name: Name) -> DriveFields:
        context = context_of(info)
        new_id, active = context.ports.ids(), context.caller.organization_id

        async def decide(_: Reader) -> Decision:
            return drive.create(new_id, name, active, context.user_id, context.ports.clock())

        touches = Touches(organizations=(active,) if active else ())
        return await _drive(context, await context.change(touches, decide, new_id) or new_id)

    @strawberry.mutation(graphql_type=Drive, description="Give a drive another name.")
    async def rename_drive(self, info: Asked, drive_id: DriveId, name: Name) -> DriveFields:
        context = context_of(info)
        decide = upon(DriveFor(context.user_id, drive_id), lambda facts: drive.rename(facts, name))
        await context.change(Touches(drives=(drive_id,)), decide)
        return await _drive(context, drive_id)

    @strawberry.mutation(description="Delete a shared drive in which nothing is left, in its trash neither.")
    async def delete_drive(self, info: Asked, drive_id: DriveId) -> Deleted:
        context = context_of(info)
        await context.change(Touches(drives=(drive_id,)), upon(DriveFor(context.user_id, drive_id), drive.delete))
        return Deleted(id=drive_id)

    @strawberry.mutation(
        graphql_type=Drive, description="Add somebody of the organization to a drive, or change a role."
    )
    async def upsert_member(
        self,
        info: Asked,
        drive_id: DriveId,
        user_id: UserId,
        role: Annotated[Role, strawberry.argument(description="The role to give.")],
    ) -> DriveFields:
        context = context_of(info)
        most = context.ports.limit.members
        decide = upon_both(
            DriveFor(context.user_id, drive_id),
            MembershipFactsOf(drive_id, user_id),
            lambda facts, membership: member.upsert(facts, user_id, role, membership, most),
        )
        await context.change(Touches(drives=(drive_id,)), decide)
        return await _drive(context, drive_id)

    @strawberry.mutation(description="Remove a member from a drive, or leave it yourself.")
    async def remove_member(self, info: Asked, drive_id: DriveId, user_id: UserId) -> RemovedMember:
        context = context_of(info)
        decide = upon_both(
            DriveFor(context.user_id, drive_id),
            MembershipFactsOf(drive_id, user_id),
            lambda facts, membership: member.remove(facts, user_id, context.user_id, membership),
        )
        await context.change(Touches(drives=(drive_id,)), decide)
        return RemovedMember(drive_id=drive_id, user_id=user_id)

    @strawberry.mutation(graphql_type=Organization, description="Make an organization; you are its first admin.")
    async def create_organization(self, info: Asked, name: Name) -> OrganizationFields:
        context = context_of(info)
        new_id = context.ports.ids()

        async def decide(_: Reader) -> Decision:
            return organization.create(new_id, name, context.user_id, context.ports.clock())

        await context.change(Touches(), decide)
        return await organization_of(context, new_id)

    @strawberry.mutation(
        description="Invite an address to an organization, for seven days; for its admins. The link is mailed to the "
        "address; where the service sends no mail, it is in its operator's log."
    )
    async def invite_to_organization(
        self, info: Asked, organization_id: OrganizationId, email: Address, role: RoleInOrganization
    ) -> CreatedInvitation:
        context = context_of(info)
        ports, user_id, now = context.ports, context.user_id, context.ports.clock()
        ports.invitations.count(user_id, email)
        token = f"cdi_{key.base62(ports.secrets(), TOKEN_LENGTH)}"
        ends, mailed = now + INVITATION_LASTS, ports.invitations.mailed
        made = DomainInvitation(ports.ids(), organization_id, email, role, now, ends, mailed)
        name = ""

        async def decide(ask: Reader) -> Decision:
            nonlocal name
            facts = await ask.read(OrganizationFor(user_id, organization_id))
            name = facts.organization.name if facts else ""
            standing, by = await ask.read(InvitationsOf(organization_id)), await acting(ask, user_id)
            return organization.invite(facts, made, key.digest(token), by, standing, ports.limit.open_invitations)

        await context.change(Touches(organizations=(organization_id,)), decide)
        ports.invitations.send(email, token, name, context.caller.name)
        return CreatedInvitation(invitation=made)

    @strawberry.mutation(
        graphql_type=Organization, description="Join an organization by an invitation to your address."
    )
    async def accept_invitation(
        self, info: Asked, token: Annotated[str, strawberry.argument(description="The invitation's token.")]
    ) -> OrganizationFields:
        context = context_of(info)
        digest, joined = key.digest(token), ""

        async def decide(ask: Reader) -> Decision:
            nonlocal joined
            found = await ask.read(InvitationByDigest(digest))
            joined = found.organization_id if found else ""
            already = await ask.read(OrganizationRoleOf(joined, context.user_id))
            return organization.accept(found, context.user_id, context.caller.email, context.ports.clock(), already)

        await context.change(Touches(), decide)
        return await organization_of(context, joined)

    @strawberry.mutation(graphql_type=Organization, description="Give a member another role; for the admins.")
    async def set_organization_role(
        self, info: Asked, organization_id: OrganizationId, user_id: UserId, role: RoleInOrganization
    ) -> OrganizationFields:
        context = context_of(info)
        decide = upon_both(
            OrganizationFor(context.user_id, organization_id),
            OrganizationRoleOf(organization_id, user_id),
            lambda facts, present_role: organization.set_role(facts, user_id, role, present_role),
        )
        await context.change(Touches(organizations=(organization_id,)), decide)
        return await organization_of(context, organization_id)

    @strawberry.mutation(
        description="Remove a member from an organization, or leave it: memberships and shares in its drives end too."
    )
    async def remove_organization_member(
        self, info: Asked, organization_id: OrganizationId, user_id: UserId
    ) -> Deleted:
        context = context_of(info)
        decide = upon_both(
            OrganizationFor(context.user_id, organization_id),
            OrganizationRoleOf(organization_id, user_id),
            lambda facts, role: organization.remove(facts, user_id, context.user_id, role),
        )
        await context.change(Touches(organizations=(organization_id,)), decide)
        return Deleted(id=user_id)

    @strawberry.mutation(
        description="Make an API key, which acts as you; its secret is shown this once. Your address must be proved."
    )
    async def create_api_key(
        self,
        info: Asked,
        name: Annotated[ItemName, strawberry.argument(description="What to call it.")],
        agent: Annotated[
            AgentName | None, strawberry.argument(description="The agent that all done with it is credited to.")
        ] = None,
        organization_id: Annotated[
            ID | None, strawberry.argument(description="The organization it acts in; your active one if left out.")
        ] = None,
    ) -> CreatedApiKey:
        context = context_of(info)
        ports = context.ports
        secret, new_id = key.compose(ports.secrets()), ports.ids()
        acts_in = organization_id or context.caller.organization_id
        made: list[KeyCreated] = []

        async def decide(ask: Reader) -> Decision:
            if refused := proved(await acting(ask, context.user_id), "make API keys"):
                return refused
            belongings = await ask.read(OrganizationMembershipsOf(context.user_id))
            if organization_id and all(of.id != organization_id for of in belongings):
                return NOT_FOUND
            made[:] = [key.create(secret, new_id, name, agent, acts_in, context.caller.credit, ports.clock())]
            return made

        await context.change(Touches(), decide)
        return CreatedApiKey(api_key=made[0].key, secret=secret)

    @strawberry.mutation(description="Revoke one of your API keys at once.")
    async def revoke_api_key(
        self,
        info: Asked,
        id: Annotated[ID, strawberry.argument(description="The key's id.")],  # noqa: A002 - its public name
    ) -> Deleted:
        context = context_of(info)

        def rule(keys: tuple[DomainApiKey, ...]) -> Decision:
            return key.revoke(next((one for one in keys if one.id == id), None), context.user_id)

        await context.change(Touches(), upon(KeysOf(context.user_id), rule))
        return Deleted(id=id)
