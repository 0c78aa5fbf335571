"""Mutations of a document's versions: their names, and restoring one."""

from typing import Annotated

import strawberry

from contract.errors import unwrap
from domain import version as versions
from domain.errors import NOT_FOUND, Rejection
from domain.events import Decision
from domain.history import History, due_cuts
from domain.item import ItemFacts
from domain.questions import Both, HistoryOf, ItemFor, VersionOf
from domain.values import ItemName
from graphql_api.arguments import DocumentId
from graphql_api.computed_changes import ComputedChange, record_computed
from graphql_api.context import Info, context_of, decide_with, item_for_caller
from graphql_api.object_types import DocumentType, document_of
from graphql_api.ports import LockScope, StateReader
from graphql_api.versions import Number, VersionType, version_of

type _Past = tuple[versions.Version | None, History | None]


def _restorable(
    facts: ItemFacts | None, version: versions.Version | None, history: History | None
) -> tuple[versions.Version, History] | Rejection:
    found = versions.restorable(facts, version)
    if isinstance(found, Rejection):
        return found
    return (found, history) if history else NOT_FOUND


@strawberry.type
class VersionMutations:
    @strawberry.mutation(description="Give a version a name, or take it away.")
    async def name_version(
        self,
        info: Info,
        document_id: DocumentId,
        number: Number,
        name: Annotated[ItemName | None, strawberry.argument(description="The name; null for none.")] = None,
    ) -> VersionType:
        context = context_of(info)
        decide = decide_with(
            ItemFor(context.user_id, document_id),
            VersionOf(document_id, number),
            lambda facts, version: versions.name_version(facts, version, name),
        )
        await context.change(LockScope(items=(document_id,)), decide)
        return await version_of(context, document_id, number)

    @strawberry.mutation(
        description="Bring back what a version held, as an edit of yours that everybody who has the document open sees. "
        "Nothing is rewound: what others write meanwhile is merged, and what was there before is a version, too.",
    )
    async def restore_version(self, info: Info, document_id: DocumentId, number: Number) -> DocumentType:
        context = context_of(info)
        ports, by = context.ports, context.caller.credit

        its_past = Both(VersionOf(document_id, number), HistoryOf(document_id))

        async def compute(_until: int | None) -> ComputedChange[None]:
            facts = await item_for_caller(context, document_id, ports.store)
            _, history = unwrap(_restorable(facts, *await ports.store.read(its_past)))
            ends = [each.sequence for each in due_cuts(history, ports.clock(), end=True)]
            made = unwrap(await ports.versions.restoring(document_id, number, ends, by))

            async def decide(_ask: StateReader, facts: ItemFacts, past: _Past, grown: int) -> Decision:
                found = _restorable(facts, *past)
                if isinstance(found, Rejection):
                    return found
                version, history = found
                now = ports.clock()
                ended = due_cuts(history, now, end=True)
                return versions.restore(document_id, version, history, ended, made, grown, by, now)

            return ComputedChange(made, decide, None, its_past)

        if await context.first_result() is None:
            await record_computed(context, document_id, compute)
        return await document_of(context, document_id)
