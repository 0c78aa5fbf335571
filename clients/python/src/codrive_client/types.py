"""The objects of the service in their JSON form: the wire's own names, times as ISO 8601 strings.

Written by `just generate` from contract.json: change the contract, not this file.
"""

from typing import Any, Literal, NotRequired, TypedDict

Json = Any
"""Any JSON value."""

ErrorCode = Literal[
    "BAD_REQUEST",
    "UNAUTHORIZED",
    "FORBIDDEN",
    "NOT_FOUND",
    "METHOD_NOT_SUPPORTED",
    "CROSS_ORGANIZATION_MOVE",
    "DRIVE_NOT_EMPTY",
    "IDEMPOTENCY_KEY_REUSED",
    "LAST_ADMIN",
    "LAST_OWNER",
    "LIMIT_EXCEEDED",
    "MOVE_CYCLE",
    "NO_ACTIVE_ORGANIZATION",
    "NOT_A_DOCUMENT",
    "NOT_A_FOLDER",
    "NOT_A_SHARED_DRIVE",
    "NOT_IN_TRASH",
    "PARENT_NOT_IN_DRIVE",
    "PASSAGE_AMBIGUOUS",
    "PASSAGE_NOT_FOUND",
    "REVISION_CHANGED",
    "REVISION_GONE",
    "SELF_SHARE",
    "SHARE_EXISTS",
    "STORAGE_FULL",
    "TREE_TOO_DEEP",
    "UNPUBLISH_FIRST",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "TOO_MANY_REQUESTS",
    "INTERNAL_SERVER_ERROR",
    "SERVICE_UNAVAILABLE",
]
"""The values of an error's `code`; a later server may send more."""


class Credit(TypedDict):
    """Whom a change is credited to: a user and, where software made it, the agent."""

    userId: str
    """The user's id."""
    name: str
    """The user's name."""
    agent: str | None
    """The agent that acted for the user, if any."""


class DriveItem(TypedDict):
    """A folder or a document, as you meet it."""

    id: str
    """The item's id, which never changes."""
    driveId: str
    """The drive it is in."""
    parentId: str | None
    """Its folder; null at the root, or where you may not see the folder."""
    driveItemType: Literal["folder", "docs_workbook", "viz_workbook"]
    """What it is."""
    name: str
    """Its name; siblings may share one."""
    createdAt: str
    """When it was made."""
    updatedAt: str
    """When it was last renamed, moved or edited."""
    createdBy: Credit
    """Who made it."""
    updatedBy: Credit
    """Who changed it last."""
    published: bool
    """Whether it has a public page."""
    publicUrl: str | None
    """The address of its public page, if it has one."""
    role: Literal["owner", "manager", "contributor"] | None
    """Your role in its drive; null where it was shared with you."""
    permission: Literal["read_write", "read_only"]
    """Whether you may change its content."""
    capabilities: list[
        Literal[
            "read", "edit", "createChild", "move", "moveOut", "share", "publish", "trash", "versions", "deleteForever"
        ]
    ]
    """Everything you may do to it."""
    trashedAt: str | None
    """When it was put in the trash, if it is there."""
    revision: int | None
    """The number of its document's last edit, 0 where nothing was written; null for a folder."""
    url: str
    """Its address in the web application."""


class Author(TypedDict):
    """Somebody who edited a document lately."""

    userId: str
    """The user's id."""
    name: str
    """The user's name."""
    agent: str | None
    """The agent that edited for the user, if any."""
    editedAt: str
    """When they last edited it."""


class Document(TypedDict):
    """A document as it is now: both projections come from one snapshot."""

    item: DriveItem
    """The item that the document is."""
    markdown: str
    """The document as CommonMark with GFM tables, strikethrough and tasks."""
    prosemirrorDoc: Json
    """The document as a ProseMirror tree."""
    authors: list[Author]
    """Who edited it last, the newest first, at most ten."""


class Drive(TypedDict):
    """A place that items live in, as you meet it."""

    id: str
    """The drive's id, which never changes."""
    name: str
    """Its name; empty where you see only single items of it."""
    kind: Literal["personal", "shared"]
    """Whether it is one person's or shared."""
    organizationId: str | None
    """The organization it belongs to; null for a personal drive."""
    role: Literal["owner", "manager", "contributor"] | None
    """Your role in it; null where you are no member."""
    capabilities: list[Literal["createItem", "rename", "manageMembers", "manageOwners", "delete"]]
    """Everything you may do to it."""
    createdAt: str
    """When it was made."""
    updatedAt: str
    """When it was last renamed."""


class Share(TypedDict):
    """A direct grant on an item, by e-mail address."""

    email: str
    """The address it was granted to, in its stored form."""
    permission: Literal["read_write", "read_only"]
    """What it allows."""
    userId: str | None
    """Who that is, where they are in the drive's organization."""
    name: str | None
    """Their name, where they are in the drive's organization."""
    createdAt: str
    """When it was granted."""


