"""Opens the database that a server or a command works with: one that was named, or the embedded one, started if need be."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from persistence.postgres.connections import translate_errors
from persistence.postgres.embedded import RunningPostgres, start, url_of_running
from persistence.postgres.migrations import migrate
from service.folders import PASSABLE, PRIVATE, private_folder
from service.settings import Settings


@contextmanager
def database(settings: Settings, *, bare: bool = False) -> Iterator[tuple[str, RunningPostgres | None]]:
    """Yield the address of a migrated (or, asked for so, untouched) database, and the embedded Postgres if it is that."""
    if settings.database_url:
        if not bare:
            with translate_errors:
                migrate(settings.database_url)
        yield settings.database_url, None
        return
    private_folder(settings.data, PRIVATE if os.geteuid() else PASSABLE)
    with start(settings.data / "postgres") as running:
        if not bare:
            migrate(running.url)
        yield running.url, running


@contextmanager
def database_beside(settings: Settings, *, bare: bool = False) -> Iterator[str]:
    """Yield the address of the database for a command, which may run beside the server or alone."""
    url = None if settings.database_url else url_of_running(settings.data / "postgres")
    if url:
        yield url
        return
    with database(settings, bare=bare) as (address, _):
        yield address
