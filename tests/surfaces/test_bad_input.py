"""Whether anything that can be sent makes the server fail or write half: no answer is 5xx, and nothing is changed."""

import json
import socket
from contextlib import suppress

import pytest
from graphql import get_named_type, is_leaf_type, is_required_argument

from contract.operation_schema import Location
from contract.operations import BY_NAME
from tests.support.processes.servers import PATIENCE
from tests.support.surfaces.callers import CONTRACT, JSON_BODY, LEFT_OUT, PIXEL, SCHEMA, heard, read

WITH_BODY = [name for name, shape in CONTRACT.shapes.items() if shape.placed(Location.BODY) and BY_NAME[name].document]
MEGABYTE = 1 << 20
BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "a number": b"42",
    "null": b"null",
    "more than one": b"{}{}",
    "a field twice": b'{"name": "a", "name": "b"}',
    "NaN": b'{"name": NaN}',
    "a huge number": b'{"name": 1e999999}',
    "a long number": b'{"name": ' + b"9" * 100_000 + b"}",
    "NUL": b'{"name": "a\\u0000b"}',
    "a raw NUL": b'{"name": "a\0b"}',
    "a lone surrogate": b'{"name": "\\ud800"}',
    "surrogates the wrong way round": b'{"name": "\\udc00\\ud800"}',
    "a surrogate as UTF-8": b'{"name": "\xed\xa0\x80"}',
    "no UTF-8": b'{"name": "\xff"}',
    "UTF-16": '{"name": "a"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "a"}',
    "deep lists": b"[" * 200_000,
    "deep objects": b'{"name":' * 100_000,
    "a deep field": b'{"name": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "an unknown field": b'{"name": "a", "driveItemType": "folder", "color": "red"}',
    "prototype": b'{"__proto__": {"name": "a"}}',
}
VALUES = ["\0", "\ud800", "\x07", "", " ", "a" * 300, 7, 1.5, 10**400, -1, True, [], ["a"], {}, {"name": "a"}, None]
TYPES = [
    "", "text/plain", "text/plain; charset=utf-8", "application/x-www-form-urlencoded", "multipart/form-data",
    "application/json; charset=latin-1", "application/jsonp", "application/*", "json", "application/xml", ";", "a" * 1000,
]  # fmt: skip


@pytest.fixture(scope="module")
def scene(ada, ben):
    drive = ada.drive("Bad input", contributor=ben)
    return {
        "itemId": ada.document(drive), "documentId": ada.document(drive), "driveId": drive, "parentId": None,
        "userId": ben.id, "name": "New", "driveItemType": "folder", "email": "new@newcomers.example",
        "permission": "read_only", "role": "contributor", "published": False, "update": "AAA=", "text": "new",
        "first": 1, "after": None, "cursor": None, "token": "none", "agent": None, "organizationId": drive, "id": drive,
        **LEFT_OUT,
    }  # fmt: skip


def path(operation: str, scene: dict) -> str:
    return "/api/v1" + BY_NAME[operation].path.format(**scene)


def post(person, operation, scene, **content):
    headers = {"x-api-key": person.key} | content.pop("headers", JSON_BODY)
    return heard(
        person.client.request(BY_NAME[operation].method, path(operation, scene), headers=headers, **content)
    )  # fmt: skip


@pytest.mark.parametrize("operation", WITH_BODY)
def test_a_body_that_is_no_right_object_is_400_and_nothing_is_written(operation, ada, scene, state):
    before = state()
    told = {what: post(ada, operation, scene, content=body).status for what, body in BODIES.items()}
    assert told == dict.fromkeys(BODIES, 400)
    assert post(ada, operation, scene, content=b" " * (MEGABYTE + 1)).status == 413
    parts = (b" " * 65_536 for _ in range(17))  # of which the head does not tell how many come
    assert post(ada, operation, scene, content=parts).status == 413
    assert state() == before


