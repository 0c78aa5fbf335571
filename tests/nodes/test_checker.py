"""The checker of histories: what some order explains, and what none does."""

import pytest

from tests.nodes.histories import Change, Edit, History, Read, Told, has_order

GRANT, REVOKE = Change(1, 2, True), Change(5, 6, False)
EXPLAINED = {
    "nothing": [],
    "an edit by who has access": [GRANT, Edit(3, 4, "a"), Read(7, 8, {"a"}, by_owner=True)],
    "an edit while access ends": [GRANT, REVOKE, Edit(3, 9, "a"), Read(10, 11, {"a"}, by_owner=True)],
    "an edit without an answer, much later": [GRANT, Edit(3, 99, "a"), Read(4, 5, set(), by_owner=True)],
    "an edit by the owner after the end of access": [GRANT, REVOKE, Edit(7, 8, "a", by_owner=True)],
    "being told late": [GRANT, Edit(3, 4, "a"), REVOKE, Told(3, 9, "a")],
    "a read that is refused": [GRANT, REVOKE, Read(7, 8, None)],
    "two edits at once, of which a read has the later": [GRANT, Edit(3, 9, "a"), Edit(4, 9, "b"), Read(5, 6, {"b"}, by_owner=True)],
}  # fmt: skip
UNEXPLAINED = {
    "an edit without access": [Edit(3, 4, "a")],
    "an edit after the end of access": [GRANT, REVOKE, Edit(7, 8, "a")],
    "an edit that is stored after a read without it": [
        GRANT, Edit(3, 99, "a"), REVOKE, Read(7, 8, set(), by_owner=True), Read(9, 10, {"a"}, by_owner=True)
    ],
    "an edit that is lost": [GRANT, Edit(3, 4, "a"), Read(7, 8, set(), by_owner=True)],
    "an edit that was there before": [GRANT, Edit(3, 4, "a"), Edit(1, 2, "b", by_owner=True), Read(7, 8, {"a"}, by_owner=True)],
    "being told what was written after the end of access": [GRANT, REVOKE, Edit(7, 8, "a", by_owner=True), Told(7, 9, "a")],
    "a read after the end of access": [GRANT, REVOKE, Read(7, 8, set())],
    "a read that is refused with access": [GRANT, Read(3, 4, None)],
    "reads in two orders": [
        Edit(1, 9, "a", by_owner=True), Edit(1, 9, "b", by_owner=True),
        Read(2, 3, {"a"}, by_owner=True), Read(4, 5, {"b"}, by_owner=True),
    ],
}  # fmt: skip


@pytest.mark.parametrize("acts", EXPLAINED.values(), ids=EXPLAINED)
def test_there_is_an_order_of_what_can_be(acts):
    assert has_order(acts)


@pytest.mark.parametrize("acts", UNEXPLAINED.values(), ids=UNEXPLAINED)
def test_there_is_no_order_of_what_cannot_be(acts):
    assert not has_order(acts)


def test_an_opening_without_an_edit_that_was_acknowledged_before_is_explained_by_nothing():
    history = History()
    history.acknowledged(history.edit("a", by_owner=True))
    history.opened(history.edit("b").call, set(), by_owner=True)
    assert not history.is_explained()


def test_an_opening_may_be_without_an_edit_that_is_not_acknowledged_yet():
    history = History()
    edit = history.edit("a", by_owner=True)
    history.opened(history.edit("b").call, set(), by_owner=True)
    history.acknowledged(edit)
    assert history.is_explained()


def test_what_was_told_to_somebody_is_an_edit_though_nobody_was_answered():
    history = History()
    history.edit("a")
    assert history.is_explained()
    history.told({"a"}, by_owner=True)
    assert not history.is_explained()
