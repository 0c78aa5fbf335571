"""PostgreSQL fails over to a synchronous standby while people type at two nodes: all that was acknowledged, once, by whoever typed it."""

import asyncio
import random
import shutil
from contextlib import ExitStack

import pytest

from persistence.postgres.migrations import migrate
from persistence.store import PostgresStore
from tests.nodes.rows import PEOPLE, check_rows
from tests.support.database.replicated import replicated
from tests.support.live.people import World
from tests.support.live.streams import read_again, said, survived
from tests.support.processes import servers
from tests.support.processes.demo_world import populate
from tests.support.suite.rounds import ROUNDS, seed


@pytest.fixture
def database(tmp_path):
    """A primary and its standby with the demo world, whose credentials are in the folder."""
    tmp_path.chmod(0o711)

    def fill(url):
        migrate(url)
        (tmp_path / "credentials.json").write_text(populate(url))

    with replicated(tmp_path, fill) as both:
        yield both


@pytest.mark.parametrize("round_", range(max(1, ROUNDS // 2)))  # five in full
async def test_what_is_typed_at_two_nodes_outlives_the_primary(database, tmp_path, typists, round_):
    chance = random.Random(f"{seed()} {round_}")
    with ExitStack() as stack:
        flags = ("--blobs", tmp_path / "images", "--drain-seconds", "0")
        running = {}
        for name in PEOPLE:
            (tmp_path / name).mkdir()
            shutil.copy(tmp_path / "credentials.json", tmp_path / name)
            serving = servers.serving(tmp_path / name, *flags, DATABASE_URL=database.url)
            running[name] = stack.enter_context(serving)
        async with World(running["a"]) as world:
            document = await world.document()
            for name, who in PEOPLE.items():
                async with World(running[name]) as there:
                    await typists("open", name, **there.way(document, who, chance.choice("34")))
                await typists("synced", name)
            for name in PEOPLE:
                await typists("stream", name, every=chance.randint(1, 5), mark=name)
            await typists(
                chance.choice(["typed", "streamed"]), chance.choice(sorted(PEOPLE)), least=chance.randint(5, 200)
            )
            await asyncio.to_thread(database.fail_over)
            await typists("typed", "a", least=chance.randint(200, 1_000))
            halted = {name: await typists("halt", name) for name in PEOPLE}
            read = await read_again(world, document)
            for name, by in halted.items():
                assert said(read, name)[: by["safe"]] == list(range(1, by["safe"] + 1))
            await survived(typists, world, document, halted)
            async with PostgresStore(database.url, readers=1, writers=1) as store:
                await check_rows(store, document, world)
