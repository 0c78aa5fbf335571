"""No circle among modules, inside packages either, and no module of documents outside its packages."""

import ast
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.architecture.sources import PACKAGES, ROOT, files, name, tree

MODULES = {name(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in files()}


def imported(path):
    """Return the modules of the server that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name(path)} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
            # the package itself counts where a name is taken from it that is no module
            found |= (
                {node.module} if any(f"{node.module}.{alias.name}" not in MODULES for alias in node.names) else set()
            )
    return found & set(MODULES)


def circle(arrows):
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_modules_import_one_another_in_no_circle():
    assert not circle({module: imported(path) for module, path in MODULES.items()})


def test_a_circle_is_found():
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


def test_each_package_is_looked_at():
    assert {module.partition(".")[0] for module in MODULES} == set(PACKAGES)
    assert "documents.yjs.scan" in imported(ROOT / "documents/yjs/snapshot.py")
    assert "documents.yjs.pycrdt_internals" in imported(ROOT / "documents/tree/tree.py")


@pytest.mark.parametrize("package", ["documents"])
def test_a_package_of_packages_has_no_module_beside_them(package):
    assert [path.name for path in (ROOT / package).glob("*.py")] == ["__init__.py"]
