"""The tools of `/mcp-full`, an example for each, and a call over HTTP."""

from types import SimpleNamespace

from contract.examples import example
from contract.operations import Surface
from edge.mcp_resources import MCP_FULL
from mcp_adapter.tools import tools
from tests.mcp.mcp_world import KEY, World
from tests.support.surfaces.callers import CONTRACT
from tests.support.surfaces.tools import Mcp

TOOLS = tools(CONTRACT, Surface.MCP_FULL)


def exemplary(tool):
    """An example of the inputs of a tool, and of its answer."""
    components = CONTRACT.components | CONTRACT.model_components
    given = {each.name: example(each.type.schema, components, each.name) for each in tool.shape.inputs.values()}
    return given, example(tool.shape.answer, components) if tool.shape.answer else None


async def said(name, answer, **given):
    """The result of a call over HTTP, and the operation that was run."""
    tool = TOOLS[name]
    world = World(answer=answer, resource=MCP_FULL)
    request = SimpleNamespace(post=lambda _path, **sent: sent)
    sent = Mcp(request).send("tools/call", headers={"mcp-name": tool.name}, name=tool.name, arguments=given)
    headers = sent["headers"] | {"x-api-key": KEY}
    result = (await world.client.post(MCP_FULL.path, json=sent["json"], headers=headers)).json()["result"]
    return result, world
