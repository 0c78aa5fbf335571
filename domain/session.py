"""Web sessions: their lifetime, active organization and end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from domain.errors import NOT_FOUND, Rejection, forbidden

PREFIX = "cds_"
SECRET_LENGTH = 32
DEVICE_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """A session ends after `idle` without a request, and after `longest` whatever is asked."""

    idle: timedelta = timedelta(days=14)
    longest: timedelta = timedelta(days=30)

    def ends(self, session: "Session") -> datetime:
        return min(session.last_seen_at + self.idle, session.created_at + self.longest)


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody signed in on one device; the secret that the browser holds is nowhere else."""

    id: str
    user_id: str
    organization_id: str | None
    device: str
    created_at: datetime
    last_seen_at: datetime


@dataclass(frozen=True, slots=True)
class SessionBegun:
    session: Session
    digest: str


@dataclass(frozen=True, slots=True)
class SessionEnded:
    session_id: str
    user_id: str


@dataclass(frozen=True, slots=True)
class OrganizationChosen:
    """From now on the session acts in this organization."""

    session_id: str
    user_id: str
    organization_id: str


@dataclass(frozen=True, slots=True)
class PasswordSet:
    """A new password; links that were sent to reset it become invalid."""

    user_id: str
    password_hash: str


def end(session_id: str, user_id: str, sessions: Sequence[Session]) -> tuple[SessionEnded, ...] | Rejection:
    """End one of the caller's own sessions."""
    if all(one.id != session_id for one in sessions):
        return NOT_FOUND
    return (SessionEnded(session_id, user_id),)


def end_all(sessions: Sequence[Session], but: str | None = None) -> tuple[SessionEnded, ...]:
    return tuple(SessionEnded(one.id, one.user_id) for one in sessions if one.id != but)


def choose(
    session_id: str | None, user_id: str, organization_id: str, belongs: bool
) -> tuple[OrganizationChosen, ...] | Rejection:
    """Let a session act in another organization; a key acts in the organization it was made in."""
    if session_id is None:
        return forbidden("switch the organization of a key: it acts where it was made")
    if not belongs:
        return NOT_FOUND
    return (OrganizationChosen(session_id, user_id, organization_id),)
