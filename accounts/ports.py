"""Ports of the use cases of people: state, time, fresh secrets, password hashing and e-mail."""

from dataclasses import dataclass, field
from typing import Protocol

from domain.session import Lifetimes
from domain.values import Email
from graphql_api.ports import Clock, Ids, Secrets, Store


class PasswordHasher(Protocol):
    """Hashing is slow on purpose, so it never runs on the event loop."""

    async def hash(self, password: str) -> str: ...

    async def verify(self, password: str, password_hash: str | None) -> bool:
        """Whether it is the password; without a hash False, after the same time."""
        ...


class Mailer(Protocol):
    @property
    def delivers(self) -> bool:
        """Whether e-mails reach their addresses, and not only the operator's log."""
        ...

    def send(self, to: Email, subject: str, text: str) -> None:
        """Send an e-mail in the background; without a mail server, write it to the operator's log."""
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
