import itertools

import pytest

from domain.access import RANK, Role
from domain.errors import NOT_FOUND, Code, Rejection
from domain.member import MemberRemoved, MemberSet, MembershipFacts, remove, upsert
from tests.domain.given import CONTRIBUTOR, MANAGER, OWNER, PERSONAL, drive

MAX = 600


def standing(role=None, *, inside=True, owners=2, members=5):
    return MembershipFacts(inside, role, owners, members)


def put(mine, role, theirs=None, most=MAX, **more):
    return upsert(drive(mine), "ben", role, standing(theirs, **more), most)


def end(mine, theirs, *, who="ben", **more):
    return remove(drive(mine), who, "ada", standing(theirs, **more))


def test_managers_add_managers_and_contributors():
    for role in (CONTRIBUTOR, MANAGER):
        assert put(MANAGER, role) == (MemberSet("acme", "ben", role, None),)


@pytest.mark.parametrize(("mine", "wanted", "theirs"), [*itertools.product(Role, Role, [None, *Role])])
def test_nobody_grants_or_touches_a_role_above_their_own(mine, wanted, theirs):
    answer = put(mine, wanted, theirs)
    above = RANK[wanted] > RANK[mine] or (theirs is not None and RANK[theirs] > RANK[mine])
    if mine is CONTRIBUTOR or above:
        assert answer.code is Code.FORBIDDEN
    else:
        assert answer == (() if wanted is theirs else (MemberSet("acme", "ben", wanted, theirs),))


@pytest.mark.parametrize(("mine", "theirs"), [*itertools.product(Role, Role)])
def test_nobody_removes_a_role_above_their_own(mine, theirs):
    answer = end(mine, theirs)
    may = mine is not CONTRIBUTOR and RANK[theirs] <= RANK[mine]
    assert answer == (MemberRemoved("acme", "ben", theirs),) if may else answer.code is Code.FORBIDDEN


@pytest.mark.parametrize("role", Role)
def test_any_member_may_leave(role):
    assert end(role, role, who="ada") == (MemberRemoved("acme", "ada", role),)


def test_the_last_owner_stays_owner():
    assert put(OWNER, MANAGER, OWNER, owners=1).code is Code.LAST_OWNER
    assert end(OWNER, OWNER, who="ada", owners=1).code is Code.LAST_OWNER
    assert put(OWNER, OWNER, OWNER, owners=1) == ()


def test_only_people_of_the_organization_become_members():
    assert put(OWNER, CONTRIBUTOR, inside=False) is NOT_FOUND


def test_who_is_no_member_cannot_be_removed():
    assert end(OWNER, None) is NOT_FOUND


def test_who_may_not_manage_members_learns_nothing_about_anybody():
    for inside in (True, False):
        assert put(CONTRIBUTOR, CONTRIBUTOR, inside=inside).code is Code.FORBIDDEN
    assert end(CONTRIBUTOR, None).code is Code.FORBIDDEN


def test_a_drive_has_so_many_members_and_no_more():
    assert put(OWNER, CONTRIBUTOR, most=5).code is Code.LIMIT_EXCEEDED
    assert put(OWNER, MANAGER, CONTRIBUTOR, most=5)


def test_a_personal_drive_has_no_members_to_change():
    own = drive(OWNER, PERSONAL)
    assert upsert(own, "ben", CONTRIBUTOR, standing(inside=False), MAX).code is Code.NOT_A_SHARED_DRIVE
    assert remove(own, "ada", "ada", standing(OWNER, owners=1)).code is Code.NOT_A_SHARED_DRIVE
    assert remove(own, "ben", "ada", standing()).code is Code.NOT_A_SHARED_DRIVE


def test_to_others_a_drive_is_missing():
    for hidden in (None, drive(None), drive(None, PERSONAL)):
        assert upsert(hidden, "ben", CONTRIBUTOR, standing(), MAX) is NOT_FOUND
        assert remove(hidden, "ada", "ada", standing(OWNER)) is NOT_FOUND


def test_messages_of_refusals_are_plain_sentences():
    refused = put(MANAGER, OWNER)
    assert isinstance(refused, Rejection)
    assert refused.message == "you may not make owners"
