"""Limits of a process that runs a job: its memory, CPU time and files, and what it may do to the system."""

import ctypes
import os
import resource
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38
_libc: Final = ctypes.CDLL(None, use_errno=True)


def give_up_privileges() -> None:
    """Never gain a right again, by no program that is executed; children inherit it."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def end_with_parent(parent: int, order: int) -> None:
    """Have the kernel send the signal `order` when the thread ends that started this process; `parent` is its process."""
    _prctl(_PR_SET_PDEATHSIG, order)
    if os.getppid() != parent:  # it ended before
        os.kill(os.getpid(), order)


def limit_process(cpu_seconds: int, memory: int) -> None:
    """Have the system end this process past a limit; `memory` is in bytes."""
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))  # the first limit tells by its signal
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 16),
    ):
        resource.setrlimit(what, (most, most))


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0):
        fault = ctypes.get_errno()
        raise OSError(fault, os.strerror(fault))
