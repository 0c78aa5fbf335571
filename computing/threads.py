"""Runs work that needs the server's own memory in threads, so that passwords, compression and the system's own work never wait for it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

MAX_THREADS: Final = 4
_threads: Final = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="document")


async def in_thread[T](act: Callable[[], T]) -> T:
    """Return what `act` returns in one of the threads; a thread goes on where nobody waits for it any more."""
    return await asyncio.get_running_loop().run_in_executor(_threads, act)
