"""A running server with the demo world, and clients from npm that talk to it."""

import npm
import pytest
import servers
from people import World


def pytest_collection_modifyitems(items):
    """The fallback's turn at everything takes long; whether it speaks the protocol is told at once."""
    for item in items:
        if "served" in item.fixturenames and "asgi" in item.name and item.path.stem != "test_sockets":
            item.add_marker(pytest.mark.slow)


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
