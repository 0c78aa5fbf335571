"""Where the history of a document is cut into versions, and how one of them is named.

A version ends after five minutes without edits, after thirty minutes of constant editing, and where the set of those
at work changes: somebody is at work until five minutes after their last edit.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from domain.access import Can
from domain.credit import Author
from domain.errors import NOT_FOUND, Rejection
from domain.item import ItemFacts, allowed, document
from domain.values import ItemName

IDLE = timedelta(minutes=5)
LONGEST = timedelta(minutes=30)

type Who = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Edit:
    """One line of a document's log, without what was written; they come in the order of their numbers."""

    sequence: int
    user_id: str
    agent: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Cut:
    """A version that is to be kept: everything up to and with the edit `sequence`, last edited at `at`."""

    sequence: int
    at: datetime
    authors: tuple[Who, ...]


@dataclass(frozen=True, slots=True)
class Version:
    """A kept version; `authors` are those who edited since the one before."""

    number: int
    name: str | None
    created_at: datetime
    authors: tuple[Author, ...]
    byte_size: int
    restored_from: int | None
    sequence: int


@dataclass(frozen=True, slots=True)
class VersionNamed:
    item_id: str
    drive_id: str
    number: int
    name: ItemName | None


@dataclass(slots=True)
class _Run:
    """The edits since the last cut, and when each of those at work edited last."""

    began: datetime
    last: Edit
    seen: dict[Who, datetime]

    def cut(self) -> Cut:
        return Cut(self.last.sequence, self.last.at, tuple(sorted(self.seen, key=lambda who: (who[0], who[1] or ""))))

    def at_work(self, at: datetime) -> set[Who]:
        return {who for who, when in self.seen.items() if at - when < IDLE}

    def ends_before(self, edit: Edit) -> bool:
        who = (edit.user_id, edit.agent)
        return (
            edit.at - self.last.at >= IDLE
            or edit.at - self.began >= LONGEST
            or self.at_work(edit.at) | {who} != self.at_work(self.last.at)
        )


def cuts(edits: Iterable[Edit], now: datetime, before: Iterable[tuple[Who, datetime]] = ()) -> tuple[Cut, ...]:
    """Return the versions that `edits`, which belong to none yet, are cut into; a run that may go on is left.

    `before` says who was at work before the first of them, and until when.
    """
    made: list[Cut] = []
    at_work = dict(before)
    run: _Run | None = None
    for edit in edits:
        who = (edit.user_id, edit.agent)
        if run and run.ends_before(edit):
            made.append(run.cut())
            at_work |= run.seen
            run = None
        if run is None:
            lately = {each: when for each, when in at_work.items() if edit.at - when < IDLE}
            run = _Run(edit.at, edit, lately)
        run.seen[who] = edit.at
        run.last = edit
    if run and (now - run.last.at >= IDLE or now - run.began >= LONGEST):
        made.append(run.cut())
    return tuple(made)


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
