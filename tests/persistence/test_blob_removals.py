"""The blobs of images go with their rows, and those that no row names go after a day."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from domain.document import Image, ImageUploaded
from domain.drive import DriveDeleted
from domain.item import ItemKind
from domain.questions import ImagesOf
from domain.trash import ItemDeleted
from persistence.blob_removals import BlobRemovals
from service.blobs import MIN_AGE, BlobCleaner, BlobSweep, ObjectBlobs
from service.workers import run_workers
from tests.persistence.seeds import DRIVE, NOW, PEOPLE, A, folder, new_id, write

BELOW, KEPT, GONE = (new_id(number) for number in range(20, 23))


@pytest.fixture
async def blobs(store):
    """Two documents with an image each: one in the folder `A`, one beside it."""
    await write(store, *PEOPLE, folder(A), folder(BELOW, A, kind=ItemKind.docs_workbook))
    await write(store, folder(new_id(23), kind=ItemKind.docs_workbook))
    made = ObjectBlobs.at_url("memory:///")
    for image_id, item_id in ((GONE, BELOW), (KEPT, new_id(23))):
        await made.put(image_id, b"an image")
        await write(store, ImageUploaded(Image(image_id, item_id, "image/png", 1, 1, 8, NOW, image_id), DRIVE))
    return made


async def clean(store, blobs, now=None):
    await BlobCleaner(blobs, BlobRemovals(store)).turn()
    await BlobSweep(blobs, BlobRemovals(store), lambda: now or datetime.now(UTC)).turn()


@pytest.mark.parametrize(
    "event", [ItemDeleted(A, DRIVE, "Folder"), DriveDeleted(DRIVE, "Acme")], ids=["its folder", "its drive"]
)
async def test_the_blob_of_an_image_goes_with_what_it_was_in(store, blobs, event):
    await write(store, event)
    await clean(store, blobs)
    assert await blobs.get(GONE) is None
    assert (await blobs.get(KEPT) is None) == isinstance(event, DriveDeleted)
    assert await BlobRemovals(store).due() == []


async def test_a_blob_that_images_of_two_documents_share_goes_with_the_last_of_them(store, blobs):
    copied = Image(new_id(24), new_id(23), "image/png", 1, 1, 8, NOW, GONE)
    await write(store, ImageUploaded(copied, DRIVE))
    await write(store, ItemDeleted(A, DRIVE, "Folder"))
    await clean(store, blobs, datetime.now(UTC) + MIN_AGE + timedelta(hours=1))
    assert await blobs.get(GONE) is not None
    assert (await store.read(ImagesOf(new_id(23))))[-1] == copied
    await write(store, ItemDeleted(new_id(23), DRIVE, "Document"))
    await clean(store, blobs)
    assert await blobs.get(GONE) is None


async def test_what_no_row_names_goes_after_a_day_and_what_is_no_image_of_ours_stays(store, blobs):
    await blobs.put(new_id(30), b"its upload never ended")
    await blobs.put("readme.txt", b"somebody else's, in the same place")
    await clean(store, blobs)
    assert await blobs.get(new_id(30)) is not None
    await clean(store, blobs, datetime.now(UTC) + MIN_AGE + timedelta(hours=1))
    assert await blobs.get(new_id(30)) is None
    for kept in (KEPT, GONE, "readme.txt"):
        assert await blobs.get(kept) is not None


@dataclass(frozen=True)
class Faulty:
    """Blobs of which one cannot be deleted."""

    blobs: ObjectBlobs
    key: str

    async def delete(self, key):
        if key == self.key:
            raise PermissionError("read-only")
        await self.blobs.delete(key)


async def test_a_blob_that_cannot_be_deleted_holds_up_none_of_the_others_and_is_tried_again(store, blobs):
    await write(store, DriveDeleted(DRIVE, "Acme"))
    first, second = sorted((GONE, KEPT))
    await BlobCleaner(Faulty(blobs, first), BlobRemovals(store)).turn()
    assert await blobs.get(second) is None
    assert await BlobRemovals(store).due() == [first]
    await clean(store, blobs)
    assert await blobs.get(first) is None


@dataclass(frozen=True)
class Crowded:
    """Blobs whose listing never comes to an end."""

    blobs: ObjectBlobs
    listed: asyncio.Event

    async def put_before(self, _moment):
        self.listed.set()
        await asyncio.Event().wait()
        yield ()

    async def delete(self, key):
        await self.blobs.delete(key)


async def test_the_daily_look_at_all_blobs_holds_up_no_deletion(store, blobs, monkeypatch):
    monkeypatch.setattr(BlobCleaner, "every", 0.01)
    crowded = Crowded(blobs, asyncio.Event())
    removals = BlobRemovals(store)
    sweep = BlobSweep(crowded, removals, lambda: datetime.now(UTC))
    async with run_workers(BlobCleaner(crowded, removals), sweep):
        await crowded.listed.wait()
        await write(store, ItemDeleted(A, DRIVE, "Folder"))
        while await removals.due():
            pass
    assert await blobs.get(GONE) is None


def test_deleted_images_are_looked_for_so_often_that_a_minute_has_room_for_failed_turns():
    assert BlobCleaner.every <= 60 / 4
