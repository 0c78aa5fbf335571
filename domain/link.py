"""E-mail links: their purposes and lifetimes; each works once."""

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
    prove_address = "prove_address"


LASTS: Mapping[Purpose, timedelta] = {
    Purpose.sign_in: timedelta(days=7),
    Purpose.sign_up: timedelta(days=1),
    Purpose.reset_password: timedelta(hours=1),
    Purpose.prove_address: timedelta(days=1),
}


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is kept, under the digest of its secret; `user_id` is None where there is no account yet.

    `mailed`: its secret was mailed to the address, so that whoever has it reads that mail. Only this proves the address.
    """

    id: str
    purpose: Purpose
    email: Email
    user_id: str | None
    expires_at: datetime
    mailed: bool


@dataclass(frozen=True, slots=True)
class LinkMade:
    link: Link
    digest: str


@dataclass(frozen=True, slots=True)
class LinkUsed:
    link_id: str


def make(
    link_id: str, purpose: Purpose, email: Email, user_id: str | None, now: datetime, digest: str, *, mailed: bool
) -> LinkMade:
    return LinkMade(Link(link_id, purpose, email, user_id, now + LASTS[purpose], mailed), digest)


def use(link: Link | None, purpose: Purpose, now: datetime) -> LinkUsed | Rejection:
    """Say that a link is used up: used, expired, unknown and made for something else are one answer."""
    if link is None or link.purpose is not purpose or link.expires_at <= now:
        return NOT_FOUND
    return LinkUsed(link.id)
