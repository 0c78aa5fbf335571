"""The questions that decisions and answers ask of the stored state: each is a value whose type parameter is its answer.

The store answers each from one snapshot. `user_id` is always the asking user. What comes by name comes in the order of
`domain.sort_key`, and by id where names are equal.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from domain.access import Permission, Role
from domain.account import Account
from domain.caller import Caller, Credential
from domain.credit import Author, Credit
from domain.cursor import Cursor
from domain.document import DocumentLog, DocumentLogSince, DocumentState, Image
from domain.drive import Drive, DriveFacts
from domain.duplicate import LiveTree
from domain.email_link import EmailLink
from domain.history import History
from domain.idempotency import IdempotencyKey, RecordedRequest
from domain.item import Item, ItemFacts, ItemKind, Place
from domain.key import ApiKey
from domain.member import Member, MembershipFacts
from domain.move import Subtree
from domain.oauth import ConnectedApp
from domain.organization import (
    Invitation,
    OrganizationFacts,
    OrganizationMember,
    OrganizationMembership,
    OrganizationRole,
)
from domain.session import Session
from domain.share import Share, Shares
from domain.star import Stars
from domain.take_over import Planted
from domain.values import Email
from domain.version import Version


class Question[Answer]:
    """A question whose answer has the type it is written with."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Both[One, Other](Question[tuple[One, Other]]):
    """Two questions, answered from one snapshot; each may be of this kind itself. None is for a page of a list."""

    one: Question[One]
    other: Question[Other]


@dataclass(frozen=True, slots=True)
class Each[Answer](Question[tuple[Answer, ...]]):
    """Questions of one kind, as in `Both`, answered in their order."""

    questions: tuple[Question[Answer], ...]


@dataclass(frozen=True, slots=True)
class Page[Row]:
    """A part of a list, where the next part begins (None at the end), and the place of each row where it has one.

    Not `found`: the cursor that was asked with is none of such a list.
    """

    rows: tuple[Row, ...]
    next_cursor: Cursor | None
    cursors: tuple[Cursor, ...] = ()
    found: bool = True


NOWHERE: Page[Any] = Page((), None, found=False)


# Items


@dataclass(frozen=True, slots=True)
class ItemFor(Question[ItemFacts | None]):
    """An item as the user meets it, trashed or not, visible or not: the domain decides."""

    user_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class Overview:
    """An item with its surroundings.

    `children` (live, by name, id) carry what was granted to the user on each; `ancestors` are as in the path, nearest
    first; `shares` all direct grants, oldest first. The domain decides what of it the user sees.
    """

    facts: ItemFacts
    children: tuple[tuple[Item, Permission | None], ...]
    ancestors: tuple[Item, ...]
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class OverviewFor(Question[Overview | None]):
    user_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class Ancestry:
    """An item with what is above it, nearest first, as in `Overview`."""

    facts: ItemFacts
    ancestors: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class AncestorsFor(Question[Ancestry | None]):
    user_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class Shared:
    """An item with all its direct grants, oldest first, as in `Overview`."""

    facts: ItemFacts
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class SharesFor(Question[Shared | None]):
    user_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class ChildrenFor(Question[Page[tuple[Item, Permission | None]]]):
    """The live children of a folder, of `kinds` or (None) of all, by name, id, from `after` on."""

    user_id: str
    item_id: str
    first: int
    after: str | None
    kinds: frozenset[ItemKind] | None = None


@dataclass(frozen=True, slots=True)
class ChildrenOfEach(Question[dict[str, tuple[ItemFacts, Page[tuple[Item, Permission | None]], int | None]]]):
    """What `ItemFor` and the first page of `ChildrenFor` answer of each of these items that there are, by their ids.

    With it the number of all children, where no `kinds` are asked for.
    """

    user_id: str
    item_ids: tuple[str, ...]
    first: int
    kinds: frozenset[ItemKind] | None = None


@dataclass(frozen=True, slots=True)
class RootItemsFor(Question[Page[Item]]):
    """The live items at the root of a drive, of `kinds` or (None) of all, by name, id, from `after` on."""

    user_id: str
    drive_id: str
    first: int
    after: str | None
    kinds: frozenset[ItemKind] | None = None


