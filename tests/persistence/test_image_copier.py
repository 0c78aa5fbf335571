"""Images that were brought into documents are copied whoever committed the edit, and also after a restart."""

import pytest
from seeds import ADA, DRIVE, FOLDERS, NOW, PEOPLE, folder, new_id, write

from computing.runner import JobRunner
from documents.build import from_tree
from documents.markdown_in import parse
from documents.markdown_out import markdown
from documents.snapshot import load
from documents.tree import tree
from domain.commit import DOCUMENT_EDITED, AuditEntry, Commit
from domain.document import DocumentEdited, Image, ImageUploaded, copied_image_id
from domain.item import ItemKind
from domain.questions import ImagesOf, LogOf, StateOf
from domain.trash import ItemTrashed
from live.document_reader import DocumentReader
from service.image_copier import AUDIT_TURNS, ImageCopier

FIRST, SECOND, IMAGE = new_id(20), new_id(21), new_id(22)
COPY = copied_image_id(IMAGE, SECOND)


@pytest.fixture
async def seeded(store):
    """Two documents, of which the first has an image."""
    documents = [folder(each, kind=ItemKind.docs_workbook) for each in (FIRST, SECOND)]
    await write(store, *PEOPLE, *FOLDERS, *documents)
    await write(store, ImageUploaded(Image(IMAGE, FIRST, "image/png", 1, 1, 8, NOW, IMAGE), DRIVE))
    return store


async def started(store):
    """A worker in a process that has just begun to work."""
    copier = ImageCopier(store, DocumentReader(store), JobRunner(), lambda: NOW)
    await copier.turn()
    return copier


async def paste(store):
    await write(store, DocumentEdited(SECOND, DRIVE, from_tree(parse(f"![](/images/{IMAGE})"), 5)))


async def said(store):
    state = await store.read(StateOf(SECOND))
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
            each.committed(Commit([AuditEntry(DOCUMENT_EDITED, DRIVE, SECOND, ADA, NOW, {})]))
            await each.turn()
    state = await seeded.read(StateOf(SECOND))
    assert (await ids(seeded), state.sequence) == ([COPY], 2)


async def test_an_image_in_the_trash_is_not_copied(seeded):
    await started(seeded)
    await write(seeded, ItemTrashed(FIRST, DRIVE))
    await paste(seeded)
    await started(seeded)
    assert (await ids(seeded), await said(seeded)) == ([], f"![](/images/{IMAGE})\n")
