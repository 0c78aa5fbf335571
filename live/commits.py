"""How edits become durable: one batch in flight for the whole process, everything that comes meanwhile in the next.

From the keystroke to the commit and on to the last reader there is no task: it would cost a process that was just woken
up as much as the work itself.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

import structlog

from domain.credit import Credit
from live.turn import Turn

MOST_ROWS: Final = 2_000
MOST_BYTES: Final = 16 * 1024 * 1024
_log: Final = structlog.get_logger("live")


@dataclass(eq=False, slots=True)
class Author:
    """Who writes in a document that is open, and when the audit had its last line of that."""

    by: Credit
    told_at: int = 0


type Row = tuple[Author, bytes]
"""One update and whose it is."""


@dataclass(eq=False, slots=True)
class Batch:
    """What is written at once: rows by their documents, and the authors of whom there is to be a line in the audit.

    `after` is the number of the last update that each of the documents has here. `at` is when all of that was, in
    milliseconds since 1970: to a process that was just woken up, making a datetime costs as much as a keystroke.
    """

    rows: Mapping[str, Sequence[Row]]
    after: Mapping[str, int]
    told: Collection[Author]
    at: int


type Landed = Callable[[Mapping[str, int] | Exception], None]
"""Told, of each document that was not refused, the number of its last row; or what keeps us from knowing what is durable."""

type Append = Callable[[Batch, Landed], None]
"""Write a batch; once that has ended, well or not, `Landed` is told, once."""


class Owner(Protocol):
    """A room, as the log meets it."""

    document_id: str
    failed: bool

    @property
    def sequence(self) -> int:
        """The number of the last update of the log that is here."""
        ...

    def board(self, at: int, most: int, size: int) -> tuple[Sequence[Row], Sequence[Author]]:
        """Return what is to be written next, and of whom there is to be a line in the audit.

        That is up to so many rows and, about, bytes; what is left is `waiting`.
        """
        ...

    @property
    def waiting(self) -> bool: ...

    def landed(self, sequence: int | None) -> None:
        """Go on: what was on board, if anything, is committed, and the last of it has this number."""
        ...

    def refused(self) -> None:
        """Take back what was on board: nothing of it was written, since somebody else writes to the document."""
        ...

    def fail(self) -> None:
        """Give up: what was said since the last commit is not durable."""
        ...


class Commits:
    """`clock` is in milliseconds since 1970. A batch departs at the end of a turn, with all that the turn still brings."""

    def __init__(self, append: Append, clock: Callable[[], int], turn: Turn) -> None:
        self._append = append
        self.clock = clock
        self._turn = turn
        self._waiting: dict[Owner, None] = {}  # in the order in which they came
        self._held: dict[str, int] = {}
        self._flying = False  # or about to depart
        self._landings: list[asyncio.Future[None]] = []

    def add(self, room: Owner) -> None:
        """Take along what is waiting in the room."""
        self._waiting[room] = None
        self._go()

    async def hold(self, document_id: str) -> None:
        """Let nothing of the document be written until `release`; what is in flight has landed when this returns."""
        self.hold_back(document_id)
        if self._flying:
            await self._landing()

    def hold_back(self, document_id: str) -> None:
        """Let nothing more of the document be written until `release`."""
        self._held[document_id] = self._held.get(document_id, 0) + 1

    def release(self, document_id: str) -> None:
        self._held[document_id] -= 1
        if not self._held[document_id]:
            del self._held[document_id]
        self._go()

    async def landed(self) -> None:
        """Return when nothing is on its way any more."""
        while self._flying:
            await self._landing()

    def _landing(self) -> asyncio.Future[None]:
        landing = asyncio.get_running_loop().create_future()
        self._landings.append(landing)
        return landing

    def _go(self) -> None:
        if self._waiting and not self._flying:
            self._flying = True
            self._turn.at_end(self._depart)

    def _depart(self) -> None:
        boarded: list[tuple[Owner, Sequence[Row]]] = []
        try:
            boarded, batch = self._next()
        finally:
            if not boarded:
                self._flying = False
                self._tell()
        if batch.rows:
            try:
                self._append(batch, partial(self._land, boarded))
            except Exception as error:  # noqa: BLE001 - as if it had been told
                self._land(boarded, error)
        elif boarded:
            self._land(boarded, {})

    def _next(self) -> tuple[list[tuple[Owner, Sequence[Row]]], Batch]:
        boarded: list[tuple[Owner, Sequence[Row]]] = []
        told: list[Author] = []
        at, most, size = self.clock(), MOST_ROWS, MOST_BYTES
        for room in list(self._waiting):
            if room.failed:
                del self._waiting[room]
            elif room.document_id not in self._held and most > 0 and size > 0:
                rows, due = room.board(at, most, size)
                told += due
                if not room.waiting:
                    del self._waiting[room]
                boarded.append((room, rows))
                most -= len(rows)
                size -= sum([len(update) for _, update in rows])
        written = {room.document_id: rows for room, rows in boarded if rows}
        return boarded, Batch(written, {room.document_id: room.sequence for room, _ in boarded}, told, at)

    def _land(self, boarded: Sequence[tuple[Owner, Sequence[Row]]], written: Mapping[str, int] | Exception) -> None:
        numbers = {} if isinstance(written, Exception) else written
        if isinstance(written, Exception):  # whatever it was, nothing of it is known to be durable
            _log.warning("edits were not committed", documents=len(boarded), error=str(written))
        with self._turn:
            self._flying = False
            self._go()
            for room, rows in boarded:
                try:
                    if room.failed:
                        continue
                    if not rows or room.document_id in numbers:
                        room.landed(numbers.get(room.document_id))
                    elif isinstance(written, Exception):
                        room.fail()
                    else:
                        room.refused()
                except Exception:  # noqa: BLE001 - one room must not keep the others from hearing
                    _log.exception("what follows a commit failed", document_id=room.document_id)
            self._tell()

    def _tell(self) -> None:
        landings, self._landings = self._landings, []
        for landing in landings:
            if not landing.done():
                landing.set_result(None)
