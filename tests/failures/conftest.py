"""Servers to be killed, on data that outlives them."""

import shutil
import tempfile
from pathlib import Path

import pytest

from tests.support.processes.servers import serving


@pytest.fixture(scope="module")
def home():
    """A folder for data that Postgres's account may pass, kept from one server of the module to the next."""
    made = Path(tempfile.mkdtemp(prefix="codrive-tests-"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def served(home):
    with serving(home / "served") as running:
        yield running
