"""What pages need from outside beside state and operations: `service` says who provides it."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from domain.caller import Caller
from domain.session import Session
from domain.values import Email


class Sessions(Protocol):
    async def holder(self, secret: str) -> tuple[Caller, Session] | None:
        """Return who is signed in with the cookie's secret, or None; noted as seen."""
        ...


class Operations(Protocol):
    async def __call__(self, caller: Caller, name: str, variables: Mapping[str, object]) -> Mapping[str, Any]:
        """Run one of the pages' own GraphQL documents (`web/pages.graphql`) and return its data; raises Refused."""
        ...


class Passwords(Protocol):
    """Slow on purpose, so never on the event loop."""

    async def hashed(self, password: str) -> str: ...

    async def fits(self, password: str, password_hash: str | None) -> bool:
        """Whether it is the password; without a hash as slow as with one, and never."""
        ...


class Post(Protocol):
    @property
    def delivers(self) -> bool:
        """Whether letters reach anybody but the operator."""
        ...

    def send(self, to: Email, subject: str, text: str) -> None:
        """Send a letter, in the background; where there is no mail it goes to the operator's log."""
        ...


Seen = Callable[[str], None]
"""Told the id of each session that made a request."""
