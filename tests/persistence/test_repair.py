"""What `codrive-server repair` makes of the logs that servers left which remembered numbers: nothing of them is lost."""

from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from computing.runner import JobRunner
from documents.admission.surrogate_pairs import SurrogatePairs
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.document import DocumentEdited
from domain.item import ItemKind
from domain.questions import DocumentFor, EventsSince, FeedPositionAfter, LogOf, VersionsOf
from graphql_api.ports import LockScope
from live.document_reader import DocumentReader
from live.version_reader import VersionReader
from persistence.compaction import CompactionLog
from persistence.cut_pairs import mend_cut_pairs
from persistence.repair import documents_with_unread_updates, repair
from service.compactor import Compactor
from service.version_scheduler import cut_ended
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, folder, new_id, write
from tests.support.database.updates import Writer, append, row, update_log
from tests.support.documents.halves import BEGUN, CUTS, KEEPS
from tests.support.documents.jobs import JOBS

ONE, OTHER = new_id(20), new_id(21)
LATER, LATEST = NOW + timedelta(days=3), NOW + timedelta(days=6)  # no row is young when it is compacted
# The statement of those servers, for one author and one document.
OLD_APPEND = """
with written as (
    insert into document_update (item_id, sequence, user_id, agent, at, update) values (%s, %s, %s, %s, %s, %s)
    returning item_id, user_id, coalesce(agent, '') as agent, at)
insert into document_author (item_id, user_id, agent, edited_at) select * from written
on conflict (item_id, user_id, agent) do update set edited_at = greatest(document_author.edited_at, excluded.edited_at)"""
NUMBERED = """
update item set sequence = greatest(sequence, (select max(sequence) from document_update where item_id = item.id))"""


def paragraph(number):
    return from_tree(parse(f"paragraph {number}"), 500 + number)


async def compacted(store, document):
    await cut_ended(store, VersionReader(store, runner=JOBS), lambda: LATER, document)
    log = CompactionLog(store, rows=1, from_bytes=1)
    assert await Compactor(log, JobRunner(), lambda: LATEST).compact(document)


async def broken(store, document, edits):
    """Ada typed once; then came edits over the API, and a compaction; then Ben typed, and his number went on from Ada's."""
    await append(store, [row(document, from_tree(parse("before"), 1), ADA, NOW)])
    for number in range(edits):
        event = DocumentEdited(document, DRIVE, from_tree(parse(f"edit {number}"), 100 + number))
        await store.transact(LockScope(items=(document,)), lambda to, event=event: to.record((event,), ADA, NOW))
    await compacted(store, document)
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as connection:
        for number in range(5):
            values = [
                document,
                2 + number,
                BEN.user_id,
                BEN.agent,
                LATER + timedelta(seconds=number),
                paragraph(number),
            ]
            await connection.execute(OLD_APPEND, values)
        await connection.execute(NUMBERED)


@pytest.fixture
async def runner():
    async with aclosing(JobRunner()) as made:
        yield made


@pytest.fixture
async def world(store):
    documents = (folder(ONE, kind=ItemKind.docs_workbook), folder(OTHER, kind=ItemKind.docs_workbook))
    await write(store, *PEOPLE, *FOLDERS, *documents)
    await append(store, [row(OTHER, from_tree(parse("other"), 1), ADA, NOW)])
    await compacted(store, OTHER)
    await append(store, [row(OTHER, paragraph(9), ADA, LATER)])
    return store


async def paragraphs(store):
    head = await store.read(DocumentFor(ADA.user_id, ONE))
    read = await DocumentReader(store, runner=JOBS).read(ONE, head.sequence)
    return [number for number in range(9) if f"paragraph {number}" in read.markdown]


