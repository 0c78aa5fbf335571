"""Registers all live connections of the process, and rechecks their credentials and rights."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import structlog

from computing.runner import JobRunner
from domain.access import Can
from domain.caller import Caller
from domain.commit import Commit
from domain.errors import Rejection
from domain.item import document
from domain.questions import CredentialIsValid, ItemFor, Question
from domain.storage import StorageQuotas
from live.group_commit import AppendBatch
from live.node import ALONE, NodeAmongOthers
from live.rooms import Rooms
from live.shown_client_ids import RecordShown, unrecorded
from live.store_reader import ReadTail, StoreReader
from live.unidentified_connections import UnidentifiedConnections
from live.user_connections import SharingConnection, UserConnections

RECHECK_SECONDS: Final = 30.0  # between two rechecks of every connection, whatever was committed
IDLE_CHECK_SECONDS: Final = 5.0
_log: Final = structlog.get_logger("live")

type NextStep = Callable[[float], Awaitable[None]]
"""Waits until a whole number of steps has passed since a time of `perf_counter`, so that hidden takes as long as missing."""


async def _at_once(begun: float) -> None:
    del begun


@dataclass(frozen=True, slots=True)
class DocumentAccess:
    """A user's access to a document, and the drive that the document is in."""

    may_edit: bool
    drive_id: str


class TicketTaker(Protocol):
    async def take(self, shown: str, opens: str) -> Caller | None:
        """Return whose ticket it is, and let nobody use it again; None where it opens nothing."""
        ...


class TrackedConnection(Protocol):
    """A connection, as the registry sees it."""

    def touches(self, drives: set[str], users: set[str]) -> bool: ...

    async def recheck_access(self, reader: StoreReader) -> None:
        """Close the connection where a credential has ended or a right has changed."""
        ...

    async def reset(self) -> None:
        """Close the connection so that the client connects again, which checks its rights."""
        ...

    def check_idle(self, now: float) -> None:
        """Close a connection that has been silent too long; ping one that may soon be."""
        ...


class DocumentsConnection(TrackedConnection, SharingConnection, Protocol):
    """A connection to live documents, which counts as one of its user's."""


async def access_to(reader: StoreReader, caller: Caller, document_id: str) -> DocumentAccess | None:
    seen = document(await reader.read(ItemFor(caller.user_id, document_id)))
    if isinstance(seen, Rejection):
        return None
    return DocumentAccess(Can.edit in seen.authority.can, seen.item.drive_id)


async def credential_is_valid(reader: StoreReader, caller: Caller) -> bool:
    """Whether the credential with which a connection was opened would open it again."""
    return caller.credential is not None and await reader.read(CredentialIsValid(caller.credential))


class _CachedReader:
    """Answers each question of one recheck once: many connections share documents and keys."""

    def __init__(self, reader: StoreReader) -> None:
        self._reader = reader
        self._answers: dict[Question[Any], Any] = {}

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        if question not in self._answers:
            self._answers[question] = await self._reader.read(question)
        answer: Answer = self._answers[question]
        return answer


@dataclass(slots=True)
class ConnectionRegistry:
    """`max_per_user` of one user; `changes` counts how often rights changed, for a check that began before.

    `next_step` delays NOT_FOUND.
    """

    reader: StoreReader
    rooms: Rooms
    tickets: TicketTaker
    max_per_user: int | None = None
    next_step: NextStep = _at_once
    connections: set[TrackedConnection] = field(default_factory=set)
    changes: int = 0
    unidentified: UnidentifiedConnections = field(default_factory=UnidentifiedConnections)
    _by_user: dict[str, UserConnections] = field(default_factory=dict)

    @staticmethod
    def over(
        reader: StoreReader,
        append: AppendBatch,
        tickets: TicketTaker,
        clock: Callable[[], int],
        max_per_user: int | None = None,
        next_step: NextStep = _at_once,
        record_shown: RecordShown = unrecorded,
        *,
        runner: JobRunner,
        quotas: StorageQuotas | None = None,
        node: NodeAmongOthers = ALONE,
        read_tail: ReadTail | None = None,
    ) -> "ConnectionRegistry":
        rooms = Rooms(reader, append, clock, record_shown, runner=runner, quotas=quotas, node=node, read_tail=read_tail)
        return ConnectionRegistry(reader, rooms, tickets, max_per_user, next_step)

    def admit(self, connection: SharingConnection, user_id: str) -> UserConnections | None:
        """Count the connection as the user's, and return all of theirs, unless they have too many."""
        theirs = self._by_user.get(user_id) or UserConnections()
        is_known = connection in theirs.connections
        if not is_known and self.max_per_user is not None and len(theirs.connections) >= self.max_per_user:
            return None
        self._by_user[user_id] = theirs
        theirs.add(connection)
        return theirs

    def remove(self, connection: DocumentsConnection, users: Iterable[str]) -> None:
        self.connections.discard(connection)
        self.unidentified.discard(connection)
        for user_id in users:
            self._by_user[user_id].remove(connection)
            if not self._by_user[user_id].connections:
                del self._by_user[user_id]

    async def access_changed(self, drives: Iterable[str], users: Iterable[str]) -> None:
        """Recheck the connections to the drives' documents, and those of the users; reset those where that fails."""
        self.changes += 1
        of, by = set(drives), set(users)
        for connection in await self._recheck([each for each in self.connections if each.touches(of, by)]):
            await connection.reset()

    def committed(self, commit: Commit) -> Awaitable[None] | None:
        """Bring open documents up to a commit, and recheck the connections it may concern.

        Of live edits there is nothing to do: their rooms have them.
        """
        if commit.live:
            return None
        return self._follow(commit, *commit.changed_access)

    async def _follow(self, commit: Commit, drives: set[str], users: set[str]) -> None:
        try:
            for document_id, authors in commit.editors.items():  # which others tell of those of other processes
                await self.rooms.follow(document_id, authors if commit.is_local else ())
        finally:
            if drives or users:
                await self.access_changed(drives, users)

    async def reset(self) -> None:
        """Close all documents and connections, so that the clients connect again, which checks their rights."""
        self.changes += 1
        self.rooms.reset()
        for connection in list(self.connections):
            await connection.reset()

    async def watch(self) -> None:
        """Close connections that are silent too long, and now and then recheck all, until cancelled."""
        loop = asyncio.get_running_loop()
        rechecked = loop.time()
        while True:
            await asyncio.sleep(IDLE_CHECK_SECONDS)
            now = loop.time()
            for connection in list(self.connections):
                connection.check_idle(now)
            if now - rechecked >= RECHECK_SECONDS:
                rechecked = now
                await self._recheck(list(self.connections))

    async def _recheck(self, connections: list[TrackedConnection]) -> list[TrackedConnection]:
        """Recheck the connections; return those of which the rights could not be read."""
        failed = []
        changes, reader = self.changes, _CachedReader(self.reader)
        for connection in connections:
            if changes != self.changes:
                changes, reader = self.changes, _CachedReader(self.reader)
            try:
                await connection.recheck_access(reader)
            except Exception as error:  # noqa: BLE001 - the others are still to be rechecked
                _log.warning("the rights of a connection could not be rechecked", error=str(error))
                failed.append(connection)
        return failed
