"""How whoever something is shared with hears of it: by a letter after the commit, where there is mail."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from accounts.emails import share_email
from accounts.ports import Mailer
from domain.credit import Credit
from domain.errors import Unavailable
from domain.events import Event
from domain.idempotency import IdempotencyKey
from domain.questions import ItemFor, Question
from domain.share import ItemShared
from edge.rate_limit import Rate, RateLimiter
from graphql_api.ports import LockScope, Store, Transaction
from graphql_api.views import item_url

SENT = Rate("share-letters", 20, 3_600.0)  # to one address
BY_ONE = Rate("share-letters-by", 200, 3_600.0)  # by one user


@dataclass(frozen=True, slots=True)
class _Listening:
    transaction: Transaction
    shares: list[tuple[ItemShared, Credit]]

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        return await self.transaction.read(question)

    async def record(self, events: Sequence[Event], by: Credit, at: datetime) -> None:
        await self.transaction.record(events, by, at)
        self.shares.extend((event, by) for event in events if isinstance(event, ItemShared))

    async def remember(self, once: IdempotencyKey, result_id: str, at: datetime) -> None:
        await self.transaction.remember(once, result_id, at)


@dataclass(frozen=True, slots=True)
class LetterStore:
    """The store, with a letter to whoever something was shared with: the same whether or not they have an account."""

    store: Store
    mailer: Mailer
    origin: str
    limiter: RateLimiter = field(default_factory=RateLimiter)
    writing: set[asyncio.Task[None]] = field(default_factory=set)

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        return await self.store.read(question)

    def changes(self, drive_id: str) -> AsyncIterator[None]:
        return self.store.changes(drive_id)

    async def transact[T](self, touches: LockScope, work: Callable[[Transaction], Awaitable[T]]) -> T:
        shares: list[tuple[ItemShared, Credit]] = []

        async def listened(transaction: Any) -> T:
            shares.clear()
            return await work(_Listening(transaction, shares))

        result = await self.store.transact(touches, listened)
        for share, by in shares:
            if self.mailer.delivers and self._may_write(share, by):
                task = asyncio.get_running_loop().create_task(self._write(share, by))
                self.writing.add(task)
                task.add_done_callback(self.writing.discard)
        return result

    def _may_write(self, share: ItemShared, by: Credit) -> bool:
        """Whether neither side has had too many: nobody's shares fill somebody's letterbox."""
        return self.limiter.spend(BY_ONE, by.user_id).allowed and self.limiter.spend(SENT, share.email).allowed

    async def _write(self, share: ItemShared, by: Credit) -> None:
        try:
            facts = await self.store.read(ItemFor(by.user_id, share.item_id))
        except Unavailable:
            return
        if facts:
            written = share_email(self.origin, by.name, facts.item.name, item_url(facts.item, self.origin))
            self.mailer.send(share.email, written.subject, written.text)
