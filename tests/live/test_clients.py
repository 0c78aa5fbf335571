"""What real clients see: unmodified providers of three major versions, and y-websocket."""

import base64

import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from tests.support.live import npm
from tests.support.live.npm import converged
from tests.support.suite.rounds import ROUNDS

EVERY = (*npm.HOCUSPOCUS, "y")


@pytest.mark.parametrize("client", EVERY)
async def test_two_clients_see_each_other(clients, world, client):
    document = await world.document()
    await clients("open", "a", **world.way(document, client=client))
    await clients("open", "b", **world.way(document, "ben", client))
    await clients("synced", "a")
    await clients("synced", "b")
    await clients("type", "a", text="hello ")
    await clients("sees", "b", text="hello ")
    await clients("type", "b", text="world")
    await clients("sees", "a", text="world")
    await clients("acknowledged", "a")
    await clients("acknowledged", "b")
    read = await world.read(document)
    assert "hello" in read["markdown"]
    assert "world" in read["markdown"]
    assert {author["name"] for author in read["authors"]} == {"Ada Lovelace", "Ben Franklin"}


@pytest.mark.parametrize("client", EVERY)
async def test_two_clients_that_edit_at_once_converge(clients, world, client):
    document = await world.document()
    await clients("open", "a", **world.way(document, client=client))
    await clients("open", "b", **world.way(document, "ben", client))
    await clients("synced", "a")
    await clients("synced", "b")
    for turn in range(4):
        await clients("scribble", "a", times=100, seed=turn + 1)
        await clients("scribble", "b", times=100, seed=turn + 1001)
    await converged(clients, "a", "b")
    await clients("acknowledged", "a")
    await clients("open", "late", **world.way(document, client=client))
    await clients("same", "late", text=(await clients("text", "a"))["text"])


@pytest.mark.parametrize("client", npm.HOCUSPOCUS)
async def test_what_is_acknowledged_is_in_the_next_read(clients, world, client):
    document = await world.document()
    await clients("open", "a", **world.way(document, client=client))
    await clients("synced", "a")
    await each_is_in_the_next_read(clients, world, document, 10)


@pytest.mark.parametrize("client", npm.HOCUSPOCUS)
async def test_what_is_acknowledged_is_in_the_next_read_while_others_type(clients, world, client):
    document = await world.document()
    await clients("open", "a", **world.way(document, client=client))
    await clients("open", "b", **world.way(document, "ben", "y"))
    await clients("synced", "a")
    await clients("stream", "b", every=50, mark="b")
    await each_is_in_the_next_read(clients, world, document, 100 * ROUNDS)


async def each_is_in_the_next_read(clients, world, document, times):
    for turn in range(times):
        await clients("type", "a", text=f"({turn})")
        await clients("acknowledged", "a")
        read = await world.read(document)
        assert f"({turn})" in read["markdown"]
        assert f"({turn})" in str(read["prosemirrorDoc"])


async def test_what_another_client_sees_is_in_the_next_read(clients, world):
    document = await world.document()
    await clients("open", "a", **world.way(document))
    await clients("open", "b", **world.way(document, "ben", "y"))
    await clients("synced", "b")
    for turn in range(34):
        await clients("type", "a", text=f"({turn})")
        await clients("sees", "b", text=f"({turn})")
        assert f"({turn})" in (await world.read(document))["markdown"]


async def test_what_was_typed_before_the_document_was_open_is_acknowledged_too(clients, world):
    document = await world.document()
    await clients("open", "a", **world.way(document))
    await clients("type", "a", text="early ", times=3)
    await clients("acknowledged", "a")
    # A provider counts anew when it opens, and is at zero with the first acknowledgement of what it had queued.
    await clients("open", "b", **world.way(document, "ben"))
    await clients("sees", "b", text="early early early")
    assert "early early early" in (await world.read(document))["markdown"]


@pytest.mark.parametrize("client", EVERY)
async def test_edits_made_offline_come_with_the_connection(clients, world, client):
    document = await world.document()
    await clients("open", "a", **world.way(document, client=client))
    await clients("open", "b", **world.way(document, "ben", client))
    await clients("synced", "a")
    await clients("off", "a")
    await clients("type", "a", text="offline", times=2)
    await clients("type", "b", text="online")
    await clients("on", "a")
    await clients("sees", "a", text="online")
    await clients("sees", "b", text="offlineoffline")
    await clients("acknowledged", "a")
    await converged(clients, "a", "b")


