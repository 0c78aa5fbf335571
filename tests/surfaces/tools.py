"""How tests ask over MCP: one request of the newest revision for each call, as bytes that no SDK has made."""

import json
from dataclasses import dataclass, field
from typing import Any

import httpx

from domain.errors import Code
from edge.statuses import STATUS
from graphql_api.contract import tool_name
from graphql_api.operations import BY_NAME, Answer

from .said import Said

REVISION = "2026-07-28"
SPOKEN = "io.modelcontextprotocol/"


@dataclass(frozen=True, slots=True)
class Mcp:
    client: httpx.Client
    headers: dict = field(default_factory=dict)

    def ask(self, operation: str, /, *, headers: dict | None = None, **inputs: Any) -> Said:
        name = tool_name(operation)
        response = self.send("tools/call", headers=(headers or {}) | {"mcp-name": name}, name=name, arguments=inputs)
        return told(response, empty=BY_NAME[operation].answer is Answer.EMPTY)

    def send(self, method: str, /, *, headers: dict | None = None, **params: Any) -> httpx.Response:
        """Send a request; `params` need not be any that the method takes."""
        meta = {f"{SPOKEN}protocolVersion": REVISION, f"{SPOKEN}clientCapabilities": {}}
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        said = {"mcp-protocol-version": REVISION, "mcp-method": method}
        return self.client.post("/api/v1/mcp", json=body, headers=self.headers | said | (headers or {}))


def told(response: httpx.Response, *, empty: bool) -> Said:
    """Read the result of a tool; its code stands for the status that REST would have."""
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
        assert block["text"] == "done"
        return Said(200, None, None, response=response)
    assert json.loads(block["text"]) == result["structuredContent"]
    return Said(200, None, result["structuredContent"], response=response)


def failed(text: str, response: httpx.Response) -> Said:
    envelope = json.loads(text)
    assert list(envelope) == ["code", "message"]
    assert all(isinstance(part, str) and part for part in envelope.values())
    return Said(STATUS[Code(envelope["code"])], envelope["code"], None, envelope["message"], response)
