"""How the store in memory answers what is asked about items."""

from collections.abc import Iterator

from domain.access import Can, Permission, authority
from domain.item import Item, ItemFacts, Place
from domain.move import Subtree
from domain.questions import (
    Access,
    AccessOf,
    AncestorsFor,
    Ancestry,
    ChildrenFor,
    Grant,
    ItemFor,
    Overview,
    OverviewFor,
    Page,
    PlaceFor,
    RootItemsFor,
    Shared,
    SharedItem,
    SharedItemsFor,
    SharedWith,
    SharesFor,
    SharesOf,
    SubtreeOf,
    Suggestion,
    SuggestionsFor,
    TrashFor,
)
from domain.share import Share, Shares
from domain.sort_key import sort_key
from persistence.memory_paging import Key, moment, page
from persistence.memory_state import State

MAX_SUGGESTIONS = 50


def by_name(item: Item) -> Key:
    return sort_key(item.name), item.id


def item_for(state: State, asked: ItemFor) -> ItemFacts | None:
    return state.facts(asked.user_id, asked.item_id)


def _children(state: State, user_id: str, item_id: str) -> list[tuple[Item, Permission | None]]:
    granted = state.granted(user_id)
    children = sorted((item for item in state.children()[item_id] if item.trashed_at is None), key=by_name)
    return [(child, granted[child.id][0] if child.id in granted else None) for child in children]


def hidden(facts: ItemFacts) -> bool:
    return facts.role is None and all(step.permission is None for step in facts.path)


def overview_for(state: State, asked: OverviewFor) -> Overview | None:
    facts = state.facts(asked.user_id, asked.item_id)
    if facts is None:
        return None
    if hidden(facts):
        return Overview(facts, (), (), ())
    _, *ancestors = state.upwards(asked.item_id)
    children = _children(state, asked.user_id, asked.item_id)
    return Overview(facts, tuple(children), tuple(ancestors), tuple(_shares(state, facts)))


def ancestors_for(state: State, asked: AncestorsFor) -> Ancestry | None:
    overview = overview_for(state, OverviewFor(asked.user_id, asked.item_id))
    return Ancestry(overview.facts, overview.ancestors) if overview else None


def shares_for(state: State, asked: SharesFor) -> Shared | None:
    overview = overview_for(state, OverviewFor(asked.user_id, asked.item_id))
    return Shared(overview.facts, overview.shares) if overview else None


def _shares(state: State, facts: ItemFacts) -> Iterator[Share]:
    grants = [(address, grant) for (item_id, address), grant in state.grants.items() if item_id == facts.item.id]
    for address, grant in sorted(grants, key=lambda each: (each[1].created_at, each[0])):
        inside = (facts.drive.organization_id, grant.user_id) in state.belongings
        person = state.accounts[grant.user_id] if inside and grant.user_id else None
        yield Share(
            address, grant.permission, person.id if person else None, person.name if person else None, grant.created_at
        )


def children_for(state: State, asked: ChildrenFor) -> Page[tuple[Item, Permission | None]]:
    rows = _children(state, asked.user_id, asked.item_id)
    return page(rows, lambda row: by_name(row[0]), (str, str), asked.first, asked.after)


def root_items_for(state: State, asked: RootItemsFor) -> Page[Item]:
    roots = [item for item in state.live(asked.drive_id) if item.parent_id is None]
    return page(roots, by_name, (str, str), asked.first, asked.after)


def _met(state: State, user_id: str, items: list[Item]) -> list[ItemFacts]:
    """Return the items that the user sees, or would see if they were live."""
    met = [facts for item in items if (facts := state.facts(user_id, item.id))]
    return [facts for facts in met if Can.read in authority(facts.role, facts.path).can]


def shared_with(state: State, asked: SharedWith) -> tuple[ItemFacts, ...]:
    granted = state.granted(asked.user_id)
    met = _met(
        state, asked.user_id, [state.items[item_id] for item_id in granted if state.sees(asked.user_id, item_id)]
    )
    return tuple(sorted(met, key=lambda facts: (granted[facts.item.id][1], facts.item.id), reverse=True))


