"""What a handshake at `/collaboration` is answered: who comes to which document, or why nobody is let in."""

from collections.abc import Collection, Mapping
from secrets import token_hex
from typing import Final

import structlog

from domain.account import Identity
from domain.errors import NOT_FOUND, Rejection, forbidden
from domain.values import Email
from graphql_api.rates import neighbourhood
from graphql_api.socket import is_own_page, sites
from live.hall import Session
from live.handshake import Arrival, Door, Headers, Refusal
from rest_adapter.answers import NOTHING_TO_SNIFF, UNAUTHORIZED, failure
from rest_adapter.credentials import KEY_HEADER, caller_of, key_in_query, secret_of
from service.forwarded import origin_of
from service.proxies import Proxies
from service.sign_in import SignIn

PATH: Final = "/collaboration"
_ANYBODY: Final = Identity("", "", Email(""), None, None)
_log: Final = structlog.get_logger("live")


def is_collaboration(url: bytes) -> bool:
    path = url.partition(b"?")[0]
    return path == PATH.encode() or path.startswith(PATH.encode() + b"/")


def door(who_is: SignIn, origins: Collection[str], trusted: Proxies | None, *, limited: bool) -> Door:
    """Pages of this host and of `origins` may come with a ticket; a cookie counts for our own pages alone.

    The address is the one that `trusted` proxies tell of.
    """
    allowed = sites(origins)

    def look(target: bytes, headers: Headers, peer: str) -> Arrival | Refusal:
        path, _, query = target.partition(b"?")
        secret = secret_of(headers)
        if key_in_query(query) or (secret is None and any(name == KEY_HEADER for name, _ in headers)):
            return _refusal(UNAUTHORIZED)
        named_headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
        if not is_own_page(named_headers, allowed):
            return _refusal(forbidden("open documents from this site"))
        document_id = path.decode("latin-1").removeprefix(PATH).removeprefix("/")
        if "/" in document_id:
            return _refusal(NOT_FOUND)
        named = caller_of(_ANYBODY, headers)
        if isinstance(named, Rejection):
            return _refusal(named)

        async def who() -> Session | bool | None:
            if secret is None:
                return await _by_cookie(who_is, named_headers)
            identity = await who_is.by_key(secret)
            caller = caller_of(identity, headers) if identity else None
            if identity is None or caller is None or isinstance(caller, Rejection):
                _log.warning("key refused at a handshake")
                return False
            acting = Identity(
                identity.user_id,
                identity.name,
                identity.email,
                caller.agent,
                identity.organization_id,
                identity.key_id,
            )
            return Session.by_key(acting, secret)

        origin = origin_of(peer, headers, trusted) if trusted else None
        return Arrival(document_id or None, who, neighbourhood(origin or peer), limited)

    return look


async def _by_cookie(who_is: SignIn, headers: Mapping[str, str]) -> Session | None:
    found = await who_is.sessions.own(headers)
    return Session(found) if isinstance(found, Identity) else None


def _refusal(rejection: Rejection) -> Refusal:
    answer = failure(rejection)
    headers = [*answer.headers, NOTHING_TO_SNIFF, (b"x-request-id", token_hex(16).encode())]
    return Refusal(answer.status, answer.body, {name.decode(): value.decode() for name, value in headers})
