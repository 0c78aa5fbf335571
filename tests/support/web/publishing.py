"""Publishers for the tests: over a store, as the service wires it, and over a running server."""

import base64
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from litestar import Litestar
from PIL import Image, ImageDraw

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.credit import Payer
from domain.item import ItemKind
from domain.questions import PublishedAs
from live.document_reader import DocumentReader, Projected
from persistence.store import PostgresStore
from service.blobs import ObjectBlobs
from tests.support.documents.jobs import JOBS
from tests.support.processes.servers import async_http
from tests.support.worlds.acts import World
from web.pages import STATIC
from web.published import Publications, published_pages

ORIGIN = "https://codrive.example"


def paragraph(text: str, *marks: dict[str, Any], **attrs: Any) -> dict[str, Any]:
    made = {"type": "text", "text": text, **({"marks": list(marks)} if marks else {})}
    return {"type": "paragraph", "attrs": attrs, "content": [made]}


def document(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"type": "doc", "content": list(blocks)}


def code(language: str, text: str) -> dict[str, Any]:
    return {"type": "codeBlock", "attrs": {"language": language}, "content": [{"type": "text", "text": text}]}


class Counted(DocumentReader):
    """The documents, and how often they were read."""

    reads = 0

    async def read(self, document_id: str, sequence: int, by: Payer = "") -> Projected:
        self.reads += 1
        return await super().read(document_id, sequence, by)


@dataclass
class Publisher:
    """Ada, who has a drive of her own and publishes from it."""

    world: World
    drive: str
    blobs: ObjectBlobs
    documents: Counted
    readers: httpx.AsyncClient
    app: Litestar

    async def document(self, tree: dict[str, Any], name: str = "Notes", parent: str | None = None) -> str:
        place = {"parent_id": parent} if parent else {"drive_id": self.drive}
        item = await self.world.make("ada", **place, name=name, kind=ItemKind.docs_workbook)
        await self.world.edit("ada", item, from_tree(tree, 7))
        return item

    async def image(self, item: str, content: bytes = b"an image") -> str:
        (uploaded,) = await self.world.upload("ada", item)
        await self.blobs.put(uploaded.image.id, content)
        return uploaded.image.id

    async def publish(self, item: str) -> str:
        (published,) = await self.world.publish("ada", item)
        return f"/p/{published.slug}"

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.readers.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


@asynccontextmanager
async def publishing(store: PostgresStore, **limited: Any) -> AsyncIterator[Publisher]:
    world, blobs = World((store,)), ObjectBlobs.at_url("memory:///")
    drive = await world.account("ada")
    documents = Counted(store, runner=JOBS)
    publications = Publications(ORIGIN, lambda slug: store.read(PublishedAs(slug)), documents, blobs, JOBS)
    app = Litestar([published_pages(publications, **limited), STATIC], openapi_config=None, logging_config=None)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]  # it types its messages more closely
    async with async_http(ORIGIN, transport=transport) as readers:
        yield Publisher(world, drive, blobs, documents, readers, app)


def publish(
    ada: httpx.Client, tree: dict[str, Any], name: str = "Notes", picture: bytes | None = None
) -> tuple[str, str]:
    """Put the tree into a new document of whose client `ada` is; return its id and the address of its public page.

    `picture` becomes the source of every image in it.
    """
    drive = ada.get("/api/v1/drives").json()["drives"][0]["id"]
    made = ada.post(f"/api/v1/drives/{drive}/items", json={"name": name, "driveItemType": "docs_workbook"})
    item = made.raise_for_status().json()["item"]["id"]
    if picture:
        told = ada.post(f"/api/v1/drive-items/{item}/images", files={"file": ("picture.png", picture, "image/png")})
        address = told.raise_for_status().json()["image"]["url"]
        for image in of_kind(tree, "image"):
            image["attrs"]["src"] = address
    told = ada.post(
        "/graphql",
        json={
            "query": "mutation($id: ID!, $update: String!) { importYjsUpdate(documentId: $id, update: $update) { id } }",
            "variables": {"id": item, "update": base64.b64encode(from_tree(tree, 7)).decode()},
        },
    )
    assert "errors" not in told.json(), told.text
    ada.put(f"/api/v1/drive-items/{item}/publication", json={"published": True}).raise_for_status()
    return item, ada.get(f"/api/v1/drive-items/{item}").json()["item"]["publicUrl"]


def of_kind(node: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Every node of the kind at or below this one."""
    found = [node] if node["type"] == kind else []
    return found + [below for child in node.get("content", []) for below in of_kind(child, kind)]


SAMPLE_NAME = "What the second quarter brought"


def sample() -> dict[str, Any]:
    """A document with everything in it, as an editor stores it: Markdown says nothing of alignment or mentions."""
    tree = parse(Path(__file__).with_name("sample.md").read_text())
    for row in of_kind(tree, "tableRow"):
        for cell in row["content"][1:]:
            cell["attrs"] = {"align": "right"}
    first = next(iter(of_kind(tree, "paragraph")))
    for at, node in enumerate(first["content"]):
        before, mention, after = node.get("text", "").partition("@research")
        if mention:
            named = {"type": "mention", "attrs": {"id": "research", "label": "research"}}
            first["content"][at : at + 1] = [{**node, "text": before}, named, {**node, "text": after}]
            break
    return tree


def sample_picture() -> bytes:
    """A PNG: hills of water, one behind the other."""
    wide, high = 1280, 520
    image = Image.new("RGB", (wide, high), (28, 66, 116))
    draw = ImageDraw.Draw(image)
    for layer in range(9):
        rise = [(x, 70 + layer * 50 + abs((x + layer * 167) % 420 - 210) // 4) for x in range(0, wide + 1, 10)]
        draw.polygon([*rise, (wide, high), (0, high)], fill=(30 + layer * 15, 78 + layer * 14, 128 + layer * 10))
    content = io.BytesIO()
    image.save(content, "PNG")
    return content.getvalue()
