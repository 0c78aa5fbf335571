import re
from dataclasses import replace

import pytest
from graphql import get_introspection_query, parse
from hypothesis import given
from hypothesis import strategies as st

from graphql_api.query_limits import (
    MOST_EXPANDED,
    QueryCost,
    QueryLimits,
    Ruler,
    compared_pairs,
    limit_errors,
    may_exceed,
)
from graphql_api.strawberry_internals import core_schema
from tests.graphql_api import toy

SCHEMA = core_schema(toy.schema())
LIMITS = QueryLimits()
LESS = "ask for a smaller `first`, for fewer fields, or for the inner lists in another request"
STANDARD = get_introspection_query(
    descriptions=True,
    specified_by_url=True,
    directive_is_repeatable=True,
    schema_description=True,
    input_value_deprecation=True,
)
BOMB = "query { ...a0 } " + " ".join(f"fragment a{n} on Query {{ ...a{n + 1} ...a{n + 1} }}" for n in range(20))
BOMB += " fragment a20 on Query { b: caller }"


def measure(text: str, variables: dict[str, object] | None = None) -> QueryCost:
    return Ruler(SCHEMA, parse(text), variables or {}, LIMITS).measure()


def told(text: str, variables: dict[str, object] | None = None) -> list[str]:
    errors = limit_errors(SCHEMA, parse(text), variables or {}, LIMITS)
    assert all(error.extensions == {"code": "BAD_REQUEST"} for error in errors)
    return [error.message for error in errors]


def test_a_bomb_of_doubling_fragments_is_measured_once_a_fragment_and_refused() -> None:
    ruler = Ruler(SCHEMA, parse(BOMB), {}, LIMITS)
    assert ruler.measure().aliases == 2**20
    assert ruler.visited == 42
    assert told(BOMB) == [
        "the document is too full of aliases: 1048576 of at most 30 aliases; ask for some of them in another request",
        "the document is too full of look-ups: 1048576 of at most 10000 look-ups, each times the size of its page; "
        + LESS,
    ]


@given(st.lists(st.lists(st.integers(0, 30), max_size=6), min_size=1, max_size=30))
def test_the_work_of_measuring_is_the_length_of_the_document(spreads: list[list[int]]) -> None:
    bodies = [" ".join(f"...a{other}" for other in spread) + " caller" for spread in spreads]  # circles included
    text = "{ ...a0 } " + " ".join(f"fragment a{number} on Query {{ {body} }}" for number, body in enumerate(bodies))
    ruler = Ruler(SCHEMA, parse(text), {}, LIMITS)
    ruler.measure()
    assert ruler.visited <= 1 + sum(len(spread) + 1 for spread in spreads)


SIZES = st.none() | st.booleans() | st.integers(-3, 1_000) | st.text(max_size=2)
NESTED = "query ($a: Int, $b: Int = 3) { page(first: $a) { edges { node { shout children(first: $b) { shout children { id } } } } } }"


@given(st.dictionaries(st.sampled_from("ab"), SIZES))
def test_a_document_within_its_limits_at_its_largest_pages_is_so_with_any_variables(
    variables: dict[str, object],
) -> None:
    largest, document = measure(NESTED, {"a": 200, "b": 200}), parse(NESTED)
    just = QueryLimits(cost=largest.bounded_cost, look_ups=largest.look_ups)
    assert not may_exceed(SCHEMA, document, just)
    assert limit_errors(SCHEMA, document, variables, just) == []
    for tighter in (replace(just, cost=just.cost - 1), replace(just, look_ups=just.look_ups - 1)):
        assert may_exceed(SCHEMA, document, tighter)


def test_the_standard_introspection_query_is_allowed() -> None:
    assert told(STANDARD) == []


def test_two_standard_introspections_in_one_document_are_refused() -> None:
    (definition, *fragments) = STANDARD.partition("fragment")
    body = definition.strip()[len("query IntrospectionQuery {") : -1]
    assert told("{" + body + body.replace("__schema", "again: __schema") + "}" + "".join(fragments))


def test_introspection_into_the_fields_of_fields_is_refused() -> None:
    deep = "name"
    for _ in range(6):
        deep = f"fields {{ type {{ {deep} }} }}"
    assert told(f"{{ __schema {{ types {{ {deep} }} }} }}")


def test_depth_is_counted_through_fragments_but_not_by_them() -> None:
    text = "{ item(id: 1) { ...f ... on Item { ... { children { id } } } } } fragment f on Item { children { children { id } } }"
    assert measure(text).depth == 4


def test_a_document_deeper_than_the_limit_is_refused() -> None:
    def text(levels: int) -> str:
        return "{ item(id: 1) " + "{ children " * levels + "{ id }" + " }" * levels + " }"

    assert not any("deep" in message for message in told(text(10)))
    assert any(message.startswith("the document is too deep: 13 of at most 12 levels; ") for message in told(text(11)))


@pytest.mark.parametrize(
    "text",
    ["{ a " * 150 + "}" * 150, "{ ...a0 }" + "".join(f"fragment a{n} on Query {{ ...a{n + 1} }}" for n in range(150))],
)
def test_nesting_that_would_exhaust_the_stack_is_refused(text: str) -> None:
    assert told(text) == ["the document is nested too deeply"]


