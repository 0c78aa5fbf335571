"""What happens, with the limits on, to whoever sends, reads or comes out of measure, and to those beside them."""

import asyncio
from contextlib import AsyncExitStack
from socket import SO_RCVBUF, SOL_SOCKET

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from live import codec
from live.flow_control import BURST, FLOOD, MAX_PAUSE, MESSAGES_A_SECOND, TokenBucket
from live.unidentified_connections import UnidentifiedConnections
from tests.support.live import raw
from tests.support.live.people import World
from tests.support.live.raw import EMPTY, synced
from tests.support.processes import servers

MAX_SOCKETS = 5  # sockets of a user
RESET = (4205, "SERVICE_UNAVAILABLE")


def limited(data, *flags, **variables):
    return servers.launch(data, "--demo", "--credentials", data / "credentials.json", *flags, **variables)


@pytest.fixture(scope="module")
def strict(demo_world, tmp_path_factory):
    flags = ("--sockets-per-user", MAX_SOCKETS)
    with demo_world.serving(tmp_path_factory.mktemp("strict") / "data", *flags, begin=limited) as running:
        yield running


@pytest.fixture
async def strict_world(strict):
    async with World(strict) as made:
        yield made


def opened(world, document, who="ada"):
    return raw.connected(world.served.origin, f"/collaboration/{document}", x_api_key=world.served.key(who))


async def ended(socket):
    """How a socket ended: its code and reason, or nothing where the connection broke before they were read."""
    try:
        return await socket.closed(), socket.reason
    except (ConnectionError, asyncio.IncompleteReadError):
        return None


async def test_whoever_goes_on_sending_too_much_is_closed_and_the_others_go_on(clients, strict_world):
    document = await strict_world.document()
    await clients("open", "a", **strict_world.way(document))
    await clients("synced", "a")
    await clients("stream", "a", every=20, mark="a")
    await clients("streamed", "a", least=1)
    async with opened(strict_world, document, "ben") as (_, flood):
        await synced(flood)
        end = asyncio.create_task(ended(flood))
        burst = raw.frame(b"\3") * 500
        while not end.done():
            flood.writer.write(burst)
            try:
                async with asyncio.timeout(1):
                    await flood.writer.drain()
            except (TimeoutError, ConnectionError):
                await asyncio.wait({end}, timeout=1)
        assert await end in (RESET, None)
    typed = (await clients("halt", "a"))["typed"]
    await clients("acknowledged", "a")
    assert f"a{typed};" in (await strict_world.read(document))["markdown"]
    assert (await clients("idle", "a", seconds=0))["codes"] == []
    async with opened(strict_world, document, "ben") as (_, again):
        await synced(again)


async def test_whoever_reads_nothing_is_closed_and_the_others_go_on(strict_world):
    document = await strict_world.document()
    async with opened(strict_world, document, "ben") as (_, slow), opened(strict_world, document) as (_, writer):
        # so small that what the system keeps for whoever reads nothing is less than what is said
        slow.writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, 65_536)
        await synced(slow)
        await synced(writer)
        before = strict_world.served.memory
        for number in range(30):
            writer.send(codec.update(text(500_000, 1000 + number)))
            await writer.writer.drain()
        writer.send(codec.step1(EMPTY))
        await writer.until(lambda payload: payload[:2] == b"\0\1" and len(payload) > 10_000_000)
        kinds = set()
        while (said := await slow.next())[0] != 8:
            kinds.add(said[0])
        assert (said[1], slow.reason) == RESET
        assert kinds == {2}  # before it were ended for its silence it would be pinged
        assert strict_world.served.memory - before < 300  # the document itself, read and sent, is most of it


async def test_whoever_asks_for_all_of_a_document_again_and_again_and_reads_nothing_is_answered_once(strict_world):
    document = await strict_world.document()
    async with opened(strict_world, document) as (_, writer), opened(strict_world, document, "ben") as (_, slow):
        slow.writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, 65_536)
        await synced(writer)
        for number in range(6):  # before the slow one is in the document, which would be closed as too far behind
            writer.send(codec.update(text(900_000, 1000 + number)))
        await round_trip(writer)
        await synced(slow)
        before = strict_world.served.memory
        slow.writer.write(raw.frame(codec.step1(EMPTY)) * 1_500)
        await round_trip(writer)
        assert strict_world.served.memory - before < 100
        writer.send(codec.update(text(10, 2000)))
        await round_trip(writer)
        heard = []
        while not heard or heard[-1][:2] != codec.update(b"")[:2] or b"x" * 11 in heard[-1]:
            _, payload = await slow.next()
            heard.append(payload)
        assert sum(payload[:2] == b"\0\1" and len(payload) > 5_000_000 for payload in heard) < 5


async def round_trip(socket):
    """Wait until everything that was said before was looked at."""
    socket.send(codec.step1(b"\1\x07\1"))
    await socket.until(lambda payload: payload[:2] == b"\0\1")


def test_an_address_has_so_many_sockets_of_which_nobody_knows_whose_they_are():
    counted = UnidentifiedConnections()
    assert all(counted.add((address, at), str(address)) for address in range(25) for at in range(20))
    assert not counted.add("one more", "elsewhere")
    counted.discard((0, 0))
    counted.discard((0, 0))
    assert not counted.add("one more", "1")
    assert counted.add("one more", "0")


