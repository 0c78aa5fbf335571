"""Subscriptions that are woken together ask the store once."""

import asyncio
from typing import Any

import pytest

from domain.questions import Both, EventBatch, EventsSince, Follower, FollowerRights, KeysOf
from graphql_api.shared_reads import MAX_PLACES, SharedReads


class Store:
    """Answers with how often it was asked; it waits while `gate` is closed."""

    def __init__(self) -> None:
        self.asked = 0
        self.running = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def read(self, question: Any) -> Any:
        self.asked += 1
        if isinstance(question, Both):
            members = [FollowerRights(each.user_id != "eve", is_valid=True) for each in question.one.followers]
            return members, [
                EventBatch((), f"{each.place}:{self.asked}", more=False) for each in question.other.questions
            ]
        number, self.running = self.asked, self.running + 1
        await self.gate.wait()
        self.running -= 1
        if question == KeysOf("broken"):
            raise ConnectionError
        return number


async def turns(times: int = 20) -> None:
    for _ in range(times):
        await asyncio.sleep(0)


async def test_those_who_ask_together_share_one_read() -> None:
    store, shared, turn = Store(), SharedReads(), asyncio.Semaphore(2)
    answers = await asyncio.gather(*[shared.read(store, KeysOf("ada"), turn) for _ in range(50)])
    assert answers == [1] * 50


async def test_who_asks_when_a_read_has_begun_is_answered_by_one_of_their_own() -> None:
    store, shared, turn = Store(), SharedReads(), asyncio.Semaphore(2)
    store.gate.clear()
    first = asyncio.create_task(shared.read(store, KeysOf("ada"), turn))
    await turns()
    later = [asyncio.create_task(shared.read(store, KeysOf("ada"), turn)) for _ in range(3)]
    await turns()
    store.gate.set()
    assert [await first, *[await each for each in later]] == [1, 2, 2, 2]


async def test_reads_take_turns() -> None:
    store, shared, turn = Store(), SharedReads(), asyncio.Semaphore(2)
    store.gate.clear()
    asked = [asyncio.create_task(shared.read(store, KeysOf(str(each)), turn)) for each in range(5)]
    await turns()
    assert store.running == 2
    store.gate.set()
    assert len({await each for each in asked}) == 5


async def test_a_failure_is_each_ones_and_the_turn_is_given_back() -> None:
    store, shared, turn = Store(), SharedReads(), asyncio.Semaphore(1)
    for _ in range(2):
        failed = await asyncio.gather(
            *[shared.read(store, KeysOf("broken"), turn) for _ in range(3)], return_exceptions=True
        )
        assert [type(each) for each in failed] == [ConnectionError] * 3
    assert not turn.locked()


async def test_one_who_goes_away_takes_the_answer_from_nobody() -> None:
    store, shared, turn = Store(), SharedReads(), asyncio.Semaphore(1)
    asked = [asyncio.create_task(shared.read(store, KeysOf("ada"), turn)) for _ in range(3)]
    await asyncio.sleep(0)
    asked[0].cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked[0]
    assert [await each for each in asked[1:]] == [1, 1]
    assert not turn.locked()


def at(place: str) -> EventsSince:
    return EventsSince("drive", place, 100)


async def test_all_who_follow_a_drive_share_one_read_that_tells_the_rights_of_each() -> None:
    store, shared, turn = Store(), SharedReads(), asyncio.Semaphore(1)
    found = await asyncio.gather(
        *[shared.read_events(store, at(who), Follower(who, None), turn) for who in ("ada", "ben", "eve", "ada")]
    )
    assert [rights.is_member for rights, _ in found] == [True, True, False, True]
    assert [batch.place for _, batch in found] == ["ada:1", "ben:1", "eve:1", "ada:1"]
    assert (await shared.read_events(store, at("ada"), Follower("ada", None), turn))[1].place == "ada:2"


async def test_from_many_places_a_drive_is_read_in_parts() -> None:
    store, shared, turn = Store(), SharedReads(), asyncio.Semaphore(1)
    places = [str(each) for each in range(2 * MAX_PLACES + 1)]
    found = await asyncio.gather(*[shared.read_events(store, at(each), Follower("ada", None), turn) for each in places])
    assert [batch.place.split(":")[0] for _, batch in found] == places
    assert store.asked == 3
