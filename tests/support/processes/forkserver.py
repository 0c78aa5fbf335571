"""A fork server of the tests: one process loads the server, and each server that a test starts is forked from it.

To load the server takes more CPU than all else that a start does, and the tests start it some hundred times. A fork has its own arguments,
environment, folder and output. The program itself is started by the tests of the README's commands and of the operator's.
"""

import atexit
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Self, TextIO

ROOT = Path(__file__).parents[3]
MOST_BYTES = 1 << 20  # of the arguments and the environment of a server


class Forked:
    """A server, with those methods of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int, ending: socket.socket, stdout: TextIO) -> None:
        self.pid, self.stdout = pid, stdout
        self.returncode: int | None = None
        self._ending = ending

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("codrive-server", timeout or 0)
        return code

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._ending], [], [], seconds)[0]:
            with self._ending:
                self.returncode = int(self._ending.recv(16))
        return self.returncode

    def send_signal(self, order: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, order)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        self.wait()


class Forkserver:
    """The process that has loaded the server; it is started when the first server is, and ends with this one."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None

    def start(
        self,
        script: Path | str | None,
        arguments: Sequence[object],
        environment: Mapping[str, str],
        errors: IO[Any],
        cwd: Path | str | None = None,
    ) -> Forked:
        """Return a server that is begun by a script, or by the service's command where that is None; its output is a text."""
        loaded = self._socket or self._load()
        told = json.dumps([script and str(script), [*map(str, arguments)], dict(environment), str(cwd or Path.cwd())])
        ending, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        reading, writing = os.pipe()
        try:
            socket.send_fds(loaded, [told.encode()], [writing, errors.fileno(), its.fileno()])
            pid = int(ending.recv(16))
        finally:
            os.close(writing)
            its.close()
        return Forked(pid, ending, os.fdopen(reading, encoding="utf-8"))

    def _load(self) -> socket.socket:
        self._socket, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_BYTES)
        with its:
            command = [sys.executable, "-m", "tests.support.processes.forkserver", str(its.fileno())]
            process = subprocess.Popen(command, cwd=ROOT, pass_fds=[its.fileno()], stdin=subprocess.DEVNULL)
        atexit.register(ended, self._socket, process)
        return self._socket


def ended(loaded: socket.socket, process: subprocess.Popen[bytes]) -> None:
    """End the process that has loaded the server, whose socket is `loaded`."""
    loaded.close()
    process.wait()


FORKSERVER = Forkserver()


def forked(descriptor: int) -> tuple[Any, ...]:
    """Load the server, and fork for each message: each fork returns with what its message says. Tell how each fork ended."""
    import_module("service.command")
    import_module("service.server")  # which the command loads when it serves
    asked = socket.socket(fileno=descriptor)
    endings: dict[int, socket.socket] = {}
    woken, wake = socket.socketpair()
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready, _, _ = select.select([asked, woken], [], [])
        if woken in ready:
            woken.recv(4096)
            tell_ends(endings)
        if asked in ready:
            told, descriptors, _, _ = socket.recv_fds(asked, MOST_BYTES, 3)
            if not told:
                sys.exit()
            ending = socket.socket(fileno=descriptors.pop())
            pid = os.fork()
            if pid == 0:
                for each in (asked, woken, wake, ending, *endings.values()):
                    each.close()
                return *json.loads(told), *descriptors
            endings[pid] = ending
            ending.send(str(pid).encode())
            for received in descriptors:
                os.close(received)


def tell_ends(endings: dict[int, socket.socket]) -> None:
    """Send the exit code of each fork that has ended to whoever started it; `endings` are sockets by process ids."""
    while endings:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with endings.pop(pid) as ending:
            ending.send(str(os.waitstatus_to_exitcode(status)).encode())


def begin(
    script: str, arguments: Sequence[str], environment: Mapping[str, str], cwd: str, output: int, errors: int
) -> None:
    """Go on as a process that was started with these."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for ours, standard in ((output, 1), (errors, 2)):
        os.dup2(ours, standard)
        os.close(ours)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [script or "codrive-server", *arguments]
    if script:
        sys.path[0] = str(Path(script).parent)
        runpy.run_path(script, run_name="__main__")
    else:
        import_module("service.command").main(prog_name="codrive-server")


if __name__ == "__main__":
    begin(*forked(int(sys.argv[1])))
