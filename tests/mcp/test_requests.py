"""Whether anything that can be sent is answered in the envelope or in the protocol's own form, and never by a fault."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.suite.rounds import examples
from tests.support.surfaces.callers import JSON_BODY
from tests.support.surfaces.tools import REVISION, SPOKEN

PATH = "/api/v1/mcp"
MEGABYTE = 1 << 20
META = {f"{SPOKEN}protocolVersion": REVISION, f"{SPOKEN}clientCapabilities": {}}
NO_MESSAGES = {
    "nothing": b"",
    "no JSON": b"{",
    "text": b"hello",
    "null": b"null",
    "a number": b"42",
    "an empty batch": b"[]",
    "a batch": b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]',
    "no method": b'{"jsonrpc": "2.0", "id": 1}',
    "an answer": b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
    "another version": b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
    "an id of null": b'{"jsonrpc": "2.0", "id": null, "method": "ping"}',
    "an id of another type": b'{"jsonrpc": "2.0", "id": true, "method": "ping"}',
    "params that are a list": b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}',
    "a member twice": b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}',
    "more than one": b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}{}',
    "NaN": b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}',
    "a lone surrogate": b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}',
    "no UTF-8": b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}',
    "UTF-16": '{"jsonrpc": "2.0"}'.encode("utf-16"),
    "deep": b"[" * 200_000,
    "deep arguments": b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": '
    + b'{"a":' * 5_000
    + b"1"
    + b"}" * 5_001,
}
ERAS = {"2025-06-18": {}, "2025-11-25": {}, REVISION: META}


@pytest.fixture
def post(client, ada):
    """`post(body)` sends bytes or a value, with Ada's key."""

    def send(body, **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.post(PATH, content=content, headers={"x-api-key": ada.key} | JSON_BODY | named)

    return send


@pytest.fixture(params=ERAS)
def era(request, post):
    """`era("tools/list", …)` sends a request of one revision of the protocol."""

    def send(method, **params):
        meta = {"_meta": ERAS[request.param]} if ERAS[request.param] else {}
        headers = {"mcp_protocol_version": request.param, "mcp_method": method}
        if "name" in params:
            headers["mcp_name"] = params["name"]
        return post({"jsonrpc": "2.0", "id": "one", "method": method, "params": params | meta}, **headers)

    send.revision = request.param
    return send


def is_protocol(response):
    body = response.json()
    assert response.headers["content-type"] == "application/json"
    assert body["jsonrpc"] == "2.0"
    return body


@pytest.mark.parametrize("what", NO_MESSAGES)
def test_a_body_that_is_no_message_is_400_in_the_protocols_form(what, post):
    for revision in (None, *ERAS):
        response = post(NO_MESSAGES[what], **({"mcp_protocol_version": revision} if revision else {}))
        error = is_protocol(response)["error"]
        assert response.status_code == 400
        assert error["code"] in (-32700, -32600)
        assert not re.search(r"pydantic|Traceback|Error", error["message"])
        assert response.headers["x-request-id"]
        assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/json; charset=latin-1", "application/jsonp", "text/event-stream"]
)
def test_a_body_of_another_type_is_415(kind, post):
    response = post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, content_type=kind)
    assert (response.status_code, response.json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")


def test_a_body_that_is_too_large_is_413_whether_or_not_it_says_so(client, ada):
    headers = {"x-api-key": ada.key} | JSON_BODY
    parts = (b" " * 65_536 for _ in range(17))  # of which the head does not tell how many come
    for content in (b" " * (MEGABYTE + 1), parts):
        response = client.post(PATH, content=content, headers=headers)
        assert (response.status_code, response.json()["code"]) == (413, "PAYLOAD_TOO_LARGE")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD"])
def test_another_method_is_405_and_says_which_there_are(method, client, ada):
    response = client.request(method, PATH, headers={"x-api-key": ada.key, "accept": "text/event-stream"})
    assert (response.status_code, response.headers["allow"]) == (405, "OPTIONS, POST")
    assert method == "HEAD" or response.json()["code"] == "METHOD_NOT_SUPPORTED"
    assert client.request(method, PATH).status_code == 401


def test_options_needs_no_key_and_a_browser_on_an_allowed_site_may_send_what_the_protocol_wants(client, ada):
    assert client.options(PATH).headers["allow"] == "OPTIONS, POST"
    site = {"origin": "https://inspector.example"}
    asked = client.options(PATH, headers=site | {"access-control-request-method": "POST"})
    assert asked.headers["access-control-allow-origin"] == site["origin"]
    wanted = "authorization content-type mcp-method mcp-name mcp-protocol-version mcp-session-id x-api-key"
    assert set(wanted.split()) <= set(asked.headers["access-control-allow-headers"].split(", "))
    refused = client.post(PATH, headers=site)
    assert refused.status_code == 401
    assert "www-authenticate" in refused.headers["access-control-expose-headers"]
    foreign = client.post(PATH, headers={"origin": "https://evil.example", "x-api-key": ada.key})
    assert (foreign.status_code, foreign.json()["code"]) == (403, "FORBIDDEN")
    assert "access-control-allow-origin" not in foreign.headers


@pytest.mark.parametrize("path", [f"{PATH}/", f"{PATH}/sse", f"{PATH}//", "/api/v1/MCP", "/mcp"])
def test_there_is_one_address_and_no_other(path, client, ada):
    response = client.post(path, headers={"x-api-key": ada.key} | JSON_BODY, content=b"{}")
    assert (response.status_code, response.json()["code"]) == (404, "NOT_FOUND")


def test_each_revision_is_served_and_an_unknown_tool_or_method_is_an_error_of_the_protocol(era):
    tools = is_protocol(era("tools/list"))["result"]["tools"]
    assert len(tools) == 17
    for unknown in ("nothing", "drive_items_upload_image", "drives.list", "DRIVES_LIST", "", "a" * 1000):
        assert is_protocol(era("tools/call", name=unknown, arguments={}))["error"]["code"] == -32602
    assert is_protocol(era("tools/nothing"))["error"]["code"] == -32601
    assert is_protocol(era("resources/list"))["error"]["code"] == -32601


def test_an_old_client_agrees_on_the_newest_revision_with_a_handshake(era):
    if era.revision == REVISION:
        found = is_protocol(era("server/discover"))["result"]
        assert found["supportedVersions"] == [REVISION]
        return
    about = {"capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    agreed = is_protocol(era("initialize", protocolVersion=era.revision, **about))["result"]
    assert agreed["protocolVersion"] == era.revision
    assert agreed["serverInfo"]["name"] == "codrive"
    assert "drives_list" in agreed["instructions"]
    newer = is_protocol(era("initialize", protocolVersion="2099-01-01", **about))["result"]
    assert newer["protocolVersion"] == "2025-11-25"


def test_arguments_that_are_none_are_told_apart_from_those_that_are_wrong(era):
    assert is_protocol(era("tools/call", name="drives_list"))["result"]["isError"] is False
    assert is_protocol(era("tools/call", name="drives_list", arguments=[1]))["error"]["code"] == -32602
    for arguments, message in (
        ({}, "`name` is missing: send it"),
        ({"name": None}, "`name` must not be null"),
        ({"name": 7}, "`name` must be a string"),
        ({"name": "a", "color": "red"}, "`color` is no field of this request: leave it out"),
    ):
        result = is_protocol(era("tools/call", name="drives_create", arguments=arguments))["result"]
        assert result["isError"] is True
        assert json.loads(result["content"][0]["text"]) == {"code": "BAD_REQUEST", "message": message}


def test_headers_that_say_something_else_than_the_body_are_refused(post):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "drives_list", "_meta": META}}
    told = {"mcp_protocol_version": REVISION, "mcp_method": "tools/call", "mcp_name": "drives_list"}
    assert post(body, **told).status_code == 200
    for differing in ({"mcp_method": "tools/list"}, {"mcp_name": "drives_create"}):
        response = post(body, **(told | differing))
        assert (response.status_code, is_protocol(response)["error"]["code"]) == (400, -32020)
    body["params"]["_meta"] = META | {f"{SPOKEN}protocolVersion": "2099-01-01"}
    response = post(body, **(told | {"mcp_protocol_version": "2099-01-01"}))
    assert (response.status_code, is_protocol(response)["error"]["code"]) == (400, -32022)


