"""The input language of the contract: each kind of GraphQL's inputs, as JSON, as text of a query, and as JSON Schema."""

from datetime import UTC, datetime

import pytest
from graphql import build_schema, coerce_input_value, parse_type, type_from_ast
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from contract.errors import RejectionError
from contract.input_types import MAX_ENTRIES, InputTypes
from contract.scalars import MAX_INT, MIN_INT
from domain.errors import Code, Rejection

SCHEMA = build_schema("""
    scalar Timestamp
    scalar EmailAddress
    enum DriveItemType { folder docs_workbook }
    "One passage."
    input Passage { old: String!, new: String!, times: Int = 1, tags: [String!] }
    input Edit @oneOf { replace: String, append: String, passages: [Passage!] }
    input Deep { edit: Edit, edits: [[Passage!]!] }
    type Query { a(a: Timestamp, b: EmailAddress, c: DriveItemType, d: Passage, e: Edit, f: Deep, g: Float): Int }
""")  # fmt: skip


def made(declared: str):
    components = {}

    def component(name, _description, schema):
        components[name] = schema
        return {"$ref": f"#/components/schemas/{name}"}

    kind = InputTypes(component).of(type_from_ast(SCHEMA, parse_type(declared)))
    return kind, Draft202012Validator({**kind.schema, "components": {"schemas": components}})


GOOD = [
    ("Int!", 0, 0), ("Int!", MIN_INT, MIN_INT), ("Int!", MAX_INT, MAX_INT), ("Int!", 1e2, 100), ("Int", None, None),
    ("Float!", 1, 1.0), ("Float!", -1.5e300, -1.5e300), ("Boolean!", False, False), ("Boolean", None, None),
    ("Timestamp!", "2026-01-02T03:04:05.678901+01:00", datetime(2026, 1, 2, 2, 4, 5, 678901, UTC)),
    ("EmailAddress!", "Ada@Example.COM", "ada@example.com"), ("DriveItemType!", "folder", "folder"),
    ("[Int!]!", [], []), ("[Int]!", [1, None], [1, None]), ("[[Boolean!]!]", [[True], []], [[True], []]),
    ("Passage!", {"old": "a", "new": ""}, {"old": "a", "new": "", "times": 1}),
    ("Passage!", {"new": "b", "old": "a", "times": None, "tags": ["x"]}, {"old": "a", "new": "b", "times": None, "tags": ["x"]}),
    ("Edit!", {"append": ""}, {"append": ""}), ("Edit", None, None), ("Deep!", {"edit": None}, {"edit": None}),
    ("[Int!]!", [0] * MAX_ENTRIES, [0] * MAX_ENTRIES),
    ("Edit!", {"passages": [{"old": "a", "new": "b"}]}, {"passages": [{"old": "a", "new": "b", "times": 1}]}),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "value", "parsed"), GOOD)
def test_a_value_of_its_kind_comes_out_as_graphql_coerces_it(declared, value, parsed):
    kind, validator = made(declared)
    result = kind.parse(value, "it")
    assert result == parsed
    assert type(result) is type(parsed)
    validator.validate(value)
    if declared not in ("Timestamp!", "EmailAddress!"):  # whose parsers this schema does not have
        assert coerce_input_value(value, type_from_ast(SCHEMA, parse_type(declared))) == parsed


@given(st.integers(0, 3), st.integers(0, 3), st.lists(st.integers(MIN_INT, MAX_INT), max_size=7))
def test_a_list_of_bounded_length_is_taken_where_its_schema_admits_it(fewest, further, value):
    kind = made("[Int!]!")[0].of_length(fewest, fewest + further)
    assert (kind.parse(value, "it") == value) is Draft202012Validator(kind.schema).is_valid(value)


DEEP: object = []
for _ in range(900):
    DEEP = [DEEP]

BAD = [
    ("Int!", MAX_INT + 1, "`it` must be a whole number from"), ("Int!", MIN_INT - 1, "`it` must be a whole number"),
    ("Int!", 10**400, "`it` must be a whole number"), ("Int!", 1.5, "`it` must be a whole number"),
    ("Int!", True, "`it` must be a whole number"), ("Int!", "1", "`it` must be a whole number"),
    ("Int!", [1], "`it` must be a whole number"), ("Int!", None, "`it` must not be null"),
    ("Float!", True, "`it` must be a number"), ("Float!", "1.5", "`it` must be a number"), ("Float!", {}, "`it` must be"),
    ("Boolean!", 1, "`it` must be true or false"), ("Boolean!", "true", "`it` must be true or false"),
    ("Timestamp!", 7, "`it` must be a moment"), ("DriveItemType!", "drive", "`it` must be one of `folder`"),
    ("[Int!]!", 1, "`it` must be a list"), ("[Int!]!", {"0": 1}, "`it` must be a list"),
    ("[Int!]!", [1, None], "`it[1]` must not be null"), ("[Int!]!", [1, True], "`it[1]` must be a whole number"),
    ("[Int!]!", [0] * (MAX_ENTRIES + 1), f"`it` must have at most {MAX_ENTRIES} entries"), ("[Int!]!", DEEP, "`it[0]`"),
    ("[String!]!", ["a", "\0"], "`it[1]` holds a NUL"), ("[String!]!", ["\ud800"], "`it[0]` holds a lone surrogate"),
    ("Passage!", "a", "`it` must be an object"), ("Passage!", [], "`it` must be an object"), ("Passage!", DEEP, "`it`"),
    ("Passage!", {"old": "a"}, "`it.new` is missing"), ("Passage!", {"old": None, "new": ""}, "`it.old` must not be null"),
    ("Passage!", {"old": "a", "new": "b", "color": 1}, "`it.color` is no field of this object"),
    ("Passage!", {"old": "\ud800", "new": ""}, "`it.old` holds a lone surrogate"),
    ("Passage!", {"old": "", "new": "", "\ud800": ""}, "`it.\ufffd` is no field"),
    ("Edit!", {}, "`it` must have exactly one of `replace`, `append`, `passages`"),
    ("Edit!", {"replace": "", "append": ""}, "`it` must have exactly one"), ("Edit!", {"append": None}, "`it` must have exactly"),
    ("Edit!", {"passages": [{"old": "a", "new": "b"}] * 3 + [{"old": 7, "new": ""}]}, "`it.passages[3].old` must be a string"),
    ("Deep!", {"edits": [[], [{"old": "", "new": "", "times": "1"}]]}, "`it.edits[1][0].times` must be a whole number"),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "value", "message"), BAD)
