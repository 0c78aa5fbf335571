"""The world that the suite of the port begins with."""

import pytest

from tests.support.worlds.acts import World


@pytest.fixture
def world(postgres):
    yield World((postgres,))
    postgres.feed.listeners.clear()
