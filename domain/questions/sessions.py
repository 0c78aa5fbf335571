"""Who is signed in where, what a link leads to, and what a password is held against."""

from dataclasses import dataclass
from datetime import datetime

from domain.account import Identity
from domain.link import Link
from domain.questions.question import Question
from domain.session import Session
from domain.values import Email


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who a session's secret belongs to; its organization is None where they belong there no more."""

    identity: Identity
    session: Session


@dataclass(frozen=True, slots=True)
class WhoIsSignedIn(Question[SignedIn | None]):
    """Who holds the session of this digest, if it was seen and begun after these moments; nobody who is disabled."""

    digest: str
    seen_after: datetime
    begun_after: datetime


@dataclass(frozen=True, slots=True)
class StillSignedIn(Question[bool]):
    """Whether a session has not been ended, nor its account disabled."""

    session_id: str


@dataclass(frozen=True, slots=True)
class SessionsOf(Question[tuple[Session, ...]]):
    """The sessions of the user, the newest first."""

    user_id: str


@dataclass(frozen=True, slots=True)
class LinkByDigest(Question[Link | None]):
    digest: str


@dataclass(frozen=True, slots=True)
class PasswordAt:
    """What a password is held against; no hash where none was ever set."""

    user_id: str
    password_hash: str | None


@dataclass(frozen=True, slots=True)
class PasswordOf(Question[PasswordAt | None]):
    """The password of the account with this address, unless it is disabled."""

    email: Email
