"""Runs the jobs: small ones at once, others in turn and in processes of their own."""

import signal
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from time import thread_time
from typing import Any, Final, cast

import msgspec
import structlog

from computing.budgets import Budgets, Settle
from computing.jobs import Job, Lane, decode, encode
from computing.loading import Loading, unnoted
from computing.processes import Ended, Processes, ZygoteEnded
from computing.threads import in_thread
from computing.turns import NoTurn, Turns
from computing.zygote import OUT_OF_MEMORY, Report
from domain.credit import Payer, payer_id
from domain.errors import BudgetSpent, Unavailable

# What ends a process by order, or as a limit that it has reached; any other signal is a crash.
_ORDERED: Final = {signal.SIGKILL, signal.SIGTERM, signal.SIGXCPU}
IN_LOOP: Final = 32 * 1024  # bytes; less is made something of at once
_log: Final = structlog.get_logger("computing")


class TooBusy(Unavailable):
    """The job did not get a turn in time."""


class TooCostly(Unavailable):
    """The job was ended since it took more time or memory than it may."""


class Crashed(Unavailable):
    """The process of the job ended without a result."""


@dataclass(frozen=True, slots=True)
class JobReport:
    """A job that a process has run: whether it was `done`, and the seconds of CPU that it took."""

    job: str
    user_id: str
    done: bool
    cpu_seconds: float


async def _uncounted(_document_id: str) -> None:
    """Count no crash: where no server runs."""


def _unpaid(_seconds: float) -> None:
    """Charge nobody."""


def _unsuspected(_document_id: str) -> bool:
    return False


class JobRunner:
    """Runs jobs for users. `crashed` is called with the id of a document whose stored bytes ended a process.

    Without `budgets`, nobody pays. `refusals` are listeners that are told the reason of each job that is refused.

    A document `is_suspect` where that has happened to it: what loads it here has it read by a job first.
    """

    def __init__(
        self,
        loading: Loading = unnoted,
        crashed: Callable[[str], Awaitable[None]] = _uncounted,
        is_suspect: Callable[[str], bool] = _unsuspected,
        budgets: Budgets | None = None,
    ) -> None:
        self._budgets = budgets
        self.refusals: list[Callable[[str], None]] = []
        self.is_suspect = is_suspect
        self._processes = Processes()
        self.listeners: list[Callable[[JobReport], None]] = []
        self._loading = loading
        self._crashed = crashed
        self._turns: dict[Lane, Turns] = {}

    def start(self) -> None:
        """Start what the first job would have to wait for; call it in the thread that lives as long as the server."""
        self._processes.start()

    async def aclose(self) -> None:
        """Kill what runs."""
        self._processes.close()

    async def run[**P, Result](
        self, job: Job[P, Result], by: Payer, document_id: str, /, *given: P.args, **named: P.kwargs
    ) -> Result:
        """Return the job's result. Raises BudgetSpent, TooBusy, TooCostly, Crashed, Quarantined, and Failed where the job has a fault.

        The inputs are given by place. `document_id` is empty for a job that is of no document.
        """
        assert not named
        inputs = encode(given)
        with self._loading(document_id) if document_id else nullcontext():  # raises where it is quarantined
            settle = self._reserve(by, len(inputs))
            if len(inputs) < job.inline:
                began = thread_time()
                try:
                    return job.act(*given, **named)
                finally:
                    settle(thread_time() - began)
        ended = await self._in_turn(job, payer_id(by), inputs, settle)
        try:
            return _result(job, ended)
        except Crashed as fault:
            _log.warning("a job has crashed", document_id=document_id, reason=str(fault))
            if job.is_of_stored and ended.status < 0 and -ended.status not in _ORDERED:
                await self._crashed(document_id)
            raise

    def _reserve(self, by: Payer, size: int) -> Settle:
        try:
            return self._budgets.reserve(by, size) if self._budgets else _unpaid
        except BudgetSpent:
            self._refused("budget")
            raise

    def _refused(self, reason: str) -> None:
        for listener in self.refusals:
            listener(reason)

    async def _in_turn(self, job: Job[..., Any], user_id: str, inputs: bytes, settle: Settle) -> Ended:
        lane = job.lane_of(len(inputs))
        turns = self._turns.setdefault(lane, Turns(lane.slots, lane.patience, lane.beside))
        has_begun = False
        try:
            async with turns.turn(user_id, len(inputs)):
                has_begun = True
                return await self._ended(job, user_id, inputs, settle)
        except NoTurn as late:
            self._refused("busy")
            raise TooBusy("too much is being computed at once") from late
        finally:
            if not has_begun:
                settle(0.0)

    def waiting(self) -> dict[str, float]:
        """Return how many jobs wait for a turn, by the names of their lanes."""
        return {lane.name: turns.waiting for lane, turns in self._turns.items()}

    async def run_here[T](self, document_id: str, size: int, act: Callable[[], T]) -> T:
        """Return what `act` makes of `size` bytes and of what is in the server's own memory. Raises Quarantined.

        Large work is done in a thread, which nothing can stop: this is for native code and for what is bounded.
        """

        def do() -> T:
            with self._loading(document_id):
                return act()

        return do() if size < IN_LOOP else await in_thread(do)

    async def _ended(self, job: Job[..., Any], user_id: str, inputs: bytes, settle: Settle) -> Ended:
        """Return what a process answered; where the zygote is killed meanwhile, that of another one."""

        def took(report: Report) -> None:
            settle(report.cpu_seconds)
            told = JobReport(job.name, user_id, report.status == 0, report.cpu_seconds)
            for listener in self.listeners:
                listener(told)

        try:
            try:
                return await self._processes.run(job, inputs, took)
            except ZygoteEnded:
                return await self._processes.run(job, inputs, took)
        except ZygoteEnded as fault:
            raise Crashed("the process that jobs are forked from has ended twice") from fault
        except TimeoutError as late:
            raise TooCostly(f"{job.name} takes longer than {job.seconds:g} seconds") from late


def _result[**P, Result](job: Job[P, Result], ended: Ended) -> Result:
    if ended.status == -signal.SIGXCPU:
        raise TooCostly(f"{job.name} takes longer than {job.cpu_seconds} seconds")
    if ended.status == OUT_OF_MEMORY:
        raise TooCostly(f"{job.name} takes more than {job.memory >> 20} MiB of memory")
    if ended.status:
        raise Crashed(f"{job.name} ended its process with {ended.status}")
    try:
        return cast("Result", decode(job, ended.answered))
    except (ValueError, msgspec.DecodeError) as fault:
        raise Crashed(f"{job.name} answered what is no result") from fault
