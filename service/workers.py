"""Runs the background workers: each at the start, and then periodically until the server stops."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

import structlog

from domain.errors import Unavailable

CANCEL_SECONDS: Final = 2.0  # seconds after which a cancelled task that still runs is cancelled again
_log: Final = structlog.get_logger("service")


class Worker(Protocol):
    """A turn may run twice, in two processes at once, or end half way, without doing harm."""

    @property
    def every(self) -> float:
        """Seconds between two runs."""
        ...

    async def turn(self) -> None: ...


class Leadership(Protocol):
    async def lead(self) -> None:
        """Return when this process leads those on its database."""
        ...


@dataclass(frozen=True, slots=True)
class Led:
    """Has a worker take its turns at one process of all that are on the database, the one that leads.

    A turn that is under way goes on where another process begins to lead meanwhile: see `Worker`.
    """

    worker: Worker
    leadership: Leadership

    @property
    def every(self) -> float:
        return self.worker.every

    async def turn(self) -> None:
        await self.leadership.lead()
        await self.worker.turn()


def run_workers(*workers: Worker) -> AbstractAsyncContextManager[None]:
    return run_in_background(*map(_work, workers))


@asynccontextmanager
async def run_in_background(*works: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run these until the block ends, then cancel them until they have ended.

    One cancellation may get lost: where a driver fails while it cleans up after it, another error takes its place, and a
    task that continues after errors would run for ever.
    """
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        going_on = set(tasks)
        while going_on:
            for task in going_on:
                task.cancel()
            _, going_on = await asyncio.wait(going_on, timeout=CANCEL_SECONDS)
        for task in tasks:
            if not task.cancelled() and (error := task.exception()):
                _log.error("what ran in the background had failed", exc_info=error)


async def _work(worker: Worker) -> None:
    """Run the turns of a worker; a failed one is repeated."""
    while True:
        try:
            await worker.turn()
        except Unavailable as fault:
            _log.warning("a worker waits for the database", worker=_name(worker), error=str(fault))
        except Exception:  # noqa: BLE001 - the next turn may be better, and other workers are not concerned
            _log.exception("a worker's turn failed", worker=_name(worker))
        await asyncio.sleep(worker.every)


def _name(worker: Worker) -> str:
    return type(worker.worker if isinstance(worker, Led) else worker).__name__
