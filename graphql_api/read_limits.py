"""Limits of the questions that operations ask of the store: of each operation, and at once of one user."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from domain.errors import Code, Rejection
from graphql_api.errors import RejectionError

MAX_QUESTIONS: Final = 1_000  # of one operation
FREE_QUESTIONS: Final = 10  # of one operation, which do not wait
MAX_AT_ONCE: Final = 2  # of one user beyond the free ones, so that a quarter of the readers serves any one user


def too_many_questions() -> RejectionError:
    message = f"answering this takes more than {MAX_QUESTIONS} look-ups: ask for fewer items, or for less of each"
    return RejectionError(Rejection(Code.LIMIT_EXCEEDED, message))


class ConcurrentReads:
    """Bound on the questions of one user at once; a user without any takes no memory."""

    def __init__(self, at_once: int = MAX_AT_ONCE) -> None:
        self._at_once = at_once
        self._slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def slot(self, user_id: str, asked: int) -> AsyncIterator[None]:
        """Wait until fewer than the bound run, with the question that is number `asked` of its operation."""
        if asked <= FREE_QUESTIONS:
            yield
            return
        slots = self._slots.setdefault(user_id, asyncio.Semaphore(self._at_once))
        async with slots:
            yield
