"""Object types with fields that are looked up when selected: items, drives, documents, organizations, the viewer."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from functools import partial
from time import perf_counter

import msgspec
import strawberry

from contract.bounds import MAX_PAGE
from contract.errors import unwrap
from contract.scalars import Json
from domain.access import Can, Step, live_authority
from domain.caller import require_session
from domain.credit import Author
from domain.cursor import Cursor
from domain.errors import NOT_FOUND, Rejection
from domain.item import document, visible
from domain.key import ApiKey
from domain.member import Member
from domain.organization import Invitation, OrganizationMember, OrganizationRole
from domain.questions import (
    AccessEndFor,
    AccountOf,
    AgentsOf,
    AncestorsFor,
    BacklinksFor,
    ChildrenFor,
    DocumentFor,
    DriveFor,
    ImagesOf,
    InvitationsOf,
    ItemFor,
    KeysOf,
    MembersOf,
    MembersPage,
    OrganizationMembershipsOf,
    OrganizationMembersOf,
    Overview,
    OverviewFor,
    Page,
    RootItemsFor,
    SessionsOf,
    Shared,
    SharesFor,
    StarredItemsFor,
    VisibleEventsSince,
)
from domain.share import Share
from domain.storage import DriveStorage
from domain.trash import in_trash
from graphql_api import views
from graphql_api.arguments import By, ByAgent, ItemId, OfKinds, kinds_of
from graphql_api.changes import (
    ChangeFilter,
    ChangeType,
    NewestFirst,
    OfAgent,
    OfUser,
    SinceRevision,
    SinceTime,
    SinceVersion,
    UntilRevision,
    UntilTime,
    UntilVersion,
    changes_page,
)
from graphql_api.connections import After, Connection, First, connection, page_or_not_found, page_size
from graphql_api.context import Context, Info, context_of, fields_below
from graphql_api.enums import ItemKind
from graphql_api.not_found_timing import next_step
from graphql_api.query_limits import DEFAULT_PAGE, HELD, TOGETHER
from graphql_api.read_limits import markdown_size, tree_size
from graphql_api.selection_compiler import AnsweredOnce
from graphql_api.types import (
    ID,
    AccessEndType,
    ApiKeyType,
    AuthorType,
    BrowserSession,
    DriveFields,
    DriveItemFields,
    DriveMember,
    DriveStorageType,
    ImageType,
    InvitationType,
    OrganizationFields,
    OrganizationMemberType,
    PathEntry,
    ShareType,
)
from graphql_api.versions import (
    AttributionType,
    DocumentCreditsType,
    Number,
    VersionType,
    attributions_of,
    credits_of,
    version_of,
    versions_of,
)

ITEMS_OF_A_DRIVE = 500  # in a listing, for its cost: with the drives that a list is taken to hold, as many as one page

type ItemConnection = Connection[DriveItemFields]


async def overview_of(context: Context, item_id: str) -> Overview | None:
    return await context.read(OverviewFor(context.user_id, item_id))


async def organization_of(context: Context, organization_id: str) -> OrganizationFields:
    """Return an organization of the caller's; raises RejectionError (NOT_FOUND) for any other."""
    belongings = await context.read(OrganizationMembershipsOf(context.user_id))
    return unwrap(next((views.organization(of) for of in belongings if of.id == organization_id), NOT_FOUND))


def shares_seen(overview: Shared | Overview, context: Context) -> Sequence[Share]:
    """Return the item's shares; callers who may not share it see only their own."""
    if views.may_share(overview.facts):
        return overview.shares
    return [share for share in overview.shares if share.email == context.caller.email]


