"""What a batch of edits writes, all at once, and what happens when others write to the same documents."""

import asyncio
from contextlib import aclosing, suppress
from datetime import timedelta
from functools import partial

import psycopg
import pytest
from seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, A, folder, write
from updates import appended, batch, row
from worlds import Touches, new_id

from domain.document import DocumentEdited
from domain.errors import Unavailable
from domain.item import ItemKind
from domain.questions import DocumentFor, EventPlace, NewsOf, StateOf
from domain.trash import ItemDeleted
from persistence.update_log import UpdateLog

ONE, OTHER = new_id(20), new_id(21)
LATER = NOW + timedelta(seconds=3)


wrote = partial(row, by=ADA, at=NOW)


@pytest.fixture
async def log(store):
    documents = (folder(ONE, kind=ItemKind.docs_workbook), folder(OTHER, A, kind=ItemKind.docs_workbook))
    await write(store, *PEOPLE, *FOLDERS, *documents)
    async with aclosing(UpdateLog(store.writers)) as made:
        yield made


async def test_updates_of_several_documents_are_numbered_each_for_itself(store, log):
    assert await appended(log.append, [wrote(ONE, b"a"), wrote(OTHER, b"x"), wrote(ONE, b"b")]) == {ONE: 2, OTHER: 1}
    assert await appended(log.append, [wrote(ONE, b"c")]) == {ONE: 3}
    assert await store.read(StateOf(ONE)) == (await store.read(StateOf(ONE, 3)))
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"b", b"c")
    assert (await store.read(StateOf(OTHER))).updates == (b"x",)


async def test_the_authors_and_the_last_change_are_those_of_the_rows(store, log):
    await appended(log.append, [wrote(ONE, b"a"), wrote(ONE, b"b", by=BEN, at=LATER)])
    head = await store.read(DocumentFor(ADA.user_id, ONE))
    assert [(author.user_id, author.agent, author.edited_at) for author in head.authors] == [
        (BEN.user_id, BEN.agent, LATER),
        (ADA.user_id, None, NOW),
    ]
    assert (head.facts.item.updated_by, head.facts.item.updated_at) == (BEN, LATER)


async def test_only_authors_who_are_told_have_a_line_in_the_audit(store, log):
    place = await store.read(EventPlace())
    gone = wrote(new_id(99), b"d", told=True)
    await appended(log.append, [wrote(ONE, b"a", told=True), wrote(ONE, b"b"), wrote(OTHER, b"c"), gone])
    await appended(log.append, [gone, wrote(OTHER, b"e")])
    news = await store.read(NewsOf(DRIVE, place, 10))
    assert [(line.type, line.item_id, line.user_id, line.details) for line in news.events] == [
        ("documentEdited", ONE, ADA.user_id, {"itemId": ONE, "driveId": DRIVE})
    ]


@pytest.mark.usefixtures("log")
async def test_whoever_wants_to_know_is_told_of_each_document_that_was_edited(store):
    heard = []
    async with aclosing(UpdateLog(store.writers, lambda documents: heard.append(set(documents)))) as watched:
        assert await appended(watched.append, [wrote(ONE, b"a"), wrote(new_id(99), b"x")]) == {ONE: 1}
        assert heard == [{ONE}]


async def test_a_document_that_is_gone_keeps_nothing_from_the_others(store, log):
    assert await appended(log.append, [wrote(new_id(99), b"a"), wrote(ONE, b"b")]) == {ONE: 1}
    assert (await store.read(StateOf(ONE))).updates == (b"b",)


async def test_a_document_that_goes_after_it_was_written_to_keeps_nothing_from_the_others_either(store, log):
    assert await appended(log.append, [wrote(OTHER, b"x"), wrote(ONE, b"a")]) == {OTHER: 1, ONE: 1}
    await write(store, ItemDeleted(OTHER, DRIVE, "Other"))
    assert await appended(log.append, [wrote(OTHER, b"y"), wrote(ONE, b"b")]) == {ONE: 2}
    assert await appended(log.append, [wrote(OTHER, b"z")]) == {}
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"b")