@pytest.mark.parametrize("operation", WITH_BODY)
def test_each_field_of_a_body_is_refused_for_every_wrong_value(operation, ada, scene, state):
    before = state()
    fields = CONTRACT.shapes[operation].placed(Location.BODY)
    for field in fields:
        for value in VALUES:
            body = {each.name: scene[each.name] for each in fields} | {field.name: value}
            rows = state()
            said = post(ada, operation, scene, content=json.dumps(body))
            assert said.status < 400 or state() == rows, (field.name, value)
            fine = (field.type.nullable and value is None) or (field.schema.get("maxLength") and value == "a" * 300)
            unknown = field.name.endswith("Id") and isinstance(value, str)
            agreed = isinstance(value, bool) and field.schema.get("type") == "boolean"
            free = field.name in ("append", "replace", "agent") and isinstance(value, str)
            free = free or (field.name == "passages" and value == []) or said.code == "REVISION_GONE"
            assert said.status == 400 or fine or unknown or agreed or free, (field.name, value, said)
            assert said.status < 500
            assert said.status != 400 or "`" in said.message or "JSON" in said.message
    if operation not in ("driveItems.setPublication", "driveItems.duplicate", "documents.edit"):
        assert state() == before


@pytest.mark.parametrize("operation", WITH_BODY)
def test_a_body_of_another_type_is_415(operation, ada, scene, state):
    before = state()
    body = json.dumps({each.name: scene[each.name] for each in CONTRACT.shapes[operation].placed(Location.BODY)})
    for kind in TYPES:
        assert post(ada, operation, scene, content=body, headers={"content-type": kind}).status == 415, kind
    assert state() == before


@pytest.mark.parametrize("operation", WITH_BODY)
def test_a_body_that_is_compressed_is_415(operation, ada, scene, state):
    before = state()
    for coding in ("gzip", "br", "nonsense", "identity, gzip"):
        said = post(ada, operation, scene, content=b"{}", headers=JSON_BODY | {"content-encoding": coding})
        assert (said.status, "Content-Encoding" in said.message) == (415, True), coding
    assert state() == before


def test_a_query_that_is_compressed_is_415(ada):
    send = {"content-encoding": "gzip", "x-api-key": ada.key} | JSON_BODY
    assert (
        ada.client.post(
            "/graphql", content=b'{"query": "{ drives { edges { node { id } } } }"}', headers=send
        ).status_code
        == 415
    )


def test_an_edit_under_a_tag_is_told_of_the_revision_that_it_is_based_on(ada, scene, state):
    before = state()
    for tag in ('"1"', "*", 'W/"1"'):
        headers = JSON_BODY | {"if-match": tag}
        said = post(ada, "documents.edit", scene, content=b'{"append": "a", "base": 0}', headers=headers)
        assert (said.status, "`base`" in said.message) == (400, True)
    assert state() == before


@pytest.mark.parametrize(
    "query", ["cursor=%ff", "cursor=%zz", "cursor=%00", "cursor=a&cursor=b", "&".join("a=1" for _ in range(500))]
)
def test_a_query_that_cannot_be_read_is_400(query, ada):
    assert ada.rest.send("GET", f"/drives?{query}").status == 400


NOT_WHOLE = [
    "",
    "1e2",
    "1.5",
    "020",
    "+1",
    "true",
    "null",
    "NaN",
    "ten",
    "1%20",
    "%00",
    "2147483648",
    "9" * 400,
    "1" * 5_000,
]


@pytest.mark.parametrize("text", NOT_WHOLE)
def test_a_number_in_a_query_or_path_is_refused_by_its_name_for_whatever_is_no_whole_number(text, ada, scene):
    for target, name in (
        (f"/search?text=a&first={text}", "first"),
        (f"/drives/{scene['driveId']}/events?first={text}", "first"),
        *([(f"/documents/{scene['documentId']}/versions/{text}", "number")] if len(text) in range(1, 1_000) else []),
    ):
        said = ada.rest.send("GET", target)
        assert said.status == 400, (target, said)
        assert f"`{name}`" in said.message


