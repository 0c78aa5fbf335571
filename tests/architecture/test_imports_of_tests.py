"""What tests share lies in modules of its own: no file imports from one that pytest collects."""

import ast

from sources import ROOT, name, tree

TESTS = sorted(path for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts)


def imported(path):
    """The modules that a file imports, by their full names, each with its line; what is imported from a package may be one."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield node.lineno, each.name
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                yield node.lineno, f"{'.' * node.level}{node.module or ''}.{each.name}"


def test_no_file_imports_from_one_that_pytest_collects():
    found = {
        f"{name(path)}:{line}: {module}"
        for path in TESTS
        for line, module in imported(path)
        if any(part.startswith("test_") or part == "conftest" for part in module.split("."))
    }
    assert found == set(), "what several files use is a helper's: tests/support, or a module beside them"