@dataclass(frozen=True, slots=True)
class SharedWith(Question[tuple[ItemFacts, ...]]):
    """The items with a direct grant to the user that are live, newest grant first."""

    user_id: str


@dataclass(frozen=True, slots=True)
class SharedItem:
    """An item with a direct grant to the user, and when and by whom that was given."""

    facts: ItemFacts
    shared_at: datetime
    shared_by: Credit


@dataclass(frozen=True, slots=True)
class SharedItemsFor(Question[Page[SharedItem]]):
    """The answer to `SharedWith`, from `after` on."""

    user_id: str
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class StarsFor(Question[Stars]):
    """How many stars of the user are on what they see, and whether an item has one, visible or not: the domain decides."""

    user_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class StarredOfEach(Question[dict[str, bool]]):
    """Of these items those that the user starred, by their ids."""

    user_id: str
    item_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SharesOfEach(Question[dict[str, int]]):
    """With how many each of these items is shared directly, by their ids; those that are not are left out."""

    item_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StarredItem:
    """An item that the user starred, and when."""

    facts: ItemFacts
    starred_at: datetime


@dataclass(frozen=True, slots=True)
class StarredItemsFor(Question[Page[StarredItem]]):
    """The live items that the user sees and starred, the last starred first, from `after` on."""

    user_id: str
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class BacklinksFor(Question[Page[ItemFacts]]):
    """The live documents that link to an item, of which the user sees both, the last made first, from `after` on.

    A link counts once the document is indexed, some seconds after it was written.
    """

    user_id: str
    item_id: str
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class TrashFor(Question[Page[ItemFacts]]):
    """Items that were trashed themselves, in any drive or in one, that the user sees; last trashed first."""

    user_id: str
    drive_id: str | None
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class PlaceFor(Question[Place]):
    """The place that `drive_id` and `parent_id` name. With `drive_id` None, the parent's own drive."""

    user_id: str
    drive_id: str | None
    parent_id: str | None


@dataclass(frozen=True, slots=True)
class SubtreeOf(Question[Subtree]):
    item_id: str


@dataclass(frozen=True, slots=True)
class LiveTreeOf(Question[LiveTree | None]):
    """What a duplicate of an item is made of, from one snapshot; None where there is no such item."""

    item_id: str


@dataclass(frozen=True, slots=True)
class SharesOf(Question[Shares]):
    item_id: str
    email: Email


@dataclass(frozen=True, slots=True)
class Suggestion:
    user_id: str
    email: str
    name: str


@dataclass(frozen=True, slots=True)
class SuggestionsFor(Question[tuple[Suggestion, ...]]):
    """Members of `organization_id` (None: nobody) with no way to the item yet, but the user, by name; at most 50."""

    user_id: str
    item_id: str
    organization_id: str | None


@dataclass(frozen=True, slots=True)
class Giver:
    """Who gave a role or a grant."""

    user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Grant:
    """A grant on an item or an ancestor, with who gave it."""

    item_id: str
    item_name: str
    permission: Permission
    given_by: Giver
    given_at: datetime | None  # None: it is not given yet


@dataclass(frozen=True, slots=True)
class Access:
    """The access of an address to an item: a role in the drive (with who gave it) and grants, the nearest first."""

    role: Role | None
    role_given_by: Giver | None
    grants: tuple[Grant, ...]


@dataclass(frozen=True, slots=True)
class AccessOf(Question[Access]):
    item_id: str
    email: Email


@dataclass(frozen=True, slots=True)
class Holder:
    """An address with its access; `user_id` and `name` only of a member of the drive or of its organization."""

    email: str
    user_id: str | None
    name: str | None
    access: Access


@dataclass(frozen=True, slots=True)
class HoldersOf(Question[tuple[Holder, ...]]):
    """All addresses with a role in a drive, or with a grant on an item of it or above that, and `email` in any case.

    With `drive_id` None it is the item's own drive, with `item_id` None the drive's root.
    """

    drive_id: str | None
    item_id: str | None
    email: Email | None = None


# Drives and their members


@dataclass(frozen=True, slots=True)
class DriveFor(Question[DriveFacts | None]):
    """A drive as the user meets it; its `live_items` and `trashed_items` only say whether there are any."""

    user_id: str
    drive_id: str