class DriveItemOverview(TypedDict):
    """An item with all that a page about it shows, from one moment."""

    item: DriveItem
    """The item."""
    drive: Drive
    """Its drive; no more than that it is there, if you are no member."""
    children: list[DriveItem]
    """What lies in it, by name and id."""
    ancestors: list[DriveItem]
    """The folders above it that you see, the root first."""
    shares: list[Share]
    """Its direct shares."""


class DriveItemsSharedWithMeAnswer(TypedDict):
    """The answer of `driveItems.sharedWithMe`."""

    items: list[DriveItem]


class ShareSuggestion(TypedDict):
    """Somebody an item could be shared with."""

    userId: str
    """The user's id."""
    email: str
    """The address to share with."""
    name: str
    """Their name."""


class DriveItemsShareSuggestionsAnswer(TypedDict):
    """The answer of `driveItems.shareSuggestions`."""

    suggestions: list[ShareSuggestion]


class DriveItemsCreateChildAnswer(TypedDict):
    """The answer of `driveItems.createChild`."""

    item: DriveItem


class DriveMember(TypedDict):
    """A member of a drive."""

    userId: str
    """The user's id."""
    role: Literal["owner", "manager", "contributor"]
    """Their role."""
    name: str
    """Their name."""
    email: str
    """Their e-mail address."""
    addedAt: str
    """When they became a member."""


class ListedDrive(TypedDict):
    """A drive with its members and a run of its items, flat."""

    id: str
    """The drive's id, which never changes."""
    name: str
    """Its name; empty where you see only single items of it."""
    kind: Literal["personal", "shared"]
    """Whether it is one person's or shared."""
    organizationId: str | None
    """The organization it belongs to; null for a personal drive."""
    role: Literal["owner", "manager", "contributor"] | None
    """Your role in it; null where you are no member."""
    capabilities: list[Literal["createItem", "rename", "manageMembers", "manageOwners", "delete"]]
    """Everything you may do to it."""
    createdAt: str
    """When it was made."""
    updatedAt: str
    """When it was last renamed."""
    items: list[DriveItem]
    """Its live items by depth, name and id."""
    members: list[DriveMember]
    """Its members, by when they were added."""


class DriveListing(TypedDict):
    """Every drive of yours with all that lives in it, in as many parts as it takes."""

    drives: list[ListedDrive]
    """The drives; later parts repeat those that go on."""
    nextCursor: str | None
    """What to pass as `cursor` for the next part; null at the end."""


class DrivesCreateAnswer(TypedDict):
    """The answer of `drives.create`."""

    drive: Drive


class DrivesCreateItemAnswer(TypedDict):
    """The answer of `drives.createItem`."""

    item: DriveItem


class EditChange(TypedDict):
    """What an edit did to one block that lies directly in the document."""

    kind: Literal["inserted", "deleted", "replaced", "moved", "formatted"]
    """What was done."""
    path: list[int] | None
    """The indexes that lead to the block in the document after the edit; null where it is gone."""
    inserted: str
    """The text that came."""
    deleted: str
    """The text that went."""


class KeptBlock(TypedDict):
    """A block that the edit left alone in part, since others changed it meanwhile."""

    path: list[int]
    """The indexes that lead to the block in the document after the edit."""
    notDone: Literal["deleted", "retyped", "moved"]
    """What was not done to it."""


EditConflict = TypedDict(
    "EditConflict",
    {
        "path": list[int] | None,
        "class": Literal[
            "deleted_by_others", "place_gone", "others_inside", "same_place", "attribute_changed", "format_overlaps"
        ],
        "theirs": str,
        "yours": str,
    },
)
"""A change that the edit did not make, since it conflicts with what others changed since its base. `path`: The
indexes that lead to the block in the document after the edit; null where it is gone. `class`: Why it conflicts.
`theirs`: What stands in the place now: text, or Markdown where it is about marks or blocks. `yours`: What the
edit would have made of the place, as it was at its base.
"""


class LostMarkup(TypedDict):
    """Something that Markdown cannot say or documents have no place for, and that an edit left out."""

    path: list[int]
    """The indexes that lead to the block in the document after the edit; empty for what the given Markdown says."""
    what: Literal["mark", "attribute", "node"]
    """What it is."""
    name: str
    """Its name in the ProseMirror tree, or in the HTML that was given; of an image of another document that the
    caller may not read, its path.
    """


