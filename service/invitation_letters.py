"""Sends invitations: by mail to whoever is invited, or else into the operator's log; counted by who makes them."""

from dataclasses import dataclass

from domain.errors import Code, Rejection
from domain.values import Email
from graphql_api.errors import RejectionError
from graphql_api.rates import Buckets
from web.letters import invitation
from web.ports import Post
from web.sign_up import SENT

_TOO_MANY = Rejection(
    Code.TOO_MANY_REQUESTS, "you made as many invitations as one person may in a day: wait until tomorrow"
)
_TOO_MANY_TO_ONE = Rejection(Code.TOO_MANY_REQUESTS, "`email` was sent several letters just now: wait an hour")


@dataclass(frozen=True, slots=True)
class InvitationLetters:
    """`buckets` is None where nothing is limited; `origin` has no slash at its end."""

    post: Post
    origin: str
    buckets: Buckets | None

    @property
    def mailed(self) -> bool:
        return self.post.delivers

    def count(self, by: str, address: Email) -> None:
        if self.buckets is None:
            return
        for rate, who, said in ((self.buckets.rates.invitations, by, _TOO_MANY), (SENT, address, _TOO_MANY_TO_ONE)):
            verdict = self.buckets.spend(rate, who)
            if not verdict.allowed:
                raise RejectionError(said, verdict.retry_after)

    def send(self, to: Email, token: str, organization: str, by: str) -> None:
        written = invitation(self.origin, token, organization, by)
        self.post.send(to, written.subject, written.text)
