"""Who may claim an account by a link to its address, and what a takeover ends."""

from datetime import UTC, datetime

import pytest

from domain.account import Account, AccountCreated, AccountRenamed, EmailVerified, may_take_over
from domain.errors import Code
from domain.key import KeyRevoked
from domain.oauth import AppDisconnected
from domain.session import PasswordSet, SessionEnded
from domain.take_over import AccountClaim, Planted, PlantedApp, claim_account
from domain.values import Email

NOW = datetime(2026, 1, 2, tzinfo=UTC)
ZOE = Email("zoe@new.example")
PLANTED = Planted(sessions=("laptop",), keys=("first", "second"), apps=(PlantedApp("app", "Claude Code"),))


def account(*, verified):
    return Account("zoe", "Not her", ZOE, verified, NOW)


def claim(known, *, mailed):
    return claim_account(AccountClaim("Zoe", ZOE, "hash", mailed), known, PLANTED, "new", "drive", NOW)


@pytest.mark.parametrize("mailed", [True, False])
def test_a_new_account_is_verified_where_its_link_was_mailed(mailed):
    made, events = claim(None, mailed=mailed)
    begun = (AccountCreated(made, "drive"), PasswordSet("new", "hash"))
    assert (made.id, made.email_verified) == ("new", False)
    assert events == ((*begun, EmailVerified("new", ZOE)) if mailed else begun)


def test_an_unverified_account_that_is_taken_over_loses_its_keys_sessions_and_applications():
    made, events = claim(account(verified=False), mailed=True)
    assert made.id == "zoe"
    assert {SessionEnded("laptop", "zoe"), KeyRevoked("first", "zoe"), KeyRevoked("second", "zoe")} <= set(events)
    assert AppDisconnected("app", "zoe", "Claude Code") in events
    assert {AccountRenamed("zoe", "Zoe"), PasswordSet("zoe", "hash"), EmailVerified("zoe", ZOE)} <= set(events)


@pytest.mark.parametrize(("verified", "mailed"), [(True, True), (True, False), (False, False)])
def test_nobody_takes_a_verified_account_or_one_that_nothing_was_mailed_to(verified, mailed):
    assert not may_take_over(account(verified=verified), mailed=mailed)
    assert claim(account(verified=verified), mailed=mailed).code is Code.BAD_REQUEST
