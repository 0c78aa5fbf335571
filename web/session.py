"""Who is looking at a page: what a cookie says, and whether a form was really sent from one of our own pages."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.errors import Rejection, forbidden
from domain.session import PREFIX, SECRET_LENGTH, Session
from graphql_api.caller import Caller
from rest_adapter.origins import own_origins
from web.ports import Sessions

NAME: Final = "codrive"
CSRF_FIELD: Final = "csrf"
CSRF_HEADER: Final = "x-codrive-csrf"
_form: Final = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{SECRET_LENGTH}}}")
FORGED: Final = forbidden("send this form from another site: open the page again and repeat what you did")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody signed in; `csrf` is what a form of theirs carries in the hidden field `csrf`."""

    caller: Caller
    session: Session
    csrf: str


@dataclass(frozen=True, slots=True)
class Cookies:
    """The one cookie: its name, what it looks like when set, and how it is read. `origin` has no slash at its end."""

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
        pairs = [pair.strip().partition("=") for pair in headers.get("cookie", "").split(";")]
        found = [value for name, _, value in pairs if name == self.name]
        return found[0] if len(found) == 1 and _form.fullmatch(found[0]) else None

    def set(self, secret: str, seconds: int) -> str:
        """Return the `Set-Cookie` that keeps a new session."""
        return f"{self.name}={secret}; Max-Age={seconds}; {self._attributes}"

    def clear(self) -> str:
        return f"{self.name}=; Max-Age=0; {self._attributes}"

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


async def visitor_of(headers: Mapping[str, str], cookies: Cookies, sessions: Sessions) -> Visitor | None:
    secret = cookies.secret(headers)
    found = await sessions.holder(secret) if secret else None
    if secret is None or found is None:
        return None
    identity, session = found
    caller = Caller(
        identity.user_id,
        identity.name,
        identity.email,
        None,
        identity.organization_id,
        None,
        identity.session_id,
    )
    return Visitor(caller, session, csrf_of(secret))


def forged(
    headers: Mapping[str, str], cookies: Cookies, visitor: Visitor | None, form: Mapping[str, str]
) -> Rejection | None:
    """Refuse a form that none of our pages sent, or that was not made for this session."""
    if not cookies.is_own(headers):
        return FORGED
    if visitor and not hmac.compare_digest(form.get(CSRF_FIELD, "").encode(), visitor.csrf.encode()):
        return FORGED
    return None
