"""The children of many items: the same as one by one, by one look-up, and within a budget."""

import asyncio
from dataclasses import replace

import psycopg
import pytest

from contract.errors import RejectionError
from domain.questions import ChildrenFor, ChildrenOfEach, ItemFor
from graphql_api.batches import MAX_BATCH, BatchLoader
from graphql_api.context import Context
from graphql_api.read_limits import MAX_LISTED_FIELDS, MAX_QUESTIONS, ListingBudget
from graphql_api.system import new_id
from tests.graphql_api.world import SCHEMA

TREE = """query($n: Int! = 50) { drives(first: $n) { nodes { name items(first: $n) { nodes { id name
  children(first: $n) { nodes { name } nextCursor } } } } } }"""
LEVELS = """{ drives { nodes { items(types: [folder]) { nodes { children { nodes { name children(first: 3) {
  nodes { name children(first: 2) { nodes { name } } } } } } } } } } }"""
ID = "overlay(overlay(gen_random_uuid()::text placing '7' from 15) placing '8' from 20)::uuid"
FILL = """insert into item (id, drive_id, parent_id, kind, name, sort_key, created_at, updated_at, created_by_user, updated_by_user)
select {id}, d.id, null, 'folder', 'Folder ' || n, 'folder ' || n, now(), now(), '{user}', '{user}'
from drive d, generate_series(1, {folders}) n where d.id = '{drive}'"""
FILL_FOLDERS = """insert into item (id, drive_id, parent_id, kind, name, sort_key, created_at, updated_at, created_by_user, updated_by_user)
select {id}, i.drive_id, i.id, 'docs_workbook', 'Note ' || n, 'note ' || n, now(), now(), '{user}', '{user}'
from item i, generate_series(1, {notes}) n where i.drive_id = '{drive}' and i.parent_id is null and i.name like 'Folder %'"""
NEW = "mutation($name: ItemName!) { createDrive(name: $name) { id } }"


async def filled(world, *, drives, folders, notes):
    user = world.callers["grace"].user_id
    for number in range(drives):
        drive = (await world.ask("grace", NEW, name=f"Full {number}"))["createDrive"]["id"]
        with psycopg.connect(str(world.ports.store.writers.conninfo)) as connection:
            for fill in (FILL, FILL_FOLDERS):
                connection.execute(fill.format(id=ID, user=user, drive=drive, folders=folders, notes=notes))


@pytest.mark.parametrize("who", ["grace", "ben", "gus"])
async def test_children_of_each_are_those_of_one_after_the_other(world, who):
    user, store = world.callers[who].user_id, world.ports.store
    everything = (await world.ask("grace", '{ search(text: "", first: 200) { nodes { id } } }'))["search"]["nodes"]
    ids = (*(each["id"] for each in everything), new_id(), "no id")
    for first, kinds in ((50, None), (1, None), (2, frozenset({"folder"}))):
        found = await store.read(ChildrenOfEach(user, ids, first, kinds))
        for item_id in ids:
            facts = await store.read(ItemFor(user, item_id))
            if facts is None:
                assert item_id not in found
                continue
            assert found[item_id][0] == facts
            alone = await store.read(ChildrenFor(user, item_id, first, None, kinds))
            if first == 50:
                assert found[item_id][2] == len(alone.rows)
            assert found[item_id][1] == alone or not (facts.role or any(step.permission for step in facts.path))


async def test_a_tree_of_full_drives_passes_at_default_page_sizes(world):
    await filled(world, drives=4, folders=50, notes=6)
    asked = []
    result = await SCHEMA.execute(
        TREE,
        {},
        {"context": Context(replace(world.ports, store=Counting(world.ports.store, asked)), world.callers["grace"])},
    )
    assert result.errors is None
    full = [each for each in result.data["drives"]["nodes"] if each["name"].startswith("Full")]
    assert [len(each["items"]["nodes"]) for each in full] == [50] * 4
    assert {len(item["children"]["nodes"]) for each in full for item in each["items"]["nodes"]} == {6}
    assert sum(isinstance(each, ChildrenOfEach) for each in asked) <= 2 * len(result.data["drives"]["nodes"])
    assert len(asked) < MAX_QUESTIONS / 10


