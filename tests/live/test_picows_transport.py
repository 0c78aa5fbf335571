"""What a socket answers to handshakes, frames and readers that no provider would send."""

import asyncio
import json

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.key import compose
from live import codec
from tests.support.documents.encoding import client, element
from tests.support.documents.encoding import update as encoded
from tests.support.live import raw
from tests.support.live.raw import EMPTY, synced
from tests.support.processes.servers import PATIENCE


@pytest.fixture
def open_as(served):
    def connect(document, *behind, who="ada", **headers):
        return raw.connected(served.origin, f"/collaboration/{document}", *behind, x_api_key=served.key(who), **headers)

    return connect


async def test_a_frame_behind_the_handshake_in_one_packet_is_not_lost(world, open_as):
    async with open_as(await world.document(), raw.frame(codec.step1(EMPTY))) as (head, socket):
        assert head.startswith("HTTP/1.1 101 ")
        assert (await socket.until(lambda payload: payload[:2] == b"\0\1"))[0][:2] == b"\0\0"


async def test_firefox_says_keep_alive_beside_upgrade(world, open_as):
    async with open_as(await world.document(), connection="keep-alive, Upgrade") as (head, socket):
        assert head.startswith("HTTP/1.1 101 ")
        await synced(socket)


async def test_a_connection_that_was_used_for_http_before_can_be_upgraded(world, served, open_as):
    get = f"GET /healthz HTTP/1.1\r\nhost: {served.origin[7:]}\r\n\r\n".encode()
    document = await world.document()
    async with open_as(document, before=get) as (head, _):
        assert head.startswith(("HTTP/1.1 200 ", "HTTP/1.1 400 "))


REFUSED = {
    "a key in the address": ("/collaboration?api_key=x", {}, 401, "UNAUTHORIZED"),
    "a key that is none": ("/collaboration", {"x_api_key": "nonsense"}, 401, "UNAUTHORIZED"),
    "another site": ("/collaboration", {"origin": "https://evil.example"}, 403, "FORBIDDEN"),
    "no site at all": ("/collaboration", {"origin": "null"}, 403, "FORBIDDEN"),
    "an agent without a name": ("/collaboration", {"x_service_agent": " "}, 400, "BAD_REQUEST"),
    "a longer path": ("/collaboration/a/b", {}, 404, "NOT_FOUND"),
}


@pytest.mark.parametrize(("path", "headers", "status", "code"), REFUSED.values(), ids=REFUSED)
async def test_a_handshake_is_refused_in_the_envelope(served, path, headers, status, code):
    async with raw.connected(served.origin, path, **headers) as (head, socket):
        assert head.startswith(f"HTTP/1.1 {status} ")
        async with asyncio.timeout(PATIENCE):
            body = json.loads(await socket.reader.read())
        assert set(body) == {"code", "message"}
        assert body["code"] == code


MALFORMED = {
    "an old version": {"sec_websocket_version": "8"},
    "a version of the future": {"sec_websocket_version": "14"},
    "a short key": {"sec_websocket_key": "c2hvcnQ="},
    "a key that is no base64": {"sec_websocket_key": "*"},
    "a body": {"content_length": "3"},
    "chunks": {"transfer_encoding": "chunked"},
    "many headers": {f"x-{number}": "a" for number in range(130)},
    "two protocols": {"upgrade": "h2c\r\nupgrade: websocket"},
    "another method": {"method": "POST"},
}


@pytest.mark.parametrize("headers", MALFORMED.values(), ids=MALFORMED)
async def test_a_malformed_handshake_is_400_in_the_envelope_and_says_which_version_is_spoken(world, served, headers):
    path, key = f"/collaboration/{await world.document()}", served.key("ada")
    async with raw.connected(served.origin, path, x_api_key=key, **headers) as (head, socket):
        assert head.startswith("HTTP/1.1 400 ")
        assert "sec-websocket-version: 13\r\n" in head
        async with asyncio.timeout(PATIENCE):
            body = json.loads(await socket.reader.read())
        assert set(body) == {"code", "message"}
        assert body["code"] == "BAD_REQUEST"


async def test_an_unknown_key_is_closed_with_its_code(world, served):
    document = await world.document()
    async with raw.connected(served.origin, f"/collaboration/{document}", x_api_key=compose(7)) as (head, socket):
        assert head.startswith("HTTP/1.1 101 ")
        assert await socket.closed() == 4401


async def test_a_message_in_pieces_is_put_together(world, open_as):
    document = await world.document()
    update = codec.update(from_tree(parse("in pieces"), 9))
    async with open_as(document) as (_, socket):
        await synced(socket)
        socket.send(update[:5], opcode=2, fin=False)
        socket.send(b"hello", opcode=9)
        socket.send(update[5:9], opcode=0, fin=False)
        socket.send(update[9:], opcode=0)
        socket.send(codec.step1(EMPTY))
        await socket.until(lambda payload: payload[:2] == b"\0\1")
    assert (await world.read(document))["markdown"] == "in pieces\n"


