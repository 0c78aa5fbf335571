"""What an application may be given on somebody's behalf, how long each of it lasts, and what using it up twice means."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from domain.errors import NOT_FOUND, Rejection
from domain.key import base62
from domain.redirect import Kind as Place
from domain.redirect import parse
from domain.values import AgentName, agent_name, bad

SCOPE = "drive"
MAX_REDIRECTS = 10
SECRET_LENGTH = 43  # base62 characters: 256 bits
# What an application is called that does not say; its edits are credited to a name all the same.
NAMELESS = AgentName("MCP client")

REQUEST_LASTS = timedelta(minutes=10)
CODE_LASTS = timedelta(seconds=60)
ACCESS_LASTS = timedelta(hours=1)
REFRESH_LASTS = timedelta(days=30)
FAMILY_LASTS = timedelta(days=180)
UNUSED_LASTS = timedelta(days=30)
APPROVAL_LASTS = timedelta(days=180)


class Kind(StrEnum):
    """What is handed out; each has a form of its own, so that a leaked one is known for what it is."""

    access = "access"
    refresh = "refresh"
    code = "code"
    request = "request"


PREFIX: Mapping[Kind, str] = {Kind.access: "cda_", Kind.refresh: "cdf_", Kind.code: "cdc_", Kind.request: "cdq_"}
_access = re.compile(rf"{PREFIX[Kind.access]}[0-9A-Za-z]{{{SECRET_LENGTH}}}")


@dataclass(frozen=True, slots=True)
class Client:
    """A program that registered itself: nobody vouches for its name, and it has no secret."""

    id: str
    name: str
    redirect_uris: tuple[str, ...]
    refreshes: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ConnectedApp:
    """A client as one person approved it, for one redirect URI; it acts in the organization of that moment."""

    id: str
    user_id: str
    client_id: str
    name: str
    scope: str
    redirect_uri: str
    organization_id: str | None
    connected_at: datetime
    last_used_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AppConnected:
    app: ConnectedApp


@dataclass(frozen=True, slots=True)
class AppDisconnected:
    """Everything that the app was given is good for nothing from now on."""

    app_id: str
    user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Asked:
    """An authorization request that was found right: it is kept while its user decides.

    `challenge` is the S256 code challenge, `resource` the one address at which the tokens are to be good.
    """

    client_id: str
    redirect_uri: str
    state: str | None
    scope: str
    resource: str
    challenge: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """`session_id` is the only browser session that may decide."""

    asked: Asked
    user_id: str
    session_id: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Presented:
    """A code or a refresh token, as it is found when somebody comes with it.

    All that came of one approval is one family: it began at `begun_at` and dies together.
    """

    kind: Kind
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
class Kept:
    """A secret as it is kept: `redirect_uri` and `challenge` are of a code, which is bound to both."""

    kind: Kind
    digest: str
    expires_at: datetime
    redirect_uri: str | None = None
    challenge: str | None = None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What was presented is spent, and these take its place in the family."""

    given: tuple[Kept, ...]


@dataclass(frozen=True, slots=True)
class FamilyEnded:
    pass


type Outcome = Exchanged | FamilyEnded | None


class Standing(StrEnum):
    fresh = "fresh"
    spent = "spent"
    over = "over"


class Verdict(StrEnum):
    """`betrayed`: somebody has it who should not, and who of the two it is cannot be known: the family ends."""

    good = "good"
    betrayed = "betrayed"
    worthless = "worthless"


# INVARIANT: a code or refresh token is good once; the second time, however late, all that came of it ends.
VERDICTS: Mapping[Standing, Verdict] = {
    Standing.fresh: Verdict.good,
    Standing.spent: Verdict.betrayed,
    Standing.over: Verdict.worthless,
}


def standing(found: Presented | None, now: datetime) -> Standing:
    if found is None:
        return Standing.over
    if found.spent_at is not None:
        return Standing.spent
    return Standing.over if found.expires_at <= now else Standing.fresh


def verdict(found: Presented | None, now: datetime) -> Verdict:
    return VERDICTS[standing(found, now)]


def access_ends(begun_at: datetime, now: datetime) -> datetime:
    return min(now + ACCESS_LASTS, begun_at + FAMILY_LASTS)


def refresh_ends(begun_at: datetime, now: datetime) -> datetime:
    """Each use gives another 30 days, up to half a year after the approval."""
    return min(now + REFRESH_LASTS, begun_at + FAMILY_LASTS)


def compose(kind: Kind, randomness: int) -> str:
    """Return a secret made of `randomness`, which must hold 256 bits or more."""
    return PREFIX[kind] + base62(randomness, SECRET_LENGTH)


def is_access_token(text: str) -> bool:
    """Whether `text` has the form of an access token: what has not needs no look-up."""
    return _access.fullmatch(text) is not None


def client_name(text: str | None) -> AgentName | Rejection:
    """Return what edits will be credited to: a name as any agent's, refused rather than cut where it is too long."""
    return NAMELESS if text is None else agent_name(text, "client_name")


def redirects(uris: Sequence[str]) -> tuple[str, ...] | Rejection:
    """Return what may be registered as redirect URIs."""
    if not 1 <= len(uris) <= MAX_REDIRECTS:
        return bad("redirect_uris", f"must be 1 to {MAX_REDIRECTS} addresses")
    if any(parse(uri) is None for uri in uris):
        return bad(
            "redirect_uris",
            "must each be https, http on this computer, or a scheme of the application's own, without a fragment",
        )
    return tuple(dict.fromkeys(uris))


def remembered(app: ConnectedApp | None, asked: Asked) -> bool:
    """Whether its user approved exactly this before, and need not be asked again: another redirect is another question.

    Programs on a user's computer are always asked about: any other one there may listen at that port or scheme (RFC
    8252, section 8.6).
    """
    place = parse(asked.redirect_uri)
    if app is None or place is None or place.kind is not Place.website:
        return False
    return (app.client_id, app.scope, app.redirect_uri) == (
        asked.client_id,
        asked.scope,
        asked.redirect_uri,
    )


def disconnect(app: ConnectedApp | None, user_id: str) -> tuple[AppDisconnected, ...] | Rejection:
    if app is None or app.user_id != user_id:
        return NOT_FOUND
    return (AppDisconnected(app.id, user_id, app.name),)