@pytest.mark.parametrize("client", EVERY)
async def test_what_was_changed_twice_and_removed_offline_comes_with_the_connection_and_back_by_an_undo(
    clients, world, client
):
    document = await world.document()
    for name, who in (("a", "ada"), ("b", "ben")):
        await clients("open", name, **world.way(document, who, client))
        await clients("synced", name)
    await clients("off", "a")
    await clients("type", "a", text="offline")
    await clients("reconsider", "a")
    await clients("on", "a")
    await clients("sees", "b", text="offline")
    await clients("undo", "a")
    await clients("sees", "b", text='<heading level="2">undone</heading>')


@pytest.mark.parametrize("client", npm.HOCUSPOCUS)
async def test_whoever_may_not_see_a_document_is_denied_as_for_one_that_is_not_there(clients, world, client):
    hidden = await world.personal("ben")
    for name, document in (("hidden", hidden), ("unknown", "0190aaaa-0000-7000-8000-000000000000")):
        await clients("open", name, **world.way(document, client=client))
        assert (await clients("denied", name))["reason"] == "NOT_FOUND"


async def test_y_websocket_is_told_by_the_code_it_closes_with_and_stays_away(clients, world):
    await clients("open", "a", **world.way(await world.personal("ben"), client="y"))
    assert (await clients("closed", "a"))["codes"] == [4404]
    nobody = world.way(await world.document(), who=None, client="y")
    await clients("open", "b", **nobody)
    assert (await clients("closed", "b"))["codes"] == [4401]


async def test_a_key_that_is_none_of_ours_is_shown_the_door(clients, world):
    way = world.way(await world.document(), client="y")
    way["headers"]["x-api-key"] = world.served.key()[:-7] + "AAAAAAA"
    await clients("open", "a", **way)
    assert (await clients("closed", "a"))["codes"][0] in (1006, 4401)


@pytest.mark.parametrize("client", npm.HOCUSPOCUS)
async def test_a_ticket_opens_one_document_once(clients, world, client):
    document, other = await world.document(), await world.document()
    ticket = await world.ticket(document, "ben")
    way = world.way(document, who=None, client=client)
    await clients("open", "a", **way, token=ticket)
    await clients("synced", "a")
    await clients("type", "a", text="by ticket")
    await clients("acknowledged", "a")
    assert [author["name"] for author in (await world.read(document))["authors"]] == ["Ben Franklin"]
    await clients("open", "b", **way, token=ticket)
    assert (await clients("denied", "b"))["reason"] == "UNAUTHORIZED"
    await clients("open", "c", **way | {"document": other}, token=await world.ticket(document))
    assert (await clients("denied", "c"))["reason"] == "UNAUTHORIZED"


@pytest.mark.parametrize("client", npm.HOCUSPOCUS)
async def test_a_key_in_a_message_opens_nothing(clients, world, client):
    document = await world.document()
    await clients("open", "a", **world.way(document, who=None, client=client), token=world.served.key())
    assert (await clients("denied", "a"))["reason"] == "UNAUTHORIZED"
    await clients("open", "b", **world.way(document, client=client), token=world.served.key())
    assert (await clients("denied", "b"))["reason"] == "UNAUTHORIZED"


