"""Previews: who would gain, lose and keep access to an item if it were moved or shared.

Access is computed by `domain.access` from the same facts before and after, by address, as it is explained.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.access import Authority, Can, Permission, Step, authority
from domain.item import ItemFacts, Place
from domain.questions import Access, Giver, Grant, Holder
from domain.values import Email

MAX_NAMED: Final = 200  # people in each list of a preview


@dataclass(frozen=True, slots=True)
class AccessLevel:
    """The access of an address to an item, and what it may do because of that."""

    access: Access
    rights: Authority


@dataclass(frozen=True, slots=True)
class AccessChange:
    """The access of one person before and after; `user_id` and `name` as in `Holder`."""

    email: str
    user_id: str | None
    name: str | None
    before: AccessLevel
    after: AccessLevel


@dataclass(frozen=True, slots=True)
class People:
    """The people that a preview names, by address, and the number of all others of whom the same holds."""

    named: tuple[AccessChange, ...]
    others: int


@dataclass(frozen=True, slots=True)
class AccessPreview:
    """Everybody with access to an item before an act or after it; its path is the item's own before the act."""

    facts: ItemFacts
    gains: People
    loses: People
    keeps: People


NO_ACCESS: Final = Access(None, None, ())


def rights_of(access: Access, path: Sequence[Step]) -> Authority:
    """Return what an address may do to the item that `path` begins with."""
    granted = {grant.item_id: grant.permission for grant in access.grants}
    return authority(access.role, [Step(step.id, step.trashed, granted.get(step.id)) for step in path])


def of_move(
    facts: ItemFacts, place: Place, here: Iterable[Holder], there: Iterable[Holder], own: Email
) -> AccessPreview:
    """Return the preview of a move that is allowed.

    `here` are the holders of the item, `there` those of the folder or drive that it would be in.
    """
    item_id = facts.item.id
    sources, targets = _by_email(here), _by_email(there)
    path = (Step(item_id, permission=facts.path[0].permission), *(place.parent.path if place.parent else ()))

    def moved(email: str) -> Access:
        goes_with_it = [grant for grant in _access(sources, email).grants if grant.item_id == item_id]
        target = _access(targets, email)
        return replace(target, grants=(*goes_with_it, *target.grants))

    afterwards = authority(place.drive.role if place.drive else None, path)
    changes = [
        _change(
            _known(sources.get(email), targets.get(email)),
            _level(_access(sources, email), facts.path),
            _level(moved(email), path),
        )
        for email in sorted({*sources, *targets})
    ]
    return _preview(facts, changes, own, shared=Can.share in facts.authority.can & afterwards.can)


def of_share(
    facts: ItemFacts, holders: Iterable[Holder], email: Email, permission: Permission, by: Giver, own: Email
) -> AccessPreview:
    """Return the preview of a share that is allowed: `by` gives it.

    `holders` are those of the item, with the one of `email` among them, be it without access.
    """
    given = Grant(facts.item.id, facts.item.name, permission, by, None)
    changes = []
    for holder in sorted(holders, key=lambda each: each.email):
        before = after = _level(holder.access, facts.path)
        if holder.email == email:
            others = (grant for grant in holder.access.grants if grant.item_id != facts.item.id)
            after = _level(replace(holder.access, grants=(given, *others)), facts.path)
        changes.append(_change(holder, before, after))
    return _preview(facts, changes, own, shared=True)


def _by_email(holders: Iterable[Holder]) -> dict[str, Holder]:
    return {holder.email: holder for holder in holders}


def _access(holders: Mapping[str, Holder], email: str) -> Access:
    return holders[email].access if email in holders else NO_ACCESS


def _known(*known: Holder | None) -> Holder:
    """Return the holder with an identity, where one of them has it."""
    return max((each for each in known if each), key=lambda each: each.user_id is not None)


def _level(access: Access, path: Sequence[Step]) -> AccessLevel:
    return AccessLevel(access, rights_of(access, path))


def _change(who: Holder, before: AccessLevel, after: AccessLevel) -> AccessChange:
    return AccessChange(who.email, who.user_id, who.name, before, after)


def _preview(facts: ItemFacts, changes: Sequence[AccessChange], own: Email, *, shared: bool) -> AccessPreview:
    """`shared`: whether the caller may see everybody's access before and after, and not their own alone."""
    met = [each for each in changes if each.before.rights.can or each.after.rights.can]

    def people(some: Sequence[AccessChange]) -> People:
        # INVARIANT: nobody is named whose access the caller could not ask for by address, before or after.
        named = tuple(each for each in some if shared or each.email == own)[:MAX_NAMED]
        return People(named, len(some) - len(named))

    return AccessPreview(
        facts,
        gains=people([each for each in met if each.before.rights.can < each.after.rights.can]),
        loses=people([each for each in met if not each.before.rights.can <= each.after.rights.can]),
        keeps=people([each for each in met if each.before.rights.can == each.after.rights.can]),
    )
