"""The access tree as dictionaries: drives, members, items and grants, and who belongs to which organization."""

from collections import defaultdict
from dataclasses import dataclass, field, fields

from domain.access import Can, Step
from domain.item import ItemFacts

MAX_DEPTH = 256  # a longer way up than any tree has: only a cycle would end here


@dataclass(frozen=True, slots=True)
class Membership:
    role: str
    since: object
    given_by: str | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """`user_id` is None until an account has proved the address: only then is the grant effective."""

    permission: str
    given_by: str
    created_at: object
    user_id: str | None


@dataclass(slots=True)
class Tree:
    """Dictionaries of values that never change, so a copy of the dictionaries is a snapshot."""

    accounts: dict = field(default_factory=dict)
    disabled: dict = field(default_factory=dict)
    organizations: dict = field(default_factory=dict)
    belongings: dict = field(default_factory=dict)  # (organization, user): Membership
    invitations: dict = field(default_factory=dict)  # id: (Invitation, digest)
    drives: dict = field(default_factory=dict)
    members: dict = field(default_factory=dict)  # (drive, user): Membership
    items: dict = field(default_factory=dict)
    grants: dict = field(default_factory=dict)  # (item, address): Grant
    stars: dict = field(default_factory=dict)  # (user, item): when
    recorded: dict = field(default_factory=dict)  # number: event

    def copy(self):
        return Tree(**{each.name: dict(getattr(self, each.name)) for each in fields(self)})

    def role(self, user_id, drive_id):
        membership = self.members.get((drive_id, user_id))
        return membership.role if membership else None

    def upwards(self, item_id):
        """Yield the item, then its ancestors up to the root."""
        for _ in range(MAX_DEPTH):
            if item_id is None:
                return
            item = self.items[item_id]
            yield item
            item_id = item.parent_id

    def granted(self, user_id):
        """Return the effective grants of the user by item."""
        return {item_id: grant for (item_id, _), grant in self.grants.items() if grant.user_id == user_id}

    def facts(self, user_id, item_id):
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

    def sees(self, user_id, item_id):
        facts = self.facts(user_id, item_id)
        return facts is not None and Can.read in facts.authority.can

    def is_live(self, item):
        return all(step.trashed_at is None for step in self.upwards(item.id))

    def live(self, drive_id):
        return [item for item in self.items.values() if item.drive_id == drive_id and self.is_live(item)]

    def children(self):
        """Return the items directly below each item, in the trash or not."""
        below = defaultdict(list)
        for item in self.items.values():
            below[item.parent_id].append(item)
        return below

    def subtree(self, item_id):
        """Yield the item (level 1) and all items below it, in the trash or not."""
        below, waiting = self.children(), [(self.items[item_id], 1)]
        while waiting:
            item, level = waiting.pop()
            yield item, level
            waiting += [(child, level + 1) for child in below[item.id] if level < MAX_DEPTH]

    def account_by_email(self, email):
        return next((account for account in self.accounts.values() if account.email == email), None)
