"""The page on which people connect an agent: it makes a key of the agent's own, and shows what usual clients want."""

import json
from typing import Any

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler

from domain.errors import Rejection
from domain.values import agent_name
from edge.mcp_resources import MCP, MCP_FULL
from web.context import PageRequest, WebContext
from web.flash import clear_flash, read_flash, redirect_with_flash
from web.pages import page, readable
from web.session import Visitor

PATH = "/settings/agents"


def agent_pages(context: WebContext) -> list[HTTPRouteHandler]:
    @readable(PATH)
    async def agents(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        made = read_flash(context, request, visitor)
        answer = await _page(context, visitor, made=made)
        return clear_flash(context, answer) if made else answer

    @post(PATH, status_code=200)
    async def connect(request: PageRequest) -> Response[Any]:
        visitor = await context.require_user(request)
        agent = (await context.form(request, visitor)).get("agent", "").strip()
        if isinstance(agent_name(agent), Rejection):
            faults = {"agent": "An agent's name has 1 to 64 printable characters"}
            return await _page(context, visitor, status=400, agent=agent, faults=faults)
        made = await context.run(visitor, "CreateKey", name=agent, agent=agent)
        secret, key_id = made["createApiKey"]["secret"], made["createApiKey"]["apiKey"]["id"]
        return redirect_with_flash(context, visitor, PATH, {"secret": secret, "id": key_id, "agent": agent})

    return [agents, connect]


async def _page(context: WebContext, visitor: Visitor, **values: Any) -> Response[Any]:
    viewer = (await context.run(visitor, "Keys"))["viewer"]
    given: dict[str, Any] = {"agent": "", "faults": {}, "made": None, "status": 200} | values
    made, url = given["made"], MCP_FULL.at(context.origin)
    if made and made["id"] not in {key["id"] for key in viewer["apiKeys"]}:
        made = None  # revoked before it was shown
    return page(
        "agents.html",
        visitor=visitor,
        verified=viewer["emailVerified"],
        url=url,
        seventeen=MCP.at(context.origin),
        without_key=f"claude mcp add --transport http codrive {url}",
        clients=clients(url, made["secret"]) if made else [],
        keys=[key for key in viewer["apiKeys"] if key["agent"]],
        **given | {"made": made},
    )


def clients(url: str, secret: str) -> list[tuple[str, str, str]]:
    """Return what usual clients want to connect with a key: an id for the page, the client's name, the text."""
    reached = {"url": url, "headers": {"x-api-key": secret}}
    code = {"servers": {"codrive": {"type": "http", **reached}}}
    other = {"mcpServers": {"codrive": {"type": "http", **reached}}}
    codex = f'[mcp_servers.codrive]\nurl = "{url}"\nhttp_headers = {{ "x-api-key" = "{secret}" }}'
    command = f'claude mcp add --transport http codrive {url} --header "x-api-key: {secret}"'
    return [
        ("claude-code", "Claude Code", command),
        ("vs-code", "VS Code, in .vscode/mcp.json", json.dumps(code, indent=2)),
        ("codex", "Codex, in ~/.codex/config.toml", codex),
        ("others", "Cursor and most others, as JSON", json.dumps(other, indent=2)),
    ]
