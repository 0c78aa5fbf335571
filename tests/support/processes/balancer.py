"""A balancer of the tests: each connection goes to the next of the nodes whose `/readyz` answers 200."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.support.processes.servers import Served, async_http


class Balanced:
    """Several nodes behind one address: whatever else a test asks is the first one's."""

    def __init__(self, nodes: Sequence[Served], origin: str) -> None:
        self.nodes, self.origin = nodes, origin

    def __getattr__(self, name: str) -> Any:
        return getattr(self.nodes[0], name)


class Balancer:
    def __init__(self, origins: Sequence[str], asking: httpx.AsyncClient) -> None:
        self.origins, self.asking = origins, asking
        self.turns = count()

    async def ready(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """A connection to the next node that is ready; None where none is."""
        first = next(self.turns)
        for turn in range(len(self.origins)):
            origin = self.origins[(first + turn) % len(self.origins)]
            with suppress(httpx.TransportError, ConnectionError):
                if (await self.asking.get(f"{origin}/readyz")).is_success:
                    return await asyncio.open_connection(urlsplit(origin).hostname, urlsplit(origin).port)
        return None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        found = await self.ready()
        if found is None:
            writer.close()
            return
        there, back = found
        async with asyncio.TaskGroup() as both:
            both.create_task(pipe(reader, back))
            both.create_task(pipe(there, writer))


async def pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while part := await source.read(65536):
            target.write(part)
            await target.drain()
    with suppress(OSError):
        target.close()
        await target.wait_closed()


@asynccontextmanager
async def listening(origins: Sequence[str], port: int = 0) -> AsyncIterator[str]:
    """Balance at a port; yield its address."""
    async with async_http() as asking:
        server = await asyncio.start_server(Balancer(origins, asking).serve, "127.0.0.1", port)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()


@asynccontextmanager
async def balanced(*nodes: Served) -> AsyncIterator[Balanced]:
    async with listening([node.origin for node in nodes]) as origin:
        yield Balanced(nodes, origin)


@contextmanager
def balancing(origins: Sequence[str], port: int) -> Iterator[None]:
    """Balance in a thread, at a port that is known before the nodes are there."""
    listens, loop, ended = threading.Event(), asyncio.new_event_loop(), asyncio.Event()

    async def balance() -> None:
        async with listening(origins, port):
            listens.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=[balance()], daemon=True)
    thread.start()
    listens.wait()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
