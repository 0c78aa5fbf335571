"""Numbered marks that clients stream into a document while its servers end, and whether all of them are there."""

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any

from tests.support.live.npm import Clients
from tests.support.live.people import World
from tests.support.processes.servers import PATIENCE


def said(read: Mapping[str, Any], mark: str) -> list[int]:
    """The numbers that a typist typed, in order, which both projections must tell alike."""
    tree, markdown = (
        [int(found) for found in re.findall(rf"{mark}(\d+);", text)]
        for text in (json.dumps(read["prosemirrorDoc"]), read["markdown"])
    )
    assert tree == markdown
    return markdown


async def read_again(world: World, document: str) -> Any:
    """Read, as whoever is told to come back in a moment does."""
    async with asyncio.timeout(PATIENCE):
        while (answer := await world.api["ada"].get(f"/api/v1/documents/{document}")).status_code == 503:
            assert answer.headers["retry-after"]
    return answer.raise_for_status().json()


async def survived(clients: Clients, world: World, document: str, halted: Mapping[str, Mapping[str, Any]]) -> None:
    """Whoever typed goes on typing, and all of it is there once, for everybody."""
    for name in halted:
        await clients("type", name, text=f"{name}9999;")
    for name in halted:
        for by in halted:
            await clients("sees", name, text=f"{by}9999;")
        await clients("acknowledged", name)
    read = await read_again(world, document)
    for name, streamed in halted.items():
        assert said(read, name) == [*range(1, streamed["typed"] + 1), 9999]
    assert {author["name"] for author in read["authors"]} == {"Ada Lovelace", "Ben Franklin"}
    assert (await clients("text", "a"))["text"] == (await clients("text", "b"))["text"]
