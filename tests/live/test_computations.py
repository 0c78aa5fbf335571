"""Computations take turns: few at a time, one for each user, and a turn ends with its thread."""

import asyncio
import threading
from datetime import UTC, datetime

import pytest
from servers import PATIENCE

from documents.build import from_tree
from documents.markdown_in import parse
from domain.document import DocumentLog, LoggedUpdate
from domain.errors import Unavailable
from domain.questions import AuthorNamesOf, LogOf
from live.computations import Computations
from live.version_reader import VersionReader


class Held:
    """Computations that run until they are let go, and tell which have begun."""

    def __init__(self, computations):
        self.computations = computations
        self.begun = []
        self.told = asyncio.Queue()
        self.go = {}

    def run(self, user_id, name):
        self.go[name] = threading.Event()

        async def read():
            self.begun.append(name)
            self.told.put_nowait(name)
            return name

        def act(name):
            self.go[name].wait()
            return name

        return asyncio.create_task(self.computations.run(user_id, read, act))

    async def next(self):
        async with asyncio.timeout(PATIENCE):
            return await self.told.get()


@pytest.fixture
def held():
    made = Held(Computations(most=2))
    yield made
    for each in made.go.values():
        each.set()


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


async def test_one_users_computations_do_not_queue_everybodys(held):
    tasks = [held.run("ada", f"ada {number}") for number in range(3)]
    assert await held.next() == "ada 0"
    ben = held.run("ben", "ben")
    assert await held.next() == "ben"
    held.go["ben"].set()
    assert await ben == "ben"
    assert held.begun == ["ada 0", "ben"]
    held.go["ada 0"].set()
    assert await held.next() == "ada 1"
    for name in ("ada 1", "ada 2"):
        held.go[name].set()
    assert await asyncio.gather(*tasks) == ["ada 0", "ada 1", "ada 2"]


async def test_no_more_run_at_a_time_than_there_are_threads(held):
    for number in range(4):
        held.run(f"user {number}", str(number))
    assert [await held.next(), await held.next()] == ["0", "1"]
    await settle()
    assert held.begun == ["0", "1"]
    held.go["1"].set()
    assert await held.next() == "2"


async def test_a_turn_ends_with_its_thread_and_not_with_who_waits_for_it(held):
    gone = held.run("ada", "first")
    await held.next()
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    held.run("ada", "second")
    await settle()
    assert held.begun == ["first"]
    held.go["first"].set()
    assert await held.next() == "second"


async def test_who_waits_too_long_is_told_to_come_again():
    held = Held(Computations(most=1, patience=0))
    first = held.run("ada", "first")
    assert await held.next() == "first"
    with pytest.raises(Unavailable):
        await held.run("ben", "second")
    held.go["first"].set()
    assert await first == "first"


async def test_a_computation_that_fails_ends_its_turn():
    computations = Computations(most=1)

    async def read():
        return 0

    async def unreadable():
        raise Unavailable

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await computations.run("ada", read, lambda zero: 1 / zero)
        with pytest.raises(Unavailable):
            await computations.run("ada", unreadable, lambda _: None)


class OneDocument:
    """A reader of one document that is too large to be read at once."""

    def __init__(self):
        self.update = from_tree(parse("\n\n".join(map(str, range(500)))), 1)

    async def read(self, question):
        at = datetime(2026, 11, 24, tzinfo=UTC)
        if isinstance(question, LogOf):
            return DocumentLog(None, None, (LoggedUpdate(self.update, "ada", None, at),), 1)
        assert isinstance(question, AuthorNamesOf)
        return {"ada": "Ada"}


@pytest.mark.parametrize("asked", ["attributions", "credits"])
async def test_who_wrote_what_is_computed_once_at_a_time_for_each_user(asked):
    held = Held(Computations(most=2, patience=0))
    versions = VersionReader(OneDocument(), computations=held.computations)
    first = held.run("ada", "something else of Ada's")
    await held.next()
    with pytest.raises(Unavailable):
        await getattr(versions, asked)("document", 1, "ada")
    assert await getattr(versions, asked)("document", 1, "ben")
    held.go["something else of Ada's"].set()
    await first
