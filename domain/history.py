"""Where the history of a document is cut into versions.

A version ends after five minutes without edits, after thirty minutes of constant editing, and where the set of those
at work changes: somebody is at work until five minutes after their last edit. Before and after a restore one ends, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

IDLE = timedelta(minutes=5)
LONGEST = timedelta(minutes=30)
STRETCH = timedelta(seconds=10)

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)

type Who = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Edit:
    """One line of a document's log, without what was written. They come in the order of their numbers, without gaps."""

    sequence: int
    user_id: str
    agent: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Wrote:
    """Somebody who edited a document, and when they did last."""

    user_id: str
    agent: str | None
    edited_at: datetime


@dataclass(frozen=True, slots=True)
class Cut:
    """A version that is to be kept: everything up to and with the edit `sequence`, last edited at `at`."""

    sequence: int
    at: datetime
    authors: tuple[Wrote, ...]


@dataclass(frozen=True, slots=True)
class History:
    """What belongs to no version yet: `edits`, `thinned`, go on from the update `cut`, where the version `number` ended.

    `sequence` is the document's last update; `lately` are those who were at work shortly before the first of `edits`.
    """

    drive_id: str
    sequence: int
    number: int
    cut: int
    edits: tuple[Edit, ...]
    lately: tuple[Wrote, ...]


@dataclass(slots=True)
class _Run:
    """The edits since the last cut: when each of its authors edited last, and who was at work before it `began`.

    Until `settled` none of those at work can have left, so an edit of one of its authors ends nothing.
    """

    began: datetime
    last: Edit
    lately: dict[Who, datetime]
    wrote: dict[Who, datetime]
    settled: datetime

    def cut(self, sequence: int) -> Cut:
        ranked = sorted(self.wrote.items(), key=lambda each: (each[0][0], each[0][1] or ""))
        return Cut(sequence, self.last.at, tuple(Wrote(*who, at) for who, at in ranked))

    def at_work(self, at: datetime) -> set[Who]:
        return {who for who, when in (self.lately | self.wrote).items() if at - when < IDLE}

    def ends_before(self, edit: Edit) -> bool:
        who = (edit.user_id, edit.agent)
        if who in self.wrote and edit.at < self.settled:
            return False
        at_work = self.at_work(edit.at)
        known = self.lately | self.wrote
        self.settled = min([self.began + LONGEST, *(known[each] + IDLE for each in at_work)])
        return (
            edit.at - self.last.at >= IDLE
            or edit.at - self.began >= LONGEST
            or at_work | {who} != self.at_work(self.last.at)
        )


def thinned(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Leave of each author's edits the first and the last in ten seconds: a few hundred for each hour of typing.

    Pauses and whoever joins are seen exactly; a version that ends after thirty minutes, or since somebody left, may end
    ten seconds later. A version that began and ended within one such stretch may lack an author who also wrote before
    and after it there.
    """
    kept: dict[tuple[str, str | None, int], tuple[Edit, Edit]] = {}
    for edit in edits:
        stretch = edit.user_id, edit.agent, (edit.at - _BEGINNING) // STRETCH
        kept[stretch] = kept.get(stretch, (edit, edit))[0], edit
    return tuple(sorted({edit for both in kept.values() for edit in both}, key=lambda edit: edit.sequence))


def cuts(
    edits: Iterable[Edit], now: datetime, before: Iterable[tuple[Who, datetime]] = (), *, end: bool = False
) -> tuple[Cut, ...]:
    """Return the versions that `edits`, which belong to none yet, are cut into; a run that may go on is left.

    They may be `thinned`. `before` says who was at work before the first of them, and until when; `end`: whatever is
    there ends now.
    """
    made: list[Cut] = []
    at_work = dict(before)
    run: _Run | None = None
    for edit in edits:
        if run and run.ends_before(edit):
            made.append(run.cut(edit.sequence - 1))
            at_work |= run.lately | run.wrote
            run = None
        if run is None:
            lately = {each: when for each, when in at_work.items() if edit.at - when < IDLE}
            run = _Run(edit.at, edit, lately, {}, settled=edit.at)
        run.wrote[edit.user_id, edit.agent] = edit.at
        run.last = edit
    if run and (end or now - run.last.at >= IDLE or now - run.began >= LONGEST):
        made.append(run.cut(run.last.sequence))
    return tuple(made)


def due(history: History, now: datetime, *, end: bool = False) -> tuple[Cut, ...]:
    """Return the versions that end by now."""
    lately = [((each.user_id, each.agent), each.edited_at) for each in history.lately]
    return cuts(history.edits, now, lately, end=end)


def goes_on(history: History) -> datetime | None:
    """Return until when what is not `due` goes on if nobody edits any more; None where there is nothing."""
    if not history.edits:
        return None
    return min(history.edits[0].at + LONGEST, history.edits[-1].at + IDLE)
