"""The whole domain over a model of the access tree: whatever people do, in whatever order, its laws hold after each step."""

from collections import Counter

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.access import Can, Permission, Role, Step, authority, live_authority, visible_length
from domain.drive import DriveKind
from domain.errors import NOT_FOUND, Rejection
from domain.item import ItemKind, TreeLimits
from domain.organization import OrganizationRole
from domain.preview import rights_of
from domain.questions import AccessOf, DrivesFor, SharedWith, TrashFor
from tests.support.model import Model
from tests.support.suite.rounds import examples
from tests.support.worlds.acts import World

PEOPLE = ("ada", "ben", "cleo", "gus")
LIMITS = TreeLimits(drive_items=8, folder_children=3, depth=5)
people, roles, permissions = st.sampled_from(PEOPLE), st.sampled_from(Role), st.sampled_from(Permission)
who = st.sampled_from(("ada",) * 4 + PEOPLE)
items = st.runner().flatmap(lambda machine: st.sampled_from([*machine.state.items] or ["nothing"]))
binned = st.runner().flatmap(lambda machine: st.sampled_from(machine.in_the_trash() or ["nothing"]))
drives = st.runner().flatmap(lambda machine: st.sampled_from(machine.drives))
invitations = st.runner().flatmap(lambda machine: st.sampled_from(machine.invitations))
names = st.sampled_from(("a", "b", "c"))

# The policy once more, as the product's table has it, to be held against the domain's own.
MEMBER = {Can.read, Can.edit, Can.createChild, Can.move, Can.share, Can.trash, Can.versions}
OF_ROLE = {
    None: set(),
    Role.contributor: MEMBER,
    Role.manager: MEMBER | {Can.moveOut, Can.publish},
    Role.owner: set(Can),
}


