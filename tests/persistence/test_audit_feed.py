"""What one process hears of what others committed."""

import asyncio

import psycopg
import pytest

from domain.access import Role
from domain.item import ItemKind, ItemRenamed
from domain.key import KeyRevoked
from domain.member import MemberRemoved
from domain.trash import ItemTrashed
from persistence import audit_feed
from persistence.audit_feed import CUTTING, INDEXING, AuditFeed, EditedLog
from persistence.restored import reset_restored
from persistence.store import PostgresStore
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, A, folder, new_id, write
from tests.support.database.updates import append, appended, row, update_log
from tests.support.processes.servers import PATIENCE

ONE, TWO, IDLE = (new_id(20 + number) for number in range(3))


class Process:
    """A process with a store of its own, which hears of what others commit when its feed takes a turn."""

    def __init__(self, store):
        self.store, self.source, self.heard = store, AuditFeed(store), []
        store.feed.subscribe(self.heard.append)

    async def commits(self):
        self.heard.clear()
        await self.source.turn()
        return [*self.heard]

    async def news(self):
        """The drives and the users whose access was changed by others since this was asked last."""
        drives, users = set(), set()
        for commit in await self.commits():
            assert not commit.is_local
            drives |= commit.changed_access[0]
            users |= commit.changed_access[1]
        return drives, users


@pytest.fixture
async def rights(store):
    await write(store, *PEOPLE, *FOLDERS)
    await write(store, ItemTrashed(A, DRIVE))
    async with PostgresStore(store.writers.conninfo, readers=1, writers=1) as other:
        made = Process(other)
        assert await made.news() == (set(), set())
        yield made


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


async def test_what_another_process_commits_is_published_whole_and_in_order(store, rights):
    await write(store, ItemRenamed(A, DRIVE, "One"), ItemTrashed(A, DRIVE))
    await write(store, ItemRenamed(A, DRIVE, "Two"))
    (commit,) = await rights.commits()
    assert [(entry.type, entry.drive_id, entry.item_id) for entry in commit.entries] == [
        ("itemRenamed", DRIVE, A),
        ("itemTrashed", DRIVE, A),
        ("itemRenamed", DRIVE, A),
    ]
    first, _, last = commit.entries
    assert (first.details["name"], last.details["name"], last.at) == ("One", "Two", NOW)
    assert (last.by.user_id, last.by.agent) == (ADA.user_id, ADA.agent)


async def test_what_a_process_commits_itself_is_published_once(store, rights):
    await write(rights.store, ItemTrashed(A, DRIVE))
    (own,) = rights.heard
    assert own.is_local
    assert await rights.commits() == []
    await write(store, ItemTrashed(A, DRIVE))
    assert len(await rights.commits()) == 1
    # it is forgotten once no transaction of the cluster is older, and other tests have some
    async with asyncio.timeout(PATIENCE):
        while rights.store.feed.tracked:
            assert await rights.commits() == []


async def test_live_edits_are_published_once_too(rights):
    await write(rights.store, folder(ONE, kind=ItemKind.docs_workbook))
    async with update_log(rights.store, rights.store.feed) as log:
        assert await appended(log.append, [row(ONE, b"first", ADA, NOW, told=True)]) == {ONE: 1}
    assert {**rights.heard[-1].live.drives} == {ONE: DRIVE}
    assert await rights.commits() == []


async def test_a_commit_whose_caller_was_cancelled_before_all_heard_of_it_is_published_again(rights):
    begun = asyncio.Event()

    async def follow():
        begun.set()
        await asyncio.Event().wait()

    feed = rights.store.feed
    feed.listeners.insert(0, (lambda commit: follow() if commit.is_local else None, None))
    writing = asyncio.create_task(write(rights.store, ItemTrashed(A, DRIVE)))
    await begun.wait()
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    assert [entry.type for commit in await rights.commits() for entry in commit.entries] == ["itemTrashed"]


async def test_a_listener_that_fails_keeps_no_other_from_hearing(rights):
    def fail(_commit):
        raise ValueError("no")

    rights.store.feed.listeners.insert(0, (fail, None))
    await write(rights.store, ItemTrashed(A, DRIVE))
    assert len(rights.heard) == 1


