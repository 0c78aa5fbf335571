"""Delays NOT_FOUND to whole steps of 10 ms, so that hidden and missing take the same time."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Final

from contract.errors import RejectionError
from domain.errors import Code

type Timer = Callable[[], float]
type Sleep = Callable[[float], Awaitable[object]]

STEP: Final = 0.010  # seconds: more than looking up an id takes, whether or not there is such an id
_NEAR: Final = 0.002  # seconds, which is as exact as the loop's own timers are


async def next_step(begun: float, now: Timer = perf_counter, sleep: Sleep = asyncio.sleep) -> None:
    """Wait until a whole number of steps has passed since `begun`, by the clock of `now`.

    INVARIANT: nothing is held meanwhile that others wait for: no connection, no lock.
    """
    due = begun + math.ceil((now() - begun) / STEP) * STEP
    if (left := due - now()) > _NEAR:
        await sleep(left - _NEAR)
    # the loop's timers round to milliseconds, and the rest would tell how long the look-up took
    while now() < due:
        await sleep(0)


@asynccontextmanager
async def pad_not_found() -> AsyncIterator[None]:
    """Delay a NOT_FOUND that is raised inside until the next step."""
    begun = perf_counter()
    try:
        yield
    except RejectionError as refused:
        if refused.rejection.code is Code.NOT_FOUND:
            await next_step(begun)
        raise
