"""Turns of the users who wait for one of a number of slots: each user has one at a time."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

MAX_WAITING: Final = 64  # jobs of one user
MAX_WAITING_BYTES: Final = 64 * 1024 * 1024  # of one user's jobs, but for the first
MAX_BYTES: Final = 256 * 1024 * 1024  # of all that wait
LONG_SECONDS: Final = 3.0  # after which a turn is a long one


class NoTurn(Exception):  # noqa: N818 - a state that the caller answers
    """No slot was free in time, or too much waits already."""


@dataclass(eq=False, slots=True)
class _Waiting:
    size: int
    given: asyncio.Future[None]


@dataclass(eq=False, slots=True)
class _Turn:
    """A turn that is held: `is_beside` once others have its slot."""

    is_beside: bool = False


class Turns:
    """`slots` run at a time. Who waits longer than `patience` seconds gets no turn.

    A turn that took `after` seconds leaves its slot to the next one and goes on beside it, as far as no more than `beside` do.
    """

    def __init__(self, slots: int, patience: float | None = None, beside: int = 0, after: float = LONG_SECONDS) -> None:
        self._free = slots
        self._patience = patience
        self._free_beside = beside
        self._after = after
        self._long: deque[_Turn] = deque()  # that have slots still, since enough go on beside them
        self._running: set[str] = set()
        self._waiting: dict[str, deque[_Waiting]] = {}  # the user who is next comes first
        self._bytes = 0  # that wait

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, user_id: str, size: int) -> AsyncIterator[None]:
        """Hold a slot for the body; what waits for it has `size` bytes. Raises NoTurn."""
        await self._acquire(user_id, size)
        turn = _Turn()
        timer = asyncio.get_running_loop().call_later(self._after, self._is_long, turn)
        try:
            yield
        finally:
            timer.cancel()
            self._end(turn)
            self._release(user_id)

    async def _acquire(self, user_id: str, size: int) -> None:
        if self._free and user_id not in self._running:
            self._take(user_id)
            return
        mine = self._wait(user_id, size)
        try:
            async with asyncio.timeout(self._patience):
                await mine.given
        except BaseException as fault:
            if mine.given.cancelled():
                self._leave(user_id, mine)
            else:  # the slot came at the same moment
                self._free += 1
                self._release(user_id)
            raise (NoTurn() if isinstance(fault, TimeoutError) else fault) from fault

    def _wait(self, user_id: str, size: int) -> _Waiting:
        waiting = self._waiting.get(user_id, ())
        theirs = sum([each.size for each in waiting])
        too_much = waiting and theirs + size > MAX_WAITING_BYTES
        if too_much or len(waiting) >= MAX_WAITING or self._bytes + size > MAX_BYTES:
            raise NoTurn
        mine = _Waiting(size, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(user_id, deque()).append(mine)
        self._bytes += size
        return mine

    def _leave(self, user_id: str, mine: _Waiting) -> None:
        waiting = self._waiting.pop(user_id)
        waiting.remove(mine)
        self._bytes -= mine.size
        if waiting:
            self._waiting[user_id] = waiting

    def _take(self, user_id: str) -> None:
        self._free -= 1
        self._running.add(user_id)

    def _is_long(self, turn: _Turn) -> None:
        self._long.append(turn)
        self._leave_slots()
        self._serve()

    def _leave_slots(self) -> None:
        """Have long turns leave their slots, as far as they may go on beside them."""
        while self._free_beside and self._long:
            self._free_beside -= 1
            self._free += 1
            self._long.popleft().is_beside = True

    def _end(self, turn: _Turn) -> None:
        if turn.is_beside:
            self._free_beside += 1
            self._leave_slots()
        else:
            self._free += 1
            if turn in self._long:
                self._long.remove(turn)

    def _release(self, user_id: str) -> None:
        """Give the slots that are free to others, and to the user who had a turn last."""
        self._running.discard(user_id)
        if waiting := self._waiting.pop(user_id, None):
            self._waiting[user_id] = waiting  # behind the others
        self._serve()

    def _serve(self) -> None:
        while self._free and (given := self._next()):
            self._take(given[0])
            given[1].given.set_result(None)

    def _next(self) -> tuple[str, _Waiting] | None:
        """Return who is next, who comes last from then on; what was cancelled takes itself out."""
        for user_id, waiting in self._waiting.items():
            mine = next((each for each in waiting if not each.given.done()), None)
            if mine and user_id not in self._running:
                self._leave(user_id, mine)
                return user_id, mine
        return None
