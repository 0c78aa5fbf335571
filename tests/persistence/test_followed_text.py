"""Letters that follow what was moved are written once, whichever processes see to it, before and after restarts and compaction."""

from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import pytest
from pycrdt import Doc, XmlFragment

from computing.logs import log_since, whole_log
from computing.search import followed_update
from documents.editing.edit import Whole, edit
from documents.history.changes import changes
from documents.history.followed import follow_moves
from documents.history.replay import replayed
from documents.markdown.markdown_in import parse
from documents.projection.projection import project
from documents.tree.build import from_tree
from documents.yjs.scan import DeletedRun
from documents.yjs.snapshot import load
from documents.yjs.structs import read_update, write_update
from domain.document import DocumentEdited
from domain.item import ItemKind
from domain.questions import LogOf, LogSinceOf
from graphql_api.ports import LockScope
from live.document_connection import DocumentConnection
from live.rooms import Rooms
from live.unseen import FollowOutcome
from service.followed_text import recorder
from tests.persistence.applying_transport import Told
from tests.persistence.kept_rows import compactor, end_version
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, folder, new_id, write
from tests.support.database.updates import milliseconds, update_log
from tests.support.documents.jobs import JOBS

ONE = new_id(20)
BASE = from_tree(parse("alpha and omega\n\nbeta"), 5)


@pytest.fixture
async def document(store):
    await write(store, *PEOPLE, *FOLDERS, folder(ONE, kind=ItemKind.docs_workbook))
    return store


async def log(store, who, update, at=NOW):
    event = DocumentEdited(ONE, DRIVE, update)
    await store.transact(LockScope(items=(ONE,), documents=(ONE,)), lambda to: to.record((event,), who, at))


@asynccontextmanager
async def process(store):
    async with update_log(store) as updates:
        rooms = Rooms(store, updates.append, lambda: milliseconds(NOW), runner=JOBS)
        rooms.unseen.record = recorder(store, lambda: NOW)
        connection = DocumentConnection(
            ADA, Told(Doc()), b"", acknowledges=True, may_edit=True, requested_sync=lambda: None
        )
        room = await rooms.enter(ONE, connection)
        yield rooms, room
        await rooms.unseen.idle()
        await rooms.drained()


async def written_while_it_was_retyped(store):
    await log(store, BEN, BASE)
    made = []
    doc = load(None, [BASE])
    doc.observe(lambda event: made.append(event.update))
    doc.get("default", type=XmlFragment).children[0].children[0].insert(5, " X")
    retyped = edit(load(None, [BASE]), Whole("# alpha and omega\n\nbeta"))
    await log(store, BEN, retyped)
    await log(store, ADA, made[0])


async def follow_by(store):
    """What letters follow by, as a process computes it that has read the log now."""
    stored = await store.read(LogOf(ONE))
    found = replayed(whole_log(stored))
    return followed_update(found, follow_moves(found), stored)


async def read(store):
    stored = await store.read(LogOf(ONE))
    updates = [*([stored.snapshot] if stored.snapshot else ()), *(each.update for each in stored.log)]
    return stored.sequence, project(load(None, updates)).markdown


async def test_whoever_sees_to_it_first_at_several_processes_does_it_once(document):
    await written_while_it_was_retyped(document)
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(process(document)) for _ in range(3)]
        for rooms, _ in processes:
            await rooms.unseen.idle()
        assert await read(document) == (4, "# alpha X and omega\n\nbeta\n")
        for rooms, room in processes:
            rooms.unseen.look(room)
    assert await read(document) == (4, "# alpha X and omega\n\nbeta\n")
    async with process(document):  # after a restart
        pass
    assert await read(document) == (4, "# alpha X and omega\n\nbeta\n")
    found = changes(replayed(log_since(await document.read(LogSinceOf(ONE, 0)))))
    assert {each.user_id for each in found if "X" in each.inserted} == {ADA.user_id}
    assert not any(each.unseen for each in found)


async def test_it_is_done_when_the_document_is_opened_after_a_crash_and_not_again_after_compaction(document):
    await written_while_it_was_retyped(document)
    assert (await read(document))[1] == "# alpha and omega\n\nbeta\n"
    async with process(document):
        pass
    await end_version(document, 4, NOW)
    await compactor(document, NOW + timedelta(days=3)).turn()
    assert (await document.read(LogOf(ONE))).log == ()
    async with process(document) as (rooms, room):
        rooms.unseen.look(room)
    assert await read(document) == (4, "# alpha X and omega\n\nbeta\n")


