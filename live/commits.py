"""How edits become durable: one batch in flight for the whole process, everything that comes meanwhile in the next.

An entry without an edit only waits its turn: an answer that shows what is not committed yet must not leave before it is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

import structlog

from domain.credit import Credit

MOST_ROWS: Final = 2_000
MOST_BYTES: Final = 16 * 1024 * 1024
_log: Final = structlog.get_logger("live")


@dataclass(frozen=True, slots=True)
class Row:
    """One update as it goes into the log; `told`: it has a line in the audit, too."""

    document_id: str
    by: Credit
    at: datetime
    update: bytes
    told: bool = False


type Append = Callable[[Sequence[Row]], Awaitable[Mapping[str, int]]]
"""Write the rows and return, for each document that is there, the number of its last row."""


class Owner(Protocol):
    """A room, as the log meets it."""

    document_id: str
    failed: bool

    def fail(self) -> None:
        """Give up: what was said since the last commit is not durable."""
        ...


@dataclass(frozen=True, slots=True)
class _Entry:
    room: Owner
    row: Row | None
    then: Callable[[], None]


class Commits:
    def __init__(self, append: Append) -> None:
        self._append = append
        self._waiting: list[_Entry] = []
        self._held: dict[str, int] = {}
        self._flight: asyncio.Task[None] | None = None
        self._batch: asyncio.Future[None] | None = None

    def add(self, room: Owner, row: Row | None, then: Callable[[], None]) -> None:
        """Call `then` once the row, and all that the same room added before it, is committed."""
        self._waiting.append(_Entry(room, row, then))
        self._go()

    async def hold(self, document_id: str) -> None:
        """Let nothing of the document be written until `release`; what is in flight has landed when this returns."""
        self._held[document_id] = self._held.get(document_id, 0) + 1
        if self._batch:
            await asyncio.wait({self._batch})

    def release(self, document_id: str) -> None:
        self._held[document_id] -= 1
        if not self._held[document_id]:
            del self._held[document_id]
        self._go()

    async def landed(self) -> None:
        """Return when nothing is on its way any more."""
        while self._flight:
            await asyncio.wait({self._flight})

    def _go(self) -> None:
        if self._flight is None and self._waiting:
            self._flight = asyncio.get_running_loop().create_task(self._fly())

    async def _fly(self) -> None:
        try:
            await asyncio.sleep(0)  # whatever this turn of the loop still brings flies along
            while batch := self._next():
                self._batch = asyncio.get_running_loop().create_future()
                try:
                    await self._commit(batch)
                finally:
                    self._batch.set_result(None)
        finally:
            self._flight = self._batch = None

    def _next(self) -> list[_Entry]:
        batch: list[_Entry] = []
        left: list[_Entry] = []
        rows = size = 0
        for entry in self._waiting:
            if entry.room.failed:
                continue
            if entry.room.document_id in self._held or rows >= MOST_ROWS or size >= MOST_BYTES:
                left.append(entry)
                continue
            batch.append(entry)
            if entry.row:
                rows, size = rows + 1, size + len(entry.row.update)
        self._waiting = left
        return batch

    async def _commit(self, batch: list[_Entry]) -> None:
        rows = [entry.row for entry in batch if entry.row]
        written: Mapping[str, int] = {}
        if rows:
            try:
                written = await self._append(rows)
            except Exception as error:  # noqa: BLE001 - whatever it was, nothing of it is known to be durable
                _log.warning("edits were not committed", rows=len(rows), error=str(error))
        missing = {row.document_id for row in rows} - written.keys()
        for entry in batch:
            if entry.room.document_id in missing and not entry.room.failed:
                entry.room.fail()
        for entry in batch:
            if not entry.room.failed:
                try:
                    entry.then()
                except Exception:  # noqa: BLE001 - one listener must not keep the others from hearing
                    _log.exception("what follows a commit failed", document_id=entry.room.document_id)