@strawberry.type(description="A folder or a document, as you meet it.")
class DriveItem(DriveItemFields):
    @strawberry.field(graphql_type="DriveType", description="The drive it is in.")
    async def drive(self, info: Info) -> DriveFields:
        context = context_of(info)
        facts = unwrap(in_trash(await context.read(ItemFor(context.user_id, self.id))))
        return views.drive(facts.drive, facts.role)

    @strawberry.field(
        graphql_type=Connection["DriveItem"], description="What lies in it, by name.", metadata={TOGETHER: True}
    )
    async def children(
        self, info: Info, types: OfKinds = None, first: First = DEFAULT_PAGE, after: After = None
    ) -> ItemConnection:
        context, size = context_of(info), page_size(first)
        if self.drive_item_type is not ItemKind.folder and after is None:
            return connection([], [], after, more=False)
        kinds = kinds_of(types)
        total = None
        if after is None:
            facts, page, total = await context.children.load((size, kinds), self.id) or (None, None, None)
        else:
            facts = await context.read(ItemFor(context.user_id, self.id))
            page = await context.read(ChildrenFor(context.user_id, self.id, size, after, kinds))
        if facts is None or page is None or not live_authority(facts.role, facts.path).can:
            return connection([], [], after, more=False)
        page_or_not_found(page)
        context.listing_budget.spend(len(page.rows) * fields_below(info))
        shown = views.children(facts, page.rows, context.ports.origin)
        return connection(shown, page.cursors, after, more=page.next_cursor is not None, total=total)

    @strawberry.field(graphql_type=list["DriveItem"], description="The folders above it that you see, the root first.")
    async def ancestors(self, info: Info) -> list[DriveItemFields]:
        context = context_of(info)
        ancestry = await context.read(AncestorsFor(context.user_id, self.id))
        return views.ancestors(ancestry, context.ports.origin) if ancestry else []

    @strawberry.field(
        graphql_type=list[PathEntry] | None,
        description="The names of the folders above it that you see, the root first; null in `driveListing`, whose items "
        "tell it by `parentId`.",
    )
    def path(self) -> list[PathEntry] | None:
        above = self.above
        return None if above is None else [PathEntry(id=step.id, name=step.name) for step in reversed(above)]

    @strawberry.field(
        graphql_type=list[ShareType], description="Its direct shares; only your own, if you may not share it."
    )
    async def shares(self, info: Info) -> Sequence[Share]:
        context = context_of(info)
        shared = await context.read(SharesFor(context.user_id, self.id))
        return shares_seen(shared, context) if shared else []

    @strawberry.field(
        description="With how many people and addresses it is shared directly; null where you may not share it.",
        metadata={TOGETHER: True},
    )
    async def shares_total(self, info: Info) -> int | None:
        if Can.share not in self.capabilities:
            return None
        return await context_of(info).shares.load(None, self.id) or 0

    @strawberry.field(description="Whether you starred it.", metadata={TOGETHER: True})
    async def is_starred(self, info: Info) -> bool:
        return bool(await context_of(info).stars.load(None, self.id))

    @strawberry.field(
        graphql_type=Connection["DriveItem"],
        description="The documents that link to it and that you see, the last made first; a link counts some seconds after "
        "it was written.",
    )
    async def backlinks(self, info: Info, first: First = DEFAULT_PAGE, after: After = None) -> ItemConnection:
        context = context_of(info)
        asked = BacklinksFor(context.user_id, self.id, page_size(first), after)
        page = page_or_not_found(await context.read(asked))
        shown = [views.item_view(each, context.ports.origin) for each in page.rows]
        return connection(shown, page.cursors, after, more=page.next_cursor is not None)


