"""Tells other nodes of live edits that no audit has an entry of, for the subscriptions there."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

import msgspec

from domain.commit import Commit
from domain.credit import Credit
from graphql_api.drive_feed import NOTICE_SECONDS, DriveFeed, LiveEdit, Typing, unaudited_edits

MAX_WAITING: Final = 1_000  # notices; of more, those are given up that waited longest
_AROUND: Final = 2  # bytes around all notices of a message


class _Notice(msgspec.Struct, array_like=True, frozen=True):
    drive_id: str
    item_id: str
    by: Credit
    at: datetime
    is_unseen: bool
    deleted_by: Credit | None


def _nothing() -> None: ...


class LiveNotices:
    """Those of one process, whose subscriptions follow `feed`. `on_news` is called when there is something to tell.

    Of an author's edits in one document there is one in `interval` seconds.
    """

    def __init__(self, feed: DriveFeed, has_others: Callable[[], bool], interval: float = NOTICE_SECONDS) -> None:
        self.on_news: Callable[[], None] = _nothing
        self._feed = feed
        self._has_others = has_others
        self._interval = interval
        self._waiting: dict[Typing, LiveEdit] = {}
        self._told: dict[Typing, float] = {}  # when, by the loop's clock

    def committed(self, commit: Commit) -> None:
        """Tell of the live edits of a commit of this process."""
        if commit.live and self._has_others():
            for document_id in commit.live.drives:
                for edit in unaudited_edits(commit.live, document_id):
                    self.tell(edit)

    def tell(self, edit: LiveEdit) -> None:
        now = asyncio.get_running_loop().time()
        if not self._has_others() or self._told.get(edit.typing, now - self._interval) > now - self._interval:
            return
        self._told = {typing: at for typing, at in self._told.items() if at > now - self._interval}
        self._told[edit.typing] = now
        self._waiting[edit.typing] = edit
        if len(self._waiting) > MAX_WAITING:
            del self._waiting[next(iter(self._waiting))]
        self.on_news()

    @property
    def has_news(self) -> bool:
        return bool(self._waiting)

    def take(self, size: int) -> str:
        """Return what is to be told next, in up to so many bytes; what has no room alone is not told."""
        size -= _AROUND
        left, taken = size, list[msgspec.Raw]()
        for typing, edit in [*self._waiting.items()]:
            written = msgspec.json.encode(
                _Notice(edit.drive_id, edit.item_id, edit.by, edit.at, edit.is_unseen, edit.deleted_by)
            )
            needed = len(written) + 1
            if left < needed <= size:
                break
            del self._waiting[typing]
            if needed <= size:
                left -= needed
                taken.append(msgspec.Raw(written))
        return msgspec.json.encode(taken).decode()

    def heard(self, message: str) -> None:
        notices: Sequence[_Notice] = msgspec.json.decode(message, type=list[_Notice])
        for each in notices:
            self._feed.notice(LiveEdit(each.drive_id, each.item_id, each.by, each.at, each.is_unseen, each.deleted_by))

    def begin_again(self) -> None:
        """Go on: a notice that was lost is followed by another."""
