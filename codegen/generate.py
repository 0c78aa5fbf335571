"""Writes every generated file, shows how the files differ from the code, and refuses changes that break callers."""

import json
import subprocess
from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any

import click
from graphql import lexicographic_sort_schema, print_schema

from codegen.application_types import application_types
from codegen.breaking_changes import admitted, lost, lost_in_schema
from codegen.client_model import model
from codegen.python_client import python_client
from codegen.reference import errors, errors_page, operations_page, settings_page, tools_page
from codegen.typescript_client import typescript_client
from contract.contract import contract, contract_json
from graphql_api.schema import build
from graphql_api.strawberry_internals import core_schema
from persistence.postgres.schema import schema as tables
from rest_adapter.openapi import openapi

ROOT = Path(__file__).parent.parent
CONTRACT, SCHEMA, CHANGELOG = "contract.json", "schema.graphql", "CHANGELOG.md"


def generated() -> dict[str, str]:
    """Return every generated file by its path."""
    schema = core_schema(build())
    whole = contract(schema)
    codes = errors()
    described = contract_json(whole) | {"errors": codes}
    offered = model(described)
    return {
        CONTRACT: _json(described),
        "openapi.json": _json(openapi(whole)),
        # sorted for readers: the running schema keeps its order
        SCHEMA: print_schema(lexicographic_sort_schema(schema)) + "\n",
        "docs/operations.md": operations_page(whole),
        "docs/tools.md": tools_page(whole),
        "docs/errors.md": errors_page(),
        "docs/settings.md": settings_page(),
        "persistence/postgres/schema.sql": tables(),
        **python_client(offered, codes),
        **typescript_client(offered, codes),
        **application_types(schema),
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def differences(root: Path, texts: Mapping[str, str]) -> str:
    """Return the diff between the files under `root` and `texts`."""
    lines: list[str] = []
    for name, text in texts.items():
        file = root / name
        present = file.read_text("utf-8") if file.exists() else ""
        lines += unified_diff(present.splitlines(True), text.splitlines(True), f"committed/{name}", f"generated/{name}")
    return "".join(lines)


def broken(root: Path, reference: str, texts: Mapping[str, str]) -> list[str]:
    """Return the changes that break callers since the commit `reference`; none if the changelog admits them."""
    if admitted((root / CHANGELOG).read_text("utf-8")):
        return []
    before: Any = _committed(root, reference, CONTRACT)
    schema = _committed(root, reference, SCHEMA)
    taken = lost(json.loads(before), json.loads(texts[CONTRACT])) if before else []
    return taken + (lost_in_schema(schema, texts[SCHEMA]) if schema else [])


def released(root: Path) -> str:
    """Return the version that callers have: the last release, or the last commit before there is one."""
    return _git(root, "describe", "--tags", "--abbrev=0", "--match=v*") or "HEAD"


def _committed(root: Path, reference: str, name: str) -> str | None:
    return _git(root, "show", f"{reference}:{name}")


def _git(root: Path, *arguments: str) -> str | None:
    command = ["git", "-C", str(root), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
    return done.stdout.strip() if done.returncode == 0 else None


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail where something would change.")
def main(*, check: bool) -> None:
    """Write contract.json, openapi.json, schema.graphql and the pages made from them."""
    texts = generated()
    changed = differences(ROOT, texts)
    if check and changed:
        click.echo(changed)
        raise click.ClickException("generated files differ: run `uv run just generate` and commit what it writes")
    if not check:
        for name, text in texts.items():
            (ROOT / name).write_text(text, "utf-8")
    if taken := broken(ROOT, released(ROOT), texts):
        click.echo("\n".join(taken))
        raise click.ClickException(
            "the changes break callers: take them back, or admit them in the changelog under Unreleased: `- Breaking: …`"
        )


if __name__ == "__main__":
    main()