@pytest.fixture
async def edited(store):
    documents = [folder(each, kind=ItemKind.docs_workbook) for each in (ONE, TWO, IDLE)]
    await write(store, *PEOPLE, *FOLDERS, *documents)
    await append(store, [row(ONE, b"first", ADA, NOW, told=True)])
    return EditedLog(store, CUTTING)


async def test_at_first_all_are_told_of_that_have_edits_in_no_version(edited):
    assert await edited.edited_documents() == {ONE}


async def test_each_edit_of_which_the_audit_has_a_line_is_told_once(store, edited):
    await edited.edited_documents()
    assert await edited.edited_documents() == set()
    await append(store, [row(ONE, b"second", ADA, NOW, told=True), row(TWO, b"first", ADA, NOW, told=True)])
    assert await edited.edited_documents() == {ONE, TWO}
    assert await edited.edited_documents() == set()
    await append(store, [row(TWO, b"second", ADA, NOW, told=True)])
    assert await edited.edited_documents() == {TWO}


async def edit(store, *documents):
    await append(store, [row(document, b"more", ADA, NOW, told=True) for document in documents])


async def test_whoever_starts_again_is_told_of_what_was_not_finished_and_asks_no_other_document(store, edited):
    await edited.edited_documents()
    await edited.finished({ONE})
    assert await EditedLog(store, CUTTING).edited_documents() == {ONE}, "nothing is finished: as at first"
    await edited.finished(())
    assert await EditedLog(store, CUTTING).edited_documents() == set(), "all is finished, though no version was cut"
    await edit(store, TWO)
    await edited.edited_documents()
    await edit(store, IDLE)
    await edited.edited_documents()
    await edited.finished({TWO, IDLE})
    assert await EditedLog(store, CUTTING).edited_documents() == {TWO, IDLE}
    await edited.finished({IDLE})
    assert await EditedLog(store, CUTTING).edited_documents() == {IDLE}
    await edit(store, ONE)
    assert await EditedLog(store, CUTTING).edited_documents() == {ONE, IDLE}
    await edited.edited_documents()
    await edited.finished({ONE})
    again = EditedLog(store, CUTTING)
    assert await again.edited_documents() == {ONE}
    await again.finished(())
    assert await EditedLog(store, CUTTING).edited_documents() == set()


async def test_an_older_document_that_waits_keeps_the_news_of_it_and_of_all_after_it(store, edited):
    await edited.edited_documents()
    for documents in ({ONE}, {TWO}, {IDLE}, {TWO}):
        await edit(store, *documents)
        assert await edited.edited_documents() == documents
        await edited.finished({ONE, *documents})
    assert await EditedLog(store, CUTTING).edited_documents() == {ONE, TWO, IDLE}
    await edited.finished({TWO})
    assert await EditedLog(store, CUTTING).edited_documents() == {TWO}


async def test_each_worker_has_come_as_far_as_it_has(store, edited):
    await edited.edited_documents()
    await edited.finished(())
    assert await EditedLog(store, CUTTING).edited_documents() == set()
    assert await EditedLog(store, INDEXING).edited_documents() == {ONE}


async def test_after_a_restore_into_a_younger_cluster_all_documents_are_asked_once(store, edited):
    await edited.edited_documents()
    await edited.finished(())
    await reset_restored(store)
    assert await EditedLog(store, CUTTING).edited_documents() == set()
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo) as connection:
        await connection.execute("update worker_progress set snapshot = '1000000:1000000:'")
    await reset_restored(store)
    again = EditedLog(store, CUTTING)
    assert await again.edited_documents() == {ONE}
    await again.finished(())
    assert await EditedLog(store, CUTTING).edited_documents() == set()


async def test_all_documents_are_asked_in_parts(store, edited, monkeypatch):
    await edit(store, TWO, IDLE)
    monkeypatch.setattr(audit_feed, "_BEHIND", audit_feed._BEHIND.replace("limit 5000", "limit 2"))
    assert await edited.edited_documents() == {ONE, TWO, IDLE}
