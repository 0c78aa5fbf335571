"""A running server with the demo world, and clients from npm that talk to it."""

import npm
import pytest
import servers
from people import World


@pytest.fixture(scope="session", params=["picows", "asgi"])
def served(tmp_path_factory, request):
    with servers.serving(tmp_path_factory.mktemp("live") / "data", "--sockets", request.param) as running:
        yield running


@pytest.fixture
async def clients():
    async with npm.clients() as made:
        yield made


@pytest.fixture
async def world(served):
    async with World(served) as made:
        yield made
