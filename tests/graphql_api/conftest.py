"""The demo world: populated once for each worker, and as it was then for each test."""

import re
from typing import Any

import psycopg
import pytest

from demo.populate import populate
from live.document_reader import DocumentReader
from persistence.postgres.tables import SQLModel
from tests.graphql_api.world import demo_world
from tests.support.database.clusters import clone
from tests.support.database.searching import IndexedStore, indexed
from tests.support.documents.jobs import JOBS

ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TABLES = tuple(SQLModel.metadata.tables)
# A trigger counts in a sequence, which no transaction waits for, that a table was written to.
KEEP = """
create schema kept;
create function kept.count() returns trigger language plpgsql as $$
begin perform nextval('kept.writes_to_' || tg_table_name); return null; end $$;
""" + "".join(
    f"""
create table kept.{table} as table {table};
create sequence kept.writes_to_{table};
create trigger writes after insert or update or delete or truncate on {table} execute function kept.count();
"""
    for table in TABLES
)
WRITTEN = """
select substr(sequencename, 11) from pg_sequences where schemaname = 'kept' and last_value is not null
"""
# As a replica's, the statements of a restore check no foreign keys, need no order and are not counted.
REPLICA = "set session_replication_role = replica; "
RESTORE = """
delete from {table}; insert into {table} overriding system value select * from kept.{table};
select setval('kept.writes_to_{table}', 1, false);
"""


async def no_password(_user_id, _password):
    return


@pytest.fixture(scope="session")
async def populated(cluster_url, migrated_template, worker_id):
    """A store with the demo world in it, the world's credentials, and a connection that restores it."""
    with clone(cluster_url, f"demo_{worker_id}", migrated_template) as url:
        async with IndexedStore(url, readers=2, writers=2) as store:
            credentials = await populate(store, DocumentReader(store, runner=JOBS), no_password)
            await indexed(store)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(KEEP)
                connection.execute(REPLICA)
                yield store, credentials, connection


@pytest.fixture
async def world(populated):
    store, credentials, connection = populated
    yield await demo_world(store, credentials)
    store.feed.listeners.clear()
    written = [RESTORE.format(table=table) for (table,) in connection.execute(WRITTEN).fetchall()]
    connection.execute("".join(written))


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Postgres is told meanwhile, with every id written alike."""
    told: list[str] = []
    execute = psycopg.AsyncCursor.execute

    async def tell(cursor: Any, query: Any, *arguments: Any, **options: Any) -> Any:
        told.append(ID.sub("ID", query.decode() if isinstance(query, bytes) else str(query)))
        return await execute(cursor, query, *arguments, **options)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", tell)
    return told
