"""Writes the e-mails that wait, with secrets made for this attempt alone: what waits has none."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from accounts.emails import EmailText, invitation_email, link_email, no_account_email, share_email
from domain import email_link
from domain.email_link import Purpose
from domain.key import base62, digest
from domain.mail import InvitationMail, LinkMail, Mail, NoAccountMail, ShareMail
from domain.organization import invitation_token
from domain.questions import ItemFor
from edge.rate_limit import Rate, RateLimiter
from graphql_api.ports import Clock, Secrets, StateReader
from graphql_api.views import item_url

SHARES_TO_ADDRESS: Final = Rate("share-letters", 20, 3_600.0)
SHARES_BY_USER: Final = Rate("share-letters-by", 200, 3_600.0)


class SecretDigests(Protocol):
    """Where the digests of links and invitations are kept."""

    async def renew_link(self, link_id: str, purpose: Purpose, digest: str, now: datetime, *, mailed: bool) -> bool:
        """Give a link another secret; False where it was used or is over."""
        ...

    async def renew_invitation(self, invitation_id: str, digest: str, now: datetime, *, mailed: bool) -> str | None:
        """Give an invitation another token; return the organization's name, or None where it stands no more."""
        ...


@dataclass(frozen=True, slots=True)
class MailWriter:
    """`delivers`: e-mails reach their addresses, and not only the operator's log. `origin` has no slash at its end."""

    reader: StateReader
    kept: SecretDigests
    clock: Clock
    random_bits: Secrets
    origin: str
    delivers: bool
    limiter: RateLimiter = field(default_factory=RateLimiter)

    async def write(self, mail: Mail, *, is_first: bool) -> EmailText | None:
        """Return the text of an e-mail at its first attempt or a later one; None where there is nothing to say any more."""
        match mail:
            case LinkMail():
                return await self._link(mail)
            case NoAccountMail():
                return no_account_email()
            case InvitationMail():
                return await self._invitation(mail)
            case ShareMail():
                return await self._share(mail) if not is_first or self._is_within_rates(mail) else None

    async def _link(self, mail: LinkMail) -> EmailText | None:
        secret = base62(self.random_bits(), email_link.SECRET_LENGTH)
        made, now = digest(secret), self.clock()
        if not await self.kept.renew_link(mail.link_id, mail.purpose, made, now, mailed=self.delivers):
            return None
        return link_email(self.origin, mail.purpose, secret, mail.query)

    async def _invitation(self, mail: InvitationMail) -> EmailText | None:
        token = invitation_token(self.random_bits())
        made, now = digest(token), self.clock()
        name = await self.kept.renew_invitation(mail.invitation_id, made, now, mailed=self.delivers)
        return None if name is None else invitation_email(self.origin, token, name, mail.by)

    async def _share(self, mail: ShareMail) -> EmailText | None:
        """Return the same whether or not the address has an account."""
        facts = await self.reader.read(ItemFor(mail.user_id, mail.item_id))
        if facts is None or not self.delivers:
            return None
        return share_email(self.origin, mail.by, facts.item.name, item_url(facts.item, self.origin), mail.message)

    def _is_within_rates(self, mail: ShareMail) -> bool:
        """Count the e-mail; false where its address, or the user, had too many lately."""
        return (
            self.limiter.spend(SHARES_BY_USER, mail.user_id).allowed
            and self.limiter.spend(SHARES_TO_ADDRESS, mail.to).allowed
        )