@strawberry.type(name="Drive", description="A place that items live in, as you meet it.")
class DriveType(DriveFields):
    @strawberry.field(
        graphql_type=Connection[DriveItem], description="What lies at its root, by name; nothing for a non-member."
    )
    async def items(
        self, info: Info, types: OfKinds = None, first: First = DEFAULT_PAGE, after: After = None
    ) -> ItemConnection:
        context, size = context_of(info), page_size(first)
        facts = await context.read(DriveFor(context.user_id, self.id))
        if facts is None or facts.role is None:
            return connection([], [], after, more=False)
        question = RootItemsFor(context.user_id, self.id, size, after, kinds_of(types))
        page = page_or_not_found(await context.read(question))
        rights = live_authority(facts.role, (Step(""),))
        origin = context.ports.origin
        shown = [
            views.item_view_of(i, facts.role, rights, parent_seen=True, origin=origin, above=()) for i in page.rows
        ]
        return connection(shown, page.cursors, after, more=page.next_cursor is not None)

    @strawberry.field(
        graphql_type=DriveStorageType | None, description="How much it stores; null where you are no member."
    )
    async def storage(self, info: Info) -> DriveStorage | None:
        context = context_of(info)
        if self.role is None:
            return None
        return DriveStorage(await context.storage.load(None, self.id) or 0, context.ports.limit.drive_bytes)

    @strawberry.field(graphql_type=list[DriveMember], description="Its members, by when they were added; for members.")
    async def members(self, info: Info) -> Sequence[Member]:
        context = context_of(info)
        return await context.read(MembersOf(self.id)) if self.role else ()

    @strawberry.field(
        graphql_type=Connection[DriveMember],
        description="Its members page by page, by when they were added, with their number on the first; for members.",
        metadata={TOGETHER: True},
    )
    async def members_connection(
        self, info: Info, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Member]:
        context, size = context_of(info), page_size(first)
        if self.role is None:
            return connection([], [], after, more=False)
        total = None
        if after is None:
            page, total = await context.members.load(size, self.id) or (Page((), None), 0)
        else:
            page = page_or_not_found(await context.read(MembersPage(self.id, size, after)))
        context.listing_budget.spend(len(page.rows) * fields_below(info))
        return connection(page.rows, page.cursors, after, more=page.next_cursor is not None, total=total)


@strawberry.type(name="ListedDrive", description="A drive with its members and a run of its items, flat.")
class ListedDriveType(DriveFields):
    items: list[DriveItemFields] = strawberry.field(
        graphql_type=list[DriveItem],
        description="Its live items by depth, name and id.",
        metadata={HELD: ITEMS_OF_A_DRIVE},
    )
    members: Sequence[Member] = strawberry.field(
        graphql_type=list[DriveMember], description="Its members, by when they were added."
    )


@strawberry.type(description="Every drive of yours with all that lives in it, in as many parts as it takes.")
class DriveListing(AnsweredOnce):
    drives: list[ListedDriveType] = strawberry.field(description="The drives; later parts repeat those that go on.")
    next_cursor: Cursor | None = strawberry.field(
        description="What to pass as `cursor` for the next part; null at the end."
    )


@strawberry.type(description="An item with all that a page about it shows, from one moment.")
class DriveItemOverview:
    item: DriveItemFields = strawberry.field(graphql_type=DriveItem, description="The item.")
    drive: DriveFields = strawberry.field(
        graphql_type=DriveType, description="Its drive; no more than that it is there, if you are no member."
    )
    children: list[DriveItemFields] = strawberry.field(
        graphql_type=list[DriveItem], description="What lies in it, by name and id."
    )
    ancestors: list[DriveItemFields] = strawberry.field(
        graphql_type=list[DriveItem], description="The folders above it that you see, the root first."
    )
    shares: Sequence[Share] = strawberry.field(graphql_type=list[ShareType], description="Its direct shares.")


