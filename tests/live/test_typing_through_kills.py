"""What is there after `kill -9` in the middle of typing: every acknowledged edit, once, with whoever made it."""

import asyncio
import os
import random
import signal

import pytest

from tests.support.live import npm
from tests.support.live.people import World
from tests.support.live.streams import said, survived
from tests.support.processes import servers
from tests.support.suite.rounds import ROUNDS, seed

pytestmark = pytest.mark.slow
KILLS = {"server": 10 * ROUNDS, "database": 2 * ROUNDS}  # in full 100 and 20
SEED = seed()


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("kills") / "data"


@pytest.mark.parametrize(
    ("victim", "round_"), [(victim, each) for victim, kills in KILLS.items() for each in range(kills)]
)
async def test_no_acknowledged_edit_is_lost_and_none_is_doubled(data, clients, victim, round_):
    chance = random.Random(f"{SEED} {victim} {round_}")
    flags = ("--port", servers.free_port())
    with servers.serving(data, *flags) as served:
        async with World(served) as world:
            document = await world.document()
            for name, who, client in (("a", "ada", "4"), ("b", "ben", chance.choice(npm.HOCUSPOCUS))):
                await clients("open", name, **world.way(document, who, client))
                await clients("synced", name)
            for name in ("a", "b"):
                await clients("stream", name, every=chance.randint(1, 5), mark=name)
            await clients(chance.choice(["typed", "streamed"]), "a", least=chance.randint(5, 200))
            os.kill(served.process.pid if victim == "server" else served.postmaster, signal.SIGKILL)
            halted = {name: await clients("halt", name) for name in ("a", "b")}
            if victim == "database":
                await survived(clients, world, document, halted)
                return
        await clients("off", "a")
        await clients("off", "b")
        assert served.ended() == -signal.SIGKILL
    with servers.serving(data, *flags) as again:
        async with World(again) as world:
            read = await world.read(document)
            for name, by in halted.items():
                assert said(read, name)[: by["safe"]] == list(range(1, by["safe"] + 1))
            await clients("on", "a")
            await clients("on", "b")
            await survived(clients, world, document, halted)


async def test_a_server_that_is_stopped_says_come_back_and_has_all_that_was_acknowledged(data, clients):
    with servers.serving(data, "--port", servers.free_port()) as served:
        async with World(served) as world:
            document = await world.document()
            await clients("open", "a", **world.way(document))
            await clients("open", "y", **world.way(document, "ben", "y"))
            await clients("synced", "y")
            await clients("stream", "a", every=2, mark="a")
            await clients("streamed", "a", least=20)
            assert await asyncio.to_thread(served.end) == 0
            halted = await clients("halt", "a")
            for name in ("a", "y"):
                assert (await clients("closed", name))["codes"][0] == 4205
                await clients("off", name)
    with servers.serving(data) as again:
        async with World(again) as world:
            read = said(await world.read(document), "a")
            assert read[: halted["safe"]] == list(range(1, halted["safe"] + 1))
