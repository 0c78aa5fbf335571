"""Checks, changes and resets passwords."""

from collections.abc import Sequence

from accounts.email_links import use_link
from accounts.ports import AccountPorts
from accounts.sessions import Browser, NewSession, SignIn, begin_session
from accounts.take_over import locks, taken_over
from domain.account import may_take_over
from domain.caller import Caller
from domain.email_link import EmailLink, Purpose
from domain.errors import NOT_FOUND, Rejection
from domain.events import Event
from domain.questions import AccountOf, PasswordOf, SessionsOf
from domain.session import PasswordSet, end_all
from domain.values import Email
from graphql_api.ports import StateReader

MAX_HASHED = 1_000  # characters that are hashed


async def has_password(ports: AccountPorts, email: Email) -> bool:
    stored = await ports.store.read(PasswordOf(email))
    return bool(stored and stored.password_hash)


async def check_password(ports: AccountPorts, email: Email, password: str) -> bool:
    """Whether it is the account's password, or the account has none yet."""
    stored = await ports.store.read(PasswordOf(email))
    known = stored.password_hash if stored else None
    return not known or await ports.passwords.verify(password[:MAX_HASHED], known)


async def change_password(ports: AccountPorts, caller: Caller, password: str) -> None:
    """Set another password and end all sessions but the caller's."""
    changed = PasswordSet(caller.user_id, await ports.passwords.hash(password))

    async def decide(reader: StateReader) -> Sequence[Event]:
        return [changed, *end_all(await reader.read(SessionsOf(caller.user_id)), but=caller.session_id)]

    await ports.change(caller.credit, decide)


async def reset_password(
    ports: AccountPorts, secret: str, link: EmailLink, password: str, browser: Browser
) -> NewSession | Rejection:
    """Set a password by link and sign in; an unverified account is taken over, else all its sessions end."""
    password_hash = await ports.passwords.hash(password)

    async def decide(reader: StateReader) -> SignIn:
        used = await use_link(reader, ports, secret, Purpose.reset_password)
        if isinstance(used, Rejection):
            return used
        account = await reader.read(AccountOf(link.user_id or ""))
        if account is None:
            return NOT_FOUND
        changed = PasswordSet(account.id, password_hash)
        if may_take_over(account, mailed=link.mailed):
            return account, (changed, *await taken_over(reader, account))
        return account, (used[1], changed, *end_all(await reader.read(SessionsOf(account.id))))

    known = await ports.store.read(AccountOf(link.user_id or ""))
    return await begin_session(ports, browser, decide, await locks(ports.store, known))
