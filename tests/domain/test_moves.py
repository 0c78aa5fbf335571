import pytest

from domain.errors import NOT_FOUND, Code
from domain.item import TreeLimits
from domain.move import ItemMoved, Subtree, move, needs_walk
from tests.domain.given import (
    ACME,
    BETA,
    CONTRIBUTOR,
    GLOBEX,
    LIMITS,
    MANAGER,
    OWNER,
    PERSONAL,
    READ_ONLY,
    READ_WRITE,
    below,
    drive,
    facts,
    folder,
    place,
)

HERE = drive()


def go(item, where, under=None, limits=LIMITS):
    return move(item, where, under or below(), limits)


def into(*steps, role=OWNER, of=ACME, **more):
    return place(folder(*steps, role=role, drive=of), drive=drive(role, of), **more)


MEMO = facts("memo", "plans", role=OWNER)


def test_a_member_moves_an_item_into_a_folder():
    moved = go(facts("memo", "plans", role=CONTRIBUTOR), into("other", role=CONTRIBUTOR))
    assert moved == (ItemMoved("memo", "acme", "acme", "plans", "other", deepest=2),)


def test_a_member_moves_an_item_to_the_root():
    assert go(MEMO, place(drive=HERE)) == (ItemMoved("memo", "acme", "acme", "plans", None, deepest=1),)


def test_a_manager_moves_an_item_to_another_drive():
    moved = go(facts("memo", "plans", role=MANAGER), into("theirs", "top", role=MANAGER, of=BETA), below(3, 4))
    assert moved == (ItemMoved("memo", "acme", "beta", "plans", "theirs", deepest=5),)


@pytest.mark.parametrize("where", [into("plans"), place(folder("plans", role=OWNER), drive=drive(live_items=10**9))])
def test_the_same_place_again_is_no_change_whatever_the_limits(where):
    assert go(MEMO, where, below(200), TreeLimits(1, 1, 1)) == ()


def test_a_hidden_item_is_missing_wherever_it_should_go():
    for hidden in (None, facts("memo"), facts("memo!", role=OWNER), facts("memo", "plans!", role=OWNER)):
        for where in (into("other"), place(drive=HERE), place(drive=None), into("memo")):
            assert go(hidden, where) is NOT_FOUND


@pytest.mark.parametrize(
    "where",
    [
        place(drive=None),
        place(drive=drive(None), seen=False),
        place(drive=HERE, parent_id="gone"),
        place(folder("hidden"), drive=drive(None)),
        place(folder("binned!", role=OWNER), drive=HERE),
        place(folder("below", "binned!", role=OWNER), drive=HERE),
        place(folder("hidden", drive=BETA), drive=HERE),
    ],
)
def test_a_hidden_place_is_missing_even_to_who_may_not_move_at_all(where):
    assert go(MEMO, where) is NOT_FOUND
    assert go(facts(("memo", READ_ONLY)), where) is NOT_FOUND


def test_who_may_not_move_the_item_is_told_so_before_any_shape():
    reader = facts(("memo", READ_ONLY))
    for where in (into("memo", role=None), place(folder(("memo", READ_ONLY)), drive=drive(None)), place(drive=HERE)):
        assert go(reader, where).code in {Code.FORBIDDEN, Code.NOT_FOUND}
    assert go(reader, place(facts(("doc", READ_ONLY)), drive=drive(None))).code is Code.FORBIDDEN


def test_a_contributor_may_not_move_an_item_out_of_the_drive():
    mine = facts("memo", role=CONTRIBUTOR)
    for where in (into("theirs", of=BETA), place(drive=drive(of=BETA)), into("theirs", of=GLOBEX)):
        assert go(mine, where).code is Code.FORBIDDEN


def test_nobody_moves_to_where_they_may_not_create():
    assert go(MEMO, place(folder(("theirs", READ_ONLY), drive=BETA), drive=drive(None, BETA))).code is Code.FORBIDDEN
    assert go(MEMO, place(drive=drive(None, BETA))).code is Code.FORBIDDEN


def test_a_writing_grantee_moves_within_the_granted_folder():
    item = facts("memo", "notes", ("plans", READ_WRITE), "top")
    for steps in (("drafts", ("plans", READ_WRITE), "top"), (("plans", READ_WRITE), "top")):
        assert go(item, place(folder(*steps), drive=drive(None)))


def test_a_grantee_never_moves_the_granted_item_itself():
    item = folder(("plans", READ_WRITE), "top")
    assert go(item, place(folder(("other", READ_WRITE)), drive=drive(None))).code is Code.FORBIDDEN


def test_a_grantee_of_two_folders_takes_nothing_from_one_to_the_other():
    item = facts("memo", ("plans", READ_WRITE))
    assert go(item, place(folder(("other", READ_WRITE)), drive=drive(None))).code is Code.FORBIDDEN
    assert go(item, place(drive=drive(None))).code is Code.FORBIDDEN


