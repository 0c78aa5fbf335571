"""Verifies that an address belongs to its account: by a mailed link, where the account is signed in."""

from accounts.email_links import read_link, send_link, use_link
from accounts.ports import AccountPorts
from accounts.sessions import Browser, NewSession, SignIn, begin_session
from accounts.take_over import locks, taken_over
from domain.account import may_take_over, require_verified
from domain.caller import Caller
from domain.email_link import EmailLink, Purpose
from domain.errors import NOT_FOUND, Rejection
from domain.questions import AccountOf
from domain.session import PasswordSet
from graphql_api.ports import StateReader


async def refuse_unverified(ports: AccountPorts, user_id: str, what: str) -> Rejection | None:
    """Refuse `what` to an account whose address is not verified."""
    account = await ports.store.read(AccountOf(user_id))
    return NOT_FOUND if account is None else require_verified(account, what)


async def send_verification(ports: AccountPorts, caller: Caller) -> None:
    await send_link(ports, caller.email, Purpose.verify_email, caller.user_id, caller.name)


async def read_verification(ports: AccountPorts, caller: Caller, secret: str) -> EmailLink | Rejection:
    """Return the link that verifies the caller's own address."""
    link = await read_link(ports, secret, Purpose.verify_email)
    if not isinstance(link, Rejection) and (link.user_id != caller.user_id or not link.mailed):
        return NOT_FOUND
    return link


async def verify_email(
    ports: AccountPorts, caller: Caller, secret: str, password: str, browser: Browser
) -> NewSession | Rejection:
    """Verify the caller's address, with a new password, since the person who made the account may know the old one."""
    password_hash = await ports.passwords.hash(password)

    async def decide(reader: StateReader) -> SignIn:
        used = await use_link(reader, ports, secret, Purpose.verify_email)
        account = await reader.read(AccountOf(caller.user_id))
        if isinstance(used, Rejection) or account is None:
            return NOT_FOUND
        changed = PasswordSet(account.id, password_hash)
        if may_take_over(account, mailed=True):
            return account, (changed, *await taken_over(reader, account))
        return account, (used[1], changed)

    known = await ports.store.read(AccountOf(caller.user_id))
    return await begin_session(ports, browser, decide, await locks(ports.store, known))
