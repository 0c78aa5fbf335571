"""Runs tool calls with the checks, order and messages of REST."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
import structlog
from graphql import GraphQLError
from litestar.types import HTTPScope

from domain.errors import Rejection, Unavailable
from edge.app import context_of
from edge.operations import Call, Run, operation_call
from edge.rate_limit import RateLimiter
from edge.responses import FAULT, UNAVAILABLE, encode
from graphql_api.errors import RejectionError, rejection_of
from mcp_adapter.tools import Tool

DONE: Final = "done"
_log: Final = structlog.get_logger("mcp")


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool: `structured` if it has an output schema, `failed` with the envelope as its text."""

    text: str
    structured: object = None
    failed: bool = False

    def result(self) -> dict[str, object]:
        """Return it as the result of `tools/call`."""
        told: dict[str, object] = {"content": [{"type": "text", "text": self.text}], "isError": self.failed}
        return told if self.structured is None else told | {"structuredContent": self.structured}


type TextOf = Callable[[Tool, Mapping[str, object], Any], str]
"""Makes the text block of a call with these inputs and this answer; the answer is None where there is none."""


@dataclass(slots=True)
class Calls:
    """The tools, with the calls of an authenticated caller; without `text_of`, a text block is the answer's JSON."""

    tools: Mapping[str, Tool]
    run: Run
    limiter: RateLimiter | None
    text_of: TextOf | None = None
    _call_of: Mapping[str, Call] = field(init=False)

    def __post_init__(self) -> None:
        self._call_of = {name: operation_call(tool.shape, self.run, self.limiter) for name, tool in self.tools.items()}

    async def call(self, tool: Tool, arguments: Mapping[str, object], scope: HTTPScope) -> ToolResult:
        """Return the tool's result, also for a failure."""
        context = context_of(scope)
        context.operation = tool.shape.operation.name
        try:
            return self._result(tool, arguments, await self._call_of[tool.name](scope, context, arguments))
        except GraphQLError as error:
            return failed(error.rejection if isinstance(error, RejectionError) else rejection_of(error))
        except Unavailable:
            return failed(UNAVAILABLE)
        except Exception:  # noqa: BLE001 - whatever fails is logged, and the caller learns nothing of it
            _log.exception("call failed", request_id=context.request_id.decode(), operation=context.operation)
            return failed(FAULT)

    def _result(self, tool: Tool, arguments: Mapping[str, object], result: object) -> ToolResult:
        if result is None:
            return ToolResult(self.text_of(tool, arguments, None) if self.text_of else DONE)
        encoded = encode(result)
        structured = msgspec.json.decode(encoded)
        return ToolResult(self.text_of(tool, arguments, structured) if self.text_of else encoded.decode(), structured)


def failed(rejection: Rejection) -> ToolResult:
    return ToolResult(encode({"code": rejection.code.value, "message": rejection.message}).decode(), failed=True)