async def test_more_folders_than_an_operation_may_look_up_one_by_one_pass(world):
    await filled(world, drives=25, folders=50, notes=1)
    tree = (await world.ask("grace", TREE))["drives"]["nodes"]
    assert sum(len(each["items"]["nodes"]) for each in tree) > MAX_QUESTIONS
    assert all(
        item["children"]["nodes"] for each in tree if each["name"].startswith("Full") for item in each["items"]["nodes"]
    )


async def test_pages_of_children_go_on_after_a_batch(world):
    page = """query($id: ID!, $after: Cursor) {
      driveItem(id: $id) { children(first: 1, after: $after) { nodes { name } nextCursor } } }"""
    handbook = await world.item("grace", "Handbook")
    names, after = [], None
    while not names or after:
        found = (await world.ask("grace", page, id=handbook, after=after))["driveItem"]["children"]
        names += [each["name"] for each in found["nodes"]]
        after = found["nextCursor"]
    assert names == ["Release checklist", "Welcome"]


async def test_the_number_of_all_children_is_told_where_it_is_known(world):
    count = """query($id: ID!, $n: Int!, $after: Cursor, $types: [DriveItemType!]) { driveItem(id: $id) {
      children(first: $n, after: $after, types: $types) { totalCount nextCursor } } }"""
    handbook = await world.item("grace", "Handbook")

    async def counted(**wanted):
        return (await world.ask("grace", count, id=handbook, **wanted))["driveItem"]["children"]

    first = await counted(n=1)
    assert first["totalCount"] == 2
    assert (await counted(n=1, after=first["nextCursor"]))["totalCount"] is None
    assert (await counted(n=1, types=["docs_workbook"]))["totalCount"] is None
    assert (await counted(n=2, types=["docs_workbook"]))["totalCount"] == 2  # all are there


async def test_levels_below_are_looked_up_together_as_well(world):
    drives = (await world.ask("grace", LEVELS))["drives"]["nodes"]
    assert {
        child["name"]
        for drive in drives
        for folder in drive["items"]["nodes"]
        for item in folder["children"]["nodes"]
        for child in [item, *item["children"]["nodes"]]
    } >= {"Release checklist", "Welcome", "Orbit plan"}


class Counting:
    """A store that remembers what it was asked."""

    def __init__(self, store, asked):
        self._store, self._asked = store, asked

    async def read(self, question):
        self._asked.append(question)
        return await self._store.read(question)


async def test_what_is_asked_for_in_one_turn_is_asked_at_once_and_each_id_once():
    asked = []

    async def ask(key, ids):
        asked.append((key, ids))
        return {each: each * 2 for each in ids if each != 3}

    batch = BatchLoader(ask)
    answers = await asyncio.gather(*(batch.load("a", each % 5) for each in range(10)), batch.load("b", 7))
    assert answers == [0, 2, 4, None, 8] * 2 + [14]
    assert asked == [("a", (0, 1, 2, 3, 4)), ("b", (7,))]


async def test_very_many_are_asked_for_in_parts():
    sizes = []

    async def ask(_key, ids):
        sizes.append(len(ids))
        return dict.fromkeys(ids, 1)

    batch = BatchLoader(ask)
    await asyncio.gather(*(batch.load("a", each) for each in range(2 * MAX_BATCH + 1)))
    assert sizes == [MAX_BATCH, MAX_BATCH, 1]


async def test_a_fault_is_raised_for_each_who_waits_and_the_next_ones_ask_again():
    faults = [RuntimeError("no"), None]

    async def ask(_key, ids):
        if fault := faults.pop(0):
            raise fault
        return dict.fromkeys(ids, 1)

    batch = BatchLoader(ask)
    raised = await asyncio.gather(batch.load("a", 1), batch.load("a", 2), return_exceptions=True)
    assert [str(each) for each in raised] == ["no", "no"]
    assert await batch.load("a", 1) == 1


def test_a_budget_of_fields_ends():
    budget = ListingBudget()
    budget.spend(MAX_LISTED_FIELDS)
    with pytest.raises(RejectionError) as caught:
        budget.spend(1)
    assert caught.value.rejection.code == "LIMIT_EXCEEDED"
