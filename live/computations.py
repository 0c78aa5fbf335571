"""Runs computations over whole documents in threads: few at a time, and one at a time for each user.

A thread cannot be stopped: what a computation may cost is bounded where it reads what came from outside.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from weakref import WeakValueDictionary

from domain.errors import Unavailable

MAX_THREADS: Final = 2
MAX_SECONDS: Final = 10.0


class Computations:
    """`most` run at a time; who waits longer than `patience` seconds for a turn is refused with Unavailable."""

    def __init__(self, most: int = MAX_THREADS, patience: float = MAX_SECONDS) -> None:
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="document")
        self._free = asyncio.Semaphore(most)
        self._users: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._patience = patience

    async def run[State, T](self, user_id: str, read: Callable[[], Awaitable[State]], act: Callable[[State], T]) -> T:
        """Return what `act` makes in a thread of what `read` found; read only in turn, so that nothing waits in memory.

        The turn ends with the thread, also where nobody waits for its result any more.
        """
        release = await self._acquire(user_id)
        try:
            state = await read()
            running = asyncio.get_running_loop().run_in_executor(self._threads, act, state)
        except BaseException:
            release()
            raise
        del state
        running.add_done_callback(lambda _: release())
        return await asyncio.shield(running)

    async def _acquire(self, user_id: str) -> Callable[[], None]:
        own = self._users.setdefault(user_id, asyncio.Lock())
        try:
            async with asyncio.timeout(self._patience):
                await own.acquire()
                try:
                    await self._free.acquire()
                except BaseException:
                    own.release()
                    raise
        except TimeoutError as late:
            raise Unavailable("too many documents are being edited at once") from late

        def release() -> None:
            self._free.release()
            own.release()

        return release
