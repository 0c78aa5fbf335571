"""The tickets of worlds that have no database."""

from collections.abc import Callable
from datetime import datetime

from domain import key, ticket


class Tickets:
    def __init__(self, now: Callable[[], datetime]) -> None:
        self.now = now
        self.issued: dict[str, tuple[str, str, datetime]] = {}

    async def issue(self, holder: str, opens: str, secret: int) -> tuple[str, datetime]:
        made, ends = ticket.compose(secret), self.now() + ticket.LIFETIME
        self.issued[key.digest(made)] = holder, opens, ends
        return made, ends

    async def take(self, shown: str, opens: str) -> str | None:
        issued = self.issued.pop(key.digest(shown), None)
        if issued is None:
            return None
        holder, what, ends = issued
        return holder if what == opens and ends > self.now() else None