@dataclass(frozen=True, slots=True)
class DriveContents:
    """A drive of the user with live items of it (by depth, sort key of the name, id) and its members (by addedAt)."""

    drive: Drive
    role: Role
    items: tuple[Item, ...]
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class DrivesFor(Question[Page[DriveContents]]):
    """Every drive of the user, personal first, then by name, with all its live items.

    A page holds `max_items` items at most, those with the lowest ids first: an item that stays in its drive is on one
    page, whatever it is renamed to and wherever it is moved meanwhile. Pages after the first repeat only the drives
    whose items go on. Of more than `max_drives` drives, the others begin once all items of the first were listed.
    A page may hold less than it could where much of the trash lies between.
    """

    user_id: str
    max_items: int
    max_drives: int
    after: str | None


@dataclass(frozen=True, slots=True)
class DriveNames(Question[Page[DriveFacts]]):
    """The drives of the user without their items (as in `DriveFor`), personal first, then by name."""

    user_id: str
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class StorageOfEach(Question[dict[str, int]]):
    """How many bytes each of these drives stores, as they were counted last, by their ids."""

    drive_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MembersOf(Question[tuple[Member, ...]]):
    drive_id: str


@dataclass(frozen=True, slots=True)
class MembersPage(Question[Page[Member]]):
    """The members of a drive by when they were added, from `after` on."""

    drive_id: str
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class MembersOfEach(Question[dict[str, tuple[Page[Member], int]]]):
    """The first page of `MembersPage` of each of these drives that there are, and the number of all members, by their ids."""

    drive_ids: tuple[str, ...]
    first: int


@dataclass(frozen=True, slots=True)
class MembershipFactsOf(Question[MembershipFacts]):
    """The facts that decide what may be done about the membership of `member_id`."""

    drive_id: str
    member_id: str


# Documents and their images


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """A document as the user meets it, and the recent authors."""

    facts: ItemFacts
    authors: tuple[Author, ...]

    @property
    def sequence(self) -> int:
        return self.facts.item.sequence


@dataclass(frozen=True, slots=True)
class DocumentFor(Question[DocumentHead | None]):
    user_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class StateOf(Question[DocumentState]):
    """The stored state up to `sequence` (None: all of it), so that a head and its state agree.

    Leaves out what was there at the number `after`, except where only a later snapshot still has it. Where
    `sequence` is gone, the snapshot answers, with its own number: see `RevisionOf`.
    """

    item_id: str
    sequence: int | None = None
    after: int = 0


@dataclass(frozen=True, slots=True)
class RevisionOf(Question[DocumentState | None]):
    """The document as it was at the update `sequence`; None where that is gone, or was never there.

    It is there for a day at least, and as long as the log was not compacted beyond it.
    """

    item_id: str
    sequence: int


@dataclass(frozen=True, slots=True)
class ImageFor(Question[tuple[Image, ItemFacts] | None]):
    """An image with the document it is in, as the user meets it."""

    user_id: str
    image_id: str


@dataclass(frozen=True, slots=True)
class ImagesOf(Question[tuple[Image, ...]]):
    """All images of a document, the oldest first."""

    item_id: str


# Versions and the log


@dataclass(frozen=True, slots=True)
class VersionsOf(Question[tuple[Version, ...]]):
    """The versions of a document, the newest first, from before the version `before` on.

    With `author_id` or `agent` ("" for none) given, only those that such an author edited in.
    """

    item_id: str
    first: int
    before: int | None = None
    author_id: str | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class VersionOf(Question[Version | None]):
    item_id: str
    number: int


@dataclass(frozen=True, slots=True)
class VersionStateOf(Question[DocumentState]):
    """The document as it was when the version ended; nothing at the number 0 where there is no such version."""

    item_id: str
    number: int


@dataclass(frozen=True, slots=True)
class LogOf(Question[DocumentLog | None]):
    """The log of a document up to the update `sequence` (None: all of it); None where there is no such document.

    What was there at the number `after` is left out, and so is a snapshot that holds nothing later.
    """

    item_id: str
    sequence: int | None = None
    after: int = 0


@dataclass(frozen=True, slots=True)
class LogSinceOf(Question[DocumentLogSince | None]):
    """A document as it was at the update `revision`, and its log since: for edits of that revision, changes and undo.

    None where the revision was never there, or its state can no longer be made: see `RevisionOf`. Ends of versions stay.
    """

    item_id: str
    revision: int


