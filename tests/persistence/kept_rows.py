"""A log of two days with its versions, and a compactor of it."""

from datetime import timedelta

from documents.projection.projection import project
from documents.yjs.snapshot import load, state_vector
from domain.history import Cut, EditedBy, History
from domain.item import ItemKind
from domain.questions import VersionsOf
from domain.version import cut
from persistence.compaction import CompactionLog
from service.compactor import Compactor
from tests.persistence.seeds import ADA, DRIVE, NOW, folder, new_id, write
from tests.support.database.updates import append, row
from tests.support.documents.logs import written

ONE, OTHER = new_id(20), new_id(21)
DOCUMENTS = [folder(each, kind=ItemKind.docs_workbook) for each in (ONE, OTHER)]
ACTS = ("type", "delete", "type", "split")
LOG = [each.update for each in written([(n % 4, ACTS[n // 4 % 4], 41 * n % 500, 9) for n in range(120)])][:60]
DAY = timedelta(days=1)


class Here:
    """Runs jobs in this process."""

    async def run(self, job, _user_id, _document_id, *given):
        return job.act(*given)


def compactor(store, now, *, rows=1, most=50_000):
    return Compactor(CompactionLog(store, rows=rows, from_bytes=10**9, most=most), Here(), lambda: now)


async def typed(store, updates, at, document=ONE):
    await append(store, [row(document, update, ADA, at) for update in updates])


async def end_version(store, sequence, at, document=ONE):
    """Have a version end there."""
    (newest,) = await store.read(VersionsOf(document, 1)) or (None,)
    number, last = (newest.number, newest.sequence) if newest else (0, 0)
    history = History(DRIVE, sequence, number, last, (), ())
    await write(store, *cut(document, history, [Cut(sequence, at, (EditedBy(ADA.user_id, None, at),))], [1]), at=at)


def said(snapshot, updates):
    doc = load(snapshot, updates)
    return state_vector(doc), project(doc)


async def a_day_and_a_half(store):
    """Three versions: one of two days ago, one that began before the last day and ended in it, and one of today."""
    await typed(store, LOG[:20], NOW)
    await end_version(store, 20, NOW)
    await typed(store, LOG[20:30], NOW + DAY - timedelta(hours=1))
    await typed(store, LOG[30:40], NOW + DAY + timedelta(hours=1))
    await end_version(store, 40, NOW + DAY + timedelta(hours=1))
    await typed(store, LOG[40:50], NOW + DAY + timedelta(hours=20))
    await end_version(store, 50, NOW + DAY + timedelta(hours=20))
    await typed(store, LOG[50:52], NOW + 2 * DAY)
