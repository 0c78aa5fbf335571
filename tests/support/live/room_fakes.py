"""What stands beside a room in tests without sockets: a log in memory, and transports that record."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from domain.account import Account
from domain.commit import OnCommitted
from domain.credit import Credit
from domain.document import DocumentLog, LoggedUpdate
from domain.questions import AccountOf, LogOf
from domain.values import Email
from live.document_connection import DocumentConnection
from live.group_commit import EditAuthor, EditBatch
from live.protocol import CloseCode
from live.room import Room
from live.rooms import Rooms

AT = datetime(2026, 11, 26, tzinfo=UTC)
ADA, BEN = Credit("ada", "Ada"), Credit("ben", "Ben", "scribe")


@dataclass
class Log:
    """The log of one document, whose commits a test may hold back, refuse or let fail.

    Like the real one it refuses what does not go on from its last number; `locked` is how often it refuses all the same.
    """

    rows: list[tuple[EditAuthor, bytes]] = field(default_factory=list)
    lines: list[tuple[Credit, int]] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    broken: bool = False
    locked: int = 0
    gone: bool = False
    snapshot: bytes | None = None
    may_read: asyncio.Semaphore | None = None  # of which each read of the log takes one
    committing: asyncio.Task[None] | None = None

    def append(self, batch: EditBatch, on_committed: OnCommitted) -> None:
        rows = [row for rows in batch.rows.values() for row in rows]
        self.batches.append(len(rows))
        self.lines += [(author.by, batch.at) for author in batch.audited]

        async def commit() -> None:
            await self.open.wait()
            if self.broken:
                on_committed(ConnectionError())
                return
            self.locked -= 1
            if self.gone or self.locked >= 0 or {*batch.after.values()} != {len(self.rows)}:
                on_committed({})
                return
            self.rows += rows
            on_committed(dict.fromkeys(batch.rows, len(self.rows)))

        self.committing = asyncio.create_task(commit())

    async def read(self, question: object) -> Any:
        if isinstance(question, AccountOf):
            return Account(
                question.user_id, question.user_id.title(), Email(f"{question.user_id}@example.com"), True, AT
            )
        assert isinstance(question, LogOf)
        if self.may_read:
            await self.may_read.acquire()
        if self.gone:
            return None
        logged = [LoggedUpdate(update, author.by.user_id, author.by.agent, AT) for author, update in self.rows]
        return DocumentLog(self.snapshot, None, tuple(logged[question.after :]), len(logged))


@dataclass
class RecordingTransport:
    """Records what a connection is sent."""

    messages: list[bytes] = field(default_factory=list)
    code: CloseCode | None = None
    waiting: list[Callable[[], object]] = field(default_factory=list)
    reads: bool = True

    @staticmethod
    def frame(message: bytes) -> bytes:
        return message

    def write(self, frames: Iterable[bytes]) -> None:
        self.messages += frames

    def send(self, message: bytes, *, whole: bool = False) -> None:
        del whole
        self.messages.append(message)

    def when_read(self, answer: Callable[[], object]) -> None:
        self.waiting.append(answer)
        self.go_on()

    def go_on(self) -> None:
        while self.waiting and self.reads:
            self.waiting.pop(0)()

    def close(self, code: CloseCode) -> None:
        self.code = self.code or code


async def join(
    rooms: Rooms, credit: Credit = ADA, *, document: str = "doc", may_edit: bool = True
) -> tuple[Room, DocumentConnection, RecordingTransport]:
    transport = RecordingTransport()
    connection = DocumentConnection(
        credit, transport, b"", acknowledges=True, may_edit=may_edit, requested_sync=lambda: None, drive_id="drive"
    )
    return await rooms.enter(document, connection), connection, transport