FRAMES = {
    "text": ((b"hello", 1, True), (1003,)),
    "a piece of nothing": ((b"hello", 0, True), (1002, 1003)),
    "no message at all": ((b"\xff\xff", 2, True), (4422,)),
    "an update that is none": ((codec.update(b"\xff\xff\xff"), 2, True), (4422,)),
    "a value nested too deep": (
        (codec.update(b"\1\1\1\0\x28\1\1d\1k\1" + b"\x75\1" * 26_000 + b"\x7e\0"), 2, True),
        (4422,),
    ),
    "more than a message may hold": ((codec.update(bytes(1 << 20)), 2, True), (1009,)),
}


@pytest.mark.parametrize(("sent", "codes"), FRAMES.values(), ids=FRAMES)
async def test_a_bad_frame_costs_its_sender_the_socket_and_nobody_else_anything(world, open_as, sent, codes):
    document = await world.document()
    async with open_as(document, who="ben") as (_, bystander), open_as(document) as (_, socket):
        await synced(bystander)
        await synced(socket)
        payload, opcode, fin = sent
        socket.send(payload, opcode, fin)
        assert await socket.closed() in codes
        bystander.send(codec.update(from_tree(parse("still here"), 5)))
        bystander.send(codec.step1(EMPTY))
        answer = (await bystander.until(lambda payload: payload[:2] == b"\0\1"))[-1]
        assert b"still here" in answer
    assert (await world.read(document))["markdown"] == "still here\n"


async def test_a_client_that_goes_on_writing_reads_why_it_was_closed(world, open_as):
    async with open_as(await world.document()) as (_, socket):
        await synced(socket)
        socket.writer.write(raw.frame(b"no text", 1) + raw.frame(codec.update(bytes(1000))) * 300)
        assert await socket.closed() == 1003
        socket.send((1003).to_bytes(2), 8)
        async with asyncio.timeout(PATIENCE):
            assert await socket.reader.read() == b""  # the end, and no reset


async def test_a_close_without_a_code_is_answered_with_one_that_may_be_sent(world, open_as):
    async with open_as(await world.document()) as (_, socket):
        socket.send(b"", opcode=8)
        assert await socket.closed() in (1000, None)


async def test_a_ping_is_answered(world, open_as):
    async with open_as(await world.document()) as (_, socket):
        socket.send(b"there?", opcode=9)
        assert await socket.next() == (10, b"there?")


async def test_a_first_sync_of_megabytes_comes_in_and_goes_out(world, open_as):
    document = await world.document()
    large = from_tree(parse("word " * 600_000), 3)
    assert len(large) > 2 << 20
    async with open_as(document) as (_, socket):
        await synced(socket)
        socket.send(codec.step2(large))
        socket.send(codec.step1(EMPTY))
        answer = (await socket.until(lambda payload: payload[:2] == b"\0\1" and len(payload) > 1000))[-1]
        assert len(answer) > 2 << 20
    assert len((await world.read(document))["markdown"]) > 2 << 20


async def test_a_short_update_that_may_be_costly_is_tried_and_applied(world, open_as):
    document = await world.document()
    large = Doc(client_id=3)
    paragraph = XmlElement("paragraph", contents=[XmlText("x" * 9_000_000)])
    large.get("default", type=XmlFragment).children.append(paragraph)
    async with open_as(document, who="ben") as (_, reader), open_as(document) as (_, writer):
        await synced(reader)
        await synced(writer)
        writer.send(codec.step2(large.get_update()))
        small = codec.update(encoded(client(9, element("paragraph"))))
        writer.send(small)
        await reader.until(lambda payload: payload == small)
        costly = codec.update(encoded(client(10, *[element("paragraph")] * 3)))
        writer.send(costly)
        writer.send(codec.step1(EMPTY))
        await writer.until(lambda payload: payload[:2] == b"\0\1" and len(payload) > 1000)
    assert len((await world.read(document))["prosemirrorDoc"]["content"]) == 5


async def test_a_reader_that_reads_nothing_is_let_go_and_the_others_go_on(world, open_as):
    document = await world.document()
    async with open_as(document, who="ben") as (_, slow), open_as(document) as (_, writer):
        await synced(slow)
        await synced(writer)
        for number in range(40):
            writer.send(codec.update(from_tree(parse("x" * 400_000), 1000 + number)))
            await writer.writer.drain()
        writer.send(codec.step1(EMPTY))
        await writer.until(lambda payload: payload[:2] == b"\0\1" and len(payload) > 10_000_000)
        assert (await slow.closed(), slow.reason) == (4205, "SERVICE_UNAVAILABLE")
