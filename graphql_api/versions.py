"""What a version of a document is to whoever asks for it, and how versions are found."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import Annotated, Final

import msgspec
import strawberry

from domain import version as versions
from domain.credit import Author as DomainAuthor
from domain.cursor import Cursor
from domain.errors import NOT_FOUND
from domain.questions import ItemFor, VersionOf, VersionsOf
from graphql_api.connections import Connection, connection, event_number, page_size
from graphql_api.contents import markdown_size, tree_size
from graphql_api.context import Asked, Context, context_of
from graphql_api.ports import Projected
from graphql_api.refused import accepted
from graphql_api.types import Author, Json

ATTRIBUTIONS_AT_ONCE: Final = 200

Number = Annotated[int, strawberry.argument(description="The version's number.")]


@strawberry.type(description="What a document was when a stretch of work on it ended.")
class Version:
    document_id: strawberry.Private[str]
    number: int = strawberry.field(description="Its number in the document: 1, 2, 3 and so on.")
    name: str | None = strawberry.field(description="The name that somebody gave it.")
    created_at: datetime = strawberry.field(description="When the last edit in it was made.")
    authors: Sequence[DomainAuthor] = strawberry.field(
        graphql_type=list[Author], description="Who edited since the version before, the last to edit first."
    )
    byte_size: int = strawberry.field(description="How large the document was, as an encoded Yjs state.")
    restored_from: int | None = strawberry.field(description="The number of the version that this one brought back.")

    @strawberry.field(description="The document as it was, as CommonMark with GFM tables, strikethrough and tasks.")
    async def markdown(self, info: Asked) -> str:
        return (await self.content(context_of(info), markdown_size)).markdown

    @strawberry.field(graphql_type=Json, description="The document as it was, as a ProseMirror tree.")
    async def prosemirror_doc(self, info: Asked) -> msgspec.Raw:
        return (await self.content(context_of(info), tree_size)).tree

    async def content(self, context: Context, size: Callable[[Projected], int]) -> Projected:
        version, read = (self.document_id, self.number), context.ports.versions.read
        return await context.contents.of_version(version, lambda: read(*version), size)


@strawberry.type(description="A stretch of a document's text, and who wrote it.")
class Attribution:
    path: list[int] = strawberry.field(
        description="Where its text node is in `prosemirrorDoc`: places in `content`, from the document down."
    )
    start: int = strawberry.field(description="Where it begins in that text, in units of UTF-16.")
    end: int = strawberry.field(description="Where it ends in that text, in units of UTF-16.")
    by: DomainAuthor = strawberry.field(graphql_type=Author, description="Who wrote it; `editedAt` is to the minute.")


async def attributions_of(context: Context, document_id: str, sequence: int) -> AsyncIterator[Attribution]:
    """Yield the stretches some at a time: a long document has tens of thousands, and others are served in between."""
    found = await context.ports.versions.attributions(document_id, sequence)
    for number, each in enumerate(found):
        if number % ATTRIBUTIONS_AT_ONCE == 0:
            await asyncio.sleep(0)
        yield Attribution(path=list(each.path), start=each.start, end=each.stop, by=each.by)


def shown(document_id: str, version: versions.Version) -> Version:
    return Version(
        document_id=document_id,
        number=version.number,
        name=version.name,
        created_at=version.created_at,
        authors=version.authors,
        byte_size=version.byte_size,
        restored_from=version.restored_from,
    )


async def _readable(context: Context, document_id: str) -> None:
    accepted(versions.readable(await context.read(ItemFor(context.user_id, document_id))))


async def version_of(context: Context, document_id: str, number: int) -> Version:
    await _readable(context, document_id)
    found = await context.read(VersionOf(document_id, number))
    return shown(document_id, accepted(NOT_FOUND if found is None else found))


async def versions_of(context: Context, document_id: str, first: int, after: str | None) -> Connection[Version]:
    size = page_size(first)
    await _readable(context, document_id)
    rows = await context.read(VersionsOf(document_id, size + 1, event_number(after)))
    nodes = [shown(document_id, row) for row in rows[:size]]
    return connection(nodes, [Cursor(str(node.number)) for node in nodes], after, more=len(rows) > size)
