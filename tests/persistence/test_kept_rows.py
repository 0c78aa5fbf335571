"""What stays of a log that is compacted: the rows of a day beside the snapshot, and each version once."""

from datetime import timedelta

import psycopg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from domain.questions import LogOf, RevisionOf, StateOf, VersionsOf, VersionStateOf
from persistence import compaction
from persistence.compaction import IDLE_ROWS, KEPT, CompactionLog
from persistence.repair import documents_with_unread_updates, repair
from persistence.versions import REST
from service.compactor import Compactor
from tests.persistence.kept_rows import (
    DAY,
    DOCUMENTS,
    LOG,
    ONE,
    OTHER,
    a_day_and_a_half,
    compactor,
    end_version,
    said,
    typed,
)
from tests.persistence.seeds import FOLDERS, NOW, PEOPLE, write
from tests.support.suite.rounds import examples


async def count(store, what="document_update", where="true"):
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo) as connection:
        return (await (await connection.execute(f"select count(*) from {what} where {where}")).fetchone())[0]


async def revisions(store, log):
    """The numbers at which the document can be read as it was, each held against a replay of the log."""
    found = []
    for number in range(len(log) + 1):
        revision = await store.read(RevisionOf(ONE, number))
        if revision is not None:
            assert revision.sequence == number
            assert said(revision.snapshot, revision.updates) == said(None, log[:number])
            found.append(number)
    return found


async def test_rows_of_the_last_day_stay_beside_the_snapshot_that_is_read_instead(seeded):
    await a_day_and_a_half(seeded)
    await compactor(seeded, NOW + 2 * DAY).turn()
    read = await seeded.read(LogOf(ONE))
    assert read.snapshot
    assert [each.update for each in read.log] == LOG[50:52]
    assert await count(seeded) == 32, "back to the end of the version before the first row of that day"
    assert await revisions(seeded, LOG[:52]) == [*range(20, 53)]
    state = await seeded.read(StateOf(ONE, 10))
    assert state.sequence == 50, "what is gone is answered with the snapshot"
    assert said(state.snapshot, state.updates) == said(None, LOG[:50])


async def test_rows_go_when_they_are_a_day_old_with_no_version_to_say_so(seeded):
    await a_day_and_a_half(seeded)
    await compactor(seeded, NOW + 2 * DAY).turn()
    worker = compactor(seeded, NOW + 3 * DAY)
    await worker.turn()
    assert await count(seeded) == 32, "it is not due yet"
    await end_version(seeded, 52, NOW + 2 * DAY)
    await compactor(seeded, NOW + 2 * DAY + REST).turn()
    late = NOW + 3 * DAY + 3 * REST
    await compactor(seeded, late).turn()
    assert await count(seeded) == 0
    assert await revisions(seeded, LOG[:52]) == [52]
    assert await count(seeded, "compaction_due") == 0
    assert await count(seeded, "document_snapshot", "rows_from is not null") == 0


async def test_they_go_in_parts_of_a_bounded_size(seeded, monkeypatch):
    await a_day_and_a_half(seeded)
    await compactor(seeded, NOW + 2 * DAY).turn()
    monkeypatch.setattr(compaction, "MAX_DELETED", 7)
    log, left = CompactionLog(seeded, rows=1, from_bytes=10**9), [await count(seeded)]
    while await log.delete_kept(ONE, NOW + 3 * DAY - timedelta(hours=5)):
        left.append(await count(seeded))
        assert left[-2] - left[-1] == 7
        assert await revisions(seeded, LOG[:52]) == [*range(40, 53)]
    assert left == [32, 25, 18]
    assert await count(seeded) == 12
    assert await revisions(seeded, LOG[:52]) == [*range(40, 53)]


