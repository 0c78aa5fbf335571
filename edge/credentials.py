"""Identifies the caller of a request by their credential, looked up anew: a key, a bearer token or a browser's session."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final, Protocol
from urllib.parse import unquote_to_bytes

from litestar.types.asgi_types import RawHeaders

from domain.caller import Caller, CredentialKind, acting_through
from domain.errors import Rejection, forbidden
from domain.key import LOOKS_LIKE_A_KEY, digest, is_key
from domain.oauth import is_access_token
from domain.questions import Question, SignedIn, WhoHoldsKey, WhoIsSignedIn
from domain.session import Lifetimes
from domain.values import agent_header, bad
from edge.cookies import CSRF_HEADER, Cookies

type FindCaller = Callable[[str], Awaitable[Caller | None]]
"""Looks a credential up, anew for each request, so that a revoked one is refused at once."""
type FindBearer = Callable[[AccessPoint, str], Awaitable[Caller | None]]
"""Looks an access token up, which is good at one part of the server."""

KEY_HEADER: Final = b"x-api-key"
AUTHORIZATION: Final = b"authorization"
AGENT_HEADER: Final = b"x-service-agent"
KEY_CHALLENGE: Final = b'ApiKey realm="codrive"'
NOT_OURS: Final = forbidden(
    f"use the session of a browser from another site, nor without saying so: send the header `{CSRF_HEADER}: 1`"
)
_named_like_a_key: Final = re.compile(rb"(?:^|[&;])(?:x[-_])?api[-_]?key(?:=|[&;]|$)", re.IGNORECASE)


class AccessPoint(Enum):
    """A part of the server that takes credentials."""

    REST = "rest"
    IMAGES = "images"  # reading them
    IMAGE_UPLOADS = "image-uploads"  # beside those over REST
    GRAPHQL = "graphql"  # requests and sockets
    COLLABORATION = "collaboration"  # documents can also be opened with a ticket, inside the connection
    MCP = "mcp"
    MCP_FULL = "mcp-full"
    PAGES = "pages"


ACCEPTED: Final[Mapping[AccessPoint, frozenset[CredentialKind]]] = {
    AccessPoint.REST: frozenset({CredentialKind.KEY}),
    AccessPoint.IMAGES: frozenset({CredentialKind.KEY, CredentialKind.SESSION}),
    AccessPoint.IMAGE_UPLOADS: frozenset({CredentialKind.KEY, CredentialKind.SESSION}),
    AccessPoint.GRAPHQL: frozenset({CredentialKind.KEY, CredentialKind.SESSION}),
    AccessPoint.COLLABORATION: frozenset({CredentialKind.KEY, CredentialKind.SESSION}),
    AccessPoint.MCP: frozenset({CredentialKind.KEY, CredentialKind.BEARER}),
    AccessPoint.MCP_FULL: frozenset({CredentialKind.KEY, CredentialKind.BEARER}),
    AccessPoint.PAGES: frozenset({CredentialKind.SESSION}),
}
"""The kinds of credentials that open each part of the server."""
TAKE_TOKENS: Final = frozenset(point for point, kinds in ACCEPTED.items() if CredentialKind.BEARER in kinds)

# INVARIANT: whatever can change state by a session alone is here, or checks the form's CSRF token, as pages do
OWN_PAGES_ONLY: Final = frozenset({AccessPoint.GRAPHQL, AccessPoint.COLLABORATION, AccessPoint.IMAGE_UPLOADS})
"""Where a session counts only for requests of our own pages, or of programs that send `CSRF_HEADER`."""


class CredentialReader(Protocol):
    async def read[Answer](self, question: Question[Answer]) -> Answer:
        """Answer from one snapshot; raises `Unavailable` where state cannot be reached."""
        ...


@dataclass(frozen=True, slots=True)
class CallerLookup:
    """`key_used` and `session_seen` take the id of each key or session that is found, to record when it was used last."""

    reader: CredentialReader
    now: Callable[[], datetime]
    key_used: Callable[[str], None]
    session_seen: Callable[[str], None]
    lifetimes: Lifetimes

    async def by_key(self, secret: str) -> Caller | None:
        caller = await self.reader.read(WhoHoldsKey(digest(secret)))
        if caller and caller.credential:
            self.key_used(caller.credential.id)
        return caller

    async def by_session(self, secret: str) -> Caller | None:
        found = await self.signed_in(secret)
        return found.caller if found else None

    async def signed_in(self, secret: str) -> SignedIn | None:
        """Return the session of a cookie's secret, with its user."""
        at = self.now()
        question = WhoIsSignedIn(digest(secret), at - self.lifetimes.idle, at - self.lifetimes.longest)
        found = await self.reader.read(question)
        if found:
            self.session_seen(found.session.id)
        return found


