"""Items: their facts for a caller, and the decisions to create and rename them.

Every decision takes facts and returns events or a Rejection; `()` means that nothing changes.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from domain.access import Authority, Can, DriveCan, Role, Step, live_authority
from domain.credit import Credit
from domain.drive import Drive, DriveFacts
from domain.errors import NOT_FOUND, Code, Rejection, forbidden
from domain.values import ItemName


class ItemKind(StrEnum):
    folder = "folder"
    docs_workbook = "docs_workbook"
    viz_workbook = "viz_workbook"


@dataclass(frozen=True, slots=True)
class TreeLimits:
    drive_items: int = 100_000
    folder_children: int = 10_000
    depth: int = 100


@dataclass(frozen=True, slots=True)
class Item:
    """`sequence` is the number of the last update of its document, 0 where there is none."""

    id: str
    drive_id: str
    parent_id: str | None
    kind: ItemKind
    name: str
    created_at: datetime
    updated_at: datetime
    created_by: Credit
    updated_by: Credit
    slug: str | None = None
    trashed_at: datetime | None = None
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """An item as one user meets it: its drive, the user's role there, and the path from the item up to its root."""

    item: Item
    drive: Drive
    role: Role | None
    path: tuple[Step, ...]

    @property
    def authority(self) -> Authority:
        return live_authority(self.role, self.path)


@dataclass(frozen=True, slots=True)
class Place:
    """A place for an item: a drive, and a folder in it or (None) its root.

    `parent` is what was found for the folder that was asked for; `children` and the drive's `live_items` count what
    is there already, `drive_seen` says whether the user sees the drive or any item in it.
    """

    drive: DriveFacts | None
    drive_seen: bool
    parent_id: str | None
    parent: ItemFacts | None
    children: int

    @property
    def depth(self) -> int:
        return len(self.parent.path) if self.parent else 0


@dataclass(frozen=True, slots=True)
class ItemCreated:
    item: Item


@dataclass(frozen=True, slots=True)
class ItemRenamed:
    item_id: str
    drive_id: str
    name: ItemName


def visible(facts: ItemFacts | None) -> ItemFacts | Rejection:
    """Return the item to a caller who can see it.

    INVARIANT: hidden, trashed and missing are one answer.
    """
    return NOT_FOUND if facts is None or Can.read not in facts.authority.can else facts


def allowed(facts: ItemFacts | None, capability: Can, what: str) -> ItemFacts | Rejection:
    """Return the item to a caller who sees it and may do `what` to it."""
    can = facts.authority.can if facts else frozenset[Can]()
    if facts is None or Can.read not in can:
        return NOT_FOUND
    return facts if capability in can else forbidden(what)


def document(facts: ItemFacts | None) -> ItemFacts | Rejection:
    """Return the item where it is a document that the user sees."""
    seen = visible(facts)
    if isinstance(seen, ItemFacts) and seen.item.kind is ItemKind.folder:
        return Rejection(Code.NOT_A_DOCUMENT, "a folder has no document: choose a docs_workbook or a viz_workbook")
    return seen


def room(place: Place, items: int, limits: TreeLimits) -> Rejection | None:
    if place.children >= limits.folder_children and place.parent_id:
        return Rejection(Code.LIMIT_EXCEEDED, f"a folder holds at most {limits.folder_children} items")
    if items and place.drive and place.drive.live_items + items > limits.drive_items:
        return Rejection(Code.LIMIT_EXCEEDED, f"a drive holds at most {limits.drive_items} items")
    return None


def too_deep(limits: TreeLimits) -> Rejection:
    return Rejection(Code.TREE_TOO_DEEP, f"folders nest at most {limits.depth} deep")


def create(place: Place, item_id: str, name: ItemName, kind: ItemKind, by: Credit, now: datetime, limits: TreeLimits) -> (
    tuple[ItemCreated, ...] | Rejection
):  # fmt: skip
    """Make an item in a folder, or at the root of a drive (its members only)."""
    if place.parent_id is not None:
        parent = allowed(place.parent, Can.createChild, "create items in this folder")
        if isinstance(parent, Rejection):
            return parent
        if parent.item.kind is not ItemKind.folder:
            return Rejection(Code.NOT_A_FOLDER, "items are created in folders: this is a document")
        drive_id = parent.item.drive_id
    elif place.drive is None or place.drive.role is None:
        return NOT_FOUND
    elif DriveCan.createItem not in place.drive.can:
        return forbidden("create items in this drive")
    else:
        drive_id = place.drive.drive.id
    if place.depth + 1 > limits.depth:
        return too_deep(limits)
    if full := room(place, 1, limits):
        return full
    return (ItemCreated(Item(item_id, drive_id, place.parent_id, kind, name, now, now, by, by)),)


def rename(facts: ItemFacts | None, name: ItemName) -> tuple[ItemRenamed, ...] | Rejection:
    seen = allowed(facts, Can.edit, "rename this item")
    if isinstance(seen, Rejection):
        return seen
    return () if seen.item.name == name else (ItemRenamed(seen.item.id, seen.item.drive_id, name),)
