"""Zygote: a process that has the modules of all jobs loaded, and forks one process for each job.

The server executes it as a program, so it has nothing of the server: no memory, environment or descriptor but the socket by
which it is told what to do. It is single-threaded, so that forking is safe. Each message names a job and comes with the socket
on which the forked process takes the inputs and leaves the result, or names one to kill. When a process has ended, its wait
status and usage are reported. When the server ends, so do the zygote and its processes.
"""

import gc
import os
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import Final, NoReturn

import msgspec

from computing.jobs import JOBS, answer, failed
from computing.limits import end_with_parent, give_up_privileges, limit_process

ROOT: Final = str(Path(__file__).parents[1])
COMMAND: Final = (
    sys.executable,
    "-I",  # nothing of the environment or the working directory decides what is imported
    "-c",
    "import sys; sys.path.insert(0, sys.argv[1]); from computing.zygote import main; main()",
    ROOT,
)
OUT_OF_MEMORY: Final = 3  # the exit status of a process that was refused memory
MAX_MESSAGE: Final = 4096
NICE: Final = 5
LENGTH: Final = Struct("!Q")  # of a result, which comes before it
_STEP: Final = 256 * 1024  # bytes of the inputs that are taken at once
_OOM_SCORE: Final = b"500"  # where memory runs out, the system ends these processes before others


class Fork(msgspec.Struct, frozen=True, tag=True):
    """Order to run the job `name` in a process of its own, which is known by `number`; its socket comes with the message."""

    number: int
    name: str
    cpu_seconds: int
    memory: int


class Kill(msgspec.Struct, frozen=True, tag=True):
    """Order to kill the process of this number, if it has not ended."""

    number: int


class Report(msgspec.Struct, frozen=True):
    """What became of a process: its wait status, and its CPU time in seconds."""

    number: int
    status: int
    cpu_seconds: float


ORDERS: Final = msgspec.msgpack.Decoder(Fork | Kill)


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[2]))
    end_with_parent(int(sys.argv[3]), signal.SIGKILL)
    give_up_privileges()
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # meant for the server, which needs us until it ends
        signal.signal(ignored, signal.SIG_IGN)
    os.nice(NICE)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_bytes(_OOM_SCORE)
    gc.set_threshold(100_000, 50, 100)  # a job ends before most of what it makes is garbage
    gc.collect()
    gc.freeze()
    _Zygote(control).serve()


class _Zygote:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._running: dict[int, tuple[int, int]] = {}  # number and process id, by the descriptor of the process

    def serve(self) -> None:
        """Do what is ordered until the server closes its end; what runs then dies with this process."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor in self._running:
                    self._ended(descriptor)
                elif not self._ordered():
                    return

    def _ordered(self) -> bool:
        message, sockets, _, _ = socket.recv_fds(self._control, MAX_MESSAGE, 1)
        if not message:
            return False
        match ORDERS.decode(message):
            case Fork() as order:
                self._fork(order, sockets[0])
            case Kill(number):
                for known, pid in self._running.values():
                    if known == number:
                        os.kill(pid, signal.SIGKILL)
        return True

    def _fork(self, order: Fork, data: int) -> None:
        zygote = os.getpid()
        pid = os.fork()
        if pid == 0:
            _run(order, data, zygote)
        os.close(data)
        descriptor = os.pidfd_open(pid)
        self._running[descriptor] = order.number, pid
        self._poll.register(descriptor, select.POLLIN)

    def _ended(self, descriptor: int) -> None:
        number, pid = self._running.pop(descriptor)
        self._poll.unregister(descriptor)
        os.close(descriptor)
        _, status, used = os.wait4(pid, 0)
        report = Report(number, status, used.ru_utime + used.ru_stime)
        self._control.send(msgspec.msgpack.encode(report))


def _run(order: Fork, data: int, zygote: int) -> NoReturn:
    """Run a job in the forked process, which never returns to the zygote's own work."""
    status = 1
    try:
        end_with_parent(zygote, signal.SIGKILL)
        os.dup2(data, 3)
        os.closerange(4, os.sysconf("SC_OPEN_MAX"))
        limit_process(order.cpu_seconds, order.memory)
        with socket.socket(fileno=3) as connection:
            result = _result(order.name, _received(connection))
            connection.sendall(LENGTH.pack(len(result)))
            connection.sendall(result)
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)


def _received(connection: socket.socket) -> bytearray:
    given = bytearray()
    while part := connection.recv(_STEP):
        given += part
    return given


def _result(name: str, given: bytearray) -> bytes:
    try:
        return answer(JOBS[name], given)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever it was is the caller's to log
        return failed(traceback.format_exc())