class AppliedEdit(TypedDict):
    """What an edit did to a document, or would do."""

    revision: int
    """The revision that the edit made; the present one, where it changed nothing or was not made."""
    markdown: str
    """The document after the edit, as Markdown."""
    changes: list[EditChange]
    """What the edit did, block by block, in the document's order."""
    kept: list[KeptBlock]
    """The blocks that it did not delete, retype or move as asked, since others changed them meanwhile."""
    conflicts: list[EditConflict]
    """What it left undone, since others changed the same since its base: look at both, and edit again."""
    lost: list[LostMarkup]
    """What was lost with it, though the text that had it is still there, because Markdown cannot say it; and
    what of the given Markdown was left out, as comments, unknown tags and links around images are. An image of
    another document is copied into this one; where the caller may not read it, readers of this one see none.
    """


class PathEntry(TypedDict):
    """A folder above an item."""

    id: str
    """The folder's id."""
    name: str
    """Its name."""


class ExcerptPart(TypedDict):
    """A stretch of an excerpt. It is plain text: whatever shows it, escapes it."""

    text: str
    """What is written there."""
    hit: bool
    """Whether it is what was searched for."""


class SearchEdge(TypedDict):
    """An item that was found, and where."""

    item: DriveItem
    """The item."""
    folders: list[PathEntry]
    """The folders above it that you see, the root first."""
    foundIn: list[Literal["name", "content"]]
    """Where the words were found."""
    excerpt: list[ExcerptPart]
    """The part of the content with most of the words; empty where only the name was found."""
    rank: int
    """How well it answers: 4 for each word in the name, 1 for each in the content, 1 more if whole there."""


class SearchConnection(TypedDict):
    """A part of what was found."""

    results: list[SearchEdge]
    """The items with where and how well each was found."""
    nextCursor: str | None
    """The cursor to go on after; null where the list ends."""


class DriveItemsDuplicateAnswer(TypedDict):
    """The answer of `driveItems.duplicate`."""

    item: DriveItem


class DriveItemsTrashAnswer(TypedDict):
    """The answer of `driveItems.trash`."""

    item: DriveItem


class DriveItemsRestoreAnswer(TypedDict):
    """The answer of `driveItems.restore`."""

    item: DriveItem


class AccessReason(TypedDict):
    """What was granted to an address, on an item or on a folder above it."""

    role: Literal["owner", "manager", "contributor"] | None
    """The role in the drive that gives it, if a role does."""
    permission: Literal["read_write", "read_only"] | None
    """The share that gives it, if a share does."""
    itemId: str | None
    """The item that was shared."""
    itemName: str | None
    """The name of the item that was shared."""
    givenBy: str | None
    """The user who gave it."""
    givenByName: str | None
    """The name of who gave it."""
    givenAt: str | None
    """When the share was given."""


class AccessExplanation(TypedDict):
    """What somebody may do to an item, and why."""

    email: str
    """Whom this is about."""
    permission: Literal["read_write", "read_only"] | None
    """Their effective permission; null for no access."""
    capabilities: list[
        Literal[
            "read", "edit", "createChild", "move", "moveOut", "share", "publish", "trash", "versions", "deleteForever"
        ]
    ]
    """Everything they may do to it."""
    because: list[AccessReason]
    """Every role and share that this follows from."""


class UnseenText(TypedDict):
    """Text that went with a block which somebody else deleted without having seen it."""

    text: str
    """The text."""
    by: Author | None
    """Who wrote it; null where that is not known."""
    deletedBy: Author | None
    """Who deleted the block, and when; null where that is not known."""


class Change(TypedDict):
    """What one author did to one block that lies directly in the document, without a pause of 60 seconds."""

    id: str
    """Its id, by which it can be taken back."""
    at: str
    """When its last edit was made."""
    by: Author | None
    """Who made it; null where that was not recorded."""
    kind: Literal["inserted", "deleted", "replaced", "moved", "formatted"]
    """What it did."""
    path: list[int] | None
    """The indexes that lead to the block in the present document, or in that of the `until…`; null where it is
    gone.
    """
    inserted: str
    """The text that it inserted."""
    deleted: str
    """The text that it deleted."""
    unseen: list[UnseenText]
    """Text that is gone since this change although nobody deleted it: the change wrote it into what somebody
    else had deleted, or deleted a block in which somebody else had just written it. It is stored; undoing the
    deletion brings it back.
    """


class ChangeConnection(TypedDict):
    """A part of a list."""

    changes: list[Change]
    """The entries alone."""
    nextCursor: str | None
    """The cursor to go on after; null where the list ends."""


class SkippedChange(TypedDict):
    """Something that was not taken back."""

    reason: Literal["others_inside", "content_gone", "place_gone", "formatting"]
    """Why."""
    path: list[int] | None
    """The indexes that led to its block in the document before; null where it was gone."""