def test_aliases_are_counted_each_time_a_fragment_is_spread() -> None:
    assert measure("{ ...f ...f } fragment f on Query { a: caller b: caller c: caller }").aliases == 6


@pytest.mark.parametrize(
    ("arguments", "variables", "size"),
    [
        *(("", {}, 50), ("(first: 3)", {}, 3), ("(last: 4)", {}, 4), ("(first: 3, last: 4)", {}, 4)),
        *(("(first: 5000)", {}, 200), ("(first: 99999999999999999999)", {}, 200), ("(first: -1)", {}, 0)),
        *(("(first: $n)", {"n": 7}, 7), ("(first: $n)", {}, 50), ("(first: $n)", {"n": None}, 50)),
        *(
            ("(first: $n)", {"n": "many"}, 200),
            ("(first: $d)", {}, 8),
            ("(first: $d)", {"d": 9}, 9),
            ("(first: null)", {}, 50),
        ),
    ],
)
def test_a_connection_costs_its_page(arguments: str, variables: dict[str, object], size: int) -> None:
    text = f"query($n: Int, $d: Int = 8) {{ page{arguments} {{ edges {{ node {{ id name }} }} }} }}"
    assert measure(text, variables).cost == 1 + size * 4


def test_a_list_without_pages_costs_ten_of_its_items() -> None:
    assert measure("{ rows { items { id name } } }").cost == 1 + 1 + 10 * 2


def test_nested_pages_multiply() -> None:
    assert measure("{ page(first: 100) { edges { node { children(first: 200) { id name size } } } } }").cost == 60_301


def test_what_stands_below_look_ups_costs_no_more_than_as_many_as_an_operation_makes() -> None:
    text = "{ page(first: 200) { edges { node { children(first: 40) { children(first: 200) { id name size } } } } } }"
    measured = measure(text)
    assert measured.cost > 4_000_000
    assert 601_000 <= measured.bounded_cost < 602_000
    (message,) = told(text)
    assert re.fullmatch(
        r"the document is too costly: 60\d{4} of at most 500000 fields, each .*; ask for a smaller .*", message
    )
    assert told(text.replace("first: 200) { id", "first: 50) { id")) == []


def test_a_field_whose_resolver_asks_is_a_look_up_for_each_place_where_it_stands() -> None:
    text = "{ page(first: 3) { edges { node { shout children(first: 5) { children { id } } } } } }"
    assert measure(text).look_ups == 1 + 3 * (1 + 5)


def test_more_look_ups_than_any_page_needs_are_refused() -> None:
    text = "{ page(first: 200) { edges { node { children(first: 60) { children(first: 1) { id } } } } } }"
    assert told(text) == [
        "the document is too full of look-ups: 12201 of at most 10000 look-ups, each times the size of its page; "
        + LESS
    ]


FORTY_FRAGMENTS = (
    " ".join(f"...f{each}" for each in range(40))
    + "}"
    + "".join(f" fragment f{each} on Query {{ caller }}" for each in range(40))
)
TOO_MANY_PAIRS = "the document is too full of fields of one name, or of fragments, at one place: {} of at most 1000 pairs; ask for some of them in another request"


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("{" + "rows { items { id } } " * 26 + "}", 3 * 26 * 25 // 2),
        ("{" + "rows { items { id } } " * 27 + "}", 3 * 27 * 26 // 2),
        ("{" + " caller" * 45 + "}", 45 * 44 // 2),
        ("{" + " caller" * 46 + "}", 46 * 45 // 2),
        ("{" + " caller ... on Query { caller } " * 23 + "}", 46 * 45 // 2),
        ("{" + "...f " * 100 + "} fragment f on Query { caller }", 0),
        ("{ caller } fragment f on Query {" + " caller" * 46 + "}", 46 * 45 // 2),
        ("{" + FORTY_FRAGMENTS, 2 * 40 * 39 // 2),
        ("".join(f"query q{each} {{ caller }} " for each in range(90)), 0),
    ],
)
def test_so_many_fields_of_one_name_at_one_place_are_compared_with_each_other_and_no_more(
    text: str, pairs: int
) -> None:
    assert compared_pairs(parse(text)) == pairs
    assert told(text) == ([TOO_MANY_PAIRS.format(pairs)] if pairs > 1_000 else [])


@pytest.mark.parametrize(
    "fragments",
    [
        "fragment f on Item { x: children { ...f } y: children { ...f } }",
        "fragment f on Item { children { ...f } }",
        "".join(
            f"fragment f{each or ''} on Item {{ x: children {{ ...f{each + 1} }} y: children {{ ...f{each + 1} }} }} "
            for each in range(20)
        ),
    ],
)
def test_fragments_that_grow_without_end_are_expanded_so_far_and_no_further(fragments: str) -> None:
    assert compared_pairs(parse("{ rows { items { ...f } } } " + fragments)) == MOST_EXPANDED


def test_what_the_schema_does_not_know_is_measured_all_the_same() -> None:
    assert measure("{ nope(first: 9) { a: nothing } ...missing ... on Nothing { x } }") == QueryCost(2, 1, 3, 0, 0)
