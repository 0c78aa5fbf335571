"""Two servers on one database, each as its operator runs it."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.live.npm import clients
from tests.support.processes.servers import launch_demo, serving

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def nodes(demo_world, tmp_path_factory):
    """`with nodes() as (one, other)` starts two servers on a copy of the demo world, which stop at once when they are stopped."""

    @contextmanager
    def started(*flags, script="without_polls.py", **variables):
        folder, begun = tmp_path_factory.mktemp("nodes"), HERE / script
        flags = ("--drain-seconds", "0", "--blobs", str(folder / "images"), *flags)
        with demo_world.serving(folder / "one", *flags, script=begun, **variables) as one:
            second = folder / "other"
            second.mkdir()
            (second / "credentials.json").write_text(demo_world.credentials)
            database = {"DATABASE_URL": one.database}
            with serving(second, *flags, begin=launch_demo, script=begun, **variables, **database) as other:
                yield one, other

    return started


@pytest.fixture(scope="module")
def two(nodes):
    with nodes() as both:
        yield both


@pytest.fixture
async def typists():
    async with clients() as made:
        yield made
