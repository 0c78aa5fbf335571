"""How the whole service runs without a database: a store in memory that passes the same suite as Postgres.

One transaction at a time, on a copy that takes the place of the present state when it is done.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from domain.credit import Credit
from domain.events import Event
from domain.idempotency import IdempotencyKey, RecordedRequest
from domain.questions import Question
from persistence.changes import Changes
from persistence.memory_ledger import record
from persistence.memory_reads import answer
from persistence.memory_state import State

REMEMBERED = timedelta(hours=24)


@dataclass(slots=True)
class MemoryTransaction:
    state: State
    drives: set[str] = field(default_factory=set)

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        return answer(self.state, question)

    async def record(self, events: Sequence[Event], by: Credit, at: datetime) -> None:
        self.drives |= record(self.state, events, by, at)

    async def remember(self, once: IdempotencyKey, result_id: str, at: datetime) -> None:
        requests = {key: known for key, known in self.state.requests.items() if known[1] > at - REMEMBERED}
        requests[once.user_id, once.operation, once.key] = RecordedRequest(once.digest, result_id), at
        self.state.requests = requests


class MemoryStore:
    def __init__(self) -> None:
        self._state = State()
        self._turn = asyncio.Lock()
        self._changes = Changes()

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        return answer(self._state, question)

    async def transact[T](self, touches: object, work: Callable[[MemoryTransaction], Awaitable[T]]) -> T:  # noqa: ARG002
        async with self._turn:
            transaction = MemoryTransaction(self._state.copy())
            result = await work(transaction)
            self._state = transaction.state
        self._changes.happened(transaction.drives)
        return result

    def changes(self, drive_id: str) -> AsyncIterator[None]:
        return self._changes.of(drive_id)
