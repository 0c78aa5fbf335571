from dataclasses import replace

import pytest

from domain.account import Account
from domain.errors import NOT_FOUND, Code
from domain.organization import (
    Invitation,
    InvitationAccepted,
    MemberInvited,
    Organization,
    OrganizationCreated,
    OrganizationFacts,
    OrganizationMemberRemoved,
    OrganizationRole,
    OrganizationRoleSet,
    accept,
    create,
    invite,
    remove,
    require_member,
    set_role,
)
from domain.values import Email, ItemName
from tests.domain.given import LATER, NOW

ADMIN, MEMBER = OrganizationRole.admin, OrganizationRole.member
ACME = Organization("acme", "Acme", NOW)
BEN = Email("ben@acme.example")
ADA = Account("ada", "Ada", Email("ada@acme.example"), email_verified=True, created_at=NOW)
INVITATION = Invitation("invitation", "acme", BEN, MEMBER, NOW, LATER)


def met(role=ADMIN, admins=2):
    return OrganizationFacts(ACME, role, admins)


def send(facts, by=ADA, standing=(), most=200):
    return invite(facts, INVITATION, "digest", by, standing, most)


def test_whoever_makes_an_organization_is_its_first_admin():
    assert create("new", ItemName("New"), "ada", NOW) == (OrganizationCreated(Organization("new", "New", NOW), "ada"),)


def test_admins_invite():
    assert send(met()) == (MemberInvited(INVITATION, "digest"),)
    assert send(met(MEMBER)).code is Code.FORBIDDEN


def test_whoever_has_not_verified_an_address_invites_nobody():
    assert send(met(), by=replace(ADA, email_verified=False)).code is Code.FORBIDDEN


def test_an_organization_has_so_many_open_invitations_and_no_more():
    over = replace(INVITATION, expires_at=NOW)
    assert send(met(), standing=[INVITATION] * 3, most=3).code is Code.LIMIT_EXCEEDED
    assert send(met(), standing=[INVITATION, INVITATION, over], most=3)


def test_an_invitation_is_accepted_at_the_address_it_was_sent_to():
    assert accept(INVITATION, "ben", BEN, NOW, None) == (InvitationAccepted("invitation", "acme", "ben", MEMBER),)


@pytest.mark.parametrize(
    ("invitation", "email", "now"),
    [(None, BEN, NOW), (INVITATION, Email("gus@b.example"), NOW), (INVITATION, BEN, LATER)],
)
def test_an_invitation_of_another_or_one_that_ran_out_is_missing(invitation, email, now):
    assert accept(invitation, "ben", email, now, None) is NOT_FOUND


def test_an_admin_who_accepts_an_invitation_stays_admin():
    (accepted,) = accept(INVITATION, "ben", BEN, NOW, ADMIN)
    assert accepted.role is ADMIN


def test_admins_change_roles():
    assert set_role(met(), "ben", ADMIN, MEMBER) == (OrganizationRoleSet("acme", "ben", ADMIN),)
    assert set_role(met(), "ben", MEMBER, ADMIN) == (OrganizationRoleSet("acme", "ben", MEMBER),)
    assert set_role(met(), "ben", MEMBER, MEMBER) == ()
    assert set_role(met(), "ben", MEMBER, None) is NOT_FOUND
    assert set_role(met(MEMBER), "ben", ADMIN, MEMBER).code is Code.FORBIDDEN


def test_the_last_admin_stays_admin():
    assert set_role(met(admins=1), "ada", MEMBER, ADMIN).code is Code.LAST_ADMIN
    assert remove(met(admins=1), "ada", "ada", ADMIN).code is Code.LAST_ADMIN
    assert set_role(met(admins=1), "ben", ADMIN, MEMBER)


def test_an_admin_removes_a_member_and_inherits_what_is_left_ownerless():
    assert remove(met(), "ben", "ada", MEMBER) == (OrganizationMemberRemoved("acme", "ben", "ada"),)
    assert remove(met(), "ben", "ada", None) is NOT_FOUND


def test_anybody_may_leave():
    assert remove(met(MEMBER), "ben", "ben", MEMBER) == (OrganizationMemberRemoved("acme", "ben", None),)
    assert remove(met(MEMBER), "cleo", "ben", MEMBER).code is Code.FORBIDDEN


def test_to_others_an_organization_is_missing():
    for hidden in (None, met(None)):
        assert require_member(hidden) is NOT_FOUND
        assert send(hidden) is NOT_FOUND
        assert set_role(hidden, "ben", ADMIN, MEMBER) is NOT_FOUND
        assert remove(hidden, "ben", "ada", MEMBER) is NOT_FOUND
        assert remove(hidden, "ada", "ada", None) is NOT_FOUND
