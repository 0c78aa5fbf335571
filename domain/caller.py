"""Identifies the caller of a request by one value, whatever credential they sent."""

from dataclasses import dataclass, replace
from enum import Enum

from domain.credit import Credit
from domain.errors import Rejection, forbidden
from domain.values import Email


class CredentialKind(Enum):
    KEY = "key"  # an API key
    BEARER = "bearer"  # an OAuth access token of a connected application
    SESSION = "session"  # a browser's session, sent as a cookie


@dataclass(frozen=True, slots=True)
class Credential:
    """`id` is the key's, the connected application's or the session's; `digest` is that of a key or an access token."""

    kind: CredentialKind
    id: str
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """The user, the agent that acts for them, the organization they act in and the credential they sent.

    Access depends on `user_id` alone; `agent` is for the credit. Only managing one's own account asks for the kind of
    credential (`require_session`).
    """

    user_id: str
    name: str
    email: Email
    agent: str | None = None
    organization_id: str | None = None
    credential: Credential | None = None

    @property
    def credit(self) -> Credit:
        return Credit(self.user_id, self.name, self.agent, is_session=self.session_id is not None)

    @property
    def key_id(self) -> str | None:
        return self._id(CredentialKind.KEY)

    @property
    def session_id(self) -> str | None:
        return self._id(CredentialKind.SESSION)

    @property
    def app_id(self) -> str | None:
        return self._id(CredentialKind.BEARER)

    def _id(self, kind: CredentialKind) -> str | None:
        return self.credential.id if self.credential and self.credential.kind is kind else None


def by_key(
    user_id: str, name: str, email: Email, agent: str | None, organization_id: str | None, key_id: str, digest: str
) -> Caller:
    """Return the holder of an API key; `agent` is bound to the key."""
    return Caller(user_id, name, email, agent, organization_id, Credential(CredentialKind.KEY, key_id, digest))


def by_bearer(
    user_id: str, name: str, email: Email, agent: str, organization_id: str | None, app_id: str, digest: str
) -> Caller:
    """Return the user of a connected application, which is the agent."""
    return Caller(user_id, name, email, agent, organization_id, Credential(CredentialKind.BEARER, app_id, digest))


def by_session(user_id: str, name: str, email: Email, organization_id: str | None, session_id: str) -> Caller:
    """Return the user of a browser's session."""
    return Caller(user_id, name, email, None, organization_id, Credential(CredentialKind.SESSION, session_id))


def require_session(credential: Credential | None, what: str) -> Rejection | None:
    """Refuse to manage an account with an API key or a token; the operator's command has no credential at all."""
    if credential is None or credential.kind is CredentialKind.SESSION:
        return None
    return forbidden(f"{what} with an API key or a token: do it in the settings, where you sign in")


def acting_through(caller: Caller, agent: str | None) -> Caller:
    """Return the caller with the agent that the request names; the agent bound to the credential wins over it."""
    return caller if caller.agent or not agent else replace(caller, agent=agent)