@dataclass(frozen=True, slots=True)
class RevisionBefore(Question[int]):
    """The last revision from before a time; where the rows were compacted, the end of the last version from before it."""

    item_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class LastEditBy(Question[int | None]):
    """The last revision up to `until` that a user made, or (not empty) an agent of theirs; None where its row was compacted."""

    item_id: str
    user_id: str
    agent: str
    until: int


@dataclass(frozen=True, slots=True)
class AuthorNamesOf(Question[dict[str, str]]):
    """The names of all who ever edited a document, by their ids."""

    item_id: str


@dataclass(frozen=True, slots=True)
class AuthorsOf(Question[list[str]]):
    """The ids of those who edited a document, alone or by agents, in the order of their first edits."""

    item_id: str
    first: int


@dataclass(frozen=True, slots=True)
class HistoryOf(Question[History | None]):
    item_id: str


# Public pages


@dataclass(frozen=True, slots=True)
class Published:
    """A published document and all images in it, the oldest first."""

    item: Item
    images: tuple[Image, ...]

    @property
    def sequence(self) -> int:
        return self.item.sequence


@dataclass(frozen=True, slots=True)
class PublishedAs(Question[Published | None]):
    """The published document of this slug, for anybody."""

    slug: str


# Search


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of an excerpt; `hit`: it is what was asked for."""

    text: str
    hit: bool


@dataclass(frozen=True, slots=True)
class SearchHit:
    """An item that answers to a search by its name, by its content, or by both; `excerpt` is of the content.

    `rank` adds up what each of the words was found in: 4 for the name, 1 for the content, 1 more for a whole word of it.
    `authors` are the latest who wrote in it since the moment that the search asks for; none where it asks for none.
    """

    facts: ItemFacts
    in_name: bool
    rank: int
    excerpt: tuple[Part, ...]
    authors: tuple[Author, ...]


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """The items that are wanted: of kinds, below a folder, by an author, changed last or created in a span of time.

    `author_id` and `agent` are one author, who created the item or wrote in it; `agent` is "" for the person alone. What
    is None leaves all items in.
    """

    kinds: frozenset[ItemKind] | None = None
    folder_id: str | None = None
    author_id: str | None = None
    agent: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    created_since: datetime | None = None
    created_until: datetime | None = None


class SearchOrder(StrEnum):
    relevance = "relevance"
    date = "date"


@dataclass(frozen=True, slots=True)
class SearchFor(Question[Page[SearchHit]]):
    """Live items that the user sees with every word of `text` in the name or the content.

    Where there is none, those that have words which differ from these by one typing error. Those of the highest rank
    first, of equals the last updated; by date, the last updated first. Content is searched as of a moment ago. Nothing is
    below a folder that the user does not see.
    """

    user_id: str
    text: str
    drive_id: str | None
    first: int
    after: str | None
    wanted: SearchFilter = SearchFilter()
    order: SearchOrder = SearchOrder.relevance


# Accounts, keys and recorded requests


@dataclass(frozen=True, slots=True)
class WhoHoldsKey(Question[Caller | None]):
    """The identity that a key of this digest acts as; None where it is unknown or revoked or its account is disabled."""

    digest: str


@dataclass(frozen=True, slots=True)
class CredentialIsValid(Question[bool]):
    """Whether a credential that was accepted has not been ended since, nor its account disabled.

    None, of what has no credential such as the operator's command, always is.
    """

    credential: Credential | None


@dataclass(frozen=True, slots=True)
class AccountOf(Question[Account | None]):
    user_id: str


@dataclass(frozen=True, slots=True)
class AccountByEmail(Question[Account | None]):
    email: Email


@dataclass(frozen=True, slots=True)
class OrganizationMembershipsOf(Question[tuple[OrganizationMembership, ...]]):
    """The organizations of the user, by name."""

    user_id: str


@dataclass(frozen=True, slots=True)
class KeysOf(Question[tuple[ApiKey, ...]]):
    """The live keys of the user, newest first; none of an account that is disabled."""

    user_id: str


@dataclass(frozen=True, slots=True)
class AppsOf(Question[tuple[ConnectedApp, ...]]):
    """The applications that the user has connected, newest first."""

    user_id: str


@dataclass(frozen=True, slots=True)
class AgentSeen:
    """An agent of a user, by name, with the document that it edited last, and when."""

    name: str
    item_id: str | None
    edited_at: datetime | None


@dataclass(frozen=True, slots=True)
class AgentsOf(Question[tuple[AgentSeen, ...]]):
    """The agents of the user's live keys and connected applications, by name. The moment of an edit is to the minute."""

    user_id: str


