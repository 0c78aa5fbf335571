"""Stops a postmaster whose server has died, from a process of its own.

The watcher is a shell that reads a pipe whose other end the server alone keeps open: however the server ends, the pipe
does, and the watcher sends the postmaster the signals of a shutdown. A shell takes 0.1 MB and is there for every account,
which the Python that the server runs on need not be (a server that gave up being root may not read it any more).
"""

import os
import subprocess
from typing import Final

from persistence.postgres.processes import STAGES

_SHELL: Final = "/bin/sh"
_ENVIRONMENT: Final = {"PATH": os.defpath, "LC_ALL": "C"}

# Its arguments are pairs of a signal and the seconds that the postmaster has to end. A process is known by its number and
# when it began, so that no other one is taken for it that has the number later. Signals for all that the server started
# are for the server alone.
_WATCH: Final = r"""
set -f
trap '' INT TERM HUP
began() {
    { read -r line < "/proc/$pid/stat"; } 2> /dev/null || return 0
    set -- ${line##*) }
    [ "$1" = Z ] || echo "${20}"
}
alive() {
    kill -0 "$pid" 2> /dev/null && [ "$(began)" = "$beginning" ]
}
read -r pid || exit 0
beginning=$(began)
while read -r _; do :; done
while [ $# -gt 0 ]; do
    alive || exit 0
    kill -"$1" "$pid"
    seconds=$2
    while [ "$seconds" -gt 0 ]; do
        alive || exit 0
        sleep 1
        seconds=$((seconds - 1))
    done
    shift 2
done
"""

# INVARIANT: the postmaster names itself before it is Postgres, so no death of the server leaves one that is not watched.
_NAMED: Final = (_SHELL, "-c", 'echo $$ >&0; exec "$@" < /dev/null', "postmaster")


def spawn_watcher(log: int) -> subprocess.Popen[bytes]:
    """Start a watcher; give its standard input to the command `named` returns, and to nothing else.

    It runs as this process's user, who may signal the postmaster, in a session of its own; it writes faults to `log`.
    """
    stages = [str(part) for order, patience in STAGES for part in (int(order), int(patience))]
    return subprocess.Popen(  # noqa: S603 - our own words
        [_SHELL, "-c", _WATCH, "watcher", *stages],
        bufsize=0,
        cwd="/",
        env=_ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )


def telling_its_id(command: list[str]) -> list[str]:
    """Return the command as one that first writes its process id to its standard input."""
    return [*_NAMED, *command]


def end_watcher(watcher: subprocess.Popen[bytes]) -> None:
    """End a watcher whose postmaster has ended."""
    with watcher:
        watcher.kill()
