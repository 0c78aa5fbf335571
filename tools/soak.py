"""Runs the tests in full: every test that rotates, ten times the rounds, laws with all their examples, in named parts."""

import os
import subprocess
import sys
from time import perf_counter
from typing import Final

import click

ROUNDS: Final = "10"
PYTEST: Final = (sys.executable, "-m", "pytest", "--all")
EVERY: Final = (*PYTEST, "-n", "2", "--dist", "worksteal")

# What people and clients do with documents, access and subscriptions over real sockets.
SPREAD: Final = (
    "changes_under_typing",
    "client_ids",
    "clients",
    "cut_pairs",
    "drive_events",
    "edit_presence",
    "editors",
    "edits_while_typing",
    "imported_documents",
    "markdown_in_editors",
    "rights",
    "unseen_text",
    "viewer_changes",
)

# By name: the command of a part, which takes at most an hour on two quiet cores.
PARTS: Final[dict[str, tuple[str, ...]]] = {
    "laws": (*EVERY, "-m", "not slow"),
    "kills": (
        *EVERY,
        "tests/failures",
        "tests/live/test_typing_through_kills.py",
        "tests/persistence/test_compacted_log.py",
    ),
    "nodes": (*EVERY, "tests/nodes"),
    "databases": (*EVERY, "-m", "slow", "tests/persistence", "tests/ports"),
    "fuzz": (*EVERY, "tests/documents/test_fuzz.py", "tests/documents/test_yjs_agrees.py"),
    "documents": (
        *EVERY,
        "-m",
        "slow",
        "tests/documents",
        "--ignore=tests/documents/test_fuzz.py",
        "--ignore=tests/documents/test_yjs_agrees.py",
        "tests/graphql_api",
    ),
    "letters": (*PYTEST, "-n", "0", "tests/live/test_a_persons_letters.py"),
    "moves": (*EVERY, "tests/live/test_typing_beside_moves.py"),
    "acknowledged": (*PYTEST, "-n", "0", "tests/live/test_acknowledged_edits_through_everything.py"),
    "live": (
        *EVERY,
        "-m",
        "slow",
        "tests/live",
        "--ignore=tests/live/test_a_persons_letters.py",
        "--ignore=tests/live/test_acknowledged_edits_through_everything.py",
        "--ignore=tests/live/test_typing_beside_moves.py",
        "--ignore=tests/live/test_typing_through_kills.py",
    ),
    "spread": (
        *EVERY,
        "--two-nodes",
        *(f"tests/live/test_{each}.py" for each in SPREAD),
        "tests/web/test_access_table.py",
    ),
    "attacks": (*EVERY, "tests/attacks"),
    "surfaces": (
        *EVERY,
        "-m",
        "slow",
        "tests/surfaces",
        "tests/mcp",
        "tests/clients",
        "tests/third_party",
        "tests/rest_adapter",
    ),
    "pages": (
        *EVERY,
        "-m",
        "slow",
        "tests/web",
        "tests/service",
        "tests/docs",
        "tests/linters",
        "tests/graphql_audit",
        "tests/contract",
    ),
    "application": (*EVERY, "tests/app"),
    "contract": (sys.executable, "-m", "tests.contract.fuzz", "--examples", "500"),
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--list", "listed", is_flag=True, help="Name the parts and run none.")
def main(parts: tuple[str, ...], *, listed: bool) -> None:
    """Run these parts, all by default, each whatever became of those before it."""
    if listed:
        click.echo("\n".join(PARTS))
        return
    told = []
    environment = {"CODRIVE_ROUNDS": ROUNDS} | dict(os.environ)
    for name in parts or PARTS:
        begun = perf_counter()
        code = subprocess.run(PARTS[name], env=environment, check=False).returncode
        told.append((name, code, (perf_counter() - begun) / 60))
    for name, code, minutes in told:
        click.echo(f"{name} {'failed' if code else 'ok'} {minutes:.1f} min")
    raise SystemExit(any(code for _, code, _ in told))


if __name__ == "__main__":
    main()
