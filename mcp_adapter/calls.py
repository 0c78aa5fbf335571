"""What a call of a tool answers: the same checks, in the same order, and the same words as a request over REST."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog
from graphql import GraphQLError
from litestar.types import HTTPScope

from domain.errors import Rejection, Unavailable
from graphql_api.errors import RejectionError, rejection_of, unwrap
from graphql_api.operation_schema import parse_inputs
from graphql_api.operations import Method
from graphql_api.rates import Buckets, Rates
from mcp_adapter.tools import Tool
from rest_adapter.answers import FAULT, UNAVAILABLE, encode
from rest_adapter.edge import visit_of
from rest_adapter.requests import idempotency_key
from rest_adapter.routes import Run, asking, spend

DONE: Final = "done"
_log: Final = structlog.get_logger("mcp")


@dataclass(frozen=True, slots=True)
class Said:
    """What a tool has to say: `structured` where it has an output schema, `failed` with the envelope as its text."""

    text: str
    structured: object = None
    failed: bool = False

    def result(self) -> dict[str, object]:
        """Return it as the result of `tools/call`."""
        told: dict[str, object] = {"content": [{"type": "text", "text": self.text}], "isError": self.failed}
        return told if self.structured is None else told | {"structuredContent": self.structured}


@dataclass(frozen=True, slots=True)
class Calls:
    """The tools, ready to be called by whoever came in."""

    tools: Mapping[str, Tool]
    run: Run
    buckets: Buckets | None

    async def call(self, tool: Tool, arguments: Mapping[str, object], scope: HTTPScope) -> Said:
        """Return what the tool says; whatever goes wrong is said, too."""
        visit = visit_of(scope)
        visit.operation = tool.shape.operation.name
        try:
            return await self._answer(tool, arguments, scope)
        except GraphQLError as error:
            return failed(error.rejection if isinstance(error, RejectionError) else rejection_of(error))
        except Unavailable:
            return failed(UNAVAILABLE)
        except Exception:  # noqa: BLE001 - whatever fails is logged, and the caller learns nothing of it
            _log.exception("call failed", request_id=visit.request_id.decode(), operation=visit.operation)
            return failed(FAULT)

    async def _answer(self, tool: Tool, arguments: Mapping[str, object], scope: HTTPScope) -> Said:
        row, visit = tool.shape.operation, visit_of(scope)
        caller = asking(scope, visit)
        key = idempotency_key(scope) if row.method is Method.POST else None
        inputs = unwrap(parse_inputs(tool.shape, arguments))
        rates = self.buckets.rates if self.buckets else Rates()
        spend(self.buckets, rates.reads if row.read_only else rates.writes, visit)
        result = await self.run(row, caller, inputs, key)
        if result is None:
            return Said(DONE)
        text = encode(result)
        return Said(text.decode(), msgspec.json.decode(text))


def failed(rejection: Rejection) -> Said:
    return Said(encode({"code": rejection.code.value, "message": rejection.message}).decode(), failed=True)
