"""Whatever people do, in whatever order, the SQL reads answer what the model of the access tree answers."""

from collections import defaultdict
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from domain import questions
from domain.access import Can, Permission, Role, authority
from domain.email_link import Purpose
from domain.events import Event
from domain.item import ItemKind
from domain.organization import OrganizationRole
from domain.publication import DocumentPublished
from domain.questions import (
    AccessOf,
    ChildrenFor,
    DriveNames,
    DrivesFor,
    HoldersOf,
    ItemFor,
    OverviewFor,
    Page,
    PlaceFor,
    RootItemsFor,
    SearchFilter,
    SearchFor,
    SharedItemsFor,
    SharedWith,
    SharesOfEach,
    StarredItemsFor,
    StarredOfEach,
    StarsFor,
    SubtreeOf,
    SuggestionsFor,
    TrashFor,
)
from persistence.ledger import WRITES
from persistence.reads import READS
from persistence.search import MAX_NEAR, search_read
from tests.support.database.counted import miscounted
from tests.support.model import Model
from tests.support.suite.rounds import examples
from tests.support.worlds.acts import World

PEOPLE = ("ada", "ben", "cleo", "gus")
KINDS = (None, frozenset({ItemKind.folder}), frozenset(ItemKind) - {ItemKind.folder}, frozenset())
NAMES = ("a", "A b", "é", "b", "Aa", "e 9", "E 10", "\u0301")
STEPS = ("create", "create", "create", "share", "move", "trash", "restore", "edit", "edit", "cut", "member") * 2 + (
    "rename",
    "leave",
    "forever",
    "publish",
    "name_version",
    "restore_version",
    "update_share",
    "star",
    "unstar",
    "remove_share",
    "upload",
    "invite",
    "accept",
    "set_role",
    "quit",
    "verify",
    "take_over",
    "disable",
    "key",
    "revoke",
    "drive",
    "rename_drive",
    "delete_drive",
    "sign_in",
    "sign_out",
    "choose",
    "password",
    "rename_account",
    "link",
    "use_link",
    "revoke_invitation",
)


