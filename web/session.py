"""Looks up the visitor of a page by the cookie, and checks that a form came from one of our own pages."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.caller import Caller
from domain.errors import Rejection, forbidden
from domain.session import PREFIX, SECRET_LENGTH, Session
from edge.own_origins import own_origins
from web.ports import Sessions

NAME: Final = "codrive"
CSRF_FIELD: Final = "csrf"
CSRF_HEADER: Final = "x-codrive-csrf"
_form: Final = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{SECRET_LENGTH}}}")
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


@dataclass(frozen=True, slots=True)
class Cookies:
    """The cookies: their names, what they look like when set, how they are read. `origin` has no slash at its end."""

    origin: str
    name: str = field(init=False)
    own: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", f"__Host-{NAME}" if self.secure else NAME)
        object.__setattr__(self, "own", own_origins(self.origin))

    @property
    def secure(self) -> bool:
        return self.origin.startswith("https://")

    def secret(self, headers: Mapping[str, str]) -> str | None:
        """Return the session's secret among the request's cookies: the only one of the name, well-formed."""
        found = self.value(headers, self.name)
        return found if found is not None and _form.fullmatch(found) else None

    def beside(self, name: str) -> str:
        """Return the name of another cookie of ours, which no other host can set either."""
        return f"{self.name}-{name}"

    def value(self, headers: Mapping[str, str], name: str) -> str | None:
        """Return the value of the request's only cookie of the name."""
        pairs = [pair.strip().partition("=") for pair in headers.get("cookie", "").split(";")]
        found = [value for each, _, value in pairs if each == name]
        return found[0] if len(found) == 1 else None

    def set(self, secret: str, seconds: int) -> str:
        """Return the `Set-Cookie` that keeps a new session."""
        return self.made(self.name, secret, seconds)

    def clear(self) -> str:
        return self.made(self.name, "", 0)

    def made(self, name: str, value: str, seconds: int) -> str:
        """Return a `Set-Cookie`; one that lasts no time clears the cookie."""
        return f"{name}={value}; Max-Age={seconds}; {self._attributes}"

    @property
    def _attributes(self) -> str:
        return "Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if self.secure else "")

    def is_own(self, headers: Mapping[str, str]) -> bool:
        """Whether a request was made by one of our own pages, as the browser itself says.

        `Origin` must be exactly ours; only where a browser sends none does `Sec-Fetch-Site` count.
        """
        origin = headers.get("origin")
        if origin is not None:
            return origin in self.own
        return headers.get("sec-fetch-site") == "same-origin"


def csrf_of(secret: str) -> str:
    """Return the token that proves that a form was made for this session: one-way from its secret."""
    return hmac.new(secret.encode(), b"a form of this session", hashlib.sha256).hexdigest()


def flash_key_of(secret: str) -> bytes:
    """Return the key that seals what this session is shown once: one-way from its secret."""
    return hmac.new(secret.encode(), b"what this session is shown once", hashlib.sha256).digest()


async def visitor_of(headers: Mapping[str, str], cookies: Cookies, sessions: Sessions) -> Visitor | None:
    secret = cookies.secret(headers)
    found = await sessions.holder(secret) if secret else None
    if secret is None or found is None:
        return None
    caller, session = found
    return Visitor(caller, session, csrf_of(secret), flash_key_of(secret))


def forged(
    headers: Mapping[str, str], cookies: Cookies, visitor: Visitor | None, form: Mapping[str, str]
) -> Rejection | None:
    """Refuse a form that none of our pages sent, or that was not made for this session."""
    if not cookies.is_own(headers):
        return FORGED
    if visitor and not hmac.compare_digest(form.get(CSRF_FIELD, "").encode(), visitor.csrf.encode()):
        return FORGED
    return None
