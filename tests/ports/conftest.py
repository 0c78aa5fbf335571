"""The stores that the suite of the port runs over, one after the other and side by side."""

from contextlib import asynccontextmanager

import pytest
from acts import World
from clusters import clone
from searching import IndexedStore

from persistence.memory import MemoryStore


@asynccontextmanager
async def in_memory(_):
    yield MemoryStore()


@asynccontextmanager
async def on_postgres(request):
    async with IndexedStore(request.getfixturevalue("database_of_ports")) as store:
        yield store


STORES = {"memory": in_memory, "postgres": on_postgres}


@pytest.fixture(scope="session")
def database_of_ports(cluster_url, migrated_template, worker_id):
    with clone(cluster_url, f"ports_{worker_id}", migrated_template) as url:
        yield url


@pytest.fixture(scope="session", params=STORES)
async def store(request):
    async with STORES[request.param](request) as opened:
        yield opened


@pytest.fixture
def world(store):
    return World((store,))


@pytest.fixture(scope="session")
async def postgres(request):
    async with on_postgres(request) as opened:
        yield opened
