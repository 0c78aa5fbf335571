"""OAuth clients, approvals and tokens: their values, lifetimes, and the rule that a code or refresh token is good once."""

import hmac
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
REPEAT_LASTS = timedelta(seconds=30)  # in which a client gets the same successor of a refresh token again
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

    All tokens of one approval are one family: it began at `begun_at` and ends together. `salt` is that of a refresh token
    that was spent lately (`successor`).
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
    salt: str | None = None


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
    """The presented token is spent, and these replace it in the family; `salt` is what they were made of, if anything."""

    given: tuple[StoredToken, ...]
    salt: str | None = None


@dataclass(frozen=True, slots=True)
class FamilyEnded:
    """Every token of the family is void."""


type Outcome = Exchanged | FamilyEnded | None


class TokenState(StrEnum):
    fresh = "fresh"
    repeated = "repeated"
    spent = "spent"
    over = "over"


class Verdict(StrEnum):
    """`again`: a refresh token that its client spent a moment ago, as two of its windows do: it gets the same answer.

    `reused` (RFC 9700): presented a second time, by its client or a thief, who cannot be told apart: the family ends.
    """

    good = "good"
    again = "again"
    reused = "reused"
    worthless = "worthless"


# INVARIANT: a code or refresh token has one successor; presented again, but for `repeated`, however late, its family ends.
VERDICTS: Mapping[TokenState, Verdict] = {
    TokenState.fresh: Verdict.good,
    TokenState.repeated: Verdict.again,
    TokenState.spent: Verdict.reused,
    TokenState.over: Verdict.worthless,
}


def token_state(found: PresentedToken | None, client_id: str | None, now: datetime) -> TokenState:
    """Return the state of a code or token that the client presents."""
    if found is None:
        return TokenState.over
    if found.spent_at is not None:
        is_repeated = found.salt is not None and found.client_id == client_id and now < found.spent_at + REPEAT_LASTS
        return TokenState.repeated if is_repeated else TokenState.spent
    return TokenState.over if found.expires_at <= now else TokenState.fresh


def verdict(found: PresentedToken | None, client_id: str | None, now: datetime) -> Verdict:
    return VERDICTS[token_state(found, client_id, now)]


def access_ends(begun_at: datetime, now: datetime) -> datetime:
    return min(now + ACCESS_LASTS, begun_at + FAMILY_LASTS)


def refresh_ends(begun_at: datetime, now: datetime) -> datetime:
    """Return the end of a new refresh token: 30 days from now, at most 180 days after the approval."""
    return min(now + REFRESH_LASTS, begun_at + FAMILY_LASTS)


def compose(kind: TokenKind, randomness: int) -> str:
    """Return a secret made of `randomness`, which must hold 256 bits or more."""
    return PREFIX[kind] + base62(randomness, SECRET_LENGTH)


def successor(kind: TokenKind, refresh_token: str, salt: str) -> str:
    """Return the secret that replaces a refresh token.

    It takes both the token, which only its client holds, and the salt, which only the server does, and not for long.
    """
    made = hmac.digest(refresh_token.encode(), f"{kind} {salt}".encode(), "sha256")
    return compose(kind, int.from_bytes(made))


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
