"""How the index of search keeps up: by numbers, whoever missed what, one process at a time."""

import asyncio

import psycopg
import pytest

from computing.runner import JobRunner
from documents.markdown.markdown_in import parse
from documents.projection.search_text import SearchText
from documents.tree.build import from_tree
from domain.commit import Commit, LiveEdits
from domain.document import DocumentEdited
from domain.history import IDLE
from domain.item import ItemKind
from domain.questions import SearchFor
from domain.trash import ItemDeleted, ItemTrashed
from live.commit_queue import AUDIT_INTERVAL
from persistence import search_index
from persistence.quarantine import MAX_STRIKES, Quarantine, release
from persistence.search_index import SearchIndex
from persistence.store import PostgresStore
from service.workers import run_workers
from tests.persistence.seeds import ADA, DRIVE, FOLDERS, NOW, PEOPLE, folder, new_id, write
from tests.support.database.clusters import OTHER_BACKENDS, asked
from tests.support.database.searching import indexed
from tests.support.database.updates import append, appended, row, update_log
from tests.support.documents.jobs import JOBS
from tests.support.processes.servers import PATIENCE

MEMO, NOTE = new_id(20), new_id(21)


@pytest.fixture
async def seeded(store):
    documents = [folder(each, kind=ItemKind.docs_workbook) for each in (MEMO, NOTE)]
    await write(store, *PEOPLE, *FOLDERS, *documents)
    return store


def said(markdown, client):
    return from_tree(parse(markdown), client)


async def edit(store, markdown, client, document=MEMO):
    await write(store, DocumentEdited(document, DRIVE, said(markdown, client)))


async def found(store, text):
    """What is found as the index is now."""
    page = await PostgresStore.read(store, SearchFor(ADA.user_id, text, None, 9, None))
    return {each.facts.item.id for each in page.rows}


async def until(store, text, expected):
    async with asyncio.timeout(PATIENCE):
        while await found(store, text) != expected:
            continue


async def numbers(store):
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo) as connection:
        rows = await (await connection.execute("select item_id::text, sequence from document_text")).fetchall()
    return dict(rows)


def typed(*documents):
    return Commit(live=LiveEdits(dict.fromkeys(documents, DRIVE), {}, (), 0))


async def test_what_was_there_before_is_indexed_and_what_comes_is_as_soon_as_it_is_named(seeded):
    await edit(seeded, "rocket", 1)
    index = SearchIndex(seeded, runner=JOBS)
    seeded.feed.subscribe(index.committed)
    async with update_log(seeded, seeded.feed) as log, run_workers(index):
        await until(seeded, "rocket", {MEMO})
        rows = [row(NOTE, said("rocket", 1), ADA, NOW), row(MEMO, said("moon", 2), ADA, NOW)]
        assert await appended(log.append, rows, {MEMO: 1}) == {NOTE: 1, MEMO: 2}
        await until(seeded, "rocket", {MEMO, NOTE})
        await until(seeded, "moon", {MEMO})


async def test_a_document_is_left_alone_while_somebody_types_in_it_but_not_for_long(seeded):
    seconds = 0.0
    index = SearchIndex(seeded, lambda: seconds, runner=JOBS)
    await index.turn()  # at first, all that is behind
    await edit(seeded, "rocket", 1)
    await edit(seeded, "rocket", 1, NOTE)
    index.committed(typed(MEMO, NOTE))
    while seconds < search_index.MAX_TYPING_SECONDS:
        await index.turn()
        assert await found(seeded, "rocket") == ({NOTE} if seconds >= search_index.QUIET_SECONDS else set())
        seconds += search_index.QUIET_SECONDS / 2
        index.committed(typed(MEMO))
    await index.turn()
    assert await found(seeded, "rocket") == {MEMO, NOTE}


async def test_what_nobody_named_is_found_when_the_audit_is_asked_again(seeded, monkeypatch):
    monkeypatch.setattr(search_index, "AUDIT_SECONDS", 0.01)
    async with run_workers(SearchIndex(seeded, runner=JOBS)):
        await edit(seeded, "rocket", 1)
        await until(seeded, "rocket", {MEMO})


async def test_only_what_is_behind_is_read_again(seeded, monkeypatch):
    read = []
    monkeypatch.setattr(
        search_index, "_read", lambda *asked, read_=search_index._read: read.append(asked[1]) or read_(*asked)
    )
    await edit(seeded, "rocket", 1)
    await edit(seeded, "moon", 1, NOTE)
    await indexed(seeded)
    assert sorted(read) == [MEMO, NOTE]
    await edit(seeded, "sun", 2)
    await SearchIndex(seeded, runner=JOBS).index([NOTE])
    assert await found(seeded, "sun") == set()
    assert await SearchIndex(seeded, runner=JOBS).index([MEMO, NOTE, new_id(99)]) == set()
    assert read[2:] == [MEMO]
    assert await numbers(seeded) == {MEMO: 2, NOTE: 1}


