"""Claims of accounts by link or invitation, and the takeover of an account that others made or used before."""

from dataclasses import dataclass
from datetime import datetime

from domain.account import Account, AccountCreated, AccountRenamed, EmailVerified, may_take_over
from domain.email_link import LinkUsed
from domain.errors import Code, Rejection
from domain.events import Event
from domain.key import KeyRevoked
from domain.oauth import AppDisconnected
from domain.organization import (
    InvitationRevoked,
    OrganizationMemberRemoved,
    OrganizationRole,
    OrganizationRoleSet,
)
from domain.publication import DocumentUnpublished
from domain.session import PasswordSet, SessionEnded
from domain.share import ShareRemoved
from domain.values import Email

HAS_ACCOUNT = Rejection(Code.BAD_REQUEST, "this address has an account by now: sign in")


@dataclass(frozen=True, slots=True)
class AccountClaim:
    """The name and password chosen by the holder of a link; `mailed`: the link was sent to `email` by e-mail."""

    name: str
    email: Email
    password_hash: str
    mailed: bool

    def takes_over(self, account: Account) -> bool:
        return may_take_over(account, mailed=self.mailed)


@dataclass(frozen=True, slots=True)
class PlantedApp:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class PlantedShare:
    """A grant that the account gave, or one on an item of its personal drive."""

    item_id: str
    drive_id: str
    email: Email


@dataclass(frozen=True, slots=True)
class PlantedPage:
    """A document of the account's personal drive that is published."""

    item_id: str
    drive_id: str


@dataclass(frozen=True, slots=True)
class PlantedMembership:
    """A membership of an organization in which there are others.

    `successor_id` becomes its admin where nobody else is one: the member who has been there longest.
    """

    organization_id: str
    successor_id: str | None


@dataclass(frozen=True, slots=True)
class PlantedInvitation:
    """An open invitation to an organization whose only member is the account."""

    id: str
    organization_id: str


@dataclass(frozen=True, slots=True)
class Planted:
    """Everything that acts as an account, or that gives others access to what is its own."""

    sessions: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    apps: tuple[PlantedApp, ...] = ()
    shares: tuple[PlantedShare, ...] = ()
    pages: tuple[PlantedPage, ...] = ()
    memberships: tuple[PlantedMembership, ...] = ()
    invitations: tuple[PlantedInvitation, ...] = ()


def take_over(account: Account, planted: Planted) -> tuple[Event, ...]:
    """Verify an account's address and end everything that was planted in the account.

    What was granted to the address stays, also in organizations whose memberships end: it was given to its owner. So
    does an organization whose only member is the account, since its drives would have no owner otherwise.
    """
    user_id = account.id
    return (
        *(SessionEnded(session_id, user_id) for session_id in planted.sessions),
        *(KeyRevoked(key_id, user_id) for key_id in planted.keys),
        *(AppDisconnected(app.id, user_id, app.name) for app in planted.apps),
        *(LinkUsed(link_id) for link_id in planted.links),
        *(ShareRemoved(share.item_id, share.drive_id, share.email) for share in planted.shares),
        *(DocumentUnpublished(page.item_id, page.drive_id) for page in planted.pages),
        *(InvitationRevoked(one.id, one.organization_id) for one in planted.invitations),
        *(event for membership in planted.memberships for event in _left(membership, user_id)),
        EmailVerified(user_id, account.email),
    )


def claim_account(
    claim: AccountClaim, account: Account | None, planted: Planted, user_id: str, drive_id: str, now: datetime
) -> tuple[Account, tuple[Event, ...]] | Rejection:
    """Make an account, or take over the address's unverified one; `user_id` and `drive_id` are those of a new account.

    A mailed link verifies the address. An account that is verified, or to which nothing was mailed, is not for taking.
    """
    if account is None:
        made = Account(user_id, claim.name, claim.email, email_verified=False, created_at=now)
        verified = (EmailVerified(made.id, made.email),) if claim.mailed else ()
        return made, (AccountCreated(made, drive_id), PasswordSet(made.id, claim.password_hash), *verified)
    if not claim.takes_over(account):
        return HAS_ACCOUNT
    changed = AccountRenamed(account.id, claim.name), PasswordSet(account.id, claim.password_hash)
    return account, (*changed, *take_over(account, planted))


def _left(membership: PlantedMembership, user_id: str) -> tuple[Event, ...]:
    of, successor = membership.organization_id, membership.successor_id
    followed = (OrganizationRoleSet(of, successor, OrganizationRole.admin),) if successor else ()
    return (*followed, OrganizationMemberRemoved(of, user_id, None, grants_stay=True))
