"""Does the endpoint keep to GraphQL over HTTP, tell nothing it should not, and refuse what it should?"""

import asyncio
import gc
import json
import logging
from collections.abc import Mapping
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from graphql import DocumentNode, GraphQLSchema, Token
from graphql.language.parser import Parser
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient

from contract.operations import OPERATIONS, Answer
from domain.caller import Caller, by_key
from domain.errors import UNAUTHORIZED, Unavailable
from domain.values import Email
from edge.credentials import nobody
from edge.in_flight import SMALL_BODY, InFlight
from edge.loop_turns import LoopTurns
from edge.rate_limit import Rate, RateLimiter, Rates
from edge.requests import MAX_VALUES
from graphql_adapter import requests
from graphql_adapter.endpoint import MEGABYTE, Sizes
from graphql_adapter.http import RESPONSE, graphql_app
from graphql_adapter.requests import JSON
from graphql_adapter.socket import OperationHooks, serve_socket
from graphql_adapter.socket_admission import MESSAGE_LENGTH
from graphql_api import request_limits
from graphql_api.contract_execution import Api
from graphql_api.query_limits import QueryLimits, limit_errors
from graphql_api.read_limits import MAX_REQUESTS, Slots
from graphql_api.request_limits import MAX_QUERY_LENGTH, DocumentCache
from graphql_api.schema import build
from graphql_api.strawberry_internals import core_schema
from tests.graphql_api import toy
from tests.support.processes import servers

KEY = {"x-api-key": "ada"}
ADA = by_key("ada", "ada", Email("ada@acme.example"), None, None, "k1", "digest")


@pytest.fixture(scope="module")
def client():
    sizes = Sizes(body=8_000, long_body=20_000)
    with toy.client(toy.endpoint(sizes=sizes)) as made:
        yield made


def ask(client: TestClient[Any], query: object, accept: str = JSON, **members: object) -> tuple[int, dict[str, Any]]:
    response = client.post("/graphql", json={"query": query, **members}, headers={**KEY, "accept": accept})
    return response.status_code, response.json()


def said(body: dict[str, Any]) -> tuple[str, str]:
    (error,) = body["errors"]
    return error["extensions"]["code"], error["message"]


def test_a_query_is_answered(client: TestClient[Any]) -> None:
    assert ask(client, "{ caller }") == (200, {"data": {"caller": "ada"}})


def test_a_query_is_answered_by_get(client: TestClient[Any]) -> None:
    asked = {"query": "query q($id: ID!) { item(id: $id) { id } }", "variables": '{"id": "i1"}', "operationName": "q"}
    response = client.get("/graphql", params=asked, headers=KEY)
    assert (response.status_code, response.json()) == (200, {"data": {"item": {"id": "i1"}}})


def test_a_mutation_by_get_is_refused(client: TestClient[Any]) -> None:
    asked = {"query": 'mutation { renameItem(id: "i1", name: "n") { id } }'}
    response = client.get("/graphql", params=asked, headers=KEY)
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert said(response.json()) == ("METHOD_NOT_SUPPORTED", "mutations need POST")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_other_methods_are_refused(client: TestClient[Any], method: str) -> None:
    response = client.request(method, "/graphql", headers=KEY)
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD, POST, OPTIONS")
    assert said(response.json())[0] == "METHOD_NOT_SUPPORTED"


def test_options_answers_before_anyone_signs_in(client: TestClient[Any]) -> None:
    response = client.options("/graphql")
    assert (response.status_code, response.headers["allow"]) == (204, "GET, HEAD, POST, OPTIONS")


@pytest.mark.parametrize("body", ['{"query": "{ crash }"}', "{", ""])
def test_who_is_not_signed_in_gets_the_envelope_before_anything_runs(client: TestClient[Any], body: str) -> None:
    response = client.post("/graphql", content=body, headers={"content-type": JSON})
    assert response.status_code == 401
    assert response.json() == {"code": "UNAUTHORIZED", "message": UNAUTHORIZED.message}
    assert response.headers["www-authenticate"] == 'ApiKey realm="codrive"'


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        *(("", JSON), ("*/*", JSON), ("application/*", JSON), (JSON, JSON), (RESPONSE, RESPONSE), ("text/html", JSON)),
        *((f"{RESPONSE}, {JSON};q=0.9", RESPONSE), (f"{RESPONSE};q=0.5, {JSON}", JSON), (f"{RESPONSE};q=0", JSON)),
        *((f"{JSON}, {RESPONSE}", RESPONSE), (f"{RESPONSE};charset=utf-8", RESPONSE), (f"{RESPONSE};q=x", JSON)),
    ],
)
def test_the_media_type_is_the_one_asked_for(client: TestClient[Any], accept: str, media: str) -> None:
    response = client.post("/graphql", json={"query": "{ caller }"}, headers={**KEY, "accept": accept})
    assert response.headers["content-type"] == f"{media}; charset=utf-8"


