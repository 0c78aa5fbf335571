"""Brings a database of any age to the present tables.

A new one gets them at once, by `schema.sql`; an older one by the revisions in `versions`. Tests compare the two with `tables`.

Servers of several releases may serve one database, while they are replaced one after the other. So a revision only expands what is
there, and one that takes away what the servers of an earlier one need (contracts) is of a later release. It raises `OLDEST`, and
`schema_support` with it: it waits for no server, but is not run while one of those is running, and none of those starts behind it.
"""

import logging
import subprocess
import sys
import time
from pathlib import Path

import psycopg
from psycopg import sql

from persistence.postgres.connections import connect
from persistence.postgres.installation import CannotStart

# What the files are called before their first `_` is the revision: a test holds them to it.
NEWEST = max(path.name.partition("_")[0] for path in Path(__file__).parent.glob("versions/[0-9]*_*.py"))

OLDEST = "0035"
"""The oldest revision of which servers may serve a database at the newest one; what does not say its own is of this one."""

LOCK = 7_305_808_869_232_001
"""The advisory lock of whoever migrates: other servers wait for it, and then find nothing left to do."""

ADMISSION = 7_305_808_869_232_003
"""The advisory lock under which servers begin, one after the other, and none while somebody migrates."""

_SCHEMA = Path(__file__).parents[1] / "schema.sql"
_log = logging.getLogger(__name__)
_STAMP = """
create table alembic_version (version_num varchar(32) not null, constraint alembic_version_pkc primary key (version_num));
insert into alembic_version values ({});
insert into schema_support (oldest) values ({})"""
_LOOK_SECONDS = 0.5
# An older database does not have all of these columns.
_OLDER = """
select id, renewed_at, to_jsonb(n) ->> 'pid', to_jsonb(n) ->> 'host' from node n
where coalesce(nullif(to_jsonb(n) ->> 'revision', ''), '0035') < %s
    and renewed_at > clock_timestamp() - interval '6 seconds'"""


def migrate(url: str) -> bool:
    """Bring the database at `url` to the newest revision; raises psycopg.OperationalError where it is not there.

    Return whether it had no tables when this began, also where another server made them meanwhile. One at a later revision is left as
    it is. Raises CannotStart where this release may not serve it, or where servers run that could not serve it afterwards.
    """
    with connect(url) as connection:
        found = _revision(connection)
        if found == NEWEST:
            return False
        was_new = _is_new(connection)
        connection.execute("select pg_advisory_lock(%s)", [LOCK])
        if _is_new(connection):
            _make_tables(connection)
        found = _revision(connection)
        if found == NEWEST:
            return was_new
        if found and found > NEWEST:
            _check_supported(connection, found)
            return was_new
        check_no_older_server(connection)
    _log.info("migrating the database from revision %s to %s", found, NEWEST)
    _upgrade(url)
    return was_new


def _check_supported(connection: psycopg.Connection, found: str) -> None:
    """Raise CannotStart where the database, which is at a later revision, says that servers of this release may not serve it."""
    row = connection.execute("select oldest from schema_support").fetchone()
    if row is None or row[0] > NEWEST:
        raise CannotStart(
            f"the database is at revision {found} of a newer release, and this one knows {NEWEST} at most: "
            "start that release, or restore a backup that this one made"
        )
    _log.warning(
        "the database is at revision %s of a newer release, beside which this one, at %s, may serve", found, NEWEST
    )


def check_no_older_server(connection: psycopg.Connection) -> None:
    """Raise CannotStart while a server runs that could not serve the newest revision; one that just died is waited for."""
    if connection.execute("select to_regclass('node') is null").fetchone() == (True,):
        return
    seen: dict[int, object] = {}
    while older := connection.execute(_OLDER, [OLDEST]).fetchall():
        for lease, renewed_at, pid, host in older:
            if seen.setdefault(lease, renewed_at) != renewed_at:
                raise CannotStart(
                    f"a server of a release that is too old runs on this database (process {pid} at {host}): stop it first, "
                    "since it could not serve what this one makes of the database"
                )
        time.sleep(_LOOK_SECONDS)


def _is_new(connection: psycopg.Connection) -> bool:
    return connection.execute("select to_regclass('alembic_version') is null").fetchone() == (True,)


def _make_tables(connection: psycopg.Connection) -> None:
    try:
        with connection.transaction():
            connection.execute(_SCHEMA.read_bytes())
            connection.execute(sql.SQL(_STAMP).format(NEWEST, OLDEST))
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
    with connect(url) as connection:
        found = connection.execute("select exists (select from pg_tables where schemaname = 'public')").fetchone()
    return found == (False,)
