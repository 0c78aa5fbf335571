"""Rooms of several processes over one log: what each of them writes is there once, whoever else writes to the document."""

import asyncio
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.markdown.markdown_in import parse
from documents.projection.projection import project
from documents.tree.build import from_tree
from documents.yjs.snapshot import load
from domain.document import DocumentEdited
from domain.item import ItemKind
from domain.questions import LogOf
from graphql_api.ports import LockScope
from live.document_connection import DocumentConnection
from live.rooms import Rooms
from persistence.log_tail import LogTail
from tests.persistence.applying_transport import Told
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, folder, new_id, write
from tests.support.database.updates import milliseconds, update_log
from tests.support.documents.jobs import JOBS

ONE = new_id(20)
KEYSTROKES, EDITS = 60, 40


@dataclass
class Typist:
    """Somebody who types in the document at one process, and waits for each acknowledgement."""

    rooms: Rooms
    room: object
    connection: DocumentConnection
    told: Told
    text: XmlText
    updates: list
    sent: int = 0

    async def type(self, word):
        self.text += word
        while self.updates:
            self.room.edit(self.connection, self.updates.pop(0), whole=False)
            self.sent += 1
        while self.told.acknowledged < self.sent:
            assert self.told.code is None
            self.told.told.clear()
            await self.told.told.wait()


@asynccontextmanager
async def at_a_process_of_their_own(store, who, client):
    async with update_log(store) as log, aclosing(LogTail(store)) as tail:
        await tail.turn()
        rooms = Rooms(store, log.append, lambda: milliseconds(NOW), runner=JOBS, read_tail=tail.read)
        doc, updates = Doc(client_id=client), []
        told = Told(doc)
        connection = DocumentConnection(who, told, b"", acknowledges=True, may_edit=True, requested_sync=lambda: None)
        room = await rooms.enter(ONE, connection)
        doc.get("default", type=XmlFragment)
        watch = doc.observe(lambda event: told.hearing or updates.append(event.update))
        block = doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph"))
        yield Typist(rooms, room, connection, told, block.children.append(XmlText()), updates)
        doc.unobserve(watch)
        await rooms.drained()


@pytest.fixture
async def document(store):
    await write(store, *PEOPLE, *FOLDERS, folder(ONE, kind=ItemKind.docs_workbook))
    return store


async def test_two_that_type_at_two_processes_lose_and_double_nothing(document):
    async with at_a_process_of_their_own(document, ADA, 7) as ada, at_a_process_of_their_own(document, BEN, 8) as ben:

        async def types(typist, name):
            for number in range(KEYSTROKES):
                await typist.type(f"{name}{number};")

        await asyncio.gather(types(ada, "a"), types(ben, "b"))
        sent = ada.sent + ben.sent
        for each in (ada, ben):
            await each.rooms.catch_up(ONE)
    log = await document.read(LogOf(ONE))
    assert (log.sequence, len(log.log), len({each.update for each in log.log})) == (sent, sent, sent)
    stored = project(load(None, [each.update for each in log.log])).markdown
    for name in "ab":
        assert "".join(f"{name}{number};" for number in range(KEYSTROKES)) in stored
    assert project(ada.room.doc).markdown == project(ben.room.doc).markdown == stored


async def test_typing_makes_no_edit_over_the_api_fail_and_hears_of_each(document):
    async with at_a_process_of_their_own(document, ADA, 7) as ada:
        edits = [from_tree(parse(f"edit {number}"), 100 + number) for number in range(EDITS)]

        async def types():
            number = 0
            while editing or number < KEYSTROKES:
                await ada.type(f"a{number};")
                number += 1

        async def edit():
            for update in edits:
                event = DocumentEdited(ONE, DRIVE, update)
                touches = LockScope(items=(ONE,), documents=(ONE,))
                await document.transact(touches, lambda to, event=event: to.record((event,), BEN, NOW))
            editing.clear()

        editing = [True]
        await asyncio.gather(types(), edit())
        await ada.rooms.catch_up(ONE)
    log = await document.read(LogOf(ONE))
    assert len(log.log) == log.sequence == ada.sent + EDITS
    assert [each.update for each in log.log if each.user_id == BEN.user_id] == edits
    stored = project(load(None, [each.update for each in log.log])).markdown
    assert project(ada.room.doc).markdown == project(ada.told.doc).markdown == stored


async def test_a_document_that_is_opened_while_a_transaction_writes_to_it_loses_and_doubles_nothing(document):
    begun, opened = asyncio.Event(), asyncio.Event()
    update = from_tree(parse("edit"), 100)

    async def work(to):
        await to.record((DocumentEdited(ONE, DRIVE, update),), BEN, NOW)
        begun.set()
        await opened.wait()

    writing = asyncio.create_task(document.transact(LockScope(items=(ONE,), documents=(ONE,)), work))
    await begun.wait()
    async with at_a_process_of_their_own(document, ADA, 7) as ada:
        document.feed.open_documents = ada.rooms
        document.feed.subscribe(lambda _: ada.rooms.follow(ONE))
        typing = [asyncio.create_task(ada.type(word)) for word in ("a", "b", "c")]
        opened.set()
        await asyncio.gather(writing, *typing)
        log = await document.read(LogOf(ONE))
        assert len(log.log) == log.sequence == len({each.update for each in log.log}) == ada.sent + 1
        stored = project(load(None, [each.update for each in log.log])).markdown
        assert project(ada.room.doc).markdown == project(ada.told.doc).markdown == stored
        assert "abc" in stored
        assert "edit" in stored
