"""Undo computed from a log while others go on writing in the document."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from pycrdt import Doc, XmlFragment

from documents.history.changes import UndoRequest
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import tree
from documents.yjs.snapshot import load
from domain.credit import Credit
from domain.document import WRITTEN_MEANWHILE, ComputedEdit, DocumentLogSince, DocumentState, LoggedUpdate
from domain.questions import LogSinceOf, Question, StateOf
from live.document_reader import DocumentReader
from live.version_reader import VersionReader
from tests.support.documents.jobs import JOBS

NOW = datetime(2026, 11, 23, tzinfo=UTC)
BEN = Credit("ben", "Ben")


@dataclass
class Log:
    """The updates of one document, each with the user who sent it."""

    updates: list[tuple[str, bytes]] = field(default_factory=list)

    async def read(self, question: Question) -> DocumentState | DocumentLogSince:
        if isinstance(question, StateOf):
            return DocumentState(None, self.after(question.after), len(self.updates))
        assert isinstance(question, LogSinceOf)
        logged = tuple(LoggedUpdate(update, by, None, NOW) for by, update in self.updates)
        return DocumentLogSince(0, (), (), logged, None)

    def after(self, sequence: int) -> tuple[bytes, ...]:
        return tuple(update for _, update in self.updates[sequence:])


@pytest.mark.parametrize("was_emptied", [False, True])
async def test_what_is_written_in_a_block_that_an_undo_deletes_has_it_computed_again(was_emptied):
    """In an emptied block, what is written next stands beside letters that were deleted before, and names no others."""
    log = Log([("ada", from_tree(parse("- One\n\ntwo"), 1))])
    doc = Doc(client_id=9)
    doc.apply_update(log.updates[0][1])
    text = doc.get("default", type=XmlFragment).children[0].children[0].children[0].children[0]
    if was_emptied:
        before = doc.get_state()
        del text[0:3]
        log.updates.append(("ada", doc.get_update(before)))
    versions, documents = VersionReader(log, runner=JOBS), DocumentReader(log, runner=JOBS)
    made = await versions.changes.undoing("d", UndoRequest(0, (), "ada"), (), BEN)
    assert isinstance(made, ComputedEdit)
    assert isinstance(await documents.bytes_added_since("d", made.computed, BEN, log, made.computed.sequence + 1), int)
    before = doc.get_state()
    text.insert(0, "by hand")
    log.updates.append(("ben", doc.get_update(before)))
    lost = "by hand" not in markdown(tree(load(None, [*log.after(0), made.computed.update])))
    assert (lost, await documents.bytes_added_since("d", made.computed, BEN, log, made.computed.sequence + 1)) == (
        True,
        WRITTEN_MEANWHILE,
    )
