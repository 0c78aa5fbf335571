"""Whether the tools are what the contract has: their names, their schemas, what may be expected of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from contract.contract import tool_name
from contract.descriptions import DESCRIPTIONS
from contract.errors import RejectionError
from contract.examples import example
from contract.operations import BY_NAME, Method, Surface
from edge.requests import parse_inputs
from mcp_adapter.tools import tools
from tests.support.surfaces.callers import CONTRACT

TOOLS = tools(CONTRACT)
FULL = tools(CONTRACT, Surface.MCP_FULL)
NAMES = [
    "documents_read", "drive_items_get", "drive_items_shared_with_me", "drive_items_share_suggestions",
    "drive_items_rename", "drive_items_move", "drive_items_create_child", "drive_items_share", "drive_items_update_share",
    "drive_items_remove_share", "drive_items_set_publication", "drives_list", "drives_create", "drives_rename",
    "drives_create_item", "drives_upsert_member", "drives_remove_member",
]  # fmt: skip
EXTENSIONS = [
    "documents_edit", "drive_items_search", "drive_items_duplicate", "drive_items_trash", "drive_items_restore",
    "drive_items_explain_access", "documents_changes", "documents_undo_changes", "documents_attributions", "documents_versions",
    "documents_read_version", "documents_restore_version", "drives_get", "drives_events", "drives_organization_members",
    "drive_items_preview_move", "drive_items_preview_share", "viewer_get", "drive_items_trashed",
    "documents_outline", "documents_read_part", "viewer_events",
]  # fmt: skip
READ_ONLY = {
    "documents_read", "drive_items_get", "drive_items_shared_with_me", "drive_items_share_suggestions", "drives_list",
}  # fmt: skip
READ_ONLY_EXTENSIONS = {
    "drive_items_search", "drive_items_explain_access", "documents_changes", "documents_attributions",
    "documents_versions", "documents_read_version", "drives_get", "drives_events", "drives_organization_members",
    "drive_items_preview_move", "drive_items_preview_share", "viewer_get", "drive_items_trashed",
    "documents_outline", "documents_read_part", "viewer_events",
}  # fmt: skip
ADDING = {
    "drive_items_create_child", "drive_items_duplicate", "drive_items_share", "drives_create", "drives_create_item",
    "drive_items_restore",
}  # fmt: skip
NOT_AGAIN = {
    "drive_items_create_child",
    "drive_items_duplicate",
    "drives_create",
    "drives_create_item",
    "documents_edit",
}


def test_there_are_exactly_seventeen_tools_in_the_order_of_the_contract_and_the_extensions_behind_them():
    assert list(TOOLS) == NAMES
    assert list(FULL) == [*NAMES, *EXTENSIONS]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", name) for name in FULL)


@pytest.mark.parametrize("name", FULL)
def test_a_tool_for_models_takes_all_that_its_operation_takes(name):
    assert CONTRACT.shapes[FULL[name].shape.operation.name].inputs.keys() <= FULL[name].schema["properties"].keys()


def test_exactly_those_that_only_read_say_so():
    assert {name for name, tool in TOOLS.items() if tool.annotations["readOnlyHint"]} == READ_ONLY
    assert {name for name, tool in FULL.items() if tool.annotations["readOnlyHint"]} == READ_ONLY | READ_ONLY_EXTENSIONS
    assert all(isinstance(tool.annotations["readOnlyHint"], bool) for tool in FULL.values())


@pytest.mark.parametrize("name", FULL)
def test_every_hint_is_given_and_nothing_that_replaces_or_ends_something_is_called_harmless(name):
    hints = FULL[name].annotations
    assert list(hints) == ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
    assert hints["destructiveHint"] is (name not in READ_ONLY | READ_ONLY_EXTENSIONS | ADDING)
    assert hints["idempotentHint"] is (name not in NOT_AGAIN)
    assert hints["openWorldHint"] is (name in {"drive_items_share", "drive_items_set_publication"})
    assert name not in TOOLS or hints == TOOLS[name].annotations


@pytest.mark.parametrize("name", FULL)
def test_schemas_are_whole_and_their_examples_fit(name):
    tool = FULL[name]
    for schema in filter(None, (tool.schema, tool.answer)):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert "components" not in str(schema)
    components = CONTRACT.components | CONTRACT.model_components
    inputs = {each.name: example(each.schema, components, each.name) for each in tool.shape.inputs.values()}
    needed = {each.name for each in tool.shape.inputs.values() if each.required}
    given_inputs = {each: value for each, value in inputs.items() if value is not None or each in needed}
    Draft202012Validator(tool.schema).validate(given_inputs)
    if name in TOOLS and TOOLS[name].answer:
        tool = TOOLS[name]
        Draft202012Validator(tool.answer).validate(example(tool.shape.answer, CONTRACT.components))


values = st.sampled_from(
    [None, True, False, 0, 1.5, [], {}, "", " ", "a", "a" * 300, "\0", "\x07", "folder", "docs_workbook", "owner",
     "manager", "read_only", "read_write", "a@example.com", "01a1f000-0000-7000-8000-000000000001", 1, -1, 200, 201,
     2**31 - 1, 2**31, "merge", "refuse", "2026-11-20T09:30:00.000Z", ["a"], [1], ["a"] * 501, ["folder", "a"],
     [{"old": "a", "new": "b"}], [{"old": "a"}], [{"old": "a", "new": "b", "more": "c"}], {"old": "a", "new": "b"}]
)  # fmt: skip
MOMENTS = {"sinceTime", "untilTime", "since", "changedSince"}


@given(st.sampled_from(list(TOOLS)), st.data())
def test_what_a_schema_admits_is_what_is_accepted(name, data):
    tool = TOOLS[name]
    names = [*tool.shape.inputs, "unknown"]
    arguments = data.draw(st.dictionaries(st.sampled_from(names), values))
    fits = Draft202012Validator(tool.schema).is_valid(arguments)
    try:
        parse_inputs(tool.shape, arguments)
        accepted = True
    except RejectionError:
        accepted = False
    addresses = [arguments[each] for each in arguments if each == "email"]
    moments = [arguments[each] for each in arguments if each in MOMENTS]
    is_formed = all(isinstance(address, str) and "@" in address for address in addresses) and all(
        moment is None or "T" in str(moment) for moment in moments
    )
    if is_formed:  # formats only annotate
        assert accepted is fits


def test_every_operation_is_described_and_names_only_what_there_is():
    assert DESCRIPTIONS.keys() == BY_NAME.keys()
    for name, told in DESCRIPTIONS.items():
        named = re.findall(r"`([a-zA-Z]+\.[a-zA-Z]+)`", told.text)
        assert set(named) <= BY_NAME.keys() - {name}
        assert len(told.title) <= 40
        assert 40 < len(told.text) < 600
    for name, tool in FULL.items():
        named = set(re.findall(r"`((?:documents|drives|drive_items)_[a-z_]+)`", tool.description))
        assert named <= FULL.keys() - {name}
        assert not re.search(r"`[a-zA-Z]+\.[a-zA-Z]+`", tool.description)
    for name, tool in TOOLS.items():
        named = set(re.findall(r"`((?:documents|drives|drive_items)_[a-z_]+)`", tool.description))
        assert named <= TOOLS.keys() - {name}


def test_a_tool_names_the_one_that_knows_what_it_leaves_out():
    for name in ("drives_events", "viewer_events"):
        assert "`documents_changes`" in FULL[name].description
        assert "`documents_versions`" not in FULL[name].description
    assert "`documents_read_part`" in FULL["documents_outline"].description


def test_whoever_reads_is_told_what_else_there_is():
    others = {"drive_items_remove_share", "drive_items_shared_with_me"}
    assert all("`" in tool.description for name, tool in TOOLS.items() if name not in others)
    assert tool_name("driveItems.createChild") == "drive_items_create_child"


def test_what_is_repeated_without_effect_is_no_creation():
    creating = {row.name for row in BY_NAME.values() if row.method is Method.POST and "create" in row.name.lower()}
    again = {tool.shape.operation.name for tool in FULL.values() if not tool.annotations["idempotentHint"]}
    assert again - {"documents.edit", "driveItems.duplicate"} == creating - {"driveItems.uploadImage"}
