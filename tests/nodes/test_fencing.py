"""A node that sleeps longer than its lease: what it does when it wakes up is stored and told by nobody."""

import json
import os
import signal
from socket import gethostname

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from live import codec
from persistence.store import PostgresStore
from tests.nodes.leases import leases
from tests.support.live import raw
from tests.support.live.people import World
from tests.support.live.raw import EMPTY, synced
from tests.support.processes.servers import async_eventually


async def typed(node, document, words):
    """Type at a node; where it closes what it opened while it had no lease, again."""
    while True:
        async with raw.connected(node.origin, f"/collaboration/{document}", x_api_key=node.key()) as (_, socket):
            socket.send(codec.step1(EMPTY))
            socket.send(codec.update(from_tree(parse(words), 10)))
            socket.send(codec.step1(EMPTY))
            answers = await socket.until(lambda payload: payload[:2] == b"\0\1" and words.encode() in payload)
            if isinstance(answers[-1], bytes):
                return


async def test_a_node_that_others_took_for_gone_stores_nothing_and_closes_its_sockets_when_it_wakes(two):
    sleeper, other = two
    async with World(other) as world, PostgresStore(other.database, readers=1, writers=1) as store:
        document, before = await world.personal(), await leases(store)
        key = {"x_api_key": sleeper.key()}
        async with raw.connected(sleeper.origin, f"/collaboration/{document}", **key) as (_, socket):
            await synced(socket)
            os.kill(sleeper.process.pid, signal.SIGSTOP)
            try:

                async def is_gone():
                    left = await leases(store)
                    return left if len(left) < len(before) else None

                (left,) = await async_eventually(is_gone, origin=other.origin)
                socket.send(codec.update(from_tree(parse("typed in its sleep"), 9)))
            finally:
                os.kill(sleeper.process.pid, signal.SIGCONT)
            assert await socket.closed() == 4205
        assert (await world.read(document))["markdown"] == ""
        await typed(sleeper, document, "typed awake")
        assert "typed awake" in (await world.read(document))["markdown"]
        assert len(await leases(store)) == len(before)
        assert left in before


def test_the_operator_sees_which_processes_have_leases(two):
    listed = json.loads(two[0].operator("nodes", "--json").stdout)
    assert {node["pid"] for node in listed} == {node.process.pid for node in two}
    assert {node["host"] for node in listed} == {gethostname()}
    header, *rows = two[0].operator("nodes").stdout.splitlines()
    assert header.split() == ["LEASE", "HOST", "PID", "SINCE", "RENEWED", "LEADS"]
    assert [row.split()[0] for row in rows] == [str(node["lease"]) for node in listed]
