"""What a batch of edits writes, all at once, and what happens when others write to the same documents."""

import asyncio
from datetime import timedelta
from functools import partial

import psycopg
import pytest

from domain.document import DocumentEdited, DocumentState
from domain.errors import Unavailable
from domain.item import ItemKind
from domain.questions import DocumentFor, EventsOf, EventsSince, FeedPositionAfter, LogOf, StateOf
from domain.trash import ItemDeleted
from graphql_api.ports import LockScope
from persistence.commit_feed import CommitFeed
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, A, folder, new_id, write
from tests.support.database.clusters import OTHER_BACKENDS, asked
from tests.support.database.updates import Writer, appended, batch, row, update_log
from tests.support.processes.servers import PATIENCE

ONE, OTHER = new_id(20), new_id(21)
LATER = NOW + timedelta(seconds=3)


wrote = partial(row, by=ADA, at=NOW)


@pytest.fixture
async def log(store):
    documents = (folder(ONE, kind=ItemKind.docs_workbook), folder(OTHER, A, kind=ItemKind.docs_workbook))
    await write(store, *PEOPLE, *FOLDERS, *documents)
    async with update_log(store) as made:
        yield made


@pytest.fixture
def write_live(store, log):
    return Writer(log.append, store)


async def imported(store, update):
    event = DocumentEdited(ONE, DRIVE, update)
    await store.transact(LockScope(items=(ONE,), documents=(ONE,)), lambda to: to.record((event,), BEN, NOW))


async def test_updates_of_several_documents_are_numbered_each_for_itself(store, write_live):
    assert await write_live([wrote(ONE, b"a"), wrote(OTHER, b"x"), wrote(ONE, b"b")]) == {ONE: 2, OTHER: 1}
    assert await write_live([wrote(ONE, b"c")]) == {ONE: 3}
    assert await store.read(StateOf(ONE)) == (await store.read(StateOf(ONE, 3)))
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"b", b"c")
    assert (await store.read(StateOf(OTHER))).updates == (b"x",)


async def test_the_authors_and_the_last_change_are_those_of_the_rows(store, write_live):
    await write_live([wrote(ONE, b"a"), wrote(ONE, b"b", by=BEN, at=LATER)])
    head = await store.read(DocumentFor(ADA.user_id, ONE))
    assert [(author.user_id, author.agent, author.edited_at) for author in head.authors] == [
        (BEN.user_id, BEN.agent, LATER),
        (ADA.user_id, None, NOW),
    ]
    assert (head.facts.item.updated_by, head.facts.item.updated_at) == (BEN, LATER)


async def test_only_authors_who_are_told_have_a_line_in_the_audit(store, write_live):
    place = await store.read(FeedPositionAfter())
    gone = wrote(new_id(99), b"d", told=True)
    await write_live([wrote(ONE, b"a", told=True), wrote(ONE, b"b"), wrote(OTHER, b"c"), gone])
    await write_live([gone, wrote(OTHER, b"e")])
    news = await store.read(EventsSince(DRIVE, place, 10))
    assert [(line.type, line.item_id, line.user_id, line.details) for line in news.events] == [
        ("documentEdited", ONE, ADA.user_id, {"itemId": ONE, "driveId": DRIVE})
    ]


@pytest.mark.usefixtures("log")
async def test_whoever_wants_to_know_is_told_of_each_document_that_was_edited(store):
    heard, feed = [], CommitFeed()
    feed.subscribe(lambda commit: heard.append({*commit.documents}))
    async with update_log(store, feed) as watched:
        assert await appended(watched.append, [wrote(ONE, b"a"), wrote(new_id(99), b"x")]) == {ONE: 1}
        assert await appended(watched.append, [wrote(ONE, b"b")]) == {}
        assert heard == [{ONE}]


async def test_a_document_that_is_gone_keeps_nothing_from_the_others(store, write_live):
    assert await write_live([wrote(new_id(99), b"a"), wrote(ONE, b"b")]) == {ONE: 1}
    assert (await store.read(StateOf(ONE))).updates == (b"b",)


async def test_a_document_that_goes_after_it_was_written_to_keeps_nothing_from_the_others_either(store, write_live):
    assert await write_live([wrote(OTHER, b"x"), wrote(ONE, b"a")]) == {OTHER: 1, ONE: 1}
    await write(store, ItemDeleted(OTHER, DRIVE, "Other"))
    assert await write_live([wrote(OTHER, b"y"), wrote(ONE, b"b")]) == {ONE: 2}
    assert await write_live([wrote(OTHER, b"z")]) == {}
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"b")


async def test_a_document_to_which_somebody_else_appended_is_refused_alone(store, log):
    first = await appended(log.append, [wrote(ONE, b"a"), wrote(OTHER, b"x")])
    assert first == {ONE: 1, OTHER: 1}
    await imported(store, b"imported")
    assert await appended(log.append, [wrote(ONE, b"b", told=True), wrote(OTHER, b"y")], first) == {OTHER: 2}
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"imported")
    assert (await store.read(EventsOf(DRIVE, 1)))[0].user_id == BEN.user_id
    assert await appended(log.append, [wrote(ONE, b"b")], {ONE: 2}) == {ONE: 3}
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"imported", b"b")