NUMBERS = [
    (operation, each.name, each.schema[end])
    for operation, shape in CONTRACT.shapes.items()
    for each in (*shape.placed(Location.QUERY), *shape.placed(Location.PATH))
    if each.schema.get("type") == "integer"
    for end in ("minimum", "maximum")
]


@pytest.mark.parametrize(("operation", "name", "number"), NUMBERS)
def test_the_least_and_the_greatest_number_that_the_contract_allows_are_taken(operation, name, number, ada, scene):
    sent = scene | {name: number}
    asked = {each.name: sent[each.name] for each in CONTRACT.shapes[operation].placed(Location.QUERY) if each.required}
    if name not in BY_NAME[operation].path:
        asked |= {name: number}
    said = ada.rest.send(BY_NAME[operation].method, BY_NAME[operation].path.format(**sent), params=asked)
    assert said.status in (200, 404, 409), said


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("/search", "text"),
        ("/search?first=1", "text"),
        ("/search?text=a&text=b", "text"),
        ("/search?text=a&first=1&first=1", "first"),
        ("/search?text=a&first=0", "first"),
        ("/search?text=a&first=201", "first"),
        ("/search?text=a&first=-1", "first"),
        ("/search?text=%00", "text"),
        ("/search?text=a&driveId=a&driveId=b", "driveId"),
        ("/search?text=a&cursor=%2B", "cursor"),
        ("/search?text=a&types=file", "types[0]"),
        ("/search?text=a&types=folder&types=", "types[1]"),
        ("/search?text=a" + "&types=folder" * 21, "types"),
        ("/search?text=a&agent=%00", "agent"),
        ("/search?text=a&agent=a&agent=b", "agent"),
        ("/search?text=a&changedSince=2026-01-02", "changedSince"),
        ("/drives/{driveId}/events?since=now", "since"),
        ("/drives/{driveId}/events?since=2026-01-02", "since"),
        ("/drives/{driveId}/events?since=2026-01-02T03:04:05", "since"),
        ("/drives/{driveId}/events?types=itemMoved&types=%00", "types[1]"),
        ("/drives/{driveId}/events?userId=a&userId=b", "userId"),
        ("/documents/{documentId}/versions?agent=a&agent=b", "agent"),
        ("/drive-items/{itemId}/access/nobody", "email"),
    ],
)
def test_a_wrong_parameter_is_refused_by_its_name(target, name, ada, scene):
    said = ada.rest.send("GET", target.format(**scene))
    assert (said.status, said.code) == (400, "BAD_REQUEST")
    assert f"`{name}`" in said.message


@pytest.mark.parametrize("operation", BY_NAME)
def test_a_parameter_that_an_operation_does_not_take_is_refused_by_its_name(operation, ada, state):
    row, shape, before = BY_NAME[operation], CONTRACT.shapes[operation], state()
    needed = {each.name: "nothing" for each in shape.inputs.values() if each.required}
    path = row.path.format(**needed)
    query = "".join(f"{each.name}=a&" for each in shape.placed(Location.QUERY) if each.required)
    content = {} if row.method in ("GET", "DELETE") else {"json": {}}
    if shape.file:
        content = {"files": {"file": ("image", PIXEL)}}
    inputs = [each.name for each in shape.inputs.values() if each.place is not Location.QUERY]
    for name in ("unknown", "First", "cursor%20", "%00", "", "access_token", *inputs):
        said = ada.rest.send(row.method, f"{path}?{query}{name}=true", **content)
        assert (said.status, said.code) == (400, "BAD_REQUEST"), name
        expected = {"%00": "\ufffd", "cursor%20": "cursor "}.get(name, name)
        advice = said.message.removeprefix(f"`{expected}` is no parameter of this request's query: ")
        assert advice == "leave it out" or (advice == "send `first` instead") == (name == "First"), said.message
    assert state() == before


