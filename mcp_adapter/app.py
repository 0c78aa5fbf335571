"""Serves MCP over HTTP: checks each request before the protocol sees it, in REST's order and words."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Final, cast

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send
from litestar.types import Message as Event

from contract.contract import Contract
from contract.errors import RejectionError
from contract.operations import Surface, ToolSet
from domain.errors import forbidden
from domain.oauth import SCOPE
from domain.values import bad
from edge.app import Edge, EdgeParts, RequestContext, request_context
from edge.mcp_resources import MCP, MCP_FULL, McpResource
from edge.operations import PublishedId, Run, spend, unpublished
from edge.origins import own_origins
from edge.rate_limit import RateLimiter
from edge.requests import MAX_BODY, only, query_pairs, read_body
from edge.responses import METHOD_NOT_SUPPORTED, Response, error_response
from mcp_adapter.messages import InvalidMessage, McpMessage, message_of
from mcp_adapter.tools import Tool, tools

ALLOW: Final = (b"allow", b"OPTIONS, POST")
FOREIGN: Final = forbidden("call this server from the page of another site")
# The protocol asks clients to accept both; what is answered is JSON alone, as everywhere here, whatever they accept.
_ACCEPTED: Final = (b"accept", b"application/json, text/event-stream")


def mcp_app(
    contract: Contract,
    parts: EdgeParts,
    resource: McpResource = MCP,
    *,
    run: Run,
    origin: str,
    allowed_origins: Collection[str] = (),
    max_body: int = MAX_BODY,
    published_id: PublishedId = unpublished,
) -> Edge:
    """Return the application for the path of `resource` alone.

    `origin` is how people reach it, `allowed_origins` are of other sites' pages.
    """
    full = resource is MCP_FULL
    served = tools(contract, Surface.MCP_FULL if full else Surface.MCP)
    own = own_origins(origin)
    endpoint = McpEndpoint(
        served, run, parts.limiter, resource, own | set(allowed_origins), own, max_body, published_id
    )
    return Edge(endpoint, parts, lambda _scope, _path: resource.point, resource.challenge(origin, SCOPE))


@dataclass(slots=True)
class McpEndpoint:
    """The ASGI application inside the edge. The protocol's own machinery is loaded when it is first needed."""

    tools: Mapping[str, Tool]
    run: Run
    limiter: RateLimiter | None
    resource: McpResource
    origins: Collection[str]
    own_origins: Collection[str]
    max_body: int
    published_id: PublishedId = unpublished
    _sdk_apps: dict[frozenset[ToolSet], ASGIApp] = field(default_factory=dict, init=False)
    _loading: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = cast("HTTPScope", scope)
        if request["method"] == "OPTIONS":
            await Response(204, (ALLOW,))(scope, receive, send)
            return
        context = request_context(scope)
        context.operation = self.resource.point.value
        try:
            message = message_of(await self._admitted(request, receive))
            sets = tool_sets(query_pairs(request))
            self._spend(message, context)
        except RejectionError as refused:
            extra = (ALLOW,) if refused.rejection is METHOD_NOT_SUPPORTED else ()
            await error_response(refused.rejection, *extra)(scope, receive, send)
            return
        except InvalidMessage as fault:
            await fault.answer(scope, receive, send)
            return
        sdk_app = self._sdk_apps.get(sets) or await self._load_sdk(sets)
        await sdk_app(_accepting_both(request), _with_body(message.text, receive), send)

    def _spend(self, message: McpMessage, context: RequestContext) -> None:
        """Count as a read whatever is no call of a tool, which counts as what its operation is."""
        name = message.params.get("name")
        calls = message.method == "tools/call" and isinstance(name, str) and name in self.tools
        if self.limiter and not calls:
            spend(self.limiter, self.limiter.rates.reads, context)

    async def _admitted(self, scope: HTTPScope, receive: Receive) -> bytes:
        """Return the body of a request that may be looked into; raises RejectionError: 405, 403, 413, 415."""
        if scope["method"] != "POST":
            raise RejectionError(METHOD_NOT_SUPPORTED)
        origin = only(scope, b"origin")
        if origin is not None and origin not in self.origins:
            raise RejectionError(FOREIGN)
        return await read_body(scope, receive, self.max_body)

    async def _load_sdk(self, sets: frozenset[ToolSet]) -> ASGIApp:
        async with self._loading:
            if sets not in self._sdk_apps:
                self._sdk_apps[sets] = await asyncio.to_thread(self._sdk, sets)
            return self._sdk_apps[sets]

    def _sdk(self, sets: frozenset[ToolSet]) -> ASGIApp:
        from mcp_adapter.server import mcp_asgi_app  # noqa: PLC0415 - see there

        served = {name: tool for name, tool in self.tools.items() if tool.shape.operation.tool_set in sets}
        return mcp_asgi_app(
            served,
            self.run,
            self.limiter,
            _version(),
            writes=self.resource.writes,
            origins=self.own_origins,
            published_id=self.published_id,
        )


def tool_sets(query: Collection[tuple[str, str]]) -> frozenset[ToolSet]:
    """Return the sets of tools that `tools` in a query asks for, all of them without; raises RejectionError."""
    asked = [name for key, value in query if key == "tools" for name in value.split(",")]
    if not {*asked} <= {*ToolSet}:
        raise RejectionError(bad("tools", f"must be one or more of `{','.join(ToolSet)}`"))
    return frozenset(map(ToolSet, asked)) or frozenset(ToolSet)


def _version() -> str:
    try:
        return version("codrive-server")
    except PackageNotFoundError:
        return "0"


def _accepting_both(scope: HTTPScope) -> HTTPScope:
    headers = [each for each in scope["headers"] if each[0] not in (b"accept", b"content-length", b"transfer-encoding")]
    return cast("HTTPScope", {**scope, "headers": [*headers, _ACCEPTED]})


def _with_body(body: bytes, receive: Receive) -> Receive:
    """Return what gives the whole body, and after it whatever comes."""
    waiting = [cast("Event", {"type": "http.request", "body": body, "more_body": False})]

    async def receive_checked() -> Event:
        return waiting.pop() if waiting else cast("Event", await receive())

    return cast("Receive", receive_checked)
