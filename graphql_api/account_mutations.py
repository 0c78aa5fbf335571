"""What people can change about themselves: their name, where they are signed in, and the organization they act in."""

from typing import Annotated

import strawberry

from domain import organization, session
from domain.account import AccountRenamed
from domain.questions import InvitationsOf, OrganizationFor, OrganizationRoleOf, SessionsOf
from domain.values import ItemName
from graphql_api.context import Asked, Decision, context_of, upon, upon_both
from graphql_api.group_mutations import OrganizationId
from graphql_api.nodes import Organization, Viewer, organization_of
from graphql_api.ports import Touches
from graphql_api.types import ID, Deleted, OrganizationFields


@strawberry.type
class AccountMutations:
    @strawberry.mutation(description="Give yourself another name.")
    async def rename_viewer(
        self, info: Asked, name: Annotated[ItemName, strawberry.argument(description="The new name.")]
    ) -> Viewer:
        context = context_of(info)
        caller = context.caller

        def rule(_: object) -> Decision:
            return (AccountRenamed(caller.user_id, name),) if name != caller.name else ()

        await context.change(Touches(), upon(SessionsOf(caller.user_id), rule))
        return Viewer(id=caller.user_id, name=name, email=caller.email, agent=caller.agent)

    @strawberry.mutation(
        graphql_type=Organization,
        description="Act in another of your organizations from now on; of a web session, since a key acts where it was made.",
    )
    async def switch_organization(self, info: Asked, organization_id: OrganizationId) -> OrganizationFields:
        context = context_of(info)
        caller = context.caller
        decide = upon(
            OrganizationRoleOf(organization_id, caller.user_id),
            lambda role: session.choose(caller.session_id, caller.user_id, organization_id, belongs=role is not None),
        )
        await context.change(Touches(), decide)
        return await organization_of(context, organization_id)

    @strawberry.mutation(description="Sign one of your browsers out, at once.")
    async def end_session(
        self,
        info: Asked,
        id: Annotated[ID, strawberry.argument(description="The session's id.")],  # noqa: A002 - its public name
    ) -> Deleted:
        context = context_of(info)
        user_id = context.user_id
        decide = upon(SessionsOf(user_id), lambda mine: session.end(id, user_id, mine))
        await context.change(Touches(), decide)
        return Deleted(id=id)

    @strawberry.mutation(description="Sign all of your browsers out but the one that asks, if one does.")
    async def end_other_sessions(self, info: Asked) -> Viewer:
        context = context_of(info)
        caller = context.caller
        decide = upon(SessionsOf(caller.user_id), lambda mine: session.end_all(mine, but=caller.session_id))
        await context.change(Touches(), decide)
        return Viewer(id=caller.user_id, name=caller.name, email=caller.email, agent=caller.agent)

    @strawberry.mutation(description="Take an invitation back; for the organization's admins.")
    async def revoke_invitation(
        self,
        info: Asked,
        organization_id: OrganizationId,
        id: Annotated[ID, strawberry.argument(description="The invitation's id.")],  # noqa: A002 - as above
    ) -> Deleted:
        context = context_of(info)
        decide = upon_both(
            OrganizationFor(context.user_id, organization_id),
            InvitationsOf(organization_id),
            lambda facts, standing: organization.revoke_invitation(facts, id, standing),
        )
        await context.change(Touches(organizations=(organization_id,)), decide)
        return Deleted(id=id)
