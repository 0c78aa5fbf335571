"""Stars: what a user marks to find it again. A star is its user's own, and no change of the item."""

from dataclasses import dataclass
from typing import Final

from domain.errors import Code, Rejection
from domain.item import ItemFacts, visible

MAX_STARS: Final = 1_000  # of a user


@dataclass(frozen=True, slots=True)
class Stars:
    """The stars of a user: how many are on what the user sees, and whether one item has one."""

    count: int
    has: bool


@dataclass(frozen=True, slots=True)
class ItemStarred:
    """It names no `item_id`: the audit of a drive does not tell who starred what."""

    user_id: str
    starred_id: str


@dataclass(frozen=True, slots=True)
class ItemUnstarred:
    user_id: str
    starred_id: str


def star(facts: ItemFacts | None, user_id: str, stars: Stars) -> tuple[ItemStarred, ...] | Rejection:
    seen = visible(facts)
    if isinstance(seen, Rejection):
        return seen
    if stars.has:
        return ()
    if stars.count >= MAX_STARS:
        return Rejection(Code.LIMIT_EXCEEDED, f"you star at most {MAX_STARS} items: take a star from one first")
    return (ItemStarred(user_id, seen.item.id),)


def unstar(facts: ItemFacts | None, user_id: str, stars: Stars) -> tuple[ItemUnstarred, ...] | Rejection:
    seen = visible(facts)
    if isinstance(seen, Rejection):
        return seen
    return (ItemUnstarred(user_id, seen.item.id),) if stars.has else ()
