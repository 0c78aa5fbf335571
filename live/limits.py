"""Limits the memory, CPU time and files of a worker process; the system ends it past a limit."""

import resource
from typing import Final

MAX_MEMORY: Final = 2 << 30  # bytes


def limit_process(cpu_seconds: int) -> None:
    for what, most in (
        (resource.RLIMIT_AS, MAX_MEMORY),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
