"""What happens to open documents when rights change: within the change itself, whatever client it is.

The server of these tests has no recheck of its own, so whatever it closes it closes for a commit.
"""

import asyncio
from datetime import UTC, datetime

import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.credit import Credit
from domain.share import ShareRemoved
from domain.values import Email
from graphql_api.ports import LockScope
from live import codec
from persistence.store import PostgresStore
from tests.support.live import npm, raw
from tests.support.live.raw import EMPTY, synced
from tests.support.live.rights import demote, move, remove, share, shared_document, trash
from tests.support.processes.servers import PATIENCE, async_http

EVERY = (*npm.HOCUSPOCUS, "y")

ENDS = {"the grant is removed": remove, "the grant becomes read_only": demote, "it is trashed": trash}


@pytest.mark.parametrize("change", ENDS.values(), ids=ENDS)
async def test_a_socket_is_closed_when_its_rights_change(world, served, change):
    document = await world.personal()
    await share(world, document)
    key = served.key("ben")
    async with raw.connected(served.origin, f"/collaboration/{document}", x_api_key=key) as (_, socket):
        await synced(socket)
        await change(world, document)
        assert await socket.closed() == 4205


async def test_what_is_moved_out_of_a_shared_folder_is_closed(world, served):
    folder, document = await shared_document(world)
    await share(world, folder)
    key = served.key("ben")
    async with raw.connected(served.origin, f"/collaboration/{document}", x_api_key=key) as (_, socket):
        await synced(socket)
        await move(world, document)
        assert await socket.closed() == 4205


async def test_a_revoked_key_is_told_so_on_every_socket(world, served):
    document = await world.document()
    made = await world.manage('mutation { createApiKey(name: "short") { secret apiKey { id } } }')
    secret, number = made["createApiKey"]["secret"], made["createApiKey"]["apiKey"]["id"]
    async with raw.connected(served.origin, f"/collaboration/{document}", x_api_key=secret) as (_, socket):
        await synced(socket)
        await world.manage("mutation($i: ID!) { revokeApiKey(id: $i) { id } }", i=number)
        assert await socket.closed() == 4401


async def test_a_ticket_ends_with_the_key_it_was_asked_for_with(world, served):
    document = await world.document()
    made = await world.manage('mutation { createApiKey(name: "short") { secret apiKey { id } } }')
    secret, number = made["createApiKey"]["secret"], made["createApiKey"]["apiKey"]["id"]
    query = f'mutation {{ createCollaborationTicket(documentId: "{document}") {{ ticket }} }}'
    answer = await world.api["ada"].post("/graphql", json={"query": query}, headers={"x-api-key": secret})
    ticket = answer.json()["data"]["createCollaborationTicket"]["ticket"]
    name = codec.text(document)
    async with raw.connected(served.origin, "/collaboration") as (_, socket):
        socket.send(name + b"\x02\x00" + codec.text(ticket))
        await socket.until(lambda payload: payload.endswith(b"read-write"))
        await world.manage("mutation($i: ID!) { revokeApiKey(id: $i) { id } }", i=number)
        assert await socket.closed() == 4401


@pytest.mark.parametrize("client", EVERY)
async def test_a_client_that_lost_its_rights_is_turned_away_when_it_comes_back(clients, world, client):
    document = await world.personal()
    await share(world, document)
    await clients("open", "b", **world.way(document, "ben", client))
    await clients("synced", "b")
    await remove(world, document)
    if client == "y":
        await clients("closed", "b")
        async with asyncio.timeout(PATIENCE):
            while 4404 not in (await clients("closed", "b"))["codes"]:
                pass
    else:
        assert (await clients("denied", "b"))["reason"] == "NOT_FOUND"


@pytest.mark.parametrize("client", npm.HOCUSPOCUS)
async def test_a_client_that_may_only_read_from_now_on_comes_back_as_a_reader(clients, world, client):
    document = await world.personal()
    await share(world, document)
    await clients("open", "a", **world.way(document, client=client))
    await clients("open", "b", **world.way(document, "ben", client))
    await clients("synced", "b")
    await clients("type", "b", text="while I may")
    await clients("acknowledged", "b")
    await demote(world, document)
    await clients("closed", "b")
    await clients("type", "a", text="news")
    await clients("sees", "b", text="news")
    await clients("type", "b", text="never")
    await clients("type", "a", text=" more")
    await clients("sees", "b", text="news more")
    assert "never" not in (await world.read(document))["markdown"]


async def test_rights_that_another_process_changed_are_found_by_its_commit(world, served):
    document = await world.personal()
    await share(world, document)
    item = (await world.api["ada"].get(f"/api/v1/drive-items/{document}")).json()["item"]
    key = served.key("ben")
    async with raw.connected(served.origin, f"/collaboration/{document}", x_api_key=key) as (_, socket):
        await synced(socket)
        by = Credit(item["createdBy"]["userId"], "Ada Lovelace")
        gone = ShareRemoved(document, item["driveId"], Email("ben@acme.example"))
        async with PostgresStore(served.database, readers=1, writers=1) as other:
            await other.transact(LockScope(), lambda transaction: transaction.record((gone,), by, datetime.now(UTC)))
        assert await socket.closed() == 4205


async def test_a_browser_s_session_opens_documents_for_pages_of_the_service_and_ends_with_itself(world, served):
    document, cookie = await world.document(), await world.cookie("ben")
    ours = {"cookie": cookie, "origin": served.origin}
    async with raw.connected(served.origin, f"/collaboration/{document}", **ours) as (_, socket):
        await synced(socket)
        socket.send(codec.update(from_tree(parse("by cookie"), 9)))
        socket.send(codec.step1(EMPTY))
        await socket.until(lambda payload: payload[:2] == b"\0\1" and b"by cookie" in payload)
        assert [author["name"] for author in (await world.read(document))["authors"]] == ["Ben Franklin"]
        async with async_http(served.origin, headers=ours) as browser:
            query = {"query": "{ viewer { sessions { id current } } }"}
            sessions = (await browser.post("/graphql", json=query)).json()["data"]["viewer"]["sessions"]
            number = next(each["id"] for each in sessions if each["current"])
        await world.manage("mutation($i: ID!) { endSession(id: $i) { id } }", "ben", i=number)
        assert await socket.closed() == 4401


@pytest.mark.parametrize("headers", [{}, {"sec_fetch_site": "cross-site"}], ids=["no origin", "another site"])
async def test_a_cookie_opens_nothing_where_no_page_of_ours_says_so(world, served, headers):
    document, cookie = await world.document(), await world.cookie("ben")
    async with raw.connected(served.origin, f"/collaboration/{document}", cookie=cookie, **headers) as (_, socket):
        socket.send(codec.step1(EMPTY))
        assert await socket.closed() == 4401
    site = {"cookie": cookie, "origin": "https://evil.example"}
    async with raw.connected(served.origin, f"/collaboration/{document}", **site) as (head, _):
        assert head.startswith("HTTP/1.1 403 ")