def test_a_notification_is_taken_and_answered_with_nothing(era, post):
    body = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    response = post(body, mcp_protocol_version=era.revision, mcp_method=body["method"])
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "text/html", ""])
def test_the_answer_is_json_whatever_is_accepted(accept, post):
    response = post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, accept=accept)
    assert is_protocol(response) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_the_request_is_counted_and_logged_as_its_operation(client, ada):
    response = ada.mcp.ask("driveItems.sharedWithMe", headers={"x-request-id": "told-by-a-test"}).response
    assert response.headers["x-request-id"] == "told-by-a-test"
    assert response.headers["ratelimit-policy"] == '"reads";q=750000;w=60'
    counted = 'codrive_answers_total{operation="driveItems.sharedWithMe",status="200"}'
    # it is counted when its task ends, which may be after the client has the answer
    assert any(counted in client.get("/metrics").text for _ in range(100))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
methods = st.sampled_from(
    ["initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/cancelled", "resources/read",
     "subscriptions/listen", "logging/setLevel", "completion/complete", "tasks/get", ""]
)  # fmt: skip
params = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["drives_list", "drive_items_get", "documents_read"]) | anything,
        "arguments": st.dictionaries(st.sampled_from(["itemId", "documentId", "cursor"]), anything) | anything,
        "_meta": st.just(META) | anything,
        "protocolVersion": anything,
        "clientInfo": anything,
        "cursor": anything,
        "requestId": anything,
    },
)
messages = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": methods},
    optional={"id": st.integers() | st.text(max_size=9) | anything, "params": params | anything},
)


@settings(max_examples=examples(150))
@given(
    message=messages,
    revision=st.sampled_from([None, *ERAS, "2024-11-05", "nonsense"]),
    repeated=st.booleans(),
)
def test_no_message_makes_the_server_fail(message, revision, repeated):
    headers = {"mcp_protocol_version": revision} if revision else {}
    if repeated:
        headers["mcp_method"] = message["method"]
        given_params = message.get("params")
        name = given_params.get("name") if isinstance(given_params, dict) else None
        if isinstance(name, str) and name.isascii() and name.isprintable():
            headers["mcp_name"] = name
    response = test_no_message_makes_the_server_fail.post(message, **headers)
    assert response.status_code in (200, 202, 400, 404)
    if response.status_code != 202:
        body = is_protocol(response)
        assert "error" not in body or body["error"]["code"] in (-32700, -32600, -32601, -32602, -32020, -32022)


@pytest.fixture(autouse=True)
def _sent_by_the_law(post):
    """Hypothesis takes no fixture that lives as long as one test."""
    test_no_message_makes_the_server_fail.post = post
