"""Mutations of a document's content, and the ticket that opens it over a WebSocket."""

import base64
import binascii
from dataclasses import replace
from typing import Annotated, Final

import strawberry

from contract.bounds import MAX_PASSAGES
from contract.errors import RejectionError, unwrap
from documents.editing.edit import Append, Edit, EditRequest, Passage, Passages, Section, Whole
from documents.editing.edit_effect import EditEffect
from domain import item
from domain.document import DocumentEdited
from domain.errors import Code, Rejection
from domain.events import Decision
from domain.item import ItemFacts
from domain.questions import ItemFor
from domain.values import bad
from graphql_api.arguments import DocumentId
from graphql_api.computed_changes import ComputedChange, DecideChange, change_computed, record_computed
from graphql_api.context import (
    Context,
    Info,
    check_editable,
    context_of,
)
from graphql_api.copied_images import CopiedImages, copied_images, named_images
from graphql_api.edits import AppliedEdit, OnConflict
from graphql_api.item_mutations import item_of
from graphql_api.object_types import DriveItem
from graphql_api.ports import StateReader
from graphql_api.types import ID, CollaborationTicket, DriveItemFields

_FORMS: Final = 3


@strawberry.input(description="One passage of a document's Markdown, and what becomes of it.")
class PassageInput:
    old: str = strawberry.field(description="The passage as it is now; it must be there exactly once.")
    new: str = strawberry.field(description="What stands there afterwards.")


@strawberry.input(
    description="What to do to a document's Markdown: exactly one of `replace`, `append` and `passages`. `section` goes with `replace`."
)
class EditInput:
    replace: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="All of the Markdown becomes this, compared with the revision `base`. Blocks and words that stay are not "
        "touched.",
    )
    append: str | None = strawberry.field(
        default=strawberry.UNSET, description="This comes after what there is; a list at the end may go on."
    )
    passages: list[PassageInput] | None = strawberry.field(
        default=strawberry.UNSET, description=f"At most {MAX_PASSAGES} passages become others, all of them or none."
    )
    section: ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="What `replace` becomes: the section of this heading, as `documentPart` reads it, the heading included. "
        "PASSAGE_NOT_FOUND where the heading is gone by now.",
    )


def edit_of(asked: EditInput) -> Edit:
    """Return the edit that was asked for; raises RejectionError where it has not exactly one form."""
    replace, append = _given(asked.replace), _given(asked.append)
    passages, section = _given(asked.passages), _given(asked.section)
    if [replace, append, passages].count(None) != _FORMS - 1:
        message = "send exactly one of `replace`, `append` and `passages`"
        raise RejectionError(Rejection(Code.BAD_REQUEST, message))
    if replace is not None:
        return Whole(replace) if section is None else Section(section, replace)
    if section is not None:
        raise RejectionError(bad("section", "goes with `replace` alone"))
    if append is not None:
        return Append(append)
    if len(passages or ()) > MAX_PASSAGES:
        raise RejectionError(bad("passages", f"must be at most {MAX_PASSAGES}"))
    return Passages(tuple(Passage(each.old, each.new) for each in passages or ()))


def _given[T](value: T | None) -> T | None:
    return None if value is strawberry.UNSET else value


def _decoded(update: str, most: int) -> bytes:
    try:
        content = base64.b64decode(update, validate=True)
    except (binascii.Error, ValueError) as fault:
        raise RejectionError(Rejection(Code.BAD_REQUEST, "`update` must be base64")) from fault
    if len(content) > most:
        raise RejectionError(Rejection(Code.PAYLOAD_TOO_LARGE, f"`update` must have at most {most} bytes"))
    return content


def _decision_about(
    context: Context, document_id: str, update: bytes, images: CopiedImages | None = None
) -> DecideChange[object]:
    """Return how it is decided about an update that was computed, with the images that it brings."""

    async def decide(ask: StateReader, found: ItemFacts, _answer: object, _grown: int) -> Decision:
        copies = await images.recorded(ask, context.user_id, update, found.item.drive_id) if images else ()
        edited = DocumentEdited(document_id, found.item.drive_id, update)
        return copies if isinstance(copies, Rejection) else (edited, *copies)

    return decide


NO_REVISION: Final = Rejection(
    Code.REVISION_GONE, "`base` is no revision of the document: read it, and send the `revision` that it has"
)


async def _images_of(context: Context, document_id: str, wanted: Edit) -> CopiedImages:
    now = context.ports.clock()
    return await copied_images(context.ports.store, context.user_id, document_id, named_images(wanted), now)


