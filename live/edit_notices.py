"""Tells other nodes who edited documents over the API, so that it is shown to those who have one open there.

Where in the document it was is in the log, which the other node reads.
"""

import asyncio
from collections.abc import Callable, Container, Sequence
from typing import Final, Protocol

import msgspec
import structlog

from domain.commit import Commit
from domain.credit import AuthorId, Credit
from live.node import NodeAmongOthers

MAX_WAITING: Final = 1_000  # notices; of more, those are given up that waited longest
_AROUND: Final = 2  # bytes around all notices of a message
_log: Final = structlog.get_logger("live")


class FollowingRooms(Protocol):
    @property
    def open(self) -> Container[str]:
        """The ids of the documents that are open."""
        ...

    async def follow(self, document_id: str, by: Sequence[Credit] = ()) -> None:
        """Bring a document up to its log, and show that these edited it."""
        ...


class _Notice(msgspec.Struct, array_like=True, frozen=True):
    document_id: str
    by: Credit


def _nothing() -> None: ...


class EditNotices:
    """Those of one process, the `node`. `on_news` is called when there is something to tell."""

    def __init__(self, node: NodeAmongOthers, rooms: FollowingRooms) -> None:
        self.on_news: Callable[[], None] = _nothing
        self._node = node
        self._rooms = rooms
        self._waiting: dict[tuple[str, AuthorId], _Notice] = {}
        self._following: set[asyncio.Task[None]] = set()

    def committed(self, commit: Commit) -> None:
        """Tell of the edits of a commit of this process."""
        if not (commit.is_local and self._node.has_others):
            return
        for document_id, authors in commit.editors.items():
            for by in authors:
                self._waiting[document_id, (by.user_id, by.agent)] = _Notice(document_id, by)
        while len(self._waiting) > MAX_WAITING:
            del self._waiting[next(iter(self._waiting))]
        if self._waiting:
            self.on_news()

    @property
    def has_news(self) -> bool:
        return bool(self._waiting)

    def take(self, size: int) -> str:
        """Return what is to be told next, in up to so many bytes; what has no room alone is not told."""
        size -= _AROUND
        left, taken = size, list[msgspec.Raw]()
        for about, notice in [*self._waiting.items()]:
            written = msgspec.json.encode(notice)
            needed = len(written) + 1
            if left < needed <= size:
                break
            del self._waiting[about]
            if needed <= size:
                left -= needed
                taken.append(msgspec.Raw(written))
        return msgspec.json.encode(taken).decode()

    def heard(self, message: str) -> None:
        notices: Sequence[_Notice] = msgspec.json.decode(message, type=list[_Notice])
        # Who is late must not tell: others may have gone on without waiting for what is to be closed here.
        for notice in notices if self._node.is_held else ():
            if notice.document_id in self._rooms.open:
                task = asyncio.get_running_loop().create_task(self._follow(notice))
                self._following.add(task)
                task.add_done_callback(self._following.discard)

    async def _follow(self, notice: _Notice) -> None:
        try:
            await self._rooms.follow(notice.document_id, [notice.by])
        except Exception as error:  # noqa: BLE001 - the edit itself is heard of by its document's ring
            _log.warning("an edit at another node was not shown", document_id=notice.document_id, error=str(error))

    def begin_again(self) -> None:
        """Go on: an edit that was not told of is not shown."""
