"""Who may join the servers on a database: those that have in common what all must have, of releases that may serve it."""

import psycopg
import pytest

from persistence.postgres.migrations import NEWEST
from tests.support.live.people import World
from tests.support.processes.servers import eventually, http, launch, serving

ORIGIN, TOKEN = "https://drive.example", "t" * 40
COMMON = ("--origin", ORIGIN, "--metrics-token", TOKEN)


@pytest.fixture(scope="module")
def first(demo_world, tmp_path_factory):
    folder = tmp_path_factory.mktemp("joining")
    with demo_world.serving(folder / "one", *COMMON, "--blobs", str(folder / "images")) as served:
        yield served


def joining(first, folder, *flags):
    """A server that is to join the first one; a later flag counts."""
    shared = ("--blobs", first.data.parent / "images", *COMMON, "--drain-seconds", "0")
    return launch(folder, *shared, *flags, DATABASE_URL=first.database)


DIFFERENT = {
    "origin": ("--origin", "https://other.example"),
    "blobs": ("--blobs", "{folder}/elsewhere"),
    "metrics-token": ("--metrics-token", "u" * 40),
    "smtp-url": ("--smtp-url", "smtp://ada:secret@127.0.0.1:9"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_server_that_differs_from_one_that_runs_is_refused_with_a_sentence(first, tmp_path, name):
    other = joining(first, tmp_path / "other", *(each.format(folder=tmp_path) for each in DIFFERENT[name]))
    assert other.ended() == 1
    assert f"process {first.process.pid} at" in other.errors
    assert f"`--{name}`" in other.errors
    assert "secret" not in other.errors


def test_a_server_that_has_all_in_common_joins_and_no_secret_is_stored(first, tmp_path):
    other = joining(first, tmp_path / "other")
    try:
        assert other.origin == ORIGIN
        with psycopg.connect(first.database) as connection:
            rows = connection.execute("select common::text, revision from node").fetchall()
        assert len(rows) == 2
        assert len(set(rows)) == 1
        assert TOKEN not in rows[0][0]
        assert rows[0][1] == NEWEST
    finally:
        other.end()


def test_two_servers_that_start_at_once_on_an_empty_database_make_one_account_and_serve_it(fresh_database, tmp_path):
    url = fresh_database(migrated=False)
    shared = ("--blobs", tmp_path / "images", "--drain-seconds", "0")
    both = [launch(tmp_path / name, *shared, DATABASE_URL=url) for name in ("one", "other")]
    try:
        told = [each.origin and eventually(lambda each=each: "Stop it" in each.text and each.text) for each in both]
        assert sum("API key (shown this once)" in each for each in told) == 1
        for each in both:
            with http(each.origin) as client:
                assert client.get("/readyz").is_success
        with psycopg.connect(url) as connection:
            assert connection.execute("select count(*) from account").fetchone() == (1,)
    finally:
        for each in both:
            if each.process.poll() is None:
                each.end()


@pytest.fixture
def later(two):
    """`later(oldest)` makes of the database of two servers, while they serve it, that of a newer release."""
    with psycopg.connect(two[0].database, autocommit=True) as connection:

        def made(oldest):
            connection.execute("update alembic_version set version_num = '9999'")
            connection.execute("update schema_support set oldest = %s", [oldest])

        yield made
        connection.execute("update alembic_version set version_num = %s", [NEWEST])
        connection.execute("update schema_support set oldest = '0035'")


async def test_an_older_release_begins_beside_others_within_one_expand_and_people_type_at_all(
    two, later, typists, tmp_path
):
    later(NEWEST)
    one, _ = two
    flags = ("--blobs", one.data.parent / "images", "--drain-seconds", "0")
    with serving(tmp_path / "third", *flags, begin=launch, DATABASE_URL=one.database) as third:
        async with World(one) as here:
            document = await here.document()
            await typists("open", "a", **here.way(document))
            at = third.origin.replace("http", "ws") + "/collaboration"
            await typists("open", "b", **here.way(document, "ben") | {"url": at})
            for name in "ab":
                await typists("synced", name)
            await typists("type", "a", text="at the old ")
            await typists("sees", "b", text="at the old ")
            await typists("type", "b", text="and the new")
            await typists("sees", "a", text="and the new")


def test_an_older_release_does_not_begin_on_a_database_of_which_something_was_taken_away(two, later, tmp_path):
    later("9999")
    one, _ = two
    refused = launch(tmp_path / "third", "--blobs", one.data.parent / "images", DATABASE_URL=one.database)
    assert refused.ended() == 1
    assert "at revision 9999 of a newer release" in refused.errors