class UndoneChanges(TypedDict):
    """What was taken back of a document, or would be."""

    revision: int
    """The revision that the undo made; the present one, where it changed nothing or was not made."""
    changes: list[Change]
    """The changes that are taken back, the oldest first; at most 200 of them are told."""
    changesTotal: int
    """How many changes are taken back, told or not."""
    skipped: list[SkippedChange]
    """What was not taken back."""


class Attribution(TypedDict):
    """A stretch of a document's text, and who wrote it."""

    path: list[int]
    """Where its text node is in `prosemirrorDoc`: places in `content`, from the document down."""
    start: int
    """Where it begins in that text, in units of UTF-16."""
    end: int
    """Where it ends in that text, in units of UTF-16."""
    by: Author
    """Who wrote it; `editedAt` is to the minute."""
    movedBy: Author | None
    """Who moved it to where it is, or brought it back by an undo or a restore, the last time; null where it
    stands where it was written. `editedAt` is to the minute.
    """


class Attributions(TypedDict):
    """Who wrote which stretch of a document, in the order of the text."""

    revision: int
    """The revision of the document whose stretches these are."""
    attributions: list[Attribution]
    """The stretches."""
    nextCursor: str | None
    """The cursor to go on after; later parts are of the same revision. It is good for a day at least. Null at
    the end.
    """


class Version(TypedDict):
    """What a document was when a stretch of work on it ended."""

    number: int
    """Its number in the document: 1, 2, 3 and so on."""
    name: str | None
    """The name that somebody gave it."""
    createdAt: str
    """When the last edit in it was made."""
    authors: list[Author]
    """Who edited since the version before, the last to edit first."""
    byteSize: int
    """How large the document was, as an encoded Yjs state."""
    restoredFrom: int | None
    """The number of the version that this one brought back."""


class VersionConnection(TypedDict):
    """A part of a list."""

    versions: list[Version]
    """The entries alone."""
    nextCursor: str | None
    """The cursor to go on after; null where the list ends."""


class VersionInDocumentsReadVersion(TypedDict):
    """What a document was when a stretch of work on it ended."""

    number: int
    """Its number in the document: 1, 2, 3 and so on."""
    name: str | None
    """The name that somebody gave it."""
    createdAt: str
    """When the last edit in it was made."""
    authors: list[Author]
    """Who edited since the version before, the last to edit first."""
    byteSize: int
    """How large the document was, as an encoded Yjs state."""
    restoredFrom: int | None
    """The number of the version that this one brought back."""
    markdown: str
    """The document as it was, as CommonMark with GFM tables, strikethrough and tasks."""
    prosemirrorDoc: Json
    """The document as it was, as a ProseMirror tree."""


class DriveStorage(TypedDict):
    """How much a drive stores, in bytes."""

    used: int
    """What its documents, with their versions and images, take, those in the trash included. It is counted some
    seconds later.
    """
    limit: int
    """The most that it may store. What would pass it is refused with STORAGE_FULL."""


class DriveInDrivesGet(TypedDict):
    """A place that items live in, as you meet it."""

    id: str
    """The drive's id, which never changes."""
    name: str
    """Its name; empty where you see only single items of it."""
    kind: Literal["personal", "shared"]
    """Whether it is one person's or shared."""
    organizationId: str | None
    """The organization it belongs to; null for a personal drive."""
    role: Literal["owner", "manager", "contributor"] | None
    """Your role in it; null where you are no member."""
    capabilities: list[Literal["createItem", "rename", "manageMembers", "manageOwners", "delete"]]
    """Everything you may do to it."""
    createdAt: str
    """When it was made."""
    updatedAt: str
    """When it was last renamed."""
    members: list[DriveMember]
    """Its members, by when they were added; for members."""
    storage: DriveStorage | None
    """How much it stores; null where you are no member."""


class DrivesGetAnswer(TypedDict):
    """The answer of `drives.get`."""

    drive: DriveInDrivesGet


class DriveEvent(TypedDict):
    """One change, as it was recorded with it."""

    id: str
    """Its place in the record; later changes have greater ones."""
    type: Literal[
        "accountCreated",
        "documentEdited",
        "documentPublished",
        "documentUnpublished",
        "driveCreated",
        "driveDeleted",
        "driveRenamed",
        "imageUploaded",
        "itemCreated",
        "itemDeleted",
        "itemMoved",
        "itemRenamed",
        "itemRestored",
        "itemShared",
        "itemTrashed",
        "memberRemoved",
        "memberSet",
        "shareChanged",
        "shareRemoved",
        "versionCut",
        "versionNamed",
        "versionRestored",
        "accessChanged",
        "reload",
    ]
    """What happened."""
    driveId: str | None
    """The drive it happened in."""
    itemId: str | None
    """The item it happened to."""
    itemName: str | None
    """The present name of the item; null where it is no longer in the drive, and of live edits."""
    by: Credit
    """Who did it."""
    at: str
    """When it happened."""
    details: Json
    """What else is known of it, by name."""


