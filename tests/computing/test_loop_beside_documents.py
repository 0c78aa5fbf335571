"""Documents that cost much: whatever is asked of them, the thread of the loop is soon free for others. Its CPU time is counted."""

import asyncio
import mmap
from contextlib import aclosing
from datetime import UTC, datetime

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from computing.jobs import READ
from computing.runner import JobRunner
from documents.editing.edit import Append, EditRequest
from documents.history.changes import UndoRequest
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.credit import Credit
from domain.document import DocumentLog, DocumentLogSince, DocumentState, LoggedUpdate
from domain.questions import AuthorNamesOf, LogOf, LogSinceOf, StateOf
from live.document_reader import DocumentReader
from live.rooms import Rooms
from live.version_reader import VersionReader
from tests.computing.expensive_updates import DOCUMENT, typed_backwards
from tests.support.live.room_fakes import join as join_room
from tests.support.processes.watched import SECONDS, beating, reference

ADA = Credit("ada", "Ada")
AT = datetime(2026, 11, 26, tzinfo=UTC)
SMALL, LARGE = 5, 15  # references of CPU that the loop's thread may go on for, up to 1 MiB and up to 16 MiB


def paragraphs(count, words):
    return from_tree(parse("\n\n".join(f"{number} " + "word " * words for number in range(count))), 1)


def empty_paragraphs(count):
    return {"type": "doc", "content": [{"type": "paragraph"}] * count}


def keystrokes(count):
    """The updates of somebody who types that many letters."""
    doc, updates = Doc(client_id=7), []
    doc.observe(lambda event: updates.append(event.update))
    text = XmlText()
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[text]))
    for _ in range(count):
        text += "a"
    return updates


DOCUMENTS = {
    "as many blocks as are read in the server": (lambda: [from_tree(empty_paragraphs(2_100), 1)], SMALL),
    "as many letters as are read in the server": (lambda: [typed_backwards(5_300)], SMALL),
    "many paragraphs": (lambda: [paragraphs(5_000, 30)], SMALL),
    "a long paragraph": (lambda: [paragraphs(1, 200_000)], SMALL),
    "rulers alone": (lambda: [from_tree(parse("***\n" * 20_000), 1)], SMALL),
    "letters that were typed backwards": (lambda: [typed_backwards(40_000)], SMALL),
    "a log of many edits": (lambda: keystrokes(10_000), SMALL),
    "twenty thousand paragraphs": (lambda: [paragraphs(20_000, 40)], LARGE),
    "a text of eight megabytes": (lambda: [paragraphs(1, 1_600_000)], LARGE),
}
assert all(limit in (SMALL, LARGE) for _, limit in DOCUMENTS.values())
assert all(READ.inline * 0.9 < len(make()[0]) < READ.inline for make, _ in [*DOCUMENTS.values()][:2])


class Log:
    """A store of one document."""

    def __init__(self, updates):
        self.updates = [LoggedUpdate(update, "ada", None, AT) for update in updates]

    async def read(self, question):
        count = len(self.updates)
        match question:
            case StateOf():
                return DocumentState(None, tuple(each.update for each in self.updates[question.after :]), count)
            case LogOf():
                return DocumentLog(None, None, tuple(self.updates[question.after :]), count)
            case LogSinceOf():
                return DocumentLogSince(0, (), (), tuple(self.updates), None)
            case AuthorNamesOf():
                return {"ada": "Ada"}
        raise AssertionError(question)

    async def append(self, *_batch):
        raise AssertionError("nothing is written")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_document_keeps_the_loop(name):
    make, limit = DOCUMENTS[name]
    log, unit = Log(make()), reference()
    stretches = asyncio.run(longest_stretches(log))
    assert {act: seconds / unit for act, seconds in stretches.items() if seconds > limit * unit} == {}


async def longest_stretches(log):
    """For how long the thread of the loop goes on for one thing at most, by what is asked of the document."""
    longest = mmap.mmap(-1, 2 * SECONDS.size)
    async with aclosing(JobRunner()) as jobs:
        jobs.start()
        beating(asyncio.get_running_loop(), longest)
        documents, versions = DocumentReader(log, runner=jobs), VersionReader(log, runner=jobs)
        rooms = Rooms(log, log.append, lambda: 0, runner=jobs)
        count = len(log.updates)

        async def join():
            room, connection, _ = await join_room(rooms, ADA, document=DOCUMENT)
            room.sync(connection, b"\0")
            await asyncio.sleep(0)
            rooms.leave(room, connection)

        acts = {
            "read": lambda: documents.read(DOCUMENT, count, ADA),
            "edit": lambda: documents.edited(DOCUMENT, EditRequest(Append("more")), ADA),
            "changes": lambda: versions.changes.since(DOCUMENT, 0, count, ADA),
            "undo": lambda: versions.changes.undoing(DOCUMENT, UndoRequest(0, (), "ben"), (), ADA),
            "credits": lambda: versions.credits(DOCUMENT, count, ADA),
            "join": join,
        }
        found = {}
        for act, do in acts.items():
            SECONDS.pack_into(longest, 0, 0.0)
            await do()
            (found[act],) = SECONDS.unpack_from(longest)
        return found
