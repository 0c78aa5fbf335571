"""One-time links sent by e-mail: their purposes, lifetimes and use."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from domain.errors import NOT_FOUND, Rejection
from domain.values import Email

SECRET_LENGTH = 32


class Purpose(StrEnum):
    sign_in = "sign_in"
    sign_up = "sign_up"
    reset_password = "reset_password"  # noqa: S105 - the name of a purpose
    verify_email = "verify_email"


LIFETIMES: Mapping[Purpose, timedelta] = {
    Purpose.sign_in: timedelta(days=7),
    Purpose.sign_up: timedelta(days=1),
    Purpose.reset_password: timedelta(hours=1),
    Purpose.verify_email: timedelta(days=1),
}


@dataclass(frozen=True, slots=True)
class EmailLink:
    """A link, stored under the digest of its secret; `user_id` is None where there is no account yet.

    `mailed`: the secret was sent to the address by e-mail, so its holder reads that mail. Only this verifies the address.
    """

    id: str
    purpose: Purpose
    email: Email
    user_id: str | None
    expires_at: datetime
    mailed: bool


@dataclass(frozen=True, slots=True)
class LinkMade:
    link: EmailLink
    digest: str


@dataclass(frozen=True, slots=True)
class LinkUsed:
    link_id: str


def make(
    link_id: str, purpose: Purpose, email: Email, user_id: str | None, now: datetime, digest: str, *, mailed: bool
) -> LinkMade:
    return LinkMade(EmailLink(link_id, purpose, email, user_id, now + LIFETIMES[purpose], mailed), digest)


def use(link: EmailLink | None, purpose: Purpose, now: datetime) -> LinkUsed | Rejection:
    """Use up a link; used, expired, unknown and made for another purpose are one answer."""
    if link is None or link.purpose is not purpose or link.expires_at <= now:
        return NOT_FOUND
    return LinkUsed(link.id)