class Story:
    """One world, with what was made in it, and steps that choose (`one`) whom and what they are about."""

    def __init__(self, world, one):
        self.world, self.one = world, one
        self.drives, self.items, self.organizations, self.invited, self.keys, self.images = [], [], [], [], [], []
        self.sessions, self.links = [], []
        self.slugs = []

    def who(self):
        """Mostly Ada, who may do most things."""
        return self.one(("ada",) * 4 + PEOPLE)

    def drive(self):
        return self.one(self.drives + self.drives[4:] * 2)

    def item(self):
        return self.one(self.items) if self.items else "nothing"

    async def begin(self):
        world = self.world
        for name in PEOPLE:
            self.drives.append(await world.account(name, verified=name in {"ada", "ben"}))
        self.organizations.append(await world.organize("ada"))
        await world.join("ada", self.organizations[0], "ben")
        self.drives += [await world.make_drive("ada", self.organizations[0], name) for name in ("Plans", "B")]
        await world.set_member("ada", self.drives[-2], "ben", Role.manager)
        for drive_id in self.drives[-2:]:
            top = await world.make("ada", drive_id=drive_id, name="top")
            below = await world.make("ada", parent_id=top, name="below")
            memo = await world.make("ada", parent_id=below, name="memo", kind=ItemKind.docs_workbook)
            self.items += [top, below, memo]
            await world.share("ada", below, world.address("gus"), Permission.read_write)
            await world.share("ada", memo, world.address("cleo"))

    async def step(self, kind):
        self.world.wait(self.one((0, 0.001, 60)))
        await getattr(self, f"do_{kind}")(self.who())

    async def do_create(self, by):
        parent = self.one([None, *self.items])
        drive = None if parent else self.drive()
        agent = self.one((None, "scout"))
        made = await self.world.create(
            by, drive, parent, self.one(NAMES), self.one((ItemKind.folder, *ItemKind)), agent
        )
        self.items += [event.item.id for event in made] if isinstance(made, tuple) else []
        return made

    async def do_share(self, by):
        return await self.world.share(by, self.item(), self.world.address(self.one(PEOPLE)), self.one(Permission))

    async def do_star(self, by):
        return await self.world.star(by, self.item())

    async def do_unstar(self, by):
        return await self.world.unstar(by, self.item())

    async def do_update_share(self, by):
        address = self.world.address(self.one(PEOPLE))
        return await self.world.update_share(by, self.item(), address, self.one(Permission))

    async def do_remove_share(self, by):
        return await self.world.remove_share(by, self.item(), self.world.address(self.one(PEOPLE)))

    async def do_move(self, by):
        drive_id, parent_id = self.drive(), self.one([None, *self.items])
        parent = await self.world.item(by, parent_id) if parent_id else None
        return await self.world.move(by, self.item(), parent.drive.id if parent else drive_id, parent_id)

    async def do_trash(self, by):
        return await self.world.trash(by, self.item())

    async def do_restore(self, by):
        return await self.world.restore(by, self.item())

    async def do_forever(self, by):
        return await self.world.delete_forever(by, self.item())

    async def do_rename(self, by):
        return await self.world.rename(by, self.item(), self.one(NAMES))

    async def do_publish(self, by):
        done = await self.world.publish(by, self.item(), published=self.one((False, True)))
        self.slugs += (
            [each.slug for each in done if isinstance(each, DocumentPublished)] if isinstance(done, tuple) else []
        )
        return done

    async def do_edit(self, by):
        return await self.world.edit(by, self.item(), self.one((b"one", b"two")), self.one((None, "scout", "scribe")))

    async def do_cut(self, by):
        return await self.world.cut(by, self.item(), end=self.one((False, True)))

    async def do_name_version(self, by):
        return await self.world.name_version(by, self.item(), self.one((1, 2, 7)), self.one((None, *NAMES)))

    async def do_restore_version(self, by):
        return await self.world.restore_version(by, self.item(), self.one((1, 2)), agent=self.one((None, "scout")))

    async def do_upload(self, by):
        uploaded = await self.world.upload(by, self.item())
        self.images += [event.image.id for event in uploaded] if isinstance(uploaded, tuple) else []
        return uploaded

    async def do_drive(self, by):
        organization = self.organizations[0]
        facts = await self.world.read(questions.OrganizationFor(self.world.people[by].id, organization))
        if facts.role:
            self.drives.append(await self.world.make_drive(by, organization, self.one(NAMES)))

    async def do_rename_drive(self, by):
        return await self.world.rename_drive(by, self.drive(), self.one(NAMES))

    async def do_delete_drive(self, by):
        return await self.world.delete_drive(by, self.drive())

    async def do_member(self, by):
        return await self.world.set_member(by, self.drive(), self.one(PEOPLE), self.one(Role))

    async def do_leave(self, by):
        return await self.world.remove_member(by, self.drive(), self.who())

    async def do_invite(self, by):
        invited = await self.world.invite(by, self.organizations[0], self.one(PEOPLE), self.one(OrganizationRole))
        self.invited += [event.invitation.id for event in invited] if isinstance(invited, tuple) else []
        return invited

    async def do_accept(self, by):
        return await self.world.accept(by, self.one(self.invited)) if self.invited else None

    async def do_set_role(self, by):
        role = self.one(OrganizationRole)
        return await self.world.set_organization_role(by, self.organizations[0], self.one(PEOPLE), role)

    async def do_quit(self, by):
        return await self.world.leave_organization(by, self.organizations[0], self.one(PEOPLE))

    async def do_verify(self, by):
        return await self.world.verify(by)

    async def do_take_over(self, by):
        return await self.world.take_over(by)

    async def do_disable(self, by):
        return await self.world.disable(by, disabled=self.one((False, True)))

    async def do_key(self, by):
        self.keys.append(
            await self.world.make_key(by, self.one((None, "scout")), self.one([None, *self.organizations]))
        )

    async def do_revoke(self, by):
        return await self.world.revoke_key(by, self.one(self.keys).key.id) if self.keys else None

    async def do_sign_in(self, by):
        self.sessions.append(await self.world.sign_in(by, self.one([None, *self.organizations])))

    async def do_sign_out(self, by):
        return await self.world.sign_out(by, self.one(self.sessions).id) if self.sessions else None

    async def do_choose(self, by):
        if self.sessions:
            await self.world.choose(by, self.one(self.sessions).id, self.organizations[0])

    async def do_password(self, by):
        await self.world.set_password(by, self.one(("hash", "other")))

    async def do_rename_account(self, by):
        await self.world.rename_account(by, self.one(NAMES))

    async def do_link(self, by):
        known = self.one((False, True))
        self.links.append(await self.world.make_link(by, self.one(Purpose), known=known))

    async def do_use_link(self, by):
        return await self.world.use_link(by, self.one(self.links).id, self.one(Purpose)) if self.links else None

    async def do_revoke_invitation(self, by):
        if self.invited:
            return await self.world.revoke_invitation(by, self.organizations[0], self.one(self.invited))
        return None

    def questions(self):
        users, items = [account.id for account in self.world.people.values()], [*self.items, "nothing"]
        yield SharesOfEach(tuple(items))
        yield from (SubtreeOf(item) for item in items)
        addresses = (None, *map(self.world.address, (*PEOPLE, "nobody")))
        yield from (HoldersOf(None, item, self.one(addresses)) for item in items)
        yield from (HoldersOf(drive, None, self.one(addresses)) for drive in self.drives)
        yield from (AccessOf(*asked) for asked in product(items, addresses[1:]))
        for user in users:
            yield SharedWith(user)
            yield StarredItemsFor(user, 2, None)
            yield StarredOfEach(user, tuple(items))
            yield from (StarsFor(user, item) for item in items)
            yield from (DrivesFor(user, *most, None) for most in ((3, 1000), (5000, 1), (5000, 1000)))
            yield from (TrashFor(user, drive, 2, None) for drive in (None, *self.drives))
            yield from (RootItemsFor(user, drive, 2, None, self.one(KINDS)) for drive in self.drives)
            yield from (ask(user, item) for item in items for ask in (ItemFor, OverviewFor))
            yield from (ChildrenFor(user, item, 2, None, self.one(KINDS)) for item in items)
            yield from (PlaceFor(user, *place) for place in product((None, *self.drives[-2:]), (None, *self.items)))
            yield from (SuggestionsFor(user, *asked) for asked in product(items, (None, *self.organizations)))