class DriveEventConnection(TypedDict):
    """A part of a list."""

    events: list[DriveEvent]
    """The entries alone."""
    nextCursor: str | None
    """The cursor to go on after; null where the list ends."""


class OrganizationMember(TypedDict):
    """A member of an organization."""

    userId: str
    """The user's id."""
    role: Literal["admin", "member"]
    """Their role."""
    name: str
    """Their name."""
    email: str
    """Their e-mail address."""
    joinedAt: str
    """When they joined."""


class OrganizationMemberConnection(TypedDict):
    """A part of a list."""

    members: list[OrganizationMember]
    """The entries alone."""
    nextCursor: str | None
    """The cursor to go on after; null where the list ends."""


class AccessLevel(TypedDict):
    """What somebody may do to an item at one moment."""

    permission: Literal["read_write", "read_only"] | None
    """Their effective permission; null for no access."""
    role: Literal["owner", "manager", "contributor"] | None
    """Their role in the item's drive, if any."""
    capabilities: list[
        Literal[
            "read", "edit", "createChild", "move", "moveOut", "share", "publish", "trash", "versions", "deleteForever"
        ]
    ]
    """Everything they may do to it."""


class AccessChange(TypedDict):
    """What somebody may do to an item before and after it is moved or shared."""

    email: str
    """Whom this is about."""
    userId: str | None
    """Who that is, where they are in the drive or in its organization."""
    name: str | None
    """Their name, where they are in the drive or in its organization."""
    before: AccessLevel
    """What they may do now."""
    after: AccessLevel
    """What they could do afterwards."""
    because: list[AccessReason]
    """The roles and shares that they gain it by, lose it with, or keep it by."""


class AccessPreview(TypedDict):
    """Who would gain, lose and keep access: named where you see it, 200 a list at most; others are counted."""

    gains: list[AccessChange]
    """Who could do more with it than now, by address."""
    loses: list[AccessChange]
    """Who could do less with it than now, by address."""
    keeps: list[AccessChange]
    """Who could do the same with it as now, by address."""
    otherGains: int
    """How many others could do more."""
    otherLoses: int
    """How many others could do less."""
    otherKeeps: int
    """How many others could do the same."""


class Organization(TypedDict):
    """An organization you belong to."""

    id: str
    """The organization's id."""
    name: str
    """Its name."""
    role: Literal["admin", "member"]
    """Your role in it."""


class Limits(TypedDict):
    """What a request, a document and a minute of yours may hold at most."""

    readsPerMinute: int | None
    """How many reads a minute all your credentials have together; null where they are not counted."""
    writesPerMinute: int | None
    """As `readsPerMinute`, of writes."""
    requestBytes: int
    """The largest body of a request that is no image."""
    documentBytes: int
    """The largest document, as an encoded Yjs state."""
    imageBytes: int
    """The largest image."""
    pageSize: int
    """The most entries that a list answers at once."""


class Viewer(TypedDict):
    """You."""

    id: str
    """Your id."""
    name: str
    """Your name."""
    email: str
    """Your e-mail address."""
    agent: str | None
    """The agent that this request is credited to, if any."""
    organization: Organization | None
    """The organization that this request acts in."""
    limits: Limits
    """What your requests may hold at most."""


class DriveItemConnection(TypedDict):
    """A part of a list."""

    items: list[DriveItem]
    """The entries alone."""
    nextCursor: str | None
    """The cursor to go on after; null where the list ends."""


class OutlineHeading(TypedDict):
    """A heading that lies directly in a document, and its section."""

    id: str
    """Its id, which stays while the heading is in the document. It is the Yjs id: client and clock."""
    level: int
    """Its level, 1 to 6."""
    text: str
    """Its text."""
    fromBlock: int
    """The index of its first block among the blocks that lie directly in the document, from 0. That is the
    heading.
    """
    toBlock: int
    """The index of the first block after its section."""
    size: int
    """How many characters of Markdown its section has."""


class DocumentOutline(TypedDict):
    """The headings of a document."""

    revision: int
    """The revision of the document whose headings these are."""
    size: int
    """How many characters of Markdown the document has."""
    blocks: int
    """How many blocks lie directly in the document."""
    headings: list[OutlineHeading]
    """The headings that lie directly in the document, in its order."""


class DocumentPart(TypedDict):
    """A part of a document."""

    revision: int
    """The revision of the document that was read: what an edit of it sends as `base`."""
    markdown: str
    """The part as CommonMark with GFM tables, strikethrough and tasks, as it stands in the whole."""
    fromBlock: int
    """The index of its first block among the blocks that lie directly in the document, from 0."""
    toBlock: int
    """The index of the first block after it."""
    nextBlock: int | None
    """The block to go on from, by `fromBlock`, where `characters` ended the part; null otherwise."""
    blocks: int
    """How many blocks lie directly in the document."""


