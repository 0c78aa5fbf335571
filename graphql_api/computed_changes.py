"""Computed changes of a document: edits, undos and restores, computed outside of any lock and looked at again under it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from domain.document import Computed, editable
from domain.errors import Rejection
from domain.events import Decision
from domain.item import ItemFacts
from domain.questions import Question
from graphql_api.context import (
    NOTHING,
    Context,
    RecordedRevisions,
    check_editable,
    item_with_answer,
    unless_written_meanwhile,
)
from graphql_api.ports import LockScope, StateReader

type DecideChange[Answer] = Callable[[StateReader, ItemFacts, Answer, int], Awaitable[Decision]]
"""Decides about a change from the document as it is now, the answer to the change's question, and how many bytes others
have added since it was computed.
"""


@dataclass(frozen=True, slots=True)
class ComputedChange[Told]:
    """A change that is computed and not recorded, and what its caller is told of it.

    `question` is asked with the item when it is decided.
    """

    update: Computed
    decide: DecideChange[Any]
    told: Told
    question: Question[Any] = NOTHING


type Compute[Told] = Callable[[int | None], Awaitable[ComputedChange[Told]]]
"""Computes a change of the document as it is now, or as it was at an earlier revision. Raises RejectionError."""


@dataclass(frozen=True, slots=True)
class MadeChange[Told]:
    """A change that is recorded, or was only tried, and the revision that it left."""

    revision: int
    update: Computed
    told: Told


async def change_computed[Told](
    context: Context, document_id: str, compute: Compute[Told], *, dry_run: bool = False
) -> MadeChange[Told]:
    """Compute a change, record it unless it is only tried, and tell what it did; raises RejectionError.

    What a request did that came before with the same idempotency key is computed as it was then, and only told.
    """
    known = await context.first_result()
    if known is None and not dry_run:
        return await record_computed(context, document_id, compute)
    first = None if known is None else RecordedRevisions.of(known)
    made = await compute(first.computed_from if first else None)
    await check_editable(context, document_id)  # again, since computing may have taken long
    return MadeChange(first.made if first else made.update.sequence, made.update, made.told)


async def record_computed[Told](context: Context, document_id: str, compute: Compute[Told]) -> MadeChange[Told]:
    """Compute a change and record it, again where others write meanwhile in what it deletes; raises RejectionError."""

    async def attempt() -> MadeChange[Told]:
        made = await compute(None)
        revision = await _recorded(context, document_id, made)
        return MadeChange(revision, made.update, made.told)

    return await unless_written_meanwhile(attempt)


async def _recorded(context: Context, document_id: str, change: ComputedChange[Any]) -> int:
    """Record a change that was computed before, where that may still be; return the revision that there is then.

    It raises RejectionError; after WRITTEN_MEANWHILE the change is to be computed again. Where its update is empty there is
    nothing to decide.
    """
    made = change.update
    revision = made.sequence

    async def look_again(ask: StateReader) -> Decision:
        nonlocal revision
        item, answer = await item_with_answer(context, document_id, change.question, ask)
        found = editable(item)
        if isinstance(found, Rejection):
            return found
        revision = found.item.sequence
        if not made.update:
            return ()
        grown = await context.ports.documents.bytes_added_since(document_id, made, context.caller.credit, ask, revision)
        if isinstance(grown, Rejection):
            return grown
        revision += 1
        return await change.decide(ask, found, answer, grown)

    scope = LockScope(items=(document_id,), documents=(document_id,))
    known = await context.change(scope, look_again, lambda: str(RecordedRevisions(made.sequence, revision)))
    return revision if known is None else RecordedRevisions.of(known).made
