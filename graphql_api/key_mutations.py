"""Mutations of API keys."""

from typing import Annotated

import strawberry

from domain import key
from domain.account import require_verified
from domain.errors import NOT_FOUND
from domain.events import Decision
from domain.key import ApiKey, KeyCreated
from domain.questions import KeysOf, OrganizationMembershipsOf
from domain.values import AgentName, ItemName
from graphql_api.context import Info, account_of_caller, context_of, decide_with, manage_account
from graphql_api.ports import StateReader
from graphql_api.types import ID, CreatedApiKey, DeletedType


@strawberry.type
class KeyMutations:
    @strawberry.mutation(
        description="Make an API key, which acts as you; its secret is shown this once. Your address must be verified. "
        "It takes a web session: an API key is 403."
    )
    async def create_api_key(
        self,
        info: Info,
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

        async def decide(ask: StateReader) -> Decision:
            if refused := require_verified(await account_of_caller(ask, context.user_id), "make API keys"):
                return refused
            belongings = await ask.read(OrganizationMembershipsOf(context.user_id))
            if organization_id and all(of.id != organization_id for of in belongings):
                return NOT_FOUND
            made[:] = [key.create(secret, new_id, name, agent, acts_in, context.caller.credit, ports.clock())]
            return made

        await manage_account(context, "make API keys", decide)
        return CreatedApiKey(api_key=made[0].key, secret=secret)

    @strawberry.mutation(description="Revoke one of your API keys at once; by a web session.")
    async def revoke_api_key(
        self,
        info: Info,
        id: Annotated[ID, strawberry.argument(description="The key's id.")],  # noqa: A002 - its public name
    ) -> DeletedType:
        context = context_of(info)

        def rule(keys: tuple[ApiKey, ...]) -> Decision:
            return key.revoke(next((one for one in keys if one.id == id), None), context.user_id)

        await manage_account(context, "revoke API keys", decide_with(KeysOf(context.user_id), rule))
        return DeletedType(id=id)
