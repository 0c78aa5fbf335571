"""What is asked before a document is opened over a WebSocket."""

from typing import Annotated

import strawberry

from domain.item import document
from domain.questions import ItemFor
from graphql_api.context import Asked, context_of
from graphql_api.refused import accepted
from graphql_api.types import ID, CollaborationTicket


@strawberry.type
class LiveMutations:
    @strawberry.mutation(description="Get a ticket that opens a document over a WebSocket, once, within 30 seconds.")
    async def create_collaboration_ticket(
        self, info: Asked, document_id: Annotated[ID, strawberry.argument(description="The document's id.")]
    ) -> CollaborationTicket:
        context = context_of(info)
        ports, caller = context.ports, context.caller
        accepted(document(await context.read(ItemFor(caller.user_id, document_id))))
        ticket, expires_at = ports.tickets.issue(caller.identity, document_id, ports.secrets())
        return CollaborationTicket(ticket=ticket, expires_at=expires_at)