async def test_whoever_follows_the_log_is_given_rows_and_not_the_snapshot_that_stands_for_them(seeded):
    await a_day_and_a_half(seeded)
    await compactor(seeded, NOW + 2 * DAY).turn()
    since = await seeded.read(LogOf(ONE, after=30))
    assert (since.snapshot, [each.update for each in since.log], since.sequence) == (None, LOG[30:52], 52)
    since = await seeded.read(StateOf(ONE, 45, after=30))
    assert (since.snapshot, since.updates, since.sequence) == (None, tuple(LOG[30:45]), 45)
    assert (await seeded.read(LogOf(ONE, after=10))).snapshot
    assert (await seeded.read(StateOf(ONE, after=10))).snapshot


async def test_a_repair_leaves_rows_alone_that_are_kept_on_purpose(seeded):
    await a_day_and_a_half(seeded)
    await compactor(seeded, NOW + 2 * DAY).turn()
    assert (await documents_with_unread_updates(seeded), await repair(seeded)) == (0, {})
    async with await psycopg.AsyncConnection.connect(seeded.writers.conninfo) as connection:
        lost = "select item_id, 7, user_id, agent, at, update from document_update where sequence = 52"
        await connection.execute(f"insert into document_update {lost}")
    assert await documents_with_unread_updates(seeded) == 1
    await compactor(seeded, NOW + 3 * DAY).compact(ONE)
    assert await documents_with_unread_updates(seeded) == 1, "a compaction deletes nothing that no read has"
    assert await repair(seeded) == {ONE: 1}
    assert await count(seeded, where="sequence = 53") == 1


chances = st.lists(
    st.one_of(
        st.tuples(st.just("type"), st.integers(1, 9)),
        st.tuples(st.just("wait"), st.integers(1, 30)),
        st.tuples(st.just("cut"), st.just(0)),
        st.tuples(st.just("compact"), st.integers(1, 20)),
    ),
    min_size=4,
    max_size=25,
)


@given(chances)
@settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_whenever_it_is_compacted_every_revision_of_the_last_day_is_what_a_replay_says(store, emptied, steps):
    await emptied()
    await write(store, *PEOPLE, *FOLDERS, *DOCUMENTS)
    now, ats, ended = NOW, [], 0
    for step, number in [*steps, ("cut", 0), ("wait", 1), ("compact", 50)]:
        if step == "type":
            more = LOG[len(ats) : len(ats) + number]
            if more:
                await typed(store, more, now)
            ats += [now] * len(more)
        elif step == "wait":
            now += timedelta(hours=number)
        elif step == "cut" and ended < len(ats):
            ended = len(ats)
            await end_version(store, ended, ats[-1])
        elif step == "compact":
            await compactor(store, now, most=number).turn()
            log = LOG[: len(ats)]
            found = await revisions(store, log)
            young = [place for place, at in enumerate(ats) if at >= now - KEPT]
            assert {*found} >= {*young, len(ats)}
            for known in range(len(ats) + 1):
                since = await store.read(StateOf(ONE, after=known))
                came = [*([since.snapshot] if since.snapshot else []), *since.updates]
                assert said(None, [*log[:known], *came]) == said(None, log)
    for version in await store.read(VersionsOf(ONE, 99)):
        state = await store.read(VersionStateOf(ONE, version.number))
        assert said(state.snapshot, state.updates) == said(None, LOG[: version.sequence])


async def test_a_document_that_nobody_edited_for_a_day_is_compacted_from_a_few_rows_on(seeded):
    for document, rows in ((ONE, IDLE_ROWS), (OTHER, IDLE_ROWS - 1)):
        await typed(seeded, LOG[:rows], NOW, document)
        await end_version(seeded, rows, NOW, document)
    await compactor(seeded, NOW + timedelta(hours=1), rows=500).turn()
    assert await count(seeded, "document_snapshot") == 0
    await compactor(seeded, NOW + DAY + 2 * REST, rows=500).turn()
    assert await count(seeded, where=f"item_id = '{ONE}'") == 0
    assert await count(seeded, where=f"item_id = '{OTHER}'") == IDLE_ROWS - 1
    assert await count(seeded, "compaction_due") == 0
    await typed(seeded, LOG[IDLE_ROWS - 1 : IDLE_ROWS], NOW + 2 * DAY, OTHER)
    await end_version(seeded, IDLE_ROWS, NOW + 2 * DAY, OTHER)
    await compactor(seeded, NOW + 3 * DAY, rows=500).turn()
    assert await count(seeded, where=f"item_id = '{OTHER}'") == IDLE_ROWS, "its last edit was not a day ago"
    await compactor(seeded, NOW + 3 * DAY + 2 * REST, rows=500).turn()
    assert await count(seeded) == 0


