"""Carries out the effects of one WebSocket's messages, in order, in the rooms; the same for every transport."""

import asyncio
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, Protocol

import structlog

from documents.yjs.scan import IMPORT, UpdateLimits
from domain.caller import Caller
from domain.errors import BudgetSpent, Code
from live import codec
from live.connection_registry import ConnectionRegistry, DocumentAccess, access_to, credential_is_valid
from live.document_connection import DocumentConnection, Transport
from live.protocol import (
    AnswerSync,
    ApplyAwareness,
    ApplyUpdate,
    CloseCode,
    CloseConnection,
    Effect,
    JoinDocument,
    LeaveDocument,
    SendAwareness,
    SendMessage,
    SyncProtocol,
    short_update,
)
from live.room import Checked, Room, ToCheck
from live.store_reader import StoreReader
from live.user_connections import COSTLY_SECONDS, UserConnections

LARGE_UPDATE: Final = 64 * 1024  # bytes of an update that is scanned in a thread
LARGE_DOCUMENT: Final = 256 * 1024  # bytes of a document that is sent to one connection of a user at a time
GREETING_SECONDS: Final = 10.0
SILENCE_SECONDS: Final = 60.0  # without anything from the client, pongs included
QUIET_SECONDS: Final = 10.0  # without anything to the client: clients give up after 30
MAX_QUEUED: Final = 64  # messages that wait before no more is read
MAX_QUEUED_UNIDENTIFIED: Final = 4  # as `MAX_QUEUED`, of a client that has not shown who it is
_log: Final = structlog.get_logger("live")


class ClientTransport(Transport, Protocol):
    """The transport of a connection, as the connection uses it; times are the loop's."""

    received_at: float
    sent_at: float

    def ping(self) -> None: ...

    def pause(self, *, reading: bool) -> None:
        """Read on, or let the client wait."""
        ...

    def identified(self) -> None:
        """Take messages of full size: the client has shown who it is."""
        ...


@dataclass(slots=True)
class _OpenDocument:
    room: Room
    connection: DocumentConnection
    caller: Caller
    access: DocumentAccess
    update_prefix: bytes


