"""Who is asking, and what do they hold: the questions about accounts, keys and repeated requests."""

from dataclasses import dataclass

from domain.account import Account, Identity
from domain.key import ApiKey
from domain.oauth import ConnectedApp
from domain.once import Once, Remembered
from domain.organization import Belonging
from domain.questions.question import Question
from domain.take_over import Planted
from domain.values import Email


@dataclass(frozen=True, slots=True)
class WhoHoldsKey(Question[Identity | None]):
    """Who a key of this digest acts as; None where it is unknown or revoked or its account is disabled."""

    digest: str


@dataclass(frozen=True, slots=True)
class AccountOf(Question[Account | None]):
    user_id: str


@dataclass(frozen=True, slots=True)
class AccountByEmail(Question[Account | None]):
    email: Email


@dataclass(frozen=True, slots=True)
class BelongingsOf(Question[tuple[Belonging, ...]]):
    """The organizations of the user, by name."""

    user_id: str


@dataclass(frozen=True, slots=True)
class KeysOf(Question[tuple[ApiKey, ...]]):
    """The live keys of the user, newest first."""

    user_id: str


@dataclass(frozen=True, slots=True)
class AppsOf(Question[tuple[ConnectedApp, ...]]):
    """The applications that the user has connected, newest first."""

    user_id: str


@dataclass(frozen=True, slots=True)
class PlantedIn(Question[Planted]):
    """What ends when the user's account is taken over by whoever reads the mail of its address."""

    user_id: str


@dataclass(frozen=True, slots=True)
class RememberedFor(Question[Remembered | None]):
    """What the last 24 hours remember of this user, operation and key."""

    once: Once