async def test_while_one_is_at_it_nobody_else_is_and_what_was_named_to_them_is_not_forgotten(seeded):
    await edit(seeded, "rocket", 1)
    async with await psycopg.AsyncConnection.connect(seeded.writers.conninfo, autocommit=True) as other:
        await other.execute(search_index._LOCK)
        assert await SearchIndex(seeded, runner=JOBS).index([MEMO]) == {MEMO}
        index = SearchIndex(seeded, runner=JOBS)
        async with run_workers(index):
            index.committed(typed(MEMO))
            await asyncio.sleep(0)
            await other.execute(search_index._UNLOCK)
            await until(seeded, "rocket", {MEMO})


async def test_one_that_was_killed_leaves_no_lock_and_nothing_by_halves(seeded):
    await edit(seeded, "rocket", 1)
    other = await psycopg.AsyncConnection.connect(seeded.writers.conninfo)
    await other.execute(search_index._LOCK)
    values = search_index._values(MEMO, 1, SearchText(("half",), (" half ",), ("half",)))
    await other.execute(search_index._WRITE, values)
    await other.close()  # as the death of its process does
    async with asyncio.timeout(PATIENCE):
        await indexed(seeded)
    assert (await found(seeded, "rocket"), await found(seeded, "half")) == ({MEMO}, set())


async def test_an_older_reading_does_not_take_the_place_of_a_newer_one(seeded):
    await edit(seeded, "rocket", 1)
    await edit(seeded, "moon", 2)
    await indexed(seeded)
    old = search_index._values(MEMO, 1, SearchText(("rocket",), (" rocket ",), ("rocket",)))
    await seeded.autocommit(lambda connection: connection.execute(search_index._WRITE, old))
    assert await found(seeded, "moon") == {MEMO}


async def test_more_than_one_round_takes_is_left_and_said(seeded, monkeypatch):
    await edit(seeded, "rocket", 1)
    await edit(seeded, "rocket", 1, NOTE)
    monkeypatch.setattr(search_index, "MAX_DOCUMENTS", 1)
    assert len(await SearchIndex(seeded, runner=JOBS).index([MEMO, NOTE])) == 1
    await indexed(seeded)
    assert await found(seeded, "rocket") == {MEMO, NOTE}


async def test_what_is_deleted_for_ever_leaves_no_text_behind(seeded):
    await edit(seeded, "rocket", 1)
    await indexed(seeded)
    await write(seeded, ItemTrashed(MEMO, DRIVE))
    await write(seeded, ItemDeleted(MEMO, DRIVE, "Folder"))
    assert await numbers(seeded) == {}


async def test_a_document_of_more_words_than_postgres_takes_is_found_by_its_first_ones(seeded):
    await edit(seeded, " ".join(f"word{number}" for number in range(200_000)), 1)
    await indexed(seeded)
    assert await found(seeded, "word1 word99") == {MEMO}
    assert await found(seeded, "word199999") == set()


async def test_whoever_ends_it_has_it_ended_though_the_database_is_lost_at_that_moment(seeded):
    await edit(seeded, "rocket", 1)
    address = seeded.writers.conninfo
    async with await psycopg.AsyncConnection.connect(address) as other:
        await other.execute("lock table document_text in share mode")
        writing = asyncio.create_task(SearchIndex(seeded, runner=JOBS).index([MEMO]))
        waits = await asked(other, f"select pid from {OTHER_BACKENDS} and wait_event_type = 'Lock'")
        with psycopg.connect(address) as killer:  # while it does so, the loop does nothing else
            killer.execute("select pg_terminate_backend(%s, 5000)", [waits])
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
    assert await SearchIndex(seeded, runner=JOBS).index([MEMO]) == set(), "nor does it keep the lock"


async def test_a_search_that_is_given_up_ends_in_postgres(seeded):
    async with await psycopg.AsyncConnection.connect(seeded.writers.conninfo) as other:
        await other.execute("lock table document_text in access exclusive mode")
        searching = asyncio.create_task(found(seeded, "rocket"))
        waits = f"select count(*) from {OTHER_BACKENDS} and wait_event_type = 'Lock'"
        await asked(other, f"select ({waits}) > 0")
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching
        await asked(other, f"select ({waits}) = 0")
    assert await found(seeded, "rocket") == set(), "its connection can be used again"


class Looking:
    """The index of one process that has its own clock, and notes which documents it is given to look at."""

    def __init__(self, store, monkeypatch, **guarded):
        self.seconds, self.looked = 0.0, []
        self.index = SearchIndex(store, lambda: self.seconds, runner=JobRunner(**guarded))
        take = self.index.index

        async def index(document_ids):
            self.looked += document_ids
            return await take(document_ids)

        monkeypatch.setattr(self.index, "index", index)

    async def turn(self, seconds=0.0):
        """Let this time pass, take a turn and return what was looked at."""
        self.seconds += seconds
        self.looked = []
        self.index._woken.set()
        await self.index.turn()
        return sorted(self.looked)