async def test_a_ticket_is_for_those_who_may_read_the_document(world):
    hidden = await world.personal("ben")
    query = f'mutation {{ createCollaborationTicket(documentId: "{hidden}") {{ ticket }} }}'
    answer = (await world.api["ada"].post("/graphql", json={"query": query})).json()
    assert answer["errors"][0]["extensions"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize("client", EVERY)
async def test_a_reader_sees_everything_and_changes_nothing(clients, world, client):
    document = await world.personal()
    await world.api["ada"].post(
        f"/api/v1/drive-items/{document}/access", json={"email": "ben@acme.example", "permission": "read_only"}
    )
    await clients("open", "a", **world.way(document, client=client))
    await clients("open", "b", **world.way(document, "ben", client))
    await clients("synced", "b")
    await clients("type", "a", text="written")
    await clients("sees", "b", text="written")
    await clients("type", "b", text="never")
    await clients("type", "a", text=" after")
    await clients("sees", "b", text="written after")
    if client != "y":
        assert (await clients("unsynced", "b"))["number"] == 2  # a paragraph and a text, both refused
    assert "never" not in (await clients("text", "a"))["text"]
    read = await world.read(document)
    assert "never" not in read["markdown"]
    assert [author["name"] for author in read["authors"]] == ["Ada Lovelace"]


@pytest.mark.parametrize("client", npm.HOCUSPOCUS)
async def test_a_reader_with_nothing_new_is_in_step(clients, world, client):
    document = await world.personal()
    await world.api["ada"].post(
        f"/api/v1/drive-items/{document}/access", json={"email": "ben@acme.example", "permission": "read_only"}
    )
    await clients("open", "a", **world.way(document, client=client))
    await clients("synced", "a")
    await clients("scribble", "a", times=50, seed=7)
    await clients("acknowledged", "a")
    await clients("open", "b", **world.way(document, "ben", client))
    await clients("synced", "b")
    await clients("acknowledged", "b")
    await clients("off", "b")
    await clients("on", "b")
    await clients("synced", "b")
    await clients("acknowledged", "b")


@pytest.mark.parametrize("client", EVERY)
async def test_presence_says_who_it_is_and_ends_with_the_connection(clients, world, client):
    document = await world.document()
    await clients("open", "a", **world.way(document, client=client, **{"x-service-agent": "scribe"}))
    await clients("open", "b", **world.way(document, "ben", client))
    await clients("synced", "b")
    await clients("synced", "a")
    said = {"user": {"name": "The King", "color": "#ff0000", "id": "x"}, "cursor": {"anchor": 3}}
    number = (await clients("show", "a", state=said))["client"]
    shown = (await clients("shown", "b", client=number))["state"]
    assert shown["user"]["name"] == "Ada Lovelace"
    assert shown["user"]["agent"] == "scribe"
    await clients("off", "a")
    await clients("unshown", "b", client=number)


@pytest.mark.parametrize("client", ["4", "3", "2"])
async def test_several_documents_share_a_socket(clients, world, client):
    one, other, hidden = await world.document(), await world.document(), await world.personal("ben")
    await clients("open", "a", **world.way(one, client=client), socket="shared")
    await clients("open", "b", **world.way(other, client=client), socket="shared")
    await clients("open", "c", **world.way(hidden, client=client), socket="shared")
    assert (await clients("denied", "c"))["reason"] == "NOT_FOUND"
    await clients("synced", "a")
    await clients("synced", "b")
    await clients("type", "a", text="in one")
    await clients("type", "b", text="in the other")
    await clients("acknowledged", "a")
    await clients("acknowledged", "b")
    assert (await world.read(one))["markdown"].strip() == "in one"
    assert (await world.read(other))["markdown"].strip() == "in the other"


async def test_two_sessions_of_one_document_share_a_socket(clients, world):
    document = await world.document()
    for name in ("a", "b"):
        await clients("open", name, **world.way(document), socket="both", options={"sessionAwareness": True})
    await clients("synced", "a")
    await clients("synced", "b")
    await clients("type", "a", text="here")
    await clients("sees", "b", text="here")
    await clients("acknowledged", "a")


async def test_nobody_writes_under_the_client_id_of_somebody_else(clients, world):
    document = await world.document()
    await clients("open", "a", **world.way(document, client="y"))
    await clients("open", "b", **world.way(document, "ben", "y"))
    await clients("synced", "a")
    await clients("synced", "b")
    await clients("type", "a", text="mine")
    await clients("sees", "b", text="mine")
    await clients("forge", "b", clientID=(await clients("id", "a"))["client"])
    await clients("type", "b", text="forged")
    assert (await clients("closed", "b"))["codes"] == [4403]
    assert "forged" not in (await world.read(document))["markdown"]


async def test_an_import_reaches_those_who_have_the_document_open(clients, world):
    document = await world.document()
    await clients("open", "a", **world.way(document))
    await clients("open", "b", **world.way(document, "ben", "y"))
    await clients("synced", "a")
    await clients("synced", "b")
    await clients("type", "a", text="live ")
    update = base64.b64encode(from_tree(parse("# Imported"), 77)).decode()
    query = "mutation($d: ID!, $u: String!) { importYjsUpdate(documentId: $d, update: $u) { id } }"
    await world.ask(query, d=document, u=update)
    await clients("sees", "a", text="Imported")
    await clients("sees", "b", text="Imported")
    await clients("type", "a", text="and on")
    await clients("acknowledged", "a")
    markdown = (await world.read(document))["markdown"]
    assert "Imported" in markdown
    assert "live and on" in markdown
