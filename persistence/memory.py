"""How the whole service runs without a database: a store in memory that passes the same suite as Postgres.

One transaction at a time, on a copy that takes the place of the present state when it is done.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from domain.commit import AuditEntry, Commit
from domain.credit import Credit
from domain.events import Event
from domain.idempotency import IdempotencyKey, RecordedRequest
from domain.questions import Question
from persistence.commit_feed import CommitFeed
from persistence.memory_ledger import record
from persistence.memory_reads import answer
from persistence.memory_state import State

REMEMBERED = timedelta(hours=24)


@dataclass(slots=True)
class MemoryTransaction:
    state: State
    entries: list[AuditEntry] = field(default_factory=list)

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        return answer(self.state, question)

    async def record(self, events: Sequence[Event], by: Credit, at: datetime) -> None:
        self.entries += record(self.state, events, by, at)

    async def remember(self, once: IdempotencyKey, result_id: str, at: datetime) -> None:
        requests = {key: known for key, known in self.state.requests.items() if known[1] > at - REMEMBERED}
        requests[once.user_id, once.operation, once.key] = RecordedRequest(once.digest, result_id), at
        self.state.requests = requests


class MemoryStore:
    def __init__(self) -> None:
        self._state = State()
        self._turn = asyncio.Lock()
        self.feed = CommitFeed()

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        return answer(self._state, question)

    async def transact[T](self, touches: object, work: Callable[[MemoryTransaction], Awaitable[T]]) -> T:  # noqa: ARG002
        async with self._turn:
            transaction = MemoryTransaction(self._state.copy())
            result = await work(transaction)
            self._state = transaction.state
        await self.feed.publish(Commit(transaction.entries))
        return result