async def test_where_a_block_is_moved_again_meanwhile_nothing_is_written_to_where_it_was(document):
    await written_while_it_was_retyped(document)
    stored = await document.read(LogOf(ONE))
    follows = await follow_by(document)
    await log(document, BEN, edit(load(None, [each.update for each in stored.log]), Whole("- alpha and omega\n\nbeta")))
    assert await recorder(document, lambda: NOW)(ONE, follows, ADA) is FollowOutcome.OVERTAKEN
    assert await read(document) == (4, "- alpha and omega\n\nbeta\n")
    async with process(document):
        pass
    assert await read(document) == (5, "- alpha X and omega\n\nbeta\n")


async def test_nothing_is_written_to_where_somebody_deleted_a_node_who_does_not_know_all_in_it(document):
    await written_while_it_was_retyped(document)
    follows = await follow_by(document)
    (_, retyped, _) = (await document.read(LogOf(ONE))).log
    ((client, (heading, *_)),) = read_update(retyped.update).runs.items()
    await log(document, BEN, write_update(0, (), [DeletedRun(client, heading.clock, 1)]))
    assert await recorder(document, lambda: NOW)(ONE, follows, ADA) is FollowOutcome.OVERTAKEN


@pytest.mark.parametrize("deleted", [4, 5])
async def test_nothing_is_written_beside_a_letter_that_somebody_deleted_meanwhile(document, deleted):
    await written_while_it_was_retyped(document)
    follows = await follow_by(document)
    (_, retyped, _) = (await document.read(LogOf(ONE))).log
    ((client, structs),) = read_update(retyped.update).runs.items()
    (letters,) = [each for each in structs if b"alpha" in each.data[each.start : each.stop]]
    await log(document, BEN, write_update(0, (), [DeletedRun(client, letters.clock + deleted, 1)]))
    assert await recorder(document, lambda: NOW)(ONE, follows, ADA) is FollowOutcome.OVERTAKEN


async def test_letters_stand_beside_the_same_ones_though_somebody_writes_there_meanwhile(document):
    await written_while_it_was_retyped(document)
    follows = await follow_by(document)
    made = []
    doc = load(None, [each.update for each in (await document.read(LogOf(ONE))).log])
    doc.observe(lambda event: made.append(event.update))
    doc.get("default", type=XmlFragment).children[0].children[0].insert(5, " Y")
    await log(document, BEN, made[0])
    assert await recorder(document, lambda: NOW)(ONE, follows, ADA) is FollowOutcome.OVERTAKEN
    async with process(document):
        pass
    assert await read(document) == (5, "# alpha X Y and omega\n\nbeta\n")


async def test_nothing_is_written_of_what_its_writer_deleted_meanwhile(document):
    await written_while_it_was_retyped(document)
    follows = await follow_by(document)
    (*_, typed) = (await document.read(LogOf(ONE))).log
    ((client, (letters,)),) = read_update(typed.update).runs.items()
    await log(document, ADA, write_update(0, (), [DeletedRun(client, letters.clock, 2)]))
    assert await recorder(document, lambda: NOW)(ONE, follows, ADA) is FollowOutcome.OVERTAKEN
    async with process(document):
        pass
    assert await read(document) == (4, "# alpha and omega\n\nbeta\n")


async def test_of_two_that_know_of_more_or_fewer_letters_the_second_brings_none_of_them_again(document):
    await written_while_it_was_retyped(document)
    few = await follow_by(document)
    made = []
    doc = load(None, [BASE])
    doc.observe(lambda event: made.append(event.update))
    doc.get("default", type=XmlFragment).children[0].children[0].insert(2, "W")
    await log(document, ADA, made[0])
    many = await follow_by(document)
    assert many.clients != few.clients
    record = recorder(document, lambda: NOW)
    assert await record(ONE, many, ADA) is FollowOutcome.RECORDED
    assert await record(ONE, few, ADA) is FollowOutcome.OVERTAKEN
    assert await read(document) == (5, "# alWpha X and omega\n\nbeta\n")
