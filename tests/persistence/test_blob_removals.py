"""The blobs of images go with their rows, and those that no row names go after a day."""

from datetime import UTC, datetime, timedelta

import pytest
from seeds import DRIVE, NOW, PEOPLE, A, folder, new_id, write

from domain.document import Image, ImageUploaded
from domain.drive import DriveDeleted
from domain.item import ItemKind
from domain.trash import ItemDeleted
from persistence.blob_removals import BlobRemovals
from service.blobs import MIN_AGE, BlobCleaner, ObjectBlobs

BELOW, KEPT, GONE = (new_id(number) for number in range(20, 23))


@pytest.fixture
async def blobs(store):
    """Two documents with an image each: one in the folder `A`, one beside it."""
    await write(store, *PEOPLE, folder(A), folder(BELOW, A, kind=ItemKind.docs_workbook))
    await write(store, folder(new_id(23), kind=ItemKind.docs_workbook))
    made = ObjectBlobs.at_url("memory:///")
    for image_id, item_id in ((GONE, BELOW), (KEPT, new_id(23))):
        await made.put(image_id, b"an image")
        await write(store, ImageUploaded(Image(image_id, item_id, "image/png", 1, 1, 8, NOW), DRIVE))
    return made


async def clean(store, blobs, now=None):
    await BlobCleaner(blobs, BlobRemovals(store), lambda: now or datetime.now(UTC)).turn()


@pytest.mark.parametrize(
    "event", [ItemDeleted(A, DRIVE, "Folder"), DriveDeleted(DRIVE, "Acme")], ids=["its folder", "its drive"]
)
async def test_the_blob_of_an_image_goes_with_what_it_was_in(store, blobs, event):
    await write(store, event)
    await clean(store, blobs)
    assert await blobs.get(GONE) is None
    assert (await blobs.get(KEPT) is None) == isinstance(event, DriveDeleted)
    assert await BlobRemovals(store).due() == []


async def test_what_no_row_names_goes_after_a_day_and_what_is_no_image_of_ours_stays(store, blobs):
    await blobs.put(new_id(30), b"its upload never ended")
    await blobs.put("readme.txt", b"somebody else's, in the same place")
    await clean(store, blobs)
    assert await blobs.get(new_id(30)) is not None
    await clean(store, blobs, datetime.now(UTC) + MIN_AGE + timedelta(hours=1))
    assert await blobs.get(new_id(30)) is None
    for kept in (KEPT, GONE, "readme.txt"):
        assert await blobs.get(kept) is not None
