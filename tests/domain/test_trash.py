import pytest
from given import CONTRIBUTOR, MANAGER, OWNER, READ_ONLY, READ_WRITE, facts, folder

from domain.errors import NOT_FOUND, Code
from domain.trash import ItemDeleted, ItemRestored, ItemTrashed, delete_forever, in_trash, restore, trash


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
    assert restore(facts(*steps, role=CONTRIBUTOR)) == (ItemRestored("memo", "acme", home),)


def test_restoring_what_is_not_in_the_trash_is_no_change():
    assert restore(facts("memo", "plans", role=OWNER)) == ()


def test_what_is_hidden_by_a_trashed_folder_is_not_in_the_trash_itself():
    hidden = facts("memo", "plans!", role=OWNER)
    assert restore(hidden) is NOT_FOUND
    assert delete_forever(hidden) is NOT_FOUND
    assert in_trash(hidden) is NOT_FOUND


def test_a_grantee_restores_strictly_below_the_granted_folder():
    assert restore(facts("memo!", ("plans", READ_WRITE))) == (ItemRestored("memo", "acme", "plans"),)
    assert restore(folder(("plans!", READ_WRITE))).code is Code.FORBIDDEN
    assert restore(facts("memo!", ("plans", READ_ONLY))).code is Code.FORBIDDEN


def test_a_grantee_restores_nothing_out_of_a_granted_folder_that_is_in_the_trash_itself():
    assert restore(facts("memo!", ("plans!", READ_WRITE), "top")).code is Code.FORBIDDEN
    assert restore(facts("memo!", ("plans!", READ_WRITE))).code is Code.FORBIDDEN
    within = facts("memo!", "notes!", ("plans", READ_WRITE))
    assert restore(within) == (ItemRestored("memo", "acme", "plans"),)


def test_owners_alone_delete_for_ever():
    assert delete_forever(facts("memo!", role=OWNER)) == (ItemDeleted("memo", "acme", "Plan"),)
    assert delete_forever(facts("memo!", role=MANAGER)).code is Code.FORBIDDEN
    assert delete_forever(facts("memo!", ("plans", READ_WRITE))).code is Code.FORBIDDEN


def test_only_what_is_in_the_trash_is_deleted_for_ever():
    assert delete_forever(facts("memo", role=OWNER)).code is Code.NOT_IN_TRASH


def test_the_trash_of_others_is_missing():
    for decide in (restore, delete_forever, in_trash):
        assert decide(None) is NOT_FOUND
        assert decide(facts("memo!")) is NOT_FOUND
