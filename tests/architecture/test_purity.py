import ast

import pytest

from tests.architecture.sources import files, name, tree

MAY_IMPORT = {
    "base64",
    "binascii",
    "collections.abc",
    "dataclasses",
    "datetime",
    "enum",
    "hashlib",
    "hmac",
    "itertools",
    "re",
    "typing",
    "unicodedata",
    "zlib",
}
# Clocks, chance and the outside world: they are arguments, never called.
MAY_NOT_CALL = {
    "now",
    "utcnow",
    "today",
    "open",
    "print",
    "input",
    "exec",
    "eval",
    "compile",
    "__import__",
    "breakpoint",
    "globals",
}
ASYNCHRONOUS = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)


def faults(module):
    """Say what in a module is not a function of its arguments alone."""
    for node in ast.walk(module):
        if isinstance(node, ASYNCHRONOUS):
            yield node.lineno, "is asynchronous"
        if isinstance(node, ast.Global | ast.Nonlocal):
            yield node.lineno, "changes what is not its own"
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
            relative = isinstance(node, ast.ImportFrom) and node.level
            for module_name in modules:
                if relative or (module_name not in MAY_IMPORT and not module_name.startswith("domain.")):
                    yield node.lineno, f"imports `{module_name}`"
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in MAY_NOT_CALL and not (called == "compile" and _of_re(node.func)):
                yield node.lineno, f"calls `{called}`"


def _of_re(function):
    return isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "re"


@pytest.mark.parametrize("path", files("domain"), ids=name)
def test_the_domain_is_pure(path):
    assert [f"{name(path)}:{line} {what}" for line, what in faults(tree(path))] == []


@pytest.mark.parametrize(
    "code",
    [
        "async def f(): pass",
        "async def f(): await g()",
        "import random",
        "import os.path",
        "from secrets import token_bytes",
        "from uuid import uuid4",
        "import logging",
        "import time",
        "from . import item",
        "from persistence.store import x",
        "import msgspec",
        "at = datetime.now(UTC)",
        "at = datetime.utcnow()",
        "at = date.today()",
        "f = open('x')",
        "print(1)",
        "compile('1', '', 'eval')",
        "def f():\n    global x\n    x = 1",
    ],
)
def test_every_impurity_is_found(code):
    assert [*faults(ast.parse(code))]


def test_what_is_pure_is_left_alone():
    code = "import re\nfrom datetime import datetime\nfrom domain.item import Item\nx = re.compile('a')"
    assert [*faults(ast.parse(code))] == []
