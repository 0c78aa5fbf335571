"""Yjs client ids belong to whoever wrote under them first, as the log knows: whether their owner is there or not."""

import base64
from functools import partial

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.tree.schema import SCHEMA
from documents.yjs.lib0 import Decoder
from live import codec
from tests.support.live import npm, raw
from tests.support.live.raw import EMPTY

IMPORT = "mutation($d: ID!, $u: String!) { importYjsUpdate(documentId: $d, update: $u) { id } }"


def opened(world, document, who):
    return raw.connected(world.served.origin, f"/collaboration/{document}", x_api_key=world.served.key(who))


async def as_client(socket, client):
    """The document as the server tells it, ready to be edited under the client id."""
    socket.send(codec.step1(EMPTY))
    said = await socket.until(lambda payload: payload[:2] == b"\0\1")
    doc = Doc(client_id=client)
    doc.apply_update(Decoder(said[-1][2:]).bytes())
    return doc


def typed(doc, text):
    """The update that puts text at the end of the first text of a document."""
    state = doc.get_state()
    here = doc.get("default", type=XmlFragment).children[0].children[0]
    here.insert(len(here), text)
    return doc.get_update(state)


async def answered(socket, update):
    """How the socket was closed for an update, or None."""
    socket.send(codec.update(update))
    socket.send(codec.step1(EMPTY))
    last = (await socket.until(lambda payload: payload[:2] == b"\0\1"))[-1]
    return last if isinstance(last, int) else None


async def typing(clients, world, document):
    """Ada has typed in the document; her client id."""
    await clients("open", "ada", **world.way(document))
    await clients("synced", "ada")
    await clients("type", "ada", text="mine")
    await clients("acknowledged", "ada")
    return (await clients("id", "ada"))["client"]


async def test_nobody_goes_on_with_the_client_of_somebody_who_is_offline_and_what_they_typed_is_in_every_read(
    clients, world
):
    document = await world.document()
    client = await typing(clients, world, document)
    await clients("off", "ada")
    await clients("type", "ada", text=" OFFLINE")
    async with opened(world, document, "ben") as (_, forger):
        assert await answered(forger, typed(await as_client(forger, client), " forged!")) == 4403
    await clients("on", "ada")
    await clients("synced", "ada")
    await clients("acknowledged", "ada")
    await clients("open", "ben", **world.way(document, "ben"))
    await clients("sees", "ben", text="mine OFFLINE")
    for who in ("ada", "ben"):
        assert (await world.read(document, who))["markdown"] == "mine OFFLINE\n"
        assert (await clients("idle", who, seconds=0))["codes"] == []


async def offline_before_writing(clients, world, document):
    """Ada has shown her caret and written nothing yet, and types offline; her client id, as all who were there saw it."""
    await clients("open", "ada", **world.way(document))
    await clients("synced", "ada")
    await clients("show", "ada", state={"user": {}})
    async with opened(world, document, "ben") as (_, socket):
        await as_client(socket, 1)
        socket.send(b"\3")
        await socket.until(lambda payload: payload[:1] == b"\1" and b"Ada Lovelace" in payload)
        client = (await clients("id", "ada"))["client"]
        await clients("off", "ada")
        await clients("type", "ada", text="OFFLINE")
        return client


@pytest.mark.parametrize("stays_open", [True, False])
async def test_an_id_that_its_owner_showed_is_theirs_before_they_write_though_they_are_offline(
    clients, world, stays_open
):
    document = await world.document()
    if stays_open:
        await clients("open", "grace", **world.way(document, "grace"))
        await clients("synced", "grace")
    client = await offline_before_writing(clients, world, document)
    async with opened(world, document, "ben") as (_, forger):
        await as_client(forger, 1)
        assert await answered(forger, begun(client, "forged!")) == 4403
    forged = base64.b64encode(begun(client, "forged!")).decode()
    answer = await world.answer(IMPORT, "ben", d=document, u=forged)
    assert answer["errors"][0]["extensions"]["code"] == "FORBIDDEN"
    await clients("on", "ada")
    await clients("synced", "ada")
    await clients("acknowledged", "ada")
    assert (await world.read(document, "ben"))["markdown"] == "OFFLINE\n"
    assert (await clients("idle", "ada", seconds=0))["codes"] == []


