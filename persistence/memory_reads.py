"""How the store in memory answers what is asked about people, drives, organizations, documents and the audit."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from domain import questions
from domain.access import Role
from domain.account import Account
from domain.caller import Caller, by_key
from domain.credit import recent_authors
from domain.document import DocumentState, Image
from domain.drive import DriveFacts, DriveKind
from domain.idempotency import RecordedRequest
from domain.item import Item, ItemFacts
from domain.key import ApiKey
from domain.member import Member, MembershipFacts
from domain.oauth import ConnectedApp
from domain.organization import (
    Invitation,
    OrganizationFacts,
    OrganizationMember,
    OrganizationMembership,
    OrganizationRole,
)
from domain.questions import (
    NOWHERE,
    AccountByEmail,
    AccountOf,
    AppsOf,
    Both,
    DocumentFor,
    DocumentHead,
    DriveContents,
    DriveFor,
    DriveNames,
    DrivesFor,
    EventPlace,
    EventsOf,
    ImageFor,
    ImagesOf,
    InvitationByDigest,
    InvitationsOf,
    KeysOf,
    MembershipFactsOf,
    MembersOf,
    News,
    NewsOf,
    OrganizationFor,
    OrganizationMembershipsOf,
    OrganizationMembersOf,
    OrganizationRoleOf,
    Page,
    PlantedIn,
    Question,
    Recorded,
    RecordedRequestFor,
    RevisionOf,
    StateOf,
    WhoHoldsKey,
)
from domain.sort_key import sort_key
from persistence import memory_items, memory_sessions, memory_versions
from persistence.memory_paging import Key, closed, opened, page
from persistence.memory_planted import planted_in
from persistence.memory_published import images_of, published_as
from persistence.memory_search import search_for
from persistence.memory_state import State


def who_holds_key(state: State, asked: WhoHoldsKey) -> Caller | None:
    held = next((key for key, digest in state.keys.values() if digest == asked.digest), None)
    if held is None or state.disabled.get(held.user_id):
        return None
    account = state.accounts[held.user_id]
    acts_in = held.organization_id if (held.organization_id, account.id) in state.belongings else None
    return by_key(account.id, account.name, account.email, held.agent, acts_in, held.id, asked.digest)


def account_of(state: State, asked: AccountOf) -> Account | None:
    return state.accounts.get(asked.user_id)


def account_by_email(state: State, asked: AccountByEmail) -> Account | None:
    return state.account_by_email(asked.email)


def belongings_of(state: State, asked: OrganizationMembershipsOf) -> tuple[OrganizationMembership, ...]:
    mine = [
        (state.organizations[place], known)
        for (place, user_id), known in state.belongings.items()
        if user_id == asked.user_id
    ]
    return tuple(
        OrganizationMembership(organization.id, organization.name, known.role, organization.created_at, known.joined_at)
        for organization, known in sorted(mine, key=lambda each: (sort_key(each[0].name), each[0].id))
    )


def keys_of(state: State, asked: KeysOf) -> tuple[ApiKey, ...]:
    if state.disabled.get(asked.user_id):
        return ()
    mine = [key for key, _ in state.keys.values() if key.user_id == asked.user_id]
    return tuple(sorted(mine, key=lambda key: (key.created_at, key.id), reverse=True))


def apps_of(state: State, asked: AppsOf) -> tuple[ConnectedApp, ...]:
    mine = [app for app in state.apps.values() if app.user_id == asked.user_id]
    return tuple(sorted(mine, key=lambda app: (app.connected_at, app.id), reverse=True))


def remembered_for(state: State, asked: RecordedRequestFor) -> RecordedRequest | None:
    key = asked.key
    known = state.requests.get((key.user_id, key.operation, key.key))
    return known[0] if known else None


def drive_for(state: State, asked: DriveFor) -> DriveFacts | None:
    facts = state.drive_facts(asked.user_id, asked.drive_id)
    if facts is None:
        return None
    in_trash = any(item.drive_id == asked.drive_id and item.trashed_at is not None for item in state.items.values())
    return replace(_only_whether_live(facts), trashed_items=int(in_trash))


def _only_whether_live(facts: DriveFacts) -> DriveFacts:
    return replace(facts, live_items=min(facts.live_items, 1))


def _drives(state: State, user_id: str) -> list[DriveFacts]:
    """Return the drives of the user, personal first, then by name."""
    mine = [
        _only_whether_live(facts)
        for place, member in state.members
        if member == user_id and (facts := state.drive_facts(member, place))
    ]
    return sorted(mine, key=_drive_key)


def _drive_key(facts: DriveFacts) -> Key:
    return int(facts.drive.kind is DriveKind.shared), sort_key(facts.drive.name), facts.drive.id


def drive_names(state: State, asked: DriveNames) -> Page[DriveFacts]:
    return page(_drives(state, asked.user_id), _drive_key, (int, str, str), asked.first, asked.after)


def drives_for(state: State, asked: DrivesFor) -> Page[DriveContents]:
    """Cursors hold the id of an item (empty: its drive was listed), the last drive (empty: of all), and its drive."""
    place: Key = (*("", 2, "", ""), *(-1, "", ""))
    if asked.after is not None:
        found = opened(asked.after, (str, int, str, str, int, str, str))
        if found is None:
            return NOWHERE
        place = found
    item_id, last, here = place[0], place[1:4], place[4:]
    mine = [
        facts
        for facts in _drives(state, asked.user_id)
        if (_drive_key(facts) >= here if item_id else _drive_key(facts) > here)
        and (not last[2] or _drive_key(facts) <= last)
    ]
    if not item_id and len(mine) > asked.most_drives:
        mine = mine[: asked.most_drives]
        last = _drive_key(mine[-1])
    rows = sorted((*_drive_key(facts), item.id) for facts in mine for item in state.live(facts.drive.id))
    rows = [row for row in rows if row > (*here, item_id)]
    shown = [state.items[str(row[-1])] for row in rows[: asked.most_items]]
    next_cursor = None
    if len(rows) > len(shown):
        *drive, item_id = rows[len(shown) - 1]
        next_cursor = closed((item_id, *last, *drive))
    elif last[2]:
        next_cursor = closed((*("", 2, "", ""), *last))
    listed = [_listed(state, facts, [item for item in shown if item.drive_id == facts.drive.id]) for facts in mine]
    return Page(tuple(each for each in listed if each.items or not place[0]), next_cursor)


def _listed(state: State, facts: DriveFacts, items: list[Item]) -> DriveContents:
    def depth(item: Item) -> int:
        return len(list(state.upwards(item.id)))

    ranked = sorted(items, key=lambda item: (depth(item), sort_key(item.name), item.id))
    return DriveContents(facts.drive, facts.role or Role.contributor, tuple(ranked), _members(state, facts.drive.id))


def members_of(state: State, asked: MembersOf) -> tuple[Member, ...]:
    return _members(state, asked.drive_id)


def _members(state: State, drive_id: str) -> tuple[Member, ...]:
    found = [
        Member(user_id, known.role, state.accounts[user_id].name, state.accounts[user_id].email, known.added_at)
        for (place, user_id), known in state.members.items()
        if place == drive_id
    ]
    return tuple(sorted(found, key=lambda member: (member.added_at, member.user_id)))


def standing_of(state: State, asked: MembershipFactsOf) -> MembershipFacts:
    drive = state.drives.get(asked.drive_id)
    roles = [known.role for (place, _), known in state.members.items() if place == asked.drive_id]
    inside = drive is not None and (drive.organization_id, asked.member_id) in state.belongings
    return MembershipFacts(inside, state.role(asked.member_id, asked.drive_id), roles.count(Role.owner), len(roles))


def organization_for(state: State, asked: OrganizationFor) -> OrganizationFacts | None:
    organization = state.organizations.get(asked.organization_id)
    if organization is None:
        return None
    roles = [known.role for (place, _), known in state.belongings.items() if place == organization.id]
    mine = state.belongings.get((organization.id, asked.user_id))
    return OrganizationFacts(organization, mine.role if mine else None, roles.count(OrganizationRole.admin))


def organization_members_of(state: State, asked: OrganizationMembersOf) -> tuple[OrganizationMember, ...]:
    found = [
        (state.accounts[user_id], known)
        for (place, user_id), known in state.belongings.items()
        if place == asked.organization_id
    ]
    return tuple(
        OrganizationMember(account.id, known.role, account.name, account.email, known.joined_at)
        for account, known in sorted(found, key=lambda each: (each[1].joined_at, each[0].id))
    )


def organization_role_of(state: State, asked: OrganizationRoleOf) -> OrganizationRole | None:
    known = state.belongings.get((asked.organization_id, asked.member_id))
    return known.role if known else None


def invitation_by_digest(state: State, asked: InvitationByDigest) -> Invitation | None:
    return next((invitation for invitation, digest in state.invitations.values() if digest == asked.digest), None)


def invitations_of(state: State, asked: InvitationsOf) -> tuple[Invitation, ...]:
    standing = [each for each, _ in state.invitations.values() if each.organization_id == asked.organization_id]
    return tuple(sorted(standing, key=lambda each: (each.created_at, each.id)))


def document_for(state: State, asked: DocumentFor) -> DocumentHead | None:
    facts = state.facts(asked.user_id, asked.item_id)
    if facts is None:
        return None
    authors = [author for (item_id, _, _), author in state.authors.items() if item_id == asked.item_id]
    if memory_items.hidden(facts):
        authors = []
    return DocumentHead(facts, recent_authors(authors))


def state_of(state: State, asked: StateOf) -> DocumentState:
    updates = state.updates.get(asked.item_id, ())[: asked.sequence]
    return DocumentState(None, updates[asked.after :], len(updates))


def revision_of(state: State, asked: RevisionOf) -> DocumentState | None:
    updates = state.updates.get(asked.item_id, ())
    if asked.item_id not in state.items or not 0 <= asked.sequence <= len(updates):
        return None
    return DocumentState(None, updates[: asked.sequence], asked.sequence)


def image_for(state: State, asked: ImageFor) -> tuple[Image, ItemFacts] | None:
    image = state.images.get(asked.image_id)
    facts = state.facts(asked.user_id, image.item_id) if image else None
    return (image, facts) if image and facts else None


def events_of(state: State, asked: EventsOf) -> tuple[Recorded, ...]:
    rows = [
        replace(line, name=state.accounts[line.user_id].name)
        for line in state.lines.values()
        if line.drive_id == asked.drive_id and (asked.before is None or line.sequence < asked.before)
    ]
    return tuple(sorted(rows, key=lambda line: line.sequence, reverse=True)[: asked.first])


def event_place(state: State, asked: EventPlace) -> str:
    return str(len(state.lines) if asked.after is None else min(asked.after, len(state.lines)))


def news_of(state: State, asked: NewsOf) -> News:
    """One transaction at a time is committed here, so a number is a place."""
    rows = [
        replace(line, name=state.accounts[line.user_id].name)
        for line in state.lines.values()
        if line.drive_id == asked.drive_id and line.sequence > int(asked.place)
    ]
    told = tuple(rows[: asked.first])
    more = len(told) == asked.first
    return News(told, str(told[-1].sequence if more else len(state.lines)), more)


# The question's type says what its answer is, which a dictionary cannot say of its pairs.
_ANSWERS: dict[type, Callable[[State, Any], Any]] = {
    questions.AccessOf: memory_items.access_of,
    questions.AncestorsFor: memory_items.ancestors_for,
    questions.ChildrenFor: memory_items.children_for,
    questions.LinkByDigest: memory_sessions.link_by_digest,
    questions.PasswordOf: memory_sessions.password_of,
    questions.SessionsOf: memory_sessions.sessions_of,
    questions.StillSignedIn: memory_sessions.still_signed_in,
    questions.WhoIsSignedIn: memory_sessions.who_is_signed_in,
    questions.ItemFor: memory_items.item_for,
    questions.OverviewFor: memory_items.overview_for,
    questions.PlaceFor: memory_items.place_for,
    questions.PublishedAs: published_as,
    questions.RootItemsFor: memory_items.root_items_for,
    questions.SearchFor: search_for,
    questions.SharedItemsFor: memory_items.shared_items_for,
    questions.SharedWith: memory_items.shared_with,
    questions.SharesFor: memory_items.shares_for,
    questions.SharesOf: memory_items.shares_of,
    questions.SubtreeOf: memory_items.subtree_of,
    questions.SuggestionsFor: memory_items.suggestions_for,
    questions.TrashFor: memory_items.trash_for,
    questions.AuthorNamesOf: memory_versions.author_names_of,
    questions.HistoryOf: memory_versions.history_of,
    questions.LogOf: memory_versions.log_of,
    questions.VersionOf: memory_versions.version_of,
    questions.VersionStateOf: memory_versions.version_state_of,
    questions.VersionsOf: memory_versions.versions_of,
    AccountByEmail: account_by_email,
    AccountOf: account_of,
    AppsOf: apps_of,
    OrganizationMembershipsOf: belongings_of,
    DocumentFor: document_for,
    DriveFor: drive_for,
    DriveNames: drive_names,
    DrivesFor: drives_for,
    EventPlace: event_place,
    EventsOf: events_of,
    ImageFor: image_for,
    ImagesOf: images_of,
    InvitationByDigest: invitation_by_digest,
    InvitationsOf: invitations_of,
    KeysOf: keys_of,
    MembersOf: members_of,
    NewsOf: news_of,
    OrganizationFor: organization_for,
    OrganizationMembersOf: organization_members_of,
    OrganizationRoleOf: organization_role_of,
    PlantedIn: planted_in,
    RecordedRequestFor: remembered_for,
    MembershipFactsOf: standing_of,
    RevisionOf: revision_of,
    StateOf: state_of,
    WhoHoldsKey: who_holds_key,
}


def answer[Answer](state: State, question: Question[Answer]) -> Answer:
    if isinstance(question, Both):
        return cast("Answer", (answer(state, question.one), answer(state, question.other)))
    return cast("Answer", _ANSWERS[type(question)](state, question))
