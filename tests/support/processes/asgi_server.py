"""Serves an ASGI application with uvicorn in the test's own event loop."""

import asyncio
import socket
from contextlib import asynccontextmanager, nullcontext

import uvicorn


@asynccontextmanager
async def serving_asgi(application, **options):
    """Give the port; `options` are uvicorn's. On leaving, what is in flight is answered and the server ended."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    config = uvicorn.Config(application, lifespan="off", log_config=None, access_log=False, **options)
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext
    task = asyncio.create_task(server.serve([listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task
        listener.close()
