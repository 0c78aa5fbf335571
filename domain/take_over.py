"""What ends when the owner of an address takes over an account that others made or used before."""

from dataclasses import dataclass

from domain.account import Account, AddressProved
from domain.events import Event
from domain.key import KeyRevoked
from domain.link import LinkUsed
from domain.oauth import AppDisconnected
from domain.organization import (
    InvitationRevoked,
    OrganizationMemberRemoved,
    OrganizationRole,
    OrganizationRoleSet,
)
from domain.publication import DocumentUnpublished
from domain.session import SessionEnded
from domain.share import ShareRemoved
from domain.values import Email


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

    `successor_id` is whoever becomes its admin, where nobody else is one: the member who has been there longest.
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
    """All that acts as an account, or lets others reach what is its own."""

    sessions: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    apps: tuple[PlantedApp, ...] = ()
    shares: tuple[PlantedShare, ...] = ()
    pages: tuple[PlantedPage, ...] = ()
    memberships: tuple[PlantedMembership, ...] = ()
    invitations: tuple[PlantedInvitation, ...] = ()


def take_over(account: Account, planted: Planted) -> tuple[Event, ...]:
    """Prove the address of an account for whoever reads its mail, and end all that was planted in it.

    What was granted to the address stays, also in organizations whose memberships end: it was given to its owner. So
    does an organization in which nobody else is, since its drives would be nobody's without its only member.
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
        AddressProved(user_id, account.email),
    )


def _left(membership: PlantedMembership, user_id: str) -> tuple[Event, ...]:
    of, successor = membership.organization_id, membership.successor_id
    followed = (OrganizationRoleSet(of, successor, OrganizationRole.admin),) if successor else ()
    return (*followed, OrganizationMemberRemoved(of, user_id, None, grants_stay=True))
