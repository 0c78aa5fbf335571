"""What compacting a document's log does to the database: its rows go, and no answer changes."""

import asyncio
import random
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from pycrdt import XmlElement, XmlFragment, XmlText

from computing.runner import JobRunner
from documents.history.compaction import compact
from documents.markdown.markdown_in import parse
from documents.projection.projection import project
from documents.tree.build import from_tree
from documents.yjs.snapshot import load, state_vector
from domain.account import AccountRenamed
from domain.credit import Credit
from domain.document import DocumentEdited, DocumentLog
from domain.history import IDLE
from domain.item import ItemKind
from domain.questions import DocumentFor, HistoryOf, LogOf, StateOf, VersionsOf
from graphql_api.ports import LockScope
from live.document_reader import DocumentReader
from live.version_reader import VersionReader
from persistence.compaction import CompactionLog
from service.compactor import Compactor
from service.version_scheduler import cut_ended
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, folder, new_id, write
from tests.support.database.updates import Writer, append, row, update_log
from tests.support.documents.jobs import JOBS
from tests.support.documents.logs import written
from tests.support.suite.rounds import ROUNDS, seed

ONE = new_id(20)
AGAIN = NOW + timedelta(days=3)  # no row of the log is young any more
WHO = {"ada": ADA, "ben": BEN, "cleo": ADA}
TAKEN = [(n % 4, ("type", "type", "delete", "format", "sync", "split")[n % 6], n * 37 % 500, 60) for n in range(240)]
LOG = written(TAKEN)
EVERY = 17  # updates to a version
COMPACTING = Path(__file__).with_name("compacting.py")
KILLS = 2 * ROUNDS
SEED = seed()