def bearers(find: Callable[[str, str], Awaitable[Caller | None]], resources: Mapping[AccessPoint, str]) -> FindBearer:
    """Return the look-up of access tokens, each good at its resource; `find` takes a token's digest and a resource."""

    async def by_bearer(point: AccessPoint, token: str) -> Caller | None:
        return await find(digest(token), resources[point]) if is_access_token(token) else None

    return by_bearer


async def nobody(_secret: str) -> Caller | None:
    return None


async def no_bearer(_point: AccessPoint, _token: str) -> Caller | None:
    return None


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Finds the caller of a request: where a key is sent and keys are accepted, it alone counts."""

    by_key: FindCaller
    by_bearer: FindBearer = no_bearer
    by_session: FindCaller = nobody
    cookies: Cookies | None = None

    async def identify(self, point: AccessPoint, headers: RawHeaders, query: bytes = b"") -> Caller | Rejection | None:
        """Return the caller; None where no valid credential is sent, a Rejection for a session used by another site."""
        kinds, headers = ACCEPTED[point], [*headers]
        if CredentialKind.KEY in kinds:
            if query and key_in_query(query):
                return None
            if [name for name, _ in headers if name == KEY_HEADER]:
                secret = secret_of(headers)
                return await self.by_key(secret) if secret else None
        if CredentialKind.BEARER in kinds and (token := token_of(headers)):
            # hosts of agents that have one field for a credential send a key in it, too
            return await (self.by_key(token) if is_key(token) else self.by_bearer(point, token))
        if CredentialKind.SESSION in kinds and self.cookies:
            return await self._by_cookie(point, headers_by_name(headers), self.cookies)
        return None

    async def _by_cookie(
        self, point: AccessPoint, headers: Mapping[str, str], cookies: Cookies
    ) -> Caller | Rejection | None:
        secret = cookies.secret(headers)
        caller = await self.by_session(secret) if secret else None
        if caller is None or point not in OWN_PAGES_ONLY or cookies.is_own(headers):
            return caller
        return caller if "origin" not in headers and CSRF_HEADER in headers else NOT_OURS


def headers_by_name(headers: RawHeaders) -> dict[str, str]:
    """Return headers by name; those of a name that comes more than once are joined, so that no check reads only one."""
    found: dict[str, str] = {}
    for raw, value in headers:
        name = raw.decode("latin-1")
        text = value.decode("latin-1")
        found[name] = f"{found[name]}{'; ' if name == 'cookie' else ', '}{text}" if name in found else text
    return found


def secret_of(headers: RawHeaders) -> str | None:
    """Return the one well-formed key among the headers, or None: typing errors need no look-up."""
    values = [value for name, value in headers if name == KEY_HEADER]
    if len(values) != 1 or not values[0].isascii():
        return None
    secret = values[0].decode("ascii")
    return secret if is_key(secret) else None


def token_of(headers: RawHeaders) -> str | None:
    """Return the one bearer token among the headers, or None."""
    values = [value for name, value in headers if name == AUTHORIZATION]
    if len(values) != 1 or not values[0].isascii():
        return None
    scheme, _, token = values[0].decode("ascii").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def key_in_query(query: bytes) -> bool:
    """Whether the query holds a key, where proxies and logs would keep it: such a request is refused."""
    plain = unquote_to_bytes(query)
    if _named_like_a_key.search(plain):
        return True
    return any(is_key(found[:40]) for found in LOOKS_LIKE_A_KEY.findall(plain.decode("latin-1")))


def agent_of(headers: RawHeaders) -> str | Rejection | None:
    """Return the agent that a request names, if any."""
    values = [value for name, value in headers if name == AGENT_HEADER]
    if len(values) > 1:
        return bad("x-service-agent", "came more than once: send it once")
    return agent_header(values[0].decode("latin-1")) if values else None


def caller_of(caller: Caller, headers: RawHeaders) -> Caller | Rejection:
    """Return the caller with the agent that the request names; the agent bound to the credential wins over it."""
    agent = agent_of(headers)
    if agent is None or isinstance(agent, Rejection):
        return agent or caller
    return acting_through(caller, agent)
