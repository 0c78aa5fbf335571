"""Sends, reads and uses up one-time links."""

from collections.abc import Sequence

from accounts.ports import AccountPorts
from domain import email_link
from domain.credit import Credit
from domain.email_link import EmailLink, LinkUsed, Purpose
from domain.errors import NOT_FOUND, Rejection
from domain.events import Event
from domain.key import base62, digest
from domain.mail import LinkMail, NoAccountMail
from domain.questions import AccountByEmail, LinkByDigest
from domain.values import Email
from graphql_api.ports import StateReader


async def read_link(ports: AccountPorts, secret: str, purpose: Purpose) -> EmailLink | Rejection:
    """Return a link without using it up."""
    used = await use_link(ports.store, ports, secret, purpose)
    return used if isinstance(used, Rejection) else used[0]


async def use_link(
    reader: StateReader, ports: AccountPorts, secret: str, purpose: Purpose
) -> tuple[EmailLink, LinkUsed] | Rejection:
    """Return a link and the event that uses it up."""
    link = await reader.read(LinkByDigest(digest(secret)))
    used = email_link.use(link, purpose, ports.clock())
    if link is None or isinstance(used, Rejection):
        return NOT_FOUND
    return link, used


async def send_link(
    ports: AccountPorts,
    email: Email,
    purpose: Purpose,
    user_id: str | None,
    name: str,
    query: str = "",
    *,
    may_use: bool = True,
) -> None:
    """Have a link sent to an address, with an account or without one; its secret is nobody's, since each attempt to send it makes another.

    `query` is the link's query. What nobody may use is made for the time that it takes, and never sent.
    """
    nobodys = digest(base62(ports.secrets(), email_link.SECRET_LENGTH))
    made = email_link.make(ports.ids(), purpose, email, user_id, ports.clock(), nobodys, mailed=ports.mailer.delivers)

    async def decide(_: StateReader) -> Sequence[Event]:
        return [made]

    mail = LinkMail(email, made.link.id, purpose, query) if may_use else NoAccountMail(email)
    await ports.change(Credit(user_id or made.link.id, name), decide, mail)


async def send_recovery_link(ports: AccountPorts, email: Email, query: str = "") -> None:
    """Have a link to a new password sent where the address has an account, else to a new account; both take as long.

    `query` is the link's query, which says where it leads in the end. Where sign-up is closed, nobody may use a link to a new account.
    """
    account = await ports.store.read(AccountByEmail(email))
    purpose = Purpose.reset_password if account else Purpose.sign_up
    user_id, name = (account.id, account.name) if account else (None, email)
    may_use = account is not None or ports.sign_up_open
    await send_link(ports, email, purpose, user_id, name, query, may_use=may_use)
