"""What a wait that runs out is: missing where the server answers at once, else late."""

from itertools import count

import pytest

from tests.support.live import npm
from tests.support.processes.faulty import SILENCE, answer, faulty
from tests.support.processes.rates import until_refused
from tests.support.processes.servers import PROBES, async_eventually, ran_out


def base(server):
    return server.url.removesuffix("/api/v1")


@pytest.mark.parametrize(
    ("script", "failure"),
    [
        ([answer(200)] * PROBES, AssertionError),
        ([answer(200)] * (PROBES - 1) + [SILENCE], TimeoutError),
        ([answer(503)], TimeoutError),
        ([b""], TimeoutError),
    ],
    ids=["prompt", "silent at last", "not ready", "hung up"],
)
def test_a_wait_that_runs_out_is_missing_where_the_server_answers_at_once(script, failure):
    with faulty(*script) as server:
        assert type(ran_out("nothing came", base(server))) is failure
        assert len(server.requests) == len(script)


def test_a_wait_for_no_server_is_late():
    assert type(ran_out("nothing came")) is TimeoutError


async def test_what_is_looked_for_is_returned_once_it_is_there():
    looks = iter([None, False, [], "there"])

    async def look():
        return next(looks)

    assert await async_eventually(look) == "there"


def test_a_rate_is_asked_until_it_refuses_and_not_for_ever():
    asked = count(1)
    assert until_refused(lambda: next(asked), 3, lambda number: number == 8) == [*range(1, 9)]
    with pytest.raises(AssertionError, match="nothing is refused"):
        until_refused(lambda: next(asked), 3, lambda _: False)


def test_the_words_of_node_for_a_wait_that_ran_out_are_known():
    thrown = "throw new Error(`not in time: "
    assert thrown in (npm.FOLDER / "clients.mjs").read_text()
    assert npm.LATE == "Error: not in time: "
