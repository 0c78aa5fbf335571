"""What the store in memory holds, and how an item or a drive is met in it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Self

from domain.access import Can, Permission, Role, Step
from domain.account import Account
from domain.credit import Author
from domain.document import Image
from domain.drive import Drive, DriveFacts
from domain.email_link import EmailLink
from domain.history import Edit, EditedBy
from domain.idempotency import RecordedRequest
from domain.item import Item, ItemFacts
from domain.key import ApiKey
from domain.oauth import ConnectedApp
from domain.organization import Invitation, Organization, OrganizationRole
from domain.questions import Recorded
from domain.session import Session
from domain.values import Email
from domain.version import Version

# A longer way up than any tree can be: only a cycle, which cannot be either, would end here.
GUARD = 256


@dataclass(frozen=True, slots=True)
class Belonged:
    role: OrganizationRole
    joined_at: datetime


@dataclass(frozen=True, slots=True)
class Membership:
    role: Role
    added_at: datetime
    given_by: str


@dataclass(frozen=True, slots=True)
class Granted:
    """`user_id` is None until an account has verified the address: only then is the grant effective."""

    permission: Permission
    given_by: str
    created_at: datetime
    user_id: str | None


@dataclass(slots=True)
class State:
    """Plain dictionaries of values that never change, so a copy of the dictionaries is a snapshot."""

    accounts: dict[str, Account] = field(default_factory=dict)
    disabled: dict[str, bool] = field(default_factory=dict)
    organizations: dict[str, Organization] = field(default_factory=dict)
    belongings: dict[tuple[str, str], Belonged] = field(default_factory=dict)
    invitations: dict[str, tuple[Invitation, str]] = field(default_factory=dict)
    drives: dict[str, Drive] = field(default_factory=dict)
    members: dict[tuple[str, str], Membership] = field(default_factory=dict)
    items: dict[str, Item] = field(default_factory=dict)
    grants: dict[tuple[str, Email], Granted] = field(default_factory=dict)
    keys: dict[str, tuple[ApiKey, str]] = field(default_factory=dict)
    apps: dict[tuple[str, str, str], ConnectedApp] = field(default_factory=dict)
    sessions: dict[str, tuple[Session, str]] = field(default_factory=dict)
    links: dict[str, tuple[EmailLink, str]] = field(default_factory=dict)
    passwords: dict[str, str] = field(default_factory=dict)
    requests: dict[tuple[str, str, str], tuple[RecordedRequest, datetime]] = field(default_factory=dict)
    updates: dict[str, tuple[bytes, ...]] = field(default_factory=dict)
    edits: dict[str, tuple[Edit, ...]] = field(default_factory=dict)
    versions: dict[tuple[str, int], tuple[Version, tuple[EditedBy, ...]]] = field(default_factory=dict)
    authors: dict[tuple[str, str, str | None], Author] = field(default_factory=dict)
    images: dict[str, Image] = field(default_factory=dict)
    lines: dict[int, Recorded] = field(default_factory=dict)

    def copy(self) -> Self:
        return type(self)(**{each.name: dict(getattr(self, each.name)) for each in fields(self)})

    def role(self, user_id: str, drive_id: str) -> Role | None:
        membership = self.members.get((drive_id, user_id))
        return membership.role if membership else None

    def upwards(self, item_id: str | None) -> Iterator[Item]:
        """Yield the item, then its ancestors up to the root."""
        for _ in range(GUARD):
            if item_id is None:
                return
            item = self.items[item_id]
            yield item
            item_id = item.parent_id

    def granted(self, user_id: str) -> dict[str, tuple[Permission, datetime]]:
        """Return what is effective for the user, by item."""
        return {
            item_id: (grant.permission, grant.created_at)
            for (item_id, _), grant in self.grants.items()
            if grant.user_id == user_id
        }

    def facts(self, user_id: str, item_id: str) -> ItemFacts | None:
        if item_id not in self.items:
            return None
        item, granted = self.items[item_id], self.granted(user_id)
        path = tuple(
            Step(step.id, trashed=step.trashed_at is not None, permission=granted[step.id][0])
            if step.id in granted
            else Step(step.id, trashed=step.trashed_at is not None)
            for step in self.upwards(item_id)
        )
        return ItemFacts(item, self.drives[item.drive_id], self.role(user_id, item.drive_id), path)

    def sees(self, user_id: str, item_id: str) -> bool:
        met = self.facts(user_id, item_id)
        return met is not None and Can.read in met.authority.can

    def is_live(self, item: Item) -> bool:
        return all(step.trashed_at is None for step in self.upwards(item.id))

    def live(self, drive_id: str) -> list[Item]:
        return [item for item in self.items.values() if item.drive_id == drive_id and self.is_live(item)]

    def drive_facts(self, user_id: str, drive_id: str) -> DriveFacts | None:
        if drive_id not in self.drives:
            return None
        return DriveFacts(self.drives[drive_id], self.role(user_id, drive_id), len(self.live(drive_id)))

    def children(self) -> dict[str | None, list[Item]]:
        """Return what lies directly below each item, in the trash or not."""
        below = defaultdict[str | None, list[Item]](list)
        for item in self.items.values():
            below[item.parent_id].append(item)
        return below

    def subtree(self, item_id: str) -> Iterator[tuple[Item, int]]:
        """Yield the item (level 1) and all that lies below it, in the trash or not."""
        below, waiting = self.children(), [(self.items[item_id], 1)]
        while waiting:
            item, level = waiting.pop()
            yield item, level
            waiting += [(child, level + 1) for child in below[item.id] if level < GUARD]

    def account_by_email(self, email: str) -> Account | None:
        return next((account for account in self.accounts.values() if account.email == email), None)

    def verified_holder(self, email: Email) -> str | None:
        """Return who has verified this address."""
        account = self.account_by_email(email)
        return account.id if account and account.email_verified else None
