"""Whatever keeps the state, what is recorded is what is answered."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest

from domain.access import Role, Step
from domain.caller import Credential, CredentialKind, by_key
from domain.credit import Author, Credit
from domain.document import DocumentEdited, DocumentState
from domain.drive import DriveFacts, DriveKind
from domain.email_link import Purpose
from domain.errors import NOT_FOUND, Code
from domain.history import History, LogEntry
from domain.idempotency import IdempotencyKey, RecordedRequest
from domain.item import ItemKind, TreeLimits
from domain.member import MembershipFacts
from domain.move import Subtree
from domain.organization import OrganizationMembership, OrganizationRole
from domain.questions import (
    NOWHERE,
    Access,
    AccessOf,
    AccountByEmail,
    AccountOf,
    AncestorsFor,
    Both,
    ChildrenFor,
    CredentialIsValid,
    DocumentFor,
    DriveFor,
    DriveNames,
    DrivesFor,
    EventsOf,
    EventsSince,
    FeedPositionAfter,
    Follower,
    FollowerRights,
    Giver,
    Grant,
    HistoryOf,
    ImageFor,
    InvitationByDigest,
    InvitationsOf,
    ItemFor,
    KeysOf,
    LinkByDigest,
    MembershipFactsOf,
    MembersOf,
    MembersOfEach,
    MembersPage,
    OrganizationFor,
    OrganizationMembershipsOf,
    OrganizationMembersOf,
    OrganizationRoleOf,
    OverviewFor,
    PlaceFor,
    PlantedIn,
    Published,
    PublishedAs,
    RecordedRequestFor,
    RightsOfFollowers,
    RootItemsFor,
    SearchFor,
    SharedItemsFor,
    SharedWith,
    SharesFor,
    SharesOf,
    StarredItemsFor,
    StateOf,
    SubtreeOf,
    Suggestion,
    SuggestionsFor,
    TrashFor,
    VersionOf,
    VersionsOf,
    VersionStateOf,
    WhoHoldsKey,
)
from domain.share import Share, Shares
from domain.take_over import Planted
from domain.values import Email
from graphql_api.drive_feed import DriveFeed
from graphql_api.ports import LockScope
from tests.ports.reads import DOCUMENT, READ_ONLY, READ_WRITE, me, pages
from tests.support.model.history import downsampled
from tests.support.processes.servers import PATIENCE
from tests.support.worlds.acts import START

UNKNOWN = (
    "0fffffff-0000-7000-8000-000000000000",
    "",
    "nonsense",
    "a\0b",
    "\ud800",
    "0FFFFFFF-0000-7000-8000-000000000000",
)


@pytest.fixture
async def acme(world):
    """An organization of Ada (admin), Ben and Cleo, her drive Plans, and Gus who is a stranger to all of it."""
    world.personal = {name: await world.account(name) for name in ("ada", "ben", "cleo", "gus")}
    world.acme = await world.organize("ada")
    await world.join("ada", world.acme, "ben")
    await world.join("ada", world.acme, "cleo")
    world.wait()
    world.drive = await world.make_drive("ada", world.acme)
    return world


async def tree(world):
    """plans / drafts / memo, plans / notes, one second apart."""
    world.plans = await world.make("ada", drive_id=world.drive, name="plans")
    world.wait()
    world.drafts = await world.make("ada", parent_id=world.plans, name="drafts")
    world.wait()
    world.memo = await world.make("ada", parent_id=world.drafts, name="memo", kind=DOCUMENT)
    world.wait()
    world.notes = await world.make("ada", parent_id=world.plans, name="notes", kind=DOCUMENT)
    world.wait()
    return world


def names(rows):
    return [getattr(row, "name", None) or getattr(row, "facts", row).item.name for row in rows]


async def test_an_account_comes_with_a_personal_drive(world):
    drive_id = await world.account("ada")
    assert await world.read(AccountOf(me(world))) == world.people["ada"]
    assert await world.read(AccountByEmail(world.address("ada"))) == world.people["ada"]
    facts = await world.read(DriveFor(me(world), drive_id))
    assert (facts.role, facts.live_items, facts.drive.name) == (Role.owner, 0, "Ada")
    assert (facts.drive.kind, facts.drive.organization_id) == (DriveKind.personal, None)
    (member,) = await world.read(MembersOf(drive_id))
    assert (member.user_id, member.role, member.email, member.added_at) == (
        me(world),
        Role.owner,
        world.address("ada"),
        START,
    )


async def test_what_nobody_made_is_answered_as_missing(acme):
    ada = me(acme)
    for unknown in UNKNOWN:
        for question in (ItemFor, OverviewFor, DriveFor, DocumentFor, ImageFor, OrganizationFor):
            assert await acme.read(question(ada, unknown)) is None
        for question in (ChildrenFor, RootItemsFor):
            assert (await acme.read(question(ada, unknown, 5, None))).rows == ()
        assert await acme.read(AccountOf(unknown)) is None
        assert await acme.read(WhoHoldsKey(unknown)) is None
        assert await acme.read(InvitationByDigest(unknown)) is None
        assert await acme.read(MembersOf(unknown)) == ()
        assert (await acme.read(MembersPage(unknown, 5, None))).rows == ()
        assert await acme.read(MembersOfEach((unknown,), 5)) == {}
        assert await acme.read(KeysOf(unknown)) == ()
        assert await acme.read(OrganizationMembershipsOf(unknown)) == ()
        assert await acme.read(OrganizationMembersOf(unknown)) == ()
        assert await acme.read(InvitationsOf(unknown)) == ()
        assert await acme.read(OrganizationRoleOf(unknown, ada)) is None
        assert await acme.read(EventsOf(unknown, 5)) == ()
        assert await acme.read(StateOf(unknown)) == DocumentState(None, (), 0)
        assert await acme.read(SubtreeOf(unknown)) == Subtree(0, 0, published=False)
        assert await acme.read(SharesOf(unknown, acme.address("ada"))) == Shares(None, 0, inside=False)
        assert await acme.read(MembershipFactsOf(unknown, ada)) == MembershipFacts(False, None, 0, 0)
        assert await acme.read(AccessOf(unknown, acme.address("ada"))) == Access(None, None, ())
        assert await acme.read(SuggestionsFor(ada, unknown, acme.acme)) == ()
        assert await acme.read(SharedWith(unknown)) == ()
        place = await acme.read(PlaceFor(ada, None, unknown))
        assert (place.drive, place.parent, place.drive_seen, place.children) == (None, None, False, 0)
        assert await acme.read(RecordedRequestFor(IdempotencyKey(unknown, unknown, unknown, ""))) is None


async def test_a_key_says_who_acts_until_it_is_revoked(acme):
    made = await acme.make_key("ben", agent="scout", organization_id=acme.acme)
    who = by_key(me(acme, "ben"), "Ben", acme.address("ben"), "scout", acme.acme, made.key.id, made.digest)
    assert await acme.read(WhoHoldsKey(made.digest)) == who
    assert await acme.read(KeysOf(me(acme, "ben"))) == (made.key,)
    await acme.revoke_key("ben", made.key.id)
    assert await acme.read(WhoHoldsKey(made.digest)) is None
    assert await acme.read(KeysOf(me(acme, "ben"))) == ()


async def test_a_key_of_a_disabled_account_is_nobody_s_until_it_is_enabled_again(acme):
    made = await acme.make_key("ben")
    held = await acme.read(KeysOf(acme.people["ben"].id))
    await acme.disable("ben")
    assert await acme.read(KeysOf(acme.people["ben"].id)) == ()
    assert await acme.read(WhoHoldsKey(made.digest)) is None
    await acme.disable("ben", disabled=False)
    assert await acme.read(KeysOf(acme.people["ben"].id)) == held != ()
    assert (await acme.read(WhoHoldsKey(made.digest))).user_id == me(acme, "ben")


async def test_a_credential_is_valid_until_it_is_ended_or_its_account_disabled(acme):
    key, session = await acme.make_key("ben"), await acme.sign_in("ben")
    of = [
        Credential(CredentialKind.KEY, key.key.id, key.digest),
        Credential(CredentialKind.SESSION, session.id),
        Credential(CredentialKind.BEARER, acme.new_id(), "none"),
    ]

    async def valid():
        return [await acme.read(CredentialIsValid(each)) for each in of]

    assert await valid() == [True, True, False]
    await acme.disable("ben")
    assert await valid() == [False, False, False]
    await acme.disable("ben", disabled=False)
    await acme.revoke_key("ben", key.key.id)
    assert await valid() == [False, True, False]
    await acme.sign_out("ben", session.id)
    assert await valid() == [False, False, False]
    assert await acme.read(CredentialIsValid(None)), "the operator's command has none"


async def test_the_followers_of_a_drive_have_the_rights_that_each_has_alone(acme):
    key = await acme.make_key("ben")
    await acme.set_member("ada", acme.drive, "ben")
    followers = (
        Follower(me(acme), None),
        Follower(me(acme, "ben"), Credential(CredentialKind.KEY, key.key.id, key.digest)),
        Follower(me(acme, "ben"), Credential(CredentialKind.SESSION, acme.new_id())),
        Follower(me(acme, "cleo"), None),
        Follower("nobody", None),
    )

    async def rights():
        asked = RightsOfFollowers(acme.drive, followers)
        return [(each.is_member, each.is_valid) for each in await acme.read(asked)]

    async def alone(follower):
        facts = await acme.read(DriveFor(follower.user_id, acme.drive))
        return facts is not None and facts.role is not None, await acme.read(CredentialIsValid(follower.credential))

    before = await rights()
    assert before == [await alone(each) for each in followers]
    assert before[1:3] == [(True, True), (True, False)]
    await acme.revoke_key("ben", key.key.id)
    assert await rights() == [await alone(each) for each in followers] != before
    assert await acme.read(RightsOfFollowers(acme.new_id(), followers[:1])) == (FollowerRights(False, True),)


async def test_a_key_acts_in_no_organization_that_its_owner_left(acme):
    made = await acme.make_key("ben", organization_id=acme.acme)
    await acme.leave_organization("ben", acme.acme, "ben")
    assert (await acme.read(WhoHoldsKey(made.digest))).organization_id is None


async def test_keys_are_listed_newest_first(acme):
    made = []
    for _ in range(3):
        made.append(await acme.make_key("ada"))
        acme.wait()
    assert await acme.read(KeysOf(me(acme))) == tuple(each.key for each in reversed(made))


async def test_an_invitation_stands_until_it_is_accepted(acme):
    await acme.account("dora")
    (invited,) = await acme.invite("ada", acme.acme, "dora", OrganizationRole.admin)
    assert await acme.read(InvitationsOf(acme.acme)) == (invited.invitation,)
    assert await acme.read(InvitationByDigest(invited.digest)) == invited.invitation
    acme.wait()
    await acme.accept("dora", invited.invitation.id)
    assert await acme.read(InvitationsOf(acme.acme)) == ()
    assert await acme.read(InvitationByDigest(invited.digest)) is None
    assert await acme.read(OrganizationRoleOf(acme.acme, me(acme, "dora"))) is OrganizationRole.admin
    facts = await acme.read(OrganizationFor(me(acme, "dora"), acme.acme))
    assert (facts.role, facts.admins) == (OrganizationRole.admin, 2)
    assert names(await acme.read(OrganizationMembersOf(acme.acme))) == ["Ada", "Ben", "Cleo", "Dora"]


async def test_organizations_of_a_person_come_by_name(acme):
    other = await acme.organize("ben", "Aardvark")
    answer = await acme.read(OrganizationMembershipsOf(me(acme, "ben")))
    assert answer == (
        OrganizationMembership(other, "Aardvark", OrganizationRole.admin, acme.now, acme.now),
        OrganizationMembership(acme.acme, "Acme", OrganizationRole.member, START, START),
    )
    assert (await acme.read(OrganizationFor(me(acme, "gus"), other))).role is None


async def test_an_organization_is_administered_by_whom_it_is_told(acme):
    await acme.set_organization_role("ada", acme.acme, "ben", OrganizationRole.admin)
    assert await acme.read(OrganizationRoleOf(acme.acme, me(acme, "ben"))) is OrganizationRole.admin
    await acme.set_organization_role("ben", acme.acme, "ada", OrganizationRole.member)
    assert (await acme.read(OrganizationFor(me(acme), acme.acme))).admins == 1


async def test_an_item_is_met_with_its_drive_role_and_way_up(acme):
    await tree(acme)
    await acme.share("ada", acme.drafts, acme.address("gus"), READ_WRITE)
    seen = await acme.item("gus", acme.memo)
    assert seen.role is None
    assert seen.path == (
        Step(acme.memo, name="memo"),
        Step(acme.drafts, permission=READ_WRITE, name="drafts"),
        Step(acme.plans, name="plans"),
    )
    mine = await acme.item("ada", acme.memo)
    assert mine.role is Role.owner
    assert [(step.name, step.permission) for step in mine.path] == [("memo", None), ("drafts", None), ("plans", None)]
    assert mine.drive.depth == 3
    assert (mine.item.name, mine.item.parent_id, mine.item.kind) == ("memo", acme.drafts, DOCUMENT)
    assert mine.item.created_by == mine.item.updated_by == acme.credit("ada")


async def test_an_agent_is_credited_beside_its_user(acme):
    made = await acme.make("ada", drive_id=acme.drive, agent="scout")
    acme.wait()
    await acme.rename("ada", made, "Other")
    item = (await acme.item("ada", made)).item
    assert item.created_by == Credit(me(acme), "Ada", "scout")
    assert item.updated_by == Credit(me(acme), "Ada", None)
    assert (item.name, item.updated_at) == ("Other", acme.now)


async def test_an_overview_has_children_by_name_ancestors_and_shares(acme):
    await tree(acme)
    acme.wait()
    await acme.share("ada", acme.plans, acme.address("gus"))
    acme.wait()
    await acme.share("ada", acme.plans, acme.address("ben"), READ_WRITE)
    await acme.share("ada", acme.notes, acme.address("ben"))
    overview = await acme.read(OverviewFor(me(acme, "ben"), acme.plans))
    assert [(child.name, permission) for child, permission in overview.children] == [
        ("drafts", None),
        ("notes", READ_ONLY),
    ]
    ben = acme.people["ben"]
    assert overview.shares == (
        Share(acme.address("gus"), READ_ONLY, None, None, acme.now.replace(second=acme.now.second - 1)),
        Share(acme.address("ben"), READ_WRITE, ben.id, "Ben", acme.now),
    )
    assert names((await acme.read(OverviewFor(me(acme), acme.memo))).ancestors) == ["drafts", "plans"]
    assert (await acme.read(AncestorsFor(me(acme), acme.memo))).ancestors == (
        await acme.read(OverviewFor(me(acme), acme.memo))
    ).ancestors
    assert (await acme.read(SharesFor(me(acme, "ben"), acme.plans))).shares == overview.shares


async def test_of_a_hidden_item_nothing_is_loaded_but_that_it_is_hidden(acme):
    await tree(acme)
    await acme.share("ada", acme.plans, acme.address("ben"))
    hidden = await acme.read(OverviewFor(me(acme, "gus"), acme.plans))
    assert (hidden.children, hidden.ancestors, hidden.shares) == ((), (), ())
    assert hidden.facts.role is None
    assert (await acme.read(AncestorsFor(me(acme, "gus"), acme.memo))).ancestors == ()
    assert (await acme.read(SharesFor(me(acme, "gus"), acme.plans))).shares == ()


async def test_children_and_roots_come_page_by_page_by_name_and_id(acme):
    plans = await acme.make("ada", drive_id=acme.drive, name="plans")
    for name in ("b", "a", "Z", "é", "a", "10", "9"):
        await acme.make("ada", parent_id=plans, name=name)
        await acme.make("ada", drive_id=acme.drive, name=name)
    gone = await acme.make("ada", parent_id=plans, name="gone")
    await acme.trash("ada", gone)
    found = await pages(acme, ChildrenFor(me(acme), plans, 3, None))
    assert [names(child for child, _ in page) for page in found] == [["9", "10", "a"], ["a", "b", "é"], ["Z"]]
    roots = await pages(acme, RootItemsFor(me(acme), acme.drive, 4, None))
    assert [names(page) for page in roots] == [["9", "10", "a", "a"], ["b", "é", "plans", "Z"]]


async def test_children_and_roots_of_some_kinds_come_alone_page_by_page(acme):
    plans = await acme.make("ada", drive_id=acme.drive, name="plans")
    for name, kind in (("a", ItemKind.folder), ("b", DOCUMENT), ("c", ItemKind.folder), ("d", DOCUMENT)):
        await acme.make("ada", parent_id=plans, name=name, kind=kind)
        await acme.make("ada", drive_id=acme.drive, name=name, kind=kind)
    for kinds, expected in (({ItemKind.folder}, ["a", "c"]), ({DOCUMENT}, ["b", "d"]), (set(), [])):
        found = await pages(acme, ChildrenFor(me(acme), plans, 1, None, frozenset(kinds)))
        assert [name for page in found for name in names(child for child, _ in page)] == expected
        roots = await pages(acme, RootItemsFor(me(acme), acme.drive, 1, None, frozenset(kinds)))
        assert [name for page in roots for name in names(page) if name != "plans"] == expected


EXPECTED = ["(draft)", "Apple", "apple", "Äpple", "File 9", "file 10", "Łódź", "ma\u0301s", "mast", "Zebra"]


async def test_names_come_as_people_expect_in_every_list(acme):
    plans = await acme.make("ada", drive_id=acme.drive, name="plans")
    for name in reversed(EXPECTED):
        await acme.make("ada", parent_id=plans, name=name)
        await acme.make("ada", drive_id=acme.personal["ada"], name=name)
        await acme.make_drive("ada", acme.acme, name)
        await acme.organize("ada", name)
    assert names(child for child, _ in (await acme.read(OverviewFor(me(acme), plans))).children) == EXPECTED
    children = await pages(acme, ChildrenFor(me(acme), plans, 3, None))
    assert [name for page in children for name in names(child for child, _ in page)] == EXPECTED
    roots = await pages(acme, RootItemsFor(me(acme), acme.personal["ada"], 3, None))
    assert [name for page in roots for name in names(page)] == EXPECTED
    found = [facts.drive.name for page in await pages(acme, DriveNames(me(acme), 3, None)) for facts in page]
    assert [name for name in found if name in EXPECTED] == EXPECTED
    listed = [each for page in await pages(acme, DrivesFor(me(acme), 4, 1000, None)) for each in page]
    assert [each.drive.name for each in listed if each.drive.name in EXPECTED] == EXPECTED
    (whole,) = await pages(acme, DrivesFor(me(acme), 50, 1000, None))
    assert names(whole[0].items) == EXPECTED
    organizations = names(await acme.read(OrganizationMembershipsOf(me(acme))))
    assert [name for name in organizations if name in EXPECTED] == EXPECTED


async def test_people_are_suggested_in_the_order_of_their_names(acme):
    await tree(acme)
    for number, name in enumerate(("zoe", "Éva", "eve", "Agent 10", "agent 9")):
        await acme.account(f"n{number}", verified=True)
        await acme.rename_account(f"n{number}", name)
        await acme.join("ada", acme.acme, f"n{number}")
    found = names(await acme.read(SuggestionsFor(me(acme), acme.plans, acme.acme)))
    assert [name for name in found if name not in {"Ben", "Cleo"}] == ["agent 9", "Agent 10", "Éva", "eve", "zoe"]


async def test_a_renamed_item_and_drive_are_found_at_their_new_places(acme):
    plans = await acme.make("ada", drive_id=acme.drive, name="plans")
    other = await acme.make("ada", drive_id=acme.drive, name="other")
    drive = await acme.make_drive("ada", acme.acme, "Aardvark")
    await acme.rename("ada", other, "Rest")
    await acme.rename_drive("ada", drive, "Zoo")
    assert [item.id for item in (await acme.read(RootItemsFor(me(acme), acme.drive, 9, None))).rows] == [plans, other]
    drives = (await acme.read(DriveNames(me(acme), 9, None))).rows
    assert [facts.drive.name for facts in drives] == ["Ada", "Plans", "Zoo"]


@pytest.mark.parametrize("character", ["a", "9", "\ufdfa", "\U0001f600", "\U0001d7d9", "\u2473", "\u0301"])
async def test_the_longest_names_are_kept_and_listed(acme, character):
    for number in range(3):
        name = character * 254 + str(number)
        folder = await acme.make("ada", drive_id=acme.drive, name=name)
        await acme.rename("ada", await acme.make("ada", parent_id=folder), name)
    found = [each for page in await pages(acme, RootItemsFor(me(acme), acme.drive, 1, None)) for each in page]
    assert names(found) == [character * 254 + str(number) for number in range(3)]


async def test_a_page_goes_on_after_a_place_that_is_gone(acme):
    made = [await acme.make("ada", drive_id=acme.drive, name=name) for name in "abcd"]
    first = await acme.read(RootItemsFor(me(acme), acme.drive, 2, None))
    await acme.trash("ada", made[1])
    await acme.make("ada", drive_id=acme.drive, name="aa")
    rest = await acme.read(RootItemsFor(me(acme), acme.drive, 2, first.next_cursor))
    assert names(rest.rows) == ["c", "d"]


@pytest.mark.parametrize("cursor", ["", "nonsense", "a\0", "\ud800", "W10", "eyJhIjoxfQ", "WyJhIiwgImIiXQ", "é"])
async def test_a_cursor_of_no_such_list_is_told_from_the_end(acme, cursor):
    await tree(acme)
    await acme.trash("ada", acme.notes)
    ada = me(acme)
    for question in (
        ChildrenFor(ada, acme.plans, 5, cursor),
        RootItemsFor(ada, acme.drive, 5, cursor),
        TrashFor(ada, None, 5, cursor),
        SharedItemsFor(ada, 5, cursor),
        StarredItemsFor(ada, 5, cursor),
        SearchFor(ada, "", None, 5, cursor),
        DriveNames(ada, 5, cursor),
        DrivesFor(ada, 5, 1000, cursor),
    ):
        answer = await acme.read(question)
        assert answer == NOWHERE


async def test_a_place_counts_what_is_there_and_who_sees_it(acme):
    await tree(acme)
    await acme.trash("ada", acme.notes)
    place = await acme.read(PlaceFor(me(acme), None, acme.plans))
    assert (place.drive.drive.id, place.drive.live_items, place.children, place.depth) == (acme.drive, 3, 1, 1)
    assert not (await acme.read(PlaceFor(me(acme, "gus"), acme.drive, None))).drive_seen
    await acme.share("ada", acme.memo, acme.address("gus"))
    seen = await acme.read(PlaceFor(me(acme, "gus"), acme.drive, None))
    assert (seen.drive_seen, seen.drive.role, seen.parent) == (True, None, None)
    await acme.trash("ada", acme.drafts)
    assert not (await acme.read(PlaceFor(me(acme, "gus"), acme.drive, None))).drive_seen


async def test_a_place_may_name_a_parent_in_another_drive(acme):
    await tree(acme)
    place = await acme.read(PlaceFor(me(acme), acme.personal["ada"], acme.plans))
    assert (place.drive.drive.id, place.parent.drive.id) == (acme.personal["ada"], acme.drive)


async def test_a_subtree_is_as_high_and_large_as_it_is(acme):
    await tree(acme)
    assert await acme.read(SubtreeOf(acme.plans)) == Subtree(3, 4, published=False)
    await acme.publish("ada", acme.memo)
    assert await acme.read(SubtreeOf(acme.plans)) == Subtree(3, 4, published=True)
    assert await acme.read(SubtreeOf(acme.notes)) == Subtree(1, 1, published=False)


async def test_of_what_is_in_the_trash_within_a_subtree_only_the_levels_count(acme):
    await tree(acme)
    await acme.publish("ada", acme.memo)
    await acme.trash("ada", acme.drafts)
    assert await acme.read(SubtreeOf(acme.plans)) == Subtree(3, 2, published=False)
    assert await acme.read(SubtreeOf(acme.drafts)) == Subtree(2, 2, published=True)
    await acme.trash("ada", acme.plans)
    assert await acme.read(SubtreeOf(acme.plans)) == Subtree(3, 2, published=False)


async def test_what_lies_in_the_trash_fills_no_drive_and_keeps_nothing_from_moving_there(acme):
    await tree(acme)
    await acme.set_member("ada", acme.drive, "ben", Role.manager)
    await acme.publish("ada", acme.memo)
    await acme.trash("ada", acme.drafts)
    there = await acme.make_drive("ada", acme.acme, "There")
    await acme.set_member("ada", there, "ben", Role.contributor)
    acme.limits = TreeLimits(drive_items=2)
    (moved,) = await acme.move("ben", acme.plans, there)
    assert moved.deepest == 3
    refused = await acme.restore("ada", acme.drafts)
    assert refused.code is Code.LIMIT_EXCEEDED
    assert (await acme.item("ada", acme.drafts)).item.trashed_at is not None


async def test_a_move_leaves_room_in_the_depth_for_what_is_in_the_trash(acme):
    await tree(acme)
    deep = await acme.make("ada", drive_id=acme.drive, name="deep")
    await acme.trash("ada", acme.drafts)
    acme.limits = TreeLimits(depth=3)
    assert (await acme.move("ada", acme.plans, acme.drive, deep)).code is Code.TREE_TOO_DEEP
    acme.limits = TreeLimits(depth=4)
    await acme.move("ada", acme.plans, acme.drive, deep)
    (restored,) = await acme.restore("ada", acme.drafts)
    assert restored.parent_id == acme.plans


async def test_what_comes_back_needs_room_in_its_folder_and_its_drive(acme):
    await tree(acme)
    acme.limits = TreeLimits(drive_items=4, folder_children=2)
    await acme.trash("ada", acme.drafts)
    rows = [await acme.make("ada", drive_id=acme.drive, name=name) for name in "ab"]
    assert (await acme.restore("ada", acme.drafts)).code is Code.LIMIT_EXCEEDED
    await acme.trash("ada", acme.memo)
    for item_id in rows:
        await acme.trash("ada", item_id)
    third = await acme.make("ada", parent_id=acme.plans, name="third")
    assert (await acme.restore("ada", acme.drafts)).code is Code.LIMIT_EXCEEDED
    await acme.trash("ada", third)
    assert await acme.restore("ada", acme.drafts)
    assert (await acme.read(PlaceFor(me(acme), acme.drive, acme.plans))).drive.live_items == 4


async def test_a_move_takes_everything_along_but_what_was_inherited(acme):
    await tree(acme)
    other = await acme.make_drive("ada", acme.acme, "Other")
    await acme.share("ada", acme.plans, acme.address("gus"))
    await acme.share("ada", acme.memo, acme.address("ben"))
    (moved,) = await acme.move("ada", acme.drafts, other)
    assert (moved.from_drive_id, moved.drive_id, moved.deepest) == (acme.drive, other, 2)
    assert (await acme.item("gus", acme.memo)).path == (Step(acme.memo, name="memo"), Step(acme.drafts, name="drafts"))
    facts = await acme.item("ben", acme.memo)
    assert (facts.drive.id, facts.drive.depth, facts.item.drive_id) == (other, 2, other)
    assert facts.path == (Step(acme.memo, permission=READ_ONLY, name="memo"), Step(acme.drafts, name="drafts"))
    assert (await acme.item("ada", acme.drafts)).item.parent_id is None
    assert (await acme.item("ada", acme.drafts)).item.updated_at == acme.now
    assert facts.item.updated_at < acme.now


async def test_what_is_in_the_trash_hides_what_lies_below(acme):
    await tree(acme)
    await acme.trash("ada", acme.drafts)
    (facts,) = (await acme.read(TrashFor(me(acme), None, 5, None))).rows
    assert (facts.item.id, facts.item.trashed_at) == (acme.drafts, acme.now)
    assert [step.trashed for step in (await acme.item("ada", acme.memo)).path] == [False, True, False]
    listed = await acme.read(DrivesFor(me(acme), 50, 1000, None))
    assert names(listed.rows[1].items) == ["plans", "notes"]


async def test_the_trash_is_listed_last_trashed_first_to_whoever_sees_it(acme):
    await tree(acme)
    await acme.share("ada", acme.drafts, acme.address("gus"))
    mine = await acme.make("ada", drive_id=acme.personal["ada"], name="mine")
    for item_id in (acme.memo, acme.notes, mine, acme.drafts):
        acme.wait()
        await acme.trash("ada", item_id)
    found = await pages(acme, TrashFor(me(acme), None, 3, None))
    assert [names(page) for page in found] == [["drafts", "mine", "notes"], ["memo"]]
    assert names((await acme.read(TrashFor(me(acme), acme.drive, 5, None))).rows) == ["drafts", "notes", "memo"]
    assert names((await acme.read(TrashFor(me(acme, "gus"), None, 5, None))).rows) == ["drafts", "memo"]
    assert (await acme.read(TrashFor(me(acme, "ben"), None, 5, None))).rows == ()


async def test_what_comes_back_is_where_it_was_told_and_unpublished_with_all_below(acme):
    await tree(acme)
    await acme.publish("ada", acme.memo)
    assert (await acme.item("ada", acme.memo)).item.slug is not None
    await acme.trash("ada", acme.drafts)
    await acme.trash("ada", acme.plans)
    (restored,) = await acme.restore("ada", acme.drafts)
    assert restored.parent_id is None
    memo = await acme.item("ada", acme.memo)
    assert memo.item.slug is None
    assert [step.id for step in memo.path] == [acme.memo, acme.drafts]
    assert (await acme.item("ada", acme.drafts)).item.trashed_at is None


async def test_what_is_deleted_for_ever_is_gone_with_all_below(acme):
    await tree(acme)
    await acme.edit("ada", acme.memo)
    (uploaded,) = await acme.upload("ada", acme.memo)
    await acme.share("ada", acme.memo, acme.address("gus"))
    await acme.trash("ada", acme.plans)
    await acme.delete_forever("ada", acme.plans)
    for item_id in (acme.plans, acme.drafts, acme.memo, acme.notes):
        assert await acme.item("ada", item_id) is None
    assert await acme.read(ImageFor(me(acme), uploaded.image.id)) is None
    assert await acme.read(StateOf(acme.memo)) == DocumentState(None, (), 0)
    assert await acme.read(SharesOf(acme.memo, acme.address("gus"))) == Shares(None, 0, inside=False)
    assert await acme.read(SharedWith(me(acme, "gus"))) == ()


async def test_what_is_shared_with_somebody_comes_newest_grant_first(acme):
    await tree(acme)
    for item_id in (acme.notes, acme.plans, acme.memo):
        acme.wait()
        await acme.share("ada", item_id, acme.address("gus"))
    shared = await acme.read(SharedWith(me(acme, "gus")))
    assert names(shared) == ["memo", "plans", "notes"]
    assert shared[0].path[0].permission is READ_ONLY
    await acme.trash("ada", acme.drafts)
    assert names(await acme.read(SharedWith(me(acme, "gus")))) == ["plans", "notes"]
    await acme.remove_share("gus", acme.notes, acme.address("gus"))
    assert names(await acme.read(SharedWith(me(acme, "gus")))) == ["plans"]


async def test_what_is_shared_with_somebody_comes_page_by_page(acme):
    made = []
    for number in range(7):
        item_id = await acme.make("ada", drive_id=acme.drive, name=f"item {number}")
        made.append(item_id)
        acme.wait(number % 3)  # grants of one moment come by id
        await acme.share("ada", item_id, acme.address("gus"))
    folder = await acme.make("ada", drive_id=acme.drive, name="folder")
    for item_id in made[1:3]:
        await acme.move("ada", item_id, acme.drive, folder)
    await acme.trash("ada", folder)
    question = SharedItemsFor(me(acme, "gus"), 2, None)
    found = await pages(acme, question)
    whole = await acme.read(SharedWith(me(acme, "gus")))
    assert [len(page) for page in found] == [2, 2, 1]
    assert tuple(shared.facts for page in found for shared in page) == whole
    assert {shared.shared_by for page in found for shared in page} == {acme.credit("ada")}
    assert names(whole) == ["item 6", "item 5", "item 4", "item 3", "item 0"]

    first = await acme.read(question)
    await acme.remove_share("gus", made[5], acme.address("gus"))
    await acme.share("ada", folder, acme.address("gus"))
    rest = await acme.read(SharedItemsFor(me(acme, "gus"), 9, first.next_cursor))
    assert names(shared.facts for shared in rest.rows) == ["item 4", "item 3", "item 0"]


async def test_a_folder_counts_its_children_whatever_happens_to_them(acme):
    await tree(acme)
    memo, notes = acme.memo, acme.notes

    async def children(folder):
        return (await acme.read(PlaceFor(me(acme), None, folder))).children

    assert [await children(folder) for folder in (acme.plans, acme.drafts)] == [2, 1]
    await acme.move("ada", notes, acme.drive, acme.drafts)
    assert [await children(folder) for folder in (acme.plans, acme.drafts)] == [1, 2]
    await acme.trash("ada", memo)
    await acme.trash("ada", notes)
    assert await children(acme.drafts) == 0
    await acme.restore("ada", memo)
    await acme.delete_forever("ada", notes)
    assert await children(acme.drafts) == 1
    await acme.trash("ada", memo)
    await acme.trash("ada", acme.drafts)
    await acme.restore("ada", memo)  # comes back to the folder above
    assert await children(acme.plans) == 1
    other = await acme.make_drive("ada", acme.acme, "Other")
    await acme.move("ada", memo, other, None)
    assert await children(acme.plans) == 0


async def test_a_share_is_changed_and_removed(acme):
    await tree(acme)
    gus = acme.address("gus")
    await acme.share("ada", acme.plans, gus)
    await acme.update_share("ada", acme.plans, gus, READ_WRITE)
    assert await acme.read(SharesOf(acme.plans, gus)) == Shares(READ_WRITE, 1, inside=False)
    assert await acme.read(SharesOf(acme.plans, acme.address("ben"))) == Shares(None, 1, inside=True)
    await acme.remove_share("ada", acme.plans, gus)
    assert await acme.read(SharesOf(acme.plans, gus)) == Shares(None, 0, inside=False)


async def test_two_questions_at_once_are_answered_as_one_after_the_other(acme):
    await tree(acme)
    gus, nobody = acme.address("gus"), "00000000-0000-0000-0000-00000000000a"
    await acme.share("ada", acme.plans, gus)
    asked = [
        *(ItemFor(me(acme), item_id) for item_id in (acme.plans, acme.notes, nobody, "nonsense", "\0")),
        *(ItemFor(me(acme, "gus"), item_id) for item_id in (acme.plans, acme.notes)),
        *(SharesOf(acme.plans, email) for email in (gus, acme.address("ben"))),
        PlaceFor(me(acme), None, acme.drafts),
        MembersOf(nobody),
    ]
    for one, other in product(asked, repeat=2):
        assert await acme.read(Both(one, other)) == (await acme.read(one), await acme.read(other))


async def test_a_grant_waits_for_an_account_that_verifies_the_address(acme):
    await tree(acme)
    await acme.share("ada", acme.plans, acme.address("dora"), READ_WRITE)
    await acme.account("dora", verified=False)
    await acme.share("ada", acme.notes, acme.address("dora"))
    assert await acme.read(SharedWith(me(acme, "dora"))) == ()
    assert (await acme.item("dora", acme.memo)).path[2].permission is None
    await acme.verify("dora")
    assert {*names(await acme.read(SharedWith(me(acme, "dora"))))} == {"plans", "notes"}
    assert (await acme.known("dora")).email_verified


async def test_a_grant_to_an_account_made_with_a_verified_address_is_effective_at_once(acme):
    await tree(acme)
    await acme.share("ada", acme.plans, acme.address("dora"))
    await acme.account("dora")
    assert names(await acme.read(SharedWith(me(acme, "dora")))) == ["plans"]


async def test_an_accepted_invitation_makes_a_member_and_verifies_no_address(acme):
    await tree(acme)
    mine = await acme.make("gus", drive_id=acme.personal["gus"], name="elsewhere")
    await acme.account("dora", verified=False)
    for by, item_id in (("ada", acme.plans), ("gus", mine)):
        await acme.share(by, item_id, acme.address("dora"))
    await acme.join("ada", acme.acme, "dora")
    await acme.share("ada", acme.notes, acme.address("dora"))
    assert await acme.read(SharedWith(me(acme, "dora"))) == ()
    assert (await acme.item("dora", acme.memo)).path[2].permission is None
    assert not (await acme.known("dora")).email_verified
    await acme.verify("dora")
    assert {*names(await acme.read(SharedWith(me(acme, "dora"))))} == {"plans", "notes", "elsewhere"}


async def test_whoever_takes_an_account_over_keeps_what_was_granted_to_its_address_and_nothing_else(acme):
    await tree(acme)
    acme.personal["dora"] = await acme.account("dora", verified=False)
    dora = me(acme, "dora")
    await acme.share("ada", acme.plans, acme.address("dora"))
    await acme.join("ada", acme.acme, "dora")
    await acme.set_member("ada", acme.drive, "dora", Role.manager)
    await acme.share("dora", acme.notes, acme.address("ben"))
    alone = await acme.organize("dora", "Alone")
    kept = await acme.make_drive("dora", alone, "Kept")
    sign_in, held = await acme.sign_in("dora", acme.acme), await acme.make_key("dora")
    link = await acme.make_link("dora", Purpose.sign_in)
    await acme.verify("dora")  # as before addresses had to be verified: she published, shared and invited
    page = await acme.make("dora", drive_id=acme.personal["dora"], name="page", kind=ItemKind.docs_workbook)
    await acme.publish("dora", page)
    await acme.share("dora", page, acme.address("gus"))
    (invited,) = await acme.invite("dora", alone, "gus")
    planted = await acme.read(PlantedIn(dora))
    assert (planted.sessions, planted.keys, planted.links) == ((sign_in.id,), (held.key.id,), (link.id,))
    assert {(share.item_id, share.email) for share in planted.shares} == {
        (acme.notes, acme.address("ben")),
        (page, acme.address("gus")),
    }
    await acme.take_over("dora")
    assert await acme.read(PlantedIn(dora)) == Planted()
    assert await acme.read(WhoHoldsKey(held.digest)) is None
    assert not await acme.read(CredentialIsValid(Credential(CredentialKind.SESSION, sign_in.id)))
    assert await acme.read(LinkByDigest(f"digest of {link.id}")) is None
    assert await acme.read(InvitationByDigest(invited.digest)) is None
    assert (await acme.item("dora", page)).item.slug is None
    for name, item_id in (("ben", acme.notes), ("gus", page)):
        assert item_id not in {facts.item.id for facts in await acme.read(SharedWith(me(acme, name)))}
    assert await acme.read(OrganizationRoleOf(acme.acme, dora)) is None
    assert (await acme.read(DriveFor(dora, acme.drive))).role is None
    assert names(await acme.read(SharedWith(dora))) == ["plans"]
    assert (await acme.read(DriveFor(dora, kept))).role is Role.owner, "nobody else is there, and nobody could be"


async def test_an_organization_whose_only_admin_is_taken_over_passes_to_its_eldest_member(acme):
    await acme.account("dora", verified=True)
    theirs = await acme.organize("dora", "Theirs")
    drive = await acme.make_drive("dora", theirs)
    for name in ("ben", "cleo"):
        acme.wait()
        await acme.join("dora", theirs, name)
    await acme.take_over("dora")
    assert await acme.read(OrganizationRoleOf(theirs, me(acme, "ben"))) is OrganizationRole.admin
    assert await acme.read(OrganizationRoleOf(theirs, me(acme, "dora"))) is None
    assert (await acme.read(DriveFor(me(acme, "ben"), drive))).role is Role.owner


async def test_suggestions_are_people_of_the_organization_without_a_way_to_the_item(acme):
    await tree(acme)
    for name in ("zoe", "dora", "emil", "finn"):
        await acme.account(name)
        await acme.join("ada", acme.acme, name)
    await acme.share("ada", acme.plans, acme.address("zoe"))
    await acme.set_member("ada", acme.drive, "emil")
    await acme.disable("finn")
    expected = [Suggestion(me(acme, name), acme.address(name), name.title()) for name in ("ben", "cleo", "dora")]
    assert await acme.read(SuggestionsFor(me(acme), acme.memo, acme.acme)) == tuple(expected)
    assert await acme.read(SuggestionsFor(me(acme, "ben"), acme.memo, acme.acme)) == tuple(expected[1:])
    assert await acme.read(SuggestionsFor(me(acme), acme.memo, None)) == ()


def giver(world, name):
    return Giver(me(world, name), world.people[name].name)


async def test_access_is_explained_with_who_gave_it(acme):
    await tree(acme)
    await acme.set_member("ada", acme.drive, "ben", Role.manager)
    await acme.share("ben", acme.plans, acme.address("ben"))
    await acme.share("ben", acme.plans, acme.address("gus"), READ_WRITE)
    acme.wait()
    await acme.share("ada", acme.memo, acme.address("gus"))
    assert await acme.read(AccessOf(acme.memo, acme.address("ben"))) == Access(Role.manager, giver(acme, "ada"), ())
    assert await acme.read(AccessOf(acme.memo, acme.address("gus"))) == Access(
        None,
        None,
        (
            Grant(acme.memo, "memo", READ_ONLY, giver(acme, "ada"), acme.now),
            Grant(acme.plans, "plans", READ_WRITE, giver(acme, "ben"), acme.now.replace(second=acme.now.second - 1)),
        ),
    )
    assert await acme.read(AccessOf(acme.memo, Email("nobody@w.example"))) == Access(None, None, ())


async def test_members_come_by_when_they_were_added(acme):
    for name in ("cleo", "ben"):
        acme.wait()
        await acme.set_member("ada", acme.drive, name)
    acme.wait()
    await acme.set_member("ada", acme.drive, "cleo", Role.owner)
    members = await acme.read(MembersOf(acme.drive))
    assert [(member.name, member.role) for member in members] == [
        ("Ada", Role.owner),
        ("Cleo", Role.owner),
        ("Ben", Role.contributor),
    ]
    assert await acme.read(MembershipFactsOf(acme.drive, me(acme, "cleo"))) == MembershipFacts(True, Role.owner, 2, 3)
    assert await acme.read(MembershipFactsOf(acme.drive, me(acme, "gus"))) == MembershipFacts(False, None, 2, 3)
    await acme.remove_member("cleo", acme.drive, "cleo")
    assert names(await acme.read(MembersOf(acme.drive))) == ["Ada", "Ben"]


async def test_whoever_leaves_the_organization_leaves_its_drives_and_grants(acme):
    await tree(acme)
    await acme.set_member("ada", acme.drive, "ben", Role.manager)
    other = await acme.make_drive("ben", acme.acme, "Ben's")
    await acme.share("ada", acme.notes, acme.address("ben"))
    mine = await acme.make("gus", drive_id=acme.personal["gus"], name="elsewhere")
    await acme.share("gus", mine, acme.address("ben"))
    acme.wait()
    await acme.leave_organization("ada", acme.acme, "ben")
    assert names(await acme.read(MembersOf(acme.drive))) == ["Ada"]
    (heir,) = await acme.read(MembersOf(other))
    assert (heir.user_id, heir.role, heir.added_at) == (me(acme), Role.owner, acme.now)
    assert await acme.read(SharesOf(acme.notes, acme.address("ben"))) == Shares(None, 0, inside=False)
    assert names(await acme.read(SharedWith(me(acme, "ben")))) == ["elsewhere"]
    assert await acme.read(OrganizationRoleOf(acme.acme, me(acme, "ben"))) is None


async def test_a_drive_of_somebody_who_leaves_by_themselves_passes_to_the_oldest_admin(acme):
    await acme.set_organization_role("ada", acme.acme, "cleo", OrganizationRole.admin)
    drive_id = await acme.make_drive("ben", acme.acme)
    await acme.set_member("ben", drive_id, "ada")
    await acme.leave_organization("ben", acme.acme, "ben")
    (heir,) = await acme.read(MembersOf(drive_id))
    assert (heir.user_id, heir.role) == (me(acme), Role.owner)


async def test_drives_come_personal_first_then_by_name_page_by_page(acme):
    for name in ("Zebra", "Apple", "apple"):
        await acme.make_drive("ada", acme.acme, name)
    found = await pages(acme, DriveNames(me(acme), 2, None))
    assert [[facts.drive.name for facts in page] for page in found] == [["Ada", "Apple"], ["apple", "Plans"], ["Zebra"]]


async def test_all_drives_come_at_once_with_their_items_by_depth_and_name(acme):
    await tree(acme)
    await acme.make("ada", drive_id=acme.drive, name="also")
    await acme.make("ada", drive_id=acme.personal["ada"], name="mine")
    await acme.make_drive("ada", acme.acme, "Empty")
    (drives,) = await pages(acme, DrivesFor(me(acme), 50, 1000, None))
    assert [(each.drive.name, names(each.items)) for each in drives] == [
        ("Ada", ["mine"]),
        ("Empty", []),
        ("Plans", ["also", "plans", "drafts", "notes", "memo"]),
    ]
    assert [names(each.members) for each in drives] == [["Ada"]] * 3


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5, 6])
async def test_later_pages_repeat_only_the_drives_whose_items_go_on(acme, most):
    await tree(acme)
    await acme.make("ada", drive_id=acme.personal["ada"], name="mine")
    first, *later = await pages(acme, DrivesFor(me(acme), most, 1000, None))
    assert [each.drive.name for each in first] == ["Ada", "Plans"]
    assert all(each.items for page in later for each in page)
    found = [name for page in (first, *later) for each in page for name in names(each.items)]
    assert found[0] == "mine"
    assert sorted(found[1:]) == ["drafts", "memo", "notes", "plans"]
    assert all(sum(len(each.items) for each in page) <= most for page in (first, *later))
    assert len(later) == (5 - 1) // most


async def test_a_drive_is_renamed_and_deleted(acme):
    await tree(acme)
    acme.wait()
    await acme.rename_drive("ada", acme.drive, "Other")
    facts = await acme.read(DriveFor(me(acme), acme.drive))
    assert (facts.drive.name, facts.drive.updated_at, facts.live_items) == ("Other", acme.now, 1)
    assert (await acme.delete_drive("ada", acme.drive)).code is Code.DRIVE_NOT_EMPTY
    await acme.trash("ada", acme.plans)
    assert await acme.read(DriveFor(me(acme), acme.drive)) == DriveFacts(facts.drive, Role.owner, 0, 1)
    assert (await acme.delete_drive("ada", acme.drive)).code is Code.DRIVE_NOT_EMPTY
    await acme.delete_forever("ada", acme.plans)
    assert await acme.read(DriveFor(me(acme), acme.drive)) == DriveFacts(facts.drive, Role.owner, 0, 0)
    await acme.delete_drive("ada", acme.drive)
    assert await acme.read(DriveFor(me(acme), acme.drive)) is None
    assert await acme.item("ada", acme.memo) is None
    assert await acme.read(MembersOf(acme.drive)) == ()


async def test_search_finds_every_word_in_what_the_person_sees(acme):
    plan = await acme.make("ada", drive_id=acme.drive, name="Launch Plan")
    acme.wait()
    await acme.make("ada", parent_id=plan, name="plan of the launch")
    acme.wait()
    await acme.make("ada", drive_id=acme.personal["ada"], name="LAUNCH pad_100%")
    find = SearchFor(me(acme), "", None, 2, None)
    assert [names(page) for page in await pages(acme, replace(find, text="launch"))] == [
        ["LAUNCH pad_100%", "plan of the launch"],
        ["Launch Plan"],
    ]
    for text, expected in (
        ("plan launch", ["plan of the launch", "Launch Plan"]),
        ("  PLAN\tof ", ["plan of the launch"]),
        ("_100%", ["LAUNCH pad_100%"]),
        ("%", ["LAUNCH pad_100%"]),
        ("nothing", []),
        ("a\0", []),
        ("\ud800", []),
    ):
        assert names((await acme.read(replace(find, text=text))).rows) == expected
    assert names((await acme.read(replace(find, text="l", drive_id=acme.drive))).rows) == [
        "plan of the launch",
        "Launch Plan",
    ]
    assert (await acme.read(replace(find, text="launch", user_id=me(acme, "gus")))).rows == ()
    await acme.trash("ada", plan)
    assert names((await acme.read(replace(find, text="plan"))).rows) == []


async def test_a_document_keeps_every_update_in_order(acme):
    await tree(acme)
    for update in (b"one", b"\0two", b""):
        acme.wait()
        await acme.edit("ada", acme.memo, update)
    head = await acme.read(DocumentFor(me(acme), acme.memo))
    assert (head.sequence, head.facts) == (3, await acme.item("ada", acme.memo))
    assert head.facts.item.updated_at == acme.now
    assert await acme.read(StateOf(acme.memo)) == DocumentState(None, (b"one", b"\0two", b""), 3)
    assert await acme.read(StateOf(acme.memo, 2)) == DocumentState(None, (b"one", b"\0two"), 2)
    assert await acme.read(StateOf(acme.memo, 0)) == DocumentState(None, (), 0)
    assert await acme.read(StateOf(acme.memo, 9)) == await acme.read(StateOf(acme.memo))
    assert await acme.read(StateOf(acme.memo, after=1)) == DocumentState(None, (b"\0two", b""), 3)
    assert await acme.read(StateOf(acme.memo, 2, after=1)) == DocumentState(None, (b"\0two",), 2)
    assert await acme.read(StateOf(acme.memo, after=9)) == DocumentState(None, (), 3)
    assert await acme.read(StateOf(acme.notes)) == DocumentState(None, (), 0)


async def test_the_authors_of_a_document_are_the_last_ten_pairs_of_user_and_agent(acme):
    await tree(acme)
    for agent in (*"abcdefghij", None, "a"):
        acme.wait()
        await acme.edit("ada", acme.memo, agent=agent)
    head = await acme.read(DocumentFor(me(acme), acme.memo))
    assert [author.agent for author in head.authors] == ["a", None, *"jihgfedc"]
    assert head.authors[0] == Author(me(acme), "Ada", "a", acme.now)


async def test_of_typing_that_goes_on_the_history_keeps_the_edits_that_versions_depend_on(acme):
    await tree(acme)
    every = []
    for who in 6 * ("ada", "ada", "ben"):
        acme.wait(1.5)
        await acme.record(DocumentEdited(acme.memo, acme.drive, b"its"), by=who)
        every.append(LogEntry(len(every) + 1, me(acme, who), None, acme.now))
    history = await acme.read(HistoryOf(acme.memo))
    assert history.edits == downsampled(every)
    assert len(history.edits) < len(every)


async def test_what_was_edited_belongs_to_no_version_until_it_is_cut(acme):
    await tree(acme)
    before = await acme.read(HistoryOf(acme.memo))
    assert before == History(acme.drive, 0, 0, 0, (), ())
    for who, agent in (("ada", None), ("ada", None), ("ben", "scout")):
        acme.wait(60)
        await acme.edit("ada", acme.memo, agent=agent) if who == "ada" else await acme.record(
            DocumentEdited(acme.memo, acme.drive, b"his"), by=who, agent=agent
        )
    history = await acme.read(HistoryOf(acme.memo))
    assert [(edit.sequence, edit.user_id, edit.agent) for edit in history.edits] == [
        (1, me(acme), None),
        (2, me(acme), None),
        (3, me(acme, "ben"), "scout"),
    ]
    assert [(event.number, event.sequence) for event in await acme.cut("ada", acme.memo)] == [(1, 2), (2, 3)]
    acme.wait(60)
    await acme.edit("ada", acme.memo)
    history = await acme.read(HistoryOf(acme.memo))
    assert (history.sequence, history.number, history.cut, len(history.edits)) == (4, 2, 3, 1)
    assert {(each.user_id, each.agent) for each in history.recently_active} == {
        (me(acme), None),
        (me(acme, "ben"), "scout"),
    }
    acme.wait(600)
    await acme.cut("ada", acme.memo)
    await acme.edit("ada", acme.memo)
    assert (await acme.read(HistoryOf(acme.memo))).recently_active == ()


async def test_versions_come_newest_first_with_their_authors_and_what_the_document_was(acme):
    await tree(acme)
    for update in (b"one", b"two"):
        await acme.edit("ada", acme.memo, update, agent="scout")
        await acme.cut("ada", acme.memo)
        acme.wait(600)
    newest, first = await acme.read(VersionsOf(acme.memo, 5))
    assert (newest.number, first.number, first.name, first.restored_from) == (2, 1, None, None)
    assert first.created_at == START + timedelta(seconds=5)
    assert first.authors == (Author(me(acme), "Ada", "scout", first.created_at),)
    assert await acme.read(VersionsOf(acme.memo, 1)) == (newest,)
    assert await acme.read(VersionsOf(acme.memo, 5, before=2)) == (first,)
    assert await acme.read(VersionOf(acme.memo, 1)) == first
    assert await acme.read(VersionStateOf(acme.memo, 1)) == DocumentState(None, (b"one",), 1)
    assert await acme.read(VersionStateOf(acme.memo, 2)) == DocumentState(None, (b"one", b"two"), 2)
    for number in (0, 3, -1, 2**70):
        assert await acme.read(VersionOf(acme.memo, number)) is None
        assert await acme.read(VersionStateOf(acme.memo, number)) == DocumentState(None, (), 0)


async def test_a_version_has_the_name_that_it_was_given_last(acme):
    await tree(acme)
    await acme.edit("ada", acme.memo)
    await acme.cut("ada", acme.memo)
    await acme.name_version("ada", acme.memo, 1, "as printed")
    assert (await acme.read(VersionOf(acme.memo, 1))).name == "as printed"
    assert await acme.name_version("ada", acme.memo, 1, "as printed") == ()
    (line,) = await acme.read(EventsOf(acme.drive, 1))
    assert (line.type, line.details) == (
        "versionNamed",
        {"itemId": acme.memo, "driveId": acme.drive, "number": 1, "name": "as printed"},
    )
    await acme.name_version("ada", acme.memo, 1, None)
    assert (await acme.read(VersionOf(acme.memo, 1))).name is None
    assert await acme.name_version("ada", acme.memo, 2, "x") == NOT_FOUND
    await acme.share("ada", acme.memo, acme.address("cleo"), READ_WRITE)
    assert await acme.name_version("cleo", acme.memo, 1, "hers") != NOT_FOUND
    await acme.share("ada", acme.memo, acme.address("gus"))
    assert (await acme.name_version("gus", acme.memo, 1, "x")).code is Code.FORBIDDEN


async def test_a_restore_is_an_edit_with_a_version_before_and_one_after(acme):
    await tree(acme)
    await acme.edit("ada", acme.memo, b"one")
    await acme.cut("ada", acme.memo)
    acme.wait(60)
    await acme.edit("ada", acme.memo, b"two")
    acme.wait(60)
    await acme.restore_version("ada", acme.memo, 1, b"one again", agent="scout")
    after, before, first = await acme.read(VersionsOf(acme.memo, 5))
    assert [each.restored_from for each in (after, before, first)] == [1, None, None]
    assert [each.sequence for each in (after, before, first)] == [3, 2, 1]
    assert after.authors == (Author(me(acme), "Ada", "scout", acme.now),)
    assert (await acme.read(StateOf(acme.memo))).updates == (b"one", b"two", b"one again")
    assert (await acme.read(HistoryOf(acme.memo))).edits == ()
    lines = await acme.read(EventsOf(acme.drive, 3))
    assert [line.type for line in lines] == ["versionRestored", "documentEdited", "versionCut"]
    assert {key: lines[0].details[key] for key in ("number", "restoredFrom")} == {"number": 3, "restoredFrom": 1}
    assert all("sequence" not in line.details for line in lines)


async def test_the_versions_of_a_document_go_with_it(acme):
    await tree(acme)
    await acme.edit("ada", acme.memo)
    await acme.cut("ada", acme.memo)
    await acme.trash("ada", acme.memo)
    await acme.delete_forever("ada", acme.memo)
    assert await acme.read(VersionsOf(acme.memo, 5)) == ()
    assert await acme.read(HistoryOf(acme.memo)) is None


async def test_an_image_is_met_with_its_document(acme):
    await tree(acme)
    (uploaded,) = await acme.upload("ada", acme.memo)
    image, facts = await acme.read(ImageFor(me(acme, "gus"), uploaded.image.id))
    assert image == uploaded.image
    assert facts == await acme.item("gus", acme.memo)


async def test_a_publication_has_a_slug_until_it_ends(acme):
    await tree(acme)
    (published,) = await acme.publish("ada", acme.memo)
    assert (await acme.item("ada", acme.memo)).item.slug == published.slug
    await acme.publish("ada", acme.memo, published=False)
    assert (await acme.item("ada", acme.memo)).item.slug is None


async def test_a_public_page_is_found_by_its_slug_with_its_images_while_it_is_public(acme):
    await tree(acme)
    (uploaded,) = await acme.upload("ada", acme.memo)
    await acme.edit("ada", acme.memo)
    (published,) = await acme.publish("ada", acme.memo)
    item = (await acme.item("ada", acme.memo)).item
    assert await acme.read(PublishedAs(published.slug)) == Published(item, (uploaded.image,))
    assert await acme.read(PublishedAs(published.slug.upper())) is None
    await acme.publish("ada", acme.memo, published=False)
    assert await acme.read(PublishedAs(published.slug)) is None


async def test_what_goes_to_the_trash_with_its_folder_is_public_no_longer_nor_when_it_comes_back(acme):
    await tree(acme)
    (published,) = await acme.publish("ada", acme.memo)
    folder = (await acme.item("ada", acme.memo)).item.parent_id
    await acme.trash("ada", folder)
    assert await acme.read(PublishedAs(published.slug)) is None
    await acme.restore("ada", folder)
    assert await acme.read(PublishedAs(published.slug)) is None


async def test_the_audit_says_who_did_what_and_when(acme):
    await tree(acme)
    acme.wait()
    await acme.rename("ada", acme.memo, "Memo")
    first, *_ = await acme.read(EventsOf(acme.drive, 3))
    assert (first.type, first.drive_id, first.item_id, first.at) == ("itemRenamed", acme.drive, acme.memo, acme.now)
    assert (first.user_id, first.name, first.agent) == (me(acme), "Ada", None)
    assert first.details == {"itemId": acme.memo, "driveId": acme.drive, "name": "Memo"}


async def test_the_audit_is_read_backwards(acme):
    await tree(acme)
    newest = await acme.read(EventsOf(acme.drive, 50))
    assert [each.type for each in newest] == ["itemCreated"] * 4 + ["driveCreated"]
    numbers = [each.sequence for each in newest]
    assert numbers == sorted(numbers, reverse=True)
    assert await acme.read(EventsOf(acme.drive, 2)) == newest[:2]
    assert await acme.read(EventsOf(acme.drive, 2, before=numbers[1])) == newest[2:4]
    assert await acme.read(EventsOf(acme.drive, 50, before=-(10**30))) == ()
    assert await acme.read(EventsOf(acme.drive, 50, before=10**30)) == newest


async def test_what_happens_in_a_drive_is_followed_from_any_event_on_in_parts(acme):
    await tree(acme)
    events = (await acme.read(EventsOf(acme.drive, 50)))[::-1]
    now = await acme.read(FeedPositionAfter())
    for known in (None, *events):
        place = await acme.read(FeedPositionAfter(known.sequence if known else 0))
        expected = events[events.index(known) + 1 :] if known else events
        told, more = (), True
        while more:
            news = await acme.read(EventsSince(acme.drive, place, 2))
            assert news.more == (len(news.events) == 2)
            told, place, more = told + news.events, news.place, news.more
        assert told == expected
    await acme.rename("ada", acme.memo, "Memo")
    for since in (now, place):
        (renamed,) = (await acme.read(EventsSince(acme.drive, since, 2))).events
        assert (renamed.type, renamed.details["name"], renamed.name) == ("itemRenamed", "Memo", "Ada")


async def test_a_move_to_another_drive_is_told_in_both_without_the_other_s_places(acme):
    await tree(acme)
    other = await acme.make_drive("ada", acme.acme, "Other")
    await acme.move("ada", acme.memo, other)
    (left,) = await acme.read(EventsOf(acme.drive, 1))
    (came,) = await acme.read(EventsOf(other, 1))
    assert (left.type, came.type) == ("itemMoved", "itemMoved")
    assert other not in str(left.details)
    assert acme.drive not in str(came.details)


async def test_the_audit_holds_no_secret_and_no_content(acme):
    made = await acme.make_key("ada")
    await tree(acme)
    await acme.edit("ada", acme.memo, b"secret content")
    (edited,) = await acme.read(EventsOf(acme.drive, 1))
    assert edited.details == {"itemId": acme.memo, "driveId": acme.drive}
    assert made.digest not in str(await acme.read(EventsOf(acme.personal["ada"], 50)))


async def test_a_request_is_remembered_by_user_operation_and_key(acme):
    once = IdempotencyKey(me(acme), "drives.create", "key", "digest")
    (store,) = acme.stores
    await store.transact(LockScope(), lambda transaction: transaction.remember(once, "made", acme.now))
    assert await acme.read(RecordedRequestFor(once)) == RecordedRequest("digest", "made")
    assert await acme.read(RecordedRequestFor(replace(once, digest="other"))) == RecordedRequest("digest", "made")
    for other in (replace(once, user_id=me(acme, "ben")), replace(once, operation="x"), replace(once, key="x")):
        assert await acme.read(RecordedRequestFor(other)) is None


async def test_a_transaction_reads_what_it_wrote(acme):
    (store,) = acme.stores
    (renamed,) = await acme.rename_drive("ada", acme.drive, "Other")

    async def work(transaction):
        await transaction.record([replace(renamed, name="Third")], acme.credit("ada"), acme.now)
        return (await transaction.read(DriveFor(me(acme), acme.drive))).drive.name

    assert await store.transact(LockScope(drives=(acme.drive,)), work) == "Third"
    assert (await acme.read(DriveFor(me(acme), acme.drive))).drive.name == "Third"


async def test_an_exception_undoes_everything_and_goes_on_to_the_caller(acme):
    (store,) = acme.stores
    (renamed,) = await acme.rename_drive("ada", acme.drive, "Other")
    once = IdempotencyKey(me(acme), "drives.rename", "key", "digest")

    async def work(transaction):
        await transaction.record([replace(renamed, name="Third")], acme.credit("ada"), acme.now)
        await transaction.remember(once, "", acme.now)
        raise LookupError("stop")

    before = await acme.read(EventsOf(acme.drive, 9))
    with pytest.raises(LookupError, match="stop"):
        await store.transact(LockScope(drives=(acme.drive,)), work)
    assert (await acme.read(DriveFor(me(acme), acme.drive))).drive.name == "Other"
    assert await acme.read(EventsOf(acme.drive, 9)) == before
    assert await acme.read(RecordedRequestFor(once)) is None


async def test_two_owners_who_leave_at_once_leave_an_owner(acme):
    (store,) = acme.stores
    await acme.set_member("ada", acme.drive, "ben", Role.owner)
    answers = await asyncio.gather(*(leave(store, acme, name) for name in ("ada", "ben")))
    assert sorted(type(answer).__name__ for answer in answers) == ["Rejection", "tuple"]
    assert len(await acme.read(MembersOf(acme.drive))) == 1


async def leave(store, world, name):
    async def work(transaction):
        inside = replace(world, stores=(Inside(transaction),))
        return await inside.remove_member(name, world.drive, name)

    return await store.transact(LockScope(drives=(world.drive,)), work)


class Inside:
    """A transaction that is under way, as a store."""

    def __init__(self, transaction):
        self.read = transaction.read
        self.transaction = transaction

    async def transact(self, _, work):
        return await work(self.transaction)


async def test_changes_are_told_once_at_first_and_after_commits_that_concern_the_drive(acme):
    (store,) = acme.stores
    other = await acme.make_drive("ada", acme.acme, "Other")
    feed = DriveFeed()
    store.feed.subscribe(feed.committed)
    changes = feed.changes(acme.drive)
    await anext(changes)
    waiting = asyncio.ensure_future(anext(changes))
    await acme.rename_drive("ada", other, "Elsewhere")
    assert not waiting.done()
    await acme.rename_drive("ada", acme.drive, "Here")
    await asyncio.wait_for(waiting, PATIENCE)
    made = await acme.make("ada", drive_id=other)
    waiting = asyncio.ensure_future(anext(changes))
    await acme.move("ada", made, acme.drive)
    await asyncio.wait_for(waiting, PATIENCE)
    waiting = asyncio.ensure_future(anext(changes))
    await acme.move("ada", made, other)
    await asyncio.wait_for(waiting, PATIENCE)
    await changes.aclose()


async def test_nothing_that_was_refused_changes_anything(acme):
    await tree(acme)
    before = await acme.read(EventsOf(acme.drive, 50))
    assert await acme.rename("gus", acme.memo, "Mine") is NOT_FOUND
    assert await acme.trash("gus", acme.memo) is NOT_FOUND
    assert (await acme.move("ada", acme.plans, acme.drive, acme.drafts)).code is Code.MOVE_CYCLE
    assert await acme.read(EventsOf(acme.drive, 50)) == before


async def test_every_row_of_a_page_says_where_the_list_goes_on_after_it(acme):
    await tree(acme)
    for item_id in (acme.memo, acme.notes):
        await acme.trash("ada", item_id)
        acme.wait()
    for name in "abc":
        await acme.make("ada", parent_id=acme.plans, name=name)
        await acme.make_drive("ada", acme.acme, name)
    for question in (
        ChildrenFor(me(acme), acme.plans, 10, None),
        RootItemsFor(me(acme), acme.drive, 10, None),
        TrashFor(me(acme), None, 10, None),
        SearchFor(me(acme), "a", None, 10, None),
        DriveNames(me(acme), 10, None),
    ):
        whole = await acme.read(question)
        assert len(whole.cursors) == len(whole.rows) > 0
        for place, cursor in enumerate(whole.cursors):
            assert (await acme.read(replace(question, after=cursor))).rows == whole.rows[place + 1 :]