def test_a_query_without_parameters_is_none(ada):
    for query in ("?", "?&", "?&&"):
        assert ada.rest.send("GET", f"/drives{query}").status == 200


def test_a_list_in_a_query_is_one_parameter_for_each_of_its_entries(ada, scene):
    def types(query: str) -> set:
        said = ada.rest.send("GET", f"/drives/{scene['driveId']}/events?first=200{query}")
        assert said.status == 200
        return {each["type"] for each in said.data["events"]}

    every = types("")
    assert {"itemCreated", "memberSet"} < every
    assert types("&types=itemCreated") == {"itemCreated"}
    assert types("&types=itemCreated&types=memberSet") == {"itemCreated", "memberSet"}
    assert types("&types=driveDeleted") == set()
    more = "&types=itemMoved" * 21
    refused = ada.rest.send("GET", f"/drives/{scene['driveId']}/events?{more[1:]}")
    assert (refused.status, refused.message) == (400, "`types` must have at most 20 entries")
    many = "".join(f"&types=t{number}" for number in range(98))
    assert ada.rest.send("GET", f"/drives/{scene['driveId']}/events?{many[1:]}").status == 400


# GraphQL

DOCUMENT = "{ viewer { id } }"
REQUESTS = {
    "a list": b"[]",
    "a batch": b'[{"query": "{ viewer { id } }"}]',
    "no query": b"{}",
    "a query of null": b'{"query": null}',
    "a query of another type": b'{"query": 7}',
    "variables that are a list": b'{"query": "{ viewer { id } }", "variables": []}',
    "variables that are text": b'{"query": "{ viewer { id } }", "variables": "{}"}',
    "an unknown operation": b'{"query": "query A { viewer { id } }", "operationName": "B"}',
    "extensions that are a list": b'{"query": "{ viewer { id } }", "extensions": []}',
    "a document of nothing": b'{"query": ""}',
    "a document of NUL": b'{"query": "\\u0000"}',
    "a document with a lone surrogate": b'{"query": "{ viewer { id } } #\\ud800"}',
    "a subscription": b'{"query": "subscription { driveEvents(driveId: \\"a\\") { id } }"}',
    "a deep document": json.dumps({"query": "{ viewer " * 5_000 + "}" * 5_000}).encode(),
    "a long list": json.dumps({"query": "{ drive(id: [" + "1," * 10_000 + "]) { id } }"}).encode(),
}


def test_a_graphql_request_that_is_none_is_a_bad_request(ada, state):
    before = state()
    for what, body in (REQUESTS | {what: of for what, of in BODIES.items() if what != "an unknown field"}).items():
        response = ada.client.post("/graphql", content=body, headers={"x-api-key": ada.key} | JSON_BODY)
        assert read(response).code == "BAD_REQUEST", what
        assert response.status_code in (200, 400), what
    for kind in TYPES:
        headers = {"x-api-key": ada.key, "content-type": kind}
        response = ada.client.post("/graphql", content=json.dumps({"query": DOCUMENT}), headers=headers)
        assert response.status_code == 415, kind
    assert state() == before


FIELDS = [
    (kind, name)
    for kind, root in (("query", SCHEMA.query_type), ("mutation", SCHEMA.mutation_type))
    for name, field in root.fields.items()
    if field.args
]


# Some of what they are given is right.
WRITES = {
    "createApiKey", "createChild", "createDrive", "createItem", "createOrganization", "duplicateItem", "editDocument",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), FIELDS)