class PassageInput(TypedDict):
    """One passage of a document's Markdown, and what becomes of it."""

    old: str
    """The passage as it is now; it must be there exactly once."""
    new: str
    """What stands there afterwards."""


class NoInput(TypedDict):
    """The input of an operation without fields."""


class DocumentsReadInput(TypedDict):
    """The input of `documents.read`."""

    documentId: str
    """The item's id."""


class DriveItemsGetInput(TypedDict):
    """The input of `driveItems.get`."""

    itemId: str
    """The item's id."""


class DriveItemsShareSuggestionsInput(TypedDict):
    """The input of `driveItems.shareSuggestions`."""

    itemId: str
    """The item's id."""


class DriveItemsRenameInput(TypedDict):
    """The input of `driveItems.rename`."""

    itemId: str
    """The item's id."""
    name: str
    """The name, 1 to 255 characters."""


class DriveItemsMoveInput(TypedDict):
    """The input of `driveItems.move`."""

    itemId: str
    """The item's id."""
    driveId: str
    """The drive to move it to."""
    parentId: str | None
    """The folder; null for the root."""


class DriveItemsCreateChildInput(TypedDict):
    """The input of `driveItems.createChild`."""

    itemId: str
    """The item's id."""
    name: str
    """The name, 1 to 255 characters."""
    driveItemType: Literal["folder", "docs_workbook", "viz_workbook"]
    """What to make."""


class DriveItemsShareInput(TypedDict):
    """The input of `driveItems.share`."""

    itemId: str
    """The item's id."""
    email: str
    """The e-mail address."""
    permission: Literal["read_write", "read_only"]
    """What the share allows."""


class DriveItemsUpdateShareInput(TypedDict):
    """The input of `driveItems.updateShare`."""

    itemId: str
    """The item's id."""
    email: str
    """The e-mail address."""
    permission: Literal["read_write", "read_only"]
    """What the share allows."""


class DriveItemsRemoveShareInput(TypedDict):
    """The input of `driveItems.removeShare`."""

    itemId: str
    """The item's id."""
    email: str
    """The e-mail address."""


class DriveItemsSetPublicationInput(TypedDict):
    """The input of `driveItems.setPublication`."""

    itemId: str
    """The item's id."""
    published: bool
    """Whether it shall have one."""


class DrivesListInput(TypedDict):
    """The input of `drives.list`."""

    cursor: NotRequired[str]
    """The `nextCursor` of the part before."""


class DrivesCreateInput(TypedDict):
    """The input of `drives.create`."""

    name: str
    """The name, 1 to 255 characters."""


class DrivesRenameInput(TypedDict):
    """The input of `drives.rename`."""

    driveId: str
    """The drive's id."""
    name: str
    """The name, 1 to 255 characters."""


class DrivesCreateItemInput(TypedDict):
    """The input of `drives.createItem`."""

    driveId: str
    """The drive's id."""
    name: str
    """The name, 1 to 255 characters."""
    driveItemType: Literal["folder", "docs_workbook", "viz_workbook"]
    """What to make."""


class DrivesUpsertMemberInput(TypedDict):
    """The input of `drives.upsertMember`."""

    driveId: str
    """The drive's id."""
    userId: str
    """The user's id."""
    role: Literal["owner", "manager", "contributor"]
    """The role to give."""


class DrivesRemoveMemberInput(TypedDict):
    """The input of `drives.removeMember`."""

    driveId: str
    """The drive's id."""
    userId: str
    """The user's id."""


class DocumentsEditInput(TypedDict):
    """The input of `documents.edit`."""

    documentId: str
    """The document's id."""
    replace: NotRequired[str | None]
    """All of the Markdown becomes this, compared with the revision `base`. Blocks and words that stay are not
    touched.
    """
    append: NotRequired[str | None]
    """This comes after what there is; a list at the end may go on."""
    passages: NotRequired[list[PassageInput] | None]
    """At most 500 passages become others, all of them or none."""
    section: NotRequired[str | None]
    """What `replace` becomes: the section of this heading, as `documentPart` reads it, the heading included.
    PASSAGE_NOT_FOUND where the heading is gone by now.
    """
    base: NotRequired[int | None]
    """The revision that you read, which a replacement is made to and merged from with what others wrote since; 0
    of a new document. An edit by `append` or `passages` is made to the present document; a `base` that never was
    is refused there, too.
    """
    onConflict: NotRequired[Literal["merge", "refuse"]]
    """What a replacement does where it conflicts with what others changed since `base`: leave the conflicts
    undone, or change nothing at all.
    """
    dryRun: NotRequired[bool]
    """Tell what the edit would do, and change nothing."""


