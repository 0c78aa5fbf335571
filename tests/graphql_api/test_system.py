"""Fresh ids: of one form, never twice, and each sorting after the last."""

import uuid
from concurrent.futures import ThreadPoolExecutor

from domain.values import is_id
from graphql_api.system import new_id, now


def test_each_id_sorts_after_the_last():
    made = [new_id() for _ in range(20_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_ids_made_at_once_are_different_and_in_order_for_each_who_makes_them():
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: [new_id() for _ in range(2_000)], range(4)))
    assert all(each == sorted(each) for each in made)
    assert len({one for each in made for one in each}) == 8_000


def test_an_id_is_a_uuid_of_version_7_in_its_one_spelling():
    made = new_id()
    assert is_id(made)
    assert str(uuid.UUID(made)) == made
    assert (uuid.UUID(made).version, uuid.UUID(made).variant) == (7, uuid.RFC_4122)


def test_an_id_holds_the_moment_it_was_made():
    before, made, after = now(), uuid.UUID(new_id()), now()
    milliseconds = made.int >> 80
    assert before.timestamp() * 1000 - 1 <= milliseconds <= after.timestamp() * 1000 + 1_000


def test_the_present_is_in_whole_milliseconds():
    assert now().microsecond % 1_000 == 0
