"""Compares a commit that many follow with one that nobody follows, in time of the CPU of the server and its Postgres.

    python -m benchmarks subscriptions

Each follower has a socket of its own with the GraphQL subscription `changes`. A commit renames a folder that all of them see, and
the next one comes once all have been told. What a follower adds is given in reads of one item over REST (`MOST` of them at most), and
must be the same however many there are.
"""

import asyncio
import json
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.served import Client, Process, server, used

FOLLOWERS = 10, 100
COMMITS = 100
READS = 1_000
MOST = 3.0  # reads, for each follower of a commit
GROWTH = 1.5  # of what a follower adds, among many compared with few
CREATE = 'mutation($d: ID!) { createItem(driveId: $d, name: "Followed", driveItemType: folder) { id } }'
FOLLOW = "subscription { changes { type } }"


def seconds(process: Process) -> float:
    found = used(process.pid)
    return found.own + found.below


async def follow(process: Process, key: str, stack: AsyncExitStack) -> ClientConnection:
    """Return a socket whose subscription is under way."""
    url, spoken = f"ws://127.0.0.1:{process.port}/graphql", [Subprotocol("graphql-transport-ws")]
    socket = await stack.enter_async_context(connect(url, additional_headers={"x-api-key": key}, subprotocols=spoken))
    await socket.send(json.dumps({"type": "connection_init"}))
    await socket.recv()
    await socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": {"query": FOLLOW}}))
    return socket


async def told(sockets: list[ClientConnection]) -> None:
    """Wait until each of the followers was told of a commit."""
    for socket in sockets:
        while "itemRenamed" not in await socket.recv():
            pass


async def commit(client: Client, item_id: str, number: int, sockets: list[ClientConnection]) -> None:
    await asyncio.to_thread(client.ask, "PATCH", f"/api/v1/drive-items/{item_id}", {"name": f"Followed {number}"})
    await told(sockets)


async def per_commit(process: Process, client: Client, item_id: str, followers: int) -> float:
    """Return the CPU seconds of a commit that so many follow."""
    key = process.credentials["users"]["ada"]["apiKey"]
    async with AsyncExitStack() as stack:
        sockets = [await follow(process, key, stack) for _ in range(followers)]
        await asyncio.sleep(2)  # every subscription has begun; a commit before would be told to some
        for number in range(5):
            await commit(client, item_id, number, sockets)
        before = seconds(process)
        for number in range(COMMITS):
            await commit(client, item_id, 10 + number, sockets)
        return (seconds(process) - before) / COMMITS


def per_read(process: Process, client: Client, item_id: str) -> float:
    before = seconds(process)
    for _ in range(READS):
        client.ask("GET", f"/api/v1/drive-items/{item_id}")
    return (seconds(process) - before) / READS


async def measure(process: Process) -> bool:
    client = Client(process, process.credentials["users"]["ada"]["apiKey"])
    drive = client.ask("GET", "/api/v1/drives")["drives"][0]["id"]
    item_id = client.graphql(CREATE, d=drive)["createItem"]["id"]
    per_read(process, client, item_id)
    read, alone = per_read(process, client, item_id), await per_commit(process, client, item_id, 0)
    print(f"a read: {read * 1e3:.2f} ms; a commit that nobody follows: {alone / read:.1f} reads")
    added = []
    for followers in FOLLOWERS:
        whole = await per_commit(process, client, item_id, followers)
        added.append((whole - alone) / followers / read)
        print(
            f"{followers} followers: a commit {whole / read:.1f} reads, each follower {added[-1]:.2f} of at most {MOST}"
        )
    growth = added[-1] / added[0]
    print(f"a follower among {FOLLOWERS[-1]} costs {growth:.2f} times that among {FOLLOWERS[0]}, of at most {GROWTH}")
    return max(added) <= MOST and growth <= GROWTH


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="codrive-benchmark-") as folder, server(Path(folder)) as process:
        return 0 if asyncio.run(measure(process)) else 1


if __name__ == "__main__":
    sys.exit(main())
