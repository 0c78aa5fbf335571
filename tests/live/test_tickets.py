"""A ticket opens the document that it was asked for, once, while it lasts."""

from datetime import UTC, datetime

from domain.caller import Caller
from domain.values import Email
from live.tickets import TICKET_LIFETIME, TicketStore

ADA = Caller("ada", "Ada", Email("ada@example.com"))


def test_a_ticket_opens_its_own_document_once_and_only_in_time():
    now = datetime(2026, 11, 26, tzinfo=UTC)
    tickets = TicketStore(lambda: now)
    once, elsewhere, late = (tickets.issue(ADA, "plan", secret)[0] for secret in (1, 2, 3))
    assert [tickets.take(once, "plan"), tickets.take(once, "plan")] == [ADA, None]
    assert tickets.take(elsewhere, "memo") is None
    now += TICKET_LIFETIME
    assert tickets.take(late, "plan") is None
