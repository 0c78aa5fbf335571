"""Pages reach state by operations and by the use cases of people, never by the store."""

import ast

from domain import questions
from tests.architecture.sources import files, name, tree

PORTS = {"LockScope", "StateReader", "Store", "Transaction"}


def reaches(path):
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute) and node.attr in {"store", "transact"}:
            yield node.attr
        if isinstance(node, ast.ImportFrom) and node.module == "graphql_api.ports":
            yield from PORTS & {each.name for each in node.names}
        if isinstance(node, ast.ImportFrom) and node.module == "domain.questions":
            yield from (
                each.name for each in node.names if issubclass(getattr(questions, each.name), questions.Question)
            )


def test_web_touches_no_store():
    assert {name(path): found for path in files("web") if (found := list(reaches(path)))} == {}


def test_the_use_cases_of_people_do():
    assert any(list(reaches(path)) for path in files("accounts"))
