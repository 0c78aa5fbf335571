"""The demo world: populated once for each worker, and as it was then for each test."""

import psycopg
import pytest
from clusters import clone
from searching import IndexedStore, indexed
from world import demo_world

from demo.populate import populate
from live.document_reader import DocumentReader
from persistence.postgres.tables import SQLModel

TABLES = tuple(SQLModel.metadata.tables)
# As a replica's, the statements of a restore check no foreign keys and need no order.
KEEP = "create schema kept; " + "; ".join(f"create table kept.{table} as table {table}" for table in TABLES)
RESTORE = "set local session_replication_role = replica; " + "; ".join(
    f"delete from {table}; insert into {table} overriding system value select * from kept.{table}" for table in TABLES
)


async def no_password(_user_id, _password):
    return


def run(url, statements):
    with psycopg.connect(url) as connection:
        connection.execute(statements)


@pytest.fixture(scope="session")
async def populated(cluster_url, migrated_template, worker_id):
    """A store with the demo world in it, and the world's credentials."""
    with clone(cluster_url, f"demo_{worker_id}", migrated_template) as url:
        async with IndexedStore(url, readers=2, writers=2) as store:
            credentials = await populate(store, DocumentReader(store), no_password)
            await indexed(store)
            run(url, KEEP)
            yield store, credentials


@pytest.fixture
async def world(populated):
    store, credentials = populated
    yield await demo_world(store, credentials)
    store.feed.listeners.clear()
    run(str(store.writers.conninfo), RESTORE)
