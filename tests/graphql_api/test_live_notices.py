"""Notices of live edits that one node tells another of, for the subscriptions there."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.commit import Commit, LiveEdits
from domain.credit import Credit
from graphql_api.drive_feed import DriveFeed, LiveEdit
from graphql_api.live_notices import MAX_WAITING, LiveNotices
from live.group_commit import EditAuthor

AT = datetime(2026, 11, 27, tzinfo=UTC)
ADA, BEN = Credit("ada", "Ada"), Credit("ben", "Ben", "scribe")


def typed(*authors, audited=(), document="document"):
    return Commit(live=LiveEdits({document: "drive"}, {document: [(each, b"") for each in authors]}, audited, 0))


def notices(*, others=True, interval=10.0):
    return LiveNotices(DriveFeed(), lambda: others, interval)


async def heard(sender):
    """What another node's subscription to the drive is told."""
    receiver = notices()
    following = receiver._feed.changes("drive")
    await anext(following)
    while sender.has_news:
        receiver.heard(sender.take(4_000))
    receiver._feed.notice(LiveEdit("drive", "last", ADA, AT + timedelta(days=1)))
    return (await anext(following))[:-1]


async def test_a_subscription_at_another_node_hears_who_types_in_which_document():
    sender = notices()
    sender.committed(typed(EditAuthor(ADA), EditAuthor(BEN)))
    told = await heard(sender)
    assert {(each.item_id, each.by) for each in told} == {("document", ADA), ("document", BEN)}


async def test_what_the_audit_has_an_entry_of_is_not_told():
    sender, author = notices(), EditAuthor(ADA)
    sender.committed(typed(author, audited=[author]))
    assert not sender.has_news


async def test_an_author_is_told_of_once_in_the_interval_and_then_again():
    sender, author = notices(), EditAuthor(ADA)
    sender.committed(typed(author))
    sender.take(4_000)
    sender.committed(typed(author))
    assert not sender.has_news
    sender = notices(interval=0.0)
    for _ in range(2):
        sender.committed(typed(author))
        assert sender.has_news
        sender.take(4_000)


async def test_text_that_is_in_no_read_is_told_with_who_deleted_it():
    sender, edit = notices(), LiveEdit("drive", "document", ADA, AT, is_unseen=True, deleted_by=BEN)
    sender.tell(edit)
    assert await heard(sender) == [edit]


async def test_a_process_that_is_alone_keeps_nothing_to_tell():
    sender = notices(others=False)
    sender.committed(typed(EditAuthor(ADA)))
    sender.tell(LiveEdit("drive", "document", ADA, AT, is_unseen=True))
    assert not sender.has_news


@pytest.mark.parametrize("size", [4_000, 7_900])
async def test_many_notices_go_in_several_rings_and_are_bounded(size):
    sender = notices()
    for number in range(MAX_WAITING + 10):
        sender.committed(typed(EditAuthor(Credit(str(number), "Ü" * 20))))
    count = 0
    while sender.has_news:
        assert len(sender.take(size).encode()) <= size
        count += 1
    assert 10 < count < MAX_WAITING


async def test_a_notice_that_no_ring_has_room_for_keeps_no_other_waiting():
    sender = notices()
    sender.committed(typed(EditAuthor(Credit("long", "Ü" * 4_000)), EditAuthor(ADA)))
    told = await heard(sender)
    assert [each.by for each in told] == [ADA]
