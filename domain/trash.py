"""Trash: trashing, restoring and deleting items for ever."""

from dataclasses import dataclass

from domain.access import Can, authority, holds_throughout
from domain.errors import NOT_FOUND, Code, Rejection, forbidden
from domain.item import ItemFacts, Place, TreeLimits, allowed, room, too_deep
from domain.move import Subtree


@dataclass(frozen=True, slots=True)
class ItemTrashed:
    """An item was trashed; the items below it are hidden with it, and not rewritten."""

    item_id: str
    drive_id: str


@dataclass(frozen=True, slots=True)
class ItemRestored:
    """The item hangs at `parent_id` now; whatever of it was published, itself or below, is so no longer."""

    item_id: str
    drive_id: str
    parent_id: str | None


@dataclass(frozen=True, slots=True)
class ItemDeleted:
    item_id: str
    drive_id: str
    name: str


def trash(facts: ItemFacts | None) -> tuple[ItemTrashed, ...] | Rejection:
    seen = allowed(facts, Can.trash, "trash this item")
    return seen if isinstance(seen, Rejection) else (ItemTrashed(seen.item.id, seen.item.drive_id),)


def in_trash(facts: ItemFacts | None) -> ItemFacts | Rejection:
    """Return a trashed item to a caller who could see it if it were live; items below one are not in the trash themselves."""
    if facts is None or Can.read not in authority(facts.role, facts.path).can:
        return NOT_FOUND
    hidden = facts.item.trashed_at is None and any(step.trashed for step in facts.path)
    return NOT_FOUND if hidden else facts


def restore_target(facts: ItemFacts | None) -> ItemRestored | tuple[()] | Rejection:
    """Return the place to which an item is restored: where it was, else to the nearest live folder above, else to the root."""
    seen = in_trash(facts)
    if isinstance(seen, Rejection):
        return seen
    if Can.trash not in authority(seen.role, seen.path).can:
        return forbidden("restore this item")
    if seen.item.trashed_at is None:
        return ()
    highest = max((place for place, step in enumerate(seen.path) if step.trashed), default=0)
    home = seen.path[highest + 1 :]
    if not holds_throughout(seen.role, seen.path, home):
        return forbidden("restore this item: the folder that is shared with you is in the trash itself")
    return ItemRestored(seen.item.id, seen.item.drive_id, home[0].id if home else None)


def restore(
    back: ItemRestored, home: Place, below: Subtree, limits: TreeLimits
) -> tuple[ItemRestored, ...] | Rejection:
    """Bring an item back to `home`, its restore target, if there is room for it and all below it.

    What is in the trash takes no room, so meanwhile others may have filled the folder or the drive.
    """
    if home.depth + below.height > limits.depth:
        return too_deep(limits)
    return room(home, below.items, limits) or (back,)


def delete_forever(facts: ItemFacts | None) -> tuple[ItemDeleted, ...] | Rejection:
    seen = in_trash(facts)
    if isinstance(seen, Rejection):
        return seen
    if Can.deleteForever not in authority(seen.role, seen.path).can:
        return forbidden("delete this item for ever")
    if seen.item.trashed_at is None:
        return Rejection(Code.NOT_IN_TRASH, "trash the item first: only what is in the trash can be deleted for ever")
    return (ItemDeleted(seen.item.id, seen.item.drive_id, seen.item.name),)
