"""A publisher for the tests: documents, images and public pages over the store in memory, as the service wires them."""

from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from acts import World
from litestar import Litestar

from documents.build import from_tree
from domain.item import ItemKind
from live.stored import StoredDocuments
from persistence.memory import MemoryStore
from service.blobs import ObjectBlobs
from web.pages import STATIC
from web.published import Publications, published_pages

ORIGIN = "https://codrive.example"


def paragraph(text, *marks, **attrs):
    made = {"type": "text", "text": text, **({"marks": list(marks)} if marks else {})}
    return {"type": "paragraph", "attrs": attrs, "content": [made]}


def document(*blocks):
    return {"type": "doc", "content": list(blocks)}


def code(language, text):
    return {"type": "codeBlock", "attrs": {"language": language}, "content": [{"type": "text", "text": text}]}


@dataclass
class Publisher:
    """Ada, who has a drive of her own and publishes from it."""

    world: World
    drive: str
    blobs: ObjectBlobs
    readers: httpx.AsyncClient

    async def document(self, tree, name="Notes", parent=None):
        place = {"parent_id": parent} if parent else {"drive_id": self.drive}
        item = await self.world.make("ada", **place, name=name, kind=ItemKind.docs_workbook)
        await self.world.edit("ada", item, from_tree(tree, 7))
        return item

    async def image(self, item, content=b"an image"):
        (uploaded,) = await self.world.upload("ada", item)
        await self.blobs.put(uploaded.image.id, content)
        return uploaded.image.id

    async def publish(self, item):
        (published,) = await self.world.publish("ada", item)
        return f"/p/{published.slug}"

    async def get(self, path, **headers):
        return await self.readers.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


@asynccontextmanager
async def publishing():
    store = MemoryStore()
    world, blobs = World((store,)), ObjectBlobs.at_url("memory:///")
    drive = await world.account("ada")
    publications = Publications(ORIGIN, store, StoredDocuments(store), blobs)
    app = Litestar([published_pages(publications), STATIC], openapi_config=None, logging_config=None)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as readers:
        yield Publisher(world, drive, blobs, readers)
