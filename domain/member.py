"""Drive membership: adding, changing and removing members while an owner remains."""

from dataclasses import dataclass
from datetime import datetime

from domain.access import DriveCan, Role, outranks
from domain.drive import DriveFacts, DriveKind, member_of
from domain.errors import NOT_FOUND, Code, Rejection, forbidden

MAX_MEMBERS = 600


@dataclass(frozen=True, slots=True)
class Member:
    user_id: str
    role: Role
    name: str
    email: str
    added_at: datetime


@dataclass(frozen=True, slots=True)
class MembershipFacts:
    """A user's membership of a drive: whether in its organization, the role, and the numbers of owners and members."""

    in_organization: bool
    role: Role | None
    owners: int
    members: int


@dataclass(frozen=True, slots=True)
class MemberSet:
    drive_id: str
    user_id: str
    role: Role
    previous: Role | None


@dataclass(frozen=True, slots=True)
class MemberRemoved:
    drive_id: str
    user_id: str
    previous: Role


def _managed(facts: DriveFacts | None, needed: DriveCan | None) -> DriveFacts | Rejection:
    seen = member_of(facts)
    if isinstance(seen, Rejection):
        return seen
    if needed is not None and needed not in seen.can:
        return forbidden("change the members of this drive" if needed is DriveCan.manageMembers else "make owners")
    if seen.drive.kind is DriveKind.personal:
        return Rejection(Code.NOT_A_SHARED_DRIVE, "a personal drive has one member: share single items instead")
    return seen


def _last_owner(membership: MembershipFacts) -> Rejection | None:
    if membership.role is Role.owner and membership.owners == 1:
        return Rejection(Code.LAST_OWNER, "a shared drive keeps an owner: make somebody else one first")
    return None


def upsert(
    facts: DriveFacts | None, user_id: str, role: Role, membership: MembershipFacts, most: int
) -> tuple[MemberSet, ...] | Rejection:
    """Add a member, or give a member another role; nobody grants or touches a role above their own."""
    needed = DriveCan.manageOwners if role is Role.owner else DriveCan.manageMembers
    seen = _managed(facts, needed)
    if isinstance(seen, Rejection):
        return seen
    if not membership.in_organization:
        return NOT_FOUND
    if membership.role is role:
        return ()
    if outranks(membership.role, seen.role):
        return forbidden("change a member whose role is above yours")
    if last := _last_owner(membership):
        return last
    if membership.role is None and membership.members >= most:
        return Rejection(Code.LIMIT_EXCEEDED, f"a drive has at most {most} members")
    return (MemberSet(seen.drive.id, user_id, role, membership.role),)


def remove(
    facts: DriveFacts | None, user_id: str, asking_id: str, membership: MembershipFacts
) -> tuple[MemberRemoved, ...] | Rejection:
    """End a membership; any member may end their own."""
    seen = _managed(facts, None if user_id == asking_id else DriveCan.manageMembers)
    if isinstance(seen, Rejection):
        return seen
    if membership.role is None:
        return NOT_FOUND
    if outranks(membership.role, seen.role):
        return forbidden("remove a member whose role is above yours")
    return _last_owner(membership) or (MemberRemoved(seen.drive.id, user_id, membership.role),)
