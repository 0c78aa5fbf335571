"""Serves an ASGI application with uvicorn in the test's own event loop."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import uvicorn


@asynccontextmanager
async def serving_asgi(application: Any, **options: Any) -> AsyncIterator[int]:
    """Give the port; `options` are uvicorn's. On leaving, what is in flight is answered and the server ended."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    config = uvicorn.Config(application, lifespan="off", log_config=None, access_log=False, **options)
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext  # type: ignore[method-assign, assignment]  # signals are for the tests
    task = asyncio.create_task(server.serve([listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task
        listener.close()