def shared_items_for(state: State, asked: SharedItemsFor) -> Page[SharedItem]:
    granted = state.granted(asked.user_id)
    items = [SharedItem(facts, granted[facts.item.id][1]) for facts in shared_with(state, SharedWith(asked.user_id))]
    return page(items, _by_sharing, (int, str), asked.first, asked.after, descending=True)


def _by_sharing(shared: SharedItem) -> Key:
    return moment(shared.shared_at), shared.facts.item.id


def trash_for(state: State, asked: TrashFor) -> Page[ItemFacts]:
    items = [
        item
        for item in state.items.values()
        if item.trashed_at is not None and asked.drive_id in {None, item.drive_id}
    ]  # fmt: skip
    met = _met(state, asked.user_id, items)
    return page(met, _by_trashing, (int, str), asked.first, asked.after, descending=True)


def _by_trashing(facts: ItemFacts) -> Key:
    return moment(facts.item.trashed_at), facts.item.id


def place_for(state: State, asked: PlaceFor) -> Place:
    parent = state.facts(asked.user_id, asked.parent_id) if asked.parent_id else None
    drive_id = asked.drive_id or (parent.drive.id if parent else "")
    drive = state.drive_facts(asked.user_id, drive_id)
    seen = drive is not None and (
        drive.role is not None or any(state.sees(asked.user_id, item.id) for item in state.live(drive_id))
    )
    children = [item for item in state.children()[asked.parent_id] if item.trashed_at is None] if parent else []
    return Place(drive, seen, asked.parent_id, parent, len(children))


def subtree_of(state: State, asked: SubtreeOf) -> Subtree:
    below = list(state.subtree(asked.item_id)) if asked.item_id in state.items else []
    counted: dict[str, Item] = {}
    for item, level in below:
        if level == 1 or (item.trashed_at is None and item.parent_id in counted):
            counted[item.id] = item
    published = any(item.slug is not None for item in counted.values())
    return Subtree(max((level for _, level in below), default=0), len(counted), published)


def shares_of(state: State, asked: SharesOf) -> Shares:
    grants = {address: grant for (item_id, address), grant in state.grants.items() if item_id == asked.item_id}
    present = grants.get(asked.email)
    return Shares(present.permission if present else None, len(grants), _inside(state, asked))


def _inside(state: State, asked: SharesOf) -> bool:
    item, account = state.items.get(asked.item_id), state.account_by_email(asked.email)
    if item is None or account is None:
        return False
    return (state.drives[item.drive_id].organization_id, account.id) in state.belongings


def suggestions_for(state: State, asked: SuggestionsFor) -> tuple[Suggestion, ...]:
    if asked.item_id not in state.items:
        return ()
    drive_id = state.items[asked.item_id].drive_id
    path = [item.id for item in state.upwards(asked.item_id)]
    people = [state.accounts[user_id] for place, user_id in state.belongings if place == asked.organization_id]
    free = [
        person
        for person in people
        if person.id != asked.user_id
        and not state.disabled.get(person.id)
        and state.role(person.id, drive_id) is None
        and not any((item_id, person.email) in state.grants for item_id in path)
    ]
    ranked = sorted(free, key=lambda person: (sort_key(person.name), person.id))
    return tuple(Suggestion(person.id, person.email, person.name) for person in ranked[:MAX_SUGGESTIONS])


def access_of(state: State, asked: AccessOf) -> Access:
    way = list(state.upwards(asked.item_id)) if asked.item_id in state.items else []
    account = state.account_by_email(asked.email)
    membership = state.members.get((way[0].drive_id, account.id)) if way and account else None
    grants = [
        Grant(item.id, item.name, grant.permission, grant.given_by, grant.created_at)
        for item in way
        if (grant := state.grants.get((item.id, asked.email)))
    ]
    role, given_by = (membership.role, membership.given_by) if membership else (None, None)
    return Access(role, given_by, tuple(grants))
