"""Looks up the visitor of a page by the cookie, and checks that a form came from one of our own pages."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.caller import Caller
from domain.errors import Rejection, forbidden
from domain.session import Session
from edge.cookies import Cookies
from web.ports import Sessions

CSRF_FIELD: Final = "csrf"
FORGED: Final = forbidden("send this form from another site: open the page again and repeat what you did")


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in visitor; their forms carry `csrf` in the hidden field `csrf`.

    `flash_key` encrypts the messages that a page shows once (`web.flash`): 32 bytes.
    """

    caller: Caller
    session: Session
    csrf: str
    flash_key: bytes = field(repr=False)


def csrf_of(secret: str) -> str:
    """Return the token that proves that a form was made for this session: one-way from its secret."""
    return hmac.new(secret.encode(), b"a form of this session", hashlib.sha256).hexdigest()


def flash_key_of(secret: str) -> bytes:
    """Return the key that seals what this session is shown once: one-way from its secret."""
    return hmac.new(secret.encode(), b"what this session is shown once", hashlib.sha256).digest()


async def visitor_of(headers: Mapping[str, str], cookies: Cookies, sessions: Sessions) -> Visitor | None:
    secret = cookies.secret(headers)
    found = await sessions.signed_in(secret) if secret else None
    if secret is None or found is None:
        return None
    return Visitor(found.caller, found.session, csrf_of(secret), flash_key_of(secret))


def forged(
    headers: Mapping[str, str], cookies: Cookies, visitor: Visitor | None, form: Mapping[str, str]
) -> Rejection | None:
    """Refuse a form that none of our pages sent, or that was not made for this session."""
    if not cookies.is_own(headers):
        return FORGED
    if visitor and not hmac.compare_digest(form.get(CSRF_FIELD, "").encode(), visitor.csrf.encode()):
        return FORGED
    return None
