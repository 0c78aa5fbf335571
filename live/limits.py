"""Limits what a worker process may use, and has it write no files; past a limit the system ends it."""

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
