"""Fixtures that every folder of tests may use: databases on a real Postgres."""

import gc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from persistence.store import PostgresStore
from tests.support.database.clusters import clone, start_cluster, stop_cluster, template
from tests.support.suite import outcomes, rounds, samples

# a busy machine is no fault of a test
settings.register_profile(
    "codrive", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=rounds.examples(100)
)
settings.load_profile("codrive")

# what tests log has plain tracebacks, as the service's has: to draw one with its variables, the default here, takes a second
PLAIN = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
structlog.configure(processors=[*structlog.get_config()["processors"][:-1], PLAIN])

HERE = Path(__file__).parent
SLOW_FIXTURES = {"attacked", "demo_world", "fresh_database", "served", "server"}
"""A running server, or a database of one's own: a test that asks one of these fixtures is slow."""
SLOW = (
    # each test starts servers, browsers or clients of its own
    "app",
    "clients",
    "failures",
    "live/test_floods.py",
    "nodes",
    # whole clusters and databases, many rows, or many rounds
    "persistence/test_embedded.py",
    "persistence/test_listing.py",
    "persistence/test_migrations.py",
    "persistence/test_plans.py",
    "persistence/test_races.py",
    "persistence/test_search_cost.py",
    "ports/test_model_agrees.py",
)
"""Folders and files whose tests are slow without one; single tests elsewhere say so themselves."""


@cache
def is_in_slow(path: Path) -> bool:
    return any(path.is_relative_to(HERE / each) for each in SLOW)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config, items):
    assert all((HERE / each).exists() for each in SLOW), "a folder or file of SLOW has another name now"
    for item in items:
        if is_in_slow(item.path) or not SLOW_FIXTURES.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.slow)
    if not config.getoption("all"):
        also = config.getoption("also")
        samples.choose(config, items, also.read_text("utf-8").splitlines() if also else ())


def pytest_collection_finish():
    """Keep the collector of garbage from looking at the thousands of tests again and again."""
    gc.collect()
    gc.freeze()


SHARED = pytest.StashKey()


class SharedCluster:
    """With xdist the controller starts the one cluster and tells each worker where it is."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        stash = node.config.stash
        if SHARED not in stash:
            stash[SHARED] = start_cluster()
        node.workerinput["cluster_url"] = stash[SHARED].url

    def pytest_unconfigure(self, config):
        if SHARED in config.stash:
            stop_cluster(config.stash[SHARED])


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run every test, also those that rotate from commit to commit")
    parser.addoption(
        "--two-nodes", action="store_true", help="start two servers for one, and spread all that asks it over both"
    )
    parser.addoption("--also", type=Path, help="run the tests that are named in this file whatever their turn")
    parser.addoption("--outcomes", type=Path, help="write what became of each test to this file")


@pytest.hookimpl(tryfirst=True)  # before Hypothesis reads its option
def pytest_configure(config):
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(rounds.seed())
    config.pluginmanager.register(SharedCluster())
    config.pluginmanager.register(outcomes)
    if config.option.outcomes and not hasattr(config, "workerinput"):
        config.pluginmanager.register(outcomes.Outcomes(config.option.outcomes))


@pytest.fixture(scope="session")
def cluster_url(request) -> Iterator[str]:
    """A superuser's way into the session's Postgres."""
    shared = getattr(request.config, "workerinput", {}).get("cluster_url")
    if shared:
        yield shared
        return
    own = start_cluster()
    yield own.url
    stop_cluster(own)


@pytest.fixture(scope="session")
def migrated_template(cluster_url) -> str:
    def migrate(url: str) -> str:
        import_module("persistence.postgres.migrations").migrate(url)
        return "migrated"

    template(cluster_url, name := "template_of_tests", "template1", migrate)
    return name


@pytest.fixture(scope="session")
async def browser():
    """The one Chromium of this worker: each test has contexts of its own in it."""
    async with import_module("tests.support.processes.browser").browsing() as opened:
        yield opened


@pytest.fixture(scope="session")
def demo_world(cluster_url, migrated_template, pytestconfig):
    made_once = import_module("tests.support.processes.demo_world").DemoWorld.made_once
    return made_once(cluster_url, migrated_template, is_spread=pytestconfig.getoption("two_nodes"))


@pytest.fixture(scope="session")
def running(demo_world):
    """`with running(*flags) as server` is a server of one's own that begins with the demo world."""
    return demo_world.running


@pytest.fixture(scope="session")
def shared_server(running):
    """`shared_server(*flags)` is the one server of this worker with these flags; it may log no fault."""
    servers = {}
    with ExitStack() as started:

        def server_with(*flags: str, **variables: str):
            key = (flags, frozenset(variables.items()))
            if key not in servers:
                servers[key] = started.enter_context(running(*flags, **variables))
            return servers[key]

        yield server_with
        assert [fault for server in servers.values() for fault in server.faults()] == []


@pytest.fixture(scope="session")
def database_url(cluster_url, migrated_template, worker_id) -> Iterator[str]:
    """A migrated database for all tests of this worker: roll back what you write, or ask for a fresh one."""
    with clone(cluster_url, f"worker_{worker_id}", migrated_template) as url:
        yield url


@pytest.fixture(scope="session")
async def postgres(cluster_url, migrated_template, worker_id) -> AsyncIterator[PostgresStore]:
    """A store of this worker, in which worlds with ids of their own lie beside each other; nothing is cleared."""
    with clone(cluster_url, f"worlds_{worker_id}", migrated_template) as url:
        async with import_module("tests.support.database.searching").IndexedStore(url) as store:
            yield store


numbers = count(1)


@pytest.fixture
def fresh_database(cluster_url, worker_id, request) -> Iterator[Callable[..., str]]:
    """`fresh_database()` makes a migrated database for one test, `fresh_database(migrated=False)` an empty one."""
    with ExitStack() as made:

        def make(*, migrated: bool = True) -> str:
            of = request.getfixturevalue("migrated_template") if migrated else "template1"
            return made.enter_context(clone(cluster_url, f"fresh_{worker_id}_{next(numbers)}", of))

        yield make
