"""What pages need from outside beside operations and use cases: `service` says who provides it."""

from typing import Protocol

from domain.caller import Caller
from domain.session import Session


class Sessions(Protocol):
    async def holder(self, secret: str) -> tuple[Caller, Session] | None:
        """Return who is signed in with the cookie's secret, or None; noted as seen."""
        ...
