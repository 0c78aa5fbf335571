"""What hostile bytes over real sockets cost: their sender the socket, the server nothing, the others nothing."""

import asyncio
import random

import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from live import codec
from tests.support.documents.encoding import client, edited, element, gc, inside, update
from tests.support.documents.hostile import HOSTILE, deep_value, mutated, smuggled
from tests.support.live import raw
from tests.support.live.raw import EMPTY
from tests.support.suite.rounds import ROUNDS, seed

SEED = seed()
FLAT = 96  # MiB by which the server may have grown when it has answered


class Bystanders:
    """Somebody who types in the same document the whole time, and somebody who reads along."""

    def __init__(self, clients, world):
        self.clients, self.world = clients, world

    async def come(self):
        self.document = await self.world.document()
        await self.clients("open", "writer", **self.world.way(self.document))
        await self.clients("open", "reader", **self.world.way(self.document, "ben", "y"))
        for name in ("writer", "reader"):
            await self.clients("synced", name)
        await self.clients("stream", "writer", every=20, mark="w")
        await self.clients("streamed", "writer", least=1)
        self.before = self.world.served.memory
        return self.document

    async def go_on(self):
        """Wait until the server acknowledged what is typed from now on and the reader saw it; return the last number."""
        so_far = (await self.clients("typed", "writer", least=1))["typed"]
        await self.clients("streamed", "writer", least=so_far + 1)
        typed = (await self.clients("halt", "writer"))["typed"]
        await self.clients("acknowledged", "writer")
        await self.clients("sees", "reader", text=f"w{typed};")
        return typed

    async def are_well(self):
        typed = await self.go_on()
        for name in ("writer", "reader"):
            assert (await self.clients("idle", name, seconds=0))["codes"] == []
        assert self.world.served.process.poll() is None
        assert self.world.served.memory - self.before < FLAT
        return await self.world.read(self.document), "".join(f"w{number};" for number in range(1, typed + 1))


@pytest.fixture
def bystanders(clients, world):
    return Bystanders(clients, world)


async def attacked(world, document, *frames, who="ben"):
    """Say hello, then the frames, and return with which code that ended, if it did."""
    key = world.served.key(who)
    async with raw.connected(world.served.origin, f"/collaboration/{document}", x_api_key=key) as (_, socket):
        socket.send(codec.step1(EMPTY))
        await socket.until(lambda payload: payload[:2] == b"\0\1")
        for frame in frames:
            socket.send(frame)
        socket.send(codec.step1(EMPTY))
        try:
            last = (await socket.until(lambda payload: payload[:2] == b"\0\1"))[-1]
        except (ConnectionError, asyncio.IncompleteReadError):
            return None
        return last if isinstance(last, int) else "answered"


async def test_every_hostile_update_is_refused_and_nothing_of_it_is_stored(world, bystanders):
    document = await bystanders.come()
    for name, data in HOSTILE.items():
        assert await attacked(world, document, codec.update(data)) == 4422, name
    read, typed = await bystanders.are_well()
    assert read["markdown"] == typed + "\n"
    assert [author["name"] for author in read["authors"]] == ["Ada Lovelace"]


async def test_a_frame_that_would_end_the_process_costs_only_its_sender(world, bystanders):
    """60 KB in which the library would read an array nested 30,000 deep, sent by somebody who may edit and by a reader."""
    document = await bystanders.come()
    assert await attacked(world, document, codec.update(from_tree(parse("text"), 1)), who="ada") == "answered"
    assert await attacked(world, document, codec.update(smuggled(deep_value(30_000)))) == 4422
    body = {"email": "gus@globex.example", "permission": "read_only"}
    (await world.api["ada"].post(f"/api/v1/drive-items/{document}/access", json=body)).raise_for_status()
    known = smuggled(deep_value(30_000), name=1, deletes=b"\x01\x01\x01\x00\x01")
    assert await attacked(world, document, codec.step2(known), who="gus") in {4422, "answered"}
    read, typed = await bystanders.are_well()
    assert typed in read["markdown"]
    assert [author["name"] for author in read["authors"]] == ["Ada Lovelace"]


async def test_clocks_that_jump_and_ids_of_others_change_nothing(clients, world, bystanders):
    document = await bystanders.come()
    theirs = (await clients("id", "writer"))["client"]
    jump = update(client(77, gc(1), clock=2**30))
    assert await attacked(world, document, codec.update(jump)) == "answered"
    assert await attacked(world, document, *[codec.update(jump)] * 300) == 4205
    assert await attacked(world, document, codec.update(update(client(theirs, gc(1), clock=2**30)))) == "answered"
    ahead = update(client(theirs, gc(2**20)))
    assert await attacked(world, document, codec.update(ahead)) == 4403
    read, typed = await bystanders.are_well()
    assert read["markdown"] == typed + "\n"
    assert [author["name"] for author in read["authors"]] == ["Ada Lovelace"]


async def test_whoever_breaks_a_room_again_and_again_makes_the_others_come_back_once(clients, world, bystanders):
    document = await bystanders.come()
    assert await attacked(world, document, codec.update(from_tree(parse("text"), 1))) == "answered"
    for at in range(5):
        within_a_text = update(client(70 + at, element(parent=inside(1, 3))))
        assert await attacked(world, document, codec.update(within_a_text), who="grace") == 4422
    await bystanders.go_on()
    for name in ("writer", "reader"):
        assert (await clients("idle", name, seconds=0))["codes"] == [4205]


@pytest.mark.slow
@pytest.mark.parametrize("round_", range(10))
async def test_damaged_frames_are_answered_and_the_others_go_on(world, bystanders, round_):
    """50 senders of 10 frames each at a time; 5,000 frames in full, ten times."""
    chance = random.Random(f"{SEED} {round_}")
    document = await bystanders.come()
    whole = [codec.update(data) for seed in range(8) for data in edited(100 * round_ + seed, 20)[1]]
    whole += [codec.step2(from_tree(parse("# a *b*\n\n- c"), 5)), codec.awareness([codec.ClientState(9, 1, "{}")])]
    outcomes = set()
    for _ in range(5 * ROUNDS):
        frames = [[mutated(chance.choice(whole), chance) for _ in range(10)] for _ in range(10)]
        outcomes |= set(await asyncio.gather(*(attacked(world, document, *each) for each in frames)))
    assert 4422 in outcomes
    assert outcomes <= {4422, 4403, 4205, 1003, None, "answered"}
    read, typed = await bystanders.are_well()
    assert typed in str(read["prosemirrorDoc"]) or "Ben Franklin" in {author["name"] for author in read["authors"]}
