"""Rounds, seeds and samples: how much of a suite runs, and what it draws.

A seed follows the commit, so that each commit asks something new and a failure repeats; `CODRIVE_SEED` sets another.
`CODRIVE_ROUNDS` multiplies the rounds; above 1, every test that is rotated runs.
"""

import os
import subprocess
from functools import cache
from pathlib import Path

from tests.support.processes.servers import PATIENCE

ROUNDS = int(os.environ.get("CODRIVE_ROUNDS", "1"))


@cache
def git(*words: str) -> str | None:
    """Return what git says of this checkout; None where it fails, or where this is no checkout."""
    root = Path(__file__).parents[3]
    try:
        command = ["git", *words]
        told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True, timeout=PATIENCE)
    except (OSError, subprocess.CalledProcessError):
        return None
    return told.stdout.strip()


@cache
def commits() -> int:
    """Return the number of commits up to HEAD; 0 outside of a checkout."""
    return int(git("rev-list", "--count", "HEAD") or 0)


@cache
def seed() -> int:
    """Return the seed of everything drawn in this run, from 1 to 2**32."""
    return int(os.environ.get("CODRIVE_SEED", "0")) or int((git("rev-parse", "HEAD") or "1")[:8], 16) or 1


def examples(full: int) -> int:
    """Return how many examples a law tries: a quarter of `full` for each round, and `full` with four rounds or more."""
    return max(1, full * min(ROUNDS, 4) // 4)
