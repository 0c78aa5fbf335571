"""Looks callers up by their credentials, anew for each request."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from domain.caller import Caller
from domain.key import digest
from domain.oauth import is_access_token
from domain.questions import SignedIn, WhoHoldsKey, WhoIsSignedIn
from domain.session import Lifetimes
from edge.credentials import FindCaller
from graphql_api.ports import StateReader
from graphql_api.system import now


@dataclass(frozen=True, slots=True)
class CallerLookup:
    """`key_used` and `session_seen` take the id of each key or session that is found, to record when it was used last."""

    reader: StateReader
    key_used: Callable[[str], None]
    session_seen: Callable[[str], None]
    lifetimes: Lifetimes

    async def by_key(self, secret: str) -> Caller | None:
        caller = await self.reader.read(WhoHoldsKey(digest(secret)))
        if caller and caller.key_id:
            self.key_used(caller.key_id)
        return caller

    async def by_session(self, secret: str) -> Caller | None:
        found = await self.signed_in(secret)
        return found.caller if found else None

    async def signed_in(self, secret: str) -> SignedIn | None:
        """Return the session of a cookie's secret, with its user."""
        at = now()
        question = WhoIsSignedIn(digest(secret), at - self.lifetimes.idle, at - self.lifetimes.longest)
        found = await self.reader.read(question)
        if found:
            self.session_seen(found.session.id)
        return found


def bearers(find: Callable[[str, str], Awaitable[Caller | None]], resource: str) -> FindCaller:
    """Return the look-up of access tokens issued for `resource`; `find` takes the token's digest and the resource."""

    async def by_bearer(token: str) -> Caller | None:
        return await find(digest(token), resource) if is_access_token(token) else None

    return by_bearer
