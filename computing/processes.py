"""Client of the zygote: starts it, has it run jobs, and starts it again where it was killed."""

import asyncio
import os
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from weakref import finalize

import msgspec
import structlog

from computing.jobs import Job
from computing.zygote import COMMAND, LENGTH, MAX_MESSAGE, Fork, Kill, Report

_STEP: Final = 256 * 1024  # bytes of a result that are taken at once
_REPORTS: Final = msgspec.msgpack.Decoder(Report)
_log: Final = structlog.get_logger("computing")


class ZygoteEnded(Exception):  # noqa: N818 - a state, not a fault of the caller
    """The zygote was killed while a job ran, which died with it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has answered or ended: its answer, and its exit status, negative for a signal that ended it."""

    answered: bytes | memoryview
    status: int


class Processes:
    """Processes of one zygote. It is started by `start`, or by the first job, and ends with this object or its process.

    It dies with the thread that starts it, so that is one which lives as long as the server.
    """

    def __init__(self) -> None:
        self.pid: int | None = None  # of the zygote
        self._control: socket.socket | None = None
        self._watched_by: asyncio.AbstractEventLoop | None = None
        self._reports: dict[int, asyncio.Future[Report]] = {}
        self._numbers = 0
        self._end: Callable[[], object] | None = None

    def start(self) -> None:
        """Execute the zygote, unless it runs."""
        if self._control is None:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                zygote = subprocess.Popen(  # noqa: S603 - the command is ours
                    [*COMMAND, str(theirs.fileno()), str(os.getpid())],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env={},  # none of our secrets
                    cwd="/",
                    start_new_session=True,  # what a terminal sends to all is for the server
                )
            ours.setblocking(False)
            self.pid, self._control, self._end = zygote.pid, ours, finalize(self, _end, zygote, ours)

    def close(self) -> None:
        """End the zygote and all that it runs, and wait until that is done."""
        if self._control and self._watched_by:
            self._watched_by.remove_reader(self._control)
        if self._end:
            self._end()
        self.pid = self._control = self._end = self._watched_by = None
        reports, self._reports = self._reports, {}
        for report in reports.values():
            if not report.done():
                report.set_exception(ZygoteEnded())
                report.exception()  # noted, also where nobody waits

    async def run(self, job: Job[..., Any], inputs: bytes, took: Callable[[Report], object]) -> Ended:
        """Run a job in a process of its own, which is killed when its time is over, or where nobody waits any more.

        `took` is called with the report, also where nobody waits. Raises ZygoteEnded, and TimeoutError after the kill.
        """
        self.start()
        self._numbers += 1
        number, report = self._numbers, asyncio.get_running_loop().create_future()
        report.add_done_callback(lambda done: None if done.cancelled() or done.exception() else took(done.result()))
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                self._order(Fork(number, job.name, job.cpu_seconds, job.memory), [theirs.fileno()])
            self._await(number, report)
            ours.setblocking(False)
            try:
                async with asyncio.timeout(job.seconds):
                    answered = await _exchange(ours, inputs)
                    if len(answered) >= LENGTH.size and LENGTH.unpack_from(answered)[0] == len(answered) - LENGTH.size:
                        return Ended(memoryview(answered)[LENGTH.size :], 0)  # nobody waits for its end
                    ended = await asyncio.shield(report)
            except BaseException:
                if not report.done():
                    with suppress(ZygoteEnded):
                        self._order(Kill(number))
                raise
        return Ended(b"", os.waitstatus_to_exitcode(ended.status))

    def _order(self, order: Fork | Kill, descriptors: list[int] | None = None) -> None:
        if self._control is None:
            raise ZygoteEnded
        try:
            socket.send_fds(self._control, [msgspec.msgpack.encode(order)], descriptors or [])
        except OSError as fault:
            self._lost()
            raise ZygoteEnded from fault

    def _await(self, number: int, report: asyncio.Future[Report]) -> None:
        if self._control and not self._watched_by:
            self._watched_by = asyncio.get_running_loop()
            self._watched_by.add_reader(self._control, self._report)
        self._reports[number] = report

    def _report(self) -> None:
        """Hand on the reports that have come; while none is awaited, the loop does not watch the socket."""
        assert self._control
        assert self._watched_by
        try:
            while self._reports:
                message = self._control.recv(MAX_MESSAGE)
                if not message:
                    self._lost()
                    return
                found = _REPORTS.decode(message)
                awaited = self._reports.pop(found.number)
                if not awaited.done():
                    awaited.set_result(found)
        except BlockingIOError:
            return
        except OSError:
            self._lost()
            return
        self._watched_by.remove_reader(self._control)
        self._watched_by = None

    def _lost(self) -> None:
        _log.warning("the process that jobs are forked from has ended, and is started again", pid=self.pid)
        self.close()


async def _exchange(connection: socket.socket, inputs: bytes) -> bytearray:
    """Send the inputs and return the result; less than all of it where the process ends before."""
    loop = asyncio.get_running_loop()
    answered = bytearray()
    with suppress(ConnectionError):
        await loop.sock_sendall(connection, inputs)
        connection.shutdown(socket.SHUT_WR)
        while part := await loop.sock_recv(connection, _STEP):
            answered += part
    return answered


def _end(zygote: "subprocess.Popen[bytes]", control: socket.socket) -> None:
    control.close()
    zygote.kill()
    zygote.wait()
