"""Use cases of the operator: accounts, organizations, keys and sign-in links."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from domain import email_link, key
from domain.account import Account, AccountCreated, AccountDisabled, EmailVerified
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
from domain.questions import AccountByEmail, KeysOf, OrganizationFor, OrganizationMembershipsOf
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


async def find_person(store: Store, email: Email) -> Person | Rejection:
    found = await store.read(AccountByEmail(email))
    if found is None:
        return Rejection(Code.NOT_FOUND, f"no account has the address `{email}`")
    return Person(found.id, found.name, email)


async def make_account(store: Store, name: str, email: Email, *, verified: bool) -> Person:
    """Make an account with its personal drive; `verified` vouches for the address."""
    person = Person(new_id(), name, email)
    made = AccountCreated(Account(person.id, name, email, email_verified=False, created_at=now()), new_id())
    await record(store, person.credit, [made, EmailVerified(person.id, email)] if verified else [made])
    return person


async def verify_account(store: Store, person: Person) -> None:
    """Vouch for the address of an account as it is: nothing in it ends."""
    await record(store, person.credit, [EmailVerified(person.id, person.email)])


async def disable_account(store: Store, person: Person, *, disabled: bool) -> None:
    """Stop everything that acts for an account, or let it act again; nothing of it is deleted."""
    await record(store, person.credit, [AccountDisabled(person.id, disabled)])


async def make_organization(store: Store, name: str, admin: Person) -> Organization:
    made = Organization(new_id(), name, now())
    await record(store, admin.credit, [OrganizationCreated(made, admin.id)])
    return made


async def add_to_organization(
    store: Store, organization_id: str, person: Person, role: OrganizationRole, by: Credit
) -> Rejection | None:
    """Make a person a member, as an accepted invitation does, or give a member another role."""

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
            as_admin = replace(facts, role=OrganizationRole.admin)  # the operator may do what an admin may
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
    """Make a key of `person` and return its secret, which is stored nowhere."""
    secret = key.compose(random_bits())
    made = key.create(secret, new_id(), name, agent, organization_id, person.credit, now())
    await record(store, person.credit, [made])
    return secret


async def make_key_in(
    store: Store, person: Person, name: str, organization: str | None, agent: str | None = None
) -> str | Rejection:
    """Make a key that acts in the organization of this name, or in the person's first, and return its secret."""
    belongings = await store.read(OrganizationMembershipsOf(person.id))
    chosen = next((of.id for of in belongings if organization in (None, of.name)), None)
    if organization and chosen is None:
        return Rejection(Code.NOT_FOUND, f"{person.email} does not belong to an organization `{organization}`")
    return await make_key(store, person, name, chosen, agent)


async def revoke_key(store: Store, person: Person, key_id: str) -> Rejection | None:
    """Revoke a key of `person`."""
    held = next((one for one in await store.read(KeysOf(person.id)) if one.id == key_id), None)
    if held is None:
        return Rejection(Code.NOT_FOUND, f"{person.email} has no key with the id `{key_id}`")
    await record(store, person.credit, [key.KeyRevoked(held.id, person.id)])
    return None


async def make_link(store: Store, person: Person) -> str:
    """Return the secret of a new one-time sign-in link of `person`; it is stored nowhere."""
    secret = key.base62(random_bits(), email_link.SECRET_LENGTH)
    made = email_link.make(
        new_id(), email_link.Purpose.sign_in, person.email, person.id, now(), key.digest(secret), mailed=False
    )
    await record(store, person.credit, [made])
    return secret


def link_text(origin: str, secret: str) -> str:
    """Return the address of a sign-in link, with its lifetime."""
    return f"{origin}/sign-in/{secret} (good once, for {email_link.LIFETIMES[email_link.Purpose.sign_in].days} days)"
