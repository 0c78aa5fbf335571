"""How long a session lasts, what a link is for, and which passwords may be chosen."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import email_link, session
from domain.account import new_password
from domain.email_link import LIFETIMES, Purpose
from domain.errors import NOT_FOUND, Code, Rejection
from domain.session import Lifetimes, OrganizationChosen, Session, SessionEnded
from domain.values import Email

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ADA = Email("ada@acme.example")
LAPTOP = Session("laptop", "ada", None, "Firefox on Linux", NOW, NOW)
PHONE = Session("phone", "ada", None, "Safari on iPhone", NOW, NOW)


@given(st.timedeltas(timedelta(0), timedelta(days=60)))
def test_a_session_never_outlives_its_longest_time_nor_its_idle_one(seen_after):
    lifetimes = Lifetimes()
    used = Session("s", "ada", None, "", NOW, NOW + seen_after)
    assert lifetimes.ends(used) <= NOW + lifetimes.longest
    assert lifetimes.ends(used) <= used.last_seen_at + lifetimes.idle


def test_somebody_ends_their_own_sessions_alone():
    assert session.end("phone", "ada", (LAPTOP, PHONE)) == (SessionEnded("phone", "ada"),)
    assert session.end("somebody's", "ada", (LAPTOP, PHONE)) == NOT_FOUND
    assert session.end_all((LAPTOP, PHONE), but="laptop") == (SessionEnded("phone", "ada"),)
    assert len(session.end_all((LAPTOP, PHONE))) == 2


def test_a_session_acts_in_an_organization_of_its_users_and_a_key_where_it_was_made():
    assert session.choose("laptop", "ada", "acme", belongs=True) == (OrganizationChosen("laptop", "ada", "acme"),)
    assert session.choose("laptop", "ada", "globex", belongs=False) == NOT_FOUND
    by_key = [session.choose(None, "ada", "acme", belongs=belongs) for belongs in (True, False)]
    assert isinstance(by_key[0], Rejection)
    assert by_key[0].code is Code.FORBIDDEN
    assert by_key[0] == by_key[1]


@pytest.mark.parametrize("purpose", Purpose)
def test_a_link_is_good_until_its_time_for_its_purpose(purpose):
    made = email_link.make("id", purpose, ADA, "ada", NOW, "digest", mailed=True).link
    last = NOW + LIFETIMES[purpose] - timedelta(milliseconds=1)
    assert email_link.use(made, purpose, last) == email_link.LinkUsed("id")
    assert email_link.use(made, purpose, NOW + LIFETIMES[purpose]) == NOT_FOUND
    for other in set(Purpose) - {purpose}:
        assert email_link.use(made, other, NOW) == NOT_FOUND
    assert email_link.use(None, purpose, NOW) == NOT_FOUND


@pytest.mark.parametrize(
    "text",
    ["", "short", "123456789", "aaaaaaaaaaaa", "abababababab", "ADA@acme.example", "x" * 201, "four words\0 here"],
)
def test_a_password_that_is_easy_to_guess_is_refused_with_why(text):
    refused = new_password(text, ADA)
    assert isinstance(refused, Rejection)
    assert refused.message.startswith("`password` ")
    assert text == "" or text not in refused.message


@pytest.mark.parametrize("text", ["four unrelated words", "тайна за семью печатями", "  spaces count  "])
def test_any_other_password_is_taken_as_it_is(text):
    assert new_password(text, ADA) == text
