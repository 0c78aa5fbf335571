"""A store on the worker's database, and a way to empty it: these tests commit."""

import psycopg
import pytest

from persistence.postgres.tables import SQLModel
from tests.persistence.kept_rows import DOCUMENTS
from tests.persistence.seeds import FOLDERS, PEOPLE, write
from tests.support.database.searching import IndexedStore

EMPTY = f"truncate {', '.join(SQLModel.metadata.tables)} restart identity cascade"


@pytest.fixture
async def store(fresh_database):
    async with IndexedStore(fresh_database(), readers=2, writers=4) as opened:
        yield opened


@pytest.fixture
def emptied(store):
    async def empty():
        async with await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as connection:
            await connection.execute(EMPTY)

    return empty


@pytest.fixture
async def seeded(store):
    """The store, with the people, folders and documents of `kept_rows`."""
    await write(store, *PEOPLE, *FOLDERS, *DOCUMENTS)
    return store
