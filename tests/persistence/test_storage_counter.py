"""The bytes that drives store are counted whoever wrote them, and what goes is taken off."""

from datetime import timedelta

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from computing.runner import JobRunner
from domain.document import DocumentEdited, Image, ImageUploaded
from domain.history import EditedBy
from domain.item import ItemKind
from domain.move import ItemMoved
from domain.questions import StorageOfEach, SubtreeOf
from domain.trash import ItemDeleted, ItemTrashed
from domain.version import VersionCut
from persistence import storage_counter
from persistence.compaction import CompactionLog
from persistence.storage_counter import COUNTED, DAY, NEARLY_FULL, PAUSE, StorageCounter
from service.compactor import Compactor
from tests.persistence.seeds import ADA, ADAS, DRIVE, FOLDERS, NOW, PEOPLE, A, folder, new_id, write

FIRST, SECOND, IMAGE = (new_id(number) for number in range(20, 23))
QUOTA = 1_000_000


@pytest.fixture
async def seeded(store):
    """A document at the root of the drive, and one in its folder A."""
    first, second = (folder(each, parent, kind=ItemKind.docs_workbook) for each, parent in ((FIRST, None), (SECOND, A)))
    await write(store, *PEOPLE, *FOLDERS, first, second)
    return store


async def started(store, quota=QUOTA, clock=lambda: 0.0):
    """A counter in a process that has just begun to work."""
    counter = StorageCounter(store, quota, clock)
    store.feed.subscribe(counter.committed, COUNTED)
    await counter.begin()
    await counter.turn()
    return counter


def edited(document, size):
    return DocumentEdited(document, DRIVE, bytes(size))


def uploaded(document, size):
    return ImageUploaded(Image(IMAGE, document, "image/png", 1, 1, size, NOW, IMAGE), DRIVE)


async def used(store, drive_id=DRIVE):
    return (await store.read(StorageOfEach((drive_id,)))).get(drive_id)


async def test_the_log_and_images_of_all_documents_count_also_of_those_in_the_trash(seeded):
    counter = await started(seeded)
    assert (await used(seeded), counter.left(DRIVE)) == (0, QUOTA)
    await write(seeded, edited(FIRST, 100), edited(FIRST, 20), edited(SECOND, 3), uploaded(SECOND, 4_000))
    await write(seeded, ItemTrashed(FIRST, DRIVE))
    await counter.turn()
    assert (await used(seeded), await used(seeded, ADAS)) == (4_123, 0)
    assert (counter.left(DRIVE), counter.left(ADAS), counter.stored) == (QUOTA - 4_123, QUOTA, 4_123)
    assert (await seeded.read(SubtreeOf(A))).bytes == 4_003


async def test_what_is_written_counts_at_once_and_once(seeded):
    counter = await started(seeded)
    await write(seeded, edited(FIRST, 100))
    counter.wrote(DRIVE, 100)
    assert counter.left(DRIVE) == QUOTA - 100
    await counter.turn()
    assert counter.left(DRIVE) == QUOTA - 100


async def test_a_turn_that_fails_is_made_again(seeded, monkeypatch):
    counter = await started(seeded)
    await write(seeded, edited(FIRST, 100))
    counter.wrote(DRIVE, 100)
    with monkeypatch.context() as broken:
        broken.setattr(storage_counter, "_NEARLY_FULL", "select 1 / 0, %s")
        with pytest.raises(Exception, match="zero"):
            await counter.turn()
    assert counter.left(DRIVE) == QUOTA - 100
    await counter.turn()
    assert (await used(seeded), counter.left(DRIVE)) == (100, QUOTA - 100)


async def test_what_is_deleted_for_ever_or_moved_away_is_taken_off(seeded):
    counter = await started(seeded)
    await write(seeded, edited(FIRST, 100), edited(SECOND, 20))
    await counter.turn()
    await write(seeded, ItemMoved(A, DRIVE, ADAS, None, None, 2))
    await counter.turn()
    assert (await used(seeded), await used(seeded, ADAS)) == (100, 20)
    await write(seeded, ItemDeleted(FIRST, DRIVE, "Folder"))
    await counter.turn()
    assert (await used(seeded), counter.left(DRIVE)) == (0, QUOTA)


async def test_versions_count_and_what_is_compacted_is_taken_off(seeded):
    counter, parts, doc = await started(seeded), [], Doc(client_id=1)
    doc.observe(lambda event: parts.append(event.update))
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph"))
    text = doc.get("default", type=XmlFragment).children[0].children.append(XmlText())
    for letter in "letters " * 20:
        text.insert(len(text), letter)
    old = NOW - timedelta(days=3)
    await write(seeded, *(DocumentEdited(FIRST, DRIVE, part) for part in parts), at=old)
    await write(seeded, VersionCut(FIRST, DRIVE, 1, len(parts), old, 100, (EditedBy(ADA.user_id, None, old),)), at=old)
    await counter.turn()
    assert await used(seeded) == sum(map(len, parts))
    log = CompactionLog(seeded, rows=10, from_bytes=10**9)
    await Compactor(log, JobRunner(), lambda: NOW, counter.compacted).turn()
    await counter.turn()
    assert 0 < await used(seeded) < sum(map(len, parts))


async def test_all_documents_are_looked_at_at_the_start_and_once_a_day(seeded, monkeypatch):
    monkeypatch.setattr(storage_counter, "AT_ONCE", 1)
    monkeypatch.setattr(storage_counter, "_ALL", storage_counter._ALL.replace("limit 500", "limit 1"))
    await write(seeded, edited(FIRST, 100), edited(SECOND, 20))
    now = 0.0
    counter = StorageCounter(seeded, QUOTA, lambda: now)
    await counter.begin()
    for _ in range(3):
        assert counter.every in (PAUSE, 0.0)
        await counter.turn()
    assert (await used(seeded), counter.every) == (120, PAUSE)
    await write(seeded, edited(FIRST, 3))  # by a process that ended before it counted
    await counter.turn()
    assert await used(seeded) == 120
    now = DAY + 1
    for _ in range(3):
        await counter.turn()
    assert await used(seeded) == 123


async def test_what_other_processes_counted_is_known_of_drives_that_are_nearly_full(seeded):
    mine, others = await started(seeded, NEARLY_FULL + 99), await started(seeded, NEARLY_FULL + 99)
    seeded.feed.listeners.pop(0)
    await write(seeded, edited(FIRST, 100))
    await others.turn()
    await mine.turn()
    assert (mine.left(DRIVE), mine.left(ADAS)) == (NEARLY_FULL - 1, NEARLY_FULL + 99)
    assert (await started(seeded, 100)).full == 1
