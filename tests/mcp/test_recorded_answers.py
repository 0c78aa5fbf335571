"""Whether `/mcp` says to the letter what it said when it was recorded: its tools, its answers, its 401."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from contract.errors import RejectionError
from domain.errors import NOT_FOUND
from tests.mcp.mcp_world import KEY, World

RECORDED = json.loads(Path(__file__).with_name("recorded_answers.json").read_text())
"""`messages` by name, and `calls`: the operation's answer, and what `/mcp` makes of it. Rewritten only where v1 grows."""


async def said(world, body, headers):
    """The status and text of an answer, as they are recorded."""
    response = await world.client.post("/api/v1/mcp", content=json.dumps(body), headers={"x-api-key": KEY} | headers)
    return [response.status_code, response.text.replace(f'"version":"{version("codrive-server")}"', '"version":"0"')]


@pytest.mark.parametrize("name", RECORDED["messages"])
async def test_a_message_is_answered_as_it_was(name):
    recorded = RECORDED["messages"][name]
    assert await said(World(), recorded["body"], recorded["headers"]) == recorded["said"]


@pytest.mark.parametrize("name", RECORDED["calls"])
async def test_every_tool_answers_as_it_did(name):
    recorded = RECORDED["calls"][name]
    world = World(answer=recorded["answer"])
    assert await said(world, recorded["body"], recorded["headers"]) == recorded["said"]
    world.fault = RejectionError(NOT_FOUND)
    assert await said(world, recorded["body"], recorded["headers"]) == recorded["refused"]


def test_every_one_of_the_seventeen_is_recorded():
    listed = json.loads(RECORDED["messages"]["tools/list of 2026-07-28"]["said"][1])["result"]["tools"]
    assert [tool["name"] for tool in listed] == list(RECORDED["calls"])
    assert len(listed) == 17


async def test_the_challenge_is_what_it_was():
    response = await World().client.post("/api/v1/mcp", json={})
    assert [response.status_code, response.text, response.headers["www-authenticate"]] == RECORDED["challenge"]
