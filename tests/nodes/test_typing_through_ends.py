"""A node that is killed, sleeps or is stopped while people type at it and at another: all that was acknowledged, once, by whoever typed it."""

import asyncio
import os
import random
import signal

import pytest

from persistence.store import PostgresStore
from tests.nodes.leases import leases
from tests.nodes.rows import PEOPLE, check_rows
from tests.support.live.people import World
from tests.support.live.streams import said, survived
from tests.support.processes import servers
from tests.support.suite.rounds import ROUNDS, seed

SEED = seed()
IN_FULL = ROUNDS > 1
TIMES = {"killed": 20 * ROUNDS, "asleep": 5 * ROUNDS if IN_FULL else 10, "stopped": 2 * ROUNDS if IN_FULL else 3}


class Nodes:
    """Two servers, each of which begins again on its folder and at its port."""

    def __init__(self, folder, demo_world):
        self.folder, self.demo_world = folder, demo_world
        self.running, self.ports = {}, {name: servers.free_port() for name in PEOPLE}

    def start(self, name, database):
        data = self.folder / name
        data.mkdir(exist_ok=True)
        (data / "credentials.json").write_text(self.demo_world.credentials)
        flags = ("--port", self.ports[name], "--blobs", self.folder / "images")
        self.running[name] = servers.launch_demo(data, *flags, DATABASE_URL=database)
        assert self.running[name].origin

    def again(self, name):
        self.start(name, self.running[name].database)


@pytest.fixture(scope="module")
def pair(demo_world, tmp_path_factory):
    made = Nodes(tmp_path_factory.mktemp("ends"), demo_world)
    with demo_world.copied() as url:
        try:
            for name in PEOPLE:
                made.start(name, url)
            yield made
        finally:
            for node in made.running.values():
                if node.process.poll() is None:
                    node.end()


async def killed(pair, name, typists, store):
    del store
    os.kill(pair.running[name].process.pid, signal.SIGKILL)
    assert await asyncio.to_thread(pair.running[name].ended) == -signal.SIGKILL
    await typists("off", name)


async def stopped(pair, name, typists, store):
    del store
    assert await asyncio.to_thread(pair.running[name].end) == 0
    await typists("off", name)


async def asleep(pair, name, typists, store):
    """Until others have taken it for gone."""
    del typists
    before = await leases(store)
    os.kill(pair.running[name].process.pid, signal.SIGSTOP)
    try:

        async def is_gone():
            return len(await leases(store)) < len(before)

        await servers.async_eventually(is_gone)
    finally:
        os.kill(pair.running[name].process.pid, signal.SIGCONT)


async def back(pair, name, typists):
    if pair.running[name].process.poll() is not None:
        await asyncio.to_thread(pair.again, name)
        await typists("on", name)


@pytest.mark.parametrize(
    ("end", "round_"), [(end, each) for end in (killed, asleep, stopped) for each in range(TIMES[end.__name__])]
)
async def test_what_is_typed_at_two_nodes_outlives_the_end_of_one(pair, typists, end, round_):
    chance = random.Random(f"{SEED} {end.__name__} {round_}")
    victim, other = chance.sample(sorted(PEOPLE), 2)
    survivor = pair.running[other]
    async with (
        World(survivor) as world,
        PostgresStore(survivor.database, readers=1, writers=1) as store,
    ):
        document = await world.document()
        for name, who in PEOPLE.items():
            async with World(pair.running[name]) as there:
                await typists("open", name, **there.way(document, who, chance.choice("34")))
            await typists("synced", name)
        for name in PEOPLE:
            await typists("stream", name, every=chance.randint(1, 5), mark=name)
        await typists(chance.choice(["typed", "streamed"]), chance.choice(sorted(PEOPLE)), least=chance.randint(5, 200))
        await end(pair, victim, typists, store)
        halted = {name: await typists("halt", name) for name in PEOPLE}
        read = await world.read(document)
        for name, by in halted.items():
            assert said(read, name)[: by["safe"]] == list(range(1, by["safe"] + 1))
        await back(pair, victim, typists)
        await survived(typists, world, document, halted)
        await check_rows(store, document, world)
