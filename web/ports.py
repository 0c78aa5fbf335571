"""Ports of the pages beside state and operations, which `service` provides."""

from typing import Protocol

from domain.questions import SignedIn


class Sessions(Protocol):
    async def signed_in(self, secret: str) -> SignedIn | None:
        """Return who is signed in with the cookie's secret, or None; noted as seen."""
        ...
