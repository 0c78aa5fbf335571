"""Users take turns at a few slots: one at a time each, and none waits for all that another one asks."""

import asyncio

import pytest

from computing.turns import MAX_BYTES, MAX_WAITING, MAX_WAITING_BYTES, NoTurn, Turns
from tests.support.processes.servers import PATIENCE


class Held:
    """Turns that are held until they are let go, in the order in which they began."""

    def __init__(self, turns):
        self.turns = turns
        self.begun = []
        self.go = {}

    async def hold(self, user, name, size=0):
        async with self.turns.turn(user, size):
            self.begun.append(name)
            await self.go.setdefault(name, asyncio.Event()).wait()

    def ask(self, user, name, size=0):
        return asyncio.create_task(self.hold(user, name, size))

    async def let_go(self, *names):
        for name in names:
            self.go.setdefault(name, asyncio.Event()).set()
            await settle()


async def until(so):
    async with asyncio.timeout(PATIENCE):
        while not so():  # noqa: ASYNC110 - timers of the turns are waited for
            await asyncio.sleep(0)


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


async def test_one_users_jobs_do_not_queue_everybodys():
    held = Held(Turns(2))
    tasks = [held.ask("ada", f"ada {number}") for number in range(3)]
    tasks.append(held.ask("ben", "ben"))
    await settle()
    assert held.begun == ["ada 0", "ben"]
    await held.let_go("ben")
    assert held.begun == ["ada 0", "ben"], "one of a user at a time"
    await held.let_go("ada 0", "ada 1", "ada 2")
    await asyncio.gather(*tasks)
    assert held.begun == ["ada 0", "ben", "ada 1", "ada 2"]


async def test_users_who_wait_are_served_in_turn():
    held = Held(Turns(1))
    tasks = [held.ask(user, f"{user} {number}") for user in ("ada", "ben", "cleo") for number in range(2)]
    await settle()
    await held.let_go("ada 0", "ben 0", "cleo 0", "ada 1", "ben 1", "cleo 1")
    await asyncio.gather(*tasks)
    assert held.begun == ["ada 0", "ben 0", "cleo 0", "ada 1", "ben 1", "cleo 1"]


async def test_who_waits_too_long_gets_no_turn_and_takes_none_later():
    held = Held(Turns(1, patience=0.0))
    first = held.ask("ada", "first")
    await settle()
    with pytest.raises(NoTurn):
        await held.hold("ben", "second")
    await held.let_go("first")
    await first
    await held.let_go("third")
    await held.hold("ben", "third")
    assert held.begun == ["first", "third"]


async def test_a_long_turn_leaves_its_slot_to_the_next_as_far_as_some_may_go_on_beside():
    held = Held(turns := Turns(1, beside=2, after=0.0))
    users = ("ada", "ben", "cleo", "gus", "eve")
    tasks = [held.ask(user, user) for user in users]
    tasks.append(held.ask("ada", "ada again"))
    await until(lambda: len(held.begun) == 3)
    await settle()
    assert held.begun == ["ada", "ben", "cleo"], "two go on beside the one slot"
    await held.let_go("ben")
    await until(lambda: len(held.begun) == 4)
    assert held.begun == ["ada", "ben", "cleo", "gus"]
    await held.let_go("gus")
    await until(lambda: len(held.begun) == 5)
    await held.let_go("ada", "eve", "cleo", "ada again")
    await asyncio.gather(*tasks)
    assert held.begun == [*users, "ada again"]
    assert turns.waiting == 0
    last = [Held(turns).ask(user, user) for user in users]
    await until(lambda: turns.waiting == 2)
    for each in last:
        each.cancel()
    await asyncio.gather(*last, return_exceptions=True)
    assert turns.waiting == 0


async def test_a_turn_that_is_not_long_keeps_its_slot_whatever_goes_on_beside_it():
    held = Held(Turns(1, beside=2, after=3_600.0))
    tasks = [held.ask(user, user) for user in ("ada", "ben")]
    await settle()
    assert held.begun == ["ada"]
    await held.let_go("ada", "ben")
    await asyncio.gather(*tasks)
    assert held.begun == ["ada", "ben"]


async def test_who_is_cancelled_while_waiting_or_at_the_moment_of_the_turn_takes_no_slot():
    held = Held(turns := Turns(1))
    async with turns.turn("ada", 0):
        second, third = held.ask("ben", "second"), held.ask("cleo", "third")
        await settle()
        second.cancel()
        await settle()
    third.cancel()  # the slot was given to it, and it has not begun
    await asyncio.gather(second, third, return_exceptions=True)
    await held.let_go("fourth")
    await held.hold("ada", "fourth")
    assert held.begun == ["fourth"]


async def test_only_so_much_waits():
    held = Held(Turns(1))
    tasks = [held.ask("ada", "0")]
    await settle()
    tasks += [held.ask("ada", str(number)) for number in range(MAX_WAITING)]
    await settle()
    with pytest.raises(NoTurn):
        await held.hold("ada", "too many")
    tasks.append(held.ask("ben", "large", MAX_WAITING_BYTES + 1))
    await settle()
    with pytest.raises(NoTurn):
        await held.hold("ben", "too large beside it", 1)
    with pytest.raises(NoTurn):
        await held.hold("cleo", "too large beside all", MAX_BYTES - MAX_WAITING_BYTES)
    assert held.turns.waiting == MAX_WAITING + 1
    for each in tasks:
        each.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert held.turns.waiting == 0
    await held.let_go("again")
    await held.hold("cleo", "again", MAX_BYTES)