def test_a_grant_inside_the_item_s_own_folder_does_not_carry_the_item_out_of_a_wider_reading_grant():
    item = facts("memo", ("inner", READ_WRITE), ("outer", READ_ONLY))
    assert go(item, place(folder("sister", ("outer", READ_ONLY)), drive=drive(None))).code is Code.FORBIDDEN
    for sister in (
        (("sister", READ_WRITE), ("outer", READ_ONLY)),
        ("below", ("sister", READ_WRITE), ("outer", READ_ONLY)),
    ):
        assert go(item, place(folder(*sister), drive=drive(None))).code is Code.FORBIDDEN


def test_the_parent_must_be_in_the_drive_that_is_named():
    wrong = place(folder("theirs", role=OWNER, drive=BETA), drive=HERE)
    assert go(MEMO, wrong).code is Code.PARENT_NOT_IN_DRIVE


def test_the_parent_must_be_a_folder():
    assert go(MEMO, place(facts("doc", role=OWNER), drive=HERE)).code is Code.NOT_A_FOLDER


@pytest.mark.parametrize("steps", [("plans",), ("notes", "plans"), ("deep", "notes", "plans", "top")])
def test_moving_a_folder_into_itself_or_below_is_refused(steps):
    assert go(folder("plans", role=OWNER), into(*steps)).code is Code.MOVE_CYCLE


def test_organizations_do_not_mix():
    assert go(MEMO, into("theirs", of=GLOBEX)).code is Code.CROSS_ORGANIZATION_MOVE
    assert go(MEMO, place(drive=drive(of=GLOBEX))).code is Code.CROSS_ORGANIZATION_MOVE


def test_personal_drives_give_and_take():
    mine = facts("memo", role=OWNER, drive=PERSONAL)
    assert go(mine, into("plans"))
    assert go(MEMO, place(drive=drive(of=PERSONAL)))


def test_a_tree_may_not_become_too_deep():
    where = into("c", "b", "a")
    assert go(MEMO, where, below(3), TreeLimits(depth=5)).code is Code.TREE_TOO_DEEP
    assert go(MEMO, where, below(2), TreeLimits(depth=5))


def test_a_full_folder_takes_nothing_more():
    assert go(MEMO, into("other", children=10), limits=TreeLimits(folder_children=10)).code is Code.LIMIT_EXCEEDED
    assert go(MEMO, place(drive=HERE, children=10), limits=TreeLimits(folder_children=10))


def test_a_drive_is_filled_by_all_that_comes_with_the_item():
    where = place(drive=drive(of=BETA, live_items=7))
    assert go(MEMO, where, below(2, 4), TreeLimits(drive_items=10)).code is Code.LIMIT_EXCEEDED
    assert go(MEMO, where, below(2, 3), TreeLimits(drive_items=10))


def test_inside_a_drive_that_is_too_full_already_items_still_move():
    assert go(MEMO, place(drive=drive(live_items=20)), below(2, 4), TreeLimits(drive_items=10))


def test_published_content_goes_only_to_where_the_mover_may_publish():
    for role, expected in ((CONTRIBUTOR, Code.UNPUBLISH_FIRST), (MANAGER, None)):
        for where in (place(drive=drive(role, BETA)), into("theirs", role=role, of=BETA)):
            assert getattr(go(MEMO, where, below(published=True)), "code", None) is expected
    granted = place(folder(("theirs", READ_WRITE), drive=BETA), drive=drive(None, BETA))
    assert go(MEMO, granted, below(published=True)).code is Code.UNPUBLISH_FIRST
    assert go(MEMO, granted, below(published=False))


def test_published_content_moves_freely_inside_its_drive():
    assert go(facts("memo", "plans", role=CONTRIBUTOR), into("other", role=CONTRIBUTOR), below(published=True))


def test_a_move_inside_a_drive_needs_no_walk_while_the_drive_is_shallow():
    assert not needs_walk(MEMO, into("other"), LIMITS)
    assert move(MEMO, into("other"), None, LIMITS) == (
        ItemMoved("memo", "acme", "acme", "plans", "other", deepest=1 + 4),
    )


def test_a_move_to_another_drive_or_near_the_greatest_depth_needs_a_walk():
    assert needs_walk(MEMO, into("theirs", of=BETA), LIMITS)
    assert needs_walk(MEMO, place(drive=None), LIMITS)
    assert needs_walk(MEMO, into("b", "a"), TreeLimits(depth=5))
    assert not needs_walk(MEMO, into("a"), TreeLimits(depth=5))


def test_nothing_leaves_its_drive_unlooked_at():
    with pytest.raises(AssertionError, match="must be looked at"):
        move(MEMO, into("theirs", of=BETA), None, LIMITS)


def test_what_is_moved_to_another_drive_has_to_fit_into_its_storage():
    theirs = into("theirs", role=MANAGER, of=BETA)
    item = facts("memo", "plans", role=MANAGER)
    assert move(item, theirs, Subtree(1, 1, published=False, bytes=10), LIMITS, left=9).code is Code.STORAGE_FULL
    assert move(item, theirs, Subtree(1, 1, published=False, bytes=10), LIMITS, left=10)
    assert move(MEMO, into("other"), Subtree(1, 1, published=False, bytes=10), LIMITS, left=-1)
