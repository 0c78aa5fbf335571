"""The database of the migrations, and the new one, are the one that the tables describe, to the last index."""

import sys
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from domain.sort_key import sort_key
from persistence.postgres import migrations
from persistence.postgres.installation import CannotStart
from persistence.postgres.migrations import NEWEST, migrate
from persistence.postgres.migrations.__main__ import configuration, upgrade
from persistence.postgres.tables import SQLModel

SCHEMA = """
select 'column', table_name, column_name, concat(data_type, is_nullable, column_default, is_identity, collation_name)
from information_schema.columns where table_schema = 'public'
union all
select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
from pg_constraint where connamespace = 'public'::regnamespace
union all
select 'index', tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
union all
select 'option', relname, '', reloptions::text from pg_class where relnamespace = 'public'::regnamespace
union all
select 'function', proname, '', pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace"""


# As servers left it that looked the number up in the log, with documents of each kind: one of them was compacted further
# than its updates' numbers go.
OLD_LOGS = """
insert into account (id, name, email, created_at) values (gen_random_uuid(), 'Ada', 'ada@example.com', now());
insert into drive (id, kind, name, created_at, updated_at) values (gen_random_uuid(), 'personal', '', now(), now());
insert into item (id, drive_id, kind, name, created_at, updated_at, created_by_user, updated_by_user)
    select gen_random_uuid(), d.id, case n when 'folder' then 'folder' else 'docs_workbook' end, n, now(), now(),
        a.id, a.id
    from account a, drive d, unnest(array['folder', 'updates', 'snapshot', 'both']) n;
insert into document_update (item_id, sequence, user_id, at, update)
    select i.id, n, i.created_by_user, now(), '' from item i, generate_series(1, 6) n
    where (i.name = 'updates' and n <= 2) or (i.name = 'snapshot' and n between 2 and 6) or (i.name = 'both' and n >= 3);
insert into document_snapshot (item_id, sequence, state)
    select id, case name when 'both' then 2 else 12 end, '' from item where name in ('snapshot', 'both')"""


def schema(url):
    with psycopg.connect(url) as connection:
        rows = set(connection.execute(SCHEMA))
    assert rows
    return rows


def contents(url):
    """The rows of each table as text."""
    with psycopg.connect(url) as connection:
        tables = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
        return {name: connection.execute(f"select t::text from {name} t").fetchall() for (name,) in tables}


@pytest.fixture
def migrated(fresh_database):
    """A database that every migration made, one after the other."""
    url = fresh_database(migrated=False)
    upgrade(url)
    return url


def test_the_migrated_database_is_the_one_that_the_tables_describe(fresh_database, migrated):
    described = fresh_database(migrated=False)
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(described))
    SQLModel.metadata.create_all(engine)
    engine.dispose()
    assert {row for row in schema(migrated) if "alembic_version" not in f"{row[1]}{row[2]}"} == schema(described)


def test_a_new_database_is_what_all_migrations_make_and_is_stamped_as_such(fresh_database, migrated):
    new = fresh_database(migrated=False)
    migrate(new)
    assert schema(new) == schema(migrated)
    assert contents(new) == contents(migrated)
    assert contents(new)["alembic_version"] == [(f"({NEWEST})",)]


def test_a_new_database_gets_its_tables_at_once_without_another_process(fresh_database, monkeypatch):
    new = fresh_database(migrated=False)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    migrate(new)
    assert contents(new)["alembic_version"] == [(f"({NEWEST})",)]


def test_where_the_tables_cannot_be_made_the_reason_is_said_and_nothing_is_left(fresh_database):
    foreign = fresh_database(migrated=False)
    with psycopg.connect(foreign, autocommit=True) as connection:
        connection.execute("create table web_session (id integer)")
    with pytest.raises(CannotStart, match='"web_session" already exists'):
        migrate(foreign)
    assert contents(foreign) == {"web_session": []}


def test_two_servers_that_start_at_once_migrate_once(fresh_database):
    empty = fresh_database(migrated=False)
    with ThreadPoolExecutor(2) as servers:
        list(servers.map(migrate, [empty, empty]))
    assert schema(empty) == schema(fresh_database())


def test_the_files_are_called_by_their_revisions():
    assert ScriptDirectory.from_config(configuration()).get_heads() == [NEWEST]


def test_the_number_of_a_log_is_that_of_its_last_update_or_of_a_later_snapshot(fresh_database):
    url = fresh_database(migrated=False)
    upgrade(url, "0007")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(OLD_LOGS)
    migrate(url)
    with psycopg.connect(url) as connection:
        found = connection.execute("select name, sequence from item order by name").fetchall()
    assert found == [("both", 6), ("folder", 0), ("snapshot", 12), ("updates", 2)]


