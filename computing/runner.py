"""Runs the jobs: small ones at once, others in turn and in processes of their own."""

import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, cast

import msgspec
import structlog

from computing.jobs import Job, Lane, decode, encode
from computing.processes import Ended, Processes, ZygoteEnded
from computing.turns import NoTurn, Turns
from computing.zygote import OUT_OF_MEMORY, Report
from documents.loading import Loading, unnoted
from domain.errors import Unavailable

# What ends a process by order, or as a limit that it has reached; any other signal is a crash.
_ORDERED: Final = {signal.SIGKILL, signal.SIGTERM, signal.SIGXCPU}
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


class JobRunner:
    """Runs jobs for users. `crashed` is called with the id of a document whose stored bytes ended a process."""

    def __init__(
        self,
        loading: Loading = unnoted,
        crashed: Callable[[str], Awaitable[None]] = _uncounted,
    ) -> None:
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
        self, job: Job[P, Result], user_id: str, document_id: str, /, *given: P.args, **named: P.kwargs
    ) -> Result:
        """Return the job's result. Raises TooBusy, TooCostly, Crashed, Quarantined, and Failed where the job has a fault.

        The inputs are given by place. `document_id` is empty for a job that is of no document.
        """
        assert not named
        inputs = encode(given)
        if document_id:
            with self._loading(document_id):  # raises where it is quarantined
                if len(inputs) < job.inline:
                    return job.act(*given, **named)
        turns = self._turns.setdefault(job.lane, Turns(job.lane.slots, job.lane.patience))
        try:
            async with turns.turn(user_id, len(inputs)):
                ended = await self._ended(job, user_id, inputs)
        except NoTurn as late:
            raise TooBusy("too much is being computed at once") from late
        try:
            return _result(job, ended)
        except Crashed as fault:
            _log.warning("a job has crashed", document_id=document_id, reason=str(fault))
            if job.is_of_stored and ended.status < 0 and -ended.status not in _ORDERED:
                await self._crashed(document_id)
            raise

    async def _ended(self, job: Job[..., Any], user_id: str, inputs: bytes) -> Ended:
        """Return what a process answered; where the zygote is killed meanwhile, that of another one."""

        def took(report: Report) -> None:
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
