"""Whether the official clients come from a 401 to a call of a tool by themselves, after one approval in a browser."""

import json
import subprocess

import pytest
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

from tests.mcp.official_clients import CALLBACK, FOLDER, PYTHON, TYPESCRIPT, Kept, told
from tests.support.processes.node import ENVIRONMENT, NODE, install
from tests.support.processes.servers import PATIENCE, mcp_http
from tests.support.surfaces.tools import Mcp


async def test_the_client_of_python_registers_itself_and_its_edits_are_credited_to_its_name(
    server, browser, client, ada
):
    for mode in PYTHON:
        kept, heard = Kept(), {}

        async def redirect(url, heard=heard):
            heard.update(told(browser(url)))

        async def callback(heard=heard):
            return AuthorizationCodeResult(code=heard["code"], state=heard["state"], iss=heard["iss"])

        metadata = OAuthClientMetadata(client_name=f"Python {mode}", redirect_uris=[CALLBACK], scope="drive")
        url = f"{server.base_url}/mcp"
        provider = OAuthClientProvider(url, metadata, kept, redirect, callback)
        async with (
            mcp_http(auth=provider) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as mcp_asgi_app,
        ):
            drives = await mcp_asgi_app.call_tool("drives_list")
            drive = drives.structured_content["drives"][0]["id"]
            arguments = {"driveId": drive, "name": "By an application", "driveItemType": "folder"}
            made = await mcp_asgi_app.call_tool("drives_create_item", arguments)
        by = {"userId": ada.id, "name": "Ada Lovelace", "agent": f"Python {mode}"}
        assert made.structured_content["item"]["createdBy"] == by
        token = {"authorization": f"Bearer {kept.tokens.access_token}"}
        assert Mcp(client, token).ask("drives.list").status == 200
        assert client.get("/api/v1/drives", headers=token).status_code == 401  # it is for this address alone


@pytest.mark.parametrize("which", TYPESCRIPT)
def test_the_clients_of_typescript_do_likewise(which, server, browser, ada):
    install(FOLDER)
    with subprocess.Popen(
        [NODE, "connecting.mjs", which, f"{server.base_url}/mcp", CALLBACK], cwd=FOLDER, env=ENVIRONMENT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        asked = json.loads(process.stdout.readline())
        process.stdin.write(json.dumps(told(browser(asked["authorize"]))) + "\n")
        process.stdin.flush()
        made = json.loads(process.stdout.readline())
        assert process.wait(PATIENCE) == 0
    assert made["item"]["createdBy"] == {"userId": ada.id, "name": "Ada Lovelace", "agent": f"TypeScript {which}"}
