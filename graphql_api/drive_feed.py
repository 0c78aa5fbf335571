"""Wakes subscriptions after each commit that concerns them, and passes live edits to them."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Final

from domain.commit import AuditEntry, Commit, LiveEdits
from domain.credit import Credit

NOTICE_SECONDS: Final = 10.0  # between two notices of an author's live edits in one document
_BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LiveEdit:
    """Recent typing of an author in a document, up to `at`.

    `is_unseen`: some of it is in no read, since it went with what `deleted_by`, if that is known, deleted.
    """

    drive_id: str
    item_id: str
    by: Credit
    at: datetime
    is_unseen: bool = False
    deleted_by: Credit | None = None

    @property
    def typing(self) -> "Typing":
        return self.item_id, self.by, self.is_unseen, self.deleted_by


type Typing = tuple[str, Credit, bool, Credit | None]
"""In a document, by an author, and what went of it."""


@dataclass(eq=False, slots=True)
class _Follower:
    """One subscription: whether there are new entries, live edits without a notice, and the times of the last notices."""

    interval: float
    topics: set[str] = field(default_factory=set)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    has_entries: bool = True
    edits: dict[Typing, LiveEdit] = field(default_factory=dict)
    noticed: dict[Typing, float] = field(default_factory=dict)

    def add_entries(self) -> None:
        self.has_entries = True
        self.woken.set()

    def add(self, edit: LiveEdit) -> None:
        if edit.typing not in self.edits:
            self.woken.set()
        self.edits[edit.typing] = edit

    async def next(self) -> Sequence[LiveEdit]:
        """Wait for entries, or for a live edit of which a notice may be given; return such edits, oldest first."""
        loop = asyncio.get_running_loop()
        while not self.has_entries and (due := self._due()) > loop.time():
            self.woken.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(None if due == inf else due):
                    await self.woken.wait()
        now, self.has_entries = loop.time(), False
        self.noticed = {typing: at for typing, at in self.noticed.items() if at + self.interval > now}
        taken = [typing for typing in self.edits if typing not in self.noticed]
        self.noticed |= dict.fromkeys(taken, now)
        return sorted([self.edits.pop(typing) for typing in taken], key=lambda edit: edit.at)

    def _due(self) -> float:
        return min([self.noticed.get(typing, -inf) + self.interval for typing in self.edits], default=inf)


class DriveFeed:
    """A listener of commits. `interval` is in seconds, between two notices of an author's edits in one document.

    Subscriptions follow topics: ids of drives, and ids and addresses of users, for whatever names them.
    """

    def __init__(self, interval: float = NOTICE_SECONDS) -> None:
        self._interval = interval
        self._followers: defaultdict[str, set[_Follower]] = defaultdict(set)

    def committed(self, commit: Commit) -> None:
        if not self._followers:
            return
        for topic in {topic for entry in commit.entries for topic in _topics(entry)}:
            for follower in self._followers.get(topic, ()):
                follower.add_entries()
        if commit.live:
            self._edited(commit.live)

    def _edited(self, live: LiveEdits) -> None:
        for document_id, drive_id in live.drives.items():
            followers = self._followers.get(drive_id)
            if not followers:
                continue
            if any(author in live.audited for author, _ in live.rows[document_id]):
                for follower in followers:
                    follower.add_entries()  # the entry is read from the audit
            for edit in unaudited_edits(live, document_id):
                for follower in followers:
                    follower.add(edit)

    def notice(self, edit: LiveEdit) -> None:
        """Give notice of what was typed elsewhere, or of text that is in no read."""
        for follower in self._followers.get(edit.drive_id, ()):
            follower.add(edit)

    async def changes(self, *topics: str) -> AsyncGenerator[Sequence[LiveEdit], Collection[str] | None]:
        """Yield once now, then after commits about the topics, with the live edits that the audit has no entries of.

        Commits that come while the last ones are looked at are one. What is sent are the topics to follow from then on.
        """
        follower = _Follower(self._interval)
        self._follow(follower, topics)
        try:
            while True:
                wanted = yield await follower.next()
                if wanted is not None:
                    self._follow(follower, wanted)
        finally:
            self._follow(follower, ())

    def _follow(self, follower: _Follower, topics: Collection[str]) -> None:
        wanted = set(topics)
        for topic in follower.topics - wanted:
            self._followers[topic].discard(follower)
            if not self._followers[topic]:
                del self._followers[topic]
        for topic in wanted - follower.topics:
            self._followers[topic].add(follower)
            follower.add_entries()  # what came before nobody was woken for
        follower.topics = wanted


def unaudited_edits(live: LiveEdits, document_id: str) -> Iterator[LiveEdit]:
    """Yield the edits of a document that the audit has no entry of, one of each author."""
    for author in {author for author, _ in live.rows[document_id]}:
        if author not in live.audited:
            at = _BEGINNING + timedelta(milliseconds=live.at)
            yield LiveEdit(live.drives[document_id], document_id, author.by, at)


def _topics(entry: AuditEntry) -> Iterator[str]:
    if entry.drive_id:
        yield entry.drive_id
    yield entry.by.user_id
    yield from (value for value in entry.details.values() if isinstance(value, str))
