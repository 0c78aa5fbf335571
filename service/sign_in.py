"""Authenticates a request by its API key or, where allowed, its web session."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from domain import key
from domain.caller import Caller
from domain.errors import Rejection
from domain.questions import WhoHoldsKey
from edge.credentials import KEY_HEADER, caller_of, secret_of
from graphql_api.ports import StateReader
from service.sessions import WebSessions
from service.visits import known_as


@dataclass(frozen=True, slots=True)
class SignIn:
    """Credentials are looked up anew for each request, so that a revoked one is known at once.

    `used` receives each key that signs in. A request with a key ignores its cookie.
    """

    reader: StateReader
    used: Callable[[str], None]
    sessions: WebSessions

    async def by_key(self, secret: str) -> Caller | None:
        caller = await self.reader.read(WhoHoldsKey(key.digest(secret)))
        if caller and caller.key_id:
            self.used(caller.key_id)
        return caller

    async def by_headers(self, headers: Mapping[str, str]) -> Caller | Rejection | None:
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        if KEY_HEADER.decode() in headers:
            secret = secret_of(raw)
            caller = await self.by_key(secret) if secret else None
        else:
            found = await self.sessions.own(headers)
            if isinstance(found, Rejection):
                return found
            caller = found
        if caller is None:
            return None
        known_as(caller)
        return caller_of(caller, raw)

    async def by_cookie(self, headers: Mapping[str, str]) -> Caller | None:
        """Return whose browser looks at an image: nothing can be changed by that, and no other page can read it."""
        return await self.sessions.caller(headers)
