"""Authenticates requests by the API key in `x-api-key`, and reads the agent in `x-service-agent`."""

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_to_bytes

from litestar.types import HTTPScope

from domain.caller import Caller, acting_through
from domain.errors import Rejection
from domain.key import LOOKS_LIKE_A_KEY, is_key
from domain.values import agent_header, bad

type Authenticate = Callable[[str], Awaitable[Caller | None]]
type RawHeaders = Iterable[tuple[bytes, bytes]]

KEY_HEADER: Final = b"x-api-key"
AGENT_HEADER: Final = b"x-service-agent"
_named_like_a_key: Final = re.compile(rb"(?:^|[&;])(?:x[-_])?api[-_]?key(?:=|[&;]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Credentials:
    """Authenticates a request, or returns None; `headers` carry secrets, `challenge` is the challenge of a 401."""

    identify: Callable[[HTTPScope], Awaitable[Caller | None]]
    headers: frozenset[bytes]
    challenge: Callable[[HTTPScope], bytes]


def by_key(authenticate: Authenticate) -> Credentials:
    """Return what knows nobody but the holders of keys."""

    async def identify(scope: HTTPScope) -> Caller | None:
        if key_in_query(scope["query_string"]):
            return None
        secret = secret_of(scope["headers"])
        return None if secret is None else await authenticate(secret)

    return Credentials(identify, frozenset({KEY_HEADER}), lambda _scope: b'ApiKey realm="codrive"')


def secret_of(headers: RawHeaders) -> str | None:
    """Return the one well-formed key among the headers, or None: typing errors need no look-up."""
    values = [value for name, value in headers if name == KEY_HEADER]
    if len(values) != 1 or not values[0].isascii():
        return None
    secret = values[0].decode("ascii")
    return secret if is_key(secret) else None


def key_in_query(query: bytes) -> bool:
    """Whether a key stands where proxies and logs would keep it: such a request is refused whatever else it holds."""
    if not query:
        return False
    plain = unquote_to_bytes(query)
    if _named_like_a_key.search(plain):
        return True
    return any(is_key(found[:40]) for found in LOOKS_LIKE_A_KEY.findall(plain.decode("latin-1")))


def agent_of(headers: RawHeaders) -> str | Rejection | None:
    """Return the agent that a request names, if any."""
    named = [value for name, value in headers if name == AGENT_HEADER]
    if len(named) > 1:
        return bad("x-service-agent", "came more than once: send it once")
    return agent_header(named[0].decode("latin-1")) if named else None


def caller_of(caller: Caller, headers: RawHeaders) -> Caller | Rejection:
    """Return the caller with the agent that the request names; the agent bound to the credential wins over it."""
    agent = agent_of(headers)
    return agent if isinstance(agent, Rejection) else acting_through(caller, agent)
