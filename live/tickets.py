"""Tickets: each opens one document, or a socket of GraphQL, once and within 30 seconds, for clients that cannot send headers."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from domain import key
from domain.caller import Caller
from live.protocol import TICKET

TICKET_LIFETIME: Final = timedelta(seconds=30)
SECRET_LENGTH: Final = 32
MAX_TICKETS: Final = 100_000


@dataclass(frozen=True, slots=True)
class _Issued:
    holder: Caller
    opens: str
    expires_at: datetime


class TicketStore:
    """The tickets of one process; like keys they are kept by their digests alone."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._issued: dict[str, _Issued] = {}  # in the order in which they expire

    def issue(self, holder: Caller, opens: str, secret: int) -> tuple[str, datetime]:
        """Return a ticket made of a fresh secret, and when it ends."""
        now = self._now()
        self._forget(now)
        ticket = TICKET + key.base62(secret, SECRET_LENGTH)
        self._issued[key.digest(ticket)] = _Issued(holder, opens, now + TICKET_LIFETIME)
        return ticket, now + TICKET_LIFETIME

    def take(self, ticket: str, opens: str) -> Caller | None:
        """Return whose ticket it is, and let nobody use it again; None where it opens nothing."""
        issued = self._issued.pop(key.digest(ticket), None)
        if issued is None or issued.opens != opens or issued.expires_at <= self._now():
            return None
        return issued.holder

    def _forget(self, now: datetime) -> None:
        for digest, issued in list(self._issued.items()):
            if issued.expires_at > now and len(self._issued) < MAX_TICKETS:
                break
            del self._issued[digest]
