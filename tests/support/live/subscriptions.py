"""Subscriptions to what changes: of one drive, and of everything that somebody sees."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from websockets import ClientConnection

from graphql_api.system import new_id
from tests.support.live.people import World
from tests.support.processes.servers import PATIENCE, Served, websocket

EVENTS = """subscription($drive: ID!, $after: ID) {
    driveEvents(driveId: $drive, after: $after) { id type itemId by { name } details }
}"""
EDIT = "mutation($d: ID!, $t: String!) { editDocument(documentId: $d, edit: {append: $t}) { id } }"


class Listener:
    """What a subscription hears about some items; of those of other tests a notice may still come."""

    def __init__(self, socket: ClientConnection, items: Sequence[str]) -> None:
        self.socket = socket
        self.items = items

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = json.loads(await self.socket.recv())
                assert message["type"] != "error", message
                event = ((message.get("payload") or {}).get("data") or {}).get("driveEvents")
                if event and event["itemId"] in self.items:
                    return event


@asynccontextmanager
async def following(
    served: Served, who: str, drive: str, *items: str, after: str | None = None
) -> AsyncIterator[Listener]:
    """A subscription over a socket of its own, which is there when this begins."""
    address = served.origin.replace("http", "ws") + "/graphql"
    options = {"additional_headers": served.headers(who), "subprotocols": ["graphql-transport-ws"]}
    async with websocket(address, **options) as socket:
        await socket.send(json.dumps({"type": "connection_init"}))
        asked = {"query": EVENTS, "variables": {"drive": drive, "after": after}}
        await socket.send(json.dumps({"type": "subscribe", "id": "1", "payload": asked}))
        yield Listener(socket, items)


async def rename(world: World, item: str, name: str, who: str = "ada") -> None:
    (await world.api[who].patch(f"/api/v1/drive-items/{item}", json={"name": name})).raise_for_status()


async def follow_from_now(world: World, listener: Listener, item: str) -> None:
    """Rename the item until the listener hears of it: from then on it hears of everything."""
    heard = asyncio.ensure_future(listener.next())
    while not heard.done():
        await rename(world, item, f"Begun {new_id()}")  # the same name again is no change
        await asyncio.wait([heard], timeout=0.05)
    name = (await heard)["details"].get("name")
    await rename(world, item, "All heard")
    while name != "All heard":
        name = (await listener.next())["details"].get("name")


def told(event: Mapping[str, Any]) -> tuple[str, str, str | None, bool]:
    return event["type"], event["by"]["name"], event["details"].get("name"), event["details"].get("live", False)


CHANGES = (
    """subscription($after: Cursor) { changes(after: $after) { id type driveId itemId by { name agent } details } }"""
)
NOTICES = {"accessChanged", "reload"}


class Following:
    def __init__(self, socket: ClientConnection, items: Sequence[str]) -> None:
        self.socket, self.items, self.last = socket, items, None

    async def next(self) -> dict[str, Any]:
        """Return the next event of these items, or the next notice."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = json.loads(await self.socket.recv())
                assert message["type"] != "error", message
                event = ((message.get("payload") or {}).get("data") or {}).get("changes")
                if event:
                    self.last = event["id"]
                    if event["itemId"] in self.items or event["type"] in NOTICES:
                        return event

    async def until(self, name: str) -> list[dict[str, Any]]:
        """Return what comes up to the event that gives this name."""
        heard = [await self.next()]
        while heard[-1]["details"].get("name") != name:
            heard.append(await self.next())
        return heard


@asynccontextmanager
async def following_everything(
    served: Served, who: str, *items: str, after: str | None = None
) -> AsyncIterator[Following]:
    address = served.origin.replace("http", "ws") + "/graphql"
    options = {"additional_headers": served.headers(who), "subprotocols": ["graphql-transport-ws"]}
    async with websocket(address, **options) as socket:
        await socket.send(json.dumps({"type": "connection_init"}))
        asked = {"query": CHANGES, "variables": {"after": after}}
        await socket.send(json.dumps({"type": "subscribe", "id": "1", "payload": asked}))
        yield Following(socket, items)
