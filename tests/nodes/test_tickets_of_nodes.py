"""A ticket from one node opens a socket at the other."""

from live import codec
from tests.support.live import raw
from tests.support.live.people import World


async def test_a_ticket_of_one_node_opens_a_document_at_the_other_once(two):
    one, other = two
    async with World(one) as world:
        document = await world.personal()
        name = codec.text(document)
        greeting = name + b"\x02\x00" + codec.text(await world.ticket(document))
        async with raw.connected(other.origin, "/collaboration") as (_, socket):
            socket.send(greeting)
            assert (await socket.until(lambda payload: payload.endswith(b"read-write")))[-1].startswith(name)
        for node in two:
            async with raw.connected(node.origin, "/collaboration") as (_, socket):
                socket.send(greeting)
                assert (await socket.until(lambda payload: b"UNAUTHORIZED" in payload))[-1].startswith(name)
