"""Whether the tools are what the contract has: their names, their schemas, what may be expected of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from surfaces.callers import CONTRACT

from domain.errors import Rejection
from graphql_api.contract import tool_name
from graphql_api.descriptions import DESCRIPTIONS
from graphql_api.examples import example
from graphql_api.operation_schema import parse_inputs
from graphql_api.operations import BY_NAME, Method
from mcp_adapter.tools import tools

TOOLS = tools(CONTRACT)
NAMES = [
    "documents_read", "drive_items_get", "drive_items_shared_with_me", "drive_items_share_suggestions",
    "drive_items_rename", "drive_items_move", "drive_items_create_child", "drive_items_share", "drive_items_update_share",
    "drive_items_remove_share", "drive_items_set_publication", "drives_list", "drives_create", "drives_rename",
    "drives_create_item", "drives_upsert_member", "drives_remove_member",
]  # fmt: skip
READ_ONLY = {
    "documents_read", "drive_items_get", "drive_items_shared_with_me", "drive_items_share_suggestions", "drives_list",
}  # fmt: skip
ADDING = {"drive_items_create_child", "drive_items_share", "drives_create", "drives_create_item"}


def test_there_are_exactly_seventeen_tools_in_the_order_of_the_contract():
    assert list(TOOLS) == NAMES
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", name) for name in TOOLS)


def test_exactly_the_five_that_only_read_say_so():
    assert {name for name, tool in TOOLS.items() if tool.annotations["readOnlyHint"]} == READ_ONLY
    assert all(tool.annotations["readOnlyHint"] is (name in READ_ONLY) for name, tool in TOOLS.items())


def test_every_hint_is_given_and_nothing_that_replaces_or_ends_something_is_called_harmless():
    for name, tool in TOOLS.items():
        hints = tool.annotations
        assert list(hints) == ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
        assert hints["destructiveHint"] is (name not in READ_ONLY | ADDING)
        assert hints["idempotentHint"] is ("create" not in name)
        assert hints["openWorldHint"] is (name in {"drive_items_share", "drive_items_set_publication"})


@pytest.mark.parametrize("name", TOOLS)
def test_schemas_are_whole_and_their_examples_fit(name):
    tool = TOOLS[name]
    for schema in filter(None, (tool.schema, tool.answer)):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert "components" not in str(schema)
    inputs = {
        each.name: example(each.schema, CONTRACT.components, each.name)
        for each in tool.shape.inputs.values()
    }  # fmt: skip
    Draft202012Validator(tool.schema).validate(inputs)
    if tool.answer:
        Draft202012Validator(tool.answer).validate(example(tool.shape.answer, CONTRACT.components))


values = st.sampled_from(
    [None, True, False, 0, 1.5, [], {}, "", " ", "a", "a" * 300, "\0", "\x07", "folder", "docs_workbook", "owner",
     "manager", "read_only", "read_write", "a@example.com", "01a1f000-0000-7000-8000-000000000001"]
)  # fmt: skip


@given(st.sampled_from(NAMES), st.data())
def test_what_a_schema_admits_is_what_is_accepted(name, data):
    tool = TOOLS[name]
    names = [*tool.shape.inputs, "unknown"]
    arguments = data.draw(st.dictionaries(st.sampled_from(names), values))
    fits = Draft202012Validator(tool.schema).is_valid(arguments)
    accepted = not isinstance(parse_inputs(tool.shape, arguments), Rejection)
    addresses = [arguments[each] for each in arguments if each == "email"]
    if all(isinstance(address, str) and "@" in address for address in addresses):  # formats only annotate
        assert accepted is fits


def test_every_operation_is_described_and_names_only_what_there_is():
    assert DESCRIPTIONS.keys() == BY_NAME.keys()
    for name, told in DESCRIPTIONS.items():
        named = re.findall(r"`([a-zA-Z]+\.[a-zA-Z]+)`", told.text)
        assert set(named) <= BY_NAME.keys() - {name}
        assert len(told.title) <= 40
        assert 40 < len(told.text) < 600
    for name, tool in TOOLS.items():
        named = set(re.findall(r"`((?:documents|drives|drive_items)_[a-z_]+)`", tool.description))
        assert named <= TOOLS.keys() - {name}
        assert not re.search(r"`[a-zA-Z]+\.[a-zA-Z]+`", tool.description)


def test_whoever_reads_is_told_what_else_there_is():
    others = {"drive_items_remove_share", "drive_items_shared_with_me"}
    assert all("`" in tool.description for name, tool in TOOLS.items() if name not in others)
    assert tool_name("driveItems.createChild") == "drive_items_create_child"


def test_what_is_repeated_without_effect_is_no_creation():
    creating = {row.name for row in BY_NAME.values() if row.method is Method.POST and "create" in row.name.lower()}
    assert {tool.shape.operation.name for tool in TOOLS.values() if not tool.annotations["idempotentHint"]} == creating
