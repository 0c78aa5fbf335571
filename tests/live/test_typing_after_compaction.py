"""Whether what is typed and acknowledged is in every read when the document's log was compacted in between."""

import base64
from datetime import timedelta

import pytest

from computing.runner import JobRunner
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from graphql_api.system import now
from live.version_reader import VersionReader
from persistence.compaction import CompactionLog
from persistence.store import PostgresStore
from service.compactor import Compactor
from service.version_scheduler import cut_ended
from tests.support.documents.jobs import JOBS

IMPORT = "mutation($d: ID!, $u: String!) { importYjsUpdate(documentId: $d, update: $u) { id } }"
EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
HOUR = timedelta(hours=1)
LARGE = 457_000


async def imported(world, document):
    update = base64.b64encode(from_tree(parse("Some of the words. " * (LARGE // 19)), 5)).decode()
    await world.ask(IMPORT, "ben", d=document, u=update)


async def edited(world, document):
    for number in range(12):
        await world.ask(EDIT, "ben", d=document, e={"append": f"edit {number}"})


async def compacted(served, document):
    """Cut and compact all that there is of the log, as the server does once nobody has written for long."""
    async with PostgresStore(served.database, readers=1, writers=1) as beside:
        await cut_ended(beside, VersionReader(beside, runner=JOBS), lambda: now() + HOUR, document)
        log = CompactionLog(beside, rows=5, from_bytes=100_000)
        assert await Compactor(log, JobRunner(), lambda: now() + 2 * HOUR).compact(document)


@pytest.mark.parametrize("written", [imported, edited])
async def test_all_that_is_typed_after_a_compaction_is_in_every_read(clients, world, served, written):
    document = await world.document()
    await clients("open", "before", **world.way(document))
    await clients("synced", "before")
    await clients("paragraph", "before", text="typed before")
    await clients("acknowledged", "before")
    await clients("gone", "before")
    await written(world, document)
    await compacted(served, document)
    await clients("open", "after", **world.way(document))
    await clients("synced", "after")
    paragraphs = [f"paragraph {number} typed after" for number in range(5)]
    for text in paragraphs:
        await clients("paragraph", "after", text=text)
        await clients("acknowledged", "after")
    read = await world.read(document)
    over_graphql = await world.ask("query($d: ID!) { document(id: $d) { markdown } }", "ben", d=document)
    await clients("open", "fresh", **world.way(document, "ben"))
    await clients("synced", "fresh")
    fresh = (await clients("text", "fresh"))["text"]
    for content in (read["markdown"], str(read), over_graphql["document"]["markdown"], fresh):
        assert [text for text in paragraphs if text not in content] == []
    assert "typed before" in fresh


async def test_a_document_that_stays_open_takes_what_is_written_and_compacted_elsewhere(clients, world, served):
    document = await world.document()
    await clients("open", "open", **world.way(document))
    await clients("synced", "open")
    await clients("paragraph", "open", text="typed before")
    await clients("acknowledged", "open")
    await edited(world, document)
    await compacted(served, document)
    await clients("sees", "open", text="edit 11")
    await clients("paragraph", "open", text="typed after")
    await clients("acknowledged", "open")
    assert "typed after" in (await world.read(document))["markdown"]
