"""Asks the store once what several subscriptions ask at the same moment."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from domain.questions import Both, Each, EventBatch, EventsSince, Follower, FollowerRights, Question, RightsOfFollowers
from graphql_api.ports import StateReader

MAX_PLACES: Final = 16  # from which the events of a drive are read by one statement


@dataclass(slots=True)
class _DriveRead:
    """A read of a drive's new events that waits for its turn: from which places, and for whom."""

    reading: asyncio.Task[tuple[dict[Follower, FollowerRights], dict[EventsSince, EventBatch]]]
    since: dict[EventsSince, None] = field(default_factory=dict)
    followers: dict[Follower, None] = field(default_factory=dict)

    def takes(self, since: EventsSince) -> bool:
        return since in self.since or len(self.since) < MAX_PLACES


class SharedReads:
    """Reads that wait for a `turn`: until a read begins, whoever asks the same question waits for its answer.

    INVARIANT: nobody is answered by a read that began before they asked, so that each sees the commit that woke them, and
    rights as they are after it.
    """

    def __init__(self) -> None:
        self._waiting: dict[Question[Any], asyncio.Task[Any]] = {}
        self._drives: dict[str, _DriveRead] = {}

    async def read[Answer](self, store: StateReader, question: Question[Answer], turn: asyncio.Semaphore) -> Answer:
        reading = self._waiting.get(question)
        if reading is None:
            reading = _begun(turn, lambda: self._waiting.pop(question), lambda: store.read(question))
            self._waiting[question] = reading
        answer: Answer = await asyncio.shield(reading)
        return answer

    async def read_events(
        self, store: StateReader, since: EventsSince, follower: Follower, turn: asyncio.Semaphore
    ) -> tuple[FollowerRights, EventBatch]:
        """Return the new events of a drive, read with those of all who follow it, and the rights of this follower.

        Who are at different places are at the same one afterwards: the events of all are read in one snapshot.
        """
        waiting = self._drives.get(since.drive_id)
        if waiting is None or not waiting.takes(since):
            waiting = self._drives[since.drive_id] = self._drive_read(store, since.drive_id, turn)
        waiting.since[since] = waiting.followers[follower] = None
        rights, batches = await asyncio.shield(waiting.reading)
        return rights[follower], batches[since]

    def _drive_read(self, store: StateReader, drive_id: str, turn: asyncio.Semaphore) -> _DriveRead:
        def close() -> None:
            if self._drives.get(drive_id) is read:
                del self._drives[drive_id]

        async def ask() -> tuple[dict[Follower, FollowerRights], dict[EventsSince, EventBatch]]:
            followers, since = tuple(read.followers), tuple(read.since)
            rights, batches = await store.read(Both(RightsOfFollowers(drive_id, followers), Each(since)))
            return dict(zip(followers, rights, strict=True)), dict(zip(since, batches, strict=True))

        read = _DriveRead(_begun(turn, close, ask))
        return read


def _begun[Answer](
    turn: asyncio.Semaphore, close: Callable[[], object], ask: Callable[[], Awaitable[Answer]]
) -> asyncio.Task[Answer]:
    """Ask when the turn comes; nobody joins after `close`, which is called right before."""

    async def read() -> Answer:
        try:
            await turn.acquire()
        finally:
            close()
        try:
            return await ask()
        finally:
            turn.release()

    reading = asyncio.create_task(read())
    reading.add_done_callback(_heard)
    return reading


def _heard(reading: asyncio.Task[Any]) -> None:
    """Take a failure for noted, also where nobody waits for the answer any more."""
    if not reading.cancelled():
        reading.exception()
