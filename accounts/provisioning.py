"""Makes accounts, organizations, keys and sign-in links for the operator, with the events that everybody's changes have."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from argon2 import PasswordHasher

from domain import email_link, key
from domain.account import Account, AccountCreated, EmailVerified
from domain.credit import Credit
from domain.errors import Code, Rejection
from domain.events import Event
from domain.organization import (
    Invitation,
    InvitationAccepted,
    MemberInvited,
    Organization,
    OrganizationCreated,
    OrganizationRole,
    set_role,
)
from domain.questions import OrganizationFor
from domain.values import Email
from graphql_api.ports import LockScope, Store, Transaction
from graphql_api.system import new_id, now, random_bits

SYSTEM = "the operator"


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    name: str
    email: Email

    @property
    def credit(self) -> Credit:
        return Credit(self.id, self.name)


async def record(store: Store, by: Credit, events: Sequence[Event], locks: LockScope | None = None) -> None:
    async def work(transaction: Transaction) -> None:
        await transaction.record(events, by, now())

    await store.transact(locks or LockScope(), work)


async def make_account(store: Store, name: str, email: Email, *, verified: bool) -> Person:
    """Make an account with its personal drive; `verified` vouches for the address."""
    person = Person(new_id(), name, email)
    made = AccountCreated(Account(person.id, name, email, email_verified=False, created_at=now()), new_id())
    await record(store, person.credit, [made, EmailVerified(person.id, email)] if verified else [made])
    return person


async def make_organization(store: Store, name: str, admin: Person) -> Organization:
    made = Organization(new_id(), name, now())
    await record(store, admin.credit, [OrganizationCreated(made, admin.id)])
    return made


async def add_to_organization(
    store: Store, organization_id: str, person: Person, role: OrganizationRole, by: Credit
) -> Rejection | None:
    """Make somebody a member as if an invitation had been sent and accepted, or give a member another role."""

    async def work(transaction: Transaction) -> Rejection | None:
        facts = await transaction.read(OrganizationFor(person.id, organization_id))
        if facts is None:
            return Rejection(Code.NOT_FOUND, f"no organization has the id `{organization_id}`")
        if facts.role is None:
            made = Invitation(new_id(), organization_id, person.email, role, now(), now())
            unused = key.digest(key.compose(random_bits()))
            events: Sequence[Event] = (
                MemberInvited(made, unused),
                InvitationAccepted(made.id, organization_id, person.id, role),
            )
        else:
            as_admin = replace(facts, role=OrganizationRole.admin)  # which is what an operator may do anywhere
            decided = set_role(as_admin, person.id, role, facts.role)
            if isinstance(decided, Rejection):
                return decided
            events = decided
        await transaction.record(events, by, now())
        return None

    return await store.transact(LockScope(organizations=(organization_id,)), work)


async def make_key(
    store: Store, person: Person, name: str, organization_id: str | None, agent: str | None = None
) -> str:
    """Make a key of `person` and return its secret, which is kept nowhere."""
    secret = key.compose(random_bits())
    made = key.create(secret, new_id(), name, agent, organization_id, person.credit, now())
    await record(store, person.credit, [made])
    return secret


async def make_link(store: Store, person: Person) -> str:
    """Return the secret of a new one-time sign-in link of `person`; it is kept nowhere."""
    secret = key.base62(random_bits(), email_link.SECRET_LENGTH)
    made = email_link.make(
        new_id(), email_link.Purpose.sign_in, person.email, person.id, now(), key.digest(secret), mailed=False
    )
    await record(store, person.credit, [made])
    return secret


def link_text(origin: str, secret: str) -> str:
    """Say where a sign-in link leads and how long it is good."""
    return f"{origin}/sign-in/{secret} (good once, for {email_link.LIFETIMES[email_link.Purpose.sign_in].days} days)"


def hashed(password: str) -> str:
    return PasswordHasher().hash(password)
