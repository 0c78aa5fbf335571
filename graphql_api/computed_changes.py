"""Computed changes of a document: edits, undos and restores, computed outside of any lock and looked at again under it."""

from collections.abc import Awaitable, Callable

from domain.document import Computed, editable
from domain.errors import Rejection
from domain.events import Decision
from domain.item import ItemFacts
from graphql_api.context import Context, RecordedRevisions, item_for_caller
from graphql_api.ports import LockScope, StateReader

type DecideChange = Callable[[StateReader, ItemFacts, int], Awaitable[Decision]]
"""Decides about a change from the document as it is now, to which others have added so many bytes since it was computed."""


async def record_computed(context: Context, document_id: str, made: Computed, decide: DecideChange) -> int:
    """Record an update that was computed before, where that may still be; return the revision that there is then.

    It raises RejectionError; after WRITTEN_MEANWHILE the update is to be computed again. Where it is empty there is nothing to
    decide.
    """
    revision = made.sequence

    async def look_again(ask: StateReader) -> Decision:
        nonlocal revision
        found = editable(await item_for_caller(context, document_id, ask))
        if isinstance(found, Rejection):
            return found
        revision = found.item.sequence
        if not made.update:
            return ()
        grown = await context.ports.documents.bytes_added_since(document_id, made, context.caller.credit, ask, revision)
        if isinstance(grown, Rejection):
            return grown
        revision += 1
        return await decide(ask, found, grown)

    scope = LockScope(items=(document_id,), documents=(document_id,))
    known = await context.change(scope, look_again, lambda: str(RecordedRevisions(made.sequence, revision)))
    return revision if known is None else RecordedRevisions.of(known).made
