"""What was used lately is kept, within bounds."""

from hypothesis import given
from hypothesis import strategies as st

from live.lately import Lately

NAMES = st.sampled_from("abcd")
STEPS = st.lists(
    st.tuples(st.just("keep"), NAMES, st.integers(0, 12))
    | st.tuples(st.sampled_from(["get", "take"]), NAMES, st.just(0))
)


@given(STEPS)
def test_the_last_used_are_kept_as_long_as_they_weigh_no_more_than_they_may(steps):
    lately, model = Lately(10), {}
    for number, (what, name, weight) in enumerate(steps):
        if what == "keep":
            lately.keep(name, number, weight)
            model.pop(name, None)
            if weight <= 10:
                model[name] = number, weight
            while sum(weight for _, weight in model.values()) > 10:
                del model[next(iter(model))]
        else:
            assert getattr(lately, what)(name) == model.get(name, (None,))[0]
            found = model.pop(name, None)
            if what == "get" and found:
                model[name] = found
