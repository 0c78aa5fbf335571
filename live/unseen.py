"""Tells writers of their text that went with what somebody else deleted without having seen it, or has it follow what was moved.

What the library did with an update shows that something went which no update deletes (`LiveDocument.has_lost`). What it was, whose, and
who deleted what it lay in is read from the log by a job: nobody's typing waits for it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from enum import Enum, auto
from typing import Final

import msgspec
import structlog

from computing.jobs import FIND_UNSEEN
from computing.overtaken import added_since, may_write_under
from computing.runner import JobRunner
from documents.history.copied_text import decode_copied
from documents.history.unseen import UnseenText
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import DeletedRun
from documents.yjs.structs import begin_together, may_lie_in_deleted, overlap, read_deletions, read_update
from domain.credit import Author, AuthorId, Credit
from domain.document import Computed, DocumentState, edit
from domain.errors import Rejection
from domain.events import Event
from domain.questions import AccountOf, ItemFor, LogOf
from live import codec
from live.room import Room
from live.store_reader import StoreReader

GATHER_SECONDS: Final = 0.1  # of typing that is told together
MAX_SHARE: Final = 0.2  # of the time that goes into looking at one document
MAX_FOLLOWS: Final = 20  # edits of the server after one another in one document
MAX_TOLD: Final = 10_000  # characters of a text
_encode: Final = msgspec.json.Encoder().encode
_log: Final = structlog.get_logger("live")


@dataclass(frozen=True, slots=True)
class UnseenNotice:
    """Text of `by` that is gone since a revision of a document; `deleted_by` deleted what it was written in, if that is known."""

    drive_id: str
    document_id: str
    by: Credit
    text: str
    deleted_by: Author | None
    revision: int


type OnUnseen = Callable[[UnseenNotice], None]


class FollowOutcome(Enum):
    """What became of letters that follow what was moved: OVERTAKEN where they may be in the log by now, to be computed again."""

    RECORDED = auto()
    OVERTAKEN = auto()
    REFUSED = auto()


type RecordFollowed = Callable[[str, Computed, Credit], Awaitable[FollowOutcome]]


async def record_followed(
    reader: StoreReader, document_id: str, made: Computed, by: Credit
) -> Sequence[Event] | FollowOutcome:
    """Return the edit that brings letters to what they follow, as a transaction is to record it.

    INVARIANT: letters follow once, and to where they are seen. What was recorded since tells what it copied and deleted, and of a log
    that was compacted since nobody can say.
    """
    stored = await reader.read(LogOf(document_id, after=made.sequence))
    if stored is None:
        return FollowOutcome.REFUSED
    since = DocumentState(stored.snapshot, tuple(each.update for each in stored.log), stored.sequence)
    copied = [run for each in stored.log for run in decode_copied(each.copied) or ()]
    own = [DeletedRun(*run.of, run.length) for run in decode_copied(made.copied) or ()]
    if may_write_under(since, made.clients) or overlap((DeletedRun(*run.of, run.length) for run in copied), own):
        return FollowOutcome.OVERTAKEN
    updates = [read_update(each) for each in since.updates]
    gone = [run for each in updates for run in each.deleted]
    near = (DeletedRun(*each, 1) for each in made.near)
    if (
        begin_together(updates, read_update(made.update))
        or overlap([*own, *near], gone)
        or (gone and may_lie_in_deleted(made.update, [*read_deletions(Decoder(made.deleted)), *gone]))
    ):
        return FollowOutcome.OVERTAKEN
    if isinstance(added_since(since, made), Rejection):
        return FollowOutcome.REFUSED
    edited = edit(await reader.read(ItemFor(by.user_id, document_id)), made.update, made.copied)
    return FollowOutcome.REFUSED if isinstance(edited, Rejection) else edited


class UnseenTexts:
    """Looks for unseen text in the documents of which rooms say that they lost some; `listeners` are called with what is found."""

    def __init__(self, reader: StoreReader, runner: JobRunner) -> None:
        self.listeners: list[OnUnseen] = []
        self.record: RecordFollowed | None = None  # of what follows text that was moved
        self._reader = reader
        self._runner = runner
        self._looking: dict[Room, asyncio.Task[None]] = {}
        self._again: set[Room] = set()

    def look(self, room: Room) -> None:
        """Tell soon what a room has lost since it was looked at last."""
        if room in self._looking:
            self._again.add(room)
            return
        self._looking[room] = asyncio.create_task(self._look(room))

    @property
    def is_looking(self) -> bool:
        return bool(self._looking)

    async def idle(self) -> None:
        """Return when nothing is looked for any more."""
        while self._looking:
            await asyncio.wait(self._looking.values())

    def end(self) -> None:
        """Look for nothing any more."""
        for task in self._looking.values():
            task.cancel()

    async def _look(self, room: Room) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                self._again.discard(room)
                await asyncio.sleep(GATHER_SECONDS)
                began = loop.time()
                await self._tell(room)
                await asyncio.sleep((loop.time() - began) / MAX_SHARE)
                if room not in self._again or room.failed:
                    return
        except Exception as error:  # noqa: BLE001 - whatever it was, the changes of the document list the text
            _log.warning("unseen text could not be told", document_id=room.document_id, error=str(error))
        finally:
            self._again.discard(room)
            del self._looking[room]

    async def _tell(self, room: Room) -> None:
        document_id, since = room.document_id, room.looked_at
        refused: set[AuthorId] = set()
        for _ in range(MAX_FOLLOWS):
            stored = await self._reader.read(LogOf(document_id))
            if stored is None:
                return
            but = [*refused] if self.record else None
            found = await self._runner.run(FIND_UNSEEN, "", document_id, stored, since, but)
            if found.followed_by is None or found.update is None or self.record is None:
                break
            user_id, agent = found.followed_by
            by = Credit(user_id, await self._name(user_id), agent)
            if await self.record(document_id, found.update, by) is FollowOutcome.REFUSED:
                refused.add(found.followed_by)
        room.looked_at = found.sequence
        for each in await self._with_names(document_id, found.texts):
            room.tell((each.by.user_id, each.by.agent), codec.stateless(_message(each)))
            for listener in self.listeners:
                listener(each)

    async def _with_names(self, document_id: str, found: Iterable[UnseenText]) -> list[UnseenNotice]:
        """Return the texts whose writers still see the document, with the names of those whom they name."""
        made: list[UnseenNotice] = []
        for each in found:
            facts = await self._reader.read(ItemFor(each.user_id, document_id)) if each.user_id else None
            if facts is None:
                continue
            name = await self._name(each.deleted_by)
            deleter = Author(each.deleted_by, name, each.deleting_agent, each.deleted_at) if each.deleted_by else None
            by = Credit(each.user_id, await self._name(each.user_id), each.agent)
            made.append(UnseenNotice(facts.item.drive_id, document_id, by, each.text, deleter, each.revision))
        return made

    async def _name(self, user_id: str) -> str:
        account = await self._reader.read(AccountOf(user_id)) if user_id else None
        return account.name if account else ""


def _message(notice: UnseenNotice) -> str:
    deleter = notice.deleted_by
    who = deleter and {
        "userId": deleter.user_id,
        "name": deleter.name,
        "agent": deleter.agent,
        "editedAt": deleter.edited_at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    told = {"type": "unseen", "text": notice.text[:MAX_TOLD], "deletedBy": who, "revision": notice.revision}
    return _encode(told).decode()