def test_every_argument_of_the_schema_takes_or_refuses_whatever_it_is_given(kind, name, ada_signed_in, scene, state):
    field = {"query": SCHEMA.query_type, "mutation": SCHEMA.mutation_type}[kind].fields[name]
    selection = "" if is_leaf_type(get_named_type(field.type)) else " { __typename }"
    before = state()
    for argument, of in field.args.items():
        needed = {arg: each for arg, each in field.args.items() if is_required_argument(each) or arg == argument}
        declared = ", ".join(f"${arg}: {each.type}" for arg, each in needed.items())
        passed = ", ".join(f"{arg}: ${arg}" for arg in needed)
        document = f"{kind}({declared}) {{ {name}({passed}){selection} }}"
        for value in (*VALUES, 2**31, 2**31 - 1, -(2**31), "\x00" * 300_000):
            variables = {arg: scene.get(arg) for arg in needed} | {argument: value}
            if kind == "mutation" and get_named_type(of.type).name in ("ItemName", "AgentName", "Boolean", "String"):
                where = next((each for each in ("itemId", "documentId") if each in variables), "driveId")
                variables[where] = "unknown"  # so that nothing is done
            said = ada_signed_in.post(document, **{arg: variables[arg] for arg in needed})
            assert said.status < 500, (argument, value, said)
    assert name in WRITES or state() == before


# What is hardly HTTP

RAW = {
    "garbage": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "text": b"hello\r\n\r\n",
    "no version": b"GET /api/v1/drives\r\n\r\n",
    "an unknown version": b"GET /api/v1/drives HTTP/9.9\r\nhost: a\r\n\r\n",
    "a header without a colon": b"GET /api/v1/drives HTTP/1.1\r\nhost: a\r\nnonsense\r\n\r\n",
    "NUL in a header": b"GET /api/v1/drives HTTP/1.1\r\nhost: a\r\nx-api-key: a\0b\r\n\r\n",
    "two lengths": b"POST /api/v1/drives HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
    "a length that is none": b"POST /api/v1/drives HTTP/1.1\r\nhost: a\r\ncontent-length: many\r\n\r\n",
    "a negative length": b"POST /api/v1/drives HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
    "a bad chunk": b"POST /api/v1/drives HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    "a head without an end": b"GET /api/v1/drives HTTP/1.1\r\nhost: a\r\nx: " + b"a" * 200_000,
    "an unknown encoding": b"POST /api/v1/drives HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip\r\n\r\n",
}


@pytest.mark.parametrize("what", RAW)
def test_what_is_hardly_http_is_answered_in_the_envelope_or_not_at_all(what, client, ada, state):
    before = state()
    with socket.create_connection((client.base_url.host, client.base_url.port), timeout=PATIENCE) as connection:
        answer = b""
        with suppress(OSError):  # the server may close before it read all: what was sent last is thrown away
            connection.sendall(RAW[what])
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65_536):
                answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    status = int(head.split(b" ")[1]) if head else 400
    assert 400 <= status < 500
    if head:
        assert set(json.loads(body)) == {"code", "message"}
        assert b"\r\nx-request-id: " in head.lower()
    assert ada.rest.ask("drives.list").status == 200
    assert state() == before


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "", 404),
        ("GET", "/", 404),
        ("GET", "/drives/", 404),
        ("GET", "//drives", 404),
        ("GET", "/drives/..", 404),
        ("GET", "/%2e%2e/drives", 404),
        ("GET", "/drives%2f", 404),
        ("GET", "/drives%", 404),
        ("GET", "/drive-items/%", 400),
        ("GET", "/drive-items/" + "a" * 10_000, 404),
        ("PATCH", "/drive-items/shared-with-me", 405),
        ("DELETE", "/drives", 405),
        ("BREW", "/drives", 405),
        ("TRACE", "/drives", 405),
        ("GET", "/drive-items/a/move", 405),
        ("CONNECT", "/drives", 405),
    ],
)
def test_a_path_or_method_that_is_none_of_the_contract_is_said_so_in_the_envelope(method, target, status, ada):
    said = ada.rest.send(method, target)
    assert said.status == status
    assert (said.code == "METHOD_NOT_SUPPORTED") == ("allow" in said.response.headers)
    assert said.response.headers["x-request-id"]
