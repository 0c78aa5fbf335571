"""The migrated database is the one that the tables describe, to the last index."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from persistence.installation import CannotStart
from persistence.migrations import NEWEST, migrate
from persistence.migrations.__main__ import configuration
from persistence.tables import SQLModel

SCHEMA = """
select 'column', table_name, column_name, concat(data_type, is_nullable, column_default, is_identity, collation_name)
from information_schema.columns where table_schema = 'public'
union all
select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
from pg_constraint where connamespace = 'public'::regnamespace
union all
select 'index', tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
union all
select 'option', relname, '', reloptions::text from pg_class where relnamespace = 'public'::regnamespace"""


def schema(url):
    with psycopg.connect(url) as connection:
        rows = {row for row in connection.execute(SCHEMA) if "alembic_version" not in f"{row[1]}{row[2]}"}
    assert rows
    return rows


def test_the_migrated_database_is_the_one_that_the_tables_describe(fresh_database):
    described = fresh_database(migrated=False)
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(described))
    SQLModel.metadata.create_all(engine)
    engine.dispose()
    assert schema(fresh_database()) == schema(described)


def test_two_servers_that_start_at_once_migrate_once(fresh_database):
    empty = fresh_database(migrated=False)
    with ThreadPoolExecutor(2) as servers:
        list(servers.map(migrate, [empty, empty]))
    assert schema(empty) == schema(fresh_database())


def test_the_files_are_called_by_their_revisions():
    assert ScriptDirectory.from_config(configuration()).get_heads() == [NEWEST]


def test_a_database_of_a_later_server_is_left_alone(fresh_database, capfd):
    later = fresh_database()
    with psycopg.connect(later, autocommit=True) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    with pytest.raises(CannotStart, match="said above"):
        migrate(later)
    assert "9999" in capfd.readouterr().err
