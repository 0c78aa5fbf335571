"""What works beside the requests: each worker takes a turn at once, and then again and again until the server stops."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, Protocol

import structlog

from domain.errors import Unavailable

_log: Final = structlog.get_logger("service")


class Worker(Protocol):
    """A turn that is taken twice, by two processes at once, or ended half way leaves nothing that is wrong."""

    @property
    def every(self) -> float:
        """How many seconds to rest between turns."""
        ...

    async def turn(self) -> None: ...


@asynccontextmanager
async def at_work(*workers: Worker) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(_work(worker)) for worker in workers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _work(worker: Worker) -> None:
    """Take turns; one that fails is taken again."""
    while True:
        try:
            await worker.turn()
        except Unavailable as fault:
            _log.warning("a worker waits for the database", worker=type(worker).__name__, error=str(fault))
        except Exception:  # noqa: BLE001 - the next turn may be better, and other workers are not concerned
            _log.exception("a worker's turn failed", worker=type(worker).__name__)
        await asyncio.sleep(worker.every)
