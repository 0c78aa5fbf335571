"""Who somebody is to the service: an account, whether its address is proved, and what it may act in."""

from dataclasses import dataclass
from datetime import datetime

from domain.errors import Rejection, forbidden
from domain.values import Email, bad, text_fault

MIN_PASSWORD_LENGTH = 10
MAX_PASSWORD_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Account:
    id: str
    name: str
    email: Email
    email_proved: bool
    created_at: datetime


def proved(account: Account, what: str) -> Rejection | None:
    """Refuse what an account may not do while nobody has proved that its address is its owner's."""
    if account.email_proved:
        return None
    return forbidden(f"{what} before your address is confirmed: confirm it in the settings, under profile")


@dataclass(frozen=True, slots=True)
class AccountCreated:
    """An account and the personal drive that is made with it."""

    account: Account
    drive_id: str


@dataclass(frozen=True, slots=True)
class AddressProved:
    """From now on what was granted to the address is effective for this account, and for no other."""

    user_id: str
    email: Email


@dataclass(frozen=True, slots=True)
class AccountRenamed:
    user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class AccountDisabled:
    user_id: str
    disabled: bool


def new_password(text: str, email: Email) -> str | Rejection:
    """Return a password that may be chosen: long enough, and not what everybody would try first."""
    if not MIN_PASSWORD_LENGTH <= len(text) <= MAX_PASSWORD_LENGTH:
        return bad("password", f"must have {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters")
    if fault := text_fault(text):
        return bad("password", fault)
    if text.casefold() in {email, email.partition("@")[0]} or len(set(text)) < 4:
        return bad("password", "is too easy to guess")
    return text