@dataclass(frozen=True, slots=True)
class PlantedIn(Question[Planted]):
    """Everything that ends when the owner of the address takes the user's account over."""

    user_id: str


@dataclass(frozen=True, slots=True)
class RecordedRequestFor(Question[RecordedRequest | None]):
    """The request of the last 24 hours under this key of this user and operation."""

    key: IdempotencyKey


# Sessions, passwords and links


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The identity of a session; its organization is None where the user has left it."""

    caller: Caller
    session: Session


@dataclass(frozen=True, slots=True)
class WhoIsSignedIn(Question[SignedIn | None]):
    """The holder of the session of this digest, if it was seen and begun after these moments; None where disabled."""

    digest: str
    seen_after: datetime
    begun_after: datetime


@dataclass(frozen=True, slots=True)
class SessionsOf(Question[tuple[Session, ...]]):
    """The sessions of the user, the newest first."""

    user_id: str


@dataclass(frozen=True, slots=True)
class LinkByDigest(Question[EmailLink | None]):
    digest: str


@dataclass(frozen=True, slots=True)
class PasswordAt:
    """The hash of a password; None where none was ever set."""

    user_id: str
    password_hash: str | None


@dataclass(frozen=True, slots=True)
class PasswordOf(Question[PasswordAt | None]):
    """The password of the account with this address, unless it is disabled."""

    email: Email


# Organizations and invitations


@dataclass(frozen=True, slots=True)
class OrganizationFor(Question[OrganizationFacts | None]):
    user_id: str
    organization_id: str


@dataclass(frozen=True, slots=True)
class OrganizationMembersOf(Question[tuple[OrganizationMember, ...]]):
    organization_id: str


@dataclass(frozen=True, slots=True)
class OrganizationMembersPage(Question[Page[OrganizationMember]]):
    """The members of an organization (None: nobody) by when they joined, from `after` on."""

    organization_id: str | None
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class OrganizationRoleOf(Question[OrganizationRole | None]):
    organization_id: str
    member_id: str


@dataclass(frozen=True, slots=True)
class InvitationByDigest(Question[Invitation | None]):
    digest: str


@dataclass(frozen=True, slots=True)
class InvitationsOf(Question[tuple[Invitation, ...]]):
    organization_id: str


# The audit


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of the audit: what happened, to what, by whom, when; `details` is what the event carried, as JSON.

    `item_name` is the present name of the item, None where it is no longer in the drive.
    """

    sequence: int
    type: str
    drive_id: str | None
    item_id: str | None
    user_id: str
    name: str
    agent: str | None
    at: datetime
    details: dict[str, object]
    item_name: str | None = None

    @property
    def by(self) -> Credit:
        return Credit(self.user_id, self.name, self.agent)


@dataclass(frozen=True, slots=True)
class EventsOf(Question[tuple[Recorded, ...]]):
    """The events of a drive before `before`, or all, the newest first."""

    drive_id: str
    first: int
    before: int | None = None


@dataclass(frozen=True, slots=True)
class EventFilter:
    """The events that are wanted: by a user, through an agent ("" for none), about an item, of types, since a moment.

    What is None leaves all events in.
    """

    by: str | None = None
    agent: str | None = None
    item_id: str | None = None
    types: frozenset[str] | None = None
    since: datetime | None = None

    def passes(self, kind: str, item_id: str | None, by: Credit, at: datetime) -> bool:
        return (
            self.by in {None, by.user_id}
            and self.agent in {None, by.agent or ""}
            and self.item_id in {None, item_id}
            and (self.types is None or kind in self.types)
            and (self.since is None or at >= self.since)
        )


ALL_EVENTS: Final = EventFilter()


@dataclass(frozen=True, slots=True)
class EventPage:
    """A part of a drive's events, the newest first; `next` is the number to go on before, None at the end."""

    events: tuple[Recorded, ...]
    next: int | None


