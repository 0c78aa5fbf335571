"""How tests ask over MCP: one request of the newest revision for each call, as bytes that no SDK has made."""

import json
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from contract.contract import MODEL_DOCUMENTS, documents, tool_name
from contract.operations import BY_NAME, Answer
from domain.errors import Code
from edge.responses import STATUS
from tests.support.surfaces.said import Said

REVISION = "2026-07-28"
FULL = "/api/v1/mcp-full"
SPOKEN = "io.modelcontextprotocol/"
FOR_MODELS = documents(MODEL_DOCUMENTS)


def answers_models(operation: str) -> bool:
    """Whether an operation answers models by a document of its own."""
    return BY_NAME[operation].for_models.document in FOR_MODELS


@dataclass(frozen=True, slots=True)
class Mcp:
    """`path` is where the seventeen are asked; extensions are asked where they are."""

    client: httpx.Client
    headers: dict[str, Any] = field(default_factory=dict[str, Any])
    path: str = "/api/v1/mcp"

    def ask(self, operation: str, /, *, headers: dict[str, Any] | None = None, **inputs: Any) -> Said:
        name, row = tool_name(operation), BY_NAME[operation]
        asked = replace(self, path=FULL) if row.extension else self
        response = asked.send("tools/call", headers=(headers or {}) | {"mcp-name": name}, name=name, arguments=inputs)
        brief = asked.path == FULL
        return told(
            response, empty=row.answer is Answer.EMPTY and not (brief and answers_models(operation)), brief=brief
        )

    def send(self, method: str, /, *, headers: dict[str, Any] | None = None, **params: Any) -> httpx.Response:
        """Send a request; `params` need not be any that the method takes."""
        meta = {f"{SPOKEN}protocolVersion": REVISION, f"{SPOKEN}clientCapabilities": {}}
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        said = {"mcp-protocol-version": REVISION, "mcp-method": method}
        return self.client.post(self.path, json=body, headers=self.headers | said | (headers or {}))


def told(response: httpx.Response, *, empty: bool, brief: bool = False) -> Said:
    """Read the result of a tool, whose text is JSON if not `brief`; its code stands for the status that REST would have."""
    if response.status_code != 200:  # before the protocol is spoken
        return failed(response.text, response)
    result = response.json()["result"]
    (block,) = result["content"]
    assert block["type"] == "text"
    if result["isError"]:
        assert "structuredContent" not in result
        return failed(block["text"], response)
    if empty:
        assert "structuredContent" not in result
        assert block["text"].startswith("done: ") if brief else block["text"] == "done"
        return Said(200, None, None, response=response)
    assert block["text"] if brief else json.loads(block["text"]) == result["structuredContent"]
    return Said(200, None, result["structuredContent"], response=response)


def failed(text: str, response: httpx.Response) -> Said:
    envelope = json.loads(text)
    assert list(envelope) == ["code", "message"]
    assert all(isinstance(part, str) and part for part in envelope.values())
    return Said(STATUS[Code(envelope["code"])], envelope["code"], None, envelope["message"], response)
