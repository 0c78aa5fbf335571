"""Is a listing answered as it was while nothing in it changed, and anew after any change?"""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from contract.contract import documents
from domain.access import Role
from domain.credit import Credit
from domain.drive import Drive, DriveKind
from domain.item import Item, ItemKind
from domain.questions import DriveContents, Page
from graphql_api.compiled_execution import execute_static, prepare
from graphql_api.context import Context
from graphql_api.listing_cache import ListingCache
from graphql_api.schema import build
from tests.graphql_api.world import World

AT = datetime(2026, 1, 2, tzinfo=UTC)
ADA = Credit("u1", "Ada")
DRIVE = Drive("d1", "Research", DriveKind.shared, "o1", AT, AT)
LISTING = prepare(build(), documents()["DrivesList"])


def page(*names: str, role: Role = Role.owner) -> Page[DriveContents]:
    items = [Item(f"i{n}", "d1", None, ItemKind.folder, name, AT, AT, ADA, ADA) for n, name in enumerate(names)]
    return Page((DriveContents(DRIVE, role, tuple(items), ()),), None)


async def listed(world: World, who: str) -> dict:
    result = await execute_static(LISTING, {}, {"context": Context(world.ports, world.callers[who])})
    assert result.errors is None
    return result.data["driveListing"]


async def test_a_listing_that_did_not_change_is_answered_as_it_was(world):
    first = await listed(world, "ada")
    assert await listed(world, "ada") is first
    assert await listed(world, "ben") is not first


@pytest.mark.parametrize(
    ("query", "by"),
    [
        ('mutation ($i: ID!) { renameItem(itemId: $i, name: "Another") { id } }', "ada"),
        ("mutation ($i: ID!) { setPublication(itemId: $i, published: true) { id } }", "ada"),
        ("mutation ($i: ID!) { trashItem(itemId: $i) { id } }", "ada"),
        (
            'mutation ($i: ID!) { renameViewer(name: "Ada Byron") { id } driveItem: renameItem(itemId: $i, name: "x") { id } }',
            "ada",
        ),
        ("mutation ($d: ID!, $b: ID!) { upsertMember(driveId: $d, userId: $b, role: manager) { id } }", "ada"),
    ],
)
async def test_a_listing_after_a_change_is_that_of_a_server_without_a_cache(world, query, by):
    before = await listed(world, "ben")
    drive = next(d for d in before["drives"] if d["kind"] == "shared" and d["items"])
    document = next(i for i in drive["items"] if i["driveItemType"] != "folder")
    given = {"i": document["id"], "d": drive["id"], "b": world.callers["cleo"].user_id}
    used = {name: value for name, value in given.items() if f"${name}:" in query}
    await world.ask(await world.browser_of(by), query, **used)
    after = await listed(world, "ben")
    world.ports = replace(world.ports, listings=ListingCache())
    assert after == await listed(world, "ben")
    assert after != before


def test_an_entry_is_used_for_an_equal_page_alone():
    cache = ListingCache[str]()
    assert cache.get("u1", None, page("a"), lambda: "first") == "first"
    assert cache.get("u1", None, page("a"), lambda: "again") == "first"
    assert cache.get("u2", None, page("a"), lambda: "of another user") == "of another user"
    assert cache.get("u1", "cursor", page("a"), lambda: "another page") == "another page"
    assert cache.get("u1", None, page("a", role=Role.manager), lambda: "another role") == "another role"
    assert cache.get("u1", None, page("b"), lambda: "renamed") == "renamed"


def test_a_listing_larger_than_the_cache_is_not_cached():
    cache = ListingCache[str](most=2)
    assert cache.get("u1", None, page("a", "b"), lambda: "first") == "first"
    assert cache.get("u1", None, page("a", "b"), lambda: "again") == "again"