async def agree(postgres, story, model):
    """Ask both everything, and hold the lists that are filtered in SQL against the policy."""
    assert await postgres.autocommit(miscounted) == []
    for question in story.questions():
        found, expected = await answered(postgres, question), await model.read(question)
        if isinstance(question, DrivesFor):
            found, expected = joined(found), joined([expected])
        elif isinstance(expected, tuple) and found and isinstance(found, list):
            found = tuple(row for page in found for row in page)
        assert found == expected, question
    for user in (account.id for account in story.world.people.values()):
        await lists_agree_with_the_policy(postgres, user, story.items)
        await pages_of_all_drives_join_to_the_whole(postgres, user)


async def answered(store, question):
    """Return the answer; of a list the rows of each of its pages."""
    found = await store.read(question)
    if not isinstance(found, Page):
        return found
    pages = [found.rows]
    while found.next_cursor is not None:
        found = await store.read(replace(question, after=found.next_cursor))
        pages.append(found.rows)
    most = question.max_items if isinstance(question, DrivesFor) else question.first
    assert all(sum(len(row.items) if isinstance(question, DrivesFor) else 1 for row in page) <= most for page in pages)
    return pages


def joined(pages):
    """Return the drives, each with its items: in their order on one page, in any order where pages cut it."""
    items = defaultdict(list)
    for drive in (drive for page in pages for drive in page):
        items[drive.drive.id].append(drive.items)
    drives = {drive.drive.id: replace(drive, items=()) for page in pages for drive in page}
    whole = {
        drive_id: sorted((item for part in parts for item in part), key=by_id) for drive_id, parts in items.items()
    }
    return [*drives.values()], whole


def by_id(item):
    return item.id


async def rows(store, question):
    return [row for page in await answered(store, question) for row in page]


