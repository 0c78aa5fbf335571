"""Brings a database of any age to the present tables.

A new one gets them at once, by `schema.sql`; an older one by the revisions in `versions`. Tests compare the two with `tables`.
"""

import logging
import subprocess
import sys
from pathlib import Path

import psycopg
from psycopg import sql

from persistence.postgres.installation import CannotStart

# What the files are called before their first `_` is the revision: a test holds them to it.
NEWEST = max(path.name.partition("_")[0] for path in Path(__file__).parent.glob("versions/[0-9]*_*.py"))


LOCK = 7_305_808_869_232_001
"""The advisory lock of whoever migrates: other servers wait for it, and then find nothing left to do."""

_SCHEMA = Path(__file__).parents[1] / "schema.sql"
_log = logging.getLogger(__name__)
_STAMP = """
create table alembic_version (version_num varchar(32) not null, constraint alembic_version_pkc primary key (version_num));
insert into alembic_version values ({})"""


def migrate(url: str) -> bool:
    """Bring the database at `url` to the newest revision; raises psycopg.OperationalError where it is not there.

    Return whether it had no tables when this began, also where another server made them meanwhile.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        found = _revision(connection)
        if found == NEWEST:
            return False
        was_new = _is_new(connection)
        connection.execute("select pg_advisory_lock(%s)", [LOCK])
        if _is_new(connection):
            _make_tables(connection)
        if _revision(connection) == NEWEST:
            return was_new
    if found and found > NEWEST:
        raise CannotStart(
            f"the database is at revision {found} of a newer release, and this one knows {NEWEST} at most: "
            "start that release, or restore a backup that this one made"
        )
    _log.info("migrating the database from revision %s to %s", found, NEWEST)
    _upgrade(url)
    return was_new


def _is_new(connection: psycopg.Connection) -> bool:
    return connection.execute("select to_regclass('alembic_version') is null").fetchone() == (True,)


def _make_tables(connection: psycopg.Connection) -> None:
    try:
        with connection.transaction():
            connection.execute(_SCHEMA.read_bytes())
            connection.execute(sql.SQL(_STAMP).format(NEWEST))
    except psycopg.ProgrammingError as error:
        raise CannotStart(f"the tables could not be made: {error}") from error


def _upgrade(url: str) -> None:
    """Run the missing revisions in a process of its own: Alembic and the table classes are 40 MB, held until the end."""
    # the address may hold a password, which arguments would show to everybody
    done = subprocess.run([sys.executable, "-m", __name__], input=url, text=True, check=False)  # noqa: S603 - ourselves
    if done.returncode:
        raise CannotStart("the database could not be migrated: the error is above")


def _revision(connection: psycopg.Connection) -> str | None:
    if _is_new(connection):
        return None
    found = connection.execute("select version_num from alembic_version").fetchone()
    return str(found[0]) if found else None


def is_empty(url: str) -> bool:
    """Whether nobody ever made a table there; raises psycopg.OperationalError where there is no database."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute("select exists (select from pg_tables where schemaname = 'public')").fetchone()
    return found == (False,)
