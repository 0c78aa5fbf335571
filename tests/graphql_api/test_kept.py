"""Is what was made of a value kept for it alone, and no longer than there is room?"""

from hypothesis import given
from hypothesis import strategies as st

from graphql_api.kept import Kept


class Value:
    def __init__(self, number: int) -> None:
        self.number = number


def named(values):
    return [f"{value.number}" for value in values]


@given(st.lists(st.lists(st.integers(0, 6))), st.integers(1, 5))
def test_each_value_has_what_is_made_of_it_however_often_it_is_listed(listings, most):
    values, kept = [Value(number) for number in range(7)], Kept(most)
    for listing in listings:
        listed = [values[number] for number in listing]
        assert kept.each(listed, named) == named(listed)
        assert len(kept) <= max(most, len(listing))


def test_only_what_is_new_is_made():
    one, two, made = Value(1), Value(2), []

    def make(values):
        made.extend(values)
        return named(values)

    kept = Kept(10)
    assert kept.each([one], make) == ["1"]
    assert kept.each((two, one), make) == ["2", "1"]
    assert kept.each([one, two], make) == ["1", "2"]
    assert made == [one, two]


def test_a_value_that_came_and_went_is_never_taken_for_another():
    kept = Kept(3)
    for number in range(100):  # each gone before the next is made, so that ids would come again
        assert kept.each([Value(number)], named) == [f"{number}"]
