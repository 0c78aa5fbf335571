"""Prints how long the server's files and functions are, by package: their number, median and 95th percentile in lines.

Run it as `uv run python -m tools.sizes`. The sizes are reported and not capped: no file is split or filled for a number.
"""

import ast
import tomllib
from pathlib import Path
from statistics import quantiles
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def lengths(package: str) -> tuple[list[int], list[int]]:
    """Return the numbers of lines of a package's files and of its functions, but for migrations."""
    files, functions = [], []
    for path in sorted((ROOT / package).rglob("*.py")):
        if "migrations" in path.parts:
            continue
        text = path.read_text()
        files.append(len(text.splitlines()))
        found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, FUNCTIONS))
        functions += [(node.end_lineno or node.lineno) - node.lineno + 1 for node in found]
    return files, functions


def reported(sizes: list[int]) -> str:
    cuts = quantiles(sizes, n=20, method="inclusive") if len(sizes) > 1 else [float(sum(sizes))] * 19
    return f"{len(sizes):6} {cuts[9]:7.0f} {cuts[18]:6.0f}"


def main() -> None:
    print(f"{'':14}{'lines':>7}   files  median    p95   functions  median  p95")
    everything: tuple[list[int], list[int]] = ([], [])
    for package in sorted(PROJECT["importlinter"]["root_packages"]):
        files, functions = lengths(package)
        everything = (everything[0] + files, everything[1] + functions)
        print(f"{package:14}{sum(files):7,}  {reported(files)}      {reported(functions)}")
    files, functions = everything
    print(f"{'all':14}{sum(files):7,}  {reported(files)}      {reported(functions)}")


if __name__ == "__main__":
    main()
