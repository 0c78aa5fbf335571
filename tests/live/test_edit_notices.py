"""Edits over the API, which each node tells the others of, for those who have the document open there."""

import asyncio
from dataclasses import dataclass, field

import pytest

from domain.commit import DOCUMENT_EDITED, AuditEntry, Commit, LiveEdits
from domain.credit import Credit
from live.edit_notices import MAX_WAITING, EditNotices
from tests.support.documents.histories import BEGIN

ADA, BEN = Credit("ada", "Ada"), Credit("ben", "Ben", "scribe")
MOST = 4_000


@dataclass
class Node:
    """A process, the documents that are open in it, and whose edits it shows in which."""

    open: set = field(default_factory=lambda: {"doc"})
    shown: list = field(default_factory=list)
    number: int = 1
    is_held: bool = True
    has_others: bool = True

    def __post_init__(self):
        self.notices = EditNotices(self, self)

    async def follow(self, document_id, by=()):
        self.shown += [(document_id, each) for each in by]

    async def hears(self, other):
        while other.notices.has_news:
            message = other.notices.take(MOST)
            assert len(message.encode()) <= MOST
            self.notices.heard(message)
        await asyncio.sleep(0)
        return self.shown


@pytest.fixture
async def nodes():
    return Node(), Node(number=2)


def edited(*edits, **about):
    return Commit([AuditEntry(DOCUMENT_EDITED, "drive", document, by, BEGIN, {}) for document, by in edits], **about)


async def test_an_edit_is_shown_at_the_other_node_where_its_document_is_open(nodes):
    one, other = nodes
    one.notices.committed(edited(("doc", ADA), ("doc", BEN), ("another", ADA)))
    assert await other.hears(one) == [("doc", ADA), ("doc", BEN)]


async def test_many_edits_are_told_in_several_messages_and_the_last_of_too_many(nodes):
    one, other = nodes
    authors = [Credit("ada", "Ada", f"agent {number}") for number in range(MAX_WAITING + 10)]
    for by in authors:
        one.notices.committed(edited(("doc", by)))
    assert await other.hears(one) == [("doc", by) for by in authors[10:]]


async def test_a_name_that_has_no_room_keeps_no_other_from_being_told(nodes):
    one, other = nodes
    one.notices.committed(edited(("doc", Credit("ben", "B" * MOST)), ("doc", ADA)))
    assert await other.hears(one) == [("doc", ADA)]


@pytest.mark.parametrize(
    "commit", [edited(("doc", ADA), is_local=False), Commit(live=LiveEdits({"doc": "drive"}, {}, (), 0))]
)
async def test_what_others_committed_and_what_is_typed_is_not_told(nodes, commit):
    one, _ = nodes
    one.notices.committed(commit)
    assert not one.notices.has_news


async def test_nothing_is_kept_where_there_is_nobody_to_tell(nodes):
    one, _ = nodes
    one.has_others = False
    one.notices.committed(edited(("doc", ADA)))
    assert not one.notices.has_news


async def test_a_node_that_others_may_have_taken_for_gone_shows_nothing(nodes):
    one, other = nodes
    other.is_held = False
    one.notices.committed(edited(("doc", ADA)))
    assert await other.hears(one) == []