@dataclass(frozen=True, slots=True)
class FilteredEvents(Question[EventPage]):
    """The events of a drive before `before` that pass the filter, at most `first` of them.

    A part may hold fewer, and even none, where few events pass: a bounded number of events is looked at for one part.
    """

    drive_id: str
    first: int
    wanted: EventFilter
    before: int | None = None


@dataclass(frozen=True, slots=True)
class FeedPositionAfter(Question[str]):
    """The place of `EventsSince` right after the event with the number `after`, or (None) after all that happened."""

    after: int | None = None


@dataclass(frozen=True, slots=True)
class Follower:
    """Who follows a drive, and the credential with which they began to."""

    user_id: str
    credential: Credential | None


@dataclass(frozen=True, slots=True)
class FollowerRights:
    is_member: bool
    is_valid: bool  # the credential, as `CredentialIsValid` says


@dataclass(frozen=True, slots=True)
class RightsOfFollowers(Question[tuple[FollowerRights, ...]]):
    """Whether these followers of a drive are its members and their credentials valid, in their order."""

    drive_id: str
    followers: tuple[Follower, ...]


@dataclass(frozen=True, slots=True)
class EventBatch:
    """The events since a place, and the place behind them; where there is `more`, read on at once."""

    events: tuple[Recorded, ...]
    place: str
    more: bool


@dataclass(frozen=True, slots=True)
class EventsSince(Question[EventBatch]):
    """The events of a drive since `place`, which an earlier answer or `FeedPositionAfter` gave: about the oldest first.

    Each event comes once, also one that is committed after another with a higher number. Only those that were being
    committed beside the event of a `FeedPositionAfter` may come though they came before it.
    """

    drive_id: str
    place: str
    first: int


@dataclass(frozen=True, slots=True)
class VisibleEvent:
    """An event of something that the user sees, and the place behind it; `member`: by a role in its drive."""

    recorded: Recorded
    member: bool
    place: Cursor


@dataclass(frozen=True, slots=True)
class VisibleEventBatch:
    """The events since a place, in the order of their transactions, and the place behind them.

    `drives` are those in which the user sees anything, `seen` those of the items asked for that they see. `regranted`:
    their roles or grants are others than at the place; `left`: something was moved out of what they see; `hid`: something
    that they do not see was moved, trashed, restored or deleted in a drive where things are shared with them.
    """

    events: tuple[VisibleEvent, ...]
    place: Cursor
    more: bool
    drives: frozenset[str]
    seen: frozenset[str]
    regranted: bool
    left: bool
    hid: bool


@dataclass(frozen=True, slots=True)
class VisibleEventsSince(Question[VisibleEventBatch]):
    """The events since `place` (None: from now on) of all that the user sees, drives and shares alike, each once.

    Of a drive or item that they came to see meanwhile, only what happened since then.
    """

    user_id: str
    place: Cursor | None
    first: int
    item_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """An event of something that a user sees; `member`: by a role in its drive."""

    recorded: Recorded
    member: bool


@dataclass(frozen=True, slots=True)
class SeenEventPage:
    """A part of the events, the newest first; `next` is the number to go on before, None at the end."""

    events: tuple[SeenEvent, ...]
    next: int | None


@dataclass(frozen=True, slots=True)
class RecentEvents(Question[SeenEventPage]):
    """The events before `before` that pass the filter, of all that the user sees, at most `first` of them.

    Of a share, what happened since it was given. A part may hold fewer, and even none, where few events pass.
    """

    user_id: str
    first: int
    wanted: EventFilter
    before: int | None = None


@dataclass(frozen=True, slots=True)
class AccessEnd:
    """Who took a user's access to an item away, and when."""

    by: Credit
    at: datetime


@dataclass(frozen=True, slots=True)
class AccessEndFor(Question[AccessEnd | None]):
    """The end of a user's access to an item, where a share or role that was taken away is the last word of the drive about it.

    None where they see the item, never could, or lost it otherwise, such as by a move: nothing is told but who ended what they
    had themselves.
    """

    user_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class VisibleEventCount(Question[int | None]):
    """The number of events since `place` in the drives where the user sees anything, counted up to `most`.

    None where the place is none, or of another database.
    """

    user_id: str
    place: Cursor
    most: int