def test_a_wrong_value_is_named_by_its_path(declared, value, message):
    kind, validator = made(declared)
    result = kind.parse(value, "it")
    assert isinstance(result, Rejection)
    assert result.code is Code.BAD_REQUEST
    assert result.message.startswith(message)
    result.message.encode()
    if (
        "\ud800" not in repr(value).encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        and "surrogate" not in message
    ):
        assert "NUL" in message or declared == "Timestamp!" or not validator.is_valid(value)


@pytest.mark.parametrize(
    "value", [10**400, -(10**400), float("inf"), float("nan")], ids=["huge", "-huge", "inf", "nan"]
)
def test_a_number_that_64_bits_cannot_hold_is_refused(value):
    assert isinstance(made("Float!")[0].parse(value, "it"), Rejection)


@pytest.mark.parametrize(
    "text",
    ["", "now", "2026-01-02", "2026-01-02T03:04:05", "20260102T030405Z", "2026-13-02T03:04:05Z", "2026-01-02T25:04:05Z",
     "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-02T03:04:05Z\n", "1767323045", "2026-W01-1T00:00Z"],
)  # fmt: skip
def test_a_moment_is_one_text_of_rfc_3339_with_a_zone(text):
    assert isinstance(made("Timestamp!")[0].parse(text, "it"), Rejection)


TEXTS = [
    ("Int!", ["20"], 20), ("Int!", ["-1"], -1), ("Boolean!", ["true"], True), ("Boolean!", ["false"], False),
    ("Float!", ["1.5"], 1.5), ("Float!", ["1e3"], 1000.0), ("String!", ["20"], "20"), ("String!", ["true"], "true"),
    ("[Int!]!", ["1", "2"], [1, 2]), ("[String!]", ["a"], ["a"]), ("DriveItemType!", ["folder"], "folder"),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "texts", "parsed"), TEXTS)
def test_a_text_of_a_query_is_a_value_of_the_kind_that_is_declared(declared, texts, parsed):
    kind, _ = made(declared)
    result = kind.parse(kind.read(texts, "it"), "it")
    assert (result, type(result)) == (parsed, type(parsed))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "020",
        "+1",
        " 1",
        "1 ",
        "0x10",
        "1_000",
        "NaN",
        "Infinity",
        "-",
        "\u0661",
        "1" * 5_000,
        "1.5",
        "1e2",
        "1e999",
    ],
)
def test_a_text_that_is_no_whole_number_is_refused_as_one(text):
    kind, _ = made("Int!")
    assert isinstance(kind.parse(kind.read([text], "it"), "it"), Rejection)


@pytest.mark.parametrize("text", ["", "True", "TRUE", "1", "yes", "null"])
def test_a_text_that_is_neither_true_nor_false_is_refused(text):
    kind, _ = made("Boolean!")
    assert isinstance(kind.parse(kind.read([text], "it"), "it"), Rejection)


def test_one_value_that_came_twice_is_refused():
    with pytest.raises(RejectionError, match="`it` came more than once"):
        made("Int!")[0].read(["1", "1"], "it")


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["folder", "a@b.example"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["old", "new", "times", "tags", "append", "passages", "edit", "edits"]) | st.text(), inner, max_size=3),
)  # fmt: skip


@given(json)
def test_whatever_the_schema_admits_is_accepted_and_nothing_raises(value):
    for declared in ("Int", "Boolean!", "[Int!]", "Passage!", "Edit!", "Deep", "[[Passage!]]"):
        kind, validator = made(declared)
        result = kind.parse(value, "it")
        if isinstance(result, Rejection):
            result.message.encode()
        if validator.is_valid(value) and not _unstorable(value):
            assert not isinstance(result, Rejection), (declared, result)


def _unstorable(value):
    if isinstance(value, str):
        return "\0" in value or any("\ud800" <= character <= "\udfff" for character in value)
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return any(map(_unstorable, inner))


@pytest.mark.parametrize("sent", ["2026-11-26T08:00:00 00:00", "2026-11-26T08:00:00.5 0130"])
def test_a_moment_whose_plus_became_a_space_is_told_so(sent):
    refused = made("Timestamp!")[0].parse(sent, "changedSince")
    assert isinstance(refused, Rejection)
    assert refused.message.endswith("write a `+` in an address as `%2B`")
