"""Versions of documents: recording, naming and restoring them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.access import Can
from domain.credit import Author, Credit
from domain.document import WRITTEN_MEANWHILE, Computed, DocumentEdited
from domain.errors import NOT_FOUND, Rejection
from domain.history import Cut, EditedBy, History
from domain.item import ItemFacts, allowed, document
from domain.values import ItemName


@dataclass(frozen=True, slots=True)
class Version:
    """A kept version: everything up to the update `sequence`; `authors` are those who edited since the one before.

    `byte_size` is that of the document's encoded Yjs state.
    """

    number: int
    name: str | None
    created_at: datetime
    authors: tuple[Author, ...]
    byte_size: int
    restored_from: int | None
    sequence: int


@dataclass(frozen=True, slots=True)
class VersionCut:
    item_id: str
    drive_id: str
    number: int
    sequence: int
    created_at: datetime
    byte_size: int
    authors: tuple[EditedBy, ...]


@dataclass(frozen=True, slots=True)
class VersionNamed:
    item_id: str
    drive_id: str
    number: int
    name: ItemName | None


@dataclass(frozen=True, slots=True)
class VersionRestored:
    """The version `number` holds what the version `restored_from` held."""

    item_id: str
    drive_id: str
    number: int
    sequence: int
    created_at: datetime
    byte_size: int
    authors: tuple[EditedBy, ...]
    restored_from: int


def cut(item_id: str, history: History, ended: Sequence[Cut], sizes: Sequence[int]) -> tuple[VersionCut, ...]:
    """Number what has ended; `sizes` is how large the document was at each."""
    return tuple(
        VersionCut(item_id, history.drive_id, number, each.sequence, each.at, size, each.authors)
        for number, (each, size) in enumerate(zip(ended, sizes, strict=True), start=history.number + 1)
    )


def readable(facts: ItemFacts | None) -> ItemFacts | Rejection:
    seen = allowed(facts, Can.versions, "see the versions of this document")
    return document(seen) if isinstance(seen, ItemFacts) else seen


def name_version(
    facts: ItemFacts | None, version: Version | None, name: ItemName | None
) -> tuple[VersionNamed, ...] | Rejection:
    """Give a version a name, or (None) take it away."""
    seen = readable(facts)
    if isinstance(seen, Rejection):
        return seen
    if version is None:
        return NOT_FOUND
    return () if version.name == name else (VersionNamed(seen.item.id, seen.item.drive_id, version.number, name),)


def restorable(facts: ItemFacts | None, version: Version | None) -> Version | Rejection:
    seen = allowed(facts, Can.edit, "restore versions of this document")
    seen = readable(seen) if isinstance(seen, ItemFacts) else seen
    return seen if isinstance(seen, Rejection) else version or NOT_FOUND


def restore(
    item_id: str,
    version: Version,
    history: History,
    ended: Sequence[Cut],
    made: Computed,
    grown: int,
    by: Credit,
    now: datetime,
) -> tuple[VersionCut | DocumentEdited | VersionRestored, ...] | Rejection:
    """Go forward to what a version held: what was there ends a version, and so does what is there then.

    `grown` is how many bytes others added since that was computed: at most so much too large are the sizes of versions
    in which they did. It is to be computed again where a version ended since: with it somebody may have restored the same.
    """
    if not made.update:
        return ()
    if history.cut > made.sequence:
        return WRITTEN_MEANWHILE
    before = _before(item_id, history, ended, made, grown)
    number, sequence = history.number + len(before) + 1, history.sequence + 1
    author = EditedBy(by.user_id, by.agent, now)
    return (
        *before,
        DocumentEdited(item_id, history.drive_id, made.update, made.copied),
        VersionRestored(item_id, history.drive_id, number, sequence, now, made.size + grown, (author,), version.number),
    )


def undo(
    item_id: str, history: History, ended: Sequence[Cut], made: Computed, grown: int, by: Credit, now: datetime
) -> tuple[VersionCut | DocumentEdited, ...] | Rejection:
    """Take changes back by one edit, with a version before and one after it; `grown`, and what is refused, as for `restore`."""
    if not made.update:
        return ()
    if history.cut > made.sequence:
        return WRITTEN_MEANWHILE
    before = _before(item_id, history, ended, made, grown)
    number, sequence, drive_id = history.number + len(before) + 1, history.sequence + 1, history.drive_id
    author = EditedBy(by.user_id, by.agent, now)
    return (
        *before,
        DocumentEdited(item_id, drive_id, made.update, made.copied),
        VersionCut(item_id, drive_id, number, sequence, now, made.size + grown, (author,)),
    )


def _before(item_id: str, history: History, ended: Sequence[Cut], made: Computed, grown: int) -> tuple[VersionCut, ...]:
    return cut(item_id, history, ended, [made.sizes.get(each.sequence, made.before + grown) for each in ended])