async def test_a_version_that_ends_while_a_document_is_looked_at_has_it_looked_at_again(seeded):
    await typed(seeded, LOG[:10], NOW)
    await end_version(seeded, 10, NOW)
    log = CompactionLog(seeded, rows=500, from_bytes=10**9)
    late = NOW + 2 * DAY
    ((document, sequence),) = await log.due(late)
    await typed(seeded, LOG[10:30], NOW)
    await end_version(seeded, 30, NOW)
    await log.looked_at(document, sequence, late, late - REST)
    assert await log.due(late) == [(ONE, 30)]


class Broken:
    async def compact(self, past):
        raise RuntimeError(f"{past.sequence} is too much")


async def test_a_document_that_cannot_be_compacted_is_left_alone_for_a_while(seeded):
    await typed(seeded, LOG[:30], NOW)
    await end_version(seeded, 30, NOW)
    late = NOW + 2 * DAY
    log = CompactionLog(seeded, rows=500, from_bytes=10**9)
    await Compactor(log, Broken(), lambda: late).turn()
    assert await log.due(late) == []
    await compactor(seeded, late + timedelta(hours=1)).turn()
    assert await count(seeded) == 0


def keystrokes(letters):
    """A small document as somebody types it, letter by letter."""
    made, doc = [], Doc(client_id=5)
    doc.observe(lambda event: made.append(event.update))
    text = XmlText()
    block = doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph"))
    block.children.append(text)
    for letter in letters:
        text.insert(len(str(text)), letter)
    return made


async def bytes_kept(store):
    """What is kept of the document, in bytes of values: of the log, of the snapshot and of the versions."""
    question = """
        select (select coalesce(sum(pg_column_size(n.*)), 0) from document_update n),
            (select coalesce(sum(pg_column_size(s.state) + pg_column_size(s.credits)), 0) from document_snapshot s),
            (select coalesce(sum(pg_column_size(v.state)), 0) from document_version v)"""
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo) as connection:
        return await (await connection.execute(question)).fetchone()


async def test_a_small_document_takes_about_as_many_bytes_as_letters_once_nobody_edited_it_for_a_day(seeded):
    letters = "a plan for the next moon landing, in a few words. " * 5
    log = keystrokes(letters)
    await typed(seeded, log, NOW)
    await end_version(seeded, len(log), NOW)
    rows, *_ = await bytes_kept(seeded)
    assert rows > 80 * len(letters)
    await compactor(seeded, NOW + 2 * DAY, rows=500).turn()
    rows, snapshot, versions = await bytes_kept(seeded)
    assert (rows, versions) == (0, 0), "the first version is the snapshot"
    assert snapshot < 2 * len(letters)
    (version,) = await seeded.read(VersionsOf(ONE, 9))
    state = await seeded.read(VersionStateOf(ONE, version.number))
    assert said(state.snapshot, state.updates) == said(None, log)


async def test_the_first_version_is_kept_by_itself_when_the_snapshot_goes_on(seeded):
    for end, day in ((20, 0), (40, 2), (60, 4)):
        await typed(seeded, LOG[end - 20 : end], NOW + day * DAY)
        await end_version(seeded, end, NOW + day * DAY)
        await compactor(seeded, NOW + (day + 1) * DAY + 2 * REST).turn()
        for version in await seeded.read(VersionsOf(ONE, 9)):
            state = await seeded.read(VersionStateOf(ONE, version.number))
            assert said(state.snapshot, state.updates) == said(None, LOG[: version.sequence])
    assert await count(seeded) == 0
    assert await count(seeded, "document_version", "state is null") <= 1