async def test_a_number_that_is_ahead_of_the_log_is_refused(store, log):
    assert await appended(log.append, [wrote(ONE, b"a")], {ONE: 1}) == {}
    assert await store.read(StateOf(ONE)) == DocumentState(None, (), 0)


async def test_a_document_that_somebody_edits_under_its_lock_is_refused_alone(store, log):
    async def editing(to):
        await to.record((DocumentEdited(ONE, DRIVE, b"edited"),), BEN, NOW)
        assert await appended(log.append, [wrote(ONE, b"a"), wrote(OTHER, b"x")]) == {OTHER: 1}

    await store.transact(LockScope(items=(ONE,), documents=(ONE,)), editing)
    assert (await store.read(StateOf(ONE))).updates == (b"edited",)


async def test_an_edit_over_the_api_waits_for_what_is_being_appended(store, log, write_live):
    await write_live([wrote(ONE, b"a")])
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo) as holder:
        await holder.execute("select from item where id = %s for update", [ONE])
        writing = asyncio.create_task(appended(log.append, [wrote(ONE, b"b")], {ONE: 1}))
        await asked(holder, f"select true from {OTHER_BACKENDS} and wait_event_type = 'Lock'")
        editing = asyncio.create_task(imported(store, b"edited"))
        await asked(holder, f"select true from {OTHER_BACKENDS} and wait_event = 'advisory'")
        await holder.rollback()
        assert await writing == {ONE: 2}
        await editing
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"b", b"edited")


async def test_numbers_have_no_gaps_and_no_edit_fails_while_two_type_and_one_edits_over_the_api(store, log):
    async def live(append, who):
        write_live = Writer(append, store)
        while edits:
            typed.append(b"%s %d" % (who, len(typed)))
            written = await write_live([wrote(ONE, typed[-1])])
            assert (await store.read(StateOf(ONE))).sequence >= written[ONE]

    async def api():
        while edits:
            await imported(store, edits[-1])
            edits.pop()

    edits, typed = [b"edit %d" % number for number in range(40)], []
    expected = {*edits}
    async with update_log(store) as other:
        await asyncio.gather(live(log.append, b"here"), live(other.append, b"there"), api())
    state = await store.read(StateOf(ONE))
    assert state.sequence == len(state.updates) == 40 + len(typed)
    assert {*state.updates} == expected | {*typed}
    assert (await store.read(LogOf(ONE))).sequence == state.sequence


async def test_a_database_lost_while_it_commits_is_told_and_the_next_batch_goes_through(store, write_live):
    await write_live([wrote(ONE, b"a")])
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo) as holder:
        await holder.execute("lock table document_update in exclusive mode")
        writing = asyncio.create_task(write_live([wrote(ONE, b"b")]))
        writer = await asked(holder, f"select pid from {OTHER_BACKENDS} and wait_event_type = 'Lock'")
        await holder.execute("select pg_terminate_backend(%s)", [writer])
        with pytest.raises(Unavailable):
            await writing
    assert await write_live([wrote(ONE, b"c")]) == {ONE: 2}


async def test_a_connection_lost_while_nothing_is_written_is_replaced_unnoticed(store, log, write_live):
    await write_live([wrote(ONE, b"a")])
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as killer:
        await killer.execute(f"select pg_terminate_backend(pid) from {OTHER_BACKENDS}")
        async with asyncio.timeout(PATIENCE):
            while not log._log_connection.lost:
                await killer.execute("select 1")
    await store.writers.check()
    assert await write_live([wrote(ONE, b"b")]) == {ONE: 2}


async def test_a_batch_takes_no_task(log):
    await appended(log.append, [wrote(ONE, b"a")])
    tasks, told = asyncio.all_tasks(), asyncio.get_running_loop().create_future()
    log.append(batch([wrote(ONE, b"b")], {ONE: 1}), told.set_result)
    assert asyncio.all_tasks() == tasks
    assert await told == {ONE: 2}


async def test_a_batch_can_be_sent_by_whoever_is_told_of_the_last_one(store, log):
    last = asyncio.get_running_loop().create_future()
    one, two, three = (batch([wrote(ONE, update)], {ONE: n}) for n, update in enumerate((b"a", b"b", b"c")))
    log.append(one, lambda _: log.append(two, lambda _: log.append(three, last.set_result)))
    assert await last == {ONE: 3}
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"b", b"c")


async def test_a_batch_of_many_megabytes_is_written(store, write_live):
    update = bytes(1024 * 1024)
    assert await write_live([wrote(ONE, update)] * 12) == {ONE: 12}
    assert (await store.read(StateOf(ONE))).updates == (update,) * 12
