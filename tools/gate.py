"""Runs the stages of the gate, each whatever became of those before it, and tells what each took and found.

Writes `build/ci.json`: for each stage its name, status (`ok` or `failed`), minutes, mean load and counts; and
`build/unstable.txt`: the tests that were late on a busy host, and passed when they were run once more, alone.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, Final

from tests.support.suite import rounds

ROOT: Final = Path(__file__).parents[1]
BUILD: Final = ROOT / "build"
FAILED: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "codrive", "failed.txt")
"""The names of the tests that failed in the last run on this machine: they are in the next whatever their turn."""
PYTEST: Final = (sys.executable, "-m", "pytest")
MAX_LATE: Final = 5  # tests that are run once more; more of them are a fault of the tests or of the server
MIN_LOAD: Final = 3.0  # below it a host has no excuse for being late
SECONDS_BETWEEN_LOADS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Stage:
    """What a stage came to; `load` is the mean number of processes that wanted a processor."""

    name: str
    status: str
    minutes: float
    load: float
    counts: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        return f"{self.name} {self.status} {self.minutes:.1f} min, load {self.load:.1f}{counts and ', '}{counts}"


@contextmanager
def measured(loads: list[float]) -> Iterator[None]:
    """Collect the loads of the host while the block runs."""
    ended = threading.Event()

    def sample() -> None:
        while True:
            loads.append(os.getloadavg()[0])
            if ended.wait(SECONDS_BETWEEN_LOADS):
                return

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    try:
        yield
    finally:
        ended.set()
        sampler.join()


def run(name: str, command: Sequence[str], outcomes: Path | None = None) -> tuple[Stage, dict[str, Any]]:
    """Run a command to its end; return the stage and what it wrote to `outcomes`."""
    sys.stdout.write(f"\n== {name}\n")
    sys.stdout.flush()
    if outcomes:
        outcomes.unlink(missing_ok=True)
    loads: list[float] = []
    begun = perf_counter()
    with measured(loads):
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
    found = json.loads(outcomes.read_text("utf-8")) if outcomes and outcomes.exists() else {}
    status = "failed" if code or (outcomes and not found) else "ok"
    return Stage(name, status, (perf_counter() - begun) / 60, fmean(loads), found.get("counts", {})), found


def check() -> list[Stage]:
    return [run("check", ("just", "check"))[0]]


def contract() -> list[Stage]:
    outcomes = BUILD / "contract.json"
    command = (sys.executable, "-m", "tests.contract.fuzz", "--examples", "12", "--outcomes", str(outcomes))
    return [run("contract", command, outcomes)[0]]


def tests() -> list[Stage]:
    """Run the tests, and those that were late on a busy host once more, alone."""
    outcomes, also = BUILD / "tests.json", BUILD / "failed.txt"
    also.write_text(FAILED.read_text("utf-8") if FAILED.exists() else "", "utf-8")
    options = ("-n", "3", "--dist", "worksteal", "--durations=40", "--durations-min=5", f"--also={also}")
    stage, found = run("tests", (*PYTEST, "tests", *options, f"--outcomes={outcomes}"), outcomes)
    late, wrong = found.get("late", []), found.get("wrong", [])
    FAILED.parent.mkdir(parents=True, exist_ok=True)
    FAILED.write_text("".join(f"{name}\n" for name in (*late, *wrong)), "utf-8")
    if not may_be_repeated(stage, late, wrong):
        return [stage]
    again, _ = run("again", (*PYTEST, "-n", "0", "--all", f"--outcomes={outcomes}", *late), outcomes)
    if again.status == "ok":
        stage = Stage(stage.name, "ok", stage.minutes, stage.load, stage.counts | {"late": len(late), "failed": 0})
        (BUILD / "unstable.txt").write_text("".join(f"{name}\n" for name in late), "utf-8")
    return [stage, again]


def may_be_repeated(stage: Stage, late: Sequence[str], wrong: Sequence[str]) -> bool:
    return 0 < len(late) <= MAX_LATE and not wrong and stage.load > MIN_LOAD


STAGES: Final[tuple[Callable[[], list[Stage]], ...]] = (check, tests, contract)


def main() -> int:
    os.environ["CODRIVE_SEED"] = str(rounds.seed())
    unstable = BUILD / "unstable.txt"
    unstable.unlink(missing_ok=True)
    BUILD.mkdir(exist_ok=True)
    stages = [stage for each in STAGES for stage in each()]
    total, load = sum(each.minutes for each in stages), fmean(each.load for each in stages)
    (BUILD / "ci.json").write_text(json.dumps([asdict(each) for each in stages], indent=2), "utf-8")
    late = unstable.read_text("utf-8").splitlines() if unstable.exists() else []
    sys.stdout.write("\n")
    sys.stdout.writelines(f"{stage}\n" for stage in stages)
    sys.stdout.writelines(f"UNSTABLE {name}\n" for name in late)
    sys.stdout.write(f"total {total:.1f} min, load {load:.1f}, seed {rounds.seed()}\n")
    counts = next(each.counts for each in stages if each.name == "tests")
    told = ", ".join(f"{counts.get(what, 0)} {what}" for what in ("passed", "failed", "skipped"))
    sys.stdout.write(f"{told}\n")
    return int(any(each.status == "failed" for each in stages))


if __name__ == "__main__":
    sys.exit(main())