@pytest.mark.parametrize(("edits", "found"), [(1, [1, 2, 3, 4]), (4, [4]), (12, [])])
async def test_what_no_read_has_is_appended_again_with_its_authors_and_times(world, edits, found):
    await broken(world, ONE, edits)
    assert await paragraphs(world) == found
    assert await documents_with_unread_updates(world) == 1
    versions, log, place = (
        await world.read(VersionsOf(ONE, 9)),
        await world.read(LogOf(ONE)),
        await world.read(FeedPositionAfter()),
    )
    other = await world.read(LogOf(OTHER))
    lost = 5 - len(found)
    assert await repair(world) == {ONE: lost}
    assert await paragraphs(world) == [0, 1, 2, 3, 4]
    again = await world.read(LogOf(ONE))
    assert again.snapshot == log.snapshot
    assert again.log[: len(log.log)] == log.log
    assert [(each.update, each.user_id, each.agent, each.at) for each in again.log[len(log.log) :]] == [
        (paragraph(number), BEN.user_id, BEN.agent, LATER + timedelta(seconds=number)) for number in range(lost)
    ]
    assert again.sequence == log.sequence + lost
    assert await world.read(VersionsOf(ONE, 9)) == versions
    assert await world.read(LogOf(OTHER)) == other
    news = await world.read(EventsSince(DRIVE, place, 9))
    assert [(line.type, line.item_id, line.user_id, line.agent) for line in news.events] == [
        ("documentEdited", ONE, BEN.user_id, BEN.agent)
    ]


async def test_to_repair_again_changes_nothing(world):
    assert (await documents_with_unread_updates(world), await repair(world)) == (0, {})
    await broken(world, ONE, 12)
    await repair(world)
    log = await world.read(LogOf(ONE))
    assert (await documents_with_unread_updates(world), await repair(world)) == (0, {})
    assert await world.read(LogOf(ONE)) == log


async def test_a_document_in_which_a_pair_was_cut_reads_afterwards_as_editors_have_it(world, runner):
    assert await mend_cut_pairs(world, runner) == []
    cut = CUTS["text between the halves"]
    await append(world, [row(ONE, BEGUN, ADA, NOW), row(ONE, cut, BEN, NOW)])
    await append(world, [row(OTHER, KEEPS["a pair beside the pair"], ADA, LATER)])
    log, other = await world.read(LogOf(ONE)), await world.read(LogOf(OTHER))
    assert await mend_cut_pairs(world, runner) == [ONE]
    head = await world.read(DocumentFor(ADA.user_id, ONE))
    assert (await DocumentReader(world, runner=JOBS).read(ONE, head.sequence)).markdown == "a\ufffdx\ufffdb\n"
    again = await world.read(LogOf(ONE))
    assert [replace(each, update=b"") for each in again.log] == [replace(each, update=b"") for each in log.log]
    assert await world.read(LogOf(OTHER)) == other
    assert await mend_cut_pairs(world, runner) == []
    await compacted(world, ONE)
    assert (await DocumentReader(world, runner=JOBS).read(ONE, head.sequence)).markdown == "a\ufffdx\ufffdb\n"


@pytest.mark.parametrize("case", CUTS)
async def test_the_snapshot_and_the_versions_of_a_document_are_mended_with_its_log(world, runner, case):
    await append(world, [row(ONE, BEGUN, ADA, NOW)])
    await compacted(world, ONE)
    await append(world, [row(ONE, CUTS[case], BEN, LATER)])
    assert await mend_cut_pairs(world, runner) == [ONE]
    stored = await world.read(LogOf(ONE))
    assert SurrogatePairs.of([stored.snapshot, *(each.update for each in stored.log)]).cut == frozenset()
    assert await mend_cut_pairs(world, runner) == []


async def test_whoever_has_the_document_open_goes_on_after_a_repair_and_it_can_be_compacted(world):
    await broken(world, ONE, 12)
    async with update_log(world) as log:
        typed = Writer(log.append, world)
        await typed([row(ONE, paragraph(7), ADA, LATER)])
        await repair(world)
        await typed([row(ONE, paragraph(8), ADA, LATER)])
    assert await paragraphs(world) == [0, 1, 2, 3, 4, 7, 8]
    await compacted(world, ONE)
    assert await paragraphs(world) == [0, 1, 2, 3, 4, 7, 8]