async def test_numbers_go_on_from_what_somebody_else_appended(store, log):
    assert await appended(log.append, [wrote(ONE, b"a"), wrote(OTHER, b"x")]) == {ONE: 1, OTHER: 1}
    event = DocumentEdited(ONE, DRIVE, b"imported")
    await store.transact(Touches(items=(ONE,)), lambda to: to.record((event,), BEN, NOW))
    assert await appended(log.append, [wrote(ONE, b"b"), wrote(OTHER, b"y")]) == {ONE: 3, OTHER: 2}
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"imported", b"b")


async def test_numbers_have_no_gaps_while_an_import_writes_to_the_same_document(store, log):
    async def live():
        for number in range(40):
            written = await appended(log.append, [wrote(ONE, b"live %d" % number)])
            assert (await store.read(StateOf(ONE))).sequence >= written[ONE]  # who never rests keeps imports out

    async def imports():
        for number in range(10):
            event = DocumentEdited(ONE, DRIVE, b"import %d" % number)
            imported = False
            while not imported:
                with suppress(Unavailable):  # whoever types was ahead each time; a server holds them back meanwhile
                    await store.transact(Touches(items=(ONE,)), lambda to, event=event: to.record((event,), BEN, NOW))
                    imported = True

    await asyncio.gather(live(), imports())
    state = await store.read(StateOf(ONE))
    assert state.sequence == len(state.updates) == 50
    assert [update for update in state.updates if update.startswith(b"live")] == [b"live %d" % n for n in range(40)]


async def asked(connection, question):
    """The first thing that the database answers, in good time."""
    async with asyncio.timeout(60):
        while True:
            found = await (await connection.execute(question)).fetchone()
            if found and found[0]:
                return found[0]
            await asyncio.sleep(0)


async def test_a_database_lost_while_it_commits_is_told_and_the_next_batch_goes_through(store, log):
    await appended(log.append, [wrote(ONE, b"a")])
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo) as holder:
        await holder.execute("lock table document_update in exclusive mode")
        writing = asyncio.create_task(appended(log.append, [wrote(ONE, b"b")]))
        writer = await asked(holder, "select pid from pg_stat_activity where wait_event_type = 'Lock'")
        await holder.execute("select pg_terminate_backend(%s)", [writer])
        with pytest.raises(Unavailable):
            await writing
    assert await appended(log.append, [wrote(ONE, b"c")]) == {ONE: 2}


async def test_a_connection_lost_while_nothing_is_written_is_replaced_unnoticed(store, log):
    await appended(log.append, [wrote(ONE, b"a")])
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as killer:
        await killer.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
        async with asyncio.timeout(60):
            while not log._line.lost:
                await killer.execute("select 1")
    await store.writers.check()
    assert await appended(log.append, [wrote(ONE, b"b")]) == {ONE: 2}


async def test_a_batch_of_documents_that_are_known_takes_no_task(log):
    await appended(log.append, [wrote(ONE, b"a")])
    tasks, told = asyncio.all_tasks(), asyncio.get_running_loop().create_future()
    log.append(batch([wrote(ONE, b"b")]), told.set_result)
    assert asyncio.all_tasks() == tasks
    assert await told == {ONE: 2}


async def test_a_batch_can_be_sent_by_whoever_is_told_of_the_last_one(store, log):
    last = asyncio.get_running_loop().create_future()
    one, two, three = (batch([wrote(ONE, update)]) for update in (b"a", b"b", b"c"))
    log.append(one, lambda _: log.append(two, lambda _: log.append(three, last.set_result)))
    assert await last == {ONE: 3}
    assert (await store.read(StateOf(ONE))).updates == (b"a", b"b", b"c")


async def test_a_batch_of_many_megabytes_is_written(store, log):
    update = bytes(1024 * 1024)
    assert await appended(log.append, [wrote(ONE, update)] * 12) == {ONE: 12}
    assert (await store.read(StateOf(ONE))).updates == (update,) * 12
