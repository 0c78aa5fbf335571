"""How much does one operation, and one user, ask of the store?"""

import asyncio
import gc
from contextlib import suppress
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest

from contract.errors import RejectionError
from contract.operations import BY_NAME
from domain.questions import AncestorsFor, ItemFor, OverviewFor, SharesFor
from graphql_api.context import Context
from graphql_api.contract_execution import Api
from graphql_api.read_limits import FREE_QUESTIONS, MAX_AT_ONCE, MAX_QUESTIONS
from live.document_reader import DocumentReader
from tests.graphql_api.world import SCHEMA, World
from tests.support.documents.jobs import with_budget_spent


class Asked:
    """The store, which waits with its answers while `gate` is closed; what it was asked, and how much of it at once."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.questions: list[object] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.running = 0

    async def read(self, question: Any) -> Any:
        self.questions.append(question)
        self.running += 1
        await self.gate.wait()
        self.running -= 1
        return await self.store.read(question)


@pytest.fixture
def world(world: World) -> World:
    return replace(world, ports=replace(world.ports, store=Asked(world.ports.store)))


async def turns(times: int = 100) -> None:
    """Let everybody go on who can."""
    for _ in range(times):
        await asyncio.sleep(0)


def of_user(number: int, user_id: str) -> ItemFor:
    return ItemFor(user_id, f"{number}")


async def test_ancestors_and_shares_are_asked_for_without_all_that_lies_in_a_folder(world):
    drive = await world.drive("ada", "Engineering")
    query = "query($d: ID!) { drive(id: $d) { items(first: 20) { nodes { ancestors { name } shares { email } children { nodes { ancestors { name } shares { email } } } } } } }"
    asked = world.ports.store.questions
    await world.ask("ada", query, d=drive)
    assert {type(each) for each in asked} >= {AncestorsFor, SharesFor}
    assert not any(isinstance(each, OverviewFor) for each in asked)


async def test_what_is_asked_twice_in_one_operation_is_one_question(world):
    item = await world.item("ada", "Orbit")
    asked = world.ports.store.questions
    asked.clear()
    names = " ".join(f"a{number}: driveItem(id: $i) {{ shares {{ email }} }}" for number in range(10))
    await world.ask("ada", f"query($i: ID!) {{ {names} }}", i=item)
    assert len(asked) == len(set(asked)) == 2


async def test_who_waits_for_an_answer_asks_again_where_the_one_who_asked_gave_up(world):
    context, store = Context(world.ports, world.callers["ada"]), world.ports.store
    store.gate.clear()
    question = of_user(1, context.user_id)
    first, second = (asyncio.create_task(context.read(question)) for _ in range(2))
    await turns()
    first.cancel()
    await asyncio.wait((first,))
    store.gate.set()
    assert await second is None
    assert store.questions == [question, question]


async def test_an_operation_makes_a_bounded_number_of_look_ups(world):
    context = Context(world.ports, world.callers["ada"])
    for number in range(MAX_QUESTIONS):
        await context.read(of_user(number, context.user_id))
    with pytest.raises(RejectionError) as refused:
        await context.read(of_user(MAX_QUESTIONS, context.user_id))
    assert refused.value.rejection.code == "LIMIT_EXCEEDED"


async def test_a_look_up_that_is_repeated_is_answered_once_more_and_so_counts(world):
    context = Context(world.ports, world.callers["ada"])
    for _ in range(MAX_QUESTIONS):
        await context.read(of_user(0, context.user_id))
    with pytest.raises(RejectionError) as refused:
        await context.read(of_user(0, context.user_id))
    assert refused.value.rejection.code == "LIMIT_EXCEEDED"


async def test_the_look_ups_of_one_user_wait_for_each_other_beyond_the_first_of_each_operation(world):
    store = world.ports.store
    contexts = [Context(world.ports, world.callers[who]) for who in ("ada", "ada", "ben")]
    for context in contexts:
        for number in range(FREE_QUESTIONS):
            await context.read(of_user(number, context.user_id))
    store.gate.clear()
    store.questions.clear()
    reads = [
        asyncio.create_task(context.read(of_user(FREE_QUESTIONS + number, context.user_id)))
        for context in contexts
        for number in range(20)
    ]
    await turns()
    assert store.running == 2 * MAX_AT_ONCE, "two of Ada, whichever operation they are of, and two of Ben"
    store.gate.set()
    await asyncio.gather(*reads)


SEARCH = '{ search(text: "orbit") { __typename } }'


async def test_a_user_searches_one_at_a_time_and_others_meanwhile(world):
    asked = world.ports.store
    asked.gate.clear()
    searches = [asyncio.create_task(world.ask(who, SEARCH)) for who in ("ada", "ada", "ada", "ben")]
    await turns()
    assert asked.running == 2
    asked.gate.set()
    assert await asyncio.gather(*searches) == [{"search": {"__typename": "SearchConnection"}}] * 4


async def test_a_search_that_takes_too_long_is_given_up(world, monkeypatch):
    monkeypatch.setattr("graphql_api.queries.SEARCH_SECONDS", 0)
    world.ports.store.gate.clear()
    assert await world.refused("ada", SEARCH) == "LIMIT_EXCEEDED"
    monkeypatch.undo()
    world.ports.store.gate.set()
    assert await world.ask("ada", SEARCH)


async def test_nothing_stays_of_what_was_loaded_for_a_read_that_is_refused(world):
    """Frames and what is raised in them hold one another, so all that they loaded would stay until the garbage is collected."""
    documents = DocumentReader(world.ports.store, runner=with_budget_spent(world.callers["grace"].user_id))
    api, pad = Api(SCHEMA, replace(world.ports, documents=documents)), await world.item("grace", "Scratch pad")
    gc.collect()
    gc.disable()
    try:
        for _ in range(2):
            with suppress(RejectionError):
                await api.run(BY_NAME["documents.read"], world.callers["grace"], {"documentId": pad})
        await asyncio.sleep(0)
        frames = [each for each in gc.get_objects() if isinstance(each, FrameType)]
        assert [each for each in frames if each.f_code is DocumentReader._cold.__code__] == []
    finally:
        gc.enable()
