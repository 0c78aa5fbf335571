"""What a room knows of text that goes although no update deletes it, without asking the log."""

import asyncio
import json
import random
from types import SimpleNamespace

import pytest
from pycrdt import Doc, XmlElement, XmlFragment

from computing.loaded_document import LoadedDocument
from documents.admission.surrogate_pairs import SurrogatePairs, cutting
from documents.history.replay import LogSince, replayed
from documents.history.unseen import unseen_since
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.yjs.keystroke import TypingRun, keystroke
from documents.yjs.scan import IMPORT, scan
from documents.yjs.snapshot import load
from domain.account import Account
from domain.document import DocumentLog, LoggedUpdate
from domain.questions import AccountOf, ItemFor, LogOf
from live import codec
from live.live_document import LiveDocument
from live.rooms import Rooms
from tests.support.documents.histories import BEGIN, written
from tests.support.documents.jobs import JOBS
from tests.support.live.room_fakes import BEN, Log, join
from tests.support.suite.rounds import ROUNDS

SEEDS = range(10 if ROUNDS == 1 else 100 * ROUNDS)


def live():
    document = LiveDocument(lambda: pytest.fail("the document is damaged"))
    document.load(LoadedDocument(load(None), {}, 0, 0, SurrogatePairs.of([]), {}))
    return document


def takes(document, update):
    """Whether something went with an update that it does not delete, by a document that takes it as a room does."""
    scanned = keystroke(update) or scan(update, IMPORT)
    if scanned.plain:
        document.type(update, scanned, cutting(update))
        document.follow(TypingRun.after(update))
        document.apply_typed()
    else:
        document.apply(update, scanned, cutting(update), whole=False)
    lost, document.has_lost = document.has_lost, False
    return lost


@pytest.mark.parametrize("number", SEEDS)
def test_a_document_knows_with_each_update_whether_more_went_than_that_deletes(number):
    world = written(random.Random(number), 80)
    document = live()
    noted = {at for at, each in enumerate(world.log, start=1) if takes(document, each.update)}
    for at in range(1, len(world.log) + 1):
        if unseen_since(replayed(LogSince(0, (), tuple(world.log[:at]))), at - 1):
            assert at in noted
    assert len(noted) < len(world.log) / 2


class Typist:
    """Somebody who has the same text, and hears of what others write when they `hear`."""

    def __init__(self, client, *updates):
        self.doc, self.updates = Doc(client_id=client), []
        self.doc.get("default", type=XmlFragment)
        for each in updates:
            self.doc.apply_update(each)
        self.doc.observe(lambda event: self.updates.append(event.update))

    @property
    def root(self):
        return self.doc.get("default", type=XmlFragment).children

    def type(self, block, text, place=None):
        node = self.root[block].children[0]
        node.insert(len(str(node)) if place is None else place, text)
        return self.updates[-1]

    def erase(self, block, start, stop):
        del self.root[block].children[0][start:stop]
        return self.updates[-1]

    def remove(self, block):
        del self.root[block]
        return self.updates[-1]

    def hear(self, update):
        self.doc.apply_update(update)


BASE = from_tree(parse("alpha\n\nbeta"), 5)


class Store(Log):
    async def read(self, question):
        if isinstance(question, ItemFor):
            return SimpleNamespace(item=SimpleNamespace(drive_id="drive"))
        if isinstance(question, AccountOf):
            return Account(question.user_id, question.user_id.title(), f"{question.user_id}@example.com", True, None)
        assert isinstance(question, LogOf)
        logged = [LoggedUpdate(update, author.by.user_id, author.by.agent, BEGIN, None) for author, update in self.rows]
        return DocumentLog(None, None, tuple(logged[question.after :]), len(logged))


NOW = 1_795_000_000_000  # milliseconds since 1970


@pytest.fixture
def log():
    made = Store()
    made.open.set()
    return made


@pytest.fixture
def rooms(log):
    return Rooms(log, log.append, lambda: NOW, runner=JOBS)


async def begun(rooms):
    """A room with the text of BASE in which Ada and Ben are, who each have it."""
    room, ada, transport = await join(rooms)
    _, ben, others = await join(rooms, BEN)
    room.edit(ada, BASE, whole=False)
    await rooms.drained()
    return room, (ada, transport), (ben, others)


async def told(rooms, transport):
    """What the owner of a transport is told as soon as nothing is looked for any more."""
    await rooms.drained()
    await rooms.unseen.idle()
    found = [message for message in transport.messages if message[0] == codec.STATELESS]
    return [json.loads(codec.read(b"\1d" + message, named=True)[1].text) for message in found]


