"""Looks up the session of a cookie for each request, and checks which requests it may authenticate."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from domain.caller import Caller
from domain.errors import Rejection, forbidden
from domain.key import digest
from domain.questions import WhoIsSignedIn
from domain.session import Lifetimes, Session
from graphql_api.ports import StateReader
from graphql_api.system import now
from service.visits import known_as
from web.session import CSRF_HEADER, Cookies

NOT_OURS = forbidden(
    f"use the session of a browser from another site, nor without saying so: send the header `{CSRF_HEADER}: 1`"
)


@dataclass(frozen=True, slots=True)
class WebSessions:
    """`seen` receives each session that is used."""

    reader: StateReader
    cookies: Cookies
    lifetimes: Lifetimes
    seen: Callable[[str], None]

    async def holder(self, secret: str) -> tuple[Caller, Session] | None:
        at = now()
        question = WhoIsSignedIn(digest(secret), at - self.lifetimes.idle, at - self.lifetimes.longest)
        found = await self.reader.read(question)
        if found is None:
            return None
        self.seen(found.session.id)
        known_as(found.caller)
        return found.caller, found.session

    async def caller(self, headers: Mapping[str, str]) -> Caller | None:
        """Return the user of the cookie without checking the origin of the request: only for safe requests."""
        secret = self.cookies.secret(headers)
        found = await self.holder(secret) if secret else None
        return found[0] if found else None

    async def own(self, headers: Mapping[str, str]) -> Caller | Rejection | None:
        """Return whose cookie it is, for a request that our own pages made, or a program that says so by a header."""
        caller = await self.caller(headers)
        if caller is None or self.cookies.is_own(headers):
            return caller
        return caller if "origin" not in headers and CSRF_HEADER in headers else NOT_OURS
