import pytest

from domain.errors import NOT_FOUND, Code
from domain.item import TreeLimits
from domain.trash import (
    ItemDeleted,
    ItemRestored,
    ItemTrashed,
    delete_forever,
    in_trash,
    restore,
    restore_target,
    trash,
)
from tests.domain.given import CONTRIBUTOR, MANAGER, OWNER, READ_ONLY, READ_WRITE, below, drive, facts, folder, place

BACK = ItemRestored("memo", "acme", "plans")


def test_members_trash_what_they_see():
    assert trash(facts("memo", role=CONTRIBUTOR)) == (ItemTrashed("memo", "acme"),)


def test_a_grantee_trashes_strictly_below_the_granted_folder():
    assert trash(facts("memo", ("plans", READ_WRITE))) == (ItemTrashed("memo", "acme"),)
    assert trash(folder(("plans", READ_WRITE))).code is Code.FORBIDDEN
    assert trash(facts("memo", ("plans", READ_ONLY))).code is Code.FORBIDDEN


def test_what_is_in_the_trash_cannot_be_trashed_again():
    assert trash(facts("memo!", role=OWNER)) is NOT_FOUND
    assert trash(facts("memo", "plans!", role=OWNER)) is NOT_FOUND


@pytest.mark.parametrize(
    ("steps", "home"),
    [
        (("memo!",), None),
        (("memo!", "plans"), "plans"),
        (("memo!", "plans!"), None),
        (("memo!", "plans!", "top"), "top"),
        (("memo!", "notes", "plans!", "top"), "top"),
        (("memo!", "notes!", "plans!", "top"), "top"),
        (("memo!", "notes", "plans!"), None),
    ],
)
def test_an_item_comes_back_to_its_folder_or_the_nearest_live_one_or_the_root(steps, home):
    assert restore_target(facts(*steps, role=CONTRIBUTOR)) == ItemRestored("memo", "acme", home)


def test_restoring_what_is_not_in_the_trash_is_no_change():
    assert restore_target(facts("memo", "plans", role=OWNER)) == ()


def test_what_is_hidden_by_a_trashed_folder_is_not_in_the_trash_itself():
    hidden = facts("memo", "plans!", role=OWNER)
    assert restore_target(hidden) is NOT_FOUND
    assert delete_forever(hidden) is NOT_FOUND
    assert in_trash(hidden) is NOT_FOUND


def test_a_grantee_restores_strictly_below_the_granted_folder():
    assert restore_target(facts("memo!", ("plans", READ_WRITE))) == BACK
    assert restore_target(folder(("plans!", READ_WRITE))).code is Code.FORBIDDEN
    assert restore_target(facts("memo!", ("plans", READ_ONLY))).code is Code.FORBIDDEN


def test_a_grantee_restores_nothing_out_of_a_granted_folder_that_is_in_the_trash_itself():
    assert restore_target(facts("memo!", ("plans!", READ_WRITE), "top")).code is Code.FORBIDDEN
    assert restore_target(facts("memo!", ("plans!", READ_WRITE))).code is Code.FORBIDDEN
    assert restore_target(facts("memo!", ("plans!", READ_WRITE), ("top", READ_ONLY))).code is Code.FORBIDDEN
    within = facts("memo!", "notes!", ("plans", READ_WRITE))
    assert restore_target(within) == BACK


def test_a_folder_that_was_filled_meanwhile_takes_nothing_back():
    limits = TreeLimits(folder_children=10)
    full = place(folder("plans", role=OWNER), drive=drive(), children=10)
    assert restore(BACK, full, below(), limits).code is Code.LIMIT_EXCEEDED
    assert restore(BACK, place(folder("plans", role=OWNER), drive=drive(), children=9), below(), limits) == (BACK,)
    assert restore(BACK, place(drive=drive(), children=10), below(), limits) == (BACK,)


def test_a_drive_is_filled_by_all_that_comes_back_with_the_item():
    home = place(folder("plans", role=OWNER), drive=drive(live_items=7))
    assert restore(BACK, home, below(2, 4), TreeLimits(drive_items=10)).code is Code.LIMIT_EXCEEDED
    assert restore(BACK, home, below(2, 3), TreeLimits(drive_items=10)) == (BACK,)


def test_nothing_comes_back_deeper_than_a_tree_may_be_and_depth_is_told_first():
    home = place(folder("plans", "top", role=OWNER), drive=drive(live_items=10), children=10)
    assert restore(BACK, home, below(3), TreeLimits(10, 10, depth=4)).code is Code.TREE_TOO_DEEP
    assert restore(BACK, home, below(2), TreeLimits(10, 10, depth=4)).code is Code.LIMIT_EXCEEDED


def test_owners_alone_delete_for_ever():
    assert delete_forever(facts("memo!", role=OWNER)) == (ItemDeleted("memo", "acme", "Plan"),)
    assert delete_forever(facts("memo!", role=MANAGER)).code is Code.FORBIDDEN
    assert delete_forever(facts("memo!", ("plans", READ_WRITE))).code is Code.FORBIDDEN


def test_only_what_is_in_the_trash_is_deleted_for_ever():
    assert delete_forever(facts("memo", role=OWNER)).code is Code.NOT_IN_TRASH


def test_the_trash_of_others_is_missing():
    for decide in (restore_target, delete_forever, in_trash):
        assert decide(None) is NOT_FOUND
        assert decide(facts("memo!")) is NOT_FOUND
