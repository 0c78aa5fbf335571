"""OAuth clients, approvals and tokens: their values, lifetimes, and the rule that a code or refresh token is good once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from domain.errors import NOT_FOUND, Rejection
from domain.key import base62
from domain.redirect import RedirectKind, parse
from domain.values import AgentName, agent_name, bad

SCOPE = "drive"
MAX_REDIRECTS = 10
SECRET_LENGTH = 43  # base62 characters: 256 bits
# The name that edits of a client without one are credited to.
DEFAULT_CLIENT_NAME = AgentName("MCP client")

REQUEST_LASTS = timedelta(minutes=10)
CODE_LASTS = timedelta(seconds=60)
ACCESS_LASTS = timedelta(hours=1)
REFRESH_LASTS = timedelta(days=30)
FAMILY_LASTS = timedelta(days=180)
UNUSED_LASTS = timedelta(days=30)
APPROVAL_LASTS = timedelta(days=180)


class TokenKind(StrEnum):
    """Kinds of secrets; each has a prefix of its own, so that a leaked one is recognized."""

    access = "access"
    refresh = "refresh"
    code = "code"
    request = "request"


PREFIX: Mapping[TokenKind, str] = {
    TokenKind.access: "cda_",
    TokenKind.refresh: "cdf_",
    TokenKind.code: "cdc_",
    TokenKind.request: "cdq_",
}
_access = re.compile(rf"{PREFIX[TokenKind.access]}[0-9A-Za-z]{{{SECRET_LENGTH}}}")


@dataclass(frozen=True, slots=True)
class Client:
    """A public client that registered itself: its name is unverified, and it has no secret."""

    id: str
    name: str
    redirect_uris: tuple[str, ...]
    may_refresh: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ConnectedApp:
    """A client as one user approved it, for one resource and redirect URI; it acts in the organization of that moment."""

    id: str
    user_id: str
    client_id: str
    name: str
    scope: str
    resource: str
    redirect_uri: str
    organization_id: str | None
    connected_at: datetime
    last_used_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AppConnected:
    app: ConnectedApp


@dataclass(frozen=True, slots=True)
class AppDisconnected:
    """All tokens of the app are void from now on."""

    app_id: str
    user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A valid authorization request, stored while its user decides.

    `challenge` is the S256 code challenge, `resource` the one address at which the tokens will be good.
    """

    client_id: str
    redirect_uri: str
    state: str | None
    scope: str
    resource: str
    challenge: str


@dataclass(frozen=True, slots=True)
class PendingAuthorization:
    """An authorization request that waits for its user's decision, in the browser session `session_id` alone."""

    asked: AuthorizationRequest
    user_id: str
    session_id: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class PresentedToken:
    """A stored code or refresh token that a client presents.

    All tokens of one approval are one family: it began at `begun_at` and ends together.
    """

    kind: TokenKind
    family_id: str
    app_id: str
    client_id: str
    scope: str
    resource: str
    begun_at: datetime
    expires_at: datetime
    spent_at: datetime | None
    redirect_uri: str | None = None
    challenge: str | None = None


@dataclass(frozen=True, slots=True)
class StoredToken:
    """A secret as it is stored; `redirect_uri` and `challenge` are set for a code, which is bound to both."""

    kind: TokenKind
    digest: str
    expires_at: datetime
    redirect_uri: str | None = None
    challenge: str | None = None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The presented token is spent, and these replace it in the family."""

    given: tuple[StoredToken, ...]


@dataclass(frozen=True, slots=True)
class FamilyEnded:
    """Every token of the family is void."""


type Outcome = Exchanged | FamilyEnded | None


class TokenState(StrEnum):
    fresh = "fresh"
    spent = "spent"
    over = "over"


class Verdict(StrEnum):
    """`reused` (RFC 9700): presented a second time, by its client or a thief, who cannot be told apart: the family ends."""

    good = "good"
    reused = "reused"
    worthless = "worthless"


# INVARIANT: a code or refresh token is good once; the second time, however late, its family ends.
VERDICTS: Mapping[TokenState, Verdict] = {
    TokenState.fresh: Verdict.good,
    TokenState.spent: Verdict.reused,
    TokenState.over: Verdict.worthless,
}


def token_state(found: PresentedToken | None, now: datetime) -> TokenState:
    if found is None:
        return TokenState.over
    if found.spent_at is not None:
        return TokenState.spent
    return TokenState.over if found.expires_at <= now else TokenState.fresh


def verdict(found: PresentedToken | None, now: datetime) -> Verdict:
    return VERDICTS[token_state(found, now)]


def access_ends(begun_at: datetime, now: datetime) -> datetime:
    return min(now + ACCESS_LASTS, begun_at + FAMILY_LASTS)


def refresh_ends(begun_at: datetime, now: datetime) -> datetime:
    """Return the end of a new refresh token: 30 days from now, at most 180 days after the approval."""
    return min(now + REFRESH_LASTS, begun_at + FAMILY_LASTS)


def compose(kind: TokenKind, randomness: int) -> str:
    """Return a secret made of `randomness`, which must hold 256 bits or more."""
    return PREFIX[kind] + base62(randomness, SECRET_LENGTH)


def is_access_token(text: str) -> bool:
    """Whether `text` has the form of an access token; other texts need no look-up."""
    return _access.fullmatch(text) is not None


def client_name(text: str | None) -> AgentName | Rejection:
    """Return the name that edits will be credited to; one that is too long is refused, not cut."""
    return DEFAULT_CLIENT_NAME if text is None else agent_name(text, "client_name")


def redirect_uris(uris: Sequence[str]) -> tuple[str, ...] | Rejection:
    """Parse the redirect URIs of a registration."""
    if not 1 <= len(uris) <= MAX_REDIRECTS:
        return bad("redirect_uris", f"must be 1 to {MAX_REDIRECTS} addresses")
    if any(parse(uri) is None for uri in uris):
        return bad(
            "redirect_uris",
            "must each be https, http on this computer, or a scheme of the application's own, without a fragment",
        )
    return tuple(dict.fromkeys(uris))


def already_approved(app: ConnectedApp | None, asked: AuthorizationRequest) -> bool:
    """Whether the user approved exactly this request before and need not be asked again.

    Programs on the user's computer are always asked about: any other program there may listen at that port or scheme
    (RFC 8252, section 8.6).
    """
    place = parse(asked.redirect_uri)
    if app is None or place is None or place.kind is not RedirectKind.website:
        return False
    return (app.client_id, app.scope, app.resource, app.redirect_uri) == (
        asked.client_id,
        asked.scope,
        asked.resource,
        asked.redirect_uri,
    )


def disconnect(app: ConnectedApp | None, user_id: str) -> tuple[AppDisconnected, ...] | Rejection:
    if app is None or app.user_id != user_id:
        return NOT_FOUND
    return (AppDisconnected(app.id, user_id, app.name),)
