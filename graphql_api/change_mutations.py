"""Mutation that takes changes of a document back."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import strawberry

from contract.bounds import MAX_IDS, MAX_PAGE
from contract.errors import RejectionError, unwrap
from documents.history.changes import SkippedPart, UndoEffect, UndoRequest, revision_before
from documents.history.undo import SkipReason
from documents.yjs.scan import Refused
from domain import document
from domain import version as versions
from domain.document import Computed
from domain.errors import NOT_FOUND, Code, Rejection
from domain.events import Decision
from domain.history import History, due_cuts
from domain.item import ItemFacts
from domain.questions import AuthorNamesOf, Both, HistoryOf, ItemFor, LastEditBy
from domain.values import bad
from graphql_api import views
from graphql_api.arguments import DocumentId
from graphql_api.changes import ChangeType, SinceRevision, SinceTime, change_view, revision_of
from graphql_api.computed_changes import ComputedChange, DecideChange, change_computed
from graphql_api.context import (
    Context,
    Info,
    check_editable,
    context_of,
)
from graphql_api.enums import describe
from graphql_api.object_types import DriveItem
from graphql_api.ports import StateReader
from graphql_api.types import ID, DriveItemFields

describe(
    SkipReason,
    "SkipReason",
    "Why something was not taken back.",
    others_inside="Others wrote in the block: it stays, with their text.",
    content_gone="The text was written and deleted between two versions whose edits are no longer stored one by one.",
    place_gone="Somebody else deleted the block in which the text was, or it is back without the text.",
    formatting="The text was formatted too often to tell what of it is whose.",
)


@strawberry.type(name="SkippedChange", description="Something that was not taken back.")
class SkippedChangeType:
    reason: SkipReason = strawberry.field(description="Why.")
    path: Sequence[int] | None = strawberry.field(
        graphql_type=list[int] | None,
        description="The indexes that led to its block in the document before; null where it was gone.",
    )


@strawberry.type(description="What was taken back of a document, or would be.")
class UndoneChanges:
    item_id: strawberry.Private[str]
    revision: int = strawberry.field(
        description="The revision that the undo made; the present one, where it changed nothing or was not made."
    )
    changes: list[ChangeType] = strawberry.field(
        description=f"The changes that are taken back, the oldest first; at most {MAX_PAGE} of them are told."
    )
    changes_total: int = strawberry.field(description="How many changes are taken back, told or not.")
    skipped: Sequence[SkippedPart] = strawberry.field(
        graphql_type=list[SkippedChangeType], description="What was not taken back."
    )

    @strawberry.field(graphql_type=DriveItem, description="The item that the document is.")
    async def item(self, info: Info) -> DriveItemFields:
        context = context_of(info)
        facts = unwrap(document.editable(await context.read(ItemFor(context.user_id, self.item_id))))
        return views.item_view(facts, context.ports.origin)


NO_EDIT = Rejection(Code.NOT_FOUND, "you have not edited this document, by this agent or (without one) by yourself")


async def _last_edit(context: Context, document_id: str, newest: int, until: int | None) -> UndoRequest | Rejection:
    """Return the request to take back the caller's last edit up to a revision: through their agent, where one acts for them.

    `newest` is the document's revision now. Of edits that are no longer stored one by one, it is the last change.
    """
    end = newest if until is None else until
    by = context.caller.credit
    last = await context.read(LastEditBy(document_id, by.user_id, by.agent or "", end))
    if last is not None:
        return UndoRequest(last - 1, (), by.user_id, by.agent or "")
    listed = await context.ports.versions.changes.since(document_id, 0, newest, by, end)
    if isinstance(listed, Rejection):
        return listed
    own = [each for each in listed if (each.user_id, each.agent or "") == (by.user_id, by.agent or "")]
    latest = max((each.last for each in own), default=0)
    ids = tuple(each.id for each in own if each.last == latest)[:MAX_IDS]
    begun = revision_before(ids)
    return UndoRequest(begun, ids) if ids and not isinstance(begun, Refused) else NO_EDIT


def _decision_about(context: Context, document_id: str, edit: Computed) -> DecideChange[History | None]:
    """Return how it is decided about an undo that was computed."""

    async def decide(_ask: StateReader, _found: ItemFacts, history: History | None, grown: int) -> Decision:
        if history is None:
            return NOT_FOUND
        now = context.ports.clock()
        ended = due_cuts(history, now, end=True)
        return versions.undo(document_id, history, ended, edit, grown, context.caller.credit, now)

    return decide


@strawberry.type
class ChangeMutations:
    @strawberry.mutation(
        description="Take changes of a document back, and nothing else: those with the `ids`, your own `last` edit, or all that "
        "one user, or one agent of theirs, did since a revision or a time. It is an edit of yours, which can be taken back itself; what "
        "others wrote stays. With `dryRun` nothing is changed."
    )
    async def undo_changes(
        self,
        info: Info,
        document_id: DocumentId,
        ids: Annotated[
            list[ID] | None, strawberry.argument(description=f"The ids of at most {MAX_IDS} changes.")
        ] = None,
        user_id: Annotated[
            ID | None, strawberry.argument(description="Whose changes, instead of `ids`: theirs and their agents'.")
        ] = None,
        agent: Annotated[
            str | None,
            strawberry.argument(description="Only what this agent of the user did; empty for the user alone."),
        ] = None,
        since_revision: SinceRevision = None,
        since_time: SinceTime = None,
        last: Annotated[
            bool,
            strawberry.argument(
                description="Your own last edit, instead of `ids` or `userId`: that of the agent that this request is credited to, "
                "or without one, of yourself. An undo is an edit, too."
            ),
        ] = False,
        dry_run: Annotated[
            bool, strawberry.argument(description="Tell what would be taken back, and change nothing.")
        ] = False,
    ) -> UndoneChanges:
        context = context_of(info)
        others = (user_id, agent, since_revision, since_time)
        ways = (ids is not None, user_id is not None, last)
        if ways.count(True) != 1 or (user_id is None and others != (None,) * len(others)):
            message = "send one of `ids`, `last`, and `userId` with `agent`, `sinceRevision` or `sinceTime`"
            raise RejectionError(Rejection(Code.BAD_REQUEST, message))
        if ids is not None and not 0 < len(ids) <= MAX_IDS:
            raise RejectionError(bad("ids", f"must be from 1 to {MAX_IDS}"))
        begun = revision_before(ids or ())
        if isinstance(begun, Refused):
            raise RejectionError(NOT_FOUND)
        await check_editable(context, document_id)

        async def request(newest: int, until: int | None) -> UndoRequest:
            if last:
                return unwrap(await _last_edit(context, document_id, newest, until))
            if ids is not None:
                return UndoRequest(begun, tuple(ids))
            revision = await revision_of(context, document_id, since_revision, None, since_time)
            return UndoRequest(revision, (), user_id or "", agent, since_time)

        ports, its_history = context.ports, HistoryOf(document_id)

        async def compute(until: int | None) -> ComputedChange[tuple[UndoEffect, dict[str, str]]]:
            found, names = await ports.store.read(Both(its_history, AuthorNamesOf(document_id)))
            history = unwrap(found or NOT_FOUND)
            asked = replace(await request(history.sequence, until), until=until)
            ends = [each.sequence for each in due_cuts(history, ports.clock(), end=True)]
            made = unwrap(await ports.versions.changes.undoing(document_id, asked, ends, context.caller.credit))
            decide = _decision_about(context, document_id, made.computed)
            return ComputedChange(made.computed, decide, (made.effect, names), its_history)

        made = await change_computed(context, document_id, compute, dry_run=dry_run)
        effect, names = made.told
        return UndoneChanges(
            item_id=document_id,
            revision=made.revision,
            changes=[change_view(each, names) for each in effect.changes[:MAX_PAGE]],
            changes_total=len(effect.changes),
            skipped=effect.skipped,
        )
