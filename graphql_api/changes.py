"""Object types of a document's changes, their look-up, and the root query fields of changes and attributions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

import msgspec
import strawberry

from contract.errors import RejectionError, unwrap
from contract.scalars import Json
from documents.history.changes import Change, Kind, revision_before, revisions_of
from documents.history.unseen import UnseenText
from documents.yjs.scan import Refused
from domain import item
from domain import version as versions
from domain.credit import Author
from domain.cursor import Cursor, signed_cursor, signed_place
from domain.errors import NOT_FOUND
from domain.questions import AuthorNamesOf, ItemFor, RevisionBefore, VersionOf
from domain.values import bad
from graphql_api.arguments import DocumentId
from graphql_api.connections import After, Connection, First, connection, page_size
from graphql_api.context import Context, Info, context_of
from graphql_api.enums import describe
from graphql_api.query_limits import DEFAULT_PAGE
from graphql_api.types import ID, AuthorType
from graphql_api.versions import AttributionType, attribution_view

describe(
    Kind,
    "ChangeKind",
    "What a change did to a block.",
    inserted="It inserted text, or the block.",
    deleted="It deleted text, or the block.",
    replaced="It inserted text and deleted text.",
    moved="It moved text, and neither wrote nor deleted any.",
    formatted="It changed anything but the text and its place.",
)
SinceRevision = Annotated[
    int | None, strawberry.argument(description="Only what came after this revision; 0 is the beginning.")
]
SinceVersion = Annotated[
    int | None, strawberry.argument(description="Only what came after the version of this number.")
]
SinceTime = Annotated[
    datetime | None,
    strawberry.argument(
        description="Only what was done at this moment or later, or in its minute where edits are no longer stored one by one."
    ),
]
UntilRevision = Annotated[
    int | None, strawberry.argument(description="Only what had come at this revision, as it was then.")
]
UntilVersion = Annotated[
    int | None, strawberry.argument(description="Only what had come at the version of this number, as it was then.")
]
UntilTime = Annotated[
    datetime | None, strawberry.argument(description="Only what was done before this moment, as it was then.")
]
NewestFirst = Annotated[
    bool,
    strawberry.argument(description="The changes of the newest edit first; those of one edit stay as one reads them."),
]
OfUser = Annotated[ID | None, strawberry.argument(description="Only what this user, or an agent of theirs, did.")]
OfAgent = Annotated[
    str | None,
    strawberry.argument(description="Only what this agent did; empty for what people did themselves."),
]


@strawberry.type(
    name="UnseenText",
    description="Text that went with a block which somebody else deleted without having seen it.",
)
class UnseenTextType:
    text: str = strawberry.field(description="The text.")
    by: Author | None = strawberry.field(
        graphql_type=AuthorType | None, description="Who wrote it; null where that is not known."
    )
    deleted_by: Author | None = strawberry.field(
        graphql_type=AuthorType | None, description="Who deleted the block, and when; null where that is not known."
    )


@strawberry.type(
    name="Change",
    description="What one author did to one block that lies directly in the document, without a pause of 60 seconds.",
)
class ChangeType:
    id: str = strawberry.field(graphql_type=ID, description="Its id, by which it can be taken back.")
    at: datetime = strawberry.field(description="When its last edit was made.")
    by: Author | None = strawberry.field(
        graphql_type=AuthorType | None, description="Who made it; null where that was not recorded."
    )
    kind: Kind = strawberry.field(description="What it did.")
    path: list[int] | None = strawberry.field(
        description="The indexes that lead to the block in the present document, or in that of the `until…`; null where it is "
        "gone."
    )
    inserted: str = strawberry.field(description="The text that it inserted.")
    deleted: str = strawberry.field(description="The text that it deleted.")
    unseen: list[UnseenTextType] = strawberry.field(
        description="Text that is gone since this change although nobody deleted it: the change wrote it into what somebody else had "
        "deleted, or deleted a block in which somebody else had just written it. It is stored; undoing the deletion brings it back."
    )
    inserted_ranges: msgspec.Raw = strawberry.field(
        graphql_type=Json,
        description="Where the inserted text stands in the Yjs document: lists of three numbers, Yjs client, first clock and "
        "length. A clock is a unit of UTF-16. Text in a node that was deleted since has none.",
    )
    deleted_ranges: msgspec.Raw = strawberry.field(
        graphql_type=Json,
        description="Where the deleted text stood in the Yjs document: lists of Yjs client, first clock, length and text. Text in "
        "a node that was deleted has the clock of the outermost such node.",
    )


def change_view(change: Change, names: Mapping[str, str]) -> ChangeType:
    author = Author(change.user_id, names.get(change.user_id, ""), change.agent, change.at)
    return ChangeType(
        id=change.id,
        at=change.at,
        by=author if change.user_id else None,
        kind=change.kind,
        path=None if change.path is None else list(change.path),
        inserted=change.inserted,
        deleted=change.deleted,
        unseen=[_unseen_view(each, names) for each in change.unseen],
        inserted_ranges=msgspec.Raw(msgspec.json.encode(change.inserted_ranges)),
        deleted_ranges=msgspec.Raw(msgspec.json.encode(change.deleted_ranges)),
    )


def _unseen_view(lost: UnseenText, names: Mapping[str, str]) -> UnseenTextType:
    writer = Author(lost.user_id, names.get(lost.user_id, ""), lost.agent, lost.at)
    deleter = Author(lost.deleted_by, names.get(lost.deleted_by, ""), lost.deleting_agent, lost.deleted_at)
    return UnseenTextType(
        text=lost.text,
        by=writer if lost.user_id else None,
        deleted_by=deleter if lost.deleted_by else None,
    )


async def revision_of(
    ask: Context, document_id: str, revision: int | None, version: int | None, at: datetime | None
) -> int:
    """Return the revision that what is asked for came after: the latest of those given."""
    return max(await _revisions(ask, document_id, "sinceRevision", revision, version, at), default=0)


async def _revisions(
    ask: Context, document_id: str, name: str, revision: int | None, version: int | None, at: datetime | None
) -> list[int]:
    """Return the revisions that are meant: one itself, by the field `name`, the end of a version, and the last before a time."""
    found: list[int] = []
    if revision is not None:
        found.append(unwrap(revision if revision >= 0 else bad(name, "must be a revision, 0 or more")))
    if version is not None:
        ended = await ask.read(VersionOf(document_id, version))
        found.append(unwrap(NOT_FOUND if ended is None else ended).sequence)
    if at is not None:
        found.append(await ask.read(RevisionBefore(document_id, at)))
    return found


@dataclass(frozen=True, slots=True)
class ChangeFilter:
    """The changes since the latest and until the earliest of these, of one user, and of one agent of theirs.

    An empty agent is the user alone.
    """

    since_revision: int | None
    since_version: int | None
    since_time: datetime | None
    user_id: str | None
    agent: str | None
    until_revision: int | None = None
    until_version: int | None = None
    until_time: datetime | None = None

    def keeps(self, change: Change) -> bool:
        return (
            (self.user_id is None or change.user_id == self.user_id)
            and (self.agent is None or (change.agent or "") == self.agent)
            and (self.since_time is None or change.latest >= self.since_time)
        )


async def changes_page(
    context: Context,
    document_id: str,
    wanted: ChangeFilter,
    first: int,
    after: str | None,
    *,
    newest_first: bool = False,
) -> Connection[ChangeType]:
    """Return a part of the changes of a document; raises RejectionError."""
    size = page_size(first)
    facts = unwrap(versions.readable(await context.read(ItemFor(context.user_id, document_id))))
    revision = await revision_of(context, document_id, wanted.since_revision, wanted.since_version, wanted.since_time)
    last = wanted.until_revision, wanted.until_version, wanted.until_time
    until = min(await _revisions(context, document_id, "untilRevision", *last), default=None)
    by, read = context.caller.credit, context.ports.versions.changes.since
    found = unwrap(await read(document_id, revision, facts.item.sequence, by, until))
    ordered = sorted(found, key=lambda each: (-each.last, -each.first)) if newest_first else found
    kept = [each for each in ordered if wanted.keeps(each)]
    rows = [each for each in ordered[_begin(ordered, after, newest_first=newest_first) :] if wanted.keeps(each)]
    names = await context.read(AuthorNamesOf(document_id))
    nodes = [change_view(each, names) for each in rows[:size]]
    return connection(nodes, [Cursor(node.id) for node in nodes], after, more=len(rows) > size, total=len(kept))


def _begin(ordered: Sequence[Change], after: str | None, *, newest_first: bool) -> int:
    """Return where a list goes on after a change; where that has grown meanwhile, at the first of the edit that it was of."""
    if after is None:
        return 0
    if isinstance(revision_before([after]), Refused):
        raise RejectionError(NOT_FOUND)
    place, sign = revisions_of(after), -1 if newest_first else 1
    grown = len(ordered)
    for at, each in enumerate(ordered):
        if each.id == after:
            return at + 1
        if (sign * each.last, sign * each.first) >= (sign * place[0], sign * place[1]):
            grown = min(grown, at)
    return grown


@strawberry.type(description="Who wrote which stretch of a document, in the order of the text.")
class Attributions:
    revision: int = strawberry.field(description="The revision of the document whose stretches these are.")
    attributions: list[AttributionType] = strawberry.field(description="The stretches.")
    next_cursor: Cursor | None = strawberry.field(
        description="The cursor to go on after; later parts are of the same revision. It is good for a day at least. Null at the end."
    )


async def attributions_page(context: Context, document_id: str, first: int, after: str | None) -> Attributions:
    """Return a part of the attributions of the present document, or of the revision to which the cursor belongs."""
    size = page_size(first)
    facts = unwrap(item.document(await context.read(ItemFor(context.user_id, document_id))))
    revision, begin = facts.item.sequence, 0
    # Signed: who may not see versions could else ask who had written what at any revision.
    of = ("attributions", facts.item.id, context.user_id)
    if after is not None:
        place = signed_place(context.ports.cursor_key, after, of)
        revision, begin = map(int, unwrap(NOT_FOUND if place is None else place).split("-"))
        if revision > facts.item.sequence:  # the database was brought back to an earlier state
            raise RejectionError(NOT_FOUND)
    spans = unwrap(await context.ports.versions.attributions(document_id, revision, context.caller.credit))
    nodes = [attribution_view(span) for span in spans[begin : begin + size]]
    more = begin + size < len(spans)
    return Attributions(
        revision=revision,
        attributions=nodes,
        next_cursor=signed_cursor(context.ports.cursor_key, f"{revision}-{begin + size}", of) if more else None,
    )


@strawberry.type
class ChangeQueries:
    @strawberry.field(
        graphql_type=Connection[ChangeType] | None,
        description="Who changed what in a document, the oldest edit first, and what one edit changed in the order of the "
        "document; for those who may edit it. Without a `since…`, from the beginning; without an `until…`, to the present.",
    )
    async def document_changes(
        self,
        info: Info,
        document_id: DocumentId,
        since_revision: SinceRevision = None,
        since_version: SinceVersion = None,
        since_time: SinceTime = None,
        user_id: OfUser = None,
        agent: OfAgent = None,
        until_revision: UntilRevision = None,
        until_version: UntilVersion = None,
        until_time: UntilTime = None,
        newest_first: NewestFirst = False,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[ChangeType]:
        wanted = ChangeFilter(
            since_revision, since_version, since_time, user_id, agent, until_revision, until_version, until_time
        )
        return await changes_page(context_of(info), document_id, wanted, first, after, newest_first=newest_first)

    @strawberry.field(
        graphql_type=Attributions | None,
        description="Who wrote which stretch of a document's text, as it is now, in parts.",
    )
    async def document_attributions(
        self, info: Info, document_id: DocumentId, first: First = DEFAULT_PAGE, after: After = None
    ) -> Attributions:
        return await attributions_page(context_of(info), document_id, first, after)
