"""Fixtures over the real server of a worker: people of the demo world, who ask it on every surface."""

from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.support.processes.running import Server
from tests.support.processes.servers import http
from tests.support.surfaces.callers import Person

RATES = ("reads", "writes", "images", "bad-sign-ins")
GENEROUS = (
    *(word for rate in RATES for word in (f"--{rate}-per-minute", "1000000")),
    *("--allowed-origins", "https://inspector.example"),
)
"""Flags of a server that is too generous for any test to meet its rates."""


@pytest.fixture(scope="session")
def server(shared_server: Callable[..., Server]) -> Server:
    return shared_server(*GENEROUS)


@pytest.fixture(scope="session")
def client(server: Server) -> Iterator[httpx.Client]:
    with client_of(server) as made:
        yield made


def client_of(server: Server) -> httpx.Client:
    return http(server.origin)


@pytest.fixture(scope="session")
def people(server: Server, client: httpx.Client) -> dict[str, Person]:
    return {name: Person.of(server, name, client) for name in server.credentials["users"]}


@pytest.fixture(scope="session")
def grace(people: dict[str, Person]) -> Person:
    return people["grace"]


@pytest.fixture(scope="session")
def ada(people: dict[str, Person]) -> Person:
    return people["ada"]


@pytest.fixture(scope="session")
def ben(people: dict[str, Person]) -> Person:
    return people["ben"]


@pytest.fixture(scope="session")
def cleo(people: dict[str, Person]) -> Person:
    return people["cleo"]


@pytest.fixture(scope="session")
def gus(people: dict[str, Person]) -> Person:
    return people["gus"]
