"""The Postgres that tests use: one cluster, a migrated template in it, a clone for whoever asks."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from persistence.postgres.embedded import RunningPostgres, start
from tests.support.processes.servers import PATIENCE

_TOLD = "select shobj_description(oid, 'pg_database') from pg_database where datname = %s"
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


def template(cluster_url: str, name: str, of: str, fill: Callable[[str], str]) -> str:
    """Make the database `name` to clone, as the first of several workers, and return what `fill` told of it then."""
    identifier, unfinished = sql.Identifier(name), f"{name}_in_the_making"
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(1)")
        found = connection.execute(_TOLD, [name]).fetchone()
        if found is None:
            make_database(connection, unfinished, of)
            told = fill(url_of(unfinished, cluster_url))
            comment = sql.SQL("comment on database {} is {}")
            connection.execute(comment.format(sql.Identifier(unfinished), sql.Literal(told)))
            connection.execute(sql.SQL("alter database {} rename to {}").format(sql.Identifier(unfinished), identifier))
            return told
    return str(found[0])


async def asked(connection: psycopg.AsyncConnection, question: str) -> Any:
    """Return the first value that the database answers, in good time, that is neither false nor nothing."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await (await connection.execute(question)).fetchone()
            if found and found[0]:
                return found[0]
            await asyncio.sleep(0)


@contextmanager
def clone(cluster_url: str, name: str, of: str = "template1") -> Iterator[str]:
    """Give the URL of a database of one's own, dropped afterwards with whoever is still in it."""
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        make_database(connection, name, of)
    url = url_of(name, cluster_url)
    yield url
    drop(cluster_url, url)


def drop(cluster_url: str, url: str) -> None:
    """Drop the database at `url`, if it is there, with whoever is still in it."""
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        drop_database(connection, urlsplit(url).path.removeprefix("/"))


def make_database(connection: psycopg.Connection, name: str, of: str) -> None:
    drop_database(connection, name)
    create = sql.SQL("create database {} template {}")
    connection.execute(create.format(sql.Identifier(name), sql.Identifier(of)))


def drop_database(connection: psycopg.Connection, name: str) -> None:
    connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
