"""Object types of a document's versions and attributions, their look-up, and the root query fields of versions."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import Annotated

import msgspec
import strawberry

from contract.bounds import MAX_PAGE
from contract.errors import unwrap
from contract.scalars import Json
from domain import item
from domain import version as versions
from domain.credit import Author
from domain.cursor import Cursor
from domain.errors import NOT_FOUND
from domain.questions import AuthorsOf, ItemFor, VersionOf, VersionsOf
from graphql_api.arguments import By, ByAgent, DocumentId
from graphql_api.connections import After, Connection, First, connection, event_number, page_size
from graphql_api.context import Context, Info, context_of
from graphql_api.cooperative_executor import with_breaks
from graphql_api.ports import AttributedRange, DocumentContent
from graphql_api.query_limits import DEFAULT_PAGE
from graphql_api.read_limits import markdown_size, tree_size
from graphql_api.types import ID, AuthorType

Number = Annotated[int, strawberry.argument(description="The version's number.")]


@strawberry.type(name="Version", description="What a document was when a stretch of work on it ended.")
class VersionType:
    document_id: strawberry.Private[str]
    number: int = strawberry.field(description="Its number in the document: 1, 2, 3 and so on.")
    name: str | None = strawberry.field(description="The name that somebody gave it.")
    created_at: datetime = strawberry.field(description="When the last edit in it was made.")
    authors: Sequence[Author] = strawberry.field(
        graphql_type=list[AuthorType], description="Who edited since the version before, the last to edit first."
    )
    byte_size: int = strawberry.field(description="How large the document was, as an encoded Yjs state.")
    restored_from: int | None = strawberry.field(description="The number of the version that this one brought back.")

    @strawberry.field(description="The document as it was, as CommonMark with GFM tables, strikethrough and tasks.")
    async def markdown(self, info: Info) -> str:
        return (await self.content(context_of(info), markdown_size)).markdown

    @strawberry.field(graphql_type=Json, description="The document as it was, as a ProseMirror tree.")
    async def prosemirror_doc(self, info: Info) -> msgspec.Raw:
        return (await self.content(context_of(info), tree_size)).tree

    async def content(self, context: Context, size: Callable[[DocumentContent], int]) -> DocumentContent:
        version, read = (self.document_id, self.number), context.ports.versions.read
        return await context.content_budget.of_version(version, lambda: read(*version, context.caller.credit), size)


@strawberry.type(name="Attribution", description="A stretch of a document's text, and who wrote it.")
class AttributionType:
    path: list[int] = strawberry.field(
        description="Where its text node is in `prosemirrorDoc`: places in `content`, from the document down."
    )
    start: int = strawberry.field(description="Where it begins in that text, in units of UTF-16.")
    end: int = strawberry.field(description="Where it ends in that text, in units of UTF-16.")
    by: Author = strawberry.field(graphql_type=AuthorType, description="Who wrote it; `editedAt` is to the minute.")
    moved_by: Author | None = strawberry.field(
        graphql_type=AuthorType | None,
        description="Who moved it to where it is, or brought it back by an undo or a restore, the last time; null where it stands "
        "where it was written. `editedAt` is to the minute.",
    )


@strawberry.type(
    name="DocumentCredits",
    description="Who wrote which letters of a document, by Yjs ids: these stay true while people type.",
)
class DocumentCreditsType:
    revision: int = strawberry.field(description="The revision of the document whose letters these are.")
    authors: list[Author] = strawberry.field(
        graphql_type=list[AuthorType], description="The authors, once for each minute; `editedAt` is to the minute."
    )
    ranges: msgspec.Raw = strawberry.field(
        graphql_type=Json,
        description="Lists of four numbers, in the order of clients and clocks: Yjs client, first clock, length, and place in "
        "`authors`. A clock is a unit of UTF-16. Every letter that the document shows and that lies in the range is the "
        "author's; what is deleted or no letter may lie in it, too.",
    )
    movers: list[Author] = strawberry.field(
        graphql_type=list[AuthorType],
        description="Who moved letters to where they are, or brought them back by an undo or a restore, once for each minute.",
    )
    moved: msgspec.Raw = strawberry.field(
        graphql_type=Json,
        description="Those of `ranges` whose letters somebody moved or brought back, with the place in `movers` of who did so the "
        "last time.",
    )


async def credits_of(context: Context, document_id: str, sequence: int) -> DocumentCreditsType:
    found = await context.ports.versions.credits(document_id, sequence, context.caller.credit)
    return DocumentCreditsType(
        revision=sequence,
        authors=list(found.authors),
        ranges=found.ranges,
        movers=list(found.movers),
        moved=found.moved,
    )


def attribution_view(span: AttributedRange) -> AttributionType:
    return AttributionType(path=list(span.path), start=span.start, end=span.stop, by=span.by, moved_by=span.moved_by)


async def attributions_of(context: Context, document_id: str, sequence: int) -> AsyncIterator[AttributionType]:
    """Yield who wrote each stretch of the text, with breaks: a long document has tens of thousands of them."""
    found = unwrap(await context.ports.versions.attributions(document_id, sequence, context.caller.credit))
    async for each in with_breaks(found):
        yield attribution_view(each)


def version_view(document_id: str, version: versions.Version) -> VersionType:
    return VersionType(
        document_id=document_id,
        number=version.number,
        name=version.name,
        created_at=version.created_at,
        authors=version.authors,
        byte_size=version.byte_size,
        restored_from=version.restored_from,
    )


async def _readable(context: Context, document_id: str) -> None:
    unwrap(versions.readable(await context.read(ItemFor(context.user_id, document_id))))


async def version_of(context: Context, document_id: str, number: int) -> VersionType:
    await _readable(context, document_id)
    found = await context.read(VersionOf(document_id, number))
    return version_view(document_id, unwrap(NOT_FOUND if found is None else found))


async def versions_of(
    context: Context, document_id: str, by: str | None, agent: str | None, first: int, after: str | None
) -> Connection[VersionType]:
    size = page_size(first)
    await _readable(context, document_id)
    rows = await context.read(VersionsOf(document_id, size + 1, event_number(after), by, agent))
    nodes = [version_view(document_id, row) for row in rows[:size]]
    return connection(nodes, [Cursor(str(node.number)) for node in nodes], after, more=len(rows) > size)


@strawberry.type
class VersionQueries:
    @strawberry.field(
        graphql_type=Connection[VersionType] | None,
        description="The versions of a document, the newest first; for those who may edit it.",
    )
    async def document_versions(
        self,
        info: Info,
        document_id: DocumentId,
        by: By = None,
        agent: ByAgent = None,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[VersionType]:
        return await versions_of(context_of(info), document_id, by, agent, first, after)

    @strawberry.field(
        graphql_type=list[ID] | None,
        description="The ids of a document's authors, alone or by agents, in the order of their first edits; at most "
        f"{MAX_PAGE} of them. An editor gives people colours by their places.",
    )
    async def document_author_ids(self, info: Info, document_id: DocumentId) -> list[str]:
        context = context_of(info)
        unwrap(item.document(await context.read(ItemFor(context.user_id, document_id))))
        return await context.read(AuthorsOf(document_id, MAX_PAGE))

    @strawberry.field(
        graphql_type=VersionType | None, description="A version of a document; for those who may edit the document."
    )
    async def document_version(self, info: Info, document_id: DocumentId, number: Number) -> VersionType:
        return await version_of(context_of(info), document_id, number)
