"""Duplicates: what an item, with all that lies below it, becomes in another place.

The copies are new items: without shares, publications, history or what is in the trash.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from domain.credit import Credit
from domain.document import DocumentCopied, DocumentLog, Image
from domain.errors import Code, Rejection, forbidden
from domain.history import EditedBy
from domain.item import Item, ItemCreated, ItemFacts, Place, TreeLimits, create, room, too_deep, visible
from domain.values import NAME_LENGTH, ItemName
from domain.version import VersionCut

MAX_ITEMS: Final = 1_000  # that are duplicated at once
MAX_BYTES: Final = 64 * 1024 * 1024  # that are stored of their documents


@dataclass(frozen=True, slots=True)
class LiveTree:
    """An item and all that lies below it and is not in the trash, parents before children, as of one moment.

    `logs` are those of the documents that say something, by their ids; `images` those of all. Both are empty where there are
    more than `MAX_ITEMS` items, or where their documents take more than `MAX_BYTES`: `size` tells.
    """

    items: tuple[Item, ...]
    size: int
    logs: Mapping[str, DocumentLog]
    images: tuple[Image, ...]


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a duplicate is to be made: a drive's root or a folder; `beside` says that nobody named it."""

    drive_id: str | None
    parent_id: str | None
    beside: bool


def destination(original: Item, drive_id: str | None, parent_id: str | None) -> Destination:
    """Return the place that was named: a folder, the root of a drive, or else where the original lies."""
    if drive_id is None and parent_id is None:
        return Destination(original.drive_id, original.parent_id, beside=True)
    return Destination(drive_id, parent_id, beside=False)


def name_of_copy(original: Item) -> ItemName:
    return ItemName(f"Copy of {original.name}"[:NAME_LENGTH].rstrip())


def too_much(tree: LiveTree) -> Rejection | None:
    if len(tree.items) > MAX_ITEMS:
        return Rejection(
            Code.LIMIT_EXCEEDED, f"at most {MAX_ITEMS} items are duplicated at once: duplicate parts of it"
        )
    if tree.size > MAX_BYTES:
        most = MAX_BYTES // 2**20
        return Rejection(
            Code.LIMIT_EXCEEDED, f"documents of at most {most} MiB are duplicated at once: duplicate parts of it"
        )
    return None


def duplicate(
    facts: ItemFacts | None,
    place: Place,
    where: Destination,
    items: Sequence[Item],
    ids: Mapping[str, str],
    name: ItemName,
    by: Credit,
    now: datetime,
    limits: TreeLimits,
) -> tuple[ItemCreated, ...] | Rejection:
    """Make copies of items (the original first, parents before children); `ids` are those of the copies, by those of the items."""
    seen = visible(facts)
    if isinstance(seen, Rejection):
        return seen
    original, *below = items
    first = _first(original, place, where, ids[original.id], name, by, now, limits)
    if isinstance(first, Rejection):
        return first
    if place.depth + _height(items) > limits.depth:
        return too_deep(limits)
    if full := room(place, len(items), limits):
        return full
    top = first.item
    copies = (
        replace(top, id=ids[each.id], parent_id=ids[each.parent_id or ""], kind=each.kind, name=each.name)
        for each in below
    )
    return (first, *map(ItemCreated, copies))


def first_version(copied: DocumentCopied, made: ItemCreated) -> tuple[DocumentCopied, VersionCut]:
    """Return a copy with the version that it begins with, since the log of a document is compacted up to the end of a version."""
    by, at = made.item.created_by, made.item.created_at
    author = EditedBy(by.user_id, by.agent, at)
    return copied, VersionCut(copied.item_id, copied.drive_id, 1, 1, at, len(copied.update), (author,))


def _first(
    original: Item,
    place: Place,
    where: Destination,
    item_id: str,
    name: ItemName,
    by: Credit,
    now: datetime,
    limits: TreeLimits,
) -> ItemCreated | Rejection:
    if where.drive_id and place.parent and place.parent.item.drive_id != where.drive_id:
        return Rejection(Code.PARENT_NOT_IN_DRIVE, "`parentId` is not in the drive that `driveId` names")
    made = create(place, item_id, name, original.kind, by, now, limits)
    if not isinstance(made, Rejection):
        return made[0]
    if where.beside and made.code in {Code.NOT_FOUND, Code.FORBIDDEN}:
        return forbidden("create items beside this item: name another place by `driveId` or `parentId`")
    return made


def _height(items: Sequence[Item]) -> int:
    """Return the number of levels of a tree whose parents come before their children."""
    levels: dict[str | None, int] = {}
    for place, item in enumerate(items):
        levels[item.id] = 1 if place == 0 else levels[item.parent_id] + 1
    return max(levels.values())
