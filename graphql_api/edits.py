"""Object types of what an edit of a document did."""

from collections.abc import Sequence
from enum import StrEnum

import strawberry

from contract.errors import unwrap
from documents.editing.concurrent_blocks import NotDone
from documents.editing.conflicts import ConflictClass
from documents.editing.edit_report import Difference, Lost
from documents.editing.rebase import Kept
from documents.editing.three_way import Conflict
from documents.history.changes import Kind
from domain.errors import Rejection
from domain.questions import AuthorNamesOf, ItemFor
from domain.trash import in_trash
from graphql_api import views
from graphql_api.changes import ChangeType, change_view
from graphql_api.context import Info, context_of
from graphql_api.enums import describe
from graphql_api.object_types import DriveItem
from graphql_api.types import ID, DriveItemFields, LostMarkupType


class OnConflict(StrEnum):
    """What an edit of an earlier revision does where it conflicts with what others changed since."""

    merge = "merge"
    refuse = "refuse"


describe(
    OnConflict,
    "OnConflict",
    "What an edit of an earlier revision does where it conflicts with what others changed since.",
    merge="Makes what conflicts with nothing, and leaves the conflicts undone.",
    refuse="Changes nothing at all, and is refused: the `extensions` of the error list the `conflicts`.",
)
describe(
    ConflictClass,
    "ConflictClass",
    "Why a change of an edit conflicts with what others changed since its base.",
    deleted_by_others="They deleted or replaced words that the edit deletes or replaces, too.",
    place_gone="They deleted what stands beside its place, or all of the block.",
    others_inside="They wrote in a block that it deletes, retypes or moves.",
    same_place="They changed the same place in another way.",
    attribute_changed="They changed an attribute, such as the level of a heading, in another way.",
    format_overlaps="They wrote in the text whose marks it changes, or changed these in another way.",
)
describe(
    NotDone,
    "NotDone",
    "What an edit did not do to a block, since others changed it meanwhile.",
    deleted="It did not delete the block.",
    retyped="It did not make it a block of another kind, such as a heading.",
    moved="It did not move the block.",
)


@strawberry.type(name="EditChange", description="What an edit did to one block that lies directly in the document.")
class EditChangeType:
    kind: Kind = strawberry.field(description="What was done.")
    path: Sequence[int] | None = strawberry.field(
        graphql_type=list[int] | None,
        description="The indexes that lead to the block in the document after the edit; null where it is gone.",
    )
    inserted: str = strawberry.field(description="The text that came.")
    deleted: str = strawberry.field(description="The text that went.")


@strawberry.type(
    name="KeptBlock", description="A block that the edit left alone in part, since others changed it meanwhile."
)
class KeptBlockType:
    path: Sequence[int] = strawberry.field(
        graphql_type=list[int], description="The indexes that lead to the block in the document after the edit."
    )
    not_done: NotDone = strawberry.field(description="What was not done to it.")


@strawberry.type(
    name="EditConflict",
    description="A change that the edit did not make, since it conflicts with what others changed since its base.",
)
class EditConflictType:
    path: Sequence[int] | None = strawberry.field(
        graphql_type=list[int] | None,
        description="The indexes that lead to the block in the document after the edit; null where it is gone.",
    )
    why: ConflictClass = strawberry.field(name="class", description="Why it conflicts.")
    theirs: str = strawberry.field(
        description="What stands in the place now: text, or Markdown where it is about marks or blocks."
    )
    yours: str = strawberry.field(description="What the edit would have made of the place, as it was at its base.")


@strawberry.type(description="What an edit did to a document, or would do.")
class AppliedEdit:
    id: ID = strawberry.field(description="The document's id.")
    revision: int = strawberry.field(
        description="The revision that the edit made; the present one, where it changed nothing or was not made."
    )
    known_markdown: strawberry.Private[str | None]
    changes: Sequence[Difference] = strawberry.field(
        graphql_type=list[EditChangeType], description="What the edit did, block by block, in the document's order."
    )
    kept: Sequence[Kept] = strawberry.field(
        graphql_type=list[KeptBlockType],
        description="The blocks that it did not delete, retype or move as asked, since others changed them meanwhile.",
    )
    conflicts: Sequence[Conflict] = strawberry.field(
        graphql_type=list[EditConflictType],
        description="What it left undone, since others changed the same since its base: look at both, and edit again.",
    )
    lost: Sequence[Lost] = strawberry.field(
        graphql_type=list[LostMarkupType],
        description="What was lost with it, though the text that had it is still there, because Markdown cannot say it; and what of "
        "the given Markdown was left out, as comments, unknown tags and links around images are. An image of another document is "
        "copied into this one; where the caller may not read it, readers of this one see none.",
    )
    is_made: strawberry.Private[bool] = False

    @strawberry.field(description="The document after the edit, as Markdown.")
    async def markdown(self, info: Info) -> str:
        context, markdown = context_of(info), self.known_markdown
        if markdown is None:
            read = await context.ports.documents.read(self.id, self.revision, context.caller.credit)
            markdown = read.markdown
        context.content_budget.add(len(markdown))
        return markdown

    @strawberry.field(
        description="The changes that it made, as `documentChanges` lists them: each has the id by which it can be taken back. "
        "None where nothing was changed."
    )
    async def recorded_changes(self, info: Info) -> list[ChangeType]:
        if not self.is_made:
            return []
        context, revision = context_of(info), self.revision
        read = context.ports.versions.changes.since
        made = await read(self.id, revision - 1, revision, context.caller.credit, revision)
        if isinstance(made, Rejection):  # the edit is made, whether or not its log is still there
            return []
        names = await context.read(AuthorNamesOf(self.id))
        return [change_view(each, names) for each in made]

    @strawberry.field(graphql_type=DriveItem, description="The item that the document is.")
    async def item(self, info: Info) -> DriveItemFields:
        context = context_of(info)
        facts = unwrap(in_trash(await context.read(ItemFor(context.user_id, self.id))))
        return views.item_view(facts, context.ports.origin)
