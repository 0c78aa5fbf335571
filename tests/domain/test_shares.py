from dataclasses import replace

import pytest

from domain.account import Account
from domain.errors import NOT_FOUND, Code
from domain.share import ItemShared, ShareChanged, ShareRemoved, Shares, remove, share, update
from domain.values import Email
from tests.domain.given import CONTRIBUTOR, NOW, OWNER, READ_ONLY, READ_WRITE, facts

GUS, ADA = Email("gus@globex.example"), Email("ada@acme.example")
NONE, SOME = Shares(None, 0, inside=False), Shares(READ_ONLY, 3, inside=False)
VERIFIED = Account("ada", "Ada", ADA, email_verified=True, created_at=NOW)
UNVERIFIED = replace(VERIFIED, email_verified=False)
MEMO = facts("memo", role=CONTRIBUTOR)


def give(item=MEMO, email=GUS, permission=READ_ONLY, shares=NONE, most=200, by=VERIFIED):
    return share(item, email, permission, by, shares, most)


def test_a_member_shares_with_any_address():
    assert give() == (ItemShared("memo", "acme", GUS, READ_ONLY),)


def test_the_same_share_again_is_no_change():
    assert give(shares=SOME) == ()
    assert give(shares=replace(SOME, count=200)) == ()


def test_another_permission_is_a_change_that_share_does_not_make():
    assert give(shares=SOME, permission=READ_WRITE).code is Code.SHARE_EXISTS


def test_nobody_shares_with_themselves():
    assert give(email=ADA).code is Code.SELF_SHARE
    assert give(email=ADA, shares=SOME).code is Code.SELF_SHARE


def test_an_item_is_shared_with_so_many_addresses_and_no_more():
    assert give(shares=replace(NONE, count=5), most=5).code is Code.LIMIT_EXCEEDED
    assert give(shares=replace(NONE, count=4), most=5)


@pytest.mark.parametrize("permission", [READ_ONLY, READ_WRITE])
def test_grantees_share_nothing(permission):
    grantee = facts(("memo", permission))
    assert give(grantee).code is Code.FORBIDDEN
    assert update(grantee, GUS, READ_ONLY, VERIFIED, NONE).code is Code.FORBIDDEN
    assert remove(grantee, GUS, ADA, NONE).code is Code.FORBIDDEN


def test_a_share_is_changed():
    assert update(MEMO, GUS, READ_WRITE, VERIFIED, SOME) == (ShareChanged("memo", "acme", GUS, READ_WRITE),)
    assert update(MEMO, GUS, READ_ONLY, VERIFIED, SOME) == ()


def test_a_share_is_removed():
    assert remove(MEMO, GUS, ADA, SOME) == (ShareRemoved("memo", "acme", GUS),)


def test_what_is_not_shared_is_neither_changed_nor_removed():
    assert update(MEMO, GUS, READ_ONLY, VERIFIED, NONE) is NOT_FOUND
    assert remove(MEMO, GUS, ADA, NONE) is NOT_FOUND


def test_whoever_was_granted_something_may_give_it_back():
    assert remove(facts(("memo", READ_ONLY)), ADA, ADA, SOME) == (ShareRemoved("memo", "acme", ADA),)
    assert remove(facts("memo", ("plans", READ_ONLY)), ADA, ADA, NONE) is NOT_FOUND


def test_sharing_what_one_does_not_see_finds_nothing():
    for hidden in (None, facts("memo"), facts("memo!", role=OWNER)):
        assert give(hidden) is NOT_FOUND
        assert update(hidden, GUS, READ_ONLY, VERIFIED, SOME) is NOT_FOUND
        assert remove(hidden, GUS, ADA, SOME) is NOT_FOUND
        assert remove(hidden, ADA, ADA, SOME) is NOT_FOUND


def test_whoever_has_not_verified_an_address_shares_inside_the_drives_organization_alone():
    inside = replace(NONE, inside=True)
    assert give(by=UNVERIFIED).code is Code.FORBIDDEN
    assert "settings" in give(by=UNVERIFIED).message
    assert give(by=UNVERIFIED, shares=inside) == (ItemShared("memo", "acme", GUS, READ_ONLY),)
    assert update(MEMO, GUS, READ_WRITE, UNVERIFIED, SOME).code is Code.FORBIDDEN
    changed = update(MEMO, GUS, READ_WRITE, UNVERIFIED, replace(SOME, inside=True))
    assert changed == (ShareChanged("memo", "acme", GUS, READ_WRITE),)
    assert give(facts("memo"), by=UNVERIFIED) is NOT_FOUND, "what they do not see is missing first"
