"""A ticket opens what it was asked for, once, while it lasts, at any process on the database."""

from domain.caller import Caller, Credential, CredentialKind
from domain.values import Email
from persistence.store import PostgresStore
from persistence.tickets import TicketTable

ADA = Caller("ada", "Ada", Email("ada@example.com"), "Scribe", "acme", Credential(CredentialKind.KEY, "key", "digest"))
BEN = Caller("ben", "Ben", Email("ben@example.com"))


async def test_a_ticket_opens_its_own_document_once_and_only_in_time(store):
    tickets = TicketTable(store)
    once, elsewhere, late = [(await tickets.issue(ADA, "plan", secret))[0] for secret in (1, 2, 3)]
    assert [await tickets.take(once, "plan"), await tickets.take(once, "plan")] == [ADA, None]
    assert await tickets.take(elsewhere, "memo") is None
    assert await tickets.take(elsewhere, "plan") is None
    async with store.writers.connection() as connection:
        await connection.execute("update ticket set expires_at = expires_at - interval '30 seconds'")
    assert await tickets.take(late, "plan") is None


async def test_a_ticket_of_one_process_is_taken_at_another(store):
    async with PostgresStore(store.url, readers=1, writers=1) as other:
        ticket, _ = await TicketTable(store).issue(BEN, "plan", 1)
        assert await TicketTable(other).take(ticket, "plan") == BEN
        assert await TicketTable(store).take(ticket, "plan") is None


async def test_tickets_that_are_over_go_when_another_is_issued(store):
    tickets = TicketTable(store)
    await tickets.issue(ADA, "plan", 1)
    async with store.writers.connection() as connection:
        await connection.execute("update ticket set expires_at = expires_at - interval '30 seconds'")
        await tickets.issue(BEN, "plan", 2)
        assert await (await connection.execute("select count(*) from ticket")).fetchone() == (1,)
