"""Servers with the demo world: it is made once for all workers, and each server starts on a copy of its database."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from uuid import uuid4

from clusters import clone, drop, template

from computing.runner import JobRunner
from live.document_reader import DocumentReader
from persistence.store import PostgresStore
from service.first_start import first_start
from service.settings import Settings
from tests.servers import Served, launch_demo, serving
from tests.surfaces.running import Server, running

NAME = "template_with_the_demo_world"


def populate(url: str) -> str:
    """Fill a migrated database as the first start of a server does, and return the credentials as JSON."""

    async def go() -> str:
        async with PostgresStore(url, readers=1, writers=1) as store:
            settings = Settings(demo=True, credentials=Path("credentials.json"))  # so that everybody has a password
            made = await first_start(store, DocumentReader(store, runner=JobRunner()), settings)
        return json.dumps(made.demo)

    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        return runner.run(go())


@dataclass(frozen=True, slots=True)
class DemoWorld:
    """A database to copy, and the credentials of those who are in it, as a server writes them but for its address."""

    cluster_url: str
    credentials: str

    @classmethod
    def made_once(cls, cluster_url: str, migrated: str) -> Self:
        return cls(cluster_url, template(cluster_url, NAME, migrated, populate))

    @contextmanager
    def copied(self) -> Iterator[str]:
        """Give the URL of a copy, which is dropped afterwards."""
        with clone(self.cluster_url, f"demo_{uuid4().hex}", NAME) as url:
            yield url

    @contextmanager
    def running(self, *flags: str, **variables: str) -> Iterator[Server]:
        """Start a server on a copy, wait until it answers, and stop it afterwards."""
        with self.copied() as url, running(*flags, known=self.credentials, DATABASE_URL=url, **variables) as server:
            yield server

    @contextmanager
    def serving(self, data: Path, *flags: str, begin: Callable = launch_demo, **variables: str) -> Iterator[Served]:
        """Do the same with `tests.servers.serving`, on a folder that outlives the server."""
        with self.copied() as url:
            data.mkdir(exist_ok=True)
            (data / "credentials.json").write_text(self.credentials)
            with serving(data, *flags, begin=begin, DATABASE_URL=url, **variables) as served:
                yield served

    def lose(self, server: Server) -> None:
        """Drop the database of a server while it runs."""
        drop(self.cluster_url, server.database)
