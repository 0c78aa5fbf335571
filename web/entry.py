"""How somebody comes in: what is recorded when they sign in, by whatever proof, and what they are sent to do so."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from domain import link, session
from domain.account import Account
from domain.credit import Credit
from domain.errors import NOT_FOUND, Rejection
from domain.events import Event
from domain.key import base62, digest
from domain.link import Link, Purpose
from domain.questions import AccountByEmail, AccountOf, LinkByDigest, OrganizationMembershipsOf, PasswordOf
from domain.values import Email
from graphql_api.errors import unwrap
from graphql_api.ports import LockScope, StateReader, Transaction
from web.device import device_of
from web.letters import Letter, letter, no_account
from web.site import PageRequest, Site

MAX_PASSWORD_LENGTH = 1_000  # characters that are worth hashing
_NOTHING = LockScope()

type Write = Callable[[str, Purpose, str, str], Letter]
"""Writes a letter of the origin, what the link is for, and the link's secret and query."""

type Found = tuple[Account, Sequence[Event]]
"""Who comes in, and what happens besides."""


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody is signed in: `cookie` is the whole `Set-Cookie` that says so."""

    account: Account
    cookie: str


async def enter(
    site: Site,
    request: PageRequest,
    find: Callable[[StateReader], Awaitable[Found | Rejection]],
    touches: LockScope = _NOTHING,
) -> Entered:
    """Begin a session of whoever `find` returns, in one transaction with what it says happens; raises Refused.

    The secret is always a new one, and the session that the browser came with ends: nobody else's can be continued.
    """
    before = await site.visitor(request)
    secret = session.PREFIX + base62(site.secrets(), session.SECRET_LENGTH)
    session_id, device = site.ids(), device_of(request.headers.get("user-agent", ""))

    async def work(transaction: Transaction) -> Account | Rejection:
        found = await find(transaction)
        if isinstance(found, Rejection):
            return found
        account, events = found
        now = site.clock()
        by = Credit(account.id, account.name)
        await transaction.record(events, by, now)
        belongings = await transaction.read(OrganizationMembershipsOf(account.id))
        kept = before.session.organization_id if before and before.caller.user_id == account.id else None
        acts_in = kept or (belongings[0].id if belongings else None)
        begun = session.Session(session_id, account.id, acts_in, device, now, now)
        ended = [session.SessionEnded(before.session.id, before.caller.user_id)] if before else []
        await transaction.record([*ended, session.SessionBegun(begun, digest(secret))], by, now)
        return account

    account = unwrap(await site.store.transact(touches, work))
    return Entered(account, site.cookies.set(secret, round(site.lifetimes.longest.total_seconds())))


async def by_password(site: Site, request: PageRequest, email: Email | None, password: str) -> Entered | None:
    """Sign in; None where it is no account's password, after the same work whatever was wrong."""
    held = await site.store.read(PasswordOf(email or Email("")))
    fits = await site.passwords.fits(password[:MAX_PASSWORD_LENGTH], held.password_hash if held else None)
    if held is None or not fits:
        return None
    user_id = held.user_id

    async def find(ask: StateReader) -> Found | Rejection:
        account = await ask.read(AccountOf(user_id))
        return NOT_FOUND if account is None else (account, ())

    return await enter(site, request, find)


async def link_of(site: Site, secret: str, purpose: Purpose) -> Link:
    """Return what a link leads to, without using it up; raises Refused for one that leads nowhere."""
    found = await site.store.read(LinkByDigest(digest(secret)))
    unwrap(link.use(found, purpose, site.clock()))
    assert found is not None
    return found


async def used(ask: StateReader, site: Site, secret: str, purpose: Purpose) -> tuple[Link, link.LinkUsed] | Rejection:
    """Return a link and that it is used up by this transaction."""
    found = await ask.read(LinkByDigest(digest(secret)))
    decided = link.use(found, purpose, site.clock())
    if isinstance(decided, Rejection) or found is None:
        return NOT_FOUND
    return found, decided


async def send_link(
    site: Site,
    email: Email,
    purpose: Purpose,
    user_id: str | None,
    name: str,
    write: Write = letter,
    onward: str = "",
) -> None:
    secret, now = base62(site.secrets(), link.SECRET_LENGTH), site.clock()
    made = link.make(site.ids(), purpose, email, user_id, now, digest(secret), mailed=site.post.delivers)

    async def work(transaction: Transaction) -> None:
        await transaction.record([made], Credit(user_id or made.link.id, name), now)

    await site.store.transact(_NOTHING, work)
    written = write(site.origin, purpose, secret, onward)
    site.post.send(email, written.subject, written.text)


async def send_way_in(site: Site, email: Email, onward: str = "") -> None:
    """Send whoever reads the address a way in: to a new password, or to a new account. Neither takes longer.

    `onward` is the query of the link, which says where it leads in the end.

    Where sign-up is closed the link to a new account is made all the same, for the time that it takes, and sent to nobody.
    """
    account = await site.store.read(AccountByEmail(email))
    purpose = Purpose.reset_password if account else Purpose.sign_up
    write = letter if account or site.sign_up_open else no_account
    await send_link(
        site, email, purpose, account.id if account else None, account.name if account else email, write, onward
    )
