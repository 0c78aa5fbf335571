"""Root query fields that turn Markdown into a tree, and a tree into Markdown, that no document holds."""

from typing import Annotated

import msgspec
import strawberry

from contract.errors import RejectionError, unwrap
from contract.scalars import Json
from domain.values import bad
from graphql_api.context import Info, context_of

GivenMarkdown = Annotated[str, strawberry.argument(description="The Markdown, as an edit takes it.")]
GivenTree = Annotated[
    Json, strawberry.argument(description="A ProseMirror document, such as a selection of an editor in a node `doc`.")
]


@strawberry.type
class MarkdownQueries:
    @strawberry.field(
        graphql_type=Json | None,
        description="The ProseMirror document that this Markdown says, by the rules of edits, such as for text that somebody "
        "pastes. Nothing is stored.",
    )
    async def prosemirror_doc_of(self, info: Info, markdown: GivenMarkdown) -> msgspec.Raw:
        context = context_of(info)

        async def load() -> msgspec.Raw:
            return unwrap(await context.ports.documents.tree_of(markdown, context.caller.credit))

        return await context.content_budget.loaded(load, lambda tree: memoryview(tree).nbytes)

    @strawberry.field(
        graphql_type=str | None,
        description="The Markdown of a ProseMirror document, as that of documents is written, such as for text that somebody copies. "
        "Nothing is stored.",
    )
    async def markdown_of(self, info: Info, prosemirror_doc: GivenTree) -> str:
        context = context_of(info)
        if not isinstance(prosemirror_doc, dict):
            raise RejectionError(bad("prosemirrorDoc", "must be an object"))

        async def load() -> str:
            return unwrap(await context.ports.documents.markdown_of(prosemirror_doc, context.caller.credit))

        return await context.content_budget.loaded(load, len)
