"""Images that meet something else while they are decoded: nothing of them is kept that has no row."""

import asyncio
from dataclasses import replace

import pytest

from computing.runner import JobRunner
from domain.document import ImageFile
from domain.idempotency import IdempotencyKey
from graphql_api.context import Context
from service.blobs import ObjectBlobs
from service.image_jobs import ImageJobs
from tests.graphql_api.world import SCHEMA

UPLOAD = "mutation ($item: ID!, $file: ImageFile!) { uploadImage(itemId: $item, file: $file) { id url width } }"
FILE = ImageFile(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
        "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
    ),
    "image/png",
)


@pytest.fixture
def files(world, tmp_path):
    """The folder that the world's images are stored in."""
    world.ports = replace(world.ports, blobs=ObjectBlobs.in_folder(tmp_path / "images"))
    return tmp_path / "images"


async def test_an_image_whose_document_is_trashed_meanwhile_is_refused_and_leaves_no_file(world, files):
    item = await world.item("ada", "Welcome")

    class Trashing(ImageJobs):
        async def encode(self, file, user_id):
            await world.ask("ada", "mutation ($i: ID!) { trashItem(itemId: $i) { id } }", i=item)
            return await super().encode(file, user_id)

    world.ports = replace(world.ports, images=Trashing(JobRunner()))
    assert await world.refused("ada", UPLOAD, item=item, file=FILE) == "NOT_FOUND"
    assert list(files.iterdir()) == []


async def test_two_uploads_at_once_under_one_key_are_one_image(world, files):
    item, caller = await world.item("ada", "Welcome"), world.callers["ada"]
    once = IdempotencyKey(caller.user_id, "driveItems.uploadImage", "one", "the same")
    both = asyncio.Barrier(2)

    class Together(ImageJobs):
        async def encode(self, file, user_id):
            await both.wait()
            return await super().encode(file, user_id)

    world.ports = replace(world.ports, images=Together(JobRunner()))
    answers = await asyncio.gather(*[
        SCHEMA.execute(UPLOAD, {"item": item, "file": FILE}, {"context": Context(world.ports, caller, once)})
        for _ in range(2)
    ])  # fmt: skip
    first, second = (answer.data["uploadImage"] for answer in answers)
    assert first == second
    assert [file.name for file in files.iterdir()] == [first["id"]]
