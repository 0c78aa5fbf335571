"""Mutations of a document's content, and the ticket that opens it over a WebSocket."""

import base64
import binascii
from collections.abc import Awaitable, Callable
from typing import Annotated, Final

import strawberry

from documents.edit import Append, Edit, Passage, Passages, Whole
from domain import document, item
from domain.credit import Credit
from domain.document import Computed
from domain.errors import Code, Rejection
from domain.questions import ItemFor
from domain.values import bad
from graphql_api.arguments import DocumentId
from graphql_api.context import Context, Decision, Info, context_of
from graphql_api.errors import RejectionError, unwrap
from graphql_api.item_mutations import item_of
from graphql_api.object_types import DriveItem
from graphql_api.ports import LockScope, StateReader
from graphql_api.types import CollaborationTicket, DriveItemFields

MAX_PASSAGES: Final = 500


@strawberry.input(description="One passage of a document's Markdown, and what becomes of it.")
class PassageInput:
    old: str = strawberry.field(description="The passage as it is now; it must be there exactly once.")
    new: str = strawberry.field(description="What stands there afterwards.")


@strawberry.input(one_of=True, description="What to do to a document's Markdown: exactly one of these.")
class EditInput:
    replace: str | None = strawberry.field(
        default=strawberry.UNSET, description="All of it becomes this. Blocks and words that stay are not touched."
    )
    append: str | None = strawberry.field(
        default=strawberry.UNSET, description="This comes after what there is; a list at the end may go on."
    )
    passages: list[PassageInput] | None = strawberry.field(
        default=strawberry.UNSET, description=f"At most {MAX_PASSAGES} passages become others, all of them or none."
    )


def edit_of(asked: EditInput) -> Edit:
    if asked.replace is not None and asked.replace is not strawberry.UNSET:
        return Whole(asked.replace)
    if asked.append is not None and asked.append is not strawberry.UNSET:
        return Append(asked.append)
    passages = asked.passages or []
    if len(passages) > MAX_PASSAGES:
        raise RejectionError(bad("passages", f"must be at most {MAX_PASSAGES}"))
    return Passages(tuple(Passage(each.old, each.new) for each in passages))


def _decoded(update: str, most: int) -> bytes:
    try:
        content = base64.b64decode(update, validate=True)
    except (binascii.Error, ValueError) as fault:
        raise RejectionError(Rejection(Code.BAD_REQUEST, "`update` must be base64")) from fault
    if len(content) > most:
        raise RejectionError(Rejection(Code.PAYLOAD_TOO_LARGE, f"`update` must have at most {most} bytes"))
    return content


async def _computed(
    context: Context, document_id: str, compute: Callable[[Credit], Awaitable[Computed | Rejection]]
) -> DriveItemFields:
    """Compute an update from a document as it is, outside of any transaction and lock, and add it.

    Rights are checked before computing, so that nothing is computed for those who may not edit, and again under the lock.
    """
    if await context.already_answered():
        return await item_of(context, document_id)
    facts = ItemFor(context.user_id, document_id)
    unwrap(document.editable(await context.ports.store.read(facts), "edit this document"))
    made = unwrap(await compute(context.caller.credit))

    async def decide(ask: StateReader) -> Decision:
        edited = document.edit(await ask.read(facts), made.update)
        if isinstance(edited, Rejection) or not made.update:
            return edited if isinstance(edited, Rejection) else ()
        return await context.ports.documents.fits(document_id, made, context.caller.credit, ask) or edited

    await context.change(LockScope(items=(document_id,), documents=(document_id,)), decide)
    return await item_of(context, document_id)


@strawberry.type
class DocumentMutations:
    @strawberry.mutation(
        graphql_type=DriveItem,
        description="Add a Yjs update made elsewhere to a document, such as the whole state of one that moves here.",
    )
    async def import_yjs_update(
        self,
        info: Info,
        document_id: DocumentId,
        update: Annotated[str, strawberry.argument(description="The update (Yjs, version 1) in base64.")],
    ) -> DriveItemFields:
        context = context_of(info)
        content = _decoded(update, context.ports.limit.update_bytes)
        return await _computed(
            context, document_id, lambda by: context.ports.documents.checked(document_id, content, by)
        )

    @strawberry.mutation(
        graphql_type=DriveItem,
        description="Edit a document in Markdown. Only what differs is changed, so what others write meanwhile stays, "
        "and so does all that Markdown cannot say.",
    )
    async def edit_document(
        self,
        info: Info,
        document_id: DocumentId,
        edit: Annotated[EditInput, strawberry.argument(description="What to do to its Markdown.")],
    ) -> DriveItemFields:
        context, wanted = context_of(info), edit_of(edit)
        return await _computed(context, document_id, lambda by: context.ports.documents.edited(document_id, wanted, by))

    @strawberry.mutation(description="Get a ticket that opens a document over a WebSocket, once, within 30 seconds.")
    async def create_collaboration_ticket(self, info: Info, document_id: DocumentId) -> CollaborationTicket:
        context = context_of(info)
        ports, caller = context.ports, context.caller
        unwrap(item.document(await context.read(ItemFor(caller.user_id, document_id))))
        ticket, expires_at = ports.tickets.issue(caller, document_id, ports.secrets())
        return CollaborationTicket(ticket=ticket, expires_at=expires_at)