async def _edited(
    context: Context, document_id: str, asked: EditRequest, base: int | None, *, dry_run: bool
) -> AppliedEdit:
    """Edit a document and tell what that did; what a request did before is told again as it was then, as far as known."""
    found = await check_editable(context, document_id)
    if base is not None and base > found.item.sequence:
        raise RejectionError(NO_REVISION)

    async def compute(until: int | None) -> ComputedChange[tuple[EditEffect, CopiedImages]]:
        images = await _images_of(context, document_id, asked.wanted)
        request = replace(asked, until=until, copies=images.ids)
        made = unwrap(await context.ports.documents.edited(document_id, request, context.caller.credit))
        decide = _decision_about(context, document_id, made.computed.update, images)
        return ComputedChange(made.computed, decide, (made.effect, images))

    made = await change_computed(context, document_id, compute, dry_run=dry_run)
    effect, images = made.told
    is_made = bool(made.update.update) and not dry_run
    is_next = made.revision == made.update.sequence + is_made  # else others edited between
    return AppliedEdit(
        id=ID(document_id),
        revision=made.revision,
        known_markdown=effect.markdown if is_next else None,
        changes=effect.changes,
        kept=effect.kept,
        conflicts=effect.conflicts,
        lost=[*images.lost(), *effect.lost],
        is_made=is_made,
    )


Base = Annotated[
    int | None,
    strawberry.argument(
        description="The revision that you read, which a replacement is made to and merged from with what others wrote since; "
        "0 of a new document. An edit by `append` or `passages` is made to the present document; a `base` that never was is "
        "refused there, too."
    ),
]


@strawberry.type
class DocumentMutations:
    @strawberry.mutation(
        graphql_type=DriveItem,
        description="Add a Yjs update made elsewhere to a document, such as the whole state of one that moves here. It is refused "
        "where no read would show anything of it; what the document has already is not stored again.",
    )
    async def import_yjs_update(
        self,
        info: Info,
        document_id: DocumentId,
        update: Annotated[str, strawberry.argument(description="The update (Yjs, version 1) in base64.")],
        field: Annotated[
            str | None,
            strawberry.argument(
                description="The root (a name of `Y.Doc.get`) that has the text as XML, if that is neither `default` nor "
                "`prosemirror`. Its content moves to the root that is read."
            ),
        ] = None,
    ) -> DriveItemFields:
        context = context_of(info)
        documents, content = context.ports.documents, _decoded(update, context.ports.limit.update_bytes)

        async def compute(_until: int | None) -> ComputedChange[None]:
            made = unwrap(await documents.imported(document_id, content, context.caller.credit, field))
            return ComputedChange(made, _decision_about(context, document_id, made.update), None)

        if await context.first_result() is None:
            await check_editable(context, document_id)
            await record_computed(context, document_id, compute)
        return await item_of(context, document_id)

    @strawberry.mutation(
        description="Edit a document in Markdown by exactly one of `replace`, `append` and `passages`, and tell what that did. "
        "What others wrote stays: a replacement is made to the revision `base` and merged with what came since."
    )
    async def edit_document(
        self,
        info: Info,
        document_id: DocumentId,
        edit: Annotated[EditInput, strawberry.argument(description="What to do to its Markdown.")],
        base: Base = strawberry.UNSET,
        on_conflict: Annotated[
            OnConflict,
            strawberry.argument(
                description="What a replacement does where it conflicts with what others changed since `base`: leave the conflicts "
                "undone, or change nothing at all."
            ),
        ] = OnConflict.merge,
        dry_run: Annotated[
            bool, strawberry.argument(description="Tell what the edit would do, and change nothing.")
        ] = False,
    ) -> AppliedEdit:
        wanted, since = edit_of(edit), _given(base)
        whole = isinstance(wanted, Whole | Section)
        # the other surfaces send a null where they were given no base; who leaves it out here edits what there is now
        if whole and base is None:
            raise RejectionError(bad("base", "is missing: send the `revision` that you read with `replace`"))
        if since is not None and since < 0:
            raise RejectionError(bad("base", "must be a revision of the document, 0 or more"))
        asked = EditRequest(wanted, since if whole else None, refuse=on_conflict is OnConflict.refuse)
        return await _edited(context_of(info), document_id, asked, since, dry_run=dry_run)

    @strawberry.mutation(description="Get a ticket that opens a document over a WebSocket, once, within 30 seconds.")
    async def create_collaboration_ticket(self, info: Info, document_id: DocumentId) -> CollaborationTicket:
        context = context_of(info)
        ports, caller = context.ports, context.caller
        unwrap(item.document(await context.read(ItemFor(caller.user_id, document_id))))
        ticket, expires_at = await ports.tickets.issue(caller, document_id, ports.secrets())
        return CollaborationTicket(ticket=ticket, expires_at=expires_at)
