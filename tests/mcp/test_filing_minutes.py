"""Whether agents file the minutes of a meeting over `/mcp-full`, through the official clients, by key and by OAuth."""

import json
import subprocess
from contextlib import asynccontextmanager

import pytest
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

from tests.mcp.official_clients import CALLBACK, FOLDER, PYTHON, Kept, told
from tests.support.processes.node import ENVIRONMENT, NODE, install
from tests.support.processes.servers import PATIENCE, mcp_http

MINUTES = """# Minutes

- Grace opens the meeting.
- The budget is twelve thousand.

## Decisions

We launch in May.
"""


@asynccontextmanager
async def python(mode, url, key, browser, name):
    """`await call(tool, …)` through the client of Python, which keeps the client's tokens itself."""
    heard = {}

    async def go(address):
        heard.update(told(browser(address)))

    async def arrived():
        return AuthorizationCodeResult(code=heard["code"], state=heard["state"], iss=heard["iss"])

    metadata = OAuthClientMetadata(client_name=name, redirect_uris=[CALLBACK], scope="drive")
    auth = None if key else OAuthClientProvider(url, metadata, Kept(), go, arrived)
    headers = {"x-api-key": key} if key else {}
    async with (
        mcp_http(auth=auth, headers=headers) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):

        async def call(tool, **arguments):
            result = await client.call_tool(tool, arguments)
            return result.model_dump(by_alias=True, mode="json", exclude_none=True)

        yield call


@asynccontextmanager
async def typescript(which, url, key, browser, name):
    """`await call(tool, …)` through one of the clients of TypeScript."""
    install(FOLDER)
    with subprocess.Popen(  # noqa: ASYNC220 - its answers are awaited by lines, one at a time
        [NODE, "session.mjs", which, url, key, CALLBACK, name], cwd=FOLDER, env=ENVIRONMENT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip

        def tell(said):
            process.stdin.write(json.dumps(said) + "\n")
            process.stdin.flush()

        async def call(tool, **arguments):
            tell({"name": tool, "arguments": arguments})
            return json.loads(process.stdout.readline())

        if not key:
            tell(told(browser(json.loads(process.stdout.readline())["authorize"])))
        yield call
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


CLIENTS = {f"python-{mode}": (python, mode) for mode in PYTHON} | {
    f"typescript-{which}": (typescript, which) for which in ("v1", "v2")
}


@pytest.fixture
def agent_key(ada):
    """`agent_key(name)` is a key of Ada's that is bound to the agent."""
    return ada.make_key


@pytest.mark.parametrize("way", ["key", "oauth"])
@pytest.mark.parametrize("which", CLIENTS)
async def test_an_agent_files_the_minutes_and_everything_names_it(which, way, server, browser, agent_key, ada, cleo):
    agent = f"{which} by {way}"
    drive = ada.drive("Board")
    ada.document(drive, f"Agenda of {agent}")
    speak, mode = CLIENTS[which]
    key = agent_key(agent) if way == "key" else ""
    async with speak(mode, f"{server.base_url}/mcp-full", key, browser, agent) as call:

        async def done(tool, **arguments):
            """The structured content and the text of a call that succeeds."""
            result = await call(tool, **arguments)
            assert not result.get("isError"), result
            (block,) = result["content"]
            return result.get("structuredContent"), block["text"]

        found, said = await done("drive_items_search", text=f"Agenda of {agent}", driveId=drive)
        agenda = found["results"][0]["item"]
        assert agenda["id"] in said
        _, said = await done("documents_read", documentId=agenda["id"])
        assert json.loads(said.partition("\n")[0])["id"] == agenda["id"]

        made, _ = await done("drives_create_item", driveId=drive, name="Minutes", driveItemType="folder")
        folder = made["item"]["id"]
        made, _ = await done("drive_items_create_child", itemId=folder, name="May", driveItemType="docs_workbook")
        minutes = made["item"]["id"]
        written, _ = await done("documents_edit", documentId=minutes, replace=MINUTES, base=0)
        assert ("markdown" in written, written["kept"], written["lost"]) == (False, [], [])
        assert "".join(each["inserted"] for each in written["changes"]).startswith("MinutesGrace opens")
        passages = [{"old": "twelve thousand", "new": "fourteen thousand"}, {"old": "in May", "new": "in June"}]
        changed, _ = await done("documents_edit", documentId=minutes, passages=passages)
        assert changed["revision"] > written["revision"]

        _, said = await done("drive_items_share", itemId=minutes, email=cleo.email, permission="read_only")
        assert said == f"done: drive_items_share itemId={minutes} email={cleo.email} permission=read_only"
        access, said = await done("drive_items_explain_access", itemId=minutes, email=cleo.email)
        assert "read_only" in said
        (why,) = next(iter(access.values()))["because"] if "because" not in access else access["because"]
        assert (why["itemId"], why["permission"]) == (minutes, "read_only")

        read, said = await done("documents_read", documentId=minutes)
        facts, _, markdown = said.partition("\n")
        assert markdown == MINUTES.replace("twelve", "fourteen").replace("May", "June") == read["markdown"]
        assert json.loads(facts)["lastEditedBy"]["agent"] == agent
        for tool, listed in (("documents_changes", "changes"), ("documents_attributions", "attributions")):
            since = {"sinceRevision": 0} if listed == "changes" else {}
            told_by, said = await done(tool, documentId=minutes, **since)
            assert all(agent in str(each["by"]) for each in told_by[listed])
            assert said.endswith("That is everything.")
        undone, _ = await done(
            "documents_undo_changes", documentId=minutes, userId=ada.id, agent=agent, sinceRevision=0
        )
        assert undone["skipped"] == []
        kept, _ = await done("documents_versions", documentId=minutes)
        assert all(agent in author for version in kept["versions"] for author in version["authors"])
        since = {"userId": ada.id, "agent": agent, "sinceRevision": changed["revision"]}
        await done("documents_undo_changes", documentId=minutes, **since)
        assert (await done("documents_read", documentId=minutes))[0]["markdown"] == read["markdown"]
    query = "query($d: ID!) { document(id: $d) { attributions { by { userId agent } } authors { userId agent } } }"
    seen = ada.gql(query, d=minutes)
    credited = [*seen["authors"], *(each["by"] for each in seen["attributions"])]
    assert {(each["userId"], each["agent"]) for each in credited} == {(ada.id, agent)}
    assert {ada.get(each)["item"]["createdBy"]["agent"] for each in (made["item"]["id"], folder)} == {agent}