class DriveItemsSearchInput(TypedDict):
    """The input of `driveItems.search`."""

    text: str
    """Words, each of which may be only begun."""
    driveId: NotRequired[str]
    """Only what is in this drive."""
    folderId: NotRequired[str]
    """Only what is in this folder, or in folders in it; nothing if you do not see it."""
    types: NotRequired[list[Literal["folder", "docs_workbook", "viz_workbook"]]]
    """Only items of these types."""
    userId: NotRequired[str]
    """Only what this user created or wrote in."""
    agent: NotRequired[str]
    """Only what this agent created or wrote in; empty for what people did themselves. With a user: for them."""
    changedSince: NotRequired[str]
    """Only what was changed last at this moment or later."""
    changedUntil: NotRequired[str]
    """Only what was changed last at this moment or earlier."""
    createdSince: NotRequired[str]
    """Only what was created at this moment or later."""
    createdUntil: NotRequired[str]
    """Only what was created at this moment or earlier."""
    order: NotRequired[Literal["relevance", "date"]]
    """Which of the items found come first."""
    first: NotRequired[int]
    """How many at most, from 1 to 200."""
    cursor: NotRequired[str]
    """Go on after this cursor."""


class DriveItemsDuplicateInput(TypedDict):
    """The input of `driveItems.duplicate`."""

    itemId: str
    """The item's id."""
    driveId: NotRequired[str | None]
    """The drive of the copy, at its root unless a folder is named."""
    parentId: NotRequired[str | None]
    """The folder of the copy."""
    name: NotRequired[str | None]
    """The name of the copy; left out, `Copy of` and the name of the item."""


class DriveItemsTrashInput(TypedDict):
    """The input of `driveItems.trash`."""

    itemId: str
    """The item's id."""


class DriveItemsRestoreInput(TypedDict):
    """The input of `driveItems.restore`."""

    itemId: str
    """The item's id."""


class DriveItemsExplainAccessInput(TypedDict):
    """The input of `driveItems.explainAccess`."""

    itemId: str
    """The item's id."""
    email: str
    """Whose access to explain."""


class DocumentsChangesInput(TypedDict):
    """The input of `documents.changes`."""

    documentId: str
    """The document's id."""
    sinceRevision: NotRequired[int]
    """Only what came after this revision; 0 is the beginning."""
    sinceVersion: NotRequired[int]
    """Only what came after the version of this number."""
    sinceTime: NotRequired[str]
    """Only what was done at this moment or later, or in its minute where edits are no longer stored one by one."""
    userId: NotRequired[str]
    """Only what this user, or an agent of theirs, did."""
    agent: NotRequired[str]
    """Only what this agent did; empty for what people did themselves."""
    untilRevision: NotRequired[int]
    """Only what had come at this revision, as it was then."""
    untilVersion: NotRequired[int]
    """Only what had come at the version of this number, as it was then."""
    untilTime: NotRequired[str]
    """Only what was done before this moment, as it was then."""
    newestFirst: NotRequired[bool]
    """The changes of the newest edit first; those of one edit stay as one reads them."""
    first: NotRequired[int]
    """How many at most, from 1 to 200."""
    cursor: NotRequired[str]
    """Go on after this cursor."""


class DocumentsUndoChangesInput(TypedDict):
    """The input of `documents.undoChanges`."""

    documentId: str
    """The document's id."""
    ids: NotRequired[list[str] | None]
    """The ids of at most 500 changes."""
    userId: NotRequired[str | None]
    """Whose changes, instead of `ids`: theirs and their agents'."""
    agent: NotRequired[str | None]
    """Only what this agent of the user did; empty for the user alone."""
    sinceRevision: NotRequired[int | None]
    """Only what came after this revision; 0 is the beginning."""
    sinceTime: NotRequired[str | None]
    """Only what was done at this moment or later, or in its minute where edits are no longer stored one by one."""
    last: NotRequired[bool]
    """Your own last edit, instead of `ids` or `userId`: that of the agent that this request is credited to, or
    without one, of yourself. An undo is an edit, too.
    """
    dryRun: NotRequired[bool]
    """Tell what would be taken back, and change nothing."""


class DocumentsAttributionsInput(TypedDict):
    """The input of `documents.attributions`."""

    documentId: str
    """The document's id."""
    first: NotRequired[int]
    """How many at most, from 1 to 200."""
    cursor: NotRequired[str]
    """Go on after this cursor."""


class DocumentsVersionsInput(TypedDict):
    """The input of `documents.versions`."""

    documentId: str
    """The document's id."""
    userId: NotRequired[str]
    """Only what this user did."""
    agent: NotRequired[str]
    """Only what this agent did; empty for what people did themselves."""
    first: NotRequired[int]
    """How many at most, from 1 to 200."""
    cursor: NotRequired[str]
    """Go on after this cursor."""


