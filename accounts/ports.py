"""Ports of the use cases of people: state, time, fresh secrets, password hashing and e-mail."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from domain.credit import Credit
from domain.errors import Rejection
from domain.events import Decision
from domain.mail import Mail
from domain.session import Lifetimes
from domain.values import Email
from graphql_api.ports import Clock, Ids, LockScope, Secrets, StateReader, Store, Transaction


class PasswordHasher(Protocol):
    """Hashing is slow on purpose, so it never runs on the event loop."""

    async def hash(self, password: str) -> str: ...

    async def verify(self, password: str, password_hash: str | None) -> bool:
        """Whether it is the password; without a hash False, after the same time."""
        ...


class NotSentError(Exception):
    """An e-mail was not sent; `is_final`: another attempt is of no use."""

    def __init__(self, reason: str, *, is_final: bool) -> None:
        super().__init__(reason)
        self.is_final = is_final


class Mailer(Protocol):
    @property
    def delivers(self) -> bool:
        """Whether e-mails reach their addresses, and not only the operator's log."""
        ...

    async def send(self, to: Email, subject: str, text: str) -> None:
        """Send an e-mail; without a mail server, write it to the operator's log. Raises NotSentError."""
        ...


@dataclass(frozen=True, slots=True)
class AccountPorts:
    """`origin` has no slash at its end."""

    store: Store
    clock: Clock
    ids: Ids
    secrets: Secrets
    passwords: PasswordHasher
    mailer: Mailer
    origin: str
    lifetimes: Lifetimes = field(default_factory=Lifetimes)
    sign_up_open: bool = True

    async def change(
        self, by: Credit, decide: Callable[[StateReader], Awaitable[Decision]], mail: Mail | None = None
    ) -> Rejection | None:
        """Load, decide, record and post `mail` in one transaction, which locks nothing beforehand."""

        async def work(transaction: Transaction) -> Rejection | None:
            decided = await decide(transaction)
            if isinstance(decided, Rejection):
                return decided
            await transaction.record(decided, by, self.clock())
            if mail:
                transaction.post(mail)
            return None

        return await self.store.transact(LockScope(may_end_access=True), work)
