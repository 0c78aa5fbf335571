"""A balancer of the tests: each connection goes to the next of the nodes whose `/readyz` answers 200."""

import asyncio
from contextlib import asynccontextmanager, suppress
from itertools import count
from urllib.parse import urlsplit

import httpx
from servers import async_http


class Balanced:
    """Several nodes behind one address: whatever else a test asks is the first one's."""

    def __init__(self, nodes, origin):
        self.nodes, self.origin = nodes, origin

    def __getattr__(self, name):
        return getattr(self.nodes[0], name)


class Balancer:
    def __init__(self, nodes, asking):
        self.origins = [node.origin for node in nodes]
        self.asking = asking
        self.turns = count()

    async def ready(self):
        """A connection to the next node that is ready; None where none is."""
        first = next(self.turns)
        for turn in range(len(self.origins)):
            origin = self.origins[(first + turn) % len(self.origins)]
            with suppress(httpx.TransportError, ConnectionError):
                if (await self.asking.get(f"{origin}/readyz")).is_success:
                    return await asyncio.open_connection(urlsplit(origin).hostname, urlsplit(origin).port)
        return None

    async def serve(self, reader, writer):
        found = await self.ready()
        if found is None:
            writer.close()
            return
        there, back = found
        async with asyncio.TaskGroup() as both:
            both.create_task(pipe(reader, back))
            both.create_task(pipe(there, writer))


async def pipe(source, target):
    with suppress(OSError):
        while part := await source.read(65536):
            target.write(part)
            await target.drain()
    with suppress(OSError):
        target.close()
        await target.wait_closed()


@asynccontextmanager
async def balanced(*nodes):
    async with async_http() as asking:
        server = await asyncio.start_server(Balancer(nodes, asking).serve, "127.0.0.1", 0)
        try:
            yield Balanced(nodes, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        finally:
            server.close()
