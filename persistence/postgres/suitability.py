"""Checks that a database that was named suits the server, before anything is made in it."""

from typing import Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from persistence.postgres.connections import connect
from persistence.postgres.installation import CannotStart

OLDEST: Final = 15
ENCODING: Final = "UTF8"
ROUNDS: Final = 3  # in which a pool that gives its connections in turn shows itself, too


def check_suitable(url: str) -> None:
    """Raise CannotStart, which says what to do, or psycopg.OperationalError where the database does not answer."""
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:  # its text may hold the password
        raise CannotStart("`DATABASE_URL` must be postgresql://user:password@host:port/database") from None
    with connect(url) as connection:
        if connection.info.server_version < OLDEST * 10_000:
            raise CannotStart(
                f"PostgreSQL {OLDEST} or newer is needed: this is {connection.info.server_version // 10_000}"
            )
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != ENCODING:
            raise CannotStart(
                f"the database must be encoded in {ENCODING}, and this one is in {encoding}: make another one"
            )
        if _shares_connections(connection, url):
            raise CannotStart(
                "a pool stands before the database that shares connections, which breaks the locks that order changes: "
                "connect directly, or through a pool in session mode"
            )


def _shares_connections(connection: psycopg.Connection, url: str) -> bool:
    """Whether what answers the connection also answers others, or changes, as pools in transaction and statement mode have it."""
    mine = _process(connection)
    for _ in range(ROUNDS):
        try:
            # in a transaction, for which a pool takes a process that is free
            with connect(url, autocommit=False) as other:
                if _process(other) == mine:
                    return True
        except psycopg.errors.ProtocolViolation:  # the pool has transactions of one statement
            return True
        if _process(connection) != mine:
            return True
    return False


def _process(connection: psycopg.Connection) -> object:
    """Return the id of the process of PostgreSQL that answers."""
    return connection.execute("select pg_backend_pid()", prepare=False).fetchone()