async def lists_agree_with_the_policy(store, user, items):
    met = [facts for item in items if (facts := await store.read(ItemFor(user, item)))]
    readable = {facts.item.id: facts.item.name.lower() for facts in met if Can.read in facts.authority.can}
    for max_near, text in product((0, 2, MAX_NEAR), (" ", "a", "b", "a b", "1 e")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(READS, SearchFor, search_read(max_near))
            found = {each.facts.item.id for each in await rows(store, SearchFor(user, text, None, 4, None))}
        assert found == {item for item, name in readable.items() if all(word in name for word in text.split())}
    for max_near, text in product((0, MAX_NEAR), (" ", "a")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(READS, SearchFor, search_read(max_near))
            for folder in items[:6]:
                wanted = SearchFilter(folder_id=folder)
                found = {row.facts.item.id for row in await rows(store, SearchFor(user, text, None, 4, None, wanted))}
                assert found == {
                    facts.item.id
                    for facts in met
                    if folder in readable
                    and facts.item.id in readable
                    and text.strip() in readable[facts.item.id]
                    and folder in [step.id for step in facts.path[1:]]
                }
    seen = {f.item.id for f in met if f.item.trashed_at and Can.read in authority(f.role, f.path).can}
    assert {facts.item.id for facts in await rows(store, TrashFor(user, None, 4, None))} == seen
    shared = [facts.item.id for facts in await store.read(SharedWith(user))]
    assert set(shared) == {facts.item.id for facts in met if facts.path[0].permission} & set(readable)
    assert [each.facts.item.id for each in await rows(store, SharedItemsFor(user, 2, None))] == shared
    listed = await rows(store, DrivesFor(user, 1000, 1000, None))
    assert [facts.drive for facts in await rows(store, DriveNames(user, 2, None))] == [each.drive for each in listed]
    for facts in met:
        place = await store.read(PlaceFor(user, facts.drive.id, None))
        assert place.drive_seen or facts.item.id not in readable


async def pages_of_all_drives_join_to_the_whole(store, user):
    (whole,) = await answered(store, DrivesFor(user, 5000, 1000, None))
    for most in (1, 4, 7):
        first, *others = pages = await answered(store, DrivesFor(user, most, 1000, None))
        assert [each.drive for each in first] == [each.drive for each in whole]
        assert all(each.items for page in others for each in page)
        assert joined(pages) == joined([whole])


def test_every_question_has_its_statement():
    known = {
        each for each in vars(questions).values() if isinstance(each, type) and issubclass(each, questions.Question)
    }
    assert set(READS) == known - {questions.Question}


def test_every_event_has_its_statements():
    assert set(WRITES) == set(Event.__value__.__args__)


async def told(postgres, one, steps):
    """Tell a story to both, and hold their answers against each other at its end."""
    model = Model()
    story = Story(World((postgres, model)), one)
    await story.begin()
    for kind in steps:
        await story.step(kind)
    await agree(postgres, story, model)


@settings(
    max_examples=examples(25),
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data(), st.lists(st.sampled_from(STEPS), min_size=20, max_size=40))
async def test_sql_and_the_model_agree_whatever_happens(postgres, data, steps):
    await told(postgres, lambda among: data.draw(st.sampled_from(among)), steps)


# Each is a condition of a statement, and what it says where it was forgotten.
FAULTS = {
    "an item does not see what of its way up is in the trash": (ItemFor, "a.trashed_at is not null", "false"),
    "a list of what is shared has items in the trash": (SharedWith, "and not p.trashed", ""),
    "a hidden item shows its children": (OverviewFor, "(m.role is not null or p.granted)", "true"),
    "a subtree counts what is in the trash": (SubtreeOf, "below.counts and b.trashed_at is null", "true"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_the_harness_finds_a_fault_in_the_sql(postgres, monkeypatch, fault):
    question, condition, forgotten = FAULTS[fault]
    read = READS[question]
    assert condition in read.sql
    monkeypatch.setitem(READS, question, replace(read, sql=read.sql.replace(condition, forgotten)))
    with pytest.raises(AssertionError):
        await told_by_chance(postgres)


async def told_by_chance(postgres):
    for seed in range(25):
        chance = Random(seed)
        steps = chance.choices(("share", "move", "trash", "trash", "restore"), k=12)
        await told(postgres, lambda among, chance=chance: chance.choice([*among]), steps)
