"""Whether what front ends commonly ask passes the limits, and whether a long answer leaves others their turn."""

import asyncio
from dataclasses import replace

import pytest
from graphql import parse

from domain.questions import DrivesFor
from graphql_api.context import Context
from graphql_api.cooperative_executor import ITEMS_BETWEEN_BREAKS
from graphql_api.query_limits import QueryLimits, limit_errors
from graphql_api.strawberry_internals import core_schema
from tests.graphql_api.world import SCHEMA

FIELDS = """id driveId parentId driveItemType name createdAt updatedAt createdBy { userId name agent }
  updatedBy { userId name agent } published publicUrl role permission capabilities trashedAt revision url"""
LONG = 5_000
PAGE_INFO = "pageInfo { hasNextPage endCursor }"
TREE = f"""{{ drives {{ nodes {{ id name kind items {{ nodes {{ id name driveItemType updatedAt
  children {{ nodes {{ id name driveItemType updatedAt }} {PAGE_INFO} }} }} {PAGE_INFO} }} }} {PAGE_INFO} }} }}"""


def told(text):
    return [error.message for error in limit_errors(core_schema(SCHEMA), parse(text), {}, QueryLimits())]


async def test_drives_with_their_items_and_what_lies_in_those_pass_with_pages_of_the_default_size(world):
    assert told(TREE) == []
    drives = (await world.ask("ada", TREE))["drives"]["nodes"]
    assert any(item["children"]["nodes"] for drive in drives for item in drive["items"]["nodes"])


def listings(number):
    return (
        "{" + " ".join(f"a{each}: driveListing {{ drives {{ items {{ {FIELDS} }} }} }}" for each in range(number)) + "}"
    )


def test_a_listing_counts_as_the_5_000_items_that_it_may_hold():
    assert told(listings(3)) == []
    (message,) = told(listings(6))
    assert message.startswith("the document is too costly: ")
    assert message.endswith("; ask for a smaller `first`, for fewer fields, or for the inner lists in another request")


class Long:
    """A store whose listings are as long as they may be."""

    def __init__(self, store):
        self._store = store

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def read(self, question):
        answer = await self._store.read(question)
        if not isinstance(question, DrivesFor):
            return answer
        listed = next(each for each in answer.rows if each.items)
        one = listed.items[0]
        items = tuple(replace(one, id=f"{one.id[:-12]}{number:012x}") for number in range(LONG))
        return replace(answer, rows=(replace(listed, items=items),))


@pytest.mark.parametrize("number", [1, 3])
async def test_others_have_their_turn_between_the_parts_of_a_long_listing(world, number):
    turns, done = 0, False

    async def other():
        nonlocal turns
        while not done:
            turns += 1
            await asyncio.sleep(0)

    context = Context(replace(world.ports, store=Long(world.ports.store)), world.callers["ada"])
    beside = asyncio.create_task(other())
    result = await SCHEMA.execute(listings(number), {}, {"context": context})
    done = True
    await beside
    assert result.errors is None
    assert [len(each["drives"][0]["items"]) for each in result.data.values()] == [LONG] * number
    assert turns >= LONG // ITEMS_BETWEEN_BREAKS
