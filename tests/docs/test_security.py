"""The threats that the page of security names: each has a defence, and tests that are there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs/security.md").read_text().partition("## Threats")[2].partition("## Limits")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines() if line.startswith("| ")][
    2:
]


def functions_of(path):
    found = ast.walk(ast.parse((ROOT / path).read_text()))
    return {node.name for node in found if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_the_page_has_a_table_of_threats():
    assert len(ROWS) > 10
    assert {len(row) for row in ROWS} == {3}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_threat_has_a_defence_and_tests_that_are_there(row):
    threat, defence, said = row
    assert threat
    assert defence
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", said)
    assert len(named) == said.count("::") > 0
    assert [name for path, name in named if name not in functions_of(path)] == []
