"""Signs in with a password or with a one-time link."""

from accounts.email_links import use_link
from accounts.passwords import MAX_HASHED
from accounts.ports import AccountPorts
from accounts.sessions import Browser, NewSession, SignIn, begin_session
from domain.email_link import Purpose
from domain.errors import NOT_FOUND, Rejection
from domain.questions import AccountOf, PasswordOf
from domain.values import Email
from graphql_api.ports import StateReader


async def sign_in_with_password(
    ports: AccountPorts, email: Email | None, password: str, browser: Browser
) -> NewSession | Rejection | None:
    """Return None where it is no account's password, after the same work whatever was wrong."""
    stored = await ports.store.read(PasswordOf(email or Email("")))
    matches = await ports.passwords.verify(password[:MAX_HASHED], stored.password_hash if stored else None)
    if stored is None or not matches:
        return None
    user_id = stored.user_id

    async def decide(reader: StateReader) -> SignIn:
        account = await reader.read(AccountOf(user_id))
        return NOT_FOUND if account is None else (account, ())

    return await begin_session(ports, browser, decide)


async def sign_in_with_link(ports: AccountPorts, secret: str, browser: Browser) -> NewSession | Rejection:
    async def decide(reader: StateReader) -> SignIn:
        used = await use_link(reader, ports, secret, Purpose.sign_in)
        if isinstance(used, Rejection):
            return used
        link, event = used
        account = await reader.read(AccountOf(link.user_id or ""))
        return NOT_FOUND if account is None else (account, (event,))

    return await begin_session(ports, browser, decide)
