"""Sends invitations by e-mail, within the rates of who invites and of the invited address."""

from dataclasses import dataclass
from typing import Final

from accounts.emails import invitation_email
from accounts.ports import Mailer
from contract.errors import RejectionError
from domain.errors import Code, Rejection
from domain.values import Email
from edge.rate_limit import Rate, RateLimiter

EMAILS_TO_ADDRESS: Final = Rate("letters-sent", 5, 3_600.0)
"""Links and invitations to one address."""
_TOO_MANY = Rejection(
    Code.TOO_MANY_REQUESTS, "you made as many invitations as one person may in a day: wait until tomorrow"
)
_TOO_MANY_TO_ONE = Rejection(Code.TOO_MANY_REQUESTS, "`email` was sent several letters just now: wait an hour")


@dataclass(frozen=True, slots=True)
class InvitationMailer:
    """`limiter` is None where nothing is limited; `origin` has no slash at its end."""

    mailer: Mailer
    origin: str
    limiter: RateLimiter | None

    @property
    def mailed(self) -> bool:
        return self.mailer.delivers

    def count(self, by: str, address: Email) -> None:
        if self.limiter is None:
            return
        for rate, who, message in (
            (self.limiter.rates.invitations, by, _TOO_MANY),
            (EMAILS_TO_ADDRESS, address, _TOO_MANY_TO_ONE),
        ):
            verdict = self.limiter.spend(rate, who)
            if not verdict.allowed:
                raise RejectionError(message, verdict.retry_after)

    def send(self, to: Email, token: str, organization: str, by: str) -> None:
        written = invitation_email(self.origin, token, organization, by)
        self.mailer.send(to, written.subject, written.text)
