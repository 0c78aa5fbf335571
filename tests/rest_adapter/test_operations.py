"""Every row of the contract over REST: a new row is covered by being there."""

import json
import subprocess
import sys

import pytest

from contract.contract import rejections
from contract.operations import Answer
from domain.errors import NOT_FOUND, Code, Rejection, Unavailable
from edge.responses import STATUS
from rest_adapter.openapi import openapi
from tests.rest_adapter.surface import (
    AGENT_KEY,
    CONTRACT,
    JSON_ROWS,
    KEY,
    ROWS,
    WITH_BODY,
    World,
    body_of,
    envelope,
    exact,
    path_of,
)
from tests.support.processes.servers import PATIENCE

each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
each_json_row = pytest.mark.parametrize("row", JSON_ROWS, ids=lambda row: row.name)
each_row_with_body = pytest.mark.parametrize("row", WITH_BODY, ids=lambda row: row.name)


@each_json_row
async def test_a_good_request_answers_200_with_what_the_operation_said(row):
    world = World()
    response = await world.call(row)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    name, caller, inputs, _ = world.fake.asked[0]
    assert name == row.name
    assert caller.user_id == "u1"
    assert set(inputs) == {each.name for each in CONTRACT.shapes[row.name].inputs.values() if each.required}
    if row.answer is Answer.EMPTY:
        assert response.content == b""
        assert response.headers["content-length"] == "0"
    else:
        assert response.json()


@each_row
async def test_without_a_key_everything_is_401(row):
    world = World()
    response = await world.call(row, key=None)
    assert envelope(response) == (401, "UNAUTHORIZED")
    assert world.fake.asked == []


@each_row
async def test_what_is_hidden_and_what_is_not_there_answer_the_same(row):
    world = World()
    world.fake.rejection = NOT_FOUND
    first, second = await world.call(row), await world.call(row)
    assert envelope(first) == (404, "NOT_FOUND")
    assert first.content == second.content
    apart = {"x-request-id", "ratelimit"}
    assert [h for h in first.headers.items() if h[0] not in apart] == [
        h for h in second.headers.items() if h[0] not in apart
    ]


@each_row
async def test_every_rejection_of_a_row_is_the_envelope_under_a_documented_status(row):
    world = World()
    documented = openapi(CONTRACT)["paths"][row.path][row.method.lower()]["responses"]
    for code in rejections(CONTRACT.shapes[row.name]):
        world.fake.rejection = Rejection(code, "because of this")
        response = await world.call(row)
        assert envelope(response)[1] == code.value
        assert str(response.status_code) in documented


@each_json_row
async def test_a_fault_is_500_with_a_constant_message_and_the_request_id(row):
    world = World()
    world.fake.fault = RuntimeError("secret detail")
    response = await world.call(row)
    assert envelope(response) == (500, "INTERNAL_SERVER_ERROR")
    assert "secret" not in response.text
    assert response.headers["x-request-id"]


@each_json_row
async def test_state_out_of_reach_is_503_and_says_when_to_come_back(row):
    world = World()
    world.fake.fault = Unavailable("gone")
    response = await world.call(row)
    assert envelope(response) == (503, "SERVICE_UNAVAILABLE")
    assert int(response.headers["retry-after"]) > 0


@each_row
async def test_options_needs_no_key_and_lists_what_works(row):
    world = World()
    response = await world.ask("OPTIONS", path_of(row), key=None)
    assert response.status_code == 204
    allow = set(response.headers["allow"].split(", "))
    assert {row.method.value, "OPTIONS"} <= allow
    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY", "BREW"} - allow:
        refused = await world.ask(method, path_of(row))
        assert refused.status_code == 405
        assert refused.headers["allow"] == response.headers["allow"]
        if method != "HEAD":
            assert envelope(refused) == (405, "METHOD_NOT_SUPPORTED")
        assert (await world.ask(method, path_of(row), key=None)).status_code == 401


@each_row
async def test_head_says_what_get_says_but_for_the_body(row):
    if row.method != "GET":
        return
    world = World()
    got, head = await world.call(row), await world.ask("HEAD", path_of(row))
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == got.headers["content-length"]


@each_row_with_body
async def test_each_field_of_a_body_must_be_there_and_right(row):
    world = World()
    good = [each.name for each in CONTRACT.shapes[row.name].placed("body") if each.required]
    response = await world.call(row)
    assert response.status_code == 200
    for name in good:
        shape = CONTRACT.shapes[row.name].inputs[name]
        whole = body_of(row)
        for wrong in (Ellipsis, 7, [], {}, "\0", "\ud800", [whole[name]], *(() if shape.type.nullable else (None,))):
            body = {key: value for key, value in whole.items() if key != name or wrong is not Ellipsis}
            if wrong is not Ellipsis:
                body[name] = wrong
            response = await world.call(
                row, content=json.dumps(body).encode(), headers={"content-type": "application/json"}
            )
            assert envelope(response) == (400, "BAD_REQUEST"), (name, wrong)
            assert f"`{name}`" in response.json()["message"]