@strawberry.type(name="Document", description="A document as it is now: both projections come from one snapshot.")
class DocumentType:
    sequence: strawberry.Private[int]
    item: DriveItemFields = strawberry.field(graphql_type=DriveItem, description="The item that the document is.")
    markdown: str = strawberry.field(description="The document as CommonMark with GFM tables, strikethrough and tasks.")
    prosemirror_doc: msgspec.Raw = strawberry.field(
        graphql_type=Json, description="The document as a ProseMirror tree."
    )
    authors: Sequence[Author] = strawberry.field(
        graphql_type=list[AuthorType], description="Who edited it last, the newest first, at most ten."
    )

    @strawberry.field(
        graphql_type=list[AttributionType],
        description="Who wrote which stretch of its text, as it is now, in the order of the text.",
    )
    async def attributions(self, info: Info) -> AsyncIterator[AttributionType]:
        return attributions_of(context_of(info), self.item.id, self.sequence)

    @strawberry.field(
        description="Who wrote which of its letters, as it is now, for an editor that holds its Yjs document."
    )
    async def credits(self, info: Info) -> DocumentCreditsType:
        return await credits_of(context_of(info), self.item.id, self.sequence)

    @strawberry.field(description="Its images, the oldest first.")
    async def images(self, info: Info) -> list[ImageType]:
        context = context_of(info)
        stored = await context.read(ImagesOf(self.item.id))
        return [views.image_view(each, context.ports.origin) for each in stored]

    @strawberry.field(description="Its versions, the newest first; for those who may edit it.")
    async def versions(
        self, info: Info, by: By = None, agent: ByAgent = None, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[VersionType]:
        return await versions_of(context_of(info), self.item.id, by, agent, first, after)

    @strawberry.field(
        description="Who changed what in it, the oldest edit first, and what one edit changed in the order of the document; "
        "for those who may edit it. Without a `since…`, from the beginning; without an `until…`, to the present."
    )
    async def changes(
        self,
        info: Info,
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
        return await changes_page(context_of(info), self.item.id, wanted, first, after, newest_first=newest_first)

    @strawberry.field(description="One of its versions; for those who may edit it.")
    async def version(self, info: Info, number: Number) -> VersionType:
        return await version_of(context_of(info), self.item.id, number)


async def document_of(context: Context, item_id: str) -> DocumentType:
    head = await context.read(DocumentFor(context.user_id, item_id))
    facts = unwrap(document(head.facts if head else None))
    assert head is not None
    sequence, read = head.sequence, context.ports.documents.read
    projected = await context.content_budget.loaded(
        partial(read, item_id, sequence, context.caller.credit), markdown_size, tree_size
    )
    return DocumentType(
        sequence=sequence,
        item=views.item_view(facts, context.ports.origin),
        markdown=projected.markdown,
        prosemirror_doc=projected.tree,
        authors=head.authors,
    )


@strawberry.type(name="Organization", description="An organization you belong to.")
class OrganizationType(OrganizationFields):
    @strawberry.field(graphql_type=list[OrganizationMemberType], description="Its members, by when they joined.")
    async def members(self, info: Info) -> Sequence[OrganizationMember]:
        return await context_of(info).read(OrganizationMembersOf(self.id))

    @strawberry.field(graphql_type=list[InvitationType], description="Its open invitations; for its admins alone.")
    async def invitations(self, info: Info) -> Sequence[Invitation]:
        if self.role is not OrganizationRole.admin:
            return ()
        return await context_of(info).read(InvitationsOf(self.id))


@strawberry.type(
    name="Agent", description="An agent that acts for you, by a key of yours or as a connected application."
)
class AgentType:
    item_id: strawberry.Private[str | None]
    name: str = strawberry.field(description="Its name, which its changes are credited to.")
    last_edited_at: datetime | None = strawberry.field(description="When it last edited a document, to the minute.")

    @strawberry.field(graphql_type=DriveItem | None, description="The document that it edited last, if you see it.")
    async def last_edited(self, info: Info) -> DriveItemFields | None:
        if self.item_id is None:
            return None
        context = context_of(info)
        facts = visible(await context.read(ItemFor(context.user_id, self.item_id)))
        return None if isinstance(facts, Rejection) else views.item_view(facts, context.ports.origin)


@strawberry.type(name="Limits", description="What a request, a document and a minute of yours may hold at most.")
class LimitsType:
    reads_per_minute: int | None = strawberry.field(
        description="How many reads a minute all your credentials have together; null where they are not counted."
    )
    writes_per_minute: int | None = strawberry.field(description="As `readsPerMinute`, of writes.")
    request_bytes: int = strawberry.field(description="The largest body of a request that is no image.")
    document_bytes: int = strawberry.field(description="The largest document, as an encoded Yjs state.")
    image_bytes: int = strawberry.field(description="The largest image.")
    page_size: int = strawberry.field(description="The most entries that a list answers at once.")


@strawberry.type(description="You.")
class Viewer:
    id: str = strawberry.field(graphql_type=ID, description="Your id.")
    name: str = strawberry.field(description="Your name.")
    email: str = strawberry.field(description="Your e-mail address.")
    agent: str | None = strawberry.field(description="The agent that this request is credited to, if any.")

    @strawberry.field(graphql_type=list[OrganizationType], description="The organizations you belong to, by name.")
    async def organizations(self, info: Info) -> list[OrganizationFields]:
        context = context_of(info)
        return [views.organization(of) for of in await context.read(OrganizationMembershipsOf(context.user_id))]

    @strawberry.field(graphql_type=OrganizationType | None, description="The organization that this request acts in.")
    async def active_organization(self, info: Info) -> OrganizationFields | None:
        context = context_of(info)
        active = context.caller.organization_id
        belongings = await context.read(OrganizationMembershipsOf(context.user_id))
        return next((views.organization(of) for of in belongings if of.id == active), None)

    @strawberry.field(description="What your requests may hold at most.")
    def limits(self, info: Info) -> LimitsType:
        limit = context_of(info).ports.limit
        return LimitsType(
            reads_per_minute=limit.reads_per_minute,
            writes_per_minute=limit.writes_per_minute,
            request_bytes=limit.request_bytes,
            document_bytes=limit.update_bytes,
            image_bytes=limit.image_bytes,
            page_size=MAX_PAGE,
        )

    @strawberry.field(
        graphql_type=list[ApiKeyType],
        description="Your API keys that are not revoked, the newest first; by a web session: an API key is 403.",
    )
    async def api_keys(self, info: Info) -> Sequence[ApiKey]:
        context = context_of(info)
        unwrap(require_session(context.caller.credential, "list API keys"))
        return await context.read(KeysOf(context.user_id))

    @strawberry.field(
        graphql_type=Connection[DriveItem], description="What you starred and see, the last starred first."
    )
    async def starred(self, info: Info, first: First = DEFAULT_PAGE, after: After = None) -> ItemConnection:
        context = context_of(info)
        page = page_or_not_found(await context.read(StarredItemsFor(context.user_id, page_size(first), after)))
        shown = [views.item_view(each.facts, context.ports.origin) for each in page.rows]
        return connection(shown, page.cursors, after, more=page.next_cursor is not None)

    @strawberry.field(description="Your agents, by name, each with the document that it edited last.")
    async def agents(self, info: Info) -> list[AgentType]:
        context = context_of(info)
        found = await context.read(AgentsOf(context.user_id))
        return [AgentType(item_id=each.item_id, name=each.name, last_edited_at=each.edited_at) for each in found]

    @strawberry.field(description="The browsers that you are signed in with, the newest first.")
    async def sessions(self, info: Info) -> list[BrowserSession]:
        context = context_of(info)
        found = await context.read(SessionsOf(context.user_id))
        return [views.session(one, context.caller.session_id) for one in found]

    @strawberry.field(
        description="Who took your access to an item away, where that was the last change of it: a share or a role of your own that "
        "ended. Null where you see the item, never could, or lost it otherwise, such as by a move.",
    )
    async def access_end(self, info: Info, item_id: ItemId) -> AccessEndType | None:
        context, begun = context_of(info), perf_counter()
        found = await context.read(AccessEndFor(context.user_id, item_id))
        if found is None:
            await next_step(begun)  # how long the events were searched tells whether there is such an item
            return None
        return AccessEndType(by=found.by, at=found.at)

    @strawberry.field(
        description="Whether you verified your e-mail address, so that what is shared with it takes effect."
    )
    async def email_verified(self, info: Info) -> bool:
        context = context_of(info)
        account = await context.read(AccountOf(context.user_id))
        return account is not None and account.email_verified

    @strawberry.field(
        description="The place of the subscription `changes` at this moment. Ask for it before you read what you show, and give "
        "it as `after`: the subscription then tells of everything that happened since, however late it begins.",
    )
    async def changes_cursor(self, info: Info) -> Cursor:
        context = context_of(info)
        return (await context.read(VisibleEventsSince(context.user_id, None, 1))).place
