"""What the contract derives from its rows, its documents and the schema."""

import re
from dataclasses import replace
from importlib.resources import files

import pytest
from graphql import get_variable_values, parse
from hypothesis import given
from hypothesis import strategies as st

from contract.contract import ContractError, command_words, contract, contract_json, documents, tool_name
from contract.derivation import Derivation
from contract.descriptions import DESCRIPTIONS
from contract.errors import RejectionError
from contract.examples import example
from contract.operation_schema import Location
from contract.operations import BY_NAME, OPERATIONS, Answer, MediaType, Surface
from domain.values import NAME_PATTERN
from edge.requests import parse_inputs
from graphql_api.compiled_execution import prepare
from graphql_api.schema import build
from graphql_api.strawberry_internals import core_schema

BUILT = build()
SCHEMA = core_schema(BUILT)
CONTRACT = contract(SCHEMA)
SPECIFIED = {name: shape for name, shape in CONTRACT.shapes.items() if not shape.operation.extension}
GOOD = {"itemId": "i", "driveId": "d", "parentId": None}
json = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=2))


def places(name):
    return {each.name: each.place.value for each in CONTRACT.shapes[name].inputs.values()}


def test_the_inputs_are_the_variables_placed_by_the_braces_and_the_method():
    assert places("driveItems.move") == {"itemId": "path", "driveId": "body", "parentId": "body"}
    assert places("driveItems.updateShare") == {"itemId": "path", "email": "path", "permission": "body"}
    assert places("drives.list") == {"cursor": "query"}


@pytest.mark.parametrize("name", CONTRACT.shapes)
def test_what_other_surfaces_say_of_an_operation_is_nothing_of_graphqls_own(name):
    summary = CONTRACT.shapes[name].summary
    assert summary.endswith(".")
    assert not re.search(r"\bnull\b|\n|mutation|query|GraphQL", summary, re.IGNORECASE)


def test_the_text_of_suggestions_says_whose_people_they_are_on_a_personal_drive():
    shape = CONTRACT.shapes["driveItems.shareSuggestions"]
    for text in (shape.summary, DESCRIPTIONS[shape.operation.name].text):
        assert re.search(r"drive's organization,? or,? on a personal drive,? of your active one", text)


def test_the_cursor_is_the_one_optional_input_of_the_specification():
    optional = {(n, e.name) for n, s in SPECIFIED.items() for e in s.inputs.values() if not e.required}
    assert optional == {("drives.list", "cursor")}


def test_the_parent_is_the_one_field_of_a_specified_body_that_may_be_null_and_it_must_be_there():
    fields = [(n, e) for n, s in SPECIFIED.items() for e in s.placed(Location.BODY) if e.type.nullable]
    assert [(name, each.name, each.schema["type"]) for name, each in fields] == [
        ("driveItems.move", "parentId", ["string", "null"])
    ]
    shape = CONTRACT.shapes["driveItems.move"]
    assert parse_inputs(shape, GOOD) == GOOD
    with pytest.raises(RejectionError, match="`parentId` is missing"):
        parse_inputs(shape, {"itemId": "i", "driveId": "d"})


@pytest.mark.parametrize("name", [name for name, shape in CONTRACT.shapes.items() if not shape.file])
def test_inputs_are_parsed_to_what_graphql_coerces_them_to(name):
    shape = CONTRACT.shapes[name]
    values = {each.name: example(each.schema, CONTRACT.components, each.name) for each in shape.inputs.values()}
    prepared = prepare(BUILT, documents()[shape.operation.document])
    coerced = get_variable_values(SCHEMA, prepared.operation.variable_definitions or (), values)
    assert parse_inputs(shape, values) == coerced.coerced


def test_values_come_out_in_the_form_in_which_they_are_stored():
    parsed = parse_inputs(CONTRACT.shapes["driveItems.removeShare"], {"itemId": "i", "email": "Ada@EXAMPLE.com"})
    assert parsed == {"itemId": "i", "email": "ada@example.com"}


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("driveItems.move", {**GOOD, "colour": 1}, "`colour` is no field"),
        ("driveItems.move", {**GOOD, "driveId": None}, "`driveId` must not be null"),
        ("driveItems.move", {**GOOD, "driveId": 7}, "`driveId` must be a string"),
        ("driveItems.move", {**GOOD, "driveId": "\0"}, "`driveId` holds a NUL character"),
        ("driveItems.move", {**GOOD, "parentId": "\ud800"}, "`parentId` holds a lone surrogate"),
        ("driveItems.setPublication", {"itemId": "i", "published": 1}, "`published` must be true or false"),
        ("driveItems.setPublication", {"itemId": "i", "published": "true"}, "`published` must be true or false"),
        ("drives.upsertMember", {"driveId": "d", "userId": "u", "role": "king"}, "`role` must be one of `owner`"),
        ("drives.create", {"name": " "}, "`name` must have a visible character"),
        ("driveItems.removeShare", {"itemId": "i", "email": "ada"}, "`email` must be an e-mail address"),
    ],
)
def test_a_wrong_input_is_named_in_a_plain_sentence(name, values, said):
    with pytest.raises(RejectionError, match=f"^{re.escape(said)}"):
        parse_inputs(CONTRACT.shapes[name], values)


