"""Keeps the e-mails to be sent until they were: written with the change that causes them, and taken by the server that leads.

To take one counts an attempt and puts the next one off, so that a server that dies while it sends leaves it to the next.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from domain.email_link import LIFETIMES, Purpose
from domain.mail import MailOutcome, WaitingMail
from persistence.postgres.connections import Connection
from persistence.statements import ResultRow
from persistence.store import PostgresStore
from persistence.waiting_mails import KINDS, mail_of

AT_ONCE: Final = 20
# What a later release has wait is its own to send.
_WAITS: Final = "outcome is null and kind = any(%(kinds)s)"
_COUNT: Final = f"select count(*), count(*) filter (where due_at <= now()) from outbox where {_WAITS}"
_TAKE: Final = f"""
with due as (
    select id from outbox where {_WAITS} and due_at <= now() order by due_at limit {AT_ONCE}
    for update skip locked)
update outbox o set attempts = attempts + 1,
    due_at = now() + make_interval(secs => (%(pauses)s::float8[])[least(attempts + 1, cardinality(%(pauses)s::float8[]))])
from due where o.id = due.id returning o.id, o.kind, o.details::text, o.attempts"""
_END: Final = """
update outbox set outcome = %(outcome)s, details = '{}', due_at = now() where id = %(id)s and outcome is null"""
_LINK: Final = """
update link set digest = %(digest)s, mailed = %(mailed)s, expires_at = greatest(expires_at, %(now)s + %(lifetime)s)
where id = %(id)s::uuid and expires_at > %(now)s returning ''"""
_INVITATION: Final = """
update invitation i set digest = %(digest)s, mailed = %(mailed)s from organization o
where i.id = %(id)s::uuid and i.expires_at > %(now)s and o.id = i.organization_id returning o.name"""


class Outbox:
    """`pauses` are the seconds from each attempt to the next."""

    def __init__(self, store: PostgresStore, pauses: Sequence[float]) -> None:
        self._store = store
        self._pauses = list(pauses)

    async def count(self) -> tuple[int, int]:
        """Return how many e-mails wait, and how many of them are due."""
        ((waiting, due),) = await self._run(_COUNT, {"kinds": [*KINDS]})
        return waiting, due

    async def take(self) -> list[WaitingMail]:
        """Begin an attempt of some that are due."""
        taken = await self._run(_TAKE, {"pauses": self._pauses, "kinds": [*KINDS]})
        return [WaitingMail(number, mail_of(kind, details), attempt) for number, kind, details, attempt in taken]

    async def end(self, number: int, outcome: MailOutcome) -> None:
        await self._run(_END, {"id": number, "outcome": outcome.value})

    async def renew_link(self, link_id: str, purpose: Purpose, digest: str, now: datetime, *, mailed: bool) -> bool:
        """Give a link another secret, and its whole lifetime; False where it was used or is over."""
        values = {"id": link_id, "digest": digest, "mailed": mailed, "now": now, "lifetime": LIFETIMES[purpose]}
        return bool(await self._run(_LINK, values))

    async def renew_invitation(self, invitation_id: str, digest: str, now: datetime, *, mailed: bool) -> str | None:
        """Give an invitation another token; return the organization's name, or None where it stands no more."""
        found = await self._run(_INVITATION, {"id": invitation_id, "digest": digest, "mailed": mailed, "now": now})
        return str(found[0][0]) if found else None

    async def _run(self, statement: str, values: Mapping[str, object]) -> list[ResultRow]:
        return await self._store.autocommit(partial(_run, statement=statement, values=values))


async def _run(connection: Connection, statement: str, values: Mapping[str, object]) -> list[ResultRow]:
    cursor = await connection.execute(statement.encode(), values, prepare=True)
    return await cursor.fetchall() if cursor.description else []