def finished(coroutine):
    """Run what never has to wait."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("the model waited")


def rights(state, user_id, item_id):
    """Say what somebody may do, by going up one folder at a time."""
    item = state.items[item_id]
    may = OF_ROLE[state.role(user_id, item.drive_id)]
    own = {
        grant.permission for (place, _), grant in state.grants.items() if (place, grant.user_id) == (item_id, user_id)
    }
    may = may | ({Can.read} if own else set())
    may = may | ({Can.edit, Can.createChild, Can.versions} if Permission.read_write in own else set())
    return may | (inherited(state, user_id, item.parent_id) if item.parent_id else set())


def inherited(state, user_id, parent_id):
    above = rights(state, user_id, parent_id)
    return above | ({Can.move, Can.trash} if Can.edit in above else set())


class WholeDomain(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.model = Model()
        self.world = World((self.model,), limits=LIMITS)
        self.drives, self.invitations = [], []

    @property
    def state(self):
        return self.model.tree

    def in_the_trash(self):
        return [item.id for item in self.state.items.values() if item.trashed_at]

    def abilities(self):
        """Return what everybody may do to everything that is live."""
        return {
            (account.id, item_id): rights(self.state, account.id, item_id)
            for account in self.world.people.values()
            for item_id, item in self.state.items.items()
            if self.state.is_live(item)
        }

    def by_address(self, item):
        """Return what everybody may do to an item, by address, as it is explained."""
        addresses = {account.email for account in self.world.people.values()} | {
            email for _, email in self.state.grants
        }
        path = tuple(Step(step.id, trashed=step.trashed_at is not None) for step in self.state.upwards(item))
        asked = {email: finished(self.model.read(AccessOf(item, email))) for email in addresses}
        return {email: rights_of(access, path).can for email, access in asked.items()}

    def foreseen(self, by, item, foreseen, act):
        """Do it, and hold what was foreseen against what it did."""
        if isinstance(foreseen, Rejection):
            assert self.do(act) == ()
            return ()
        before = self.by_address(item)
        may_share = Can.share in before[self.world.address(by)]
        decided, after = self.do(act), self.by_address(item)
        met = [email for email in after if before[email] or after[email]]
        expected = {
            "gains": [email for email in met if before[email] < after[email]],
            "loses": [email for email in met if before[email] > after[email]],
            "keeps": [email for email in met if before[email] == after[email]],
        }
        may_share = may_share and Can.share in after[self.world.address(by)]
        for name, people in expected.items():
            told = getattr(foreseen, name)
            seen = [email for email in sorted(people) if may_share or email == self.world.address(by)]
            assert ([each.email for each in told.named], told.others) == (seen, len(people) - len(seen))
            for each in told.named:
                assert each.before.rights.can == before[each.email]
                assert each.after.rights.can == after[each.email]
        return decided

    def do(self, act):
        """Do it, and check that a refusal changed nothing."""
        self.world.wait()
        before, recorded = self.state.copy(), len(self.state.recorded)
        decided = finished(act)
        if isinstance(decided, Rejection):
            assert self.state == before
            return ()
        assert len(self.state.recorded) >= recorded + len(decided)
        return decided

    def adding(self, act):
        before = self.abilities()
        decided = self.do(act)
        after = self.abilities()
        assert all(may <= after[place] for place, may in before.items())
        return decided

    def removing(self, act):
        before = self.abilities()
        decided = self.do(act)
        assert all(may <= before[place] for place, may in self.abilities().items())
        return decided

    @initialize()
    def begin(self):
        """Two drives of the organization, each with folders that Gus may write in, and four personal ones."""
        world, do = self.world, finished
        self.drives += [do(world.account(name, verified=name != "cleo")) for name in PEOPLE]
        self.organization = do(world.organize("ada"))
        do(world.join("ada", self.organization, "ben"))
        for name in ("A", "B"):
            drive_id = do(world.make_drive("ada", self.organization, name))
            do(world.set_member("ada", drive_id, "ben", Role.manager))
            top = do(world.make("ada", drive_id=drive_id))
            below = do(world.make("ada", parent_id=top))
            memo = do(world.make("ada", parent_id=below, kind=ItemKind.docs_workbook))
            side = do(world.make("ada", drive_id=drive_id))
            for folder in (below, side):
                do(world.share("ada", folder, world.address("gus"), Permission.read_write))
            do(world.share("ada", memo, world.address("cleo")))
            self.drives.append(drive_id)
        self.invitations += [each.invitation.id for each in do(world.invite("ada", self.organization, "cleo"))]

    # items

    @rule(by=who, drive=drives, name=names, kind=st.sampled_from((ItemKind.folder, *ItemKind)))
    def create_at_the_root(self, by, drive, name, kind):
        self.adding(self.world.create(by, drive, None, name, kind))

    @rule(by=who, parent=items, name=names, kind=st.sampled_from((ItemKind.folder, *ItemKind)))
    def create(self, by, parent, name, kind):
        self.adding(self.world.create(by, None, parent, name, kind))

    @rule(by=who, item=items, name=names)
    def rename(self, by, item, name):
        if self.do(self.world.rename(by, item, name)):
            assert self.do(self.world.rename(by, item, name)) == ()

    @rule(by=st.sampled_from(("ada", "gus")), item=items, parent=items)
    def move(self, by, item, parent):
        found = finished(self.world.item(by, parent))
        self.move_to(by, item, found.drive.id if found else "nowhere", parent)

    @rule(by=who, item=items, drive=drives)
    def move_to_the_root(self, by, item, drive):
        self.move_to(by, item, drive, None)

    @rule(by=who, item=items, parent=items, drive=drives)
    def move_with_both_named(self, by, item, parent, drive):
        self.move_to(by, item, drive, parent)

    def move_to(self, by, item, drive, parent):
        facts = finished(self.world.item(by, item))
        grants = {place: grant for place, grant in self.state.grants.items() if place[0] == item}
        foreseen = finished(self.world.foresee_move(by, item, drive, parent))
        moved = self.foreseen(by, item, foreseen, self.world.move(by, item, drive, parent))
        if moved:
            assert (self.state.items[item].drive_id, self.state.items[item].parent_id) == (drive, parent)
            assert {place: grant for place, grant in self.state.grants.items() if place[0] == item} == grants
            assert finished(self.world.move(by, item, drive, parent)) in {(), NOT_FOUND} or facts.role
        if moved and facts.role is None:
            held = {step.id for step in facts.path[1:] if step.permission is Permission.read_write}
            assert held.intersection(step.id for step in self.state.upwards(parent))

    @rule(by=who, item=items)
    def trash(self, by, item):
        if self.removing(self.world.trash(by, item)):
            assert finished(self.world.trash(by, item)) is NOT_FOUND

    @rule(by=who, item=binned)
    def trash_what_is_around(self, by, item):
        around = self.state.items[item].parent_id if item in self.state.items else None
        self.removing(self.world.trash(by, around or item))

    @rule(by=who, item=binned)
    def restore(self, by, item):
        for restored in self.do(self.world.restore(by, item)):
            back = self.state.items[item]
            assert self.state.is_live(back)
            assert back.parent_id == restored.parent_id
            assert all(below.slug is None for below, _ in self.state.subtree(item))

    @rule(item=items)
    def trash_and_restore_where_others_filled_the_place(self, item):
        for trashed in self.removing(self.world.trash("ada", item)):
            parent = self.state.items[item].parent_id
            for _ in range(LIMITS.drive_items):
                self.adding(self.world.create("ada", None if parent else trashed.drive_id, parent))
            self.restore("ada", item)

    @rule(by=who, item=binned)
    def delete_forever(self, by, item):
        self.do(self.world.delete_forever(by, item))

    @rule(by=who, item=items, published=st.booleans())
    def publish(self, by, item, published):
        if self.do(self.world.publish(by, item, published=published)):
            assert self.do(self.world.publish(by, item, published=published)) == ()

    @rule(by=who, item=items)
    def edit(self, by, item):
        self.do(self.world.edit(by, item))

    # shares

    @rule(by=who, item=items, name=people, permission=permissions)
    def share(self, by, item, name, permission):
        address = self.world.address(name)
        foreseen = finished(self.world.foresee_share(by, item, address, permission))
        before = self.abilities()
        shared = self.foreseen(by, item, foreseen, self.world.share(by, item, address, permission))
        after = self.abilities()
        assert all(may <= after[place] for place, may in before.items())
        if shared:
            assert self.do(self.world.share(by, item, address, permission)) == ()

    @rule(by=who, item=items, name=people, permission=permissions)
    def update_share(self, by, item, name, permission):
        weaker = permission is Permission.read_only
        change = self.removing if weaker else self.adding
        change(self.world.update_share(by, item, self.world.address(name), permission))

    @rule(by=who, item=items, name=people)
    def remove_share(self, by, item, name):
        self.removing(self.world.remove_share(by, item, self.world.address(name)))

    @rule(name=people)
    def verify_the_address(self, name):
        before = self.abilities()
        finished(self.world.verify(name))
        assert all(may <= self.abilities()[place] for place, may in before.items())

    # drives, members, organizations

    @rule(by=who, name=names)
    def make_drive(self, by, name):
        if (self.organization, self.world.people[by].id) in self.state.belongings:
            self.drives.append(finished(self.world.make_drive(by, self.organization, name)))

    @rule(by=who, drive=drives)
    def delete_drive(self, by, drive):
        self.removing(self.world.delete_drive(by, drive))

    @rule(by=who, drive=drives, name=people, role=roles)
    def set_member(self, by, drive, name, role):
        if self.do(self.world.set_member(by, drive, name, role)):
            assert self.state.role(self.world.people[name].id, drive) is role

    @rule(by=who, drive=drives, name=people)
    def remove_member(self, by, drive, name):
        self.removing(self.world.remove_member(by, drive, name))

    @rule(by=who, name=people, role=st.sampled_from(OrganizationRole))
    def invite(self, by, name, role):
        sent = self.do(self.world.invite(by, self.organization, name, role))
        self.invitations += [each.invitation.id for each in sent]

    @rule(name=people, invitation=invitations)
    def accept(self, name, invitation):
        self.adding(self.world.accept(name, invitation))

    @rule(by=who, name=people, role=st.sampled_from(OrganizationRole))
    def set_organization_role(self, by, name, role):
        before = self.abilities()
        self.do(self.world.set_organization_role(by, self.organization, name, role))
        assert self.abilities() == before

    @rule(by=people, name=people)
    def leave_the_organization(self, by, name):
        for left in self.do(self.world.leave_organization(by, self.organization, name)):
            inside = {each.id for each in self.state.drives.values() if each.organization_id}
            assert not any(place in inside and user == left.user_id for place, user in self.state.members)
            grants = [
                self.state.items[place].drive_id
                for place, address in self.state.grants
                if address == self.world.address(name)
            ]
            assert not inside.intersection(grants)

    # laws

    @invariant()
    def items_are_forests_inside_their_drives(self):
        for item in self.state.items.values():
            seen = {item.id}
            at = item
            while at.parent_id:
                parent = self.state.items[at.parent_id]
                assert parent.id not in seen
                assert (parent.drive_id, parent.kind) == (item.drive_id, ItemKind.folder)
                seen.add(parent.id)
                at = parent
            assert item.drive_id in self.state.drives
            assert len(seen) <= min(LIMITS.depth, self.state.drives[item.drive_id].depth)

    @invariant()
    def nothing_holds_more_than_it_may(self):
        for drive_id in self.state.drives:
            live = self.state.live(drive_id)
            assert len(live) <= LIMITS.drive_items
            assert all(
                number <= LIMITS.folder_children
                for number in Counter(i.parent_id for i in live if i.parent_id).values()
            )

    @invariant()
    def every_drive_has_an_owner_and_a_personal_one_nobody_else(self):
        for drive in self.state.drives.values():
            members = {user: member.role for (place, user), member in self.state.members.items() if place == drive.id}
            assert Role.owner in members.values()
            assert drive.kind is DriveKind.shared or len(members) == 1
            assert (
                all((drive.organization_id, user) in self.state.belongings for user in members)
                or not drive.organization_id
            )

    @invariant()
    def every_organization_has_an_admin(self):
        for organization_id in self.state.organizations:
            known = [each.role for (place, _), each in self.state.belongings.items() if place == organization_id]
            assert OrganizationRole.admin in known

    @invariant()
    def the_domain_gives_what_the_table_gives(self):
        for account in self.world.people.values():
            for item_id in self.state.items:
                facts = self.state.facts(account.id, item_id)
                assert authority(facts.role, facts.path).can == rights(self.state, account.id, item_id)
                assert not facts.authority.can or not any(step.trashed for step in facts.path)
                above = self.state.facts(account.id, facts.item.parent_id) if facts.item.parent_id else None
                assert above is None or above.authority.can <= authority(facts.role, facts.path).can
                shown = facts.path[: visible_length(facts.role, facts.path)]
                assert [step.id for step in shown] == [
                    step.id
                    for place, step in enumerate(facts.path)
                    if Can.read in authority(facts.role, facts.path[place:]).can
                ]

    @invariant()
    def lists_show_what_one_sees_and_nothing_else(self):
        for account in self.world.people.values():
            met = [self.state.facts(account.id, item_id) for item_id in self.state.items]
            seen = {facts.item.id for facts in met if Can.read in live_authority(facts.role, facts.path).can}
            assert {facts.item.id for facts in finished(self.model.read(SharedWith(account.id)))} <= seen
            binned = {f.item.id for f in met if f.item.trashed_at and Can.read in authority(f.role, f.path).can}
            trash = finished(self.model.read(TrashFor(account.id, None, 1000, None)))
            assert {facts.item.id for facts in trash} == binned
            listed = finished(self.model.read(DrivesFor(account.id, 1000, 1000, None)))
            assert {item.id for each in listed for item in each.items} == {f.item.id for f in met if f.role} & seen


WholeDomain.TestCase.settings = settings(
    max_examples=examples(40),
    stateful_step_count=30,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
TestTheWholeDomain = WholeDomain.TestCase
