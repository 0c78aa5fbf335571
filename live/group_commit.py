"""Group commit: one batch of edits in flight for the whole process; edits that come meanwhile go into the next one.

From the keystroke to the commit and on to the last reader there is no task: it would cost a process that was just woken
up as much as the work itself.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

import structlog

from domain.commit import OnCommitted
from domain.credit import Credit
from live.tick import Tick

MAX_ROWS: Final = 2_000
MAX_BYTES: Final = 16 * 1024 * 1024
_log: Final = structlog.get_logger("live")


@dataclass(eq=False, slots=True)
class EditAuthor:
    """An author in an open document, and when the audit had its last line of their edits, in milliseconds since 1970."""

    by: Credit
    audited_at: int = 0


type Row = tuple[EditAuthor, bytes]
"""An update and its author."""


@dataclass(eq=False, slots=True)
class EditBatch:
    """The edits of one commit: rows by document, and the authors to record in the audit.

    `after` is the number of the last update that each of the documents has here. `at` is when all of that was, in
    milliseconds since 1970: to a process that was just woken up, making a datetime costs as much as a keystroke.
    """

    rows: Mapping[str, Sequence[Row]]
    after: Mapping[str, int]
    audited: Collection[EditAuthor]
    at: int


type AppendBatch = Callable[[EditBatch, OnCommitted], None]
"""Write a batch; once that has ended, well or not, call `OnCommitted`, once."""


class BatchSource(Protocol):
    """A room, as the group commit sees it."""

    document_id: str
    failed: bool

    @property
    def sequence(self) -> int:
        """The number of the last update of the log that is here."""
        ...

    def take(self, at: int, most: int, size: int) -> tuple[Sequence[Row], Sequence[EditAuthor]]:
        """Return the rows to be written next, and the authors of whom the audit is due a line.

        That is up to so many rows and, about, bytes; what is left is `waiting`.
        """
        ...

    @property
    def waiting(self) -> bool: ...

    def committed(self, sequence: int | None) -> None:
        """Continue: the edits taken are committed, and the last of them, if any, has this number."""
        ...

    def refused(self) -> None:
        """Take the edits back: none of them were written, since another process wrote to the document."""
        ...

    def fail(self) -> None:
        """Close: edits since the last commit are not known to be durable."""
        ...


class GroupCommit:
    """`clock` is in milliseconds since 1970. A batch is flushed at the end of a tick, with all edits of the tick."""

    def __init__(self, append: AppendBatch, clock: Callable[[], int], tick: Tick) -> None:
        self._append = append
        self.clock = clock
        self._tick = tick
        self._waiting: dict[BatchSource, None] = {}  # in the order in which they came
        self._held: dict[str, int] = {}
        self._in_flight = False  # or about to be flushed
        self._waiters: list[asyncio.Future[None]] = []

    def add(self, room: BatchSource) -> None:
        """Have the edits that wait in the room written with the next batch."""
        self._waiting[room] = None
        self._schedule()

    async def hold(self, document_id: str) -> None:
        """Hold the document's edits back until `release`; those in flight have committed when this returns.

        Nothing is held back where this is cancelled.
        """
        self.hold_back(document_id)
        try:
            if self._in_flight:
                await self.next_completion()
        except asyncio.CancelledError:
            self.release(document_id)
            raise

    def hold_back(self, document_id: str) -> None:
        """Let nothing more of the document be written until `release`."""
        self._held[document_id] = self._held.get(document_id, 0) + 1

    def release(self, document_id: str) -> None:
        self._held[document_id] -= 1
        if not self._held[document_id]:
            del self._held[document_id]
        self._schedule()

    async def committed(self) -> None:
        """Return when no batch is in flight."""
        while self._in_flight:
            await self.next_completion()

    @property
    def is_in_flight(self) -> bool:
        return self._in_flight

    def next_completion(self) -> asyncio.Future[None]:
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        return waiter

    def _schedule(self) -> None:
        if self._waiting and not self._in_flight:
            self._in_flight = True
            self._tick.defer(self._flush)

    def _flush(self) -> None:
        sources: list[tuple[BatchSource, Sequence[Row]]] = []
        try:
            sources, batch = self._take()
        finally:
            if not sources:
                self._in_flight = False
                self._wake()
        if batch.rows:
            try:
                self._append(batch, partial(self._complete, sources))
            except Exception as error:  # noqa: BLE001 - as if the callback had it
                self._complete(sources, error)
        elif sources:
            self._complete(sources, {})

    def _take(self) -> tuple[list[tuple[BatchSource, Sequence[Row]]], EditBatch]:
        sources: list[tuple[BatchSource, Sequence[Row]]] = []
        audited: list[EditAuthor] = []
        at, most, size = self.clock(), MAX_ROWS, MAX_BYTES
        for room in list(self._waiting):
            if room.failed:
                del self._waiting[room]
            elif room.document_id not in self._held and most > 0 and size > 0:
                try:
                    rows, due = room.take(at, most, size)
                except Exception:  # noqa: BLE001 - what the other rooms gave is to be written
                    _log.exception("the edits of a document could not be taken", document_id=room.document_id)
                    del self._waiting[room]
                    room.fail()
                    continue
                audited += due
                if not room.waiting:
                    del self._waiting[room]
                sources.append((room, rows))
                most -= len(rows)
                size -= sum([len(update) for _, update in rows])
        written = {room.document_id: rows for room, rows in sources if rows}
        return sources, EditBatch(written, {room.document_id: room.sequence for room, _ in sources}, audited, at)

    def _complete(
        self, sources: Sequence[tuple[BatchSource, Sequence[Row]]], written: Mapping[str, int] | Exception
    ) -> None:
        numbers = {} if isinstance(written, Exception) else written
        if isinstance(written, Exception):  # whatever it was, nothing of it is known to be durable
            _log.warning("edits were not committed", documents=len(sources), error=str(written))
        with self._tick:
            self._in_flight = False
            self._schedule()
            for room, rows in sources:
                try:
                    if room.failed:
                        continue
                    if not rows or room.document_id in numbers:
                        room.committed(numbers.get(room.document_id))
                    elif isinstance(written, Exception):
                        room.fail()
                    else:
                        room.refused()
                except Exception:  # noqa: BLE001 - one room must not keep the others from going on
                    _log.exception("what follows a commit failed", document_id=room.document_id)
            self._wake()

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
