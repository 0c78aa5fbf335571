"""Accounts: identity, verified addresses, passwords, and who may take an account over."""

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
    email_verified: bool
    created_at: datetime


def require_verified(account: Account, what: str) -> Rejection | None:
    """Refuse what an account with an unverified address may not do."""
    if account.email_verified:
        return None
    return forbidden(f"{what} before your address is confirmed: confirm it in the settings, under profile")


def may_take_over(account: Account, *, mailed: bool) -> bool:
    """Whether the holder of a link to an account's address may take the account over: it was mailed, and is unverified."""
    # INVARIANT: a taken-over account loses everything that was planted in it, its keys included (`take_over`).
    return mailed and not account.email_verified


@dataclass(frozen=True, slots=True)
class AccountCreated:
    """An account, made with its personal drive."""

    account: Account
    drive_id: str


@dataclass(frozen=True, slots=True)
class EmailVerified:
    """An account owns its address: grants to the address take effect for this account, and for no other."""

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


def rename(user_id: str, before: str, name: str) -> tuple[AccountRenamed, ...]:
    return (AccountRenamed(user_id, name),) if name != before else ()


def new_password(text: str, email: Email) -> str | Rejection:
    """Parse a new password: long enough, and not trivial to guess."""
    if not MIN_PASSWORD_LENGTH <= len(text) <= MAX_PASSWORD_LENGTH:
        return bad("password", f"must have {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters")
    if fault := text_fault(text):
        return bad("password", fault)
    if text.casefold() in {email, email.partition("@")[0]} or len(set(text)) < 4:
        return bad("password", "is too easy to guess")
    return text
