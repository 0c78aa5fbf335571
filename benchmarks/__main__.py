"""Runs benchmarks: `python -m benchmarks` runs all, `python -m benchmarks http compiled` those named.

Arguments after `--` go to the benchmark named last.
"""

import subprocess
import sys

NAMES = (
    "app",
    "append",
    "changes",
    "command_line",
    "compiled",
    "database",
    "edits",
    "hidden",
    "hostile",
    "http",
    "live",
    "nodes",
    "reads",
    "subscriptions",
)


def main() -> int:
    names, _, given = " ".join(sys.argv[1:]).partition("-- ")
    named = names.split() or list(NAMES)
    if unknown := set(named) - set(NAMES):
        print(f"no benchmark is called {', '.join(sorted(unknown))}: there are {', '.join(NAMES)}")
        return 2
    commands = [[sys.executable, "-m", f"benchmarks.{name}"] for name in named]
    commands[-1] += given.split()
    return max(subprocess.run(command, check=False).returncode for command in commands)


if __name__ == "__main__":
    sys.exit(main())