class DocumentsReadVersionInput(TypedDict):
    """The input of `documents.readVersion`."""

    documentId: str
    """The document's id."""
    number: int
    """The version's number."""


class DocumentsRestoreVersionInput(TypedDict):
    """The input of `documents.restoreVersion`."""

    documentId: str
    """The document's id."""
    number: int
    """The version's number."""


class DrivesGetInput(TypedDict):
    """The input of `drives.get`."""

    driveId: str
    """The drive's id."""


class DrivesEventsInput(TypedDict):
    """The input of `drives.events`."""

    driveId: str
    """The drive's id."""
    userId: NotRequired[str]
    """Only what this user did."""
    agent: NotRequired[str]
    """Only what this agent did; empty for what people did themselves."""
    itemId: NotRequired[str]
    """Only what is about this item."""
    types: NotRequired[
        list[
            Literal[
                "accountCreated",
                "documentEdited",
                "documentPublished",
                "documentUnpublished",
                "driveCreated",
                "driveDeleted",
                "driveRenamed",
                "imageUploaded",
                "itemCreated",
                "itemDeleted",
                "itemMoved",
                "itemRenamed",
                "itemRestored",
                "itemShared",
                "itemTrashed",
                "memberRemoved",
                "memberSet",
                "shareChanged",
                "shareRemoved",
                "versionCut",
                "versionNamed",
                "versionRestored",
                "accessChanged",
                "reload",
            ]
        ]
    ]
    """Only events of these types, such as `itemRenamed`."""
    since: NotRequired[str]
    """Only what happened at this moment or later."""
    first: NotRequired[int]
    """How many at most, from 1 to 200."""
    cursor: NotRequired[str]
    """Go on after this cursor."""


class DrivesOrganizationMembersInput(TypedDict):
    """The input of `drives.organizationMembers`."""

    driveId: str
    """The drive's id."""
    first: NotRequired[int]
    """How many at most, from 1 to 200."""
    cursor: NotRequired[str]
    """Go on after this cursor."""


class DriveItemsPreviewMoveInput(TypedDict):
    """The input of `driveItems.previewMove`."""

    itemId: str
    """The item's id."""
    driveId: str
    """The drive to move it to."""
    parentId: str | None
    """The folder; null for the root."""


class DriveItemsPreviewShareInput(TypedDict):
    """The input of `driveItems.previewShare`."""

    itemId: str
    """The item's id."""
    email: str
    """The e-mail address."""
    permission: Literal["read_write", "read_only"]
    """What the share would allow."""


class DriveItemsTrashedInput(TypedDict):
    """The input of `driveItems.trashed`."""

    driveId: NotRequired[str]
    """Only what is in this drive."""
    first: NotRequired[int]
    """How many at most, from 1 to 200."""
    cursor: NotRequired[str]
    """Go on after this cursor."""


class DocumentsOutlineInput(TypedDict):
    """The input of `documents.outline`."""

    documentId: str
    """The document's id."""


class DocumentsReadPartInput(TypedDict):
    """The input of `documents.readPart`."""

    documentId: str
    """The document's id."""
    section: NotRequired[str]
    """Only the section of this heading: the heading with all up to the next one of its level or a higher one."""
    fromBlock: NotRequired[int]
    """Only from this block on, counted from 0 in the whole document, as `path` counts."""
    toBlock: NotRequired[int]
    """Only up to this block, which is not read."""
    characters: NotRequired[int]
    """At most so many characters of Markdown, in whole blocks, but one block at least: `nextBlock` is where to
    go on.
    """


class ViewerEventsInput(TypedDict):
    """The input of `viewer.events`."""

    userId: NotRequired[str]
    """Only what this user did."""
    agent: NotRequired[str]
    """Only what this agent did; empty for what people did themselves."""
    itemId: NotRequired[str]
    """Only what is about this item."""
    types: NotRequired[
        list[
            Literal[
                "accountCreated",
                "documentEdited",
                "documentPublished",
                "documentUnpublished",
                "driveCreated",
                "driveDeleted",
                "driveRenamed",
                "imageUploaded",
                "itemCreated",
                "itemDeleted",
                "itemMoved",
                "itemRenamed",
                "itemRestored",
                "itemShared",
                "itemTrashed",
                "memberRemoved",
                "memberSet",
                "shareChanged",
                "shareRemoved",
                "versionCut",
                "versionNamed",
                "versionRestored",
                "accessChanged",
                "reload",
            ]
        ]
    ]
    """Only events of these types, such as `itemRenamed`."""
    since: NotRequired[str]
    """Only what happened at this moment or later."""
    first: NotRequired[int]
    """How many at most, from 1 to 200."""
    cursor: NotRequired[str]
    """Go on after this cursor."""
