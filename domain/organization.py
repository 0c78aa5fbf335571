"""Organizations: people who share drives, and the admins who decide on membership."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from domain.account import Account, require_verified
from domain.errors import NOT_FOUND, Code, Rejection, forbidden
from domain.key import base62
from domain.values import Email, ItemName

MAX_OPEN_INVITATIONS = 200
TOKEN_LENGTH = 30


class OrganizationRole(StrEnum):
    admin = "admin"
    member = "member"


@dataclass(frozen=True, slots=True)
class Organization:
    id: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class OrganizationFacts:
    """An organization as one user meets it; `role` is None for those who are not members."""

    organization: Organization
    role: OrganizationRole | None
    admins: int = 0


@dataclass(frozen=True, slots=True)
class OrganizationMember:
    user_id: str
    role: OrganizationRole
    name: str
    email: str
    joined_at: datetime


@dataclass(frozen=True, slots=True)
class OrganizationMembership:
    """One organization that an account belongs to."""

    id: str
    name: str
    role: OrganizationRole
    created_at: datetime
    joined_at: datetime


def invitation_token(random_bits: int) -> str:
    """Return the token of an invitation that has at least 180 random bits."""
    return f"cdi_{base62(random_bits, TOKEN_LENGTH)}"


@dataclass(frozen=True, slots=True)
class Invitation:
    """A standing invitation; `expires_at` ends it. The token that accepts it is sent once and kept as a digest.

    `mailed`: it was sent to the address by mail, and not to the operator's log.
    """

    id: str
    organization_id: str
    email: str
    role: OrganizationRole
    created_at: datetime
    expires_at: datetime
    mailed: bool = False


@dataclass(frozen=True, slots=True)
class OrganizationCreated:
    organization: Organization
    admin_id: str


@dataclass(frozen=True, slots=True)
class MemberInvited:
    invitation: Invitation
    digest: str


@dataclass(frozen=True, slots=True)
class InvitationAccepted:
    invitation_id: str
    organization_id: str
    user_id: str
    role: OrganizationRole


@dataclass(frozen=True, slots=True)
class InvitationRevoked:
    invitation_id: str
    organization_id: str


@dataclass(frozen=True, slots=True)
class OrganizationRoleSet:
    organization_id: str
    user_id: str
    role: OrganizationRole


@dataclass(frozen=True, slots=True)
class OrganizationMemberRemoved:
    """`heir_id` receives the drives that would be left without an owner.

    None (the member left by themselves) is the admin who has been there longest. What was granted to the member's
    address on items of the organization ends, unless `grants_stay`.
    """

    organization_id: str
    user_id: str
    heir_id: str | None
    grants_stay: bool = False


def create(organization_id: str, name: ItemName, admin_id: str, now: datetime) -> tuple[OrganizationCreated, ...]:
    return (OrganizationCreated(Organization(organization_id, name, now), admin_id),)


def require_member(facts: OrganizationFacts | None) -> OrganizationFacts | Rejection:
    return NOT_FOUND if facts is None or facts.role is None else facts


def require_admin(facts: OrganizationFacts | None) -> OrganizationFacts | Rejection:
    seen = require_member(facts)
    if isinstance(seen, OrganizationFacts) and seen.role is not OrganizationRole.admin:
        return forbidden("manage the members of this organization")
    return seen


def invite(
    facts: OrganizationFacts | None,
    invitation: Invitation,
    digest: str,
    by: Account,
    pending: Sequence[Invitation],
    most: int,
) -> tuple[MemberInvited, ...] | Rejection:
    """Invite an address, whether or not anybody has it: the answer never tells."""
    seen = require_admin(facts)
    if isinstance(seen, Rejection):
        return seen
    if refused := require_verified(by, "invite anybody"):
        return refused
    if sum(one.expires_at > invitation.created_at for one in pending) >= most:
        return Rejection(
            Code.LIMIT_EXCEEDED,
            f"an organization has at most {most} open invitations: take one back or wait for answers",
        )
    return (MemberInvited(invitation, digest),)


def revoke_invitation(
    facts: OrganizationFacts | None, invitation_id: str, pending: Sequence[Invitation]
) -> tuple[InvitationRevoked, ...] | Rejection:
    seen = require_admin(facts)
    if isinstance(seen, Rejection):
        return seen
    if all(one.id != invitation_id for one in pending):
        return NOT_FOUND
    return (InvitationRevoked(invitation_id, seen.organization.id),)


def accept(
    invitation: Invitation | None, user_id: str, email: Email, now: datetime, already: OrganizationRole | None
) -> tuple[InvitationAccepted, ...] | Rejection:
    """Join by an invitation that was sent to one's own address and has not run out."""
    if invitation is None or invitation.email != email or invitation.expires_at <= now:
        return NOT_FOUND
    role = already or invitation.role
    return (InvitationAccepted(invitation.id, invitation.organization_id, user_id, role),)


def set_role(
    facts: OrganizationFacts | None, user_id: str, role: OrganizationRole, present: OrganizationRole | None
) -> tuple[OrganizationRoleSet, ...] | Rejection:
    seen = require_admin(facts)
    if isinstance(seen, Rejection):
        return seen
    if present is None:
        return NOT_FOUND
    if present is role:
        return ()
    return _last_admin(seen, present) or (OrganizationRoleSet(seen.organization.id, user_id, role),)


def remove(
    facts: OrganizationFacts | None, user_id: str, asking_id: str, present: OrganizationRole | None
) -> tuple[OrganizationMemberRemoved, ...] | Rejection:
    """End a membership; memberships and grants in the organization's drives end with it. Anybody may leave."""
    seen = require_member(facts) if user_id == asking_id else require_admin(facts)
    if isinstance(seen, Rejection):
        return seen
    if present is None:
        return NOT_FOUND
    heir = None if user_id == asking_id else asking_id
    return _last_admin(seen, present) or (OrganizationMemberRemoved(seen.organization.id, user_id, heir),)


def _last_admin(seen: OrganizationFacts, present: OrganizationRole) -> Rejection | None:
    if present is OrganizationRole.admin and seen.admins == 1:
        return Rejection(Code.LAST_ADMIN, "an organization keeps an admin: make somebody else one first")
    return None
