"""Servers with the demo world: it is made once for all workers, and each server starts on a copy of its database."""

import asyncio
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from computing.runner import JobRunner
from live.document_reader import DocumentReader
from persistence.store import PostgresStore
from service.first_start import first_start
from service.settings import Settings
from tests.support.database.clusters import clone, drop, template
from tests.support.processes.balancer import balancing
from tests.support.processes.running import Server, running
from tests.support.processes.servers import Served, free_port, launch_demo, serving

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
    """A database to copy, and the credentials of those who are in it, as a server writes them but for its address.

    Where it `is_spread`, each server that is started is two, and whoever asks it comes to the one and the other in turn.
    """

    cluster_url: str
    credentials: str
    is_spread: bool

    @classmethod
    def made_once(cls, cluster_url: str, migrated: str, *, is_spread: bool = False) -> Self:
        return cls(cluster_url, template(cluster_url, NAME, migrated, populate), is_spread)

    @contextmanager
    def copied(self) -> Iterator[str]:
        """Give the URL of a copy, which is dropped afterwards."""
        with clone(self.cluster_url, f"demo_{uuid4().hex}", NAME) as url:
            yield url

    @contextmanager
    def running(self, *flags: str, **variables: str) -> Iterator[Server]:
        """Start a server on a copy, wait until it answers, and stop it afterwards."""
        given = {"known": self.credentials, **variables}
        with self.copied() as url, self.nodes(flags) as (first, *others), ExitStack() as started:
            server = started.enter_context(running(*first, DATABASE_URL=url, **given))
            beside = [started.enter_context(running(*each, DATABASE_URL=url, **given)) for each in others]
            yield server
            assert [fault for each in beside for fault in each.faults()] == []

    @contextmanager
    def serving(
        self, data: Path, *flags: str, begin: Callable[..., Served] = launch_demo, **variables: Any
    ) -> Iterator[Served]:
        """Do the same with `servers.serving`, on a folder that outlives the server."""
        with self.copied() as url, self.nodes(flags) as each, ExitStack() as started:
            servers = []
            for number, own in enumerate(each):
                folder = data.with_name(f"{data.name}-{number}") if number else data
                folder.mkdir(exist_ok=True)
                (folder / "credentials.json").write_text(self.credentials)
                serves = serving(folder, *own, begin=begin, DATABASE_URL=url, **variables)
                servers.append(started.enter_context(serves))
            yield servers[0]

    @contextmanager
    def nodes(self, flags: Sequence[str]) -> Iterator[list[Sequence[str]]]:
        """Yield the flags of each server: of one, or of two that have the address of a balancer."""
        if not self.is_spread:
            yield [flags]
            return
        port, *ports = [free_port() for _ in range(3)]
        with tempfile.TemporaryDirectory() as blobs, balancing([f"http://127.0.0.1:{each}" for each in ports], port):
            shared = (*flags, "--origin", f"http://127.0.0.1:{port}", "--blobs", blobs)
            yield [(*shared, "--port", str(each)) for each in ports]

    def lose(self, server: Server) -> None:
        """Drop the database of a server while it runs."""
        drop(self.cluster_url, server.database)
