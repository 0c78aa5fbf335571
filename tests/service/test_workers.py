"""How what runs beside the requests is ended."""

import asyncio

from structlog.testing import capture_logs

from domain.errors import Unavailable
from service import workers
from service.workers import run_in_background, run_workers
from tests.support.processes.servers import PATIENCE


async def test_what_loses_a_cancellation_is_cancelled_again(monkeypatch):
    monkeypatch.setattr(workers, "CANCEL_SECONDS", 0.0)
    lost = []

    async def hears_the_third():
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                lost.append("one")
                if len(lost) == 3:
                    raise

    async with asyncio.timeout(PATIENCE), run_in_background(hears_the_third()):
        await asyncio.sleep(0)
    assert len(lost) == 3


async def test_a_worker_that_takes_a_cancellation_for_a_lost_database_is_ended(monkeypatch):
    monkeypatch.setattr(workers, "CANCEL_SECONDS", 0.0)
    turns = []

    class Indexing:
        every = 60.0

        async def turn(self):
            turns.append("begun")
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                raise Unavailable("the connection is closed") from None

    async with asyncio.timeout(PATIENCE), run_workers(Indexing()):
        await asyncio.sleep(0)
    assert turns == ["begun"]


async def test_one_that_failed_is_told_of_and_the_others_are_ended():
    ended = []

    async def fails():
        raise RuntimeError("as it is")

    async def waits():
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("the other")

    with capture_logs() as told:
        async with asyncio.timeout(PATIENCE), run_in_background(fails(), waits()):
            await asyncio.sleep(0)
    assert ended == ["the other"]
    assert [str(each["exc_info"]) for each in told] == ["as it is"]
