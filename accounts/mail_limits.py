"""The rates at which users and addresses are sent invitations."""

from dataclasses import dataclass
from typing import Final

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
class MailLimits:
    """`limiter` is None where nothing is limited; `delivers`: e-mails reach their addresses."""

    delivers: bool
    limiter: RateLimiter | None

    def count_invitation(self, by: str, address: Email) -> None:
        if self.limiter is None:
            return
        for rate, who, message in (
            (self.limiter.rates.invitations, by, _TOO_MANY),
            (EMAILS_TO_ADDRESS, address, _TOO_MANY_TO_ONE),
        ):
            verdict = self.limiter.spend(rate, who)
            if not verdict.allowed:
                raise RejectionError(message, verdict.retry_after)
