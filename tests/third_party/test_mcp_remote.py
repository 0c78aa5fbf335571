"""Whether mcp-remote, by which clients without HTTP reach a server, works with a key and with its own sign-in."""

import asyncio
import re
from functools import partial
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.support.processes.node import ENVIRONMENT, NODE, install
from tests.support.processes.servers import PATIENCE, async_http, eventually, free_port

HERE = Path(__file__).parent
PROXY = HERE / "node_modules" / "mcp-remote" / "dist" / "proxy.js"

pytestmark = [pytest.mark.slow, pytest.mark.installs]


@pytest.fixture(scope="module", autouse=True)
def installed():
    install(HERE)


def remote(folder, url, *words):
    """The command that a client is configured with."""
    command = [str(PROXY), url, *words, "--transport", "http-only"]
    return StdioServerParameters(
        command=NODE, args=command, env=ENVIRONMENT | {"MCP_REMOTE_CONFIG_DIR": str(folder), "BROWSER": "true"}
    )


@pytest.mark.parametrize("path", ["mcp", "mcp-full"])
async def test_a_client_without_http_asks_with_a_key(server, ada, tmp_path, path):
    started = remote(tmp_path, f"{server.base_url}/{path}", "--header", f"x-api-key:{ada.key}")
    async with asyncio.timeout(PATIENCE), Client(stdio_client(started)) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert ("viewer_get" in names) == (path == "mcp-full")
        result = await client.call_tool("drives_list", {})
        assert not result.is_error
        assert ada.personal() in result.content[0].text


async def test_it_signs_in_by_itself_after_one_approval(server, ada, browser, tmp_path):
    started = remote(tmp_path / "kept", f"{server.base_url}/mcp-full", str(free_port()))
    said = tmp_path / "said"
    with said.open("w") as log:
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
            tasks.create_task(approved(said, browser))
            async with Client(stdio_client(started, log)) as client:
                result = await client.call_tool("viewer_get", {})
    assert ada.email in result.content[0].text, result


async def approved(said, browser):
    """Approve what it asks for, and call it back as the browser would."""
    found = partial(re.findall, r"https?://\S+/oauth/authorize\?\S+")
    asked = await asyncio.to_thread(eventually, lambda: found(said.read_text()))
    location = await asyncio.to_thread(browser, asked[0])
    async with async_http(location) as window:
        (await window.get(location)).raise_for_status()
