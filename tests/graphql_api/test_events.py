"""Events of a drive by author, agent, item, type and moment, and the people of the drive's organization."""

from dataclasses import fields, replace
from itertools import product
from typing import get_args

import pytest

from domain.commit import event_type
from domain.events import Event
from domain.questions import EventFilter, EventsOf, FilteredEvents
from graphql_api.enums import EventType
from persistence import audit
from persistence.reads import READS
from tests.graphql_api.asked import RENAME

ASKED = """query($d: ID!, $by: ID, $agent: String, $item: ID, $types: [EventType!], $since: Timestamp, $n: Int!, $after: Cursor) {
  driveEvents(driveId: $d, by: $by, agent: $agent, itemId: $item, types: $types, since: $since, first: $n, after: $after) {
    nodes { type itemId by { name agent } at } pageInfo { hasNextPage endCursor } nextCursor } }"""
PEOPLE = """query($d: ID!, $n: Int!, $after: Cursor) { driveOrganizationMembers(driveId: $d, first: $n, after: $after) {
  nodes { userId name email role } pageInfo { hasNextPage endCursor } } }"""


async def found(world, who="ben", size=200, **wanted):
    drive = await world.drive("grace", "Engineering")
    return (await world.ask(who, ASKED, d=drive, n=size, **wanted))["driveEvents"]["nodes"]


async def test_events_are_filtered_by_user_agent_item_type_and_moment(world):
    plan, pad = await world.item("grace", "Orbit plan"), await world.item("grace", "Scratch pad")
    ada = world.callers["ada"].user_id
    await world.ask("ada", RENAME, id=plan, name="By Ada")
    world.later()
    await world.ask("agent", RENAME, id=plan, name="By the agent")
    await world.ask("ben", RENAME, id=pad, name="By Ben")
    renamed = await found(world, types=["itemRenamed"])
    assert [each["by"]["name"] for each in renamed] == ["Ben Franklin", "Ada Lovelace", "Ada Lovelace"]
    assert [each["by"]["agent"] for each in await found(world, by=ada, types=["itemRenamed"])] == [
        "research-assistant",
        None,
    ]
    assert [each["by"]["agent"] for each in await found(world, by=ada, agent="", types=["itemRenamed"])] == [None]
    assert {each["by"]["agent"] for each in await found(world, agent="research-assistant")} == {"research-assistant"}
    assert {each["itemId"] for each in await found(world, item=pad)} == {pad}
    assert len(await found(world, since=renamed[1]["at"], types=["itemRenamed"])) == 2
    assert await found(world, types=[]) == await found(world, agent="nobody") == []
    assert await found(world, by="no id") == await found(world, item="'; --") == []


async def test_the_filter_of_the_database_is_that_of_the_domain(world):
    drive, store = await world.drive("grace", "Engineering"), world.ports.store
    every = await store.read(EventsOf(drive, 200))
    users, agents = {each.user_id for each in every}, {each.agent or "" for each in every}
    for by, agent, item, types, since in product(
        (None, *users),
        (None, *agents),
        (None, every[0].item_id),
        (None, frozenset({every[-1].type})),
        (None, every[2].at),
    ):
        wanted = EventFilter(by, agent, item, types, since)
        expected = tuple(each for each in every if wanted.passes(each.type, each.item_id, each.by, each.at))
        assert (await store.read(FilteredEvents(drive, 200, wanted))).events == expected


async def test_pages_of_rare_events_join_to_the_whole_though_each_looks_at_so_many(world, monkeypatch):
    short = replace(
        READS[FilteredEvents], sql=READS[FilteredEvents].sql.replace(str(audit.MAX_SCANNED), "3").replace("9999", "2")
    )
    monkeypatch.setitem(READS, FilteredEvents, short)
    drive, after, joined, pages = await world.drive("grace", "Engineering"), None, [], 0
    while True:
        page = (await world.ask("ben", ASKED, d=drive, n=2, types=["itemCreated"], after=after))["driveEvents"]
        joined += page["nodes"]
        pages += 1
        after = page["nextCursor"]
        assert page["pageInfo"]["hasNextPage"] == (after is not None)
        if after is None:
            break
    monkeypatch.undo()
    assert joined == await found(world, types=["itemCreated"])
    assert pages > len(joined) / 2


async def test_a_filter_of_too_many_types_or_no_moment_is_refused(world):
    drive = await world.drive("grace", "Engineering")
    for since in ("yesterday", "2026-01-01T00:00:00", "", "9999999-01-01T00:00:00Z", "2026-02-30T00:00:00Z"):
        assert (await world.told("ben", ASKED, d=drive, n=1, since=since))[0] == "BAD_REQUEST", since
    assert await found(world, since="0001-01-01T00:00:00Z") != [] == await found(world, since="9999-12-31T23:59:59Z")
    assert (await world.told("ben", ASKED, d=drive, n=1, types=["itemRenamed"] * 500))[0] == "BAD_REQUEST"
    assert (await world.told("ben", ASKED, d=drive, n=1, types=["nothing"]))[0] == "BAD_REQUEST"


def test_the_types_are_those_of_the_events_that_have_a_drive_and_the_two_notices():
    """An event without its type here would fail the whole list that it is in."""
    of_drives = {
        event_type(kind)
        for kind in get_args(Event.__value__)
        if {"drive_id", "drive", "item"} & {each.name for each in fields(kind)}
    }
    assert {each.value for each in EventType} == of_drives | {"accessChanged", "reload"}


@pytest.mark.parametrize("asked", [ASKED, PEOPLE])
async def test_who_is_no_member_is_told_nothing_of_events_and_people(world, asked):
    drive, unknown = await world.drive("grace", "Engineering"), world.ports.ids()
    for who in ("cleo", "gus"):
        assert await world.told(who, asked, d=drive, n=1) == await world.told(who, asked, d=unknown, n=1)


async def test_members_of_a_drive_list_the_people_of_its_organization_page_by_page(world):
    drive, after, names = await world.drive("ben", "Engineering"), None, []
    while True:
        page = (await world.ask("ben", PEOPLE, d=drive, n=3, after=after))["driveOrganizationMembers"]
        names += [each["name"] for each in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert names == ["Grace Hopper", "Ada Lovelace", "Ben Franklin", "Cleo Strand"]
    own = (await world.ask("ada", "{ drives { nodes { id kind } } }"))["drives"]["nodes"]
    personal = next(each["id"] for each in own if each["kind"] == "personal")
    assert (await world.ask("ada", PEOPLE, d=personal, n=3))["driveOrganizationMembers"]["nodes"] == []
