"""Sends e-mails about shares to the addresses that they were given to."""

import asyncio
from dataclasses import dataclass, field

from accounts.emails import share_email
from accounts.ports import Mailer
from domain.commit import AuditEntry, Commit, event_type
from domain.errors import Unavailable
from domain.questions import ItemFor
from domain.share import ItemShared
from domain.values import Email
from edge.rate_limit import Rate, RateLimiter
from graphql_api.ports import StateReader
from graphql_api.views import item_url

SENT = Rate("share-letters", 20, 3_600.0)  # to one address
BY_ONE = Rate("share-letters-by", 200, 3_600.0)  # by one user
ITEM_SHARED = event_type(ItemShared)


@dataclass(frozen=True, slots=True)
class ShareMailer:
    """A listener of commits with `ITEM_SHARED`. The letter is the same whether or not the address has an account."""

    reader: StateReader
    mailer: Mailer
    origin: str
    limiter: RateLimiter = field(default_factory=RateLimiter)
    sending: set[asyncio.Task[None]] = field(default_factory=set)

    def committed(self, commit: Commit) -> None:
        if not commit.is_local:  # the process that committed it sends the e-mail
            return
        for entry in commit.entries:
            if entry.type == ITEM_SHARED and self._is_allowed(entry):
                task = asyncio.get_running_loop().create_task(self._send(entry))
                self.sending.add(task)
                task.add_done_callback(self.sending.discard)

    def _is_allowed(self, share: AuditEntry) -> bool:
        """Count the letter; false where its address, or the user, had too many lately."""
        return (
            self.limiter.spend(BY_ONE, share.by.user_id).allowed and self.limiter.spend(SENT, _address(share)).allowed
        )

    async def _send(self, share: AuditEntry) -> None:
        try:
            facts = await self.reader.read(ItemFor(share.by.user_id, share.item_id or ""))
        except Unavailable:
            return
        if facts:
            written = share_email(
                self.origin, share.by.name, facts.item.name, item_url(facts.item, self.origin), share.message
            )
            self.mailer.send(_address(share), written.subject, written.text)


def _address(share: AuditEntry) -> Email:
    return Email(str(share.details["email"]))
