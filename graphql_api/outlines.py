"""Object types of a document's outline and of a part of it, and their root query fields."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final, Protocol

import strawberry

from contract.errors import RejectionError, unwrap
from documents.projection.outline import DocumentPart, Heading, Outline, PartRequest
from domain import item
from domain.credit import Credit
from domain.errors import Rejection
from domain.questions import ItemFor
from domain.values import bad
from graphql_api.arguments import DocumentId
from graphql_api.context import Context, Info, context_of
from graphql_api.types import ID

_FIRST_BLOCK: Final = "The index of its first block among the blocks that lie directly in the document, from 0."
_AFTER_IT: Final = "The index of the first block after it."

OfSection = Annotated[
    ID | None,
    strawberry.argument(
        description="Only the section of this heading: the heading with all up to the next one of its level or a higher one."
    ),
]
FromBlock = Annotated[
    int | None,
    strawberry.argument(description="Only from this block on, counted from 0 in the whole document, as `path` counts."),
]
ToBlock = Annotated[int | None, strawberry.argument(description="Only up to this block, which is not read.")]
Characters = Annotated[
    int | None,
    strawberry.argument(
        description="At most so many characters of Markdown, in whole blocks, but one block at least: `nextBlock` is where to go on."
    ),
]


@strawberry.type(name="OutlineHeading", description="A heading that lies directly in a document, and its section.")
class OutlineHeadingType:
    id: str = strawberry.field(
        graphql_type=ID,
        description="Its id, which stays while the heading is in the document. It is the Yjs id: client and clock.",
    )
    level: int = strawberry.field(description="Its level, 1 to 6.")
    text: str = strawberry.field(description="Its text.")
    from_block: int = strawberry.field(description=f"{_FIRST_BLOCK} That is the heading.")
    to_block: int = strawberry.field(description="The index of the first block after its section.")
    size: int = strawberry.field(description="How many characters of Markdown its section has.")


@strawberry.type(name="DocumentOutline", description="The headings of a document.")
class DocumentOutlineType:
    revision: int = strawberry.field(description="The revision of the document whose headings these are.")
    size: int = strawberry.field(description="How many characters of Markdown the document has.")
    blocks: int = strawberry.field(description="How many blocks lie directly in the document.")
    headings: list[OutlineHeadingType] = strawberry.field(
        description="The headings that lie directly in the document, in its order."
    )


@strawberry.type(name="DocumentPart", description="A part of a document.")
class DocumentPartType:
    revision: int = strawberry.field(
        description="The revision of the document that was read: what an edit of it sends as `base`."
    )
    markdown: str = strawberry.field(
        description="The part as CommonMark with GFM tables, strikethrough and tasks, as it stands in the whole."
    )
    from_block: int = strawberry.field(description=_FIRST_BLOCK)
    to_block: int = strawberry.field(description=_AFTER_IT)
    next_block: int | None = strawberry.field(
        description="The block to go on from, by `fromBlock`, where `characters` ended the part; null otherwise."
    )
    blocks: int = strawberry.field(description="How many blocks lie directly in the document.")


class _Sized(Protocol):
    @property
    def size(self) -> int: ...


async def _read[Content: _Sized](
    context: Context, document_id: str, read: Callable[[str, int, Credit], Awaitable[Content | Rejection]]
) -> tuple[int, Content]:
    """Return the revision of a document and what was read of it; raises RejectionError."""
    facts = unwrap(item.document(await context.read(ItemFor(context.user_id, document_id))))
    revision = facts.item.sequence

    async def load() -> Content:
        return unwrap(await read(document_id, revision, context.caller.credit))

    return revision, await context.content_budget.loaded(load, lambda content: content.size)


def _heading(heading: Heading) -> OutlineHeadingType:
    return OutlineHeadingType(
        id=heading.id,
        level=heading.level,
        text=heading.text,
        from_block=heading.start,
        to_block=heading.stop,
        size=heading.size,
    )


@strawberry.type
class OutlineQueries:
    @strawberry.field(
        graphql_type=DocumentOutlineType | None,
        description="The headings of a document, by which parts of it are read.",
    )
    async def document_outline(self, info: Info, document_id: DocumentId) -> DocumentOutlineType:
        context = context_of(info)

        async def read(id_: str, revision: int, by: Credit) -> Outline | Rejection:
            return await context.ports.documents.outline(id_, revision, by)

        revision, found = await _read(context, document_id, read)
        headings = [_heading(each) for each in found.headings]
        return DocumentOutlineType(revision=revision, size=found.size, blocks=found.blocks, headings=headings)

    @strawberry.field(
        graphql_type=DocumentPartType | None, description="A part of a document: a section, or a run of blocks."
    )
    async def document_part(
        self,
        info: Info,
        document_id: DocumentId,
        section: OfSection = None,
        from_block: FromBlock = None,
        to_block: ToBlock = None,
        characters: Characters = None,
    ) -> DocumentPartType:
        context = context_of(info)
        for name, value, least in (
            ("fromBlock", from_block, 0),
            ("toBlock", to_block, 0),
            ("characters", characters, 1),
        ):
            if value is not None and value < least:
                raise RejectionError(bad(name, f"must be {least} or more"))
        asked = PartRequest(section, from_block, to_block, characters)

        async def read(id_: str, revision: int, by: Credit) -> DocumentPart | Rejection:
            return await context.ports.documents.part(id_, revision, asked, by)

        revision, found = await _read(context, document_id, read)
        return DocumentPartType(
            revision=revision,
            markdown=found.markdown,
            from_block=found.start,
            to_block=found.stop,
            next_block=found.following,
            blocks=found.blocks,
        )
