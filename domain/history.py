"""Cuts the history of a document into versions.

A version ends after five minutes without edits, after thirty minutes of constant editing, and where the set of active
authors changes; an author is active until five minutes after their last edit. A version also ends before and after a
restore.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from domain.credit import AuthorId

IDLE = timedelta(minutes=5)
MAX_VERSION_AGE = timedelta(minutes=30)
SAMPLE_INTERVAL = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a document's log, without its content. Entries are ordered by their numbers, without gaps."""

    sequence: int
    user_id: str
    agent: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class EditedBy:
    """Somebody who edited a document, and when they did last."""

    user_id: str
    agent: str | None
    edited_at: datetime


@dataclass(frozen=True, slots=True)
class Cut:
    """A version that is to be kept: everything up to and with the edit `sequence`, last edited at `at`."""

    sequence: int
    at: datetime
    authors: tuple[EditedBy, ...]


@dataclass(frozen=True, slots=True)
class History:
    """The edits outside any version: `edits`, after the update `cut`, where the version `number` ended.

    They are downsampled to the first and the last of each author's edits in a `SAMPLE_INTERVAL`: a few hundred for each hour
    of typing. Pauses and new authors are seen exactly; a version that ends after thirty minutes, or since somebody left, may
    end ten seconds later. A version that began and ended within one such stretch may lack an author who also edited before
    and after it there.

    `sequence` is the document's last update; `recently_active` are those who were at work shortly before the first of `edits`.
    """

    drive_id: str
    sequence: int
    number: int
    cut: int
    edits: tuple[LogEntry, ...]
    recently_active: tuple[EditedBy, ...]


@dataclass(slots=True)
class _Run:
    """The edits since the last cut: when each of its authors edited last, and who was at work before it `began`.

    Until `settled` none of those at work can have left, so an edit of one of its authors ends nothing.
    """

    began: datetime
    last: LogEntry
    recently_active: dict[AuthorId, datetime]
    edited: dict[AuthorId, datetime]
    settled: datetime

    def cut(self, sequence: int) -> Cut:
        ranked = sorted(self.edited.items(), key=lambda each: (each[0][0], each[0][1] or ""))
        return Cut(sequence, self.last.at, tuple(EditedBy(*who, at) for who, at in ranked))

    def active_authors(self, at: datetime) -> set[AuthorId]:
        return {who for who, when in (self.recently_active | self.edited).items() if at - when < IDLE}

    def ends_before(self, edit: LogEntry) -> bool:
        who = (edit.user_id, edit.agent)
        if who in self.edited and edit.at < self.settled:
            return False
        active_authors = self.active_authors(edit.at)
        known = self.recently_active | self.edited
        self.settled = min([self.began + MAX_VERSION_AGE, *(known[each] + IDLE for each in active_authors)])
        return (
            edit.at - self.last.at >= IDLE
            or edit.at - self.began >= MAX_VERSION_AGE
            or active_authors | {who} != self.active_authors(self.last.at)
        )


def cuts(
    edits: Iterable[LogEntry], now: datetime, before: Iterable[tuple[AuthorId, datetime]] = (), *, end: bool = False
) -> tuple[Cut, ...]:
    """Return the versions that `edits`, which belong to none yet, are cut into; a run that may go on is left.

    They may be downsampled. `before` says who was at work before the first of them, and until when; `end`: whatever is
    there ends now.
    """
    made: list[Cut] = []
    active_authors = dict(before)
    run: _Run | None = None
    for edit in edits:
        if run and run.ends_before(edit):
            made.append(run.cut(edit.sequence - 1))
            active_authors |= run.recently_active | run.edited
            run = None
        if run is None:
            recently_active = {each: when for each, when in active_authors.items() if edit.at - when < IDLE}
            run = _Run(edit.at, edit, recently_active, {}, settled=edit.at)
        run.edited[edit.user_id, edit.agent] = edit.at
        run.last = edit
    if run and (end or now - run.last.at >= IDLE or now - run.began >= MAX_VERSION_AGE):
        made.append(run.cut(run.last.sequence))
    return tuple(made)


def due_cuts(history: History, now: datetime, *, end: bool = False) -> tuple[Cut, ...]:
    """Return the versions that end by now."""
    recently_active = [((each.user_id, each.agent), each.edited_at) for each in history.recently_active]
    return cuts(history.edits, now, recently_active, end=end)


def next_cut_at(history: History) -> datetime | None:
    """Return the time at which the present version ends if nobody edits any more; None if there is none."""
    if not history.edits:
        return None
    return min(history.edits[0].at + MAX_VERSION_AGE, history.edits[-1].at + IDLE)
