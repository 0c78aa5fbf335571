"""Moves: whether an item may be moved with its subtree, and what a move changes."""

from dataclasses import dataclass

from domain.access import Can, DriveCan, authority, holds_throughout
from domain.drive import DriveFacts
from domain.errors import NOT_FOUND, Code, Rejection, forbidden
from domain.item import ItemFacts, ItemKind, Place, TreeLimits, room, too_deep, visible
from domain.storage import STORAGE_FULL, UNBOUNDED


@dataclass(frozen=True, slots=True)
class Subtree:
    """The items below an item: the numbers of levels (1 for the item alone) and items, and whether any is published.

    Of what is in the trash itself, and below that, only the levels and the bytes count: it is no live item and has no page, but
    it has its place in the tree, which may not become too deep for it to come back. `bytes` are those that all of it stores, as
    they were counted last.
    """

    height: int
    items: int
    published: bool
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class ItemMoved:
    item_id: str
    from_drive_id: str
    drive_id: str
    from_parent_id: str | None
    parent_id: str | None
    deepest: int

    @property
    def leaves_drive(self) -> bool:
        return self.from_drive_id != self.drive_id


def needs_walk(facts: ItemFacts, place: Place, limits: TreeLimits) -> bool:
    """Whether what lies below the item must be looked at before it is moved, or the drive's bound answers for it."""
    if place.drive is None or place.drive.drive.id != facts.drive.id:
        return True
    return place.depth + _tallest(facts) > limits.depth


def _tallest(facts: ItemFacts) -> int:
    return max(facts.drive.depth - len(facts.path) + 1, 1)


def move(
    facts: ItemFacts | None, place: Place, below: Subtree | None, limits: TreeLimits, left: int = UNBOUNDED
) -> tuple[ItemMoved, ...] | Rejection:
    """Move an item, with all that lies below it, into a folder or to the root of a drive.

    `below` may be None where `needs_walk` says so. `left` is how many bytes more the drive that it goes to may store.
    """
    seen = visible(facts)
    if isinstance(seen, Rejection):
        return seen
    if place.drive is None or not place.drive_seen:
        return NOT_FOUND
    if place.parent_id is not None and isinstance(visible(place.parent), Rejection):
        return NOT_FOUND
    if refused := _may_move(seen, place, place.drive) or _fits_shape(seen, place, place.drive):
        return refused
    if (seen.item.drive_id, seen.item.parent_id) == (place.drive.drive.id, place.parent_id):
        return ()
    if refused := _fits_room(seen, place, place.drive, below, limits):
        return refused
    if below and below.bytes > left and place.drive.drive.id != seen.drive.id:
        return STORAGE_FULL
    return _moved(seen, place, place.drive, below)


def _may_move(seen: ItemFacts, place: Place, drive: DriveFacts) -> Rejection | None:
    if Can.move not in seen.authority.can:
        return forbidden("move this item")
    parent = place.parent
    if (parent.item.drive_id if parent else drive.drive.id) != seen.drive.id:
        if Can.moveOut not in seen.authority.can:
            return forbidden("move this item out of its drive")
    elif not holds_throughout(seen.role, seen.path, parent.path if parent else ()):
        return forbidden("move this item out of the folder that is shared with you")
    if parent:
        return None if Can.createChild in parent.authority.can else forbidden("create items in that folder")
    return None if DriveCan.createItem in drive.can else forbidden("create items at the root of that drive")


def _fits_shape(seen: ItemFacts, place: Place, drive: DriveFacts) -> Rejection | None:
    if place.parent:
        if place.parent.item.drive_id != drive.drive.id:
            return Rejection(Code.PARENT_NOT_IN_DRIVE, "`parentId` is not in the drive that `driveId` names")
        if place.parent.item.kind is not ItemKind.folder:
            return Rejection(Code.NOT_A_FOLDER, "`parentId` must be a folder")
        if any(step.id == seen.item.id for step in place.parent.path):
            return Rejection(Code.MOVE_CYCLE, "an item cannot be moved into itself or below itself")
    organizations = {o for o in (seen.drive.organization_id, drive.drive.organization_id) if o}
    if len(organizations) > 1:
        return Rejection(Code.CROSS_ORGANIZATION_MOVE, "an item cannot be moved to another organization's drive")
    return None


def _fits_room(
    seen: ItemFacts, place: Place, drive: DriveFacts, below: Subtree | None, limits: TreeLimits
) -> Rejection | None:
    # INVARIANT: nothing leaves its drive unchecked; published items could otherwise move to where the mover may not publish.
    assert below or not needs_walk(seen, place, limits), "what lies below must be looked at"
    if place.depth + (below.height if below else _tallest(seen)) > limits.depth:
        return too_deep(limits)
    leaving = below if drive.drive.id != seen.drive.id else None
    if full := room(place, leaving.items if leaving else 0, limits):
        return full
    if leaving and leaving.published and Can.publish not in _arriving(place, drive):
        return Rejection(Code.UNPUBLISH_FIRST, "unpublish it first: you may not publish where it is going")
    return None


def _arriving(place: Place, drive: DriveFacts) -> frozenset[Can]:
    return authority(drive.role, place.parent.path if place.parent else ()).can


def _moved(seen: ItemFacts, place: Place, drive: DriveFacts, below: Subtree | None) -> tuple[ItemMoved, ...]:
    item, to = seen.item, drive.drive.id
    deepest = place.depth + (below.height if below else _tallest(seen))
    return (ItemMoved(item.id, item.drive_id, to, item.parent_id, place.parent_id, deepest),)