NAMED = """
insert into account (id, name, email, created_at) values (gen_random_uuid(), 'Ångström 9', 'ada@example.com', now());
insert into organization (id, name, created_at) values (gen_random_uuid(), 'Ångström 9', now());
insert into drive (id, kind, name, created_at, updated_at)
    values (gen_random_uuid(), 'personal', 'Ångström 9', now(), now());
insert into item (id, drive_id, kind, name, created_at, updated_at, created_by_user, updated_by_user)
    select gen_random_uuid(), d.id, 'folder', 'Ordner ' || n, now(), now(), a.id, a.id
    from account a, drive d, generate_series(1, 10001) n"""


def test_every_name_of_before_has_its_sort_key(fresh_database):
    url = fresh_database(migrated=False)
    upgrade(url, "0012")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(NAMED)
    migrate(url)
    with psycopg.connect(url) as connection:
        for table in ("account", "organization", "drive", "item"):
            rows = connection.execute(f"select name, sort_key from {table}").fetchall()
            assert rows
            assert all(key == sort_key(name) for name, key in rows)
        first = connection.execute("select name from item order by sort_key limit 10").fetchall()
    assert first == [(f"Ordner {number}",) for number in range(1, 11)]


NESTED = """
insert into account (id, name, email, created_at) values (gen_random_uuid(), 'Ada', 'ada@example.com', now());
insert into drive (id, kind, name, created_at, updated_at) values (gen_random_uuid(), 'personal', '', now(), now());
insert into item (id, drive_id, kind, name, created_at, updated_at, created_by_user, updated_by_user)
    select gen_random_uuid(), d.id, 'folder', n, now(), now(), a.id, a.id
    from account a, drive d, unnest(array['full', 'empty']) n;
insert into item (id, drive_id, parent_id, kind, name, created_at, updated_at, created_by_user, updated_by_user, trashed_at)
    select gen_random_uuid(), i.drive_id, i.id, 'folder', n::text, now(), now(), i.created_by_user, i.created_by_user,
        case n when 3 then now() end
    from item i, generate_series(1, 3) n where i.name = 'full'"""


def test_every_folder_of_before_counts_its_children(fresh_database):
    url = fresh_database(migrated=False)
    upgrade(url, "0012")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(NESTED)
    migrate(url)
    with psycopg.connect(url) as connection:
        found = connection.execute("select name, children from item order by name").fetchall()
    assert found == [("1", 0), ("2", 0), ("3", 0), ("empty", 0), ("full", 2)]


CUT = """
insert into document_version (item_id, number, sequence, created_at, byte_size)
    select i.id, n, n, now(), 1 from item i, generate_series(1, 2) n where i.name in ('updates', 'snapshot', 'folder')"""


def test_every_document_with_rows_and_versions_is_looked_at_to_be_compacted(fresh_database):
    url = fresh_database(migrated=False)
    upgrade(url, "0007")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(OLD_LOGS)
        connection.execute(CUT)
    migrate(url)
    with psycopg.connect(url) as connection:
        due = "select i.name, d.sequence from compaction_due d join item i on i.id = d.item_id where d.due_at <= now() order by 1"
        assert connection.execute(due).fetchall() == [("snapshot", 2), ("updates", 2)]


AUTHORS = """
insert into document_author (item_id, user_id, agent, edited_at)
    select i.id, i.created_by_user, agent, '2026-01-02' from item i, unnest(array['', 'scribe']) agent where i.name = 'updates';
update document_update set at = '2026-01-01' where sequence = 1"""


def test_the_first_edit_of_every_author_of_before_is_the_first_that_is_known(fresh_database):
    url = fresh_database(migrated=False)
    upgrade(url, "0007")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(OLD_LOGS)
    upgrade(url, "0038")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("delete from document_author")
        connection.execute(AUTHORS)
    migrate(url)
    with psycopg.connect(url) as connection:
        firsts = connection.execute(
            "select agent, first_edited_at::date::text from document_author order by 1"
        ).fetchall()
    assert firsts == [("", "2026-01-01"), ("scribe", "2026-01-02")]


def test_every_document_of_before_is_indexed_again(fresh_database):
    url = fresh_database(migrated=False)
    upgrade(url, "0007")
    with psycopg.connect(url) as connection:
        connection.execute(OLD_LOGS)
    upgrade(url, "0025")
    with psycopg.connect(url) as connection:
        connection.execute("insert into document_text select id, 5, '{}', '{}', '' from item where name <> 'folder'")
        connection.execute("insert into worker_progress (worker, snapshot) values ('search', '1:1:')")
    migrate(url)
    with psycopg.connect(url) as connection:
        assert connection.execute("select count(*), max(sequence) from document_text").fetchone() == (3, 0)
        assert connection.execute("select count(*) from worker_progress where worker = 'search'").fetchone() == (0,)