class ClientConnection:
    """`begun` is the loop's time at the handshake; until `identified`, messages wait.

    `_shared` are the connections of the user whose credential came first, this one alone before that.
    """

    def __init__(
        self, registry: ConnectionRegistry, transport: ClientTransport, path_document: str | None, begun: float
    ) -> None:
        self._registry = registry
        self._transport = transport
        self._path_document = path_document
        self._begun = begun
        self._caller: Caller | None = None
        self._protocol: SyncProtocol | None = None
        self._documents: dict[str, _OpenDocument] = {}
        self._last_edited: _OpenDocument | None = None  # most likely the next message is about it
        self._queue: deque[bytes | Effect] = deque()
        self._shared = UserConnections()
        self._shared.add(self)
        self._blocked = True  # the next message waits
        self._is_held = False  # as `_blocked`, for a costly message of the user
        self._unprocessed = 0  # bytes of messages
        self._processing = 0  # of these, those of the one that is being processed
        self._paused = False
        self._is_closed = False
        self._users: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        registry.connections.add(self)

    def identified(self, caller: Caller | None) -> None:
        """Go on as the user of the handshake, or as nobody until a ticket comes."""
        if caller and not self._admit(caller):
            return
        self._caller = caller
        self._protocol = SyncProtocol(self._path_document, known=caller is not None)
        self._blocked = False
        self._drain()

    def received(self, message: bytes) -> None:
        """Process a message, or queue it while one before it is being processed."""
        document = self._last_edited
        if document and not (self._blocked or self._is_held):
            update = short_update(document.update_prefix, message)
            if update is not None:
                begun = perf_counter()
                self._edit(document, update, whole=False, message=message)
                if perf_counter() - begun > COSTLY_SECONDS:
                    self._throttle(perf_counter() - begun)
                return
        self._queue.append(message)
        self._unprocessed += len(message)
        self._drain()
        self._shared.unprocessed(self, self._unprocessed)

    def arriving(self, size: int) -> None:
        """Note how much has arrived of a message that is not whole yet, where that is more than a few bytes."""
        self._shared.arriving(self, size)

    def answered(self) -> None:
        """Note that the client has read all whole answers."""
        self._shared.answered(self)

    def lost(self) -> None:
        """Leave all documents: the transport is closed."""
        if self._is_closed:
            return
        self._is_closed = True
        self._shared.remove(self)
        self._registry.remove(self, self._users)
        self._queue.clear()
        for task in self._tasks:
            task.cancel()
        for name in list(self._documents):
            self._leave(name)

    # Rechecks

    def touches(self, drives: set[str], users: set[str]) -> bool:
        return any(
            document.access.drive_id in drives or document.caller.user_id in users
            for document in self._documents.values()
        ) or (self._caller is not None and self._caller.user_id in users)

    async def recheck_access(self, reader: StoreReader) -> None:
        callers = {document.caller for document in self._documents.values()} | (
            {self._caller} if self._caller else set()
        )
        for caller in callers:
            if not await credential_is_valid(reader, caller):
                self._transport.close(CloseCode.UNAUTHORIZED)
                return
        for document in list(self._documents.values()):
            now = await access_to(reader, document.caller, document.room.document_id)
            if now is None or now.may_edit != document.access.may_edit:
                self._transport.close(CloseCode.RESET)
                return
            document.access, document.connection.drive_id = now, now.drive_id

    async def reset(self) -> None:
        self._transport.close(CloseCode.RESET)

    def check_idle(self, now: float) -> None:
        talking = bool(self._documents)
        if not talking and self._caller is None and now - self._begun > GREETING_SECONDS:
            self._transport.close(CloseCode.UNAUTHORIZED)
        elif now - self._transport.received_at > SILENCE_SECONDS:
            self._transport.close(CloseCode.RESET)
        else:
            if now - self._transport.received_at > SILENCE_SECONDS / 3:
                self._transport.ping()
            if talking and now - self._transport.sent_at > QUIET_SECONDS:
                next(iter(self._documents.values())).connection.send(codec.NO_PRESENCE)

    # Messages and effects

    def _drain(self) -> None:
        while self._queue and not (self._blocked or self._is_held) and not self._is_closed and self._protocol:
            what = self._queue.popleft()
            begun = perf_counter()
            if isinstance(what, bytes):
                self._processed()
                self._processing = len(what)
                self._prepend(self._protocol.received(what))
            else:
                self._do(what)
            self._throttle(perf_counter() - begun)
        if not self._queue and not self._blocked:
            self._processed()
        most = MAX_QUEUED if self._users else MAX_QUEUED_UNIDENTIFIED
        behind = len(self._queue) > most and not self._is_closed
        if behind != self._paused:
            self._paused = behind
            self._transport.pause(reading=not behind)

    def _processed(self) -> None:
        """Note that the message that was being processed is no longer needed."""
        if self._processing:
            self._unprocessed -= self._processing
            self._processing = 0
            self._shared.unprocessed(self, self._unprocessed)

    def _throttle(self, seconds: float) -> None:
        """Delay the user's next messages after a costly one for as long as that took."""
        if seconds > COSTLY_SECONDS and not self._is_closed:
            self._shared.throttle(seconds)

    def hold(self) -> None:
        self._is_held = True

    def release(self) -> None:
        self._is_held = False
        self._drain()

    def pause(self, *, reading: bool) -> None:
        self._transport.pause(reading=reading)

    def _prepend(self, effects: list[Effect]) -> None:
        self._queue.extendleft(reversed(effects))

    def _do(self, effect: Effect) -> None:
        match effect:
            case SendMessage(message):
                self._transport.send(message)
            case CloseConnection(code):
                self._transport.close(code)
            case JoinDocument():
                self._start(self._join(effect))
            case _:
                document = self._documents.get(effect.name)
                if document:
                    self._at(document, effect)

    def _at(
        self, document: _OpenDocument, effect: AnswerSync | ApplyUpdate | ApplyAwareness | SendAwareness | LeaveDocument
    ) -> None:
        room, connection = document.room, document.connection
        match effect:
            case AnswerSync(_, vector):
                if room.size > LARGE_DOCUMENT:
                    self._shared.answer(self, lambda: room.sync(connection, vector))
                else:
                    room.sync(connection, vector)
            case ApplyUpdate(_, update, whole) if len(update) > LARGE_UPDATE and connection.may_edit:
                self._blocked = True
                self._start(self._edit_in_thread(document, update, whole=whole))
            case ApplyUpdate(_, update, whole):
                self._last_edited = document
                self._edit(document, update, whole=whole)
            case ApplyAwareness(_, states):
                room.update_awareness(connection, states)
            case SendAwareness():
                room.send_awareness(connection)
            case LeaveDocument(name):
                self._leave(name)

    def _edit(self, document: _OpenDocument, update: bytes, *, whole: bool, message: bytes | None = None) -> None:
        if unchecked := document.room.edit(document.connection, update, whole=whole, message=message):
            self._blocked = True
            self._start(self._edit_checked(document, update, unchecked, whole=whole))

    async def _edit_in_thread(self, document: _OpenDocument, update: bytes, *, whole: bool) -> None:
        limits = IMPORT if whole else UpdateLimits()
        scanned = await self._registry.rooms.scan(document.connection, update, limits)
        begun = perf_counter()
        checked = Checked(scanned)
        if unchecked := document.room.edit(document.connection, update, whole=whole, checked=checked):
            await self._edit_checked(document, update, unchecked, whole=whole)
        else:
            self._resume_after(begun)

    async def _edit_checked(self, document: _OpenDocument, update: bytes, unchecked: ToCheck, *, whole: bool) -> None:
        """Apply an update once it was checked."""
        room, connection, begun = document.room, document.connection, perf_counter()
        to_check: ToCheck | None = unchecked
        while to_check:
            checked = await self._registry.rooms.check(room, connection, update, to_check)
            begun = perf_counter()
            to_check = room.edit(connection, update, whole=whole, checked=checked) if checked else None
        self._resume_after(begun)

    def _resume_after(self, begun: float) -> None:
        self._blocked = False
        self._throttle(perf_counter() - begun)
        self._drain()

    async def _join(self, join: JoinDocument) -> None:
        begun = perf_counter()
        decided = await self._decide(join)
        if decided is Code.NOT_FOUND:
            await self._registry.next_step(begun)
        if not self._is_closed and self._protocol:
            if isinstance(decided, Code):
                self._prepend(self._protocol.denied(join.name, decided))
            else:
                self._prepend(self._protocol.admitted(join.name, may_edit=decided))
            self._drain()

    async def _decide(self, join: JoinDocument) -> bool | Code:
        """Open the document where the user may read it; return whether they may edit it."""
        registry = self._registry
        if join.ticket is None:
            caller = self._caller
        else:
            caller = await registry.tickets.take(join.ticket, join.document_id)
            if caller and not self._admit(caller):
                return Code.UNAUTHORIZED
        while caller:
            changes = registry.changes  # first: until the document is open, a recheck may not find the connection
            if not await credential_is_valid(registry.reader, caller):
                return Code.UNAUTHORIZED
            found = await access_to(registry.reader, caller, join.document_id)
            if found is None:
                return Code.NOT_FOUND
            await self._open(join, caller, found)
            if changes == registry.changes:
                return found.may_edit
            self._leave(join.name)
        return Code.UNAUTHORIZED

    def _admit(self, caller: Caller) -> bool:
        """Count the connection as the user's; close it and return false where they have too many."""
        user_id = caller.user_id
        theirs = self._registry.admit(self, user_id)
        if theirs is None:
            self._transport.close(CloseCode.RESET)
            return False
        if not self._users:
            self._shared.remove(self)
            self._shared = theirs
            theirs.unprocessed(self, self._unprocessed)
        self._users.add(user_id)
        self._registry.unidentified.discard(self)
        self._transport.identified()
        return True

    async def _open(self, join: JoinDocument, caller: Caller, access: DocumentAccess) -> None:
        assert self._protocol
        self._leave(join.name)
        connection = DocumentConnection(
            caller.credit,
            self._transport,
            self._protocol.prefix(join.name),
            self._protocol.acknowledges,
            access.may_edit,
            lambda: self._protocol.asked_again(join.name) if self._protocol else None,
            access.drive_id,
        )
        room = await self._registry.rooms.enter(join.document_id, connection)
        if self._is_closed:
            self._registry.rooms.leave(room, connection)
        else:
            self._documents[join.name] = _OpenDocument(
                room, connection, caller, access, self._protocol.update_prefix(join.name)
            )

    def _leave(self, name: str) -> None:
        document = self._documents.pop(name, None)
        if document:
            self._last_edited = None
            self._registry.rooms.leave(document.room, document.connection)

    def _start(self, act: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._guarded(act))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, act: Coroutine[Any, Any, None]) -> None:
        try:
            await act
        except BudgetSpent:
            self._transport.close(CloseCode.SLOW_DOWN)
        except Exception as error:  # noqa: BLE001 - whatever it was costs this connection and nothing else
            _log.warning("a connection was given up", error=repr(error))
            self._transport.close(CloseCode.RESET)
