"""Locks of drives, organizations and documents: one writer at a time, from before the snapshot until the commit.

Writers of this process queue here, so that they hold no connection while they wait; other processes meet them at
Postgres session locks with the same keys. All take them in the same order.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary

from domain.errors import Unavailable
from domain.values import is_id

UNLOCK = "select pg_advisory_unlock_all()"


def lock(ordered: Iterable[int]) -> str:
    """Return the statements that take the locks one after the other."""
    return "; ".join([f"select pg_advisory_lock({key})" for key in ordered])


def keys(ids: Iterable[str]) -> list[int]:
    """Return the locks of what has these ids in the order in which they are taken; no id, no lock.

    The low half of an id is random, so two of them sharing a lock is next to impossible, and would only slow them.
    """
    return sorted({lock_key(id_) for id_ in ids if is_id(id_)})


def lock_key(id_: str) -> int:
    return int.from_bytes(bytes.fromhex(id_.replace("-", ""))[8:], signed=True)


class LockQueues:
    """The locks of this process; one that nobody holds or waits for is gone."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def held(self, ordered: Sequence[int]) -> AsyncIterator[None]:
        """Hold the locks; raises Unavailable if others hold them too long."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._patience):
                    for key in ordered:
                        await stack.enter_async_context(self._locks.setdefault(key, asyncio.Lock()))
            except TimeoutError as late:
                raise Unavailable("others are changing the same drive just now") from late
            yield
