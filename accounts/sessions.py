"""Begins sessions of browsers, each in one transaction with whatever else signing in changes."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from accounts.ports import AccountPorts
from domain.account import Account
from domain.credit import Credit
from domain.errors import Rejection
from domain.events import Event
from domain.key import base62, digest
from domain.questions import OrganizationMembershipsOf
from domain.session import PREFIX, SECRET_LENGTH, Session, SessionBegun, SessionEnded
from graphql_api.ports import LockScope, StateReader, Transaction


@dataclass(frozen=True, slots=True)
class Browser:
    """The browser that signs in, and the session that it had before."""

    device: str
    session: Session | None = None


@dataclass(frozen=True, slots=True)
class NewSession:
    account: Account
    secret: str = field(repr=False)


type SignIn = tuple[Account, Sequence[Event]] | Rejection
"""The account that signs in, with the events that go with that."""


async def begin_session(
    ports: AccountPorts,
    browser: Browser,
    decide: Callable[[StateReader], Awaitable[SignIn]],
    locks: LockScope | None = None,
) -> NewSession | Rejection:
    """Begin a session of the account that `decide` returns, and record its events, in one transaction.

    The secret is always new, and the browser's session before ends: nobody else's can be continued.
    """
    secret, session_id = PREFIX + base62(ports.secrets(), SECRET_LENGTH), ports.ids()
    before = browser.session

    async def work(transaction: Transaction) -> Account | Rejection:
        decided = await decide(transaction)
        if isinstance(decided, Rejection):
            return decided
        account, events = decided
        now, by = ports.clock(), Credit(account.id, account.name)
        await transaction.record(events, by, now)
        belongings = await transaction.read(OrganizationMembershipsOf(account.id))
        kept = before.organization_id if before and before.user_id == account.id else None
        organization_id = kept or (belongings[0].id if belongings else None)
        begun = Session(session_id, account.id, organization_id, browser.device, now, now)
        ended = [SessionEnded(before.id, before.user_id)] if before else []
        await transaction.record([*ended, SessionBegun(begun, digest(secret))], by, now)
        return account

    account = await ports.store.transact(locks or LockScope(), work)
    return account if isinstance(account, Rejection) else NewSession(account, secret)
