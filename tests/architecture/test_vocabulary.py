"""One name for one thing: the server's public classes, type aliases and functions, and the glossary of docs/architecture.md."""

import ast
import re
from collections import defaultdict

import pytest

from tests.architecture.sources import PACKAGES, ROOT, files, name, tree

NOT_OF_THE_SERVER = {"codegen", "demo"}
CALLED_BY_MODULE = {"domain", *NOT_OF_THE_SERVER}  # as `drive.create`: the module is the noun, the function the verb
# Functions that are named as the words of a command, or as the library of migrations has it.
NAMED_BY_OTHERS = ("service/command.py", "persistence/postgres/migrations/")
# A public name that two modules define, and why that is right.
SHARED = {
    "Connection": "Relay's connection, which is a list in pages, and the database driver's",
    "Edge": "Relay's edge of a connection in a list, and the request edge: both are the words of their fields",
    "Json": "a JSON object, in each of the two packages that handle some",
    "Transaction": "the port that resolvers call, and what implements it",
}
TERM = re.compile(r"^\| ([^|]+) \| `([\w.]+)` \| ([^|]+) \|$", re.MULTILINE)
GLOSSARY = (ROOT / "docs" / "architecture.md").read_text().partition("\n## Glossary\n")[2].partition("\n## ")[0]
TERMS = TERM.findall(GLOSSARY)


def defined():
    """Return the modules that define each public class or type alias, by its name."""
    modules = defaultdict(list)
    for path in files(*(set(PACKAGES) - NOT_OF_THE_SERVER)):
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef | ast.TypeAlias):
                defines = node.name if isinstance(node, ast.ClassDef) else node.name.id
                if not defines.startswith("_"):
                    modules[defines].append(name(path).removesuffix(".py").replace("/", "."))
    return modules


def test_no_public_class_or_type_alias_is_named_like_one_of_another_module():
    twice = {found: modules for found, modules in defined().items() if len(modules) > 1}
    assert set(twice) == set(SHARED), twice


def test_no_public_function_is_named_like_one_of_another_module():
    modules = defaultdict(set)
    for path in files(*(set(PACKAGES) - CALLED_BY_MODULE)):
        if not name(path).startswith(NAMED_BY_OTHERS):
            for node in tree(path).body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                    modules[node.name].add(name(path))
    assert len(modules) > 700
    assert {found: where for found, where in modules.items() if len(where) > 1} == {}


def test_the_glossary_has_each_term_once():
    terms = [term.lower() for term, _, _ in TERMS]
    assert len(terms) >= 35
    assert len(set(terms)) == len(terms)


@pytest.mark.parametrize(("term", "target"), [(term, target) for term, target, _ in TERMS])
def test_each_term_of_the_glossary_is_one_class_or_module(term, target):
    if (ROOT / target.replace(".", "/")).with_suffix(".py").exists() or (ROOT / target.replace(".", "/")).is_dir():
        return
    module, _, found = target.rpartition(".")
    assert defined()[found] == [module], term