async def test_an_address_may_not_open_ever_more_sockets_without_saying_who_it_is(strict_world):
    document = await strict_world.document()
    origin = strict_world.served.origin
    async with AsyncExitStack() as stack:
        strangers = [await stack.enter_async_context(raw.connected(origin, "/collaboration")) for _ in range(20)]
        _, more = await stack.enter_async_context(raw.connected(origin, "/collaboration"))
        assert await ended(more) == RESET
        ticket = await strict_world.ticket(document, "ben")
        _, known = strangers[0]
        known.send(codec.text(document) + b"\x02\x00" + codec.text(ticket))
        await known.until(lambda payload: payload.endswith(codec.text("read-write")))
        _, again = await stack.enter_async_context(raw.connected(origin, "/collaboration"))
        again.send(b"nonsense", opcode=9)
        assert await again.next() == (10, b"nonsense")


async def test_a_message_of_nobody_known_is_not_kept_until_it_is_whole(strict_world):
    async with raw.connected(strict_world.served.origin, "/collaboration") as (_, stranger):
        stranger.writer.write(raw.frame(bytes(16 << 20))[: 200 << 10])
        assert await ended(stranger) in ((1009, "PAYLOAD_TOO_LARGE"), None)


async def test_whoever_has_not_said_who_it_is_may_send_64_kib_in_all(strict_world):
    denied = codec.text("doc") + b"\x02\x00" + codec.text("x" * 4_000)
    async with raw.connected(strict_world.served.origin, "/collaboration") as (_, stranger):
        for _ in range(15):
            stranger.send(denied)
            await stranger.next()
        stranger.send(denied)
        stranger.send(denied)
        assert await ended(stranger) in ((1009, "PAYLOAD_TOO_LARGE"), None)
    async with raw.connected(strict_world.served.origin, "/collaboration") as (_, known):
        document = await strict_world.document()
        ticket = await strict_world.ticket(document, "ben")
        known.send(codec.text(document) + b"\x02\x00" + codec.text(ticket))
        await known.until(lambda payload: payload.endswith(codec.text("read-write")))
        for _ in range(30):
            known.send(denied)
        await known.until(lambda payload: payload.startswith(codec.text("doc")))
        known.send(b"still there", opcode=9)
        while (await known.next()) != (10, b"still there"):
            pass


async def test_a_user_has_so_many_sockets_and_others_have_theirs(strict_world):
    document = await strict_world.document()
    async with AsyncExitStack() as stack:
        sockets = []
        for _ in range(MAX_SOCKETS):
            _, socket = await stack.enter_async_context(opened(strict_world, document))
            await synced(socket)
            sockets.append(socket)
        _, more = await stack.enter_async_context(opened(strict_world, document))
        assert await ended(more) == RESET
        _, by_ticket = await stack.enter_async_context(raw.connected(strict_world.served.origin, "/collaboration"))
        ticket = await strict_world.ticket(document)
        by_ticket.send(codec.text(document) + b"\x02\x00" + codec.text(ticket))
        assert await ended(by_ticket) == RESET
        _, others = await stack.enter_async_context(opened(strict_world, document, "ben"))
        await synced(others)
        sockets[0].send((1000).to_bytes(2), opcode=8)
        await ended(sockets[0])
        _, again = await stack.enter_async_context(opened(strict_world, document))
        await synced(again)


async def test_a_first_sync_may_be_as_large_as_a_document_and_nothing_else_may(strict_world):
    document = await strict_world.document()
    async with opened(strict_world, document) as (_, socket):
        await synced(socket)
        socket.send(codec.step2(text(15_900_000, 7)))
        socket.send(codec.step1(EMPTY))
        answer = (await socket.until(lambda payload: payload[:2] == b"\0\1" and len(payload) > 1000))[-1]
        assert len(answer) > 15_900_000
    for payload in (codec.update(bytes(1 << 20)), codec.step2(bytes(17 << 20))):
        async with opened(strict_world, document) as (_, socket):
            socket.send(codec.step1(b"\1\7\1"))
            await socket.until(lambda payload: payload[:2] == b"\0\0")
            socket.send(payload)
            assert await ended(socket) in ((1009, socket.reason), None)


def text(size, client):
    doc = Doc(client_id=client)
    root = doc.get("default", type=XmlFragment)
    root.children.append(XmlElement("paragraph", contents=[XmlText("x" * size)]))
    return doc.get_update()


def test_an_allowance_makes_a_burst_wait_and_only_what_goes_on_is_a_flood():
    allowance, now, waits = TokenBucket(0.0), 0.0, []
    while (wait := allowance.spend(10, now)) is not None:
        waits.append(wait)
        now += wait or 0.0001
    assert waits[: int(BURST)] == [0.0] * int(BURST)
    assert 0 < max(waits) <= MAX_PAUSE
    assert FLOOD < now < FLOOD + 2
    assert len(waits) <= BURST + (now + 1) * MESSAGES_A_SECOND
    patient = TokenBucket(0.0)
    for at in range(60):  # a burst each second that the allowance makes up for
        assert all(patient.spend(10, float(at)) is not None for _ in range(int(MESSAGES_A_SECOND)))
