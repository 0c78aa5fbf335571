"""Root query fields: each loads facts, lets the domain decide what the caller sees, and returns views of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

import strawberry

from contract.errors import RejectionError, unwrap
from domain import item as items
from domain import organization as organizations
from domain.access import Can
from domain.cursor import Cursor
from domain.drive import member_of
from domain.item import ItemFacts
from domain.organization import OrganizationMember
from domain.questions import (
    ALL_EVENTS,
    AccessOf,
    DriveContents,
    DriveFor,
    DriveNames,
    DrivesFor,
    EventsOf,
    FilteredEvents,
    ItemFor,
    OrganizationFor,
    OrganizationMembershipsOf,
    OrganizationMembersPage,
    Page,
    RecentEvents,
    Recorded,
    SearchFilter,
    SearchFor,
    SearchOrder,
    SharedItemsFor,
    SharedWith,
    Suggestion,
    SuggestionsFor,
    TrashFor,
)
from domain.values import Email, bad
from graphql_api import views
from graphql_api.arguments import (
    By,
    ByAgent,
    DriveId,
    ItemId,
    OfItem,
    OfKinds,
    OfTypes,
    OrganizationId,
    Since,
    event_filter,
    kinds_of,
)
from graphql_api.changes import ChangeQueries
from graphql_api.connections import (
    After,
    Connection,
    First,
    connection,
    event_number,
    page_or_not_found,
    page_size,
)
from graphql_api.context import Context, Info, context_of
from graphql_api.markdown import MarkdownQueries
from graphql_api.object_types import (
    DocumentType,
    DriveItem,
    DriveItemOverview,
    DriveListing,
    DriveType,
    ItemConnection,
    ListedDriveType,
    OrganizationType,
    Viewer,
    document_of,
    overview_of,
    shares_seen,
)
from graphql_api.outlines import OutlineQueries
from graphql_api.previews import PreviewQueries
from graphql_api.query_limits import DEFAULT_PAGE
from graphql_api.read_limits import SEARCH_SECONDS, too_long_a_search
from graphql_api.search import SearchConnection, results
from graphql_api.types import (
    ID,
    AccessExplanation,
    DriveEvent,
    DriveFields,
    DriveItemFields,
    OrganizationFields,
    OrganizationMemberType,
    ShareSuggestion,
)
from graphql_api.versions import VersionQueries


def _listed(facts: DriveContents, origin: str) -> ListedDriveType:
    fields = views.drive(facts.drive, facts.role)
    return ListedDriveType(**vars(fields), items=views.drive_items(facts, origin), members=facts.members)


def _items(page: Page[ItemFacts], after: str | None, context: Context) -> ItemConnection:
    shown = [views.item_view(facts, context.ports.origin) for facts in page.rows]
    return connection(shown, page.cursors, after, more=page.next_cursor is not None)


InDrive = Annotated[ID | None, strawberry.argument(description="Only what is in this drive.")]
BelowFolder = Annotated[
    ID | None,
    strawberry.argument(description="Only what is in this folder, or in folders in it; nothing if you do not see it."),
]
ByAuthor = Annotated[ID | None, strawberry.argument(description="Only what this user created or wrote in.")]
ByAuthorsAgent = Annotated[
    str | None,
    strawberry.argument(
        description="Only what this agent created or wrote in; empty for what people did themselves. With a user: for them."
    ),
]
ChangedSince = Annotated[
    datetime | None, strawberry.argument(description="Only what was changed last at this moment or later.")
]
ChangedUntil = Annotated[
    datetime | None, strawberry.argument(description="Only what was changed last at this moment or earlier.")
]
CreatedSince = Annotated[
    datetime | None, strawberry.argument(description="Only what was created at this moment or later.")
]
CreatedUntil = Annotated[
    datetime | None, strawberry.argument(description="Only what was created at this moment or earlier.")
]
InOrder = Annotated[SearchOrder, strawberry.argument(description="Which of the items found come first.")]


# A field with an id is null together with its error, so that one missing id leaves the rest of an answer.
@strawberry.type(description="Everything that can be asked. What cannot be found is null, with an error that says so.")
class Query(PreviewQueries, VersionQueries, ChangeQueries, OutlineQueries, MarkdownQueries):
    @strawberry.field(description="You, as this request's credential says.")
    def viewer(self, info: Info) -> Viewer:
        caller = context_of(info).caller
        return Viewer(id=caller.user_id, name=caller.name, email=caller.email, agent=caller.agent)

    @strawberry.field(graphql_type=DriveItem | None, description="An item that you see.")
    async def drive_item(self, info: Info, id: ItemId) -> DriveItemFields:  # noqa: A002 - the argument's public name
        context = context_of(info)
        facts = unwrap(items.visible(await context.read(ItemFor(context.user_id, id))))
        return views.item_view(facts, context.ports.origin)

    @strawberry.field(
        graphql_type=DriveItemOverview | None, description="An item that you see, with all that a page about it shows."
    )
    async def drive_item_overview(self, info: Info, id: ItemId) -> DriveItemOverview:  # noqa: A002 - as above
        context = context_of(info)
        overview = await overview_of(context, id)
        facts = unwrap(items.visible(overview.facts if overview else None))
        assert overview is not None
        origin = context.ports.origin
        return DriveItemOverview(
            item=views.item_view(facts, origin),
            drive=views.drive(facts.drive, facts.role),
            children=views.children(facts, overview.children, origin),
            ancestors=views.ancestors(overview, origin),
            shares=shares_seen(overview, context),
        )

    @strawberry.field(graphql_type=list[DriveItem], description="All that was shared with you directly, newest first.")
    async def all_shared_with_me(self, info: Info) -> list[DriveItemFields]:
        context = context_of(info)
        rows = await context.read(SharedWith(context.user_id))
        return [views.item_view(facts, context.ports.origin) for facts in rows]

    @strawberry.field(
        graphql_type=Connection[DriveItem], description="What was shared with you directly, the newest share first."
    )
    async def shared_with_me(self, info: Info, first: First = DEFAULT_PAGE, after: After = None) -> ItemConnection:
        context = context_of(info)
        page = page_or_not_found(await context.read(SharedItemsFor(context.user_id, page_size(first), after)))
        shown = [
            replace(views.item_view(each.facts, context.ports.origin), shared_by=each.shared_by) for each in page.rows
        ]
        return connection(shown, page.cursors, after, more=page.next_cursor is not None)

    @strawberry.field(
        graphql_type=list[ShareSuggestion] | None,
        description="People who have no access to the item yet, at most 50: of the drive's organization, or on a personal "
        "drive of your active one.",
    )
    async def share_suggestions(self, info: Info, item_id: ItemId) -> tuple[Suggestion, ...]:
        context = context_of(info)
        facts = await context.read(ItemFor(context.user_id, item_id))
        facts = unwrap(items.allowed(facts, Can.share, "share this item"))
        organization_id = facts.drive.organization_id or context.caller.organization_id
        return await context.read(SuggestionsFor(context.user_id, item_id, organization_id))

    @strawberry.field(
        graphql_type=DocumentType | None,
        description="A document as it is now, with the edits that others are making at this moment.",
    )
    async def document(self, info: Info, id: ItemId) -> DocumentType:  # noqa: A002 - as above
        return await document_of(context_of(info), id)

    @strawberry.field(graphql_type=DriveType | None, description="A drive that you are a member of.")
    async def drive(self, info: Info, id: DriveId) -> DriveFields:  # noqa: A002 - as above
        context = context_of(info)
        facts = unwrap(member_of(await context.read(DriveFor(context.user_id, id))))
        return views.drive(facts.drive, facts.role)

    @strawberry.field(
        graphql_type=Connection[DriveType],
        description="The drives that you are a member of, your own first, then by name.",
    )
    async def drives(self, info: Info, first: First = DEFAULT_PAGE, after: After = None) -> Connection[DriveFields]:
        context = context_of(info)
        page = page_or_not_found(await context.read(DriveNames(context.user_id, page_size(first), after)))
        shown = [views.drive(facts.drive, facts.role) for facts in page.rows]
        return connection(shown, page.cursors, after, more=page.next_cursor is not None)

    @strawberry.field(description="Every drive of yours with its members and all its items, in parts.")
    async def drive_listing(
        self,
        info: Info,
        cursor: Annotated[
            Cursor | None, strawberry.argument(description="The `nextCursor` of the part before.")
        ] = None,
        items: Annotated[
            int | None, strawberry.argument(description="How many items a part holds at most, if fewer than it could.")
        ] = None,
    ) -> DriveListing:
        context = context_of(info)
        limit = context.ports.limit
        if items is not None and not 1 <= items <= limit.listed_items:
            raise RejectionError(bad("items", f"must be from 1 to {limit.listed_items}"))
        most = items or limit.listed_items
        question = DrivesFor(context.user_id, most, limit.listed_drives, cursor)
        page = page_or_not_found(await context.read(question))

        def listing() -> DriveListing:
            drives = [_listed(row, context.ports.origin) for row in page.rows]
            return DriveListing(drives=drives, next_cursor=page.next_cursor)

        cached: DriveListing = context.ports.listings.get(context.user_id, (cursor, most), page, listing)
        return cached

    @strawberry.field(
        graphql_type=Connection[DriveItem], description="What you see in the trash, the last trashed first."
    )
    async def trash(
        self, info: Info, drive_id: InDrive = None, first: First = DEFAULT_PAGE, after: After = None
    ) -> ItemConnection:
        context = context_of(info)
        question = TrashFor(context.user_id, drive_id, page_size(first), after)
        return _items(page_or_not_found(await context.read(question)), after, context)

    @strawberry.field(
        description="Items that you see with every one of these words in the name or the content, the best first. Where "
        "there is none: those with words that differ by one typing error, of words of five letters or more."
    )
    async def search(
        self,
        info: Info,
        text: Annotated[str, strawberry.argument(description="Words, each of which may be only begun.")],
        drive_id: InDrive = None,
        folder_id: BelowFolder = None,
        types: OfKinds = None,
        by: ByAuthor = None,
        agent: ByAuthorsAgent = None,
        changed_since: ChangedSince = None,
        changed_until: ChangedUntil = None,
        created_since: CreatedSince = None,
        created_until: CreatedUntil = None,
        order: InOrder = SearchOrder.relevance,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> SearchConnection:
        context = context_of(info)
        wanted = SearchFilter(
            kinds_of(types), folder_id, by, agent, changed_since, changed_until, created_since, created_until
        )
        question = SearchFor(context.user_id, text, drive_id, page_size(first), after, wanted, order)
        async with context.ports.searches.slot(context.user_id):
            try:
                async with asyncio.timeout(SEARCH_SECONDS):  # which cancels the statement
                    found = await context.read(question)
            except TimeoutError:
                raise too_long_a_search() from None
        return results(page_or_not_found(found), after, context.ports.origin)

    @strawberry.field(
        graphql_type=AccessExplanation | None,
        description="What somebody may do to an item, and because of which roles and shares.",
    )
    async def access(
        self,
        info: Info,
        item_id: ItemId,
        email: Annotated[Email, strawberry.argument(description="Whose access to explain.")],
    ) -> AccessExplanation:
        context = context_of(info)
        facts = await context.read(ItemFor(context.user_id, item_id))
        needed = Can.read if email == context.caller.email else Can.share
        facts = unwrap(items.allowed(facts, needed, "see who has access to this item"))
        return views.explanation(email, facts, await context.read(AccessOf(item_id, email)))

    @strawberry.field(
        graphql_type=Connection[DriveEvent] | None,
        description="The record of all that happened in a drive, the newest first; for its members. Of what is filtered, a "
        "part may hold fewer than asked for, though there is more.",
    )
    async def drive_events(
        self,
        info: Info,
        drive_id: DriveId,
        by: By = None,
        agent: ByAgent = None,
        item_id: OfItem = None,
        types: OfTypes = None,
        since: Since = None,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[DriveEvent]:
        context, size = context_of(info), page_size(first)
        unwrap(member_of(await context.read(DriveFor(context.user_id, drive_id))))
        before, wanted = event_number(after), event_filter(by, agent, item_id, types, since)
        rows: Sequence[Recorded]
        if wanted == ALL_EVENTS:
            rows, end = await context.read(EventsOf(drive_id, size + 1, before=before)), None
        else:
            found = await context.read(FilteredEvents(drive_id, size + 1, wanted, before))
            rows, end = found.events, found.next
        shown = [views.event(row) for row in rows[:size]]
        cursors = [Cursor(event.id) for event in shown]
        if len(rows) > size:
            return connection(shown, cursors, after, more=True)
        return connection(shown, cursors, after, more=end is not None, end=Cursor(str(end)) if end else None)

    @strawberry.field(
        graphql_type=Connection[DriveEvent],
        description="What happened to everything that you see, in all drives and shares, the newest first: of a drive of yours all of "
        "its record, of a share what happened since it was given. A part may hold fewer than asked for, though there is more.",
    )
    async def events(
        self,
        info: Info,
        by: By = None,
        agent: ByAgent = None,
        item_id: OfItem = None,
        types: OfTypes = None,
        since: Since = None,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[DriveEvent]:
        context, size = context_of(info), page_size(first)
        before, wanted = event_number(after), event_filter(by, agent, item_id, types, since)
        page = await context.read(RecentEvents(context.user_id, size, wanted, before))
        own = context.caller.email
        shown = [seen for seen in (views.seen_event(each, own) for each in page.events) if seen is not None]
        cursors = [Cursor(each.id) for each in shown]
        end = None if page.next is None else Cursor(str(page.next))
        return connection(shown, cursors, after, more=end is not None, end=end)

    @strawberry.field(
        graphql_type=Connection[OrganizationMemberType] | None,
        description="The members of the organization that a drive belongs to, by when they joined; for members of the drive.",
    )
    async def drive_organization_members(
        self, info: Info, drive_id: DriveId, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[OrganizationMember]:
        context = context_of(info)
        facts = unwrap(member_of(await context.read(DriveFor(context.user_id, drive_id))))
        question = OrganizationMembersPage(facts.drive.organization_id, page_size(first), after)
        page = page_or_not_found(await context.read(question))
        return connection(page.rows, page.cursors, after, more=page.next_cursor is not None)

    @strawberry.field(graphql_type=OrganizationType | None, description="An organization that you belong to.")
    async def organization(
        self,
        info: Info,
        id: OrganizationId,  # noqa: A002 - as above
    ) -> OrganizationFields:
        context = context_of(info)
        unwrap(organizations.require_member(await context.read(OrganizationFor(context.user_id, id))))
        belongings = await context.read(OrganizationMembershipsOf(context.user_id))
        return next(views.organization(of) for of in belongings if of.id == id)
