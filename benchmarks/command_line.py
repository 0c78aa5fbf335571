"""Compares the start of the command line with that of a bare click program.

    python -m benchmarks command_line

The programs run alternately, each in a process of its own; times are CPU times, the best of `ROUNDS`.
"""

import os
import resource
import subprocess
import sys
from pathlib import Path

ROUNDS = 15
GOAL = 2.0
SOURCES = Path(__file__).parents[1] / "clients" / "python" / "src"
BARE = """
import click

@click.group()
def main():
    pass

@main.command()
@click.option("--name", required=True, help="A name.")
def make(name):
    click.echo(name)

main()
"""
PROGRAMS = {
    "a bare click program, --help": ["-c", BARE, "--help"],
    "codrive --help": ["-m", "codrive_client", "--help"],
    "codrive drive-items create-child --help": ["-m", "codrive_client", "drive-items", "create-child", "--help"],
}


def seconds(words: list[str]) -> float:
    environment = os.environ | {"PYTHONPATH": str(SOURCES)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], env=environment, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    best = dict.fromkeys(PROGRAMS, float("inf"))
    for _ in range(ROUNDS):
        for name, words in PROGRAMS.items():
            best[name] = min(best[name], seconds(words))
    bare = best["a bare click program, --help"]
    for name, least in best.items():
        print(f"{name:44}{least * 1000:8.0f} ms {least / bare:6.2f}x")
    missed = [name for name in PROGRAMS if best[name] > GOAL * bare]
    print(f"goal {GOAL}x" + "".join(f"  MISSED: {name}" for name in missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