async def test_a_run_of_typing_that_goes_on_in_a_deleted_block_is_told_to_its_writer_alone(rooms):
    room, (ada, transport), (ben, others) = await begun(rooms)
    one, other = Typist(10, BASE), Typist(11, BASE)
    for letter in "before":
        room.edit(ada, one.type(0, letter), whole=False)
        other.hear(one.updates[-1])
    assert ada.run is not None
    room.edit(ben, other.remove(0), whole=False)
    for letter in " lost":
        room.edit(ada, one.type(0, letter), whole=False)
    (message,) = await told(rooms, transport)
    assert (message["type"], message["text"], message["revision"]) == ("unseen", " lost", 13)
    assert {name: message["deletedBy"][name] for name in ("userId", "name", "agent")} == {
        "userId": "ben",
        "name": "Ben",
        "agent": "scribe",
    }
    assert await told(rooms, others) == []


async def test_letters_that_had_not_reached_who_deletes_the_block_are_told_to_their_writer(rooms):
    room, (ada, transport), (ben, _) = await begun(rooms)
    one, other = Typist(10, BASE), Typist(11, BASE)
    deletion = other.remove(0)
    for letter in " lost":
        room.edit(ada, one.type(0, letter), whole=False)
    room.edit(ben, deletion, whole=False)
    assert [each["text"] for each in await told(rooms, transport)] == [" lost"]


async def test_nobody_asks_the_log_where_letters_are_typed_at_places_of_deleted_ones_in_live_text(rooms, log):
    room, (ada, _), (ben, _) = await begun(rooms)
    one, other = Typist(10, BASE), Typist(11, BASE)
    room.edit(ben, other.erase(0, 2, 5), whole=False)
    room.edit(ada, one.type(0, "x"), whole=False)
    one.hear(other.updates[-1])
    room.edit(ada, one.erase(0, 0, 3), whole=False)
    room.edit(ada, one.type(0, "anew"), whole=False)
    await rooms.drained()
    log.may_read = asyncio.Semaphore(0)  # nobody reads any more
    assert not rooms.unseen.is_looking
    assert ada.run is not None


async def test_an_attribute_that_is_set_anew_is_no_loss(rooms):
    room, (ada, _), _ = await begun(rooms)
    one = Typist(10, BASE)
    for level in (1, 2, 3):
        one.root[0].attributes["level"] = level
        room.edit(ada, one.updates[-1], whole=False)
    await rooms.drained()
    assert not rooms.unseen.is_looking


async def test_only_a_deletion_of_where_somebody_types_ends_their_run(rooms):
    room, (ada, _), (ben, _) = await begun(rooms)
    one, other = Typist(10, BASE), Typist(11, BASE)
    room.edit(ada, one.type(0, "x"), whole=False)
    room.edit(ada, one.type(0, "y"), whole=False)
    run = ada.run
    room.edit(ben, other.remove(1), whole=False)
    await rooms.drained()
    assert (ada.run, run.end) == (run, 2)
    for update in one.updates:
        other.hear(update)
    room.edit(ben, other.remove(0), whole=False)
    await rooms.drained()
    assert run.end < 0
    await rooms.unseen.idle()


async def test_what_goes_with_an_update_is_looked_for_once_that_is_durable(rooms, log):
    room, (ada, transport), (ben, _) = await begun(rooms)
    await rooms.drained()
    first, second = log.open, asyncio.Event()
    first.clear()
    one, other = Typist(10, BASE), Typist(11, BASE)
    with other.doc.transaction():  # more than a keystroke, and so applied at once
        del other.root[0]
        other.root.insert(0, XmlElement("heading"))
    for letter in " lost":
        room.edit(ada, one.type(0, letter), whole=False)
    for _ in range(3):  # until the letters are on their way to the log
        await asyncio.sleep(0)
    letters = log.committing
    room.edit(ben, other.updates[-1], whole=False)
    log.open = second
    first.set()
    await letters
    await rooms.unseen.idle()
    assert len(log.rows) == 6
    second.set()
    assert [each["text"] for each in await told(rooms, transport)] == [" lost"]


async def test_what_its_writer_deletes_who_has_not_learned_that_it_is_gone_is_told_to_nobody(rooms, log):
    room, (ada, transport), (ben, _) = await begun(rooms)
    one, other = Typist(10, BASE), Typist(11, BASE)
    room.edit(ben, other.remove(0), whole=False)
    for letter in " lost":
        room.edit(ada, one.type(0, letter), whole=False)
    room.edit(ada, one.erase(0, 3, 8), whole=False)
    assert [each["text"] for each in await told(rooms, transport)] == ["st"]
    assert len(log.rows) == 8
    room.edit(ada, one.doc.get_update(), whole=True)  # what all clients repeat is nobody's edit
    one.hear(other.updates[-1])
    room.edit(ben, one.doc.get_update(), whole=False)
    await rooms.drained()
    assert len(log.rows) == 8
