"""What one process learns of what others did."""

import psycopg
import pytest
from seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, A, folder, write
from updates import append, row
from worlds import new_id

from domain.access import Role
from domain.item import ItemKind, ItemRenamed
from domain.key import KeyRevoked
from domain.member import MemberRemoved
from domain.trash import ItemTrashed
from persistence import audit_feed
from persistence.audit_feed import CUTTING, INDEXING, EditedLog, RightsLog
from persistence.restored import reset_restored

ONE, TWO, IDLE = (new_id(20 + number) for number in range(3))


@pytest.fixture
async def rights(store):
    await write(store, *PEOPLE, *FOLDERS)
    await write(store, ItemTrashed(A, DRIVE))
    made = RightsLog(store, (ItemTrashed, KeyRevoked, MemberRemoved))
    assert await made.news() == (set(), set())
    return made


async def test_what_happened_before_is_no_news(rights):
    assert await rights.news() == (set(), set())


async def test_each_change_of_rights_is_told_once(store, rights):
    await write(store, MemberRemoved(DRIVE, BEN.user_id, Role.owner))
    assert await rights.news() == ({DRIVE}, {BEN.user_id})
    assert await rights.news() == (set(), set())


async def test_what_changes_no_rights_is_not_told(store, rights):
    await write(store, ItemRenamed(A, DRIVE, "Other"))
    assert await rights.news() == (set(), set())


async def test_a_change_that_was_committed_late_is_told_though_its_number_is_older(store, rights):
    async with store.writers.connection() as late, late.transaction():
        await late.execute(
            "insert into event (type, drive_id, item_id, user_id, at, details)"
            " values ('itemTrashed', %s, %s, %s, %s, '{}')",
            [DRIVE, A, ADA.user_id, NOW],
        )
        await write(store, KeyRevoked(BEN.user_id, ADA.user_id), *[ItemRenamed(A, DRIVE, "Other")] * 300)
        assert await rights.news() == (set(), {ADA.user_id})
    assert await rights.news() == ({DRIVE}, set())


@pytest.fixture
async def edited(store):
    documents = [folder(each, kind=ItemKind.docs_workbook) for each in (ONE, TWO, IDLE)]
    await write(store, *PEOPLE, *FOLDERS, *documents)
    await append(store, [row(ONE, b"first", ADA, NOW, told=True)])
    return EditedLog(store, CUTTING)


async def test_at_first_all_are_told_of_that_have_edits_in_no_version(edited):
    assert await edited.news() == {ONE}


async def test_each_edit_of_which_the_audit_has_a_line_is_told_once(store, edited):
    await edited.news()
    assert await edited.news() == set()
    await append(store, [row(ONE, b"second", ADA, NOW, told=True), row(TWO, b"first", ADA, NOW, told=True)])
    assert await edited.news() == {ONE, TWO}
    assert await edited.news() == set()
    await append(store, [row(TWO, b"second", ADA, NOW, told=True)])
    assert await edited.news() == {TWO}


async def edit(store, *documents):
    await append(store, [row(document, b"more", ADA, NOW, told=True) for document in documents])


async def test_whoever_starts_again_is_told_of_what_was_not_finished_and_asks_no_other_document(store, edited):
    await edited.news()
    await edited.finished({ONE})
    assert await EditedLog(store, CUTTING).news() == {ONE}, "nothing is finished: as at first"
    await edited.finished(())
    assert await EditedLog(store, CUTTING).news() == set(), "all is finished, though no version was cut"
    await edit(store, TWO)
    await edited.news()
    await edit(store, IDLE)
    await edited.news()
    await edited.finished({TWO, IDLE})
    assert await EditedLog(store, CUTTING).news() == {TWO, IDLE}
    await edited.finished({IDLE})
    assert await EditedLog(store, CUTTING).news() == {IDLE}
    await edit(store, ONE)
    assert await EditedLog(store, CUTTING).news() == {ONE, IDLE}
    await edited.news()
    await edited.finished({ONE})
    again = EditedLog(store, CUTTING)
    assert await again.news() == {ONE}
    await again.finished(())
    assert await EditedLog(store, CUTTING).news() == set()


async def test_an_older_document_that_waits_keeps_the_news_of_it_and_of_all_after_it(store, edited):
    await edited.news()
    for documents in ({ONE}, {TWO}, {IDLE}, {TWO}):
        await edit(store, *documents)
        assert await edited.news() == documents
        await edited.finished({ONE, *documents})
    assert await EditedLog(store, CUTTING).news() == {ONE, TWO, IDLE}
    await edited.finished({TWO})
    assert await EditedLog(store, CUTTING).news() == {TWO}


async def test_each_worker_has_come_as_far_as_it_has(store, edited):
    await edited.news()
    await edited.finished(())
    assert await EditedLog(store, CUTTING).news() == set()
    assert await EditedLog(store, INDEXING).news() == {ONE}


async def test_after_a_restore_into_a_younger_cluster_all_documents_are_asked_once(store, edited):
    await edited.news()
    await edited.finished(())
    await reset_restored(store)
    assert await EditedLog(store, CUTTING).news() == set()
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo) as connection:
        await connection.execute("update worker_progress set snapshot = '1000000:1000000:'")
    await reset_restored(store)
    again = EditedLog(store, CUTTING)
    assert await again.news() == {ONE}
    await again.finished(())
    assert await EditedLog(store, CUTTING).news() == set()


async def test_all_documents_are_asked_in_parts(store, edited, monkeypatch):
    await edit(store, TWO, IDLE)
    monkeypatch.setattr(audit_feed, "_BEHIND", audit_feed._BEHIND.replace("limit 5000", "limit 2"))
    assert await edited.news() == {ONE, TWO, IDLE}
