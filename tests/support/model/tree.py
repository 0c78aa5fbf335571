"""The access tree as dictionaries: drives, members, items and grants, and who belongs to which organization."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import datetime

from domain.access import Can, Permission, Role, Step
from domain.account import Account
from domain.drive import Drive
from domain.events import Event
from domain.item import Item, ItemFacts
from domain.organization import Invitation, Organization, OrganizationRole

MAX_DEPTH = 256  # a longer way up than any tree has: only a cycle would end here


@dataclass(frozen=True, slots=True)
class Membership[Held]:
    """A role in a drive or in an organization."""

    role: Held
    since: datetime
    given_by: str | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """`user_id` is None until an account has proved the address: only then is the grant effective."""

    permission: Permission
    given_by: str
    created_at: datetime
    user_id: str | None


@dataclass(slots=True)
class Tree:
    """Dictionaries of values that never change, so a copy of the dictionaries is a snapshot."""

    accounts: dict[str, Account] = field(default_factory=dict)
    disabled: dict[str, bool] = field(default_factory=dict)
    organizations: dict[str, Organization] = field(default_factory=dict)
    belongings: dict[tuple[str, str], Membership[OrganizationRole]] = field(default_factory=dict)  # organization, user
    invitations: dict[str, tuple[Invitation, str]] = field(default_factory=dict)  # with the digest
    drives: dict[str, Drive] = field(default_factory=dict)
    members: dict[tuple[str, str], Membership[Role]] = field(default_factory=dict)  # drive, user
    items: dict[str, Item] = field(default_factory=dict)
    grants: dict[tuple[str, str], Grant] = field(default_factory=dict)  # item, address
    stars: dict[tuple[str, str], datetime] = field(default_factory=dict)  # user, item
    recorded: dict[int, Event] = field(default_factory=dict)  # by number

    def copy(self) -> "Tree":
        return Tree(**{each.name: dict(getattr(self, each.name)) for each in fields(self)})

    def role(self, user_id: str, drive_id: str) -> Role | None:
        membership = self.members.get((drive_id, user_id))
        return membership.role if membership else None

    def upwards(self, item_id: str | None) -> Iterator[Item]:
        """Yield the item, then its ancestors up to the root."""
        for _ in range(MAX_DEPTH):
            if item_id is None:
                return
            item = self.items[item_id]
            yield item
            item_id = item.parent_id

    def granted(self, user_id: str) -> dict[str, Grant]:
        """Return the effective grants of the user by item."""
        return {item_id: grant for (item_id, _), grant in self.grants.items() if grant.user_id == user_id}

    def facts(self, user_id: str, item_id: str) -> ItemFacts | None:
        if item_id not in self.items:
            return None
        item, granted = self.items[item_id], self.granted(user_id)
        path = tuple(
            Step(
                step.id,
                trashed=step.trashed_at is not None,
                permission=granted[step.id].permission if step.id in granted else None,
                name=step.name,
            )
            for step in self.upwards(item_id)
        )
        return ItemFacts(item, self.drives[item.drive_id], self.role(user_id, item.drive_id), path)

    def seen(self, user_id: str, item_id: str) -> ItemFacts | None:
        """Return the facts of an item that the user may read; None for any other."""
        facts = self.facts(user_id, item_id)
        return facts if facts and Can.read in facts.authority.can else None

    def sees(self, user_id: str, item_id: str) -> bool:
        return self.seen(user_id, item_id) is not None

    def is_live(self, item: Item) -> bool:
        return all(step.trashed_at is None for step in self.upwards(item.id))

    def live(self, drive_id: str) -> list[Item]:
        return [item for item in self.items.values() if item.drive_id == drive_id and self.is_live(item)]

    def children(self) -> dict[str | None, list[Item]]:
        """Return the items directly below each item, in the trash or not."""
        below = defaultdict(list)
        for item in self.items.values():
            below[item.parent_id].append(item)
        return below

    def subtree(self, item_id: str) -> Iterator[tuple[Item, int]]:
        """Yield the item (level 1) and all items below it, in the trash or not."""
        below, waiting = self.children(), [(self.items[item_id], 1)]
        while waiting:
            item, level = waiting.pop()
            yield item, level
            waiting += [(child, level + 1) for child in below[item.id] if level < MAX_DEPTH]

    def account_by_email(self, email: str) -> Account | None:
        return next((account for account in self.accounts.values() if account.email == email), None)
