"""The answers of the tree: lists as whole tuples in their order, without pages and cursors."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from typing import Any

from domain.access import Can, Permission, Role, authority
from domain.account import Account
from domain.drive import DriveFacts, DriveKind
from domain.item import Item, ItemFacts, ItemKind, Place
from domain.member import Member, MembershipFacts
from domain.move import Subtree
from domain.organization import Invitation, OrganizationFacts, OrganizationRole
from domain.questions import (
    Access,
    AccessOf,
    AccountOf,
    ChildrenFor,
    DriveContents,
    DriveFor,
    DrivesFor,
    Giver,
    Grant,
    Holder,
    HoldersOf,
    InvitationByDigest,
    InvitationsOf,
    ItemFor,
    MembershipFactsOf,
    OrganizationFor,
    OrganizationRoleOf,
    Overview,
    OverviewFor,
    PlaceFor,
    RootItemsFor,
    SharedWith,
    SharesOf,
    SharesOfEach,
    StarredItem,
    StarredItemsFor,
    StarredOfEach,
    StarsFor,
    SubtreeOf,
    Suggestion,
    SuggestionsFor,
    TrashFor,
)
from domain.share import Share, Shares
from domain.sort_key import sort_key
from domain.star import Stars
from tests.support.model.tree import Tree

MAX_SUGGESTIONS = 50


def by_name(item: Item) -> tuple[Any, str]:
    return sort_key(item.name), item.id


# hard questions: what somebody sees, trees, lists


def item_for(tree: Tree, asked: ItemFor) -> ItemFacts | None:
    return tree.facts(asked.user_id, asked.item_id)


def children_for(tree: Tree, asked: ChildrenFor) -> tuple[tuple[Item, Permission | None], ...]:
    return _children(tree, asked, asked.kinds)


def _children(
    tree: Tree, asked: ChildrenFor | OverviewFor, kinds: Collection[ItemKind] | None
) -> tuple[tuple[Item, Permission | None], ...]:
    granted = tree.granted(asked.user_id)
    live = (item for item in tree.children()[asked.item_id] if item.trashed_at is None)
    children = sorted(_of_kinds(kinds, live), key=by_name)
    return tuple((child, granted[child.id].permission if child.id in granted else None) for child in children)


def overview_for(tree: Tree, asked: OverviewFor) -> Overview | None:
    """Of an item that is hidden nothing is told but its facts."""
    facts = tree.facts(asked.user_id, asked.item_id)
    if facts is None:
        return None
    if facts.role is None and all(step.permission is None for step in facts.path):
        return Overview(facts, (), (), ())
    _, *ancestors = tree.upwards(asked.item_id)
    return Overview(facts, _children(tree, asked, None), tuple(ancestors), tuple(_shares(tree, facts)))


def _shares(tree: Tree, facts: ItemFacts) -> Iterator[Share]:
    grants = [(address, grant) for (item_id, address), grant in tree.grants.items() if item_id == facts.item.id]
    for address, grant in sorted(grants, key=lambda each: (each[1].created_at, each[0])):
        holder = tree.accounts.get(grant.user_id or "")
        inside = holder and (facts.drive.organization_id, holder.id) in tree.belongings
        known = holder if inside else None
        yield Share(
            address, grant.permission, known.id if known else None, known.name if known else None, grant.created_at
        )


def root_items_for(tree: Tree, asked: RootItemsFor) -> tuple[Item, ...]:
    roots = (item for item in tree.live(asked.drive_id) if item.parent_id is None)
    return tuple(sorted(_of_kinds(asked.kinds, roots), key=by_name))


def _of_kinds(kinds: Collection[ItemKind] | None, items: Iterable[Item]) -> list[Item]:
    return [item for item in items if kinds is None or item.kind in kinds]


def drives_for(tree: Tree, asked: DrivesFor) -> tuple[DriveContents, ...]:
    mine = [(tree.drives[place], known.role) for (place, user), known in tree.members.items() if user == asked.user_id]
    ranked = sorted(mine, key=lambda each: (each[0].kind is DriveKind.shared, sort_key(each[0].name), each[0].id))
    return tuple(
        DriveContents(drive, role, _listed(tree, drive.id), _members(tree, drive.id)) for drive, role in ranked
    )


def _listed(tree: Tree, drive_id: str) -> tuple[Item, ...]:
    def place(item: Item) -> tuple[Any, ...]:
        return len(list(tree.upwards(item.id))), *by_name(item)

    return tuple(sorted(tree.live(drive_id), key=place))


def _members(tree: Tree, drive_id: str) -> tuple[Member, ...]:
    found = [
        Member(user_id, known.role, tree.accounts[user_id].name, tree.accounts[user_id].email, known.since)
        for (place, user_id), known in tree.members.items()
        if place == drive_id
    ]
    return tuple(sorted(found, key=lambda member: (member.added_at, member.user_id)))


def shared_with(tree: Tree, asked: SharedWith) -> tuple[ItemFacts, ...]:
    granted = tree.granted(asked.user_id)
    seen = [facts for item_id in granted if (facts := tree.seen(asked.user_id, item_id))]
    newest = lambda facts: (granted[facts.item.id].created_at, facts.item.id)  # noqa: E731
    return tuple(sorted(seen, key=newest, reverse=True))


def starred(tree: Tree, user_id: str) -> dict[str, datetime]:
    """When the user starred each of the items that there still are."""
    return {item_id: at for (by, item_id), at in tree.stars.items() if by == user_id and item_id in tree.items}


def stars_for(tree: Tree, asked: StarsFor) -> Stars:
    mine = starred(tree, asked.user_id)
    return Stars(sum(tree.sees(asked.user_id, each) for each in mine), asked.item_id in mine)


def shares_of_each(tree: Tree, asked: SharesOfEach) -> dict[str, int]:
    return dict(Counter(item_id for item_id, _ in tree.grants if item_id in asked.item_ids))


def starred_of_each(tree: Tree, asked: StarredOfEach) -> dict[str, bool]:
    return {item_id: True for item_id in starred(tree, asked.user_id) if item_id in asked.item_ids}


def starred_items_for(tree: Tree, asked: StarredItemsFor) -> tuple[StarredItem, ...]:
    seen = [
        StarredItem(facts, at)
        for item_id, at in starred(tree, asked.user_id).items()
        if (facts := tree.seen(asked.user_id, item_id))
    ]
    return tuple(sorted(seen, key=lambda each: (each.starred_at, each.facts.item.id), reverse=True))


def trash_for(tree: Tree, asked: TrashFor) -> tuple[ItemFacts, ...]:
    """What the user sees, or would see if it were live."""
    trashed = [
        tree.facts(asked.user_id, item.id)
        for item in tree.items.values()
        if item.trashed_at is not None and asked.drive_id in {None, item.drive_id}
    ]
    seen = [facts for facts in trashed if facts and Can.read in authority(facts.role, facts.path).can]
    return tuple(sorted(seen, key=lambda facts: (facts.item.trashed_at, facts.item.id), reverse=True))


def place_for(tree: Tree, asked: PlaceFor) -> Place:
    parent = tree.facts(asked.user_id, asked.parent_id) if asked.parent_id else None
    drive_id = asked.drive_id or (parent.drive.id if parent else None)
    children = [item for item in tree.children()[asked.parent_id] if item.trashed_at is None] if parent else []
    if drive_id not in tree.drives:
        return Place(None, False, asked.parent_id, parent, len(children))
    live, role = tree.live(drive_id), tree.role(asked.user_id, drive_id)
    seen = role is not None or any(tree.sees(asked.user_id, item.id) for item in live)
    facts = DriveFacts(tree.drives[drive_id], role, len(live))
    return Place(facts, seen, asked.parent_id, parent, len(children))


def subtree_of(tree: Tree, asked: SubtreeOf) -> Subtree:
    """All levels, and of the items those with nothing in the trash between them and the top."""
    below = list(tree.subtree(asked.item_id)) if asked.item_id in tree.items else []
    counted = {}
    for item, level in below:
        if level == 1 or (item.trashed_at is None and item.parent_id in counted):
            counted[item.id] = item
    published = any(item.slug is not None for item in counted.values())
    return Subtree(max((level for _, level in below), default=0), len(counted), published)


def suggestions_for(tree: Tree, asked: SuggestionsFor) -> tuple[Suggestion, ...]:
    if asked.item_id not in tree.items:
        return ()
    drive_id = tree.items[asked.item_id].drive_id
    path = [item.id for item in tree.upwards(asked.item_id)]
    people = [tree.accounts[user_id] for place, user_id in tree.belongings if place == asked.organization_id]
    free = [
        person
        for person in people
        if person.id != asked.user_id
        and not tree.disabled.get(person.id)
        and tree.role(person.id, drive_id) is None
        and not any((item_id, person.email) in tree.grants for item_id in path)
    ]
    ranked = sorted(free, key=lambda person: (sort_key(person.name), person.id))
    return tuple(Suggestion(person.id, person.email, person.name) for person in ranked[:MAX_SUGGESTIONS])


def access_of(tree: Tree, asked: AccessOf) -> Access:
    """Grants count by their address, whether an account has proved it or not."""
    item = tree.items.get(asked.item_id)
    return _access(tree, asked.email, item.drive_id if item else None, asked.item_id if item else None)


def _access(tree: Tree, email: str, drive_id: str | None, item_id: str | None) -> Access:
    account = tree.account_by_email(email)
    known = tree.members.get((drive_id, account.id)) if account and drive_id else None
    grants = [(step, tree.grants[step.id, email]) for step in tree.upwards(item_id) if (step.id, email) in tree.grants]
    giver = _giver(tree, known.given_by) if known and known.given_by else None
    given = [
        Grant(step.id, step.name, grant.permission, _giver(tree, grant.given_by), grant.created_at)
        for step, grant in grants
    ]
    return Access(known.role if known else None, giver, tuple(given))


def _giver(tree: Tree, user_id: str) -> Giver:
    return Giver(user_id, tree.accounts[user_id].name)


def holders_of(tree: Tree, asked: HoldersOf) -> Iterator[Holder]:
    item = tree.items.get(asked.item_id) if asked.item_id else None
    drive_id = asked.drive_id or (item.drive_id if item else None)
    path = {step.id for step in tree.upwards(item.id if item else None)}
    members = {tree.accounts[user_id].email for place, user_id in tree.members if place == drive_id}
    granted = {email for item_id, email in tree.grants if item_id in path}
    for email in sorted(members | granted | ({asked.email} if asked.email else set())):
        access, account = _access(tree, email, drive_id, item.id if item else None), tree.account_by_email(email)
        organization = tree.drives[drive_id].organization_id if drive_id in tree.drives else None
        inside = account and (access.role or (organization, account.id) in tree.belongings)
        known = account if inside else None
        yield Holder(email, known.id if known else None, known.name if known else None, access)


# facts that decisions about the tree need


def account_of(tree: Tree, asked: AccountOf) -> Account | None:
    return tree.accounts.get(asked.user_id)


def drive_for(tree: Tree, asked: DriveFor) -> DriveFacts | None:
    """Whether anything is live there, and whether anything is in its trash."""
    if asked.drive_id not in tree.drives:
        return None
    drive, role = tree.drives[asked.drive_id], tree.role(asked.user_id, asked.drive_id)
    trashed = any(item.drive_id == asked.drive_id and item.trashed_at is not None for item in tree.items.values())
    return DriveFacts(drive, role, min(len(tree.live(drive.id)), 1), int(trashed))


def standing_of(tree: Tree, asked: MembershipFactsOf) -> MembershipFacts:
    drive = tree.drives.get(asked.drive_id)
    roles = [known.role for (place, _), known in tree.members.items() if place == asked.drive_id]
    inside = drive is not None and (drive.organization_id, asked.member_id) in tree.belongings
    return MembershipFacts(inside, tree.role(asked.member_id, asked.drive_id), roles.count(Role.owner), len(roles))


def shares_of(tree: Tree, asked: SharesOf) -> Shares:
    grants = {address: grant for (item_id, address), grant in tree.grants.items() if item_id == asked.item_id}
    present, item, account = grants.get(asked.email), tree.items.get(asked.item_id), tree.account_by_email(asked.email)
    organization = tree.drives[item.drive_id].organization_id if item else None
    inside = account is not None and (organization, account.id) in tree.belongings
    return Shares(present.permission if present else None, len(grants), inside)


def organization_for(tree: Tree, asked: OrganizationFor) -> OrganizationFacts | None:
    organization = tree.organizations.get(asked.organization_id)
    if organization is None:
        return None
    roles = [known.role for (place, _), known in tree.belongings.items() if place == organization.id]
    mine = tree.belongings.get((organization.id, asked.user_id))
    return OrganizationFacts(organization, mine.role if mine else None, roles.count(OrganizationRole.admin))


def organization_role_of(tree: Tree, asked: OrganizationRoleOf) -> OrganizationRole | None:
    known = tree.belongings.get((asked.organization_id, asked.member_id))
    return known.role if known else None


def invitations_of(tree: Tree, asked: InvitationsOf) -> tuple[Invitation, ...]:
    open_ones = [each for each, _ in tree.invitations.values() if each.organization_id == asked.organization_id]
    return tuple(sorted(open_ones, key=lambda each: (each.created_at, each.id)))


def invitation_by_digest(tree: Tree, asked: InvitationByDigest) -> Invitation | None:
    return next((invitation for invitation, digest in tree.invitations.values() if digest == asked.digest), None)


ANSWERS: dict[type, Callable[[Tree, Any], Any]] = {
    AccessOf: access_of,
    AccountOf: account_of,
    ChildrenFor: children_for,
    DriveFor: drive_for,
    DrivesFor: drives_for,
    HoldersOf: lambda tree, asked: tuple(holders_of(tree, asked)),
    InvitationByDigest: invitation_by_digest,
    InvitationsOf: invitations_of,
    ItemFor: item_for,
    OrganizationFor: organization_for,
    OrganizationRoleOf: organization_role_of,
    OverviewFor: overview_for,
    PlaceFor: place_for,
    RootItemsFor: root_items_for,
    SharedWith: shared_with,
    SharesOf: shares_of,
    SharesOfEach: shares_of_each,
    StarredItemsFor: starred_items_for,
    StarredOfEach: starred_of_each,
    StarsFor: stars_for,
    MembershipFactsOf: standing_of,
    SubtreeOf: subtree_of,
    SuggestionsFor: suggestions_for,
    TrashFor: trash_for,
}
