"""Authorizes handshakes at `/collaboration`: the caller and document of a connection, or the refusal."""

from collections.abc import Collection, Sequence
from secrets import token_hex
from typing import Final

import structlog

from domain.caller import Caller, acting_through
from domain.errors import NOT_FOUND, UNAUTHORIZED, Rejection, forbidden
from edge.credentials import KEY_HEADER, AccessPoint, Authenticator, agent_of, headers_by_name, key_in_query, secret_of
from edge.proxies import TrustedProxies
from edge.proxy_headers import origin_of
from edge.rate_limit import RateLimiter, client_network, sign_in_rate_headers
from edge.requests import DOTS
from edge.responses import NOSNIFF, error_response
from graphql_adapter.socket import is_own_page, sites
from live.handshake import Authorize, Handshake, HandshakeRejected, RequestHeaders

PATH: Final = "/collaboration"
_log: Final = structlog.get_logger("live")


def is_collaboration(url: bytes) -> bool:
    path = url.partition(b"?")[0]
    return path == PATH.encode() or path.startswith(PATH.encode() + b"/")


def collaboration_auth(
    authenticator: Authenticator, origins: Collection[str], trusted: TrustedProxies | None, limiter: RateLimiter | None
) -> Authorize:
    """Pages of this host and of `origins` may come with a ticket; a cookie counts for our own pages alone.

    The address is the one that `trusted` proxies name; `limiter` is None where nothing is limited.
    """
    allowed = sites(origins)

    def look(target: bytes, headers: RequestHeaders, peer: str) -> Handshake | HandshakeRejected:
        address = client_network((origin_of(peer, headers, trusted) if trusted else None) or peer)
        answered = admitted(target, headers, address)
        return (
            _refusal(answered, sign_in_rate_headers(limiter, address)) if isinstance(answered, Rejection) else answered
        )

    def admitted(target: bytes, headers: RequestHeaders, address: str) -> Handshake | Rejection:
        path, _, query = target.partition(b"?")
        secret = secret_of(headers)
        if key_in_query(query) or (secret is None and any(name == KEY_HEADER for name, _ in headers)):
            return UNAUTHORIZED
        if not is_own_page(headers_by_name(headers), allowed):
            return forbidden("open documents from this site")
        below = path.decode("latin-1").removeprefix(PATH)
        document_id = below.removeprefix("/")
        if below == "/" or "/" in document_id or document_id in DOTS:
            return NOT_FOUND
        agent = agent_of(headers)
        if isinstance(agent, Rejection):
            return agent

        async def identify() -> Caller | bool | None:
            caller = await authenticator.identify(AccessPoint.COLLABORATION, headers)
            if isinstance(caller, Caller):
                return acting_through(caller, agent)
            if secret is not None:
                _log.warning("key refused at a handshake")
                return False
            return None

        return Handshake(document_id or None, identify, address, limited=limiter is not None)

    return look


def _refusal(rejection: Rejection, rate: Sequence[tuple[bytes, bytes]]) -> HandshakeRejected:
    answer = error_response(rejection)
    headers = [*answer.headers, NOSNIFF, (b"x-request-id", token_hex(16).encode()), *rate]
    return HandshakeRejected(answer.status, answer.body, {name.decode(): value.decode() for name, value in headers})
