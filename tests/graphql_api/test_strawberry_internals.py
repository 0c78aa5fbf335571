"""Are the private parts of strawberry and graphql-core as they were when the server was checked against them?"""

import ast
import inspect
from importlib.metadata import version
from pathlib import Path

import pytest
from graphql.execution import Executor

from graphql_api import strawberry_internals
from graphql_api.compiled_execution import CompiledExecutor
from graphql_api.cooperative_executor import CooperativeExecutor
from graphql_api.strawberry_internals import TransportWSHandler

ROOT = Path(__file__).parents[2]
ALONE = Path(strawberry_internals.__file__)
SERVER = (
    *("accounts", "codegen", "contract", "demo", "edge", "graphql_adapter", "graphql_api"),
    *("mcp_adapter", "rest_adapter", "service", "web"),
)
CHECKED = {"strawberry-graphql": "0.341.2", "graphql-core": "3.3.2"}
PRIVATE_MODULES = {
    "graphql.execution.collect_fields",
    "graphql.execution.get_variable_signature",
    "graphql.execution.values",
    "graphql.pyutils",
    "strawberry.execution",
    "strawberry.schema.schema",
    "strawberry.subscriptions.protocols.graphql_transport_ws.handlers",
    "strawberry.subscriptions.protocols.graphql_transport_ws.types",
    "strawberry.types.enum",
    "strawberry.types.field",
}
PRIVATE_NAMES = {
    *("_schema", "_provided_operation_name", "__strawberry_definition__", "is_basic_field"),
    *("default_resolver", "wrapped_cls"),
}


@pytest.mark.parametrize("distribution", CHECKED)
def test_the_versions_are_those_that_were_checked(distribution):
    assert version(distribution) == CHECKED[distribution], (
        "read graphql_api/strawberry_internals.py against the new version: each name and its reason, the methods of "
        "`Executor` below, what `execute_operation` does around `CompiledExecutor.run`, and what the WebSocket handler "
        "calls; run tests/graphql_api and `benchmarks compiled`; then name the version here"
    )


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        (
            "__init__",
            (
                "schema fragment_definitions fragments root_value context_value operation variable_values field_resolver "
                "type_resolver subscribe_field_resolver enable_early_execution middleware_manager is_awaitable "
                "is_async_iterable hide_suggestions abort_signal hooks"
            ),
        ),
        ("complete_object_value", "return_type field_details_list info path result position_context"),
        ("complete_iterable_value", "item_type field_details_list info path items position_context"),
        ("complete_async_iterator_value", "item_type field_details_list info path async_iterator position_context"),
        ("execute_field", "parent_type source field_details_list path position_context"),
        ("execute_fields", "parent_type source_value path grouped_field_set position_context"),
        ("execute_fields_serially", "parent_type source_value path grouped_field_set position_context"),
        ("collect_subfields", "return_type field_details_list"),
        ("settle_in_background", "awaitables"),
    ],
)
def test_the_methods_of_the_executor_take_what_they_took(method, parameters):
    expected = ["self", *parameters.split()]
    assert list(inspect.signature(getattr(Executor, method)).parameters) == expected
    for ours in (CompiledExecutor, CooperativeExecutor):
        if method in vars(ours) and method != "__init__":
            assert list(inspect.signature(getattr(ours, method)).parameters) == expected


def test_the_handler_of_websockets_takes_what_it_took():
    (base,) = TransportWSHandler.__mro__[1:2]
    assert list(inspect.signature(base.__init__).parameters)[1:] == [
        *("view", "websocket", "context", "root_value", "schema", "connection_init_wait_timeout"),
        "max_subscriptions_per_connection",
    ]


def test_no_other_module_of_the_server_names_them():
    found = []
    for path in (path for package in SERVER for path in (ROOT / package).rglob("*.py") if path != ALONE):
        for node in ast.walk(ast.parse(path.read_text())):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else []
            modules += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            named = {*modules} & PRIVATE_MODULES
            if isinstance(node, ast.Attribute) and node.attr in PRIVATE_NAMES and not _of_self(node):
                named.add(node.attr)
            if isinstance(node, ast.Constant) and node.value == "strawberry-definition":
                named.add(node.value)
            found += [(path.relative_to(ROOT).as_posix(), name) for name in named]
    assert found == []


def _of_self(node):
    """An attribute of one's own may have any name."""
    return isinstance(node.value, ast.Name) and node.value.id == "self"