@pytest.fixture
async def filled(store):
    """A document that was written by three people at once for some hours, and cut into versions."""
    await write(store, *PEOPLE, *FOLDERS, folder(ONE, kind=ItemKind.docs_workbook))
    rows = []
    for place, each in enumerate(LOG):
        by = WHO[each.source.user_id]
        by = Credit(by.user_id, by.name, each.source.agent or by.agent)
        rows.append(row(ONE, each.update, by, NOW + place // EVERY * IDLE + timedelta(seconds=place)))
    await append(store, rows)
    return await cut_all(store)


async def cut_all(store):
    await cut_ended(store, VersionReader(store, runner=JOBS), lambda: AGAIN, ONE)
    return store


def compactor(store, *, rows=10, runner=None, now=AGAIN):
    return Compactor(CompactionLog(store, rows=rows, from_bytes=10**9), runner or JobRunner(), lambda: now)


async def answers(store):
    """All that anybody can be told of the document, apart from how it is kept."""
    head = await store.read(DocumentFor(ADA.user_id, ONE))
    now = await DocumentReader(store, runner=JOBS).read(ONE, head.sequence)
    versions = await store.read(VersionsOf(ONE, 200))
    read = VersionReader(store, runner=JOBS)
    contents = [await read.read(ONE, each.number) for each in versions]
    letters = await read.credits(ONE, head.sequence, ADA.user_id)
    state = await store.read(StateOf(ONE))
    return (
        head,
        (bytes(now.tree), now.markdown),
        versions,
        [(bytes(each.tree), each.markdown) for each in contents],
        await read.attributions(ONE, head.sequence, ADA.user_id),
        (bytes(letters.ranges), letters.authors),
        await store.read(HistoryOf(ONE)),
        state_vector(load(state.snapshot, state.updates)),
    )


async def rows_of(store):
    async def count(connection):
        return await (await connection.execute("select count(*) from document_update")).fetchone()

    return (await store.autocommit(count))[0]


async def test_the_log_goes_and_every_answer_stays(filled):
    before = await answers(filled)
    assert len(before[2]) > 5
    assert await rows_of(filled) == len(LOG)
    await compactor(filled).turn()
    assert await rows_of(filled) == 0
    assert (await filled.read(StateOf(ONE))).snapshot
    assert await answers(filled) == before


class Asked:
    """A reader that counts how often it was asked for a log."""

    def __init__(self, store):
        self.store, self.logs = store, 0

    async def read(self, question):
        self.logs += isinstance(question, LogOf)
        return await self.store.read(question)


async def test_who_wrote_what_is_made_once_for_each_edit_and_never_answered_from_before(filled):
    asked = Asked(filled)
    keeping = VersionReader(asked, runner=JOBS)
    told = []

    async def ask():
        number = (await filled.read(DocumentFor(ADA.user_id, ONE))).sequence
        logs = asked.logs
        told.append(await keeping.attributions(ONE, number, ADA.user_id))
        assert told[-1] == await VersionReader(filled, runner=JOBS).attributions(ONE, number, ADA.user_id)
        return asked.logs > logs

    assert [await ask(), await ask()] == [True, False]
    await cut_all(filled)
    assert not await ask()
    doc = load(None, (each.update for each in LOG))
    updates = []
    doc.observe(lambda event: updates.append(event.update))
    block = doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph"))
    block.children.append(XmlText("one more"))
    await append(filled, [row(ONE, update, BEN, AGAIN) for update in updates])
    assert [await ask(), await ask()] == [True, False]
    assert told[-1] != told[-3]
    assert told[-1][-1].by.user_id == BEN.user_id
    await cut_all(filled)
    await compactor(filled).turn()
    assert (await filled.read(StateOf(ONE))).snapshot
    assert not await ask()
    await filled.transact(LockScope(), lambda at: at.record((AccountRenamed(BEN.user_id, "Benjamin"),), BEN, AGAIN))
    assert not await ask()
    assert told[-1][-1].by.name == "Benjamin"
    small = VersionReader(asked, attribution_bytes=1000, runner=JOBS)
    logs, number = asked.logs, (await filled.read(DocumentFor(ADA.user_id, ONE))).sequence
    for reads in (1, 2):
        assert await small.attributions(ONE, number, ADA.user_id) == told[-1]
        assert asked.logs == logs + reads


async def test_who_wrote_what_is_told_as_of_the_update_that_was_asked_for(filled):
    keeping = VersionReader(filled, runner=JOBS)
    for number in (len(LOG), 10, len(LOG), 20, 10):
        assert await keeping.attributions(ONE, number, ADA.user_id) == await VersionReader(
            filled, runner=JOBS
        ).attributions(ONE, number, ADA.user_id)


async def test_what_is_typed_after_edits_over_the_api_were_compacted_is_in_every_read(store):
    await write(store, *PEOPLE, *FOLDERS, folder(ONE, kind=ItemKind.docs_workbook))
    async with update_log(store) as log:
        typed = Writer(log.append, store)
        await typed([row(ONE, from_tree(parse("before"), 1), ADA, NOW)])
        for number in range(12):
            event = DocumentEdited(ONE, DRIVE, from_tree(parse(f"edit {number}"), 100 + number))
            await store.transact(LockScope(items=(ONE,)), lambda to, event=event: to.record((event,), BEN, NOW))
        await cut_all(store)
        await compactor(store).turn()
        assert await rows_of(store) == 0
        for number in range(5):
            await typed([row(ONE, from_tree(parse(f"paragraph {number}"), 200 + number), ADA, AGAIN)])
    head = await store.read(DocumentFor(ADA.user_id, ONE))
    read = (await DocumentReader(store, runner=JOBS).read(ONE, head.sequence)).markdown
    state = await store.read(StateOf(ONE))
    log = await store.read(LogOf(ONE))
    for content in (
        read,
        *(
            project(load(each.snapshot, made)).markdown
            for each, made in ((state, state.updates), (log, [logged.update for logged in log.log]))
        ),
    ):
        assert [f"paragraph {number}" in content for number in range(5)] == [True] * 5
    assert (head.sequence, len(log.log)) == (18, 5)


async def test_the_log_after_a_number_is_told_with_a_snapshot_only_where_that_holds_later_edits(filled):
    whole = await filled.read(LogOf(ONE))
    assert (whole.sequence, len(whole.log)) == (len(LOG), len(LOG))
    since = await filled.read(LogOf(ONE, after=10))
    assert (since.snapshot, since.log, since.sequence) == (None, whole.log[10:], len(LOG))
    await compactor(filled).turn()
    since = await filled.read(LogOf(ONE, after=10))
    assert (since.snapshot is None, since.credits is None, since.log) == (False, False, ())
    assert await filled.read(LogOf(ONE, after=len(LOG))) == DocumentLog(None, None, (), len(LOG))
    assert await filled.read(LogOf(new_id(99))) is None


async def test_it_goes_on_from_where_it_stopped(filled):
    await compactor(filled).turn()
    doc = load((await filled.read(StateOf(ONE))).snapshot)
    updates = []
    doc.observe(lambda event: updates.append(event.update))
    for number in range(40):
        doc.get("default", type=XmlFragment).children.append(XmlElement(f"p{number}"))
    at = AGAIN - timedelta(hours=1)
    await append(filled, [row(ONE, update, ADA, at) for update in updates[:30]])
    await cut_all(filled)
    later = [row(ONE, update, BEN, AGAIN) for update in updates[30:]]
    await append(filled, later)
    before = await answers(filled)
    await compactor(filled).turn()
    assert await rows_of(filled) == 40, "those of the last hour stay, but are not needed"
    assert len((await filled.read(LogOf(ONE))).log) == 10
    assert await answers(filled) == before


async def test_what_is_not_worth_it_or_too_young_is_left(filled):
    early = NOW + timedelta(hours=20)
    await compactor(filled, rows=len(LOG) + 1, now=early).turn()
    assert await rows_of(filled) == len(LOG)
    log = CompactionLog(filled, rows=10, from_bytes=10**9)
    assert await log.past(ONE, NOW) is None
    assert await log.past(new_id(99), AGAIN) is None
    by_bytes = CompactionLog(filled, rows=10**6, from_bytes=100)
    assert (await by_bytes.past(ONE, early)) == await log.past(ONE, early)


async def test_a_very_long_log_is_compacted_in_parts(filled):
    before = await answers(filled)
    log = CompactionLog(filled, rows=10, from_bytes=10**9, most=3 * EVERY)
    worker, left = Compactor(log, JobRunner(), lambda: AGAIN), [await rows_of(filled)]
    while await worker.compact(ONE):
        left.append(await rows_of(filled))
        assert await answers(filled) == before
        assert left[-1] < left[-2]
    assert len(left) > 3
    assert left[-1] < 10, "fewer are not worth it"


async def test_edits_and_reads_go_on_meanwhile(filled):
    before = await answers(filled)
    root = b"\x01\x01%b\x00\x07\x01\x07default\x03\x01p\x00"

    async def edits():
        for number in range(30):
            client = bytes([200 + number % 50, 9 + number // 50])
            await append(filled, [row(ONE, root % client, BEN, AGAIN)])
            event = DocumentEdited(ONE, DRIVE, root % bytes([200 + number % 50, 77]))
            await filled.transact(LockScope(items=(ONE,)), lambda to, event=event: to.record((event,), BEN, AGAIN))

    async def reads():
        numbers = []
        for _ in range(60):
            head = await filled.read(DocumentFor(ADA.user_id, ONE))
            state = await filled.read(StateOf(ONE, head.sequence))
            assert state.sequence == head.sequence
            load(state.snapshot, state.updates)
            numbers.append(state.sequence)
        assert numbers == sorted(numbers)

    await asyncio.gather(edits(), reads(), compactor(filled).turn())
    after = await answers(filled)
    assert after[0].sequence == len(LOG) + 60
    assert after[2:4] == before[2:4]
    assert await rows_of(filled) == 60


async def test_two_that_compact_at_once_do_it_once(filled):
    before = await answers(filled)
    done = await asyncio.gather(*(compactor(filled).compact(ONE) for _ in range(3)))
    assert sum(done) == 1
    assert await answers(filled) == before


async def test_what_came_too_late_changes_nothing(filled):
    log = CompactionLog(filled, rows=10, from_bytes=10**9)
    past = await log.past(ONE, AGAIN)
    made = compact(past)
    assert await log.keep(ONE, past, made, AGAIN)
    before = await answers(filled)
    assert not await log.keep(ONE, past, made, AGAIN)
    assert not await log.keep(new_id(99), past, made, AGAIN)
    assert await answers(filled) == before


@pytest.mark.parametrize("place", [1, 5])
async def test_a_part_of_which_a_row_is_missing_meanwhile_is_not_replaced(filled, place):
    log = CompactionLog(filled, rows=10, from_bytes=10**9)
    past = await log.past(ONE, AGAIN)
    made = compact(past)
    async with await psycopg.AsyncConnection.connect(filled.writers.conninfo, autocommit=True) as connection:
        await connection.execute("delete from document_update where item_id = %s::uuid and sequence = %s", [ONE, place])
    assert not await log.keep(ONE, past, made, AGAIN)
    assert await rows_of(filled) == len(LOG) - 1
    assert (await filled.read(StateOf(ONE))).snapshot is None


class Hurried(JobRunner):
    """A runner whose jobs have no time."""

    async def run(self, job, *given):
        return await super().run(replace(job, seconds=0.0), *given)


async def test_a_compaction_that_takes_too_long_leaves_the_log_as_it_was(filled):
    before = await answers(filled)
    assert not await compactor(filled, runner=Hurried()).compact(ONE)
    assert await rows_of(filled) == len(LOG)
    assert await answers(filled) == before


async def slain(url, chance):
    """Start somebody who compacts, end them at a moment that nobody chose, and return whether they were done by then."""
    worker = await asyncio.create_subprocess_exec(sys.executable, str(COMPACTING), url, AGAIN.isoformat())
    try:
        async with asyncio.timeout(chance.uniform(0.3, 6)):
            return await worker.wait() == 0
    except TimeoutError:
        worker.kill()
        await worker.wait()
        return False


@pytest.mark.slow
@pytest.mark.parametrize("round_", range(KILLS))
async def test_a_kill_at_any_moment_leaves_the_log_or_what_took_its_place(filled, round_):
    chance = random.Random(f"{SEED} compaction {round_}")
    before = await answers(filled)
    for _ in range(8):
        done = await slain(filled.writers.conninfo, chance)
        left = await rows_of(filled)
        assert left in (0, len(LOG))
        assert await answers(filled) == before
        if done:
            assert left == 0
            return
    await compactor(filled).turn()
    assert await rows_of(filled) == 0
    assert await answers(filled) == before


async def test_a_failure_half_way_leaves_the_log_as_it_was(filled):
    log = CompactionLog(filled, rows=10, from_bytes=10**9)
    past = await log.past(ONE, AGAIN)
    made = compact(past)
    before = await answers(filled)
    wrong = type(made)(made.state, made.credits, (*made.versions, type(made.versions[0])(999, True, b"")))
    assert not await log.keep(ONE, past, wrong, AGAIN)
    assert await answers(filled) == before
    async with await psycopg.AsyncConnection.connect(filled.writers.conninfo, autocommit=True) as connection:
        (kept,) = await (
            await connection.execute("select count(*) from document_version where state is not null")
        ).fetchone()
    assert kept == 0