BROKEN = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "text": b'"a"',
    "null": b"null",
    "trailing": b"{} {}",
    "twice": b'{"name": "a", "name": "a"}',
    "not a number": b'{"name": NaN}',
    "infinity": b'{"name": -Infinity}',
    "huge": b'{"name": ' + b"9" * 5000 + b"}",
    "no UTF-8": b'{"name": "\xff"}',
    "UTF-16": '{"name": "a"}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf{}",
    "deep": b'{"name": ' + b"[" * 33 + b"]" * 33 + b"}",
    "very deep": b"[" * 1_000_000,
    "deep objects": b'{"a":' * 150_000,
    "control": b'{"name": "\n"}',
    "unknown": b'{"name": "a", "color": "red"}',
    "unknown surrogate": b'{"\\ud800": "red"}',
}


@each_row_with_body
async def test_a_body_that_is_no_right_object_is_400(row):
    world = World()
    for what, body in BROKEN.items():
        response = await world.call(row, content=body, headers={"content-type": "application/json"})
        assert envelope(response) == (400, "BAD_REQUEST"), what
    assert world.fake.asked == []


@each_row_with_body
async def test_a_body_of_another_type_is_415(row):
    world = World()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json;charset=utf-16", ""):
        response = await world.call(row, content=b"{", headers={"content-type": kind})
        assert envelope(response) == (415, "UNSUPPORTED_MEDIA_TYPE"), kind


@each_row_with_body
async def test_a_body_over_the_limit_is_413_whether_its_length_was_declared_or_not(row):
    world = World()

    async def parts():
        for _ in range(17):
            yield b" " * 65536

    for content in (b" " * ((1 << 20) + 1), parts()):
        response = await world.call(row, content=content, headers={"content-type": "application/json"})
        assert envelope(response) == (413, "PAYLOAD_TOO_LARGE")


@each_json_row
async def test_the_agent_of_the_header_is_credited_unless_the_key_has_its_own(row):
    world = World()
    await world.call(row, headers={"x-service-agent": "helper"})
    await world.call(row, key=AGENT_KEY, headers={"x-service-agent": "helper"})
    await world.call(row)
    assert [caller.agent for _, caller, _, _ in world.fake.asked] == ["helper", "bound", None]


@each_json_row
async def test_a_bad_name_of_an_agent_is_400_even_where_the_key_has_its_own(row):
    world = World()
    for agent in (b"", b" ", b"a" * 65, b"caf\xe9", b"a\tb"):
        for key in (KEY, AGENT_KEY):
            response = await world.call(row, key=key, headers={"x-service-agent": agent})
            assert envelope(response) == (400, "BAD_REQUEST"), agent


@each_row
async def test_an_idempotency_key_reaches_what_makes_things_and_a_bad_one_is_400(row):
    if not row.takes_idempotency_key:
        return
    world = World()
    assert (await world.call(row, headers={"idempotency-key": "one"})).status_code == 200
    assert world.fake.asked[0][3] == "one"
    for bad in ("", "a" * 256, "caf\u00e9"):
        response = await world.call(row, headers={"idempotency-key": bad.encode("latin-1")})
        assert envelope(response) == (400, "BAD_REQUEST")


@each_row
async def test_broken_percent_encoding_in_a_path_is_400_with_the_key_and_401_without(row):
    if "{" not in row.path:
        return
    world = World()
    for broken in ("%", "%zz", "%ff", "%c3%28", "%ed%a0%80"):
        shape = CONTRACT.shapes[row.name]
        path = path_of(row, **{shape.placed("path")[0].name: broken})
        options = {"json": body_of(row)} if row in WITH_BODY else {}
        files = {"files": {"file": ("a.png", b"\x89PNG\r\n\x1a\n")}} if row not in JSON_ROWS else {}
        response = await exact(world, row.method, path, **options, **files)
        assert envelope(response) == (400, "BAD_REQUEST")
        assert envelope(await exact(world, row.method, path, key=None, **options, **files)) == (401, "UNAUTHORIZED")


def test_every_code_has_a_status():
    assert set(STATUS) == set(Code)


def test_what_depends_on_what_is_there_is_409():
    of_what_is_there = (
        *(Code.NOT_A_FOLDER, Code.NOT_A_DOCUMENT, Code.PARENT_NOT_IN_DRIVE, Code.MOVE_CYCLE),
        *(Code.CROSS_ORGANIZATION_MOVE, Code.TREE_TOO_DEEP, Code.LIMIT_EXCEEDED),
    )
    assert {STATUS[code] for code in of_what_is_there} == {409}
    assert 422 not in STATUS.values()


def test_nothing_is_loaded_for_plugins_that_nobody_uses():
    loaded = "import sys; from service import server; from edge.litestar_app import router; router([]); "
    loaded += "sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded], check=False, timeout=PATIENCE).returncode == 0
