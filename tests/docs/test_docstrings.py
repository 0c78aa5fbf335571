"""A module's docstring names the thing and says what it does: it does not begin with a question word."""

import ast
import re

import pytest

from tests.docs.blocks import ROOT

QUESTIONS = re.compile(r"(How|What|Who|Whoever|Which|Where|Whom|Whose|Whether)\b")
PACKAGES = sorted(
    folder.name for folder in ROOT.iterdir() if (folder / "__init__.py").exists() and folder.name != "tests"
)
FOLDERS = (*PACKAGES, "tools", "clients/python/src")
MODULES = sorted(
    str(path.relative_to(ROOT))
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if "node_modules" not in path.parts
)


@pytest.mark.parametrize("module", MODULES)
def test_a_modules_docstring_begins_with_the_thing_and_not_with_a_question(module):
    said = ast.get_docstring(ast.parse((ROOT / module).read_text("utf-8")))
    assert said is None or not QUESTIONS.match(said), said


def test_all_packages_are_looked_at():
    assert {"benchmarks", "codegen", "domain", "persistence", "service", "web"} <= set(PACKAGES)
    assert {"tools/session.py", "service/command.py"} <= set(MODULES)
