"""How tests share: by modules that pytest does not collect, of their own folder or of tests/support, by their whole names."""

import ast
from functools import cache

import pytest

from tests.architecture.sources import ROOT, name, tree

TESTS = sorted(path for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts)
OTHERS = sorted(path for folder in ("benchmarks", "tools") for path in (ROOT / folder).rglob("*.py"))
HELPERS = {path.stem for path in TESTS}


@cache
def imported(path):
    """What a file imports, by the names that it says, each with its line; what is imported from a module is a part of the name."""
    found = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, each.name) for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.lineno, f"{'.' * node.level}{node.module or ''}.{each.name}") for each in node.names]
    return found


def refused(paths, is_refused):
    return [
        f"{name(path)}:{line}: {module}"
        for path in paths
        for line, module in imported(path)
        if is_refused(path, module)
    ]


def is_collected(_path, module):
    return any(part.startswith("test_") or part == "conftest" for part in module.split("."))


def is_no_whole_name(path, module):
    """Whether it is relative, or names a module that lies beside the file or elsewhere in tests as if it lay at the top."""
    first = module.partition(".")[0]
    return not first or (path.parent / f"{first}.py").exists() or (first in HELPERS and not (ROOT / first).is_dir())


def is_of_another_folder(path, module):
    """Whether it lies in a folder of tests that is neither tests/support nor the file's own."""
    top, folder, *_ = *module.split("."), ""
    own = name(path).split("/")
    return top == "tests" and folder != "support" and own[:2] != ["tests", folder]


def test_nothing_is_imported_from_a_file_that_pytest_collects():
    assert refused(TESTS, is_collected) == [], "what several files use is a helper's: in tests/support, or beside them"


def test_a_module_of_tests_is_imported_by_its_whole_name():
    assert refused(TESTS, is_no_whole_name) == [], (
        "write `from tests.support.… import`, or `from tests.` and its folder"
    )


def test_what_several_folders_use_lies_in_support():
    assert refused([*TESTS, *OTHERS], is_of_another_folder) == [], "move it to tests/support"


@pytest.mark.parametrize(
    ("is_refused", "module"),
    [
        (is_collected, "tests.live.test_rooms.join"),
        (is_collected, "tests.app.conftest.World"),
        (is_no_whole_name, "sources.ROOT"),
        (is_no_whole_name, ".sources.ROOT"),
        (is_no_whole_name, "servers"),
        (is_of_another_folder, "tests.live.people.World"),
    ],
)
def test_each_rule_refuses(is_refused, module):
    here = ROOT / "tests" / "architecture" / "test_imports_of_tests.py"
    assert is_refused(here, module)
    assert not is_refused(here, "tests.support.processes.servers.PATIENCE")
    assert not is_refused(here, "tests.architecture.sources.ROOT")
