"""Mutations of one's own account: its name, its sessions and its active organization."""

from typing import Annotated

import strawberry

from domain import session
from domain.account import rename
from domain.events import Decision
from domain.questions import OrganizationRoleOf, SessionsOf
from domain.values import ItemName
from graphql_api.arguments import OrganizationId
from graphql_api.context import Info, context_of, decide_with, manage_account
from graphql_api.object_types import OrganizationType, Viewer, organization_of
from graphql_api.ports import SOCKET, LockScope, StateReader
from graphql_api.types import ID, DeletedType, OrganizationFields, SocketTicket


@strawberry.type
class AccountMutations:
    @strawberry.mutation(description="Give yourself another name; by a web session.")
    async def rename_viewer(
        self, info: Info, name: Annotated[ItemName, strawberry.argument(description="The new name.")]
    ) -> Viewer:
        context = context_of(info)
        caller = context.caller

        async def decide(_: StateReader) -> Decision:
            return rename(caller.user_id, caller.name, name)

        await manage_account(context, "change your name", decide)
        return Viewer(id=caller.user_id, name=name, email=caller.email, agent=caller.agent)

    @strawberry.mutation(
        graphql_type=OrganizationType,
        description="Act in another of your organizations from now on; of a web session, since a key acts where it was made.",
    )
    async def switch_organization(self, info: Info, organization_id: OrganizationId) -> OrganizationFields:
        context = context_of(info)
        caller = context.caller
        decide = decide_with(
            OrganizationRoleOf(organization_id, caller.user_id),
            lambda role: session.choose(caller.session_id, caller.user_id, organization_id, belongs=role is not None),
        )
        await context.change(LockScope(), decide)
        return await organization_of(context, organization_id)

    @strawberry.mutation(
        description="Get a ticket that opens a WebSocket at `/graphql`, once, within 30 seconds: for pages that send keys."
    )
    async def create_socket_ticket(self, info: Info) -> SocketTicket:
        context = context_of(info)
        ticket, expires_at = await context.ports.tickets.issue(context.caller, SOCKET, context.ports.secrets())
        return SocketTicket(ticket=ticket, expires_at=expires_at)

    @strawberry.mutation(description="Sign one of your browsers out, at once; by a web session.")
    async def end_session(
        self,
        info: Info,
        id: Annotated[ID, strawberry.argument(description="The session's id.")],  # noqa: A002 - its public name
    ) -> DeletedType:
        context = context_of(info)
        user_id = context.user_id
        decide = decide_with(SessionsOf(user_id), lambda mine: session.end(id, user_id, mine))
        await manage_account(context, "sign browsers out", decide)
        return DeletedType(id=id)

    @strawberry.mutation(description="Sign all of your browsers out but the one that asks; by a web session.")
    async def end_other_sessions(self, info: Info) -> Viewer:
        context = context_of(info)
        caller = context.caller
        decide = decide_with(SessionsOf(caller.user_id), lambda mine: session.end_all(mine, but=caller.session_id))
        await manage_account(context, "sign browsers out", decide)
        return Viewer(id=caller.user_id, name=caller.name, email=caller.email, agent=caller.agent)