@pytest.mark.parametrize(
    ("query", "members"),
    [
        *(("{", {}), ("{ nope }", {}), ("query($n: Int!) { caller }", {}), ("{ a: caller " * 3, {})),
        *(("query a { caller } query b { caller }", {}), ("{ caller }", {"operationName": "b"})),
        *(
            ("subscription { count(to: 1) }", {}),
            ("{ caller " + "b: caller " * 31 + "}", {}),
            ("fragment f on Query { caller }", {}),
        ),
        ("query($id: ID!) { item(id: $id) { id } }", {"variables": {"id": []}}),
    ],
)
def test_a_document_that_cannot_run_is_a_400_or_a_200_without_data(
    client: TestClient[Any], query: str, members: dict[str, Any]
) -> None:
    for accept, status in ((RESPONSE, 400), (JSON, 200)):
        found, body = ask(client, query, accept, **members)
        assert found == status
        assert list(body) == ["errors"]
        assert all(error["extensions"] == {"code": "BAD_REQUEST"} for error in body["errors"])


@pytest.mark.parametrize(
    "body",
    [
        *(
            "",
            "{",
            "[]",
            "null",
            '"x"',
            '{"query": 1}',
            '{"query": null}',
            "{}",
            '{"query": ""}',
            '{"query": "{a}", "variables": []}',
        ),
        *('{"query": "{a}", "operationName": 1}', '{"query": "{a}", "extensions": "x"}', '[{"query": "{caller}"}]'),
        *(
            '{"query": "{a}", "variables": {"a": NaN}}',
            "[" * 1500,
            '{"query": "\\ud800"}',
            b"\xff\xfe",
            b'{"query": "\xff"}',
        ),
    ],
)
def test_a_body_that_is_no_request_is_a_400(client: TestClient[Any], body: str | bytes) -> None:
    for accept in (JSON, RESPONSE):
        response = client.post("/graphql", content=body, headers={**KEY, "content-type": JSON, "accept": accept})
        assert response.status_code == 400 or (accept == JSON and "ud800" in str(body))
        assert said(response.json())[0] == "BAD_REQUEST"


@pytest.mark.parametrize("variables", ["{", "1", "[]", '"x"', "[" * 1500])
def test_variables_in_a_url_that_are_no_object_are_a_400(client: TestClient[Any], variables: str) -> None:
    response = client.get("/graphql", params={"query": "{ caller }", "variables": variables}, headers=KEY)
    assert (response.status_code, said(response.json())[0]) == (400, "BAD_REQUEST")


@pytest.mark.parametrize(
    "kind",
    [
        *(
            "text/plain",
            "application/graphql",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "",
        ),
        *("application/json; charset=latin-1", "application/jsonx", "text/application/json"),
    ],
)
def test_a_body_of_another_type_is_refused(client: TestClient[Any], kind: str) -> None:
    response = client.post("/graphql", content='{"query": "{ caller }"}', headers={**KEY, "content-type": kind})
    assert (response.status_code, said(response.json())[0]) == (415, "UNSUPPORTED_MEDIA_TYPE")


IMPORT = "mutation($u: String!) { importYjsUpdate(documentId: 1, update: $u) }"


@pytest.mark.parametrize(
    ("query", "length", "status"),
    [
        (IMPORT, 12_000, 200),
        (IMPORT, 212_000, 413),
        (IMPORT.replace(" importYjs", " caller importYjs"), 12_000, 413),
        ("query($u: String) { caller }", 12_000, 413),
        ("query($u: String) {", 12_000, 413),
        ("fragment f on Query { caller }", 12_000, 413),
    ],
)
def test_only_imports_may_be_long(client: TestClient[Any], query: str, length: int, status: int) -> None:
    found, body = ask(client, query, variables={"u": "x" * length})
    assert found == status
    assert body == {"data": {"importYjsUpdate": length}} if status == 200 else said(body)[0] == "PAYLOAD_TOO_LARGE"


