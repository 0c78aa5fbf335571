"""What is published of the contract: complete, and true to it."""

import json

import jsonschema_rs
import pytest

from contract.operations import Answer
from rest_adapter.openapi import openapi, reference_page
from tests.rest_adapter.surface import CONTRACT, JSON_ROWS, ROWS, World

DOCUMENT = openapi(CONTRACT)
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


def schema_of(schema):
    return schema | {"components": DOCUMENT["components"]}


def test_it_is_served_to_everybody_and_is_these_operations_exactly():
    described = {(m.upper(), path) for path, item in DOCUMENT["paths"].items() for m in item}
    assert described == {(row.method.value, row.path) for row in ROWS}
    assert len([row for row in ROWS if not row.extension]) == 18


@each_row
def test_an_extension_is_marked_as_one(row):
    assert DOCUMENT["paths"][row.path][row.method.lower()].get("x-extension", False) is row.extension


@each_row
def test_each_operation_is_described_whole(row):
    operation = DOCUMENT["paths"][row.path][row.method.lower()]
    assert operation["operationId"] == row.name
    assert operation["summary"]
    assert operation["description"]
    assert operation["tags"] == [row.group]
    assert {"200", "400", "401", "429", "500", "503"} <= operation["responses"].keys()
    for status, response in operation["responses"].items():
        assert response["description"]
        assert "X-Request-Id" in response["headers"]
        if status not in ("200", "304"):
            assert response["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Error"}
    assert ("content" in operation["responses"]["200"]) == (row.answer is not Answer.EMPTY)
    for parameter in operation["parameters"]:
        assert "$ref" in parameter or parameter["description"]


@each_row
def test_each_example_is_valid(row):
    operation = DOCUMENT["paths"][row.path][row.method.lower()]
    medias = [response.get("content", {}) for response in operation["responses"].values()]
    if row in JSON_ROWS:
        medias.append(operation.get("requestBody", {}).get("content", {}))
    for media in (media for content in medias for media in content.values()):
        examples = [media["example"]] if "example" in media else [each["value"] for each in media["examples"].values()]
        for shown in examples:
            jsonschema_rs.validate(schema_of(media["schema"]), shown, validate_formats=True)
    for parameter in operation["parameters"]:
        if "example" in parameter:
            jsonschema_rs.validate(schema_of(parameter["schema"]), parameter["example"], validate_formats=True)


def test_what_makes_something_links_to_all_that_may_be_done_with_it():
    links = DOCUMENT["paths"]["/drive-items/{itemId}/children"]["post"]["responses"]["200"]["links"]
    assert {"driveItems.get", "driveItems.rename", "driveItems.move", "documents.read"} <= links.keys()
    assert links["driveItems.get"]["parameters"] == {"path.itemId": "$response.body#/item/id"}
    assert "drives.rename" in DOCUMENT["paths"]["/drives"]["post"]["responses"]["200"]["links"]


def test_a_link_fills_the_whole_path_of_what_it_leads_to():
    paths = {row.name: row.path for row in ROWS}
    links = [
        link
        for item in DOCUMENT["paths"].values()
        for operation in item.values()
        for response in operation["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert links
    for link in links:
        assert {f"{{{name.removeprefix('path.')}}}" for name in link["parameters"]} == {
            part for part in paths[link["operationId"]].split("/") if part.startswith("{")
        }


async def test_the_document_and_its_page_need_no_key_and_load_nothing():
    world = World()
    response = await world.ask("GET", "/openapi.json", key=None)
    assert response.status_code == 200
    assert response.json() == json.loads(json.dumps(DOCUMENT))
    shown = await world.ask("GET", "/docs", key=None)
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    assert shown.text == reference_page(CONTRACT)
    for row in ROWS:
        assert row.name in shown.text
    assert "http://" not in shown.text
    assert "https://" not in shown.text
    assert "src=" not in shown.text
    refused = await world.ask("POST", "/openapi.json", key=None)
    assert refused.status_code == 405
    assert refused.headers["allow"] == "GET, HEAD, OPTIONS"
