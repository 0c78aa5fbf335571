"""Drives: places of one person or of an organization that contain items."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from domain.access import DriveCan, Role, drive_authority
from domain.errors import NOT_FOUND, Code, Rejection, forbidden
from domain.values import ItemName


class DriveKind(StrEnum):
    personal = "personal"
    shared = "shared"


@dataclass(frozen=True, slots=True)
class Drive:
    """`depth` is an upper bound of how deep its tree is: moves need no walk while the bound is within the limit."""

    id: str
    name: str
    kind: DriveKind
    organization_id: str | None
    created_at: datetime
    updated_at: datetime
    depth: int = 0


@dataclass(frozen=True, slots=True)
class DriveFacts:
    """A drive for one user; `role` is None for a non-member. Only `DriveFor` fills `trashed_items`."""

    drive: Drive
    role: Role | None
    live_items: int = 0
    trashed_items: int = 0

    @property
    def can(self) -> frozenset[DriveCan]:
        return drive_authority(self.role)


@dataclass(frozen=True, slots=True)
class DriveCreated:
    drive: Drive
    owner_id: str


@dataclass(frozen=True, slots=True)
class DriveRenamed:
    drive_id: str
    name: ItemName


@dataclass(frozen=True, slots=True)
class DriveDeleted:
    drive_id: str
    name: str


def member_of(facts: DriveFacts | None) -> DriveFacts | Rejection:
    """Return the drive to its members alone: to all others it is not there."""
    return NOT_FOUND if facts is None or facts.role is None else facts


def create(drive_id: str, name: ItemName, organization_id: str | None, owner_id: str, now: datetime) -> (
    tuple[DriveCreated, ...] | Rejection
):  # fmt: skip
    """Make a shared drive in the active organization; the caller is its first owner."""
    if organization_id is None:
        return Rejection(
            Code.NO_ACTIVE_ORGANIZATION, "a shared drive belongs to an organization: choose one you are a member of"
        )
    return (DriveCreated(Drive(drive_id, name, DriveKind.shared, organization_id, now, now), owner_id),)


def rename(facts: DriveFacts | None, name: ItemName) -> tuple[DriveRenamed, ...] | Rejection:
    seen = member_of(facts)
    if isinstance(seen, Rejection):
        return seen
    if DriveCan.rename not in seen.can:
        return forbidden("rename this drive")
    return () if seen.drive.name == name else (DriveRenamed(seen.drive.id, name),)


def delete(facts: DriveFacts | None) -> tuple[DriveDeleted, ...] | Rejection:
    """Delete a shared drive that is empty, with an empty trash: trashed items could still be restored."""
    seen = member_of(facts)
    if isinstance(seen, Rejection):
        return seen
    if DriveCan.delete not in seen.can:
        return forbidden("delete this drive")
    if seen.drive.kind is DriveKind.personal:
        return Rejection(Code.NOT_A_SHARED_DRIVE, "a personal drive stays with its account")
    if seen.live_items:
        return Rejection(
            Code.DRIVE_NOT_EMPTY,
            "move everything in the drive elsewhere, or trash it and then delete it for ever, first",
        )
    if seen.trashed_items:
        return Rejection(Code.DRIVE_NOT_EMPTY, "delete everything in the trash of the drive for ever first")
    return (DriveDeleted(seen.drive.id, seen.drive.name),)
