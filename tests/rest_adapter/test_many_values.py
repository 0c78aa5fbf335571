"""Bodies of many values: each would be one of Python's own, and half a million fit into a megabyte."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.requests import MAX_VALUES, has_many_values
from tests.rest_adapter.surface import World, envelope

FEW = 4
TEXTS = st.text(st.sampled_from('a,[{"\\\n\u00e9'), max_size=9)
VALUES = st.recursive(
    st.none() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


def counted(value):
    """The lists and objects of a value, and the commas between what they hold."""
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if held is None else 1 + max(0, len(held) - 1) + sum(map(counted, held))


@given(VALUES)
def test_values_are_counted_outside_of_texts(value):
    assert has_many_values(json.dumps(value).encode(), FEW) == (counted(value) > FEW)


@given(st.text(st.sampled_from('a,[]{}":\\\n'), max_size=30))
def test_what_is_no_json_is_counted_too(text):
    assert not has_many_values(text.encode(), FEW) or sum(map(text.count, ",[{")) > FEW


@pytest.mark.parametrize("text", ['"' + '\\"' * 400_000, '","' * 10_000, "," * 20_000 + '"\\' * 30_000])
def test_texts_without_an_end_are_looked_at_once(text):
    has_many_values(text.encode())


async def sent(content):
    return await World().ask("POST", "/drives", content=content, headers={"content-type": "application/json"})


async def test_as_many_values_as_may_be_are_parsed_and_one_more_is_refused():
    most = "[" + ",".join(["1"] * MAX_VALUES) + "]"
    refused = await sent(most[:-1] + ",1]")
    assert envelope(refused) == (400, "BAD_REQUEST")
    assert "too many values" in refused.text
    assert "must be a JSON object" in (await sent(most)).text


async def test_a_text_may_hold_any_number_of_commas():
    answer = await sent(json.dumps({"name": "," * 20_000, "x": 1}))
    assert "too many values" not in answer.text
