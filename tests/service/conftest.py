"""One real server with the demo world for everything in this folder, and folders for more."""

import shutil
import tempfile
from itertools import count
from pathlib import Path

import pytest

from tests.support.processes.servers import serving

numbers = count(1)


@pytest.fixture(scope="session")
def open_folder():
    made = Path(tempfile.mkdtemp(prefix="codrive-tests-"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def folder(open_folder):
    """A folder of one's own that Postgres's account may pass."""
    made = open_folder / str(next(numbers))
    made.mkdir(mode=0o711)
    return made


@pytest.fixture(scope="session")
def server(open_folder):
    with serving(open_folder / "server", "--log-level", "debug", "--log-format", "json") as running:
        yield running


@pytest.fixture
def client(server):
    with server.client() as made:
        yield made
