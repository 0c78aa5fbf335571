"""Puts the faults of `tests/faults.toml` into a copy of the tree, one at a time, and tells which test finds each.

The nearest tests without a server are run first; where these pass, the nearest others, as the gate of this commit runs
them, and then all of them. What failed is run once more without a fault at the end, since only a test that passes then
has found anything.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Final

import click

ROOT: Final = Path(__file__).parents[1]
FAULTS: Final = ROOT / "tests" / "faults.toml"
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+::[^\n]*?)(?: - .*)?$", re.MULTILINE)
ALL_ROUNDS: Final = 4  # with which every test runs, and every law tries all of its examples
_OK, _FAILURES, _NOTHING_TO_RUN = 0, 1, 5  # what pytest ends with


@dataclass(frozen=True, slots=True)
class Fault:
    """`text`, which occurs once in `file`, becomes `replacement`; `tests` start no server, `slow` are asked where they pass."""

    name: str
    area: str
    file: str
    text: str
    replacement: str
    breaks: str
    tests: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()


class Result(StrEnum):
    FAST = "caught by fast tests"
    SLOW = "caught by slow tests"
    LATER = "caught over several landings"
    SURVIVED = "survived"
    BROKEN = "no test could be run"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`found_by` is the test that failed, or what pytest said where it could run none."""

    fault: Fault
    result: Result
    found_by: str
    seconds: float


def faults() -> list[Fault]:
    rows = tomllib.loads(FAULTS.read_text("utf-8"))["fault"]
    return [Fault(**{**row, "tests": tuple(row.get("tests", ())), "slow": tuple(row.get("slow", ()))}) for row in rows]


@contextmanager
def copied() -> Iterator[Path]:
    """Give a copy of the tree as it is now, with its history; what was installed or built in it is shared."""
    with tempfile.TemporaryDirectory(prefix="codrive-mutants-") as folder:
        copy = Path(folder, "tree")
        _git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(copy))
        for name in _git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
            if name and (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        _git("-C", str(copy), "reset", "--quiet")
        for shared in [ROOT / "web" / "built", *_installed()]:
            there = copy / shared.relative_to(ROOT)
            if shared.exists() and there.parent.exists() and not there.exists():
                there.symlink_to(shared)
        yield copy


def _installed() -> Iterable[Path]:
    locks = _git("ls-files", "*package-lock.json").split()
    return [(ROOT / lock).with_name("node_modules") for lock in locks]


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _pytest(copy: Path, tests: Iterable[str], *options: str, rounds: int = 1) -> tuple[int, str]:
    """Run tests of the copy; return how pytest ended and what it said."""
    environment = os.environ | {
        "PYTHONPATH": f"{copy}{os.pathsep}{copy / 'clients/python/src'}",
        "PYTHONDONTWRITEBYTECODE": "",  # else each run would compile every module
        "CODRIVE_ROUNDS": str(rounds),
    }
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "--tb=short", *options, *tests]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def outcome(copy: Path, fault: Fault) -> Outcome:
    """Put the fault into the copy, run its tests until one fails, and take it out again."""
    path, begun = copy / fault.file, monotonic()
    original = path.read_text("utf-8")
    path.write_text(original.replace(fault.text, fault.replacement), "utf-8")
    try:
        result, found_by = _found(copy, fault)
    finally:
        path.write_text(original, "utf-8")
    return Outcome(fault, result, found_by, monotonic() - begun)


def _found(copy: Path, fault: Fault) -> tuple[Result, str]:
    every = [*fault.tests, *fault.slow]
    for tests, kind, rounds, result in (
        (fault.tests, "not slow", 1, Result.FAST),
        (every, "slow", 1, Result.SLOW),
        (every, "slow or not slow", ALL_ROUNDS, Result.LATER),
    ):
        code, said = _pytest(copy, tests, "-x", "-m", kind, rounds=rounds) if tests else (_NOTHING_TO_RUN, "")
        if code == _FAILURES:
            failed = _FAILED.search(said)
            return result, failed[1] if failed else said[-500:]
        if code not in {_OK, _NOTHING_TO_RUN}:
            return Result.BROKEN, said[-2000:]
    return Result.SURVIVED, ""


def fails_anyway(copy: Path, tests: Iterable[str]) -> set[str]:
    """Return which of the tests fail without any fault."""
    code, said = _pytest(copy, sorted({*tests}), rounds=ALL_ROUNDS)
    assert code in {_OK, _FAILURES}, said[-2000:]
    return {each[1] for each in _FAILED.finditer(said)}


@click.command()
@click.argument("names", nargs=-1)
@click.option("--jobs", default=1, show_default=True, help="How many faults are tried at a time.")
def main(names: tuple[str, ...], jobs: int) -> None:
    """Try the faults whose name or area has one of these words in it; all of them without."""
    chosen = [fault for fault in faults() if not names or any(name in f"{fault.area} {fault.name}" for name in names)]
    copies: SimpleQueue[Path] = SimpleQueue()

    def tried(fault: Fault) -> Outcome:
        copy = copies.get()
        try:
            return outcome(copy, fault)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(jobs) as pool, ExitStack() as made:
        for _ in range(jobs):
            copies.put(made.enter_context(copied()))
        found: list[Outcome] = []
        for done in as_completed([pool.submit(tried, fault) for fault in chosen]):
            found.append(each := done.result())
            print(
                f"{each.fault.area}: {each.fault.name}\n    {each.result}, {each.seconds:.0f} s  {each.found_by}",
                flush=True,
            )
        caught = [each for each in found if each.result not in {Result.SURVIVED, Result.BROKEN}]
        wrong = fails_anyway(copies.get(), [each.found_by for each in caught]) if caught else set()
    for test in sorted(wrong):
        print(f"fails without a fault, too: {test}")
    for result in Result:
        print(f"{sum(each.result is result for each in found):3} {result}")
    raise click.exceptions.Exit(len(caught) < len(found) or bool(wrong))


if __name__ == "__main__":
    main()
