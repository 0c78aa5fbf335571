"""Asks the store once what several subscriptions ask at the same moment."""

import asyncio
from typing import Any

from domain.questions import Question
from graphql_api.ports import StateReader


class SharedReads:
    """Reads that wait for a `turn`: until a read begins, whoever asks the same question waits for its answer.

    INVARIANT: nobody is answered by a read that began before they asked, so that each sees the commit that woke them, and
    rights as they are after it.
    """

    def __init__(self) -> None:
        self._waiting: dict[Question[Any], asyncio.Task[Any]] = {}

    async def read[Answer](self, store: StateReader, question: Question[Answer], turn: asyncio.Semaphore) -> Answer:
        reading = self._waiting.get(question)
        if reading is None:
            reading = asyncio.create_task(self._read(store, question, turn))
            reading.add_done_callback(_heard)
            self._waiting[question] = reading
        answer: Answer = await asyncio.shield(reading)
        return answer

    async def _read(self, store: StateReader, question: Question[Any], turn: asyncio.Semaphore) -> Any:
        try:
            await turn.acquire()
        finally:
            del self._waiting[question]
        try:
            return await store.read(question)
        finally:
            turn.release()


def _heard(reading: asyncio.Task[Any]) -> None:
    """Take a failure for noted, also where nobody waits for the answer any more."""
    if not reading.cancelled():
        reading.exception()
