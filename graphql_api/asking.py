"""Bounds on the questions that operations ask of the store: how many each, and how many at once for one user."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from domain.errors import Code, Rejection
from graphql_api.refused import Refused

MAX_QUESTIONS: Final = 1_000  # of one operation
FREE_QUESTIONS: Final = 10  # of one operation, which wait for nobody
MAX_AT_ONCE: Final = 2  # of one user beyond the free ones, so that a quarter of the readers serves any one user


def too_many_questions() -> Refused:
    said = f"answering this takes more than {MAX_QUESTIONS} look-ups: ask for fewer items, or for less of each"
    return Refused(Rejection(Code.LIMIT_EXCEEDED, said))


class Turns:
    """Whose operations ask much at the moment; what nobody waits for is gone."""

    def __init__(self, at_once: int = MAX_AT_ONCE) -> None:
        self._at_once = at_once
        self._of: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def of(self, user_id: str, asked: int) -> AsyncIterator[None]:
        """Wait for a turn with the question which is number `asked` of its operation."""
        if asked <= FREE_QUESTIONS:
            yield
            return
        turns = self._of.setdefault(user_id, asyncio.Semaphore(self._at_once))
        async with turns:
            yield
