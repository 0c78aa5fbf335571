"""What is asked about items: how somebody meets one, what surrounds it, who reaches it."""

from dataclasses import dataclass
from datetime import datetime

from domain.access import Permission, Role
from domain.item import Item, ItemFacts, Place
from domain.move import Subtree
from domain.questions.question import Page, Question
from domain.share import Share, Shares
from domain.values import Email


@dataclass(frozen=True, slots=True)
class ItemFor(Question[ItemFacts | None]):
    """An item as the user meets it, trashed or not, visible or not: the domain decides."""

    user_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class Overview:
    """An item with its surroundings.

    `children` (live, by name, id) carry what was granted to the user on each; `ancestors` are as in the path, nearest
    first; `shares` all direct grants, oldest first. What of it the user sees is for the domain to say.
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
    """The live children of a folder by name, id, from `after` on."""

    user_id: str
    item_id: str
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class RootItemsFor(Question[Page[Item]]):
    """The live items at the root of a drive by name, id, from `after` on."""

    user_id: str
    drive_id: str
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class SharedWith(Question[tuple[ItemFacts, ...]]):
    """The items with a direct grant to the user that are live, newest grant first."""

    user_id: str


@dataclass(frozen=True, slots=True)
class SharedItem:
    """An item with a direct grant to the user, and when that was given."""

    facts: ItemFacts
    shared_at: datetime


@dataclass(frozen=True, slots=True)
class SharedItemsFor(Question[Page[SharedItem]]):
    """What `SharedWith` answers, from `after` on."""

    user_id: str
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
class Grant:
    """A grant on an item or an ancestor, with who gave it."""

    item_id: str
    item_name: str
    permission: Permission
    given_by: str
    given_at: datetime


@dataclass(frozen=True, slots=True)
class Access:
    """What ties an address to an item: a role in the drive (with who gave it) and grants, the nearest first."""

    role: Role | None
    role_given_by: str | None
    grants: tuple[Grant, ...]


@dataclass(frozen=True, slots=True)
class AccessOf(Question[Access]):
    item_id: str
    email: Email
