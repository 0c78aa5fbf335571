"""The checker of histories: what some order explains, and what none does."""

import pytest

from tests.nodes.histories import Edit, Grant, History, Opened, Read, Told, has_order, revoked

GRANT, REVOKED = Grant(1, 2), revoked(5, 6)
EXPLAINED = {
    "nothing": [],
    "an edit by who has access": [GRANT, Edit(3, 4, "a", 0), Read(7, 8, {"a"}, by_owner=True)],
    "an edit while access ends": [GRANT, *REVOKED, Edit(3, 9, "a", 0), Read(10, 11, {"a"}, by_owner=True)],
    "an edit without an answer, much later": [GRANT, Edit(3, 99, "a", 0), Read(4, 5, set(), by_owner=True)],
    "an edit by the owner after the end of access": [GRANT, *REVOKED, Edit(7, 8, "a", None)],
    "being told late": [GRANT, Edit(3, 4, "a", 0), *REVOKED, Told(3, 9, "a", 1)],
    "a read that is refused": [GRANT, *REVOKED, Read(7, 8, None)],
    "two edits at once, of which a read has the later": [GRANT, Edit(3, 9, "a", 0), Edit(4, 9, "b", 1), Read(5, 6, {"b"}, by_owner=True)],
    "a node that lets go later than the other, and than requests are refused, before the answer": [
        GRANT, *revoked(3, 10), Read(4, 5, None), Edit(6, 7, "a", 1), Told(8, 9, "a", 1)
    ],
}  # fmt: skip
UNEXPLAINED = {
    "an edit without access": [Edit(3, 4, "a", 0)],
    "an edit after the end of access": [GRANT, *REVOKED, Edit(7, 8, "a", 1)],
    "an edit that is stored after a read without it": [
        GRANT, Edit(3, 99, "a", 0), *REVOKED, Read(7, 8, set(), by_owner=True), Read(9, 10, {"a"}, by_owner=True)
    ],
    "an edit that is lost": [GRANT, Edit(3, 4, "a", 0), Read(7, 8, set(), by_owner=True)],
    "an edit that was there before": [GRANT, Edit(3, 4, "a", 0), Edit(1, 2, "b", None), Read(7, 8, {"a"}, by_owner=True)],
    "being told what was written after the end of access": [GRANT, *REVOKED, Edit(7, 8, "a", None), Told(7, 9, "a", 0)],
    "a read after the end of access": [GRANT, *REVOKED, Read(7, 8, set())],
    "a read that is refused with access": [GRANT, Read(3, 4, None)],
    "a read at one node after one that was refused at the other": [GRANT, *revoked(3, 10), Read(4, 5, None), Read(6, 7, set())],
    "an opening after a read that was refused": [GRANT, *revoked(3, 10), Read(4, 5, None), Opened(6, 7)],
    "an edit at a node that had let go": [GRANT, *revoked(3, 4), Grant(7, 12), Edit(5, 6, "a", 0)],
    "reads in two orders": [
        Edit(1, 9, "a", None), Edit(1, 9, "b", None),
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
    history.acknowledged(history.edit("a", None))
    history.opened(history.edit("b", 0).call, set(), None)
    assert not history.is_explained()


def test_an_opening_may_be_without_an_edit_that_is_not_acknowledged_yet():
    history = History()
    edit = history.edit("a", None)
    history.opened(history.edit("b", 0).call, set(), None)
    history.acknowledged(edit)
    assert history.is_explained()


def test_what_was_told_to_somebody_is_an_edit_though_nobody_was_answered():
    history = History()
    history.edit("a", 0)
    assert history.is_explained()
    history.told({"a"}, None)
    assert not history.is_explained()
