"""A running server with the demo world, and its people, who ask over MCP and over REST."""

import pytest

from tests.support.surfaces.approval import browser  # noqa: F401 - who approves what an application asks for
from tests.support.surfaces.fixtures import GENEROUS, ada, ben, cleo, client, people  # noqa: F401 - the same people, of the server below


@pytest.fixture(scope="session")
def server(shared_server):
    return shared_server(*GENEROUS)
