import tomllib
from pathlib import Path

import pytest

from domain.access import Can, Permission, Role, Step, live_authority, visible_length

CASES = tomllib.loads((Path(__file__).parents[1] / "access_cases.toml").read_text())["case"]


def way(case, person, item):
    granted = case.get("grants", {}).get(person, {})
    while item:
        permission = Permission(granted[item]) if item in granted else None
        yield Step(item, trashed=item in case.get("trash", ()), permission=permission)
        item = case["items"][item]


def people(case):
    return {*case.get("roles", {}), *case.get("grants", {}), *case["sees"]}


def allowed(case, person, item):
    role = case.get("roles", {}).get(person)
    return live_authority(Role(role) if role else None, tuple(way(case, person, item))).can


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_who_may_do_it(case):
    for capability, items in case["can"].items():
        for item, expected in items.items():
            may = {person for person in people(case) if Can(capability) in allowed(case, person, item)}
            assert may == set(expected), (capability, item)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_they_see(case):
    for person, expected in case["sees"].items():
        seen = {item for item in case["items"] if Can.read in allowed(case, person, item)}
        assert seen == set(expected), person


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_who_sees_it(case):
    for item in case["items"]:
        seen_by = {person for person in people(case) if Can.read in allowed(case, person, item)}
        assert seen_by == {person for person, items in case["sees"].items() if item in items}, item


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_way_up_that_is_shown_ends_where_the_person_stops_seeing(case):
    for person in case["sees"]:
        role = case.get("roles", {}).get(person)
        for item in case["items"]:
            path = tuple(way(case, person, item))
            if Can.read in allowed(case, person, item):
                seen = [step.id for step in path if Can.read in allowed(case, person, step.id)]
                shown = path[: visible_length(Role(role) if role else None, path)]
                assert [step.id for step in shown] == seen
