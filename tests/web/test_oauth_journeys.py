"""The whole way of the official clients: 401, registration, sign-in and approval in Chromium, tools, refresh, the end."""

import asyncio
import json
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from playwright.async_api import Error, expect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from edge.app import LATE_SECONDS
from tests.support.processes.browser import new_context
from tests.support.processes.node import ENVIRONMENT, NODE, install
from tests.support.processes.servers import PATIENCE, async_http, mcp_http, websocket
from tests.support.web.accessible import check_accessible

CLIENTS = Path(__file__).parents[1] / "mcp" / "clients"


class Callback:
    """The application's own listener on this computer, at a port that was free."""

    def __init__(self):
        self.told = asyncio.Queue()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.uri = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/callback"
        return self

    async def __aexit__(self, *_):
        self.server.close()

    async def _answer(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        path = head.split()[1]
        words = "You may close this window."
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-length: {len(words)}\r\nconnection: close\r\n\r\n{words}".encode())
        await writer.drain()
        writer.close()
        if path.startswith("/callback"):
            await self.told.put(dict(parse_qsl(urlsplit(path).query)))

    async def arrived(self):
        async with asyncio.timeout(PATIENCE):
            return await self.told.get()


class Storage:
    """What a client keeps between its runs."""

    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Ada:
    """Ada at her computer, and what she sees over her key."""

    def __init__(self, served, page):
        self.served, self.page = served, page
        user = served.credentials["users"]["ada"]
        self.id, self.email, self.password = user["userId"], user["email"], user["password"]
        self.key = {"x-api-key": user["apiKey"]}
        self.http = async_http(served.origin)

    async def sign_in(self):
        await self.page.get_by_label("E-mail address").fill(self.email)
        await self.page.get_by_label("Password").fill(self.password)
        await self.page.get_by_role("button", name="Sign in").click()

    async def look(self, address, name, decide="Approve"):
        """Look where an application sends her, sign in where she has to, and decide."""
        await self.page.goto(address)
        if "/sign-in" in self.page.url:
            await self.sign_in()
        await expect(self.page.get_by_role("heading", name=f"Connect “{name}”?")).to_be_visible()
        await expect(self.page.get_by_text("This is a program on your own computer.")).to_be_visible()
        await check_accessible(self.page)
        await self.page.get_by_role("button", name=decide).click()
        await expect(self.page.get_by_text("You may close this window.")).to_be_visible()

    async def disconnect(self, name):
        await self.page.goto(f"{self.served.origin}/settings/apps")
        await check_accessible(self.page)
        await self.page.get_by_role("button", name=f"Disconnect {name}").click()
        await expect(self.page.get_by_text(name)).to_have_count(0)

    async def drive(self):
        asked = {"name": "Of an application"}
        answer = await self.http.post("/api/v1/drives", json=asked, headers=self.key)
        return answer.raise_for_status().json()["drive"]["id"]

    async def item(self, item_id):
        answer = await self.http.get(f"/api/v1/drive-items/{item_id}", headers=self.key)
        return answer.raise_for_status().json()["item"]

    async def events(self, drive_id):
        query = "query Of($id: ID!) { driveEvents(driveId: $id) { nodes { type by { userId agent } } } }"
        asked = {"query": query, "variables": {"id": drive_id}}
        told = (await self.http.post("/graphql", json=asked, headers=self.key)).raise_for_status().json()
        return {each["type"]: each["by"] for each in told["data"]["driveEvents"]["nodes"]}

    async def register(self, name, callback):
        """Return where an application of this name sends her, having registered itself."""
        asked = {"client_name": name, "redirect_uris": [callback.uri]}
        registered = (await self.http.post("/oauth/register", json=asked)).raise_for_status().json()
        request = {
            "response_type": "code",
            "client_id": registered["client_id"],
            "redirect_uri": callback.uri,
            "state": "s",
            "code_challenge": "a" * 43,
            "code_challenge_method": "S256",
        }
        return f"{self.served.origin}/oauth/authorize?{urlencode(request)}"

    async def ask(self, token):
        """Return what a request with this token is answered."""
        headers = {"authorization": f"Bearer {token}", "accept": "application/json, text/event-stream"}
        headers |= {"mcp-protocol-version": "2025-11-25"}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        return await self.http.post("/api/v1/mcp", json=asked, headers=headers)

    def credited(self, agent):
        return {"userId": self.id, "name": "Ada Lovelace", "agent": agent}


@pytest.fixture
async def ada(served, browser):
    context = await new_context(browser)
    made = Ada(served, await context.new_page())
    yield made
    await made.http.aclose()
    await context.close()


def oauth_client(ada, callback, storage, name):
    async def go(address):
        await ada.look(address, name)

    async def arrived():
        return AuthorizationCodeResult(**await callback.arrived())

    metadata = OAuthClientMetadata(client_name=name, redirect_uris=[callback.uri])
    return OAuthClientProvider(f"{ada.served.base_url}/mcp", metadata, storage, go, arrived)


@asynccontextmanager
async def python_client(ada, callback, storage, name, mode):
    provider = oauth_client(ada, callback, storage, name)
    async with (
        mcp_http(auth=provider) as http,
        Client(streamable_http_client(f"{ada.served.base_url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client, provider


async def called(client, name, /, **arguments):
    answer = await client.call_tool(name, arguments)
    assert not answer.is_error, answer
    return answer.structured_content


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_python_client_goes_the_whole_way(ada, mode):
    name, storage, drive_id = f"Python {mode}", Storage(), await ada.drive()
    async with Callback() as callback, python_client(ada, callback, storage, name, mode) as (client, provider):
        made = await called(client, "drives_create_item", driveId=drive_id, name="Plan", driveItemType="folder")
        item_id = made["item"]["id"]
        assert made["item"]["createdBy"] == ada.credited(name)
        await called(client, "drive_items_rename", itemId=item_id, name="Better plan")
        told = await ada.item(item_id)
        assert (told["createdBy"], told["updatedBy"]) == (ada.credited(name), ada.credited(name))
        by = await ada.events(drive_id)
        assert by["driveCreated"]["agent"] is None
        assert by["itemCreated"] == by["itemRenamed"] == {"userId": ada.id, "agent": name}

        first = storage.tokens
        provider.context.token_expiry_time = 1.0  # the hour is over
        await called(client, "drives_list")
        second = storage.tokens
        assert second.access_token != first.access_token
        assert second.refresh_token != first.refresh_token

        assert (await ada.ask(second.access_token)).status_code == 200
        await ada.disconnect(name)
        refused = await ada.ask(second.access_token)
        assert refused.status_code == 401
        assert 'error="invalid_token"' in refused.headers["www-authenticate"]
        # the client begins anew: she is asked again, though she is still signed in
        await called(client, "drives_list")
        assert storage.tokens.access_token not in (first.access_token, second.access_token)
        await ada.disconnect(name)


async def test_a_call_that_is_on_its_way_while_its_application_is_disconnected_does_nothing(ada):
    name, storage, drive_id = "Slow", Storage(), await ada.drive()
    async with Callback() as callback, python_client(ada, callback, storage, name, "legacy") as (client, _):
        await called(client, "drives_list")
    token = storage.tokens.access_token
    call = {"name": "drives_create_item", "arguments": {"driveId": drive_id, "name": "Late", "driveItemType": "folder"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
    where = urlsplit(ada.served.origin)
    lines = [
        "POST /api/v1/mcp HTTP/1.1",
        f"host: {where.netloc}",
        f"authorization: Bearer {token}",
        "connection: close",
        "expect: 100-continue",
    ]
    lines += ["content-type: application/json", "accept: application/json, text/event-stream"]
    lines += ["mcp-protocol-version: 2025-11-25", f"content-length: {len(body)}", "", ""]
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write("\r\n".join(lines).encode() + body[:20])
    await writer.drain()
    # the server has let the call in, and waits for the rest: from here on its own clock for it runs
    assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    begun = asyncio.get_running_loop().time()
    await ada.disconnect(name)
    while (await ada.ask(token)).status_code != 401 or asyncio.get_running_loop().time() - begun <= LATE_SECONDS:
        assert asyncio.get_running_loop().time() - begun < PATIENCE
    writer.write(body[20:])
    assert (await reader.readline()).startswith(b"HTTP/1.1 401 ")
    writer.close()
    assert "itemCreated" not in await ada.events(drive_id)


async def test_a_client_that_gives_its_tokens_back_is_let_in_no_more(ada):
    name, storage = "Giver", Storage()
    async with Callback() as callback, python_client(ada, callback, storage, name, "auto") as (client, _):
        await called(client, "drives_list")
        token = storage.tokens.access_token
        form = {"token": token, "client_id": storage.client.client_id}
        assert (await ada.http.post("/oauth/revoke", data=form)).status_code == 200
        assert (await ada.ask(token)).status_code == 401


async def test_a_client_that_is_denied_is_told_so_and_gets_nothing(ada):
    async with Callback() as callback:
        await ada.look(await ada.register("Unwanted", callback), "Unwanted", "Deny")
        told = await callback.arrived()
        assert (told["error"], told["state"], told["iss"]) == ("access_denied", "s", ada.served.origin)
        assert "code" not in told


async def test_a_program_on_this_computer_is_approved_each_time(ada):
    async with Callback() as callback:
        address = await ada.register("Repeated", callback)
        for _ in range(2):
            await ada.look(address, "Repeated")
            assert "code" in await callback.arrived()


class Website:
    """A site that is nowhere: all that is known of it is how browsers tried to reach it."""

    uri = "https://app.invalid/callback"

    def __init__(self):
        self.told = asyncio.Queue()

    def watch(self, page):
        page.on("request", self._asked)

    def _asked(self, request):
        if request.url.startswith(self.uri):
            self.told.put_nowait(dict(parse_qsl(urlsplit(request.url).query)))

    async def arrived(self):
        async with asyncio.timeout(PATIENCE):
            return await self.told.get()


async def test_a_site_that_was_approved_before_goes_on_by_itself_even_after_signing_in_again(ada, browser):
    site = Website()
    site.watch(ada.page)
    address = await ada.register("Remembered", site)
    await ada.page.goto(address)
    await ada.sign_in()
    await ada.page.get_by_role("button", name="Approve").click()
    assert "code" in await site.arrived()
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        await ada.page.goto(address)
    assert "code" in await site.arrived()
    context = await new_context(browser)
    again = Ada(ada.served, await context.new_page())
    site.watch(again.page)
    await again.page.goto(address)
    await again.sign_in()
    assert "code" in await site.arrived()
    await again.http.aclose()
    await context.close()


async def test_an_application_on_a_page_asks_in_a_window_and_hears_from_it(ada):
    async with Callback() as callback:
        address = await ada.register("Pop-up", callback)
        await ada.page.goto(callback.uri.replace("/callback", "/page"))
        async with ada.page.expect_popup() as opened:
            await ada.page.evaluate("address => { window.popup = window.open(address); }", address)
        window = Ada(ada.served, await opened.value)
        await window.sign_in()
        await window.page.get_by_role("button", name="Approve").click()
        await expect(window.page.get_by_text("You may close this window.")).to_be_visible()
        assert await window.page.evaluate("window.opener !== null")
        assert await ada.page.evaluate("window.popup.closed") is False
        assert "code" in await callback.arrived()
        await window.http.aclose()


async def test_a_token_opens_the_mcp_address_and_nothing_else(ada):
    name, storage = "Curious", Storage()
    async with Callback() as callback, python_client(ada, callback, storage, name, "auto") as (client, _):
        await called(client, "drives_list")
    token = storage.tokens.access_token
    asked = {"query": "{ viewer { id } }"}
    for headers in ({"authorization": f"Bearer {token}"}, {"x-api-key": token}, {"cookie": f"codrive={token}"}):
        for path in ("/api/v1/drives", "/images/x"):
            assert (await ada.http.get(path, headers=headers)).status_code == 401
        assert (await ada.http.post("/graphql", json=asked, headers=headers)).status_code == 401
    for query in ({"access_token": token}, {"token": token}):
        assert (await ada.http.get("/api/v1/drives", params=query)).status_code == 401
        assert (await ada.http.post("/api/v1/mcp", params=query, json={})).status_code == 401
    assert (await ada.ask(token)).status_code == 200
    assert token not in ada.served.log.read_text()


async def end_of(address, headers, first):
    """Return how a socket that sends this ends: the status of the handshake, or the code of the close."""
    try:
        async with (
            asyncio.timeout(PATIENCE),
            websocket(address, additional_headers=headers, subprotocols=["graphql-transport-ws"]) as socket,
        ):
            await socket.send(first)
            while True:
                await socket.recv()
    except InvalidStatus as refused:
        return refused.response.status_code
    except ConnectionClosed as closed:
        return closed.rcvd.code


@pytest.mark.parametrize("path", ["/graphql", "/collaboration", "/collaboration/x"])
@pytest.mark.parametrize("header", ["authorization", "x-api-key"])
async def test_a_token_opens_no_socket(ada, path, header):
    storage = Storage()
    async with Callback() as callback, python_client(ada, callback, storage, "Sockets", "auto") as (client, _):
        await called(client, "drives_list")
    token = storage.tokens.access_token
    given = {header: f"Bearer {token}" if header == "authorization" else token}
    first = json.dumps({"type": "connection_init"}) if path == "/graphql" else b"\x00\x00\x01\x00"
    ended = await end_of(ada.served.origin.replace("http", "ws") + path, given, first)
    assert ended in (401, 4401, 4404)


class TypeScript:
    """The TypeScript client, spoken with line by line."""

    def __init__(self, process):
        self.process = process

    async def say(self, told):
        self.process.stdin.write(json.dumps(told).encode() + b"\n")
        await self.process.stdin.drain()

    async def hear(self):
        async with asyncio.timeout(PATIENCE):
            line = await self.process.stdout.readline()
        assert line, (await self.process.stderr.read()).decode()
        return json.loads(line)

    async def call(self, name, /, **arguments):
        await self.say({"name": name, "arguments": arguments})
        return await self.hear()


@asynccontextmanager
async def typescript_client(ada, name):
    install(CLIENTS)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        NODE, "connected.mjs", cwd=CLIENTS, env=ENVIRONMENT, stdin=pipe, stdout=pipe, stderr=pipe, limit=2**24
    )
    client = TypeScript(process)
    async with AsyncExitStack() as ending:
        ending.push_async_callback(process.wait)
        ending.callback(process.stdin.close)
        await client.say({"url": f"{ada.served.base_url}/mcp", "name": name})
        yield client


async def test_the_typescript_client_goes_the_whole_way(ada):
    name, drive_id = "TypeScript", await ada.drive()
    async with typescript_client(ada, name) as client:
        await ada.look((await client.hear())["go"], name)
        first = (await client.hear())["tokens"]
        told = await client.call("drives_create_item", driveId=drive_id, name="Plan", driveItemType="docs_workbook")
        made = told["answer"]["structuredContent"]["item"]
        assert made["createdBy"] == ada.credited(name)
        await client.call("drive_items_rename", itemId=made["id"], name="Better plan")
        assert (await ada.item(made["id"]))["updatedBy"] == ada.credited(name)
        assert (await ada.events(drive_id))["itemRenamed"] == {"userId": ada.id, "agent": name}

        await client.say({"forget": True})
        second = (await client.call("drives_list"))["tokens"]
        assert second["refresh_token"] != first["refresh_token"]
        assert (await ada.ask(second["access_token"])).status_code == 200

        await ada.disconnect(name)
        assert (await ada.ask(second["access_token"])).status_code == 401
        told = await client.call("drives_list")
        assert told["go"].startswith(f"{ada.served.origin}/oauth/authorize?"), "its user is asked again"
        assert (await client.hear())["unauthorized"] is True