@pytest.mark.parametrize("shape", CONTRACT.shapes.values(), ids=CONTRACT.shapes.keys())
def test_every_input_is_parsed_or_rejected_and_every_message_can_be_sent(shape):
    names = st.sampled_from([*shape.inputs, "other"]) | st.text()

    @given(st.dictionaries(names, json, max_size=5))
    def check(values):
        try:
            parse_inputs(shape, values)
        except RejectionError as refused:
            refused.rejection.message.encode()

    check()


def test_names_and_types_of_objects_are_those_of_the_schema_and_nothing_is_optional():
    item = CONTRACT.components["DriveItem"]
    assert item["additionalProperties"] is False
    assert item["required"] == list(item["properties"])
    assert len(item["required"]) == 17
    assert item["properties"]["trashedAt"]["type"] == ["string", "null"]
    assert item["properties"]["role"]["enum"] == ["owner", "manager", "contributor", None]
    for shape in CONTRACT.shapes.values():
        assert (shape.answer is None) == (shape.operation.answer is Answer.EMPTY)
    assert CONTRACT.shapes["driveItems.createChild"].answer["properties"] == {
        "item": {"$ref": "#/components/schemas/DriveItem"}
    }
    assert CONTRACT.shapes["drives.list"].answer == {"$ref": "#/components/schemas/DriveListing"}


def test_a_name_is_published_as_the_pattern_that_is_accepted():
    assert CONTRACT.shapes["drives.create"].inputs["name"].schema == {
        "type": "string", "minLength": 1, "maxLength": 255, "pattern": NAME_PATTERN,
    }  # fmt: skip


def test_every_surface_spells_an_operation_its_own_way():
    assert tool_name("driveItems.createChild") == "drive_items_create_child"
    assert command_words("driveItems.sharedWithMe") == ["drive-items", "shared-with-me"]
    tools = [row["tool"] for row in contract_json(CONTRACT)["operations"] if Surface.MCP in row["surfaces"]]
    assert len(set(tools)) == len(tools) == 17
    full = [row for row in OPERATIONS if Surface.MCP_FULL in row.surfaces]
    assert [row.name for row in full if not row.extension] == [row.name for row in full if Surface.MCP in row.surfaces]
    assert {row.name for row in full if row.extension} == {row.name for row in OPERATIONS if row.extension}


def test_five_operations_of_the_specification_only_read():
    assert {row.name for row in OPERATIONS if row.read_only and not row.extension} == {
        "documents.read", "driveItems.get", "driveItems.sharedWithMe", "driveItems.shareSuggestions", "drives.list",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("createDrive(name: $name)", "createDrive(title: $name)"),
        ("DrivesCreate($name: ItemName!)", "DrivesCreate($name: String!)"),
        ("  trashedAt\n", "  binnedAt\n"),
        ("query DrivesList(", "query DrivesListed("),
        ("query DrivesList($cursor: Cursor)", "query DrivesList($cursor: String!)"),
        ("query DriveItemsGet($itemId: ID!)", 'query DriveItemsGet($itemId: ID! = "one")'),
        ("$documentId", "$document"),
        ("  trashedAt\n", "  trashedAt @include(if: true)\n"),
        ("    nextCursor\n  }\n", "    nextCursor\n  }\n  viewer { id }\n"),
        ("# The contract's", "query More { viewer { id } } # The contract's"),
    ],
)
def test_a_document_that_does_not_fit_its_row_and_the_schema_stops_the_start(was, becomes):
    text = files("contract").joinpath("operations.graphql").read_text()
    assert was in text
    with pytest.raises(ContractError):
        contract(SCHEMA, text.replace(was, becomes))


@pytest.mark.parametrize(
    ("name", "body"), [("drives.create", MediaType.MULTIPART), ("driveItems.uploadImage", MediaType.JSON)]
)
def test_a_row_whose_body_cannot_hold_its_inputs_stops_the_start(name, body):
    derivation = Derivation(SCHEMA, parse(files("contract").joinpath("operations.graphql").read_text()))
    assert derivation.shape(BY_NAME[name]).body
    with pytest.raises(ContractError, match=f"^{name} has inputs that no body of {body} holds$"):
        derivation.shape(replace(BY_NAME[name], body=body))
