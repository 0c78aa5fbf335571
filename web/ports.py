"""Ports of the pages beside state and operations, which `service` provides."""

from typing import Protocol

from domain.caller import Caller
from domain.session import Session


class Sessions(Protocol):
    async def holder(self, secret: str) -> tuple[Caller, Session] | None:
        """Return who is signed in with the cookie's secret, or None; noted as seen."""
        ...
