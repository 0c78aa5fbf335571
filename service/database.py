"""Opens the database that a server or a command works with: one that was named, or the embedded one, started if need be."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from persistence.postgres.connections import translate_errors
from persistence.postgres.embedded import RunningPostgres, start, url_of_running
from persistence.postgres.migrations import migrate
from persistence.postgres.suitability import check_suitable
from service.folders import PASSABLE, PRIVATE, private_folder
from service.settings import Settings


@dataclass(frozen=True, slots=True)
class Database:
    """A database by its address, and the embedded Postgres if it is that; `was_new` if it had no tables when it was opened."""

    url: str
    running: RunningPostgres | None
    was_new: bool


@contextmanager
def database(settings: Settings, *, bare: bool = False) -> Iterator[Database]:
    """Yield a migrated (or, asked for so, untouched) database."""
    if settings.database_url:
        with translate_errors:
            check_suitable(settings.database_url)
            was_new = not bare and migrate(settings.database_url)
        yield Database(settings.database_url, None, was_new)
        return
    private_folder(settings.data, PRIVATE if os.geteuid() else PASSABLE)
    with start(settings.data / "postgres") as running:
        yield Database(running.url, running, not bare and migrate(running.url))


@contextmanager
def opening(settings: Settings) -> Iterator[Callable[[], Database]]:
    """Open the database in a thread, as the body begins; yield what waits until it is open and returns it."""
    with ExitStack() as opened, ThreadPoolExecutor(1, "database") as thread:
        yield thread.submit(opened.enter_context, database(settings)).result


@contextmanager
def database_beside(settings: Settings, *, bare: bool = False) -> Iterator[str]:
    """Yield the address of the database for a command, which may run beside the server or alone."""
    url = None if settings.database_url else url_of_running(settings.data / "postgres")
    if url:
        yield url
        return
    with database(settings, bare=bare) as opened:
        yield opened.url
