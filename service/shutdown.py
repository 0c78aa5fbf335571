"""Ends a stop that hangs: logs what the server waits for, and ends the process.

No acknowledged write is lost: the database stops as usual.
"""

import asyncio
import faulthandler
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from inspect import isasyncgen
from types import FrameType
from typing import Any, Final

import structlog

SECONDS: Final = 30.0  # for a stop, before the database is stopped; requests have ten of them
THEN: Final = 60.0  # seconds for the database, which has a limit of its own; then the process is killed
_log: Final = structlog.get_logger("service")


def begin(after: float = 0.0) -> None:
    """Start the timer of a stop that is `bounded`, once; `after` is in seconds and what comes before the stop."""
    if signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL and not any(signal.getitimer(signal.ITIMER_REAL)):
        signal.setitimer(signal.ITIMER_REAL, after + SECONDS)
        faulthandler.dump_traceback_later(after + SECONDS + THEN, exit=True)  # even where Python does not run any more


def end_by_signal(_signal: int, _frame: FrameType | None) -> None:
    """End the process in order, as a handler of signals while it starts and stops."""
    begin()
    raise SystemExit(0)


@contextmanager
def ended_in_time(runner: asyncio.Runner, stop_database: Callable[[], None] | None = None) -> Iterator[None]:
    """Give the body `SECONDS` to end after `begin`; then stop the database and end the process."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        with ExitStack() as then:
            then.callback(os._exit, 1)
            if stop_database:
                then.callback(stop_database)
            _log.error("the server does not stop, so it is ended", after_seconds=SECONDS)
            for task in asyncio.all_tasks(runner.get_loop()):
                _log.error("a task has not ended", task=task.get_name(), at=_places(task.get_coro()))
            sys.stderr.flush()
            faulthandler.dump_traceback(all_threads=True)

    signal.signal(signal.SIGALRM, give_up)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _places(awaited: Any) -> list[str]:
    """Return where a coroutine waits, and where what it waits for does, down to the innermost."""
    places = []
    while awaited is not None:
        frame = getattr(awaited, "cr_frame", None) or getattr(awaited, "ag_frame", None)
        if frame:
            places.append(f"{frame.f_code.co_qualname} ({frame.f_code.co_filename}:{frame.f_lineno})")
        awaited = getattr(awaited, "cr_await", None) or getattr(awaited, "ag_await", None) or _generator(awaited)
    return places


def _generator(step: Any) -> Any:
    """Return the generator of which a step is awaited, as at the end of a context; the step has no reference to it."""
    is_step = type(step).__name__.startswith("async_generator_")
    return next(filter(isasyncgen, gc.get_referents(step)), None) if is_step else None
