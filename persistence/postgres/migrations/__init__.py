"""Migrates a database of any age to the present tables, by the revisions in `versions`; a test compares them with `tables`."""

import subprocess
import sys
from pathlib import Path

import psycopg

from persistence.postgres.installation import CannotStart

# What the files are called before their first `_` is the revision: a test holds them to it.
NEWEST = max(path.name.partition("_")[0] for path in Path(__file__).parent.glob("versions/[0-9]*_*.py"))


def migrate(url: str) -> None:
    """Bring the database at `url` to the newest revision; raises psycopg.OperationalError where it is not there.

    In a process of its own, and only where it is not there yet: Alembic and the table classes are 40 MB that a server
    would hold for ever.
    """
    if _revision(url) == NEWEST:
        return
    # the address may hold a password, which arguments would show to everybody
    done = subprocess.run([sys.executable, "-m", __name__], input=url, text=True, check=False)  # noqa: S603 - ourselves
    if done.returncode:
        raise CannotStart("the database could not be migrated: the error is above")


def _revision(url: str) -> str | None:
    with psycopg.connect(url, autocommit=True) as connection:
        if connection.execute("select to_regclass('public.alembic_version')").fetchone() == (None,):
            return None
        found = connection.execute("select version_num from public.alembic_version").fetchone()
    return str(found[0]) if found else None


def is_empty(url: str) -> bool:
    """Whether nobody ever made a table there; raises psycopg.OperationalError where there is no database."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute("select exists (select from pg_tables where schemaname = 'public')").fetchone()
    return found == (False,)
