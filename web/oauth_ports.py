"""Ports of OAuth: the store of applications, and fresh secrets."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from domain.caller import Caller
from domain.credit import Credit
from domain.errors import Rejection
from domain.oauth import (
    AuthorizationRequest,
    Client,
    ConnectedApp,
    Outcome,
    PendingAuthorization,
    PresentedToken,
    StoredToken,
    TokenKind,
)
from web.context import WebContext
from web.oauth_grants import Rules


class Apps(Protocol):
    """Secrets come as digests; each method is one transaction."""

    async def register(self, client: Client) -> None: ...

    async def client(self, client_id: str) -> Client | None: ...

    async def approved(self, user_id: str, asked: AuthorizationRequest) -> ConnectedApp | None:
        """Return the application as the user approved it for that resource, for whichever redirect URI."""
        ...

    async def of(self, user_id: str) -> tuple[ConnectedApp, ...]:
        """Return the user's connected applications, newest first."""
        ...

    async def save_pending(self, digest: str, waiting: PendingAuthorization) -> None: ...

    async def pop_pending(self, digest: str, session_id: str) -> PendingAuthorization | None:
        """Return the request that waits, once, to the session that it waits for."""
        ...

    async def connect(self, app: ConnectedApp, by: Credit, family_id: str, code: StoredToken) -> None:
        """Store an approval, and begin a token family with its code."""
        ...

    async def begin(self, app: ConnectedApp, family_id: str, code: StoredToken) -> None:
        """Begin another token family of an approved application."""
        ...

    async def present[Answer](
        self, digest: str, rule: Callable[[PresentedToken | None], tuple[Outcome, Answer]]
    ) -> Answer:
        """Apply what `rule` decides about a presented code or token, and return its answer."""
        ...

    async def bearer(self, digest: str, resource: str) -> Caller | None:
        """Return the caller of an access token at `resource`; None where it is not valid there."""
        ...

    async def disconnect(self, app_id: str, by: Credit) -> Rejection | None: ...


type Fetch = Callable[[str], Awaitable[bytes | None]]
"""Return the JSON document at an https address of the public internet, or None: short, soon, and nowhere else."""


@dataclass(frozen=True, slots=True)
class OAuth:
    """One for the process.

    `secret` makes a fresh one of its kind, of 256 bits or more; with `fetch`, a client id may be the address of a
    document that says who the client is.
    """

    context: WebContext
    apps: Apps
    rules: Rules
    secret: Callable[[TokenKind], str]
    fetch: Fetch | None = None
