"""Whether an MCP address offers the set of tools that its `tools` asks for, and no other."""

import json

import pytest

from tests.support.surfaces.tools import FULL, Mcp

WRITES = {
    "documents_edit",
    "documents_restore_version",
    "documents_undo_changes",
    "drive_items_create_child",
    "drive_items_duplicate",
    "drive_items_move",
    "drive_items_rename",
    "drive_items_restore",
    "drive_items_trash",
    "drives_create_item",
}
ADMINISTERS = {
    "drive_items_remove_share",
    "drive_items_set_publication",
    "drive_items_share",
    "drive_items_update_share",
    "drives_create",
    "drives_remove_member",
    "drives_rename",
    "drives_upsert_member",
}


@pytest.fixture
def at(client, ada):
    """`at(query)` asks `/mcp-full` with this query, with Ada's key."""
    return lambda query: Mcp(client, {"x-api-key": ada.key}, f"{FULL}?{query}")


def listed(asked):
    return {tool["name"]: tool for tool in asked.send("tools/list").json()["result"]["tools"]}


def test_a_set_offers_its_tools_alone(at):
    every = listed(at(""))
    reads = listed(at("tools=read"))
    assert {*reads} == {name for name, tool in every.items() if tool["annotations"]["readOnlyHint"]}
    assert {*listed(at("tools=write"))} == WRITES
    assert {*listed(at("tools=admin"))} == ADMINISTERS
    assert {*reads} | WRITES | ADMINISTERS == {*every}


@pytest.mark.parametrize("query", ["tools=read,write", "tools=write&tools=read", "tools=read%2Cwrite&other=1"])
def test_sets_are_named_together(at, query):
    assert {*listed(at(query))} == {*listed(at("tools=read"))} | WRITES


def test_a_tool_outside_the_set_is_none(at):
    asked = at("tools=read")
    response = asked.send("tools/call", headers={"mcp-name": "drives_create"}, name="drives_create", arguments={})
    assert "there is no tool named `drives_create`" in response.json()["error"]["message"]
    called = asked.send("tools/call", headers={"mcp-name": "drives_list"}, name="drives_list", arguments={})
    assert called.json()["result"]["isError"] is False


@pytest.mark.parametrize("query", ["tools=all", "tools=", "tools=read,", "tools=Read", "tools=%ff", "tools=%zz"])
def test_what_is_no_set_is_refused(at, query):
    response = at(query).send("tools/list")
    assert response.status_code == 400
    assert json.loads(response.text)["code"] == "BAD_REQUEST"
