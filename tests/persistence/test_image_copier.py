"""Images that were brought into documents are copied whoever committed the edit, and also after a restart."""

from dataclasses import dataclass

import pytest

from computing.budgets import Budgets
from computing.runner import JobRunner
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import tree
from documents.yjs.snapshot import load
from domain.commit import DOCUMENT_EDITED, AuditEntry, Commit
from domain.document import DocumentEdited, Image, ImageUploaded, copied_image_id
from domain.errors import Unavailable
from domain.item import ItemKind
from domain.questions import ImagesOf, LogOf, StateOf
from domain.storage import Unlimited
from domain.trash import ItemTrashed
from graphql_api.copied_images import MAX_LOOKED_UP, MAX_TOLD, copied_images
from live.document_reader import DocumentReader
from persistence.image_addresses import addresses_of_images
from service.image_copier import AUDIT_TURNS, ImageCopier
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, folder, new_id, write
from tests.support.documents.jobs import JOBS

FIRST, SECOND, THIRD, IMAGE = (new_id(number) for number in range(20, 24))
COPY = copied_image_id(IMAGE, SECOND)


@pytest.fixture
async def seeded(store):
    """Three documents, of which the first has an image."""
    documents = [folder(each, kind=ItemKind.docs_workbook) for each in (FIRST, SECOND, THIRD)]
    await write(store, *PEOPLE, *FOLDERS, *documents)
    await write(store, ImageUploaded(Image(IMAGE, FIRST, "image/png", 1, 1, 8, NOW, IMAGE), DRIVE))
    return store


async def started(store, budgets=None):
    """A worker in a process that has just begun to work."""
    copier = ImageCopier(
        store, DocumentReader(store, runner=JOBS), JobRunner(budgets=budgets), lambda: NOW, Unlimited()
    )
    await copier.turn()
    return copier


async def paste(store, document=SECOND, by=ADA):
    await write(store, DocumentEdited(document, DRIVE, from_tree(parse(f"![](/images/{IMAGE})"), 5)), by=by)


def edited(*documents):
    return Commit([AuditEntry(DOCUMENT_EDITED, DRIVE, each, ADA, NOW, {}) for each in documents])


async def said(store, document=SECOND):
    state = await store.read(StateOf(document))
    return markdown(tree(load(state.snapshot, state.updates)))


async def ids(store):
    return [each.id for each in await store.read(ImagesOf(SECOND))]


async def test_what_was_pasted_while_no_process_ran_is_copied_after_the_start(seeded):
    await started(seeded)
    await paste(seeded)
    await started(seeded)
    assert await ids(seeded) == [COPY]
    assert await said(seeded) == f"![](/images/{COPY})\n"
    assert (await seeded.read(LogOf(SECOND))).log[-1].user_id == ADA.user_id


async def test_what_another_process_committed_is_copied_when_the_audit_names_it(seeded):
    copier = await started(seeded)
    await paste(seeded)
    for _ in range(AUDIT_TURNS):
        await copier.turn()
    assert await said(seeded) == f"![](/images/{COPY})\n"


async def test_two_processes_and_further_turns_copy_once(seeded):
    copiers = [await started(seeded) for _ in range(2)]
    await paste(seeded)
    for _ in range(2):
        for each in copiers:
            each.committed(edited(SECOND))
            await each.turn()
    state = await seeded.read(StateOf(SECOND))
    assert (await ids(seeded), state.sequence) == ([COPY], 2)


async def test_an_image_in_the_trash_is_not_copied(seeded):
    await started(seeded)
    await write(seeded, ItemTrashed(FIRST, DRIVE))
    await paste(seeded)
    await started(seeded)
    assert (await ids(seeded), await said(seeded)) == ([], f"![](/images/{IMAGE})\n")


async def test_who_has_had_too_much_computed_waits_for_a_copy_and_nobody_else_does(seeded):
    now = 0.0
    budgets = Budgets(now=lambda: now)
    budgets.reserve(ADA.user_id, 0)(1_000.0)
    copier = await started(seeded, budgets)
    await paste(seeded)
    await paste(seeded, THIRD, BEN)
    copier.committed(edited(SECOND, THIRD))
    await copier.turn()
    assert (await said(seeded), await said(seeded, THIRD)) == (
        f"![](/images/{IMAGE})\n",
        f"![](/images/{copied_image_id(IMAGE, THIRD)})\n",
    )
    now = 10_000.0
    await copier.turn()
    assert await said(seeded) == f"![](/images/{COPY})\n"


async def test_what_is_edited_while_nothing_can_be_read_is_looked_at_later(seeded, monkeypatch):
    copier = await started(seeded)
    await paste(seeded)
    copier.committed(edited(SECOND))
    monkeypatch.setattr("service.image_copier.addresses_of_images", away)
    with pytest.raises(Unavailable):
        await copier.turn()
    monkeypatch.undo()
    await copier.turn()
    assert await said(seeded) == f"![](/images/{COPY})\n"


async def away(*_):
    raise Unavailable("the database is away")


async def test_a_document_is_read_from_where_it_was_looked_at_last_whether_or_not_it_has_images(seeded):
    await write(seeded, DocumentEdited(SECOND, DRIVE, from_tree(parse("no image"), 5)))
    found = await addresses_of_images(seeded, {SECOND: 0, THIRD: 0, new_id(99): 0})
    assert {each: (of.sequence, of.ids) for each, of in found.items()} == {SECOND: (1, {}), THIRD: (0, {})}
    await paste(seeded, by=BEN)
    (found,) = (await addresses_of_images(seeded, {SECOND: 1})).values()
    assert (found.sequence, found.ids) == (2, {(BEN.user_id, BEN.agent): [IMAGE]})
    assert (await addresses_of_images(seeded, {SECOND: 2}))[SECOND].ids == {}


@dataclass
class Counted:
    """A store, and how often it was read."""

    store: object
    reads: int = 0

    async def read(self, question):
        self.reads += 1
        return await self.store.read(question)


async def test_no_more_than_so_many_images_are_looked_up_for_one_edit(seeded):
    counted = Counted(seeded)
    named = [new_id(1_000 + each) for each in range(2 * MAX_LOOKED_UP)]
    found = await copied_images(counted, ADA.user_id, SECOND, [IMAGE, *named], NOW)
    assert counted.reads == MAX_LOOKED_UP + 1
    assert (found.ids, len(found.unreadable)) == ({IMAGE: COPY}, MAX_TOLD)
