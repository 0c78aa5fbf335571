"""The open documents of this process: loads them, closes them, and brings them up to their logs."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import structlog

from computing.jobs import (
    CHECK_ENCODING,
    COMPARE_UPDATE,
    KNOWS_DELETIONS,
    READ_PAIRS,
    SCAN_UPDATE,
    TRY_READING,
    TRY_UPDATE,
)
from computing.loaded_document import load_log, size_of
from computing.runner import Crashed, JobRunner, TooCostly
from documents.yjs.scan import Refused, Scanned, UpdateLimits
from domain.credit import Credit
from domain.document import DocumentLog, ShownClientId
from domain.questions import LogOf
from domain.storage import StorageQuotas, Unlimited
from live.document_connection import DocumentConnection
from live.document_reader import LoggedSlices, slices_of
from live.group_commit import AppendBatch, GroupCommit
from live.node import ALONE, NodeAmongOthers
from live.protocol import CloseCode
from live.room import Checked, Room, ToCheck, UncheckedDeletions, UnreadPairs
from live.shared_awareness import SharedAwareness
from live.shown_client_ids import RecordShown, ShownClientIds, unrecorded
from live.store_reader import ReadTail, StoreReader, reads_of_logs
from live.tick import Tick
from live.unseen import UnseenTexts

SETTLE_SECONDS: Final = 1.0  # for what closed connections wrote to be stored, after which their rooms are closed
AGAIN_SECONDS: Final = 0.01  # after which a refused append is tried again, where the log has nothing new
LOOKED_AT: Final = 64  # updates: after a crash nobody may have looked for what went with the last ones
_EMPTY: Final = DocumentLog(None, None, (), 0)
_log: Final = structlog.get_logger("live")


class Rooms:
    """The rooms of one process, the `node`. `append` commits edits, `clock` is in milliseconds since 1970."""

    def __init__(
        self,
        reader: StoreReader,
        append: AppendBatch,
        clock: Callable[[], int],
        record_shown: RecordShown = unrecorded,
        *,
        runner: JobRunner,
        quotas: StorageQuotas | None = None,
        node: NodeAmongOthers = ALONE,
        read_tail: ReadTail | None = None,
    ) -> None:
        self._read_tail = read_tail or reads_of_logs(reader)
        self._runner = runner
        self._node = node
        self._quotas = quotas or Unlimited()
        self.tick = Tick()
        self.commits = GroupCommit(append, clock, self.tick)
        self._reader = reader
        self._shown = ShownClientIds(record_shown)
        self.unseen = UnseenTexts(reader, self._runner)
        self.open: dict[str, Room] = {}  # by the ids of their documents
        self.awareness = SharedAwareness(node, self.open)
        self._distrusted: set[str] = set()  # users whose updates damaged a document
        self._loading: dict[Room, asyncio.Task[None]] = {}
        self._catching_up: set[asyncio.Task[None]] = set()

    async def enter(self, document_id: str, connection: DocumentConnection) -> Room:
        """Join a document, which is loaded where nobody has it open; raises where that fails.

        What a client heard at another node is in the room before it is asked what it has, and credited to who wrote it.
        """
        while True:
            known = self.open.get(document_id)
            room = known or self._open(document_id)
            room.entering += 1
            try:
                if loading := self._loading.get(room):
                    await asyncio.shield(loading)
                if known and self._node.has_others:
                    await self.bring_up(document_id)
                if self.open.get(document_id) is room:
                    room.join(connection)
                    return room
            finally:
                room.entering -= 1
                self._close_unused(room)

    def leave(self, room: Room, connection: DocumentConnection) -> None:
        room.leave(connection)
        self._close_unused(room)

    async def catch_up(self, document_id: str) -> None:
        """Apply to a document, where it is open, what others committed, and broadcast it.

        The caller holds its group commit back meanwhile, so that edits in flight are not taken for somebody else's.
        """
        while (room := self.open.get(document_id)) and (loading := self._loading.get(room)):
            with suppress(Exception):  # the one who opens the document handles it
                await asyncio.shield(loading)
        if room:
            await self._catch_up(room)

    async def follow(self, document_id: str, by: Sequence[Credit] = ()) -> None:
        """Apply to a document, where it is open, what others committed, broadcast it, and show that these edited it."""
        if document_id in self.open:
            await self.bring_up(document_id)
        if room := self.open.get(document_id):
            room.show_edits(by)

    async def bring_up(self, document_id: str) -> None:
        """Apply to a document, where it is open, what others committed, and broadcast it."""
        await self.hold(document_id)
        try:
            await self.catch_up(document_id)
        finally:
            self.release(document_id)

    @property
    def numbers(self) -> dict[str, int]:
        """The number of the last update of each document that is here."""
        return {document_id: room.sequence for document_id, room in self.open.items()}

    async def hold(self, document_id: str) -> None:
        """Append nothing of the document until `release`; what is being appended has ended when this returns.

        Where this is cancelled there is nothing to release.
        """
        await self.commits.hold(document_id)

    def release(self, document_id: str) -> None:
        self.commits.release(document_id)

    async def scan(self, connection: DocumentConnection, update: bytes, limits: UpdateLimits) -> Scanned | Refused:
        """Scan a large update; one of a user at a time."""
        return await self._runner.run(SCAN_UPDATE, connection.credit, "", update, limits)

    async def check(
        self, room: Room, connection: DocumentConnection, update: bytes, unchecked: ToCheck
    ) -> Checked | None:
        """Check an update, one of a user at a time; None where it is refused, or is a reader's.

        What says something else than the document's encoding is refused unless that says something else than the document.
        Raises Unavailable where too many are checked, BudgetSpent where the sender has had too much checked.
        """
        by = connection.credit
        if isinstance(unchecked, UncheckedDeletions):
            deleted = unchecked.deletions.encoded
            known = await self._runner.run(KNOWS_DELETIONS, by, "", deleted, update, unchecked.at)
            room.acknowledge(connection, applied=known)
            return None
        if isinstance(unchecked, UnreadPairs):
            brought = await self._runner.run(READ_PAIRS, by, "", update)
            return replace(unchecked.checked, brought=brought)
        checked, has = unchecked.checked, unchecked.has
        if has is None:
            if not await self._is_sound(room, update, by):
                connection.transport.close(CloseCode.REFUSED)
                return None
            return replace(checked, tried=True)
        differs = await self._runner.run(COMPARE_UPDATE, by, "", update, has)
        if differs and await self._encodes(room, by):
            connection.transport.close(CloseCode.FORBIDDEN)
            return None
        return replace(checked, compared={**checked.compared, **has.stops})

    async def _is_sound(self, room: Room, update: bytes, by: Credit) -> bool:
        """Whether an update is neither too costly for the room's document nor damages it."""
        try:
            return await self._runner.run(TRY_UPDATE, by, room.document_id, room.encode(), update) is None
        except (TooCostly, Crashed):
            return False

    async def _encodes(self, room: Room, by: Credit) -> bool:
        """Whether the encoding of the room's document says what the document does."""
        uncommitted = room.uncommitted
        stored = await self._reader.read(LogOf(room.document_id)) or _EMPTY
        return await self._runner.run(CHECK_ENCODING, by, room.document_id, stored, uncommitted)

    def forget(self, document_id: str) -> None:
        """Close the document's room: what is open may not be what is stored."""
        if room := self.open.get(document_id):
            room.fail()

    def reset(self) -> None:
        """Close all rooms."""
        for room in list(self.open.values()):
            room.fail()

    async def settled(self) -> None:
        """Return when the edits of connections that were closed are stored, or never will be."""
        waiting = {room: count for room in self.open.values() if (count := room.left_behind())}
        try:
            async with asyncio.timeout(SETTLE_SECONDS):
                while waiting := {
                    room: count for room, count in waiting.items() if not (room.failed or room.has_committed(count))
                }:
                    await self.commits.next_completion()
        except TimeoutError:
            _log.warning("edits were not stored in time: their documents are closed", documents=len(waiting))
            for room in waiting:
                room.fail()
        if self.commits.is_in_flight:  # there may be edits of a closed room in it
            await self.commits.next_completion()

    async def drained(self) -> None:
        """Return when all edits are durable."""
        await self.commits.committed()
        while self._catching_up:
            await asyncio.wait(self._catching_up)
            await self.commits.committed()

    def _open(self, document_id: str) -> Room:
        room = Room(
            document_id,
            self.commits,
            self._forget,
            self._begin_catching_up,
            self._record_shown,
            self.unseen.look,
            self._distrusted,
            self._quotas,
            self.awareness.changed,
        )
        self.open[document_id] = room
        self.awareness.opened(document_id)
        self._loading[room] = asyncio.create_task(self._load(room))
        return room

    def _record_shown(self, room: Room, shown: ShownClientId) -> None:
        self._shown.add(shown, lambda: room.show_recorded(shown.client))

    def shown_client_ids(self) -> Iterator[ShownClientId]:
        """Yield the client ids that editors showed in the open documents, and under which nobody has written."""
        for room in self.open.values():
            yield from room.shown

    async def _load(self, room: Room) -> None:
        try:
            stored = await self._reader.read(LogOf(room.document_id)) or _EMPTY
            if self._runner.is_suspect(room.document_id):
                await self._runner.run(TRY_READING, "", room.document_id, stored)
            room.load(
                await self._runner.run_here(room.document_id, size_of(stored), lambda: load_log(stored, last=LOOKED_AT))
            )
        except BaseException:
            room.failed = True
            self._forget(room)
            raise
        finally:
            del self._loading[room]
            self._close_unused(room)

    def _begin_catching_up(self, room: Room) -> None:
        self.commits.hold_back(room.document_id)
        task = asyncio.create_task(self._append_again(room))
        self._catching_up.add(task)
        task.add_done_callback(self._catching_up.discard)

    async def _append_again(self, room: Room) -> None:
        known = room.sequence
        try:
            await self._catch_up(room)
            if room.sequence == known and not room.failed:  # somebody is about to write, and holds the document's lock
                await asyncio.sleep(AGAIN_SECONDS)
        finally:
            self.commits.add(room)
            self.commits.release(room.document_id)

    async def _catch_up(self, room: Room) -> None:
        try:
            async with room.catching_up:
                since = await self._read_tail(room.document_id, room.sequence)
                slices = await self._slices(room, since) if since else ()
                await room.apply_committed(since if await self._node.confirm() else None, slices)
        except Exception as error:  # noqa: BLE001 - whatever it was, the room is not known to be up to the log
            _log.warning(
                "a document could not be brought up to its log", document_id=room.document_id, error=str(error)
            )
            room.fail()

    async def _slices(self, room: Room, since: DocumentLog) -> Sequence[LoggedSlices]:
        return await self._runner.run_here(room.document_id, size_of(since), lambda: slices_of(since))

    def _close_unused(self, room: Room) -> None:
        if room not in self._loading and not room.in_use:
            self._forget(room)

    def _forget(self, room: Room) -> None:
        if self.open.get(room.document_id) is room:
            del self.open[room.document_id]
            self.awareness.closed(room.document_id)
            if not room.failed:  # a room may fail while its document is being changed
                room.unload()
