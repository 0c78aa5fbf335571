"""The project's own Python files, parsed once."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "accounts",
    "codegen",
    "computing",
    "contract",
    "demo",
    "domain",
    "documents",
    "edge",
    "graphql_adapter",
    "graphql_api",
    "live",
    "mcp_adapter",
    "persistence",
    "rest_adapter",
    "service",
    "web",
)


def files(*packages):
    return sorted(path for package in packages or PACKAGES for path in (ROOT / package).rglob("*.py"))


@cache
def tree(path):
    return ast.parse(path.read_text())


def name(path):
    return path.relative_to(ROOT).as_posix()
