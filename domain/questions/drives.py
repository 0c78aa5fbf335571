"""What is asked about drives and their members."""

from dataclasses import dataclass

from domain.access import Role
from domain.drive import Drive, DriveFacts
from domain.item import Item
from domain.member import Member, Standing
from domain.questions.question import Page, Question


@dataclass(frozen=True, slots=True)
class DriveFor(Question[DriveFacts | None]):
    """A drive as the user meets it; its `live_items` and `trashed_items` only say whether there are any."""

    user_id: str
    drive_id: str


@dataclass(frozen=True, slots=True)
class ListedDrive:
    """A drive of the user with live items of it (by depth, sort key of the name, id) and its members (by addedAt)."""

    drive: Drive
    role: Role
    items: tuple[Item, ...]
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class DrivesFor(Question[Page[ListedDrive]]):
    """Every drive of the user, personal first, then by name, with all its live items.

    A page holds `most_items` items at most, those with the lowest ids first: an item that stays in its drive is on one
    page, whatever it is renamed to and wherever it is moved meanwhile. Pages after the first repeat only the drives
    whose items go on. Of more than `most_drives` drives, the others begin once all items of the first were listed.
    A page may hold less than it could where much of the trash lies between.
    """

    user_id: str
    most_items: int
    most_drives: int
    after: str | None


@dataclass(frozen=True, slots=True)
class DriveNames(Question[Page[DriveFacts]]):
    """The drives of the user without their items (as in `DriveFor`), personal first, then by name."""

    user_id: str
    first: int
    after: str | None


@dataclass(frozen=True, slots=True)
class MembersOf(Question[tuple[Member, ...]]):
    drive_id: str


@dataclass(frozen=True, slots=True)
class StandingOf(Question[Standing]):
    """How `member_id` stands to a drive."""

    drive_id: str
    member_id: str
