"""The cases of `tests/access_cases.toml`, asked of the SQL reads: each in a world of its own."""

import tomllib
from pathlib import Path

import pytest

from domain.access import Can, Permission, Role
from domain.item import Item, ItemCreated, ItemKind
from domain.member import MemberSet
from domain.questions import DrivesFor, ItemFor, SearchFor, SharedWith
from domain.share import ItemShared
from domain.trash import ItemTrashed

CASES = tomllib.loads((Path(__file__).parents[1] / "access_cases.toml").read_text())["case"]
ALL = 1000


class Case:
    """The items and people of a case by their names there, in the drive of somebody who is not in it."""

    def __init__(self, case, world):
        self.world = world
        self.people = sorted({*case.get("roles", {}), *case.get("grants", {}), *case["sees"]})
        self.ids = {name: world.new_id() for name in case["items"]}
        self.names = {item_id: name for name, item_id in self.ids.items()}

    async def build(self, case):
        world = self.world
        for name in ("host", *self.people):
            await world.account(name)
        drive_id = await world.make_drive("host", await world.organize("host"))
        waiting = dict(case["items"])
        while waiting:
            name = next(name for name, parent in waiting.items() if parent not in waiting)
            parent, by = self.ids.get(waiting.pop(name)), world.credit("host")
            made = Item(self.ids[name], drive_id, parent, ItemKind.folder, name, world.now, world.now, by, by)
            await world.record(ItemCreated(made), by="host")
        for person, role in case.get("roles", {}).items():
            await world.record(MemberSet(drive_id, world.people[person].id, Role(role), None), by="host")
        for person, grants in case.get("grants", {}).items():
            for name, permission in grants.items():
                shared = ItemShared(self.ids[name], drive_id, world.address(person), Permission(permission))
                await world.record(shared, by="host")
        for name in case.get("trash", ()):
            await world.record(ItemTrashed(self.ids[name], drive_id), by="host")

    async def facts(self, person, name):
        return await self.world.read(ItemFor(self.world.people[person].id, self.ids[name]))

    async def listed(self, person):
        """Return the names of the items that the lists of a person show: found, shared, in drives."""
        user_id = self.world.people[person].id
        found = await self.world.read(SearchFor(user_id, "", None, ALL, None))
        shared = await self.world.read(SharedWith(user_id))
        drives = await self.world.read(DrivesFor(user_id, ALL, ALL, None))
        mine = {item.id for drive in drives.rows for item in drive.items}
        lists = ({each.facts.item.id for each in found.rows}, {facts.item.id for facts in shared}, mine)
        return [{self.names[item_id] for item_id in ids} for ids in lists]


@pytest.fixture(params=CASES, ids=lambda case: case["name"])
async def case(request, world):
    built = Case(request.param, world)
    await built.build(request.param)
    return request.param, built


async def test_who_may_do_it(case):
    written, built = case
    for capability, items in written["can"].items():
        for item, expected in items.items():
            facts = {person: await built.facts(person, item) for person in built.people}
            may = {person for person, each in facts.items() if Can(capability) in each.authority.can}
            assert may == set(expected), (capability, item)


async def test_what_they_see_is_what_their_lists_show(case):
    written, built = case
    for person, expected in written["sees"].items():
        found, shared, mine = await built.listed(person)
        assert found == set(expected), person
        assert shared == set(expected) & set(written.get("grants", {}).get(person, {})), person
        assert mine == (set(expected) if person in written.get("roles", {}) else set()), person


async def test_who_sees_it(case):
    written, built = case
    for item in written["items"]:
        facts = {person: await built.facts(person, item) for person in built.people}
        seen_by = {person for person, each in facts.items() if Can.read in each.authority.can}
        assert seen_by == {person for person, items in written["sees"].items() if item in items}, item
