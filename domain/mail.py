"""E-mails to be sent, as they wait: what they are about, and no secret."""

from dataclasses import dataclass
from enum import StrEnum

from domain.email_link import Purpose
from domain.values import Email


@dataclass(frozen=True, slots=True)
class LinkMail:
    """Brings a one-time link, whose secret is made when it is sent; `query` says where the link leads in the end."""

    to: Email
    link_id: str
    purpose: Purpose
    query: str = ""


@dataclass(frozen=True, slots=True)
class NoAccountMail:
    """Says that the address has no account, and that sign-up is closed."""

    to: Email


@dataclass(frozen=True, slots=True)
class InvitationMail:
    """Brings an invitation, whose token is made when it is sent; `by` is the name of who invites."""

    to: Email
    invitation_id: str
    by: str


@dataclass(frozen=True, slots=True)
class ShareMail:
    """Tells of an item that the user `user_id`, of the name `by`, shared with the address."""

    to: Email
    item_id: str
    user_id: str
    by: str
    message: str


type Mail = LinkMail | NoAccountMail | InvitationMail | ShareMail


class MailOutcome(StrEnum):
    """What became of an e-mail: `dropped` has nothing to say any more, or went beyond a rate; `given_up` was tried often enough."""

    sent = "sent"
    dropped = "dropped"
    given_up = "given_up"


@dataclass(frozen=True, slots=True)
class WaitingMail:
    """An e-mail whose attempt number `attempt` begins; the first is 1."""

    id: int
    mail: Mail
    attempt: int
