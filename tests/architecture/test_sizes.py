import ast
import re

import pytest
from sources import ROOT, files, name, tree

MOST_LINES, MOST_LINES_IN_DOMAIN, MOST_LINES_OF_A_FUNCTION = 400, 250, 50
FORBIDDEN_NAMES = re.compile(r"(^|_)(utils?|helpers?|services?|managers?|common|misc)$")
# `path: lines` for each file that may be longer, as its decision record in docs/decisions says.
LONGER_BY_DECISION: dict[str, int] = {}
# A migration is a list of statements that is written once and never read for its shape.
WRITTEN_BY_HAND = [path for path in files() if "versions" not in path.parts]


def allowed(path):
    usual = MOST_LINES_IN_DOMAIN if name(path).startswith("domain/") else MOST_LINES
    return LONGER_BY_DECISION.get(name(path), usual)


@pytest.mark.parametrize("path", WRITTEN_BY_HAND, ids=name)
def test_a_file_fits_in_a_head(path):
    assert len(path.read_text().splitlines()) <= allowed(path)


@pytest.mark.parametrize("path", WRITTEN_BY_HAND, ids=name)
def test_a_function_fits_on_a_screen(path):
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = [each.name for each in functions if (each.end_lineno or 0) - each.lineno + 1 > MOST_LINES_OF_A_FUNCTION]
    assert long == []


@pytest.mark.parametrize("path", WRITTEN_BY_HAND, ids=name)
def test_a_file_says_which_question_it_answers(path):
    assert ast.get_docstring(tree(path)), f"{name(path)} has no docstring"


@pytest.mark.parametrize("path", WRITTEN_BY_HAND, ids=name)
def test_a_file_is_named_after_what_it_is_about(path):
    assert not FORBIDDEN_NAMES.search(path.stem)


def test_every_longer_file_has_its_decision():
    decisions = "\n".join(path.read_text() for path in (ROOT / "docs" / "decisions").glob("*.md"))
    assert [path for path in LONGER_BY_DECISION if path not in decisions] == []
    assert [path for path in LONGER_BY_DECISION if not (ROOT / path).is_file()] == []
