"""Sharing: grants by e-mail address on an item, which everything below it inherits."""

from dataclasses import dataclass
from datetime import datetime

from domain.access import Can, Permission
from domain.account import Account, require_verified
from domain.errors import NOT_FOUND, Code, Rejection
from domain.item import ItemFacts, allowed, visible
from domain.values import Email

MAX_GRANTS = 200
MAX_MESSAGE = 300
"""Characters that whoever shares an item may write to whom they share it with."""


@dataclass(frozen=True, slots=True)
class Share:
    """A direct grant. `user_id` and `name` only where that person is in the drive's organization."""

    email: str
    permission: Permission
    user_id: str | None
    name: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Shares:
    """The grants on an item: the one to the address in question, and the number of all.

    `inside`: the address is that of a member of the drive's organization.
    """

    permission: Permission | None
    count: int
    inside: bool


@dataclass(frozen=True, slots=True)
class ItemShared:
    item_id: str
    drive_id: str
    email: Email
    permission: Permission


@dataclass(frozen=True, slots=True)
class ShareChanged:
    item_id: str
    drive_id: str
    email: Email
    permission: Permission


@dataclass(frozen=True, slots=True)
class ShareRemoved:
    item_id: str
    drive_id: str
    email: Email


def share(
    facts: ItemFacts | None,
    email: Email,
    permission: Permission,
    by: Account,
    shares: Shares,
    most: int,
) -> tuple[ItemShared, ...] | Rejection:
    """Grant `permission` to an address, whether or not anybody has it: the answer never tells."""
    seen = allowed(facts, Can.share, "share this item")
    if isinstance(seen, Rejection):
        return seen
    if refused := _outside(by, shares):
        return refused
    if email == by.email:
        return Rejection(Code.SELF_SHARE, "this is your own address")
    if shares.permission is permission:
        return ()
    if shares.permission:
        return Rejection(Code.SHARE_EXISTS, "it is shared with this address already: change that share instead")
    if shares.count >= most:
        return Rejection(Code.LIMIT_EXCEEDED, f"an item is shared with at most {most} addresses")
    return (ItemShared(seen.item.id, seen.item.drive_id, email, permission),)


def update(
    facts: ItemFacts | None, email: Email, permission: Permission, by: Account, shares: Shares
) -> tuple[ShareChanged, ...] | Rejection:
    seen = allowed(facts, Can.share, "change who this item is shared with")
    if isinstance(seen, Rejection):
        return seen
    if refused := _outside(by, shares):
        return refused
    if shares.permission is None:
        return NOT_FOUND
    if shares.permission is permission:
        return ()
    return (ShareChanged(seen.item.id, seen.item.drive_id, email, permission),)


def remove(facts: ItemFacts | None, email: Email, own: Email, shares: Shares) -> tuple[ShareRemoved, ...] | Rejection:
    """End a grant; its recipient may end it, too."""
    seen = visible(facts) if email == own else allowed(facts, Can.share, "change who this item is shared with")
    if isinstance(seen, Rejection):
        return seen
    if shares.permission is None:
        return NOT_FOUND
    return (ShareRemoved(seen.item.id, seen.item.drive_id, email),)


def _outside(by: Account, shares: Shares) -> Rejection | None:
    """Refuse a share with somebody outside the drive's organization, whose sharer has not verified an address."""
    return None if shares.inside else require_verified(by, "share with people outside the drive's organization")
