"""Does generated execution answer what stock execution answers, to the byte, whatever it is asked and given?"""

import json
from collections.abc import Generator
from datetime import datetime
from typing import Any

import pytest
from graphql import ExecutionResult, Undefined
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphql_api.compiled_execution import PreparedDocument, execute_coerced, execute_static, execute_stock, prepare
from tests.graphql_api import toy
from tests.support.suite.rounds import examples

SCHEMA = toy.schema()
LEAVES = (
    *("id", "driveId", "parentId", "kind", "name", "createdAt", "updatedAt", "trashedAt", "published", "publicUrl"),
    *("size", "ratio", "capabilities", "tags", "extra", "__typename"),
)
CREDIT = ("userId", "name", "agent", "__typename")


class Later:
    """An awaitable that, unlike a coroutine, may be awaited once by each way of execution."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __await__(self) -> Generator[None, None, Any]:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value
        yield


def credit() -> st.SearchStrategy[str]:
    names = st.lists(st.sampled_from(CREDIT), min_size=1, max_size=4)
    return names.flatmap(lambda chosen: st.tuples(*(field(name) for name in chosen))).map(" ".join)


def field(name: str) -> st.SearchStrategy[str]:
    # an alias always stands for the same field, so that merged selections stay valid
    return st.sampled_from([name, f"a_{name.strip('_')}: {name}"])


def selection(depth: int) -> st.SearchStrategy[str]:
    nested = [
        st.tuples(st.sampled_from(["createdBy", "updatedBy", "credits"]), credit()).map("{0[0]} {{ {0[1]} }}".format)
    ]
    nested.append(st.just("shout"))
    if depth:
        below = st.deferred(lambda: selection(depth - 1))
        nested += [below.map("children {{ {} }}".format), below.map("... on Item {{ {} }}".format)]
    parts = st.lists(st.one_of(st.sampled_from(LEAVES).flatmap(field), *nested), min_size=1, max_size=9)
    return parts.map(" ".join)


BODIES = (
    "query {{ rows {{ items {{ {} }} }} }}",
    "query {{ r: rows {{ __typename i: items {{ {} }} items {{ id }} }} rows {{ items {{ size }} }} }}",
    "query {{ maybeRows {{ {} }} }}",
    'query {{ item(id: "i0") {{ {} }} other: item(id: "none") {{ id }} }}',
    'query {{ rows {{ items {{ ...f }} }} item(id: "i1") {{ ...f name }} }} fragment f on Item {{ {} }}',
    'mutation {{ a: renameItem(id: "i0", name: "n") {{ {} }} b: renameItem(id: "i1", name: "n") {{ id }} }}',
)
documents = st.tuples(st.sampled_from(BODIES), selection(2)).map(lambda pair: pair[0].format(pair[1]))

WRONG = (
    *(
        None,
        Undefined,
        "",
        "folder",
        "read",
        "nope",
        0,
        1,
        -1,
        2**40,
        1.5,
        float("nan"),
        True,
        b"x",
        [],
        ["read"],
        {},
    ),
    *(ValueError("bad"), toy.Refused("FORBIDDEN", "no"), Later("x"), Later(None), Later(OSError("late")), object),
    *(toy.Kind.docs_workbook, toy.Capability.share, datetime(2026, 1, 1), ("edit", None), ("nope",), ({},)),  # noqa: DTZ001
    *(toy.By(name=None), toy.By(agent=4), (toy.By(), None, toy.By("u", None)), Later(toy.By()), range(2), "text"),
)
wrong = st.sampled_from(WRONG)
FIELDS = st.sampled_from(list(toy.Row.__dataclass_fields__))
rows = st.dictionaries(FIELDS, wrong, max_size=1) | st.dictionaries(FIELDS, wrong, max_size=3) | st.just({})


def made(changes: dict[str, Any]) -> toy.Row:
    kids = changes.get("kids", ())
    return toy.Row(**{**changes, "kids": kids if isinstance(kids, (list, tuple)) else ()})


worlds = st.lists(st.tuples(rows, st.lists(rows, max_size=2)), max_size=3).map(
    lambda items: [made({"kids": tuple(made(kid) for kid in kids), **row}) for row, kids in items]
) | st.lists(st.one_of(st.none(), st.just(toy.Row()), wrong), max_size=3)


def told(result: ExecutionResult) -> str:
    """Everything a client may see of a result, the order of keys and of errors included."""
    errors = [error.formatted for error in result.errors or ()]
    kinds = [type(error.original_error).__name__ for error in result.errors or ()]
    return json.dumps([result.data, errors, kinds], default=repr)


async def both(
    document: PreparedDocument, items: list[Any], variables: dict[str, Any] | None = None
) -> ExecutionResult:
    def context() -> dict[str, Any]:
        return {"rows": {f"i{number}": item for number, item in enumerate(items)}, "caller": "ada"}

    stock = await execute_stock(document, variables or {}, context())
    for _ in range(2):  # the second time from the plans of the first
        compiled = await execute_static(document, variables or {}, context())
        assert told(compiled) == told(stock)
    return stock


# graphql-core cancels what still runs beside a failed field, now and then before it has begun
@pytest.mark.filterwarnings("ignore:.*was never awaited", "ignore::pytest.PytestUnraisableExceptionWarning")
@settings(max_examples=examples(200), deadline=None)
@given(documents, worlds)
@example(BODIES[0].format("__typename"), [None])
@example(BODIES[0].format("createdBy { __typename }"), [toy.Row(created_by=ValueError("as a value"))])
@example(BODIES[0].format("name children { name shout }"), [toy.Row(kids=(toy.Row(), toy.Row(name="broken")))])
async def test_generated_execution_answers_what_stock_execution_answers(text: str, items: list[Any]) -> None:
    await both(prepare(SCHEMA, text), items)


EVERYTHING = f"{toy.ITEM} ratio tags extra credits {{ name }} kids: children {{ id }}"


@pytest.mark.parametrize("name", list(toy.Row.__dataclass_fields__))
async def test_every_field_answers_every_wrong_value_as_stock_execution_does(name: str) -> None:
    document = prepare(SCHEMA, f"{{ maybeRows {{ {EVERYTHING} }} rows {{ items {{ {EVERYTHING} }} }} }}")
    for value in WRONG:
        await both(document, [toy.Row(), made({name: value})])


@pytest.mark.parametrize("text", ["{ rows { items { createdBy { __typename } } } }", "{ maybeRows { __typename } }"])
async def test_a_selection_that_reads_nothing_still_tells_right_from_wrong(text: str) -> None:
    for value in WRONG:
        await both(prepare(SCHEMA, text), [toy.Row(created_by=value), value])


VARIABLES = "query($id: ID!, $first: Int = 1) { item(id: $id) { id children(first: $first) { id } } }"


@pytest.mark.parametrize(
    "variables",
    [
        *(
            {},
            {"id": None},
            {"id": "i0"},
            {"id": 7},
            {"id": ["i0"]},
            {"id": "i0", "first": None},
            {"id": "i0", "first": 2},
        ),
        *({"id": "i0", "first": 2**31}, {"id": {}, "first": "x"}, {"id": "i0", "unknown": 1}),
    ],
)
async def test_variables_are_coerced_as_by_stock_execution(variables: dict[str, Any]) -> None:
    await both(prepare(SCHEMA, VARIABLES), [toy.Row(kids=(toy.Row(), toy.Row()))], variables)


@pytest.mark.parametrize("variables", [{"id": "i0"}, {"id": "i0", "first": None}, {"id": "i0", "first": 2}])
async def test_coerced_variables_are_taken_as_they_are_beside_the_defaults_of_the_others(
    variables: dict[str, Any],
) -> None:
    document, context = prepare(SCHEMA, VARIABLES), {"rows": {"i0": toy.Row(kids=(toy.Row(), toy.Row()))}}
    result = await execute_coerced(document, variables, context)
    assert told(result) == told(await execute_stock(document, variables, context))
    assert result.data


@pytest.mark.parametrize("variables", [{"with": True}, {"with": False}])
async def test_a_document_with_directives_runs_by_stock_execution(variables: dict[str, Any]) -> None:
    document = prepare(SCHEMA, "query($with: Boolean!) { rows { items { id name @include(if: $with) } } }")
    await both(document, [toy.Row()], variables)
    assert not document.plans


async def test_a_list_of_plain_fields_is_one_generated_function() -> None:
    document = prepare(SCHEMA, f"{{ rows {{ items {{ {toy.ITEM} }} }} }}")
    await both(document, [toy.Row(), toy.Row()])
    (plan,) = document.plans.values()
    assert plan is not None
    assert not plan.resolved


async def test_a_field_with_a_resolver_leaves_the_plain_fields_beside_it_generated() -> None:
    document = prepare(SCHEMA, "{ rows { items { id shout name } } }")
    await both(document, [toy.Row(), toy.Row(name="broken")])
    assert [[name for name, _ in plan.resolved] for plan in document.plans.values() if plan] == [["shout"]]


async def test_running_a_document_again_adds_no_plans() -> None:
    document = prepare(SCHEMA, VARIABLES)
    await both(document, [toy.Row(kids=(toy.Row(),))], {"id": "i0"})
    before = (len(document.plans), len(document.sub_fields))
    await both(document, [toy.Row(kids=(toy.Row(),))], {"id": "i0"})
    assert (len(document.plans), len(document.sub_fields)) == before


async def test_resolvers_see_the_context_they_are_given() -> None:
    document = prepare(SCHEMA, "{ caller }")
    result = await execute_static(document, {}, {"caller": "ada"})
    assert result.data == {"caller": "ada"}


@pytest.mark.parametrize("text", ["{ nope }", "subscription { count(to: 1) }", "query a { caller } query b { caller }"])
def test_a_document_that_does_not_fit_stops_the_start(text: str) -> None:
    with pytest.raises(ValueError):
        prepare(SCHEMA, text)


async def test_subfields_are_still_remembered_where_the_documents_are_shared() -> None:
    document = prepare(SCHEMA, '{ item(id: "i0") { children { id } } }')
    await both(document, [toy.Row(kids=(toy.Row(size="x", id=None),))])
    key, (details, _) = next(iter(document.sub_fields.items()))
    assert key[1] == id(details)
