"""The log of a document since any revision: the state then, and who wrote what after it."""

from datetime import timedelta

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from computing.edits import REVISION_GONE
from computing.logs import log_since
from documents.history.attribution import Logged, credited
from documents.history.copied_text import Copied, decode_copied, encode_copied
from documents.history.credits import Credits, Source
from documents.history.replay import replayed
from domain.document import DocumentEdited
from domain.questions import LogOf, LogSinceOf, RevisionBefore, RevisionOf, StateOf
from live.version_reader import VersionReader
from tests.persistence.kept_rows import DAY, LOG, ONE, a_day_and_a_half, compactor, end_version, said, typed
from tests.persistence.seeds import ADA, BEN, DRIVE, NOW, write
from tests.support.documents.jobs import JOBS


async def since(store, last):
    """The revisions whose log can be read; each is held against a replay of the whole log."""
    found = []
    for revision in range(-1, last + 2):
        log = await store.read(LogSinceOf(ONE, revision))
        if log is None:
            assert not await store.read(RevisionOf(ONE, revision)), revision
            continue
        found.append(revision)
        assert (log.revision, log.sequence) == (revision, last)
        assert said(None, log.state) == said(None, LOG[:revision])
        assert said(None, log_since(log).updates) == said(None, LOG[:last])
        assert log.authors == () or {user for user, _, _ in log.authors} == {ADA.user_id}
        rest = last - len(log.log)
        assert [each.update for each in log.log] == LOG[rest:last]
        assert {each.user_id for each in log.log} <= {ADA.user_id}
        assert [each.sequence for each in log.versions] == [end for end in (20, 40, 50, 52) if revision < end <= rest]
        assert replayed(log_since(log)).acts[-1].user_id == (ADA.user_id if revision < last else "")
    return found


async def test_the_log_since_any_revision_of_a_log_that_was_not_compacted(seeded):
    await typed(seeded, LOG[:12], NOW)
    assert await since(seeded, 12) == [*range(13)]
    assert [len((await seeded.read(LogSinceOf(ONE, revision))).authors) for revision in (0, 5, 12)] == [0, 5, 12]
    assert await seeded.read(LogSinceOf(DRIVE, 0)) is None


async def test_the_log_since_the_revisions_of_a_day_and_since_the_ends_of_versions_before(seeded):
    await a_day_and_a_half(seeded)
    await compactor(seeded, NOW + 2 * DAY).turn()
    assert await since(seeded, 52) == [0, *range(20, 53)]
    log = await seeded.read(LogSinceOf(ONE, 0))
    assert [each.sequence for each in log.versions] == [20]
    assert len(log.log) == 32
    assert {(await seeded.read(LogSinceOf(ONE, revision))).authors for revision in (20, 30, 50)} == {()}
    await end_version(seeded, 52, NOW + 2 * DAY)
    await compactor(seeded, NOW + 4 * DAY).turn()
    assert await since(seeded, 52) == [0, 20, 40, 50, 52]
    log = await seeded.read(LogSinceOf(ONE, 0))
    assert [each.sequence for each in log.versions] == [20, 40, 50, 52]
    acts = replayed(log_since(log)).acts[1:]
    assert {(act.first, act.last) for act in acts} <= {(1, 20), (21, 40), (41, 50), (51, 52)}
    assert all(act.is_compacted and act.user_id == ADA.user_id for act in acts)


async def test_who_wrote_what_at_a_revision_is_told_alike_before_and_after_its_edits_are_compacted(seeded):
    await a_day_and_a_half(seeded)

    async def told():
        versions = VersionReader(seeded, runner=JOBS)
        return {revision: await versions.attributions(ONE, revision, ADA.user_id) for revision in range(53)}

    before = await told()
    await compactor(seeded, NOW + 2 * DAY).turn()
    assert (await seeded.read(StateOf(ONE))).snapshot
    after = await told()
    kept = {revision for revision in after if await seeded.read(RevisionOf(ONE, revision))}
    assert kept >= {*range(20, 53)}
    assert after == before | dict.fromkeys(after.keys() - kept, REVISION_GONE)


async def test_the_revision_before_a_time(seeded):
    async def before(at):
        return await seeded.read(RevisionBefore(ONE, at))

    assert await before(NOW) == 0
    await a_day_and_a_half(seeded)
    times = [NOW, NOW + timedelta(1e-6), NOW + DAY - timedelta(hours=1), NOW + DAY, NOW + 3 * DAY]
    assert [await before(at) for at in times] == [0, 20, 20, 30, 52]
    await compactor(seeded, NOW + 2 * DAY).turn()
    assert [await before(at) for at in times] == [0, 20, 20, 30, 52]
    await end_version(seeded, 52, NOW + 2 * DAY)
    await compactor(seeded, NOW + 4 * DAY).turn()
    assert [await before(at) for at in times] == [0, 20, 20, 20, 52]
    assert await seeded.read(RevisionBefore(DRIVE, NOW)) == 0


@pytest.mark.parametrize("is_compacted", [False, True])
async def test_what_an_edit_copied_keeps_the_credit_of_who_wrote_it_first(seeded, is_compacted):
    doc = Doc(client_id=7)
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", {}, [XmlText("first")]))
    ada = doc.get_update()
    other = Doc(client_id=9)
    other.get("default", type=XmlFragment).children.append(XmlElement("paragraph", {}, [XmlText("first")]))
    ben, copied = other.get_update(), (Copied(9, 0, 7, (7, 0)),)
    await write(seeded, DocumentEdited(ONE, DRIVE, ada), by=ADA)
    await write(seeded, DocumentEdited(ONE, DRIVE, ben, encode_copied(copied)), by=BEN)
    await end_version(seeded, 2, NOW)
    if is_compacted:
        await compactor(seeded, NOW + 4 * DAY).turn()
    log = await seeded.read(LogOf(ONE))
    assert len(log.log) == (0 if is_compacted else 2)
    made = credited(
        Credits.decode(log.credits),
        [
            Logged(each.update, Source.of(each.user_id, each.agent, each.at), decode_copied(each.copied))
            for each in log.log
        ],
    )
    assert [made.sources[number].user_id for _, number, _ in made.of(9, 0, 7)] == [ADA.user_id]
    assert [made.sources[number].user_id for _, number in made.inserted(9, 0, 7)] == [BEN.user_id]
    for revision in (0, 2):
        found = replayed(log_since(await seeded.read(LogSinceOf(ONE, revision))))
        assert [*found.credits.copies.all()] == [*copied]
