"""Whose a Yjs client is: who wrote its first clock, whether the log still has that update or only its credits."""

from datetime import UTC, datetime

import pytest

from documents.history.credits import Credits, Source
from documents.history.owners import owners
from domain.document import LoggedUpdate
from tests.support.documents.encoding import client, element, gc, skip, update

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def logged(who, *clients, agent=None):
    return LoggedUpdate(update(*clients), who, agent, NOW)


def test_a_client_is_whose_first_clock_it_was_and_stays_that():
    log = [
        logged("ada", client(7, element())),
        logged("ben", client(8, element()), client(9, gc(2))),
        logged("ben", client(7, element(), clock=1)),
        logged("ben", client(7, element(), element())),
        logged("cleo", client(10, element()), agent="scribe"),
    ]
    assert owners(None, log) == {7: ("ada", None), 8: ("ben", None), 9: ("ben", None), 10: ("cleo", "scribe")}


@pytest.mark.parametrize("said", [client(7), client(7, gc(1), clock=3), client(7, skip(3), gc(1))])
def test_whoever_did_not_write_the_first_clock_has_no_client(said):
    assert owners(None, [logged("gus", said), logged("ada", client(7, element()))]) == {7: ("ada", None)}


def test_credits_of_a_snapshot_come_before_the_log():
    credited = Credits()
    credited.add({6: 0}, Source("gus", None, NOW))
    credited.add({6: 3, 7: 5}, Source("ada", "scribe", NOW))
    credited.add({7: 9}, Source("gus", None, NOW))
    found = owners(credited.encode(), [logged("ben", client(7, element(), clock=9), client(8, gc(1)))])
    assert found == {6: ("ada", "scribe"), 7: ("ada", "scribe"), 8: ("ben", None)}
