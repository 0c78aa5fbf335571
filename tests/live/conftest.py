"""A running server with the demo world, and clients from npm that talk to it."""

from pathlib import Path

import pytest

from tests.support.live import npm
from tests.support.live.people import World


@pytest.fixture(scope="session")
def served(demo_world, tmp_path_factory):
    data, script = tmp_path_factory.mktemp("live") / "data", Path(__file__).with_name("without_rechecks.py")
    with demo_world.serving(data, script=script) as running:
        yield running


@pytest.fixture
async def clients():
    async with npm.clients() as made:
        yield made


@pytest.fixture
async def world(served):
    async with World(served) as made:
        yield made
