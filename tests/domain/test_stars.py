"""Stars: of what one sees, asking twice is no change, and there is a bound."""

from domain.errors import Code, Rejection
from domain.star import MAX_STARS, ItemStarred, ItemUnstarred, Stars, star, unstar
from tests.domain.given import CONTRIBUTOR, facts, folder

MEMO = facts("memo", role=CONTRIBUTOR)


def test_a_document_and_a_folder_that_one_sees_are_starred():
    assert star(MEMO, "ben", Stars(0, has=False)) == (ItemStarred("ben", "memo"),)
    assert star(folder("plans", role=CONTRIBUTOR), "ben", Stars(5, has=False)) == (ItemStarred("ben", "plans"),)
    assert unstar(MEMO, "ben", Stars(1, has=True)) == (ItemUnstarred("ben", "memo"),)


def test_asking_twice_is_no_change():
    assert star(MEMO, "ben", Stars(MAX_STARS, has=True)) == ()
    assert unstar(MEMO, "ben", Stars(3, has=False)) == ()


def test_beyond_the_bound_another_star_has_to_go_first():
    refused = star(MEMO, "ben", Stars(MAX_STARS, has=False))
    assert isinstance(refused, Rejection)
    assert refused.code is Code.LIMIT_EXCEEDED
    assert star(MEMO, "ben", Stars(MAX_STARS - 1, has=False)) == (ItemStarred("ben", "memo"),)
