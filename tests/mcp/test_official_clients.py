"""Whether the official clients, old and new, list the tools and are answered what REST answers."""

import json
import subprocess
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from contract.contract import tool_name
from contract.operations import OPERATIONS, Answer, Surface
from graphql_api.system import new_id
from tests.mcp.official_clients import FOLDER, PYTHON, TYPESCRIPT
from tests.support.processes.node import ENVIRONMENT, NODE, install
from tests.support.processes.servers import PATIENCE, mcp_http
from tests.support.surfaces.answers import ANSWERS, write

ROWS = [row for row in OPERATIONS if Surface.MCP in row.surfaces]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a client made of it: the revision it speaks, the tools by name, an answer for each call."""

    revision: str
    tools: dict
    answers: list


async def through_python(mode, url, headers, calls):
    async with (
        mcp_http(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        listed = (await client.list_tools()).model_dump(by_alias=True, exclude_none=True)["tools"]
        answers = [
            (await client.call_tool(name, arguments)).model_dump(by_alias=True, mode="json", exclude_none=True)
            for name, arguments in calls
        ]
        return Heard(client.protocol_version, {tool["name"]: tool for tool in listed}, answers)


def through_typescript(which, url, headers, calls):
    install(FOLDER)
    told = {"url": url, "headers": headers, "calls": [{"name": name, "arguments": given} for name, given in calls]}
    done = subprocess.run(
        [NODE, "clients.mjs", which], cwd=FOLDER, env=ENVIRONMENT, input=json.dumps(told),
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    heard = json.loads(done.stdout)
    return Heard(heard["revision"], {tool["name"]: tool for tool in heard["tools"]}, heard["answers"])


@pytest.fixture(params=[*(f"python {mode}" for mode in PYTHON), *(f"typescript {which}" for which in TYPESCRIPT)])
def speaker(request, server):
    """`await speaker(person, calls)` asks through one of the clients; `.revision` is what it has to agree on."""
    language, _, which = request.param.partition(" ")

    async def speak(person, calls):
        url, headers = f"{server.base_url}/mcp", {"x-api-key": person.key, "x-service-agent": "scribe"}
        if language == "python":
            return await through_python(which, url, headers, calls)
        return through_typescript(which, url, headers, calls)

    speak.revision = (PYTHON | TYPESCRIPT)[which]
    return speak


@pytest.fixture
def scene(ada, ben, cleo):
    drive = ada.drive("Tools", contributor=ben)
    folder = ada.folder(drive, "Folder")
    document = ada.document(folder, "Document")
    ada.share(document, cleo, "read_write")
    write(ada, document)
    return SimpleNamespace(drive=drive, folder=folder, document=document, ben=ben.id, cleo=cleo.email)


async def test_a_client_agrees_on_its_revision_and_lists_the_seventeen(speaker, ada):
    heard = await speaker(ada, [])
    assert heard.revision == speaker.revision
    assert list(heard.tools) == [tool_name(row.name) for row in ROWS]
    for row in ROWS:
        tool = heard.tools[tool_name(row.name)]
        assert tool["annotations"]["readOnlyHint"] is row.read_only
        assert ("outputSchema" in tool) == (row.answer is not Answer.EMPTY)


async def test_every_tool_does_what_its_operation_does(speaker, ada, scene):
    inputs = {row.name: ANSWERS[row.name][0](scene) for row in ROWS}
    heard = await speaker(ada, [(tool_name(name), given) for name, given in inputs.items()])
    for row, answer in zip(ROWS, heard.answers, strict=True):
        (block,) = answer["content"]
        assert not answer.get("isError"), (row.name, answer)
        check = ANSWERS[row.name][1]
        if row.answer is Answer.EMPTY:
            assert (block["text"], "structuredContent" in answer) == ("done", False)
            continue
        told = json.loads(block["text"])
        assert told == answer["structuredContent"]
        assert check is None or check(told)
    made = json.loads(heard.answers[[row.name for row in ROWS].index("drives.createItem")]["content"][0]["text"])
    assert made["item"]["createdBy"] == {"userId": ada.id, "name": "Ada Lovelace", "agent": "scribe"}


async def test_what_is_read_is_what_rest_answers_byte_for_byte(speaker, ada, scene):
    reads = [row for row in ROWS if row.read_only]
    heard = await speaker(ada, [(tool_name(row.name), ANSWERS[row.name][0](scene)) for row in reads])
    for row, answer in zip(reads, heard.answers, strict=True):
        said = ada.rest.ask(row.name, **ANSWERS[row.name][0](scene))
        assert answer["content"][0]["text"] == said.response.text


def wrong(row, scene):
    """Return inputs that an operation refuses."""
    inputs = ANSWERS[row.name][0](scene)
    unknown = {name: new_id() for name in inputs if name.endswith("Id") and inputs[name] is not None}
    if unknown:
        return inputs | unknown
    return {"drives.list": {"cursor": "nowhere"}, "drives.create": {"name": "\x07"}}.get(row.name, {"color": "red"})


async def test_every_tool_fails_with_the_envelope_that_rest_sends(speaker, ada, scene):
    inputs = {row.name: wrong(row, scene) for row in ROWS}
    heard = await speaker(ada, [(tool_name(name), given) for name, given in inputs.items()])
    for row, answer in zip(ROWS, heard.answers, strict=True):
        assert answer["isError"] is True, row.name
        assert "structuredContent" not in answer
        (block,) = answer["content"]
        if inputs[row.name] != {"color": "red"}:
            assert block["text"] == ada.rest.ask(row.name, **inputs[row.name]).response.text
        else:
            assert json.loads(block["text"])["code"] == "BAD_REQUEST"
