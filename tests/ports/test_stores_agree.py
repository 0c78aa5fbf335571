"""Whatever people do, in whatever order, both stores give every answer alike."""

import inquiry
from acts import World
from counted import miscounted
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from domain import questions
from domain.access import Permission, Role
from domain.email_link import Purpose
from domain.events import Event
from domain.item import ItemKind
from domain.organization import OrganizationRole
from domain.publication import DocumentPublished
from persistence.ledger import WRITES
from persistence.memory import MemoryStore
from persistence.memory_ledger import _WRITES
from persistence.memory_reads import _ANSWERS
from persistence.reads import READS

PEOPLE = ("ada", "ben", "cleo", "gus")
NAMES = ("a", "A b", "é", "b", "Aa", "e 9", "E 10", "\u0301")
STEPS = ("create", "create", "create", "share", "move", "trash", "restore", "edit", "edit", "cut", "member") * 2 + (
    "rename",
    "leave",
    "forever",
    "publish",
    "name_version",
    "restore_version",
    "update_share",
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
    """One world, with what was made in it, and steps that draw whom and what they are about."""

    def __init__(self, world, data):
        self.world, self.data = world, data
        self.drives, self.items, self.organizations, self.invited, self.keys, self.images = [], [], [], [], [], []
        self.sessions, self.links = [], []
        self.slugs = []

    def one(self, among):
        return self.data.draw(st.sampled_from(among))

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
        done = await self.world.publish(by, self.item(), published=self.data.draw(st.booleans()))
        self.slugs += (
            [each.slug for each in done if isinstance(each, DocumentPublished)] if isinstance(done, tuple) else []
        )
        return done

    async def do_edit(self, by):
        return await self.world.edit(by, self.item(), self.one((b"one", b"two")), self.one((None, "scout", "scribe")))

    async def do_cut(self, by):
        return await self.world.cut(by, self.item(), end=self.data.draw(st.booleans()))

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
        return await self.world.disable(by, disabled=self.data.draw(st.booleans()))

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
        known = self.data.draw(st.booleans())
        self.links.append(await self.world.make_link(by, self.one(Purpose), known=known))

    async def do_use_link(self, by):
        return await self.world.use_link(by, self.one(self.links).id, self.one(Purpose)) if self.links else None

    async def do_revoke_invitation(self, by):
        if self.invited:
            return await self.world.revoke_invitation(by, self.organizations[0], self.one(self.invited))
        return None

    def questions(self):
        digests = [f"digest of {each}" for each in self.invited] + [each.digest for each in self.keys]
        digests += [f"digest of {each.id}" for each in (*self.sessions, *self.links)]
        people = self.world.people.values()
        return inquiry.everything(
            users=[account.id for account in people],
            emails=[account.email for account in people],
            organizations=self.organizations,
            drives=self.drives,
            items=self.items,
            digests=digests,
            images=self.images,
            slugs=self.slugs,
            sessions=[each.id for each in self.sessions],
        )


def test_every_question_is_asked():
    everything = [*inquiry.everything(["u"], ["e"], ["o"], ["d"], ["i"], ["x"], ["m"])]
    known = {
        each for each in vars(questions).values() if isinstance(each, type) and issubclass(each, questions.Question)
    }
    assert {type(question) for question in everything} == set(READS) == set(_ANSWERS) == known - {questions.Question}


def test_both_stores_record_every_event():
    assert set(_WRITES) == set(WRITES) == set(Event.__value__.__args__)


@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data(), st.lists(st.sampled_from(STEPS), min_size=20, max_size=40))
async def test_both_stores_agree_whatever_happens(postgres, data, steps):
    memory = MemoryStore()
    story = Story(World((memory, postgres)), data)
    await story.begin()
    for kind in steps:
        await story.step(kind)
    assert await postgres.reading(miscounted) == []
    for question in story.questions():
        assert await inquiry.answer(memory, question) == await inquiry.answer(postgres, question), question
