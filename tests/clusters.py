"""The Postgres that tests use: one cluster, a migrated template in it, a clone for whoever asks."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from persistence.postgres.embedded import RunningPostgres, start

TEMPLATE = "template_of_tests"
UNFINISHED = "template_in_the_making"
OTHER_BACKENDS = "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
"""SQL: the other connections to the database that is asked; the rest of the cluster belongs to other tests."""


def start_cluster() -> RunningPostgres:
    """Start a Postgres that forgets everything in a crash, in a directory that `stop_cluster` removes."""
    directory = Path(tempfile.mkdtemp(prefix="codrive-tests-"))
    directory.chmod(0o711)
    return start(directory, durable=False)


def stop_cluster(cluster: RunningPostgres) -> None:
    cluster.stop()
    shutil.rmtree(cluster.cluster.root)


def url_of(database: str, beside: str) -> str:
    """The URL of `database` in the cluster where the URL `beside` leads."""
    return urlsplit(beside)._replace(path=f"/{database}").geturl()


@contextmanager
def template(cluster_url: str, migrate: Callable[[str], None]) -> Iterator[str]:
    """Give the name of a migrated database to clone; of several workers the first one makes it, once."""
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(1)")
        found = connection.execute("select 1 from pg_database where datname = %s", (TEMPLATE,)).fetchone()
        if found is None:
            make_database(connection, UNFINISHED, "template1")
            migrate(url_of(UNFINISHED, cluster_url))
            rename = sql.SQL("alter database {} rename to {}")
            connection.execute(rename.format(sql.Identifier(UNFINISHED), sql.Identifier(TEMPLATE)))
    yield TEMPLATE


@contextmanager
def clone(cluster_url: str, name: str, of: str = "template1") -> Iterator[str]:
    """Give the URL of a database of one's own, dropped afterwards with whoever is still in it."""
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        make_database(connection, name, of)
    yield url_of(name, cluster_url)
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        drop_database(connection, name)


def make_database(connection: psycopg.Connection, name: str, of: str) -> None:
    drop_database(connection, name)
    create = sql.SQL("create database {} template {}")
    connection.execute(create.format(sql.Identifier(name), sql.Identifier(of)))


def drop_database(connection: psycopg.Connection, name: str) -> None:
    connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