@pytest.fixture
def started(seeded, monkeypatch):
    return lambda **options: Looking(seeded, monkeypatch, **options)


LATE = search_index.REINDEX_SECONDS + 1


def test_a_document_is_looked_at_once_more_after_all_edits_that_the_line_told_of():
    assert search_index.REINDEX_SECONDS * 1000 >= 2 * AUDIT_INTERVAL <= IDLE.total_seconds() * 1000


async def test_only_at_the_first_start_on_a_database_are_all_documents_asked(seeded, started):
    await edit(seeded, "rocket", 1)
    assert await started().turn() == [MEMO]
    first = started()
    assert await first.turn() == []  # it was indexed before; that it was is noted now
    await edit(seeded, "rocket", 1, NOTE)
    assert await first.turn(LATE) == [NOTE]
    await untold(seeded, "moon", MEMO)
    assert await started().turn() == [NOTE], "it goes on from the audit and does not look at others"


async def untold(store, markdown, document):
    """Write an edit that has no line in the audit, as those that an author types within a minute after one."""
    await append(store, [row(document, said(markdown, 7), ADA, NOW)])


async def test_whoever_was_killed_before_it_looked_once_more_looks_again_at_the_start(seeded, started):
    first = started()
    await first.turn()
    await append(seeded, [row(MEMO, said("rocket", 1), ADA, NOW, told=True)])
    assert await first.turn(LATE) == [MEMO]
    await untold(seeded, "moon", MEMO)
    second = started()  # the first one is never heard of again
    assert await second.turn() == [MEMO]
    assert await found(seeded, "moon") == {MEMO}
    assert await second.turn(LATE) == [MEMO]
    assert await started().turn() == []


async def test_edits_without_a_line_are_indexed_though_their_process_died_before_it_said_so(seeded, started):
    other = started()
    await other.turn()
    await append(seeded, [row(MEMO, said("rocket", 1), ADA, NOW, told=True)])
    await other.turn(LATE)
    await untold(seeded, "moon", MEMO)
    assert await found(seeded, "moon") == set()
    assert await other.turn(LATE) == [MEMO]
    assert await found(seeded, "moon") == {MEMO}


async def test_a_document_that_could_not_be_indexed_is_news_again_after_every_start(seeded, started):
    await started().turn()
    await edit(seeded, "rocket", 1)
    async with await psycopg.AsyncConnection.connect(seeded.writers.conninfo, autocommit=True) as other:
        await other.execute(search_index._LOCK)
        first = started()
        for _ in range(3):
            assert await first.turn(LATE) == [MEMO]
        assert await started().turn() == [MEMO]
        await other.execute(search_index._UNLOCK)
    assert await first.turn(LATE) == [MEMO]
    assert await found(seeded, "rocket") == {MEMO}
    assert await started().turn() == []


@pytest.fixture
async def quarantine(seeded, tmp_path):
    """One that leaves MEMO alone until it is released."""
    async with await psycopg.AsyncConnection.connect(seeded.writers.conninfo, autocommit=True) as connection:
        row = "insert into document_quarantine (item_id, strikes, sequence, since) values (%s, %s, 0, now())"
        await connection.execute(row, [MEMO, MAX_STRIKES])
    made = Quarantine(seeded, tmp_path, lambda: NOW)
    await made.turn()
    yield made
    await made.aclose()


async def test_what_was_edited_in_quarantine_is_found_after_the_release(seeded, started, quarantine):
    worker = started(loading=quarantine.loading)
    await worker.turn()
    await edit(seeded, "rocket", 1)
    assert await worker.turn(LATE) == [MEMO]
    assert await worker.turn(LATE) == [MEMO]
    assert await worker.turn(LATE) == [], "it is not tried again and again while it is in quarantine"
    assert await release(seeded, MEMO)
    assert await worker.turn(LATE) == [MEMO], "this process does not know yet that it was released"
    await quarantine.turn()
    assert await worker.turn(LATE) == [MEMO]
    assert await found(seeded, "rocket") == {MEMO}
    assert await worker.turn(LATE) == []


async def test_a_release_while_no_server_runs_is_seen_by_the_next_one(seeded, started, quarantine):
    worker = started(loading=quarantine.loading)
    await worker.turn()
    await edit(seeded, "rocket", 1)
    for _ in range(3):
        await worker.turn(LATE)
    assert await release(seeded, MEMO)
    await quarantine.begin()
    assert await started(loading=quarantine.loading).turn() == [MEMO]
    assert await found(seeded, "rocket") == {MEMO}