async def test_nobody_else_is_shown_under_an_id_that_its_owner_showed(clients, world):
    document = await world.document()
    client = await offline_before_writing(clients, world, document)
    async with opened(world, document, "ben") as (_, socket):
        await as_client(socket, 1)
        socket.send(codec.awareness([codec.ClientState(client, 1_000, '{"user":{}}')]))
        socket.send(codec.awareness([codec.ClientState(2, 1, '{"user":{}}')]))
        socket.send(b"\3")
        shown = await socket.until(lambda payload: payload[:1] == b"\1" and b"Franklin" in payload)
    states = codec.read(shown[-1], named=False)[1].states
    assert [state.client for state in states if "Franklin" in state.json] == [2]


async def test_an_import_does_not_go_on_with_the_client_of_somebody_who_types(clients, world):
    document = await world.document()
    client = await typing(clients, world, document)
    async with opened(world, document, "ben") as (_, socket):
        forged = base64.b64encode(typed(await as_client(socket, client), " forged!")).decode()
    answer = await world.answer(IMPORT, "ben", d=document, u=forged)
    assert answer["errors"][0]["extensions"]["code"] == "FORBIDDEN"
    assert str(client) in answer["errors"][0]["message"]
    await clients("type", "ada", text=" two")
    await clients("acknowledged", "ada")
    assert (await world.read(document))["markdown"] == "mine two\n"
    assert (await clients("idle", "ada", seconds=0))["codes"] == []


async def test_a_reader_who_says_to_be_the_client_of_an_editor_does_not_lock_them_out(clients, world):
    document = await world.personal()
    await world.api["ada"].post(
        f"/api/v1/drive-items/{document}/access", json={"email": "ben@acme.example", "permission": "read_only"}
    )
    await clients("open", "ada", **world.way(document))
    await clients("synced", "ada")
    client = (await clients("id", "ada"))["client"]
    await clients("off", "ada")
    async with opened(world, document, "ben") as (_, reader):
        await as_client(reader, 1)
        reader.send(codec.awareness([codec.ClientState(client, 1_000, '{"user":{}}')]))
        await as_client(reader, 1)
        await clients("on", "ada")
        await clients("synced", "ada")
        await clients("type", "ada", text="in")
        await clients("acknowledged", "ada")
        assert (await clients("idle", "ada", seconds=0))["codes"] == []
        await clients("show", "ada", state={"user": {}})
        await reader.until(lambda payload: payload[:1] == b"\1" and b"Ada Lovelace" in payload)
        reader.send(codec.awareness([codec.ClientState(client, 2_000, '{"user":{}}')]))
        reader.send(b"\3")
        shown = (await reader.until(lambda payload: payload[:1] == b"\1" and b"Lovelace" in payload))[-1]
        assert b"Franklin" not in shown
    assert (await world.read(document))["markdown"] == "in\n"


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_all_that_an_editor_has_is_nothing_new_when_somebody_else_says_it_again(clients, world, seed):
    document = await world.document()
    for who in ("ada", "ben"):
        await clients("open", who, **world.way(document, who))
        await clients("synced", who)
        await clients("edits", who, schema=SCHEMA)
    for turn in range(5):
        for who in ("ada", "ben"):
            await clients("edit", who, times=20, seed=100 * seed + turn)
    await npm.settled(clients, ("ada", "ben"), "end", partial(world.followed, document))
    before = await world.read(document)
    for who in ("ada", "ben"):
        update = base64.b64decode((await clients("whole", who))["update"])
        async with opened(world, document, "grace") as (_, socket):
            await as_client(socket, 1)
            assert await answered(socket, update) is None
    assert await world.read(document) == before


def begun(client, text):
    doc = Doc(client_id=client)
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[XmlText(text)]))
    return doc.get_update()


async def test_what_is_known_of_a_client_is_acknowledged_as_it_is_and_refused_as_anything_else_whoever_says_it(world):
    document = await world.document()
    async with opened(world, document, "ada") as (_, socket):
        await as_client(socket, 1)
        assert await answered(socket, begun(7, "as it was")) is None
        assert await answered(socket, begun(7, "as it is!")) == 4403
    async with opened(world, document, "ben") as (_, socket):
        await as_client(socket, 1)
        assert await answered(socket, begun(7, "as it was")) is None
        assert await answered(socket, begun(7, "as it is!")) == 4403
    assert (await world.read(document))["markdown"] == "as it was\n"