SPACES = " " * (MAX_QUERY_LENGTH - 10) + "{ caller }"
LITERAL = 'mutation { importYjsUpdate(documentId: 1, update: "' + "A" * MAX_QUERY_LENGTH + '") }'


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is parsed meanwhile, whoever asks for it."""
    told: list[object] = []
    parse_document = Parser.parse_document

    def parse(parser: Parser) -> DocumentNode:
        told.append(parser)
        return parse_document(parser)

    monkeypatch.setattr(Parser, "parse_document", parse)
    return told


def test_a_document_of_the_longest_text_is_answered() -> None:
    with toy.client(toy.endpoint()) as generous:
        assert ask(generous, SPACES) == (200, {"data": {"caller": "ada"}})


@pytest.mark.parametrize(
    "text", [" " + SPACES, LITERAL, '{ caller } #"' + "," * MAX_QUERY_LENGTH, '"' * (MAX_QUERY_LENGTH + 1)]
)
def test_a_longer_text_is_refused_before_it_is_parsed(text: str, parses: list[object]) -> None:
    with toy.client(toy.endpoint()) as generous:
        for accept in (JSON, RESPONSE):
            status, body = ask(generous, text, accept)
            assert (status, said(body)[0]) == (413, "PAYLOAD_TOO_LARGE")
        with conversation(generous) as socket:
            greet(socket)
            subscribe(socket, text)
            told = socket.receive_json()
            assert (told["type"], told["payload"][0]["extensions"]) == ("error", {"code": "PAYLOAD_TOO_LARGE"})
            subscribe(socket, "{ caller }")
            assert socket.receive_json()["payload"] == {"data": {"caller": "ada"}}
    assert len(parses) == 1


def test_a_literal_of_twenty_megabytes_is_an_error_that_nothing_was_parsed_for(parses: list[object]) -> None:
    with toy.client(toy.endpoint()) as generous:
        long = LITERAL.replace("A" * MAX_QUERY_LENGTH, "A" * 20_000_000)
        status, body = ask(generous, long)
    assert (status, said(body)[0]) == (413, "PAYLOAD_TOO_LARGE")
    assert parses == []


def test_many_values_come_with_a_tree_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with toy.client(toy.endpoint()) as client:

        def told(values: int) -> Any:
            asked = {"query": "{ caller }", "variables": {"tree": [1] * values}}
            return client.post("/graphql", json=asked, headers=KEY).json()

        (error,) = told(MAX_VALUES + 1)["errors"]
        assert (error["extensions"]["code"], "too many values" in error["message"]) == ("BAD_REQUEST", True)
        monkeypatch.setattr(requests, "TREE_FIELD", "caller")
        assert told(MAX_VALUES + 1) == {"data": {"caller": "ada"}}
        assert "errors" in told(requests.MAX_TREE_VALUES + 1)


def test_a_text_of_many_commas_is_one_value_however_large_bodies_may_be() -> None:
    with toy.client(toy.endpoint(sizes=Sizes(body=4 * MEGABYTE))) as client:
        asked = {"query": "{ caller }", "variables": {"text": "," * 2 * MEGABYTE}}
        assert client.post("/graphql", json=asked, headers=KEY).json() == {"data": {"caller": "ada"}}


def test_a_long_body_holds_one_long_value_and_not_many_short_ones(client: TestClient[Any]) -> None:
    _, body = ask(client, IMPORT, variables={"u": "x", "more": [[]] * 6_000})
    assert said(body)[0] == "PAYLOAD_TOO_LARGE"


@pytest.mark.parametrize(
    "query", ["{ caller %d}", "{ nope %d}", "{", "{ caller " + "#" * 20_000 + "\n%d}", "{ a " * 400]
)
def test_a_request_is_parsed_once(query: str, parses: list[object]) -> None:
    schema, limiter = toy.schema(), RateLimiter()
    made = toy.dataclasses.replace(toy.endpoint(limiter=limiter), schema=schema)
    with toy.client(made) as client:
        ask(client, query.replace("%d", ""))
        assert len(parses) == 1
        ask(client, query.replace("%d", ""))
        with conversation(client) as socket:
            greet(socket)
            subscribe(socket, query.replace("%d", ""))
            assert socket.receive_json()["type"] in ("next", "error")
    assert len(parses) == 1


def test_a_document_is_measured_again_only_where_some_pages_are_too_large_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured: list[Mapping[str, Any]] = []

    def counted(
        schema: GraphQLSchema, document: DocumentNode, variables: Mapping[str, Any], limits: QueryLimits
    ) -> Any:
        measured.append(variables)
        return limit_errors(schema, document, variables, limits)

    monkeypatch.setattr(request_limits, "limit_errors", counted)
    documents = DocumentCache(core_schema(toy.schema()), QueryLimits(cost=500))
    inner, outer = (
        "{ page(first: 1) { edges { node { id } } } }",
        "query ($n: Int) { page(first: $n) { edges { node { id } } } }",
    )
    assert [documents.faults(inner, {}) for _ in range(3)] == [[], [], []]
    assert len(measured) == 1
    assert [bool(documents.faults(outer, {"n": size})) for size in (1, 200, 1)] == [False, True, False]
    assert [bool(documents.faults("{ nope }", {})) for _ in range(2)] == [True, True]


def test_a_document_that_is_no_longer_cached_is_freed_without_the_garbage_collector() -> None:
    documents = DocumentCache(core_schema(toy.schema()), QueryLimits(), most=20_000)

    def tokens() -> int:
        return sum(isinstance(each, Token) for each in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = tokens()
        for number in range(200):
            documents.read(f"query q{number} {{ caller }}")
        assert tokens() - before < 200
    finally:
        gc.enable()


def test_what_is_remembered_of_documents_is_bounded_in_memory(parses: list[object]) -> None:
    documents = DocumentCache(core_schema(toy.schema()), QueryLimits(), most=100_000)
    texts = ["{ caller }" + " " * 4_000 + "#" * number for number in range(100)]
    for text in texts:
        assert documents.read(text).document
    assert documents.read(texts[-1]) is documents.read(texts[-1])
    assert len(parses) == 100
    documents.read(texts[0])
    assert len(parses) == 101
    assert documents.read("{ caller }" + " " * 100_000).document, "one that is too large alone is read, too"


def test_a_refusal_keeps_its_code_and_its_words(client: TestClient[Any]) -> None:
    status, body = ask(client, '{ refuse(code: "NOT_FOUND") }', RESPONSE)
    assert (status, said(body), body["data"]) == (200, ("NOT_FOUND", "refused with `NOT_FOUND`"), None)


def test_an_unexpected_failure_is_masked_and_logged(client: TestClient[Any], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        status, body = ask(client, "{ crash }")
    assert (status, said(body)[0]) == (200, "INTERNAL_SERVER_ERROR")
    assert "42" not in json.dumps(body)
    assert "the secret is 42" in caplog.text
    assert len(caplog.records) == 1


def test_unreachable_state_is_told_as_such(client: TestClient[Any]) -> None:
    _, body = ask(client, "{ unreachable }")
    assert said(body) == ("SERVICE_UNAVAILABLE", "try again in a moment: nothing was changed")


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("{ rows { itemz { id } } }", {}),
        ("{ ofKind(kind: foldr) }", {}),
        ("query($k: Kind!) { ofKind(kind: $k) }", {"k": "foldr"}),
    ],
)
def test_an_error_suggests_what_was_meant(client: TestClient[Any], query: str, variables: dict[str, Any]) -> None:
    _, body = ask(client, query, variables=variables)
    assert said(body)[0] == "BAD_REQUEST"
    assert "Did you mean" in json.dumps(body)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_hash_instead_of_a_query_is_answered_so_that_clients_send_the_query(
    client: TestClient[Any], method: str
) -> None:
    extensions = {"persistedQuery": {"version": 1, "sha256Hash": "0" * 64}}
    if method == "GET":
        response = client.get("/graphql", params={"extensions": json.dumps(extensions)}, headers=KEY)
    else:
        response = client.post("/graphql", json={"extensions": extensions}, headers=KEY)
    assert said(response.json()) == ("PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported")
    with_query = client.post("/graphql", json={"query": "{ caller }", "extensions": extensions}, headers=KEY)
    assert "data" in with_query.json()


def test_introspection_is_answered(client: TestClient[Any]) -> None:
    status, body = ask(client, "{ __schema { queryType { name } } }")
    assert (status, body) == (200, {"data": {"__schema": {"queryType": {"name": "Query"}}}})


def test_more_tokens_than_allowed_are_refused(client: TestClient[Any]) -> None:
    _, body = ask(client, "{ caller ...f }" + " fragment f on Query { caller }")
    assert body == {"data": {"caller": "ada"}}
    _, body = ask(client, "{" + "a," * 999 + "}")
    assert said(body) == ("BAD_REQUEST", "Syntax Error: Document contains more than 1000 tokens. Parsing aborted.")


def test_the_page_is_served_where_it_is_wanted() -> None:
    with toy.client(toy.endpoint(page=toy.page)) as client:
        for accept in ("text/html", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"):
            page = client.get("/graphql", headers={"accept": accept})
            assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert client.get("/graphql", headers={"accept": JSON}).status_code == 401
        assert client.post("/graphql", headers={"accept": "text/html"}, json={"query": "{ caller }"}).status_code == 401
        asked = client.get("/graphql", params={"query": "{ caller }"}, headers={"accept": "text/html", **KEY})
        assert asked.json() == {"data": {"caller": "ada"}}


def test_the_page_is_not_served_elsewhere(client: TestClient[Any]) -> None:
    assert client.get("/graphql", headers={"accept": "text/html"}).status_code == 401


def test_limits_are_those_of_the_product() -> None:
    assert Sizes() == Sizes(MEGABYTE, 24 * MEGABYTE)


PROTOCOL = ["graphql-transport-ws"]


def conversation(client: TestClient[Any], headers: dict[str, str] = KEY, protocols: list[str] = PROTOCOL) -> Any:
    return client.websocket_connect("/graphql", subprotocols=protocols, headers=headers)


def subscribe(socket: Any, query: str, number: str = "1", **members: object) -> None:
    socket.send_json({"type": "subscribe", "id": number, "payload": {"query": query, **members}})


def greet(socket: Any) -> None:
    socket.send_json({"type": "connection_init"})
    assert socket.receive_json() == {"type": "connection_ack"}


def closed(socket: Any) -> tuple[int, str]:
    with pytest.raises(WebSocketDisconnect) as caught:
        socket.receive_json()
    return caught.value.code, caught.value.detail


def test_a_subscription_tells_each_event_and_its_end(client: TestClient[Any]) -> None:
    with conversation(client) as socket:
        greet(socket)
        subscribe(socket, "subscription($n: Int!) { count(to: $n) }", variables={"n": 2})
        told = [socket.receive_json() for _ in range(3)]
    assert told == [
        {"id": "1", "type": "next", "payload": {"data": {"count": 0}}},
        {"id": "1", "type": "next", "payload": {"data": {"count": 1}}},
        {"id": "1", "type": "complete"},
    ]


def test_queries_run_over_the_socket_too_each_in_its_own_context(client: TestClient[Any]) -> None:
    with conversation(client) as socket:
        greet(socket)
        for number in ("1", "2"):
            subscribe(socket, "{ first: fresh caller }", number)
            assert socket.receive_json()["payload"] == {"data": {"first": True, "caller": "ada"}}
            assert socket.receive_json()["type"] == "complete"


@pytest.mark.parametrize(
    "query", ["{", "subscription { nope }", "subscription { count(to: null) }", "{ caller " + "b: caller " * 31 + "}"]
)
def test_a_document_that_cannot_run_is_an_error_message_on_the_socket(client: TestClient[Any], query: str) -> None:
    with conversation(client) as socket:
        greet(socket)
        subscribe(socket, query)
        told = socket.receive_json()
    assert told["type"] == "error"
    assert all(error["extensions"] == {"code": "BAD_REQUEST"} for error in told["payload"])


def test_a_failure_in_a_subscription_is_masked(client: TestClient[Any]) -> None:
    with conversation(client) as socket:
        greet(socket)
        subscribe(socket, "subscription { collapse }")
        assert socket.receive_json()["payload"] == {"data": {"collapse": 1}}
        told = socket.receive_json()
    assert "42" not in json.dumps(told)
    assert said(told["payload"])[0] == "INTERNAL_SERVER_ERROR"


def test_a_socket_of_nobody_is_closed(client: TestClient[Any]) -> None:
    with conversation(client, {}) as socket:
        assert closed(socket) == (4401, "UNAUTHORIZED")


@pytest.mark.parametrize("payload", [{"x-api-key": "ada"}, {"headers": {"x-api-key": "ada"}}])
def test_a_key_in_the_greeting_signs_nobody_in(client: TestClient[Any], payload: dict[str, Any]) -> None:
    with conversation(client, {}) as socket:
        socket.send_json({"type": "connection_init", "payload": payload})
        assert closed(socket) == (4401, "UNAUTHORIZED")


def test_subscribing_before_the_greeting_closes_the_socket(client: TestClient[Any]) -> None:
    with conversation(client) as socket:
        subscribe(socket, "{ caller }")
        assert closed(socket)[0] == 4401


@pytest.mark.parametrize("protocols", [["graphql-ws"], []])
def test_the_old_protocol_is_refused(client: TestClient[Any], protocols: list[str]) -> None:
    with conversation(client, protocols=protocols) as socket:
        assert closed(socket)[0] == 4406


@pytest.mark.parametrize(
    ("origin", "welcome"),
    [
        *(("https://app.example", True), ("http://testserver.local", True), ("https://evil.example", False)),
        *(("null", False), ("https://app.example.evil", False), ("http://app.example", False)),
    ],
)
def test_only_pages_of_this_host_and_of_allowed_origins_may_connect(origin: str, welcome: bool) -> None:
    with toy.client(toy.endpoint(origins=["https://app.example"])) as client:
        expected = nullcontext() if welcome else pytest.raises(WebSocketDisconnect)
        with expected, conversation(client, {**KEY, "origin": origin}) as socket:
            greet(socket)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "x",
            "[]",
            "1",
            "{}",
            '{"type": 1}',
            '{"type": "nope"}',
            '{"type": "subscribe", "id": [], "payload": {"query": "{a}"}}',
        ),
        *('{"type": "subscribe", "id": "1"}', '{"type": "subscribe", "id": "1", "payload": "x"}', "[" * 2000),
        *('{"type": "subscribe", "id": "1", "payload": {"query": 1}}', '{"type": "connection_init", "payload": []}'),
        '{"type": "subscribe", "id": "1", "payload": {"query": "{a}", "variables": []}}',
    ],
)
def test_a_message_that_is_none_of_the_protocol_closes_the_socket(client: TestClient[Any], text: str) -> None:
    with conversation(client) as socket:
        socket.send_text(text)
        assert closed(socket)[0] == 4400


def test_a_binary_frame_closes_the_socket(client: TestClient[Any]) -> None:
    with conversation(client) as socket:
        socket.send_bytes(b"{}")
        assert closed(socket)[0] == 4400


def test_a_message_that_is_too_large_closes_the_socket(client: TestClient[Any]) -> None:
    with conversation(client) as socket:
        socket.send_text(json.dumps({"type": "ping", "payload": {"x": "x" * MEGABYTE}}))
        assert closed(socket)[0] == 1009


def test_one_connection_holds_a_bounded_number_of_subscriptions() -> None:
    with toy.client(toy.endpoint(subscriptions=InFlight(None))) as client, conversation(client) as socket:
        greet(socket)
        for number in range(50):
            subscribe(socket, "subscription { forever }", str(number))
            assert socket.receive_json()["type"] == "next"
        subscribe(socket, "subscription { forever }", "50")
        assert socket.receive_json() == {
            "id": "50",
            "type": "error",
            "payload": [{"message": "Subscription limit reached"}],
        }


RENAME = 'mutation { renameItem(id: "i1", name: "n") { id } }'


def test_what_runs_over_a_socket_is_spent_from_the_same_rates_as_requests() -> None:
    rates = Rates(reads=Rate("reads", 3), writes=Rate("writes", 1))
    made = toy.endpoint(limiter=RateLimiter(rates, now=lambda: 0.0))
    with toy.client(made) as client:
        assert client.post("/graphql", json={"query": "{ caller }"}, headers=KEY).status_code == 200
        with conversation(client) as socket:
            greet(socket)
            asked = ("{ caller }", RENAME, RENAME, "subscription { count(to: 0) }", "{ caller }", "{ nope")
            codes = []
            for number, query in enumerate(asked):
                subscribe(socket, query, str(number))
                told = socket.receive_json()
                codes += [each["extensions"]["code"] for each in told["payload"]] if told["type"] == "error" else [""]
                if told["type"] == "next":
                    assert socket.receive_json()["type"] == "complete"
        assert codes == ["", "", "TOO_MANY_REQUESTS", "", "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS"]
        refused = client.post("/graphql", json={"query": "{ caller }"}, headers=KEY)
        assert refused.status_code == 429
        others = client.post("/graphql", json={"query": RENAME}, headers={"x-api-key": "ben"})
        assert others.status_code == 200


def test_whoever_sends_messages_over_a_socket_without_pause_is_read_more_slowly() -> None:
    waits: list[float] = []
    time = [0.0]

    async def pause(seconds: float) -> None:
        waits.append(seconds)
        time[0] += seconds

    limiter = RateLimiter(Rates(messages=Rate("messages", 40)), now=lambda: time[0])
    with toy.client(toy.endpoint(limiter=limiter, pause=pause)) as client, conversation(client) as socket:
        greet(socket)
        for _ in range(29):  # a quarter is of the user's web session alone
            socket.send_json({"type": "ping"})
            assert socket.receive_json()["type"] == "pong"
        assert waits == []
        socket.send_json({"type": "ping"})
        assert socket.receive_json()["type"] == "pong"
        assert waits == [pytest.approx(2.0)]
        socket.send_json({"type": "ping", "payload": {"text": "x" * 3 * MESSAGE_LENGTH}})
        assert socket.receive_json()["type"] == "pong"
        assert waits == [pytest.approx(2.0)] * 5, "a long one counts as several"


def test_a_user_has_a_bounded_number_of_sockets_open() -> None:
    made = toy.endpoint(sockets=InFlight(2))
    with toy.client(made) as client:
        with conversation(client) as one:
            greet(one)
            with conversation(client) as other:
                greet(other)
                with conversation(client) as third:
                    assert closed(third) == (4429, "TOO_MANY_REQUESTS")
                with conversation(client, {"x-api-key": "ben"}) as another:
                    greet(another)
        with conversation(client) as again:
            greet(again)


class Script:
    """A wire on which these texts come, and on which is written down what is said."""

    def __init__(self, *texts: str) -> None:
        self.coming = list(texts)
        self.said: list[dict[str, Any]] = []
        self.ended = asyncio.Event()

    async def receive(self) -> str | None:
        if self.coming:
            return self.coming.pop(0)
        await self.ended.wait()
        return None

    async def send(self, text: str) -> None:
        self.said.append(json.loads(text))
        if sum(each["type"] == "complete" for each in self.said) == 7:
            self.ended.set()

    async def close(self, code: int, reason: str) -> None:
        raise AssertionError(f"{code} {reason}")


def hooked(context: dict[str, Any], turn: asyncio.Semaphore | None = None) -> OperationHooks:
    async def welcome() -> bool:
        return True

    turn = turn or asyncio.Semaphore(MAX_REQUESTS)
    return OperationHooks(lambda: context, welcome, lambda _: None, turn, lambda: True, lambda: None, LoopTurns().next)


class Waiting:
    """Requests that wait for `gate` while they run; `most` ran at once."""

    def __init__(self) -> None:
        self.running = self.most = 0
        self.gate, self.five = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        self.running += 1
        self.most = max(self.most, self.running)
        if self.running == 5:
            self.five.set()
        await self.gate.wait()
        self.running -= 1


async def test_four_requests_of_a_user_run_at_once_and_others_beside_them() -> None:
    wait = Waiting()
    made = toy.dataclasses.replace(toy.endpoint(), context_for=lambda _: {"wait": wait})
    app = graphql_app(made)
    async with servers.async_http("http://testserver", transport=httpx.ASGITransport(app)) as client:
        asked = [
            asyncio.create_task(client.post("/graphql", json={"query": "{ waited }"}, headers={"x-api-key": who}))
            for who in [*["ada"] * 6, "ben"]
        ]
        await wait.five.wait()
        for _ in range(100):
            await asyncio.sleep(0)
        assert wait.running == 5
        wait.gate.set()
        answers = await asyncio.gather(*asked)
    assert [each.status_code for each in answers] == [200] * 7
    assert wait.most == 5


async def test_four_operations_of_the_contract_run_at_once_for_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = Waiting()

    async def execute(*_: Any) -> Any:
        await wait()
        return SimpleNamespace(errors=None, data={"viewer": "somebody"})

    monkeypatch.setattr("graphql_api.contract_execution.execute_coerced", execute)
    api = Api(build(), SimpleNamespace(requests=Slots(MAX_REQUESTS)))  # type: ignore[arg-type]
    ada, ben = [Caller(name, name, Email(f"{name}@acme.example")) for name in ("ada", "ben")]
    operation = next(each for each in OPERATIONS if each.answer is Answer.VALUE)
    running = [asyncio.create_task(api.run(operation, who, {})) for who in (*[ada] * 6, ben)]
    for _ in range(100):
        await asyncio.sleep(0)
    assert wait.running == 5
    wait.gate.set()
    assert await asyncio.gather(*running) == ["somebody"] * 7


def test_a_user_follows_fifty_things_on_all_their_sockets_together() -> None:
    with toy.client(toy.endpoint()) as client, conversation(client) as one, conversation(client) as another:
        for socket in (one, another):
            greet(socket)
            for number in range(25):
                subscribe(socket, "subscription { forever }", str(number))
                assert socket.receive_json()["type"] == "next"
        subscribe(one, "subscription { forever }", "more")
        (error,) = one.receive_json()["payload"]
        assert error["extensions"]["code"] == "TOO_MANY_REQUESTS"
        another.send_json({"type": "complete", "id": "1"})
        for attempt in range(1_000):  # there is room once the one that was ended is taken down
            subscribe(one, "subscription { count(to: 1) }", f"again {attempt}")
            answer = one.receive_json()
            if answer["type"] == "next":
                break
        assert answer["type"] == "next"


async def test_four_queries_of_a_connection_run_at_once_and_the_others_in_their_turn() -> None:
    begun, most, gate, four = 0, 0, asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        nonlocal begun, most
        begun += 1
        most = max(most, begun)
        if begun == 4:
            four.set()
        await gate.wait()
        begun -= 1

    asked = ["subscription { count(to: 0) }", *["{ waited }"] * 6]
    texts = [json.dumps({"type": "subscribe", "id": str(n), "payload": {"query": q}}) for n, q in enumerate(asked)]
    wire = Script('{"type": "connection_init"}', *texts)
    hooks = hooked({"wait": wait})
    serving = asyncio.create_task(serve_socket(wire, toy.schema(), hooks))
    await four.wait()
    assert len(wire.coming) == 1, "the sixth is not even read"
    gate.set()
    await serving
    assert most == 4
    assert sum(each["type"] == "next" for each in wire.said) == 6


def test_a_key_that_was_revoked_subscribes_to_nothing_more() -> None:
    welcome = [True]

    class UntilRevoked(toy.ByName):
        async def identify(self, *given: Any) -> Any:
            return await toy.ByName.identify(self, *given) if welcome[0] else None

    with toy.client(toy.endpoint(UntilRevoked(nobody))) as client, conversation(client) as socket:
        greet(socket)
        welcome[0] = False
        subscribe(socket, "{ caller }")
        assert closed(socket) == (4401, "UNAUTHORIZED")


class Arriving:
    """A request whose body arrives as a test says; `status` is of its answer, when there is one."""

    def __init__(self, app: Any, declared: int | None = None) -> None:
        self.parts: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.waits = asyncio.Event()
        self.status, self.body = 0, b""
        length = [(b"content-length", str(declared).encode())] if declared else []
        headers = [(b"x-api-key", b"ada"), (b"content-type", b"application/json"), *length]
        scope = {
            "type": "http", "method": "POST", "path": "/graphql", "raw_path": b"/graphql", "query_string": b"",
            "root_path": "", "scheme": "http", "http_version": "1.1", "headers": headers, "client": None, "server": None,
        }  # fmt: skip
        self.answered = asyncio.create_task(app(scope, self._receive, self._send))

    async def arrives(self, part: bytes) -> None:
        """Let a part arrive, and return when more is waited for, or it is answered."""
        self.waits.clear()
        self.parts.put_nowait(part)
        waiting = asyncio.create_task(self.waits.wait())
        await asyncio.wait((waiting, self.answered), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()

    async def ends(self) -> int:
        self.parts.put_nowait(None)
        await self.answered
        return self.status

    async def _receive(self) -> dict[str, Any]:
        if self.parts.empty():
            self.waits.set()
        part = await self.parts.get()
        return {"type": "http.request", "body": part or b"", "more_body": part is not None}

    async def _send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")


def long_import(length: int) -> bytes:
    return json.dumps({"query": IMPORT, "variables": {"u": "x" * length}}).encode()


ENDED = {"revoked": (401, "UNAUTHORIZED"), "away": (503, "SERVICE_UNAVAILABLE"), "": (200, None)}


@pytest.mark.parametrize("happens", ENDED)
async def test_a_credential_that_ends_while_its_body_is_on_the_way_opens_nothing(happens: str) -> None:
    state = {"revoked": False, "away": False}

    class Ending(toy.ByName):
        async def identify(self, *given: Any) -> Any:
            if state["away"]:
                raise Unavailable
            return None if state["revoked"] else await toy.ByName.identify(self, *given)

    request = Arriving(graphql_app(toy.endpoint(Ending(nobody), late=0.0)))
    await request.arrives(b'{"query": ')
    state[happens] = True
    await request.arrives(b'"{ caller }"}')
    status, code = ENDED[happens]
    assert await request.ends() == status
    assert json.loads(request.body).get("code") == code


async def test_long_bodies_are_taken_two_at_a_time_and_cost_a_write_before_they_are_read() -> None:
    limiter = RateLimiter(Rates(writes=Rate("writes", 5)), now=lambda: 0.0)

    def left() -> int:
        return limiter.peek(limiter.rates.writes, ADA).remaining

    sizes, body = Sizes(body=1_000, long_body=100_000), long_import(5_000)
    app = graphql_app(toy.endpoint(sizes=sizes, limiter=limiter))
    declared, undeclared = Arriving(app, len(body)), Arriving(app)
    await declared.arrives(body[:10])
    assert left() == 3
    await undeclared.arrives(body[:900])
    assert left() == 3
    await undeclared.arrives(body[900:2_000])
    assert left() == 2
    third = Arriving(app, len(body))
    await third.arrives(body[:10])
    assert (third.status, left()) == (429, 2)
    await declared.arrives(body[10:])
    assert await declared.ends() == 200
    fourth = Arriving(app, len(body))
    await fourth.arrives(body)
    assert (await fourth.ends(), left()) == (200, 1)
    await undeclared.arrives(body[2_000:])
    assert (await undeclared.ends(), left()) == (200, 1)


async def test_what_of_a_users_bodies_has_arrived_unfinished_is_bounded() -> None:
    bodies = InFlight(2 * SMALL_BODY)
    app = graphql_app(toy.endpoint(bodies=bodies, late=0.0))
    first, second, small = Arriving(app), Arriving(app), Arriving(app)
    await first.arrives(b" " * (SMALL_BODY + 1))
    await second.arrives(b" " * (SMALL_BODY + 1))
    assert second.status == 429
    await small.arrives(b'{"query": "{ caller }"}')
    assert await small.ends() == 200
    await first.arrives(b'{"query": "{ caller }"}')
    assert await first.ends() == 200
    third = Arriving(app)
    await third.arrives(b" " * 3 * SMALL_BODY + b'{"query": "{ caller }"}')
    assert await third.ends() == 200
    assert bodies.begin("ada", 2 * SMALL_BODY), "all of it was given back"
