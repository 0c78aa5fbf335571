"""When the subscriptions to a drive are woken, and what they hear of live edits."""

import asyncio
from contextlib import aclosing
from math import inf

import pytest

from domain.commit import Commit, LiveEdits
from domain.credit import Credit
from graphql_api.drive_feed import DriveFeed
from live.group_commit import EditAuthor
from tests.support.processes.servers import PATIENCE

DRIVE, OTHER = "drive", "other"
ADA, BEN = EditAuthor(Credit("ada", "Ada")), EditAuthor(Credit("ben", "Ben", "agent"))


def typed(*rows, at=0, drive=DRIVE, audited=()):
    """A batch of live edits: who typed in which document."""
    documents = {document for document, _ in rows}
    by_document = {each: [(author, b"") for document, author in rows if document == each] for each in documents}
    return Commit(live=LiveEdits(dict.fromkeys(documents, drive), by_document, audited, at))


def told(edits):
    return [(edit.item_id, edit.by.name, round(edit.at.timestamp() * 1000)) for edit in edits]


@pytest.fixture
def following():
    """A feed and one subscription, which has begun."""

    async def follow(interval=inf):
        feed = DriveFeed(interval)
        changes = feed.changes(DRIVE)
        assert await anext(changes) == []
        return feed, changes

    return follow


async def heard(changes):
    async with asyncio.timeout(PATIENCE):
        return told(await anext(changes))


async def test_of_an_edit_there_is_a_notice_at_once_and_no_other_before_its_time(following):
    feed, changes = await following()
    feed.committed(typed(("memo", ADA), at=1))
    assert await heard(changes) == [("memo", "Ada", 1)]
    feed.committed(typed(("memo", ADA), at=2))
    feed.committed(typed(("memo", ADA), at=3, audited=[ADA]))
    assert await heard(changes) == [], "the entry of the audit wakes it, and the edit before waits"


async def test_each_author_in_each_document_has_notices_in_the_order_of_their_moments(following):
    feed, changes = await following()
    feed.committed(typed(("memo", BEN), ("memo", ADA), at=2))
    feed.committed(typed(("notes", ADA), at=1))
    first, *others = await heard(changes)
    assert (first, sorted(others)) == (("notes", "Ada", 1), [("memo", "Ada", 2), ("memo", "Ben", 2)])
    feed.committed(typed(("plan", ADA), at=3))
    assert await heard(changes) == [("plan", "Ada", 3)]


async def test_the_last_edit_has_its_notice_when_the_time_is_over(following):
    feed, changes = await following(0.01)
    feed.committed(typed(("memo", ADA), at=1))
    assert await heard(changes) == [("memo", "Ada", 1)]
    for at in range(2, 9):
        feed.committed(typed(("memo", ADA), at=at))
    assert (await heard(changes))[-1] == ("memo", "Ada", 8)


async def test_an_edit_with_an_entry_in_the_audit_has_no_notice(following):
    feed, changes = await following()
    feed.committed(typed(("memo", ADA), ("memo", BEN), audited=[ADA]))
    assert await heard(changes) == [("memo", "Ben", 0)]


async def test_edits_in_other_drives_wake_nobody_and_who_has_left_is_forgotten(following):
    feed, changes = await following()
    async with aclosing(changes):
        feed.committed(typed(("else", ADA), drive=OTHER))
        feed.committed(typed(("memo", ADA)))
        assert await heard(changes) == [("memo", "Ada", 0)]
    assert not feed._followers