@pytest.fixture
def later(fresh_database):
    """A database of a later server; `later(oldest)` says which servers may serve it."""
    url = fresh_database()

    def made(oldest):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("update alembic_version set version_num = '9999'")
            connection.execute("update schema_support set oldest = %s", [oldest])
        return url

    return made


def test_a_database_of_a_later_server_that_this_one_may_serve_is_left_as_it_is(later):
    url = later(NEWEST)
    before = schema(url), contents(url)
    assert not migrate(url)
    assert (schema(url), contents(url)) == before


def test_a_database_of_which_a_later_server_took_something_away_is_not_served(later):
    url = later("9999")
    with pytest.raises(CannotStart, match="at revision 9999 of a newer release"):
        migrate(url)


@pytest.fixture
def with_an_older_server(fresh_database, monkeypatch):
    """A database of the last release before `OLDEST`, and how one of its servers renews its lease."""
    url = fresh_database(migrated=False)
    upgrade(url, "0035")
    monkeypatch.setattr(migrations, "OLDEST", "0036")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("insert into node (host, pid, renewed_at) values ('there', 7, now() - interval '5 seconds')")
        yield url, lambda: connection.execute("update node set renewed_at = now()")


def test_a_server_that_could_not_serve_what_is_made_of_the_database_keeps_it_as_it_is(
    with_an_older_server, monkeypatch
):
    url, renew = with_an_older_server
    monkeypatch.setattr(migrations.time, "sleep", lambda _: renew())
    with pytest.raises(CannotStart, match="process 7 at there"):
        migrate(url)
    assert contents(url)["alembic_version"] == [("(0035)",)]


def test_an_older_server_that_died_is_waited_for(with_an_older_server):
    url, _ = with_an_older_server
    migrate(url)
    assert contents(url)["alembic_version"] == [(f"({NEWEST})",)]


PROVED = """
insert into account (id, name, sort_key, email, email_proved_at, created_at)
    values (gen_random_uuid(), 'Ada', '', 'ada@example.com', now(), now());
insert into link (id, digest, purpose, email, expires_at)
    values (gen_random_uuid(), 'a', 'prove_address', 'ada@example.com', now());
insert into event (type, user_id, at, details) select each.type, gen_random_uuid(), now(), each.details::jsonb from (values
    ('accountCreated', '{"account": {"name": "Ada", "emailProved": false}, "driveId": "d"}'),
    ('addressProved', '{"userId": "u", "email": "ada@example.com"}'),
    ('linkMade', '{"link": {"purpose": "prove_address", "mailed": true}}'),
    ('linkMade', '{"link": {"purpose": "sign_in", "mailed": false}}')) each (type, details)"""


def test_addresses_links_and_audit_lines_of_before_are_verified_by_name(fresh_database):
    url = fresh_database(migrated=False)
    upgrade(url, "0017")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(PROVED)
    migrate(url)
    with psycopg.connect(url) as connection:
        assert connection.execute("select email_verified_at is not null from account").fetchall() == [(True,)]
        assert connection.execute("select purpose from link").fetchall() == [("verify_email",)]
        assert connection.execute("select type, details from event order by sequence").fetchall() == [
            ("accountCreated", {"account": {"name": "Ada", "emailVerified": False}, "driveId": "d"}),
            ("emailVerified", {"userId": "u", "email": "ada@example.com"}),
            ("linkMade", {"link": {"purpose": "verify_email", "mailed": True}}),
            ("linkMade", {"link": {"purpose": "sign_in", "mailed": False}}),
        ]


APPROVED = """
insert into account (id, name, email, sort_key, created_at)
    values (gen_random_uuid(), 'Ada', 'ada@example.com', '', now());
insert into service_origin (origin) values ('https://drive.example');
insert into oauth_client (id, name, redirect_uris, refreshes, created_at) values ('client', 'Claude', '{}', true, now());
insert into connected_app (id, user_id, client_id, name, scope, redirect_uri, connected_at)
    select gen_random_uuid(), id, 'client', n, n, '', now() from account, unnest(array['moved', 'unused']) n;
insert into oauth_family (id, app_id, resource, begun_at)
    select gen_random_uuid(), id, r, now() + n * interval '1 day'
    from connected_app, unnest(array['https://old.example/api/v1/mcp', 'https://new.example/api/v1/mcp'])
        with ordinality f (r, n)
    where name = 'moved'"""


def test_every_approval_of_before_is_for_the_address_of_its_last_tokens(fresh_database):
    url = fresh_database(migrated=False)
    upgrade(url, "0019")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(APPROVED)
    migrate(url)
    with psycopg.connect(url) as connection:
        found = connection.execute("""
            select name, resource, (select count(*) from oauth_family f where f.app_id = p.id)
            from connected_app p order by name""").fetchall()
    assert found == [("moved", "https://new.example/api/v1/mcp", 1), ("unused", "https://drive.example/api/v1/mcp", 0)]
