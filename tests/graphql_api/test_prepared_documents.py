"""Does a prepared document answer as the same text answers that is not prepared, to the byte and to the status?"""

from dataclasses import replace

import pytest

from graphql_adapter.http import RESPONSE
from graphql_adapter.requests import JSON
from graphql_api.compiled_execution import CompiledExecutor
from graphql_api.prepared_documents import PreparedDocuments
from graphql_api.query_limits import QueryLimits
from tests.graphql_api import toy

TEXTS = {
    "rows": "query Rows {\n  rows {\n    items {\n      id\n      name\n    }\n  }\n}",
    "item": "query Item($id: ID!) {\n  item(id: $id) {\n    id\n    name\n    createdBy {\n      name\n    }\n  }\n}",
    "rename": 'mutation Rename($name: String!) {\n  renameItem(id: "i1", name: $name) {\n    id\n  }\n}',
    "crash": "query Crash {\n  crash\n}",
    "directives": "query Rows($no: Boolean!) {\n  rows @skip(if: $no) {\n    items {\n      id\n    }\n  }\n}",
}
REQUESTS = {
    "plain": {"query": TEXTS["rows"]},
    "with variables": {"query": TEXTS["item"], "variables": {"id": "i1"}},
    "what is not there": {"query": TEXTS["item"], "variables": {"id": "none"}},
    "without its variable": {"query": TEXTS["item"]},
    "a variable of another type": {"query": TEXTS["item"], "variables": {"id": {"a": 1}}},
    "a variable too many": {"query": TEXTS["item"], "variables": {"id": "i1", "other": 1}},
    "its name": {"query": TEXTS["item"], "variables": {"id": "i1"}, "operationName": "Item"},
    "another name": {"query": TEXTS["item"], "variables": {"id": "i1"}, "operationName": "Other"},
    "an empty name": {"query": TEXTS["item"], "variables": {"id": "i1"}, "operationName": ""},
    "a mutation": {"query": TEXTS["rename"], "variables": {"name": "n"}},
    "a resolver that fails": {"query": TEXTS["crash"]},
    "directives": {"query": TEXTS["directives"], "variables": {"no": True}},
}


@pytest.fixture(scope="module")
def clients():
    """A client of an endpoint that has prepared the documents, and one of an endpoint that has not."""
    stock = toy.endpoint()
    prepared = replace(stock, prepared=PreparedDocuments(stock.schema, TEXTS.values()))
    with (
        toy.client(prepared) as compiled,
        toy.client(stock) as plain,
    ):
        yield compiled, plain


@pytest.mark.parametrize("accept", [JSON, RESPONSE])
@pytest.mark.parametrize("what", REQUESTS)
def test_both_ways_answer_alike(clients, what, accept):
    headers = {"x-api-key": "ada", "accept": accept, "x-request-id": "same"}
    compiled, stock = (client.post("/graphql", json=REQUESTS[what], headers=headers) for client in clients)
    assert compiled.status_code == stock.status_code
    assert compiled.content == stock.content
    assert compiled.headers == stock.headers


@pytest.mark.parametrize("what", ["rows", "rename"])
def test_both_ways_answer_get_alike(clients, what):
    asked = {"query": TEXTS[what], "variables": '{"name": "n"}' if what == "rename" else ""}
    compiled, stock = (client.get("/graphql", params=asked, headers={"x-api-key": "ada"}) for client in clients)
    assert (compiled.status_code, compiled.content) == (stock.status_code, stock.content)


def test_only_the_very_text_is_compiled(clients, monkeypatch):
    ran = []
    run = CompiledExecutor.run
    monkeypatch.setattr(
        CompiledExecutor, "run", lambda executor: ran.append(executor.prepared.document) or run(executor)
    )
    for text in (TEXTS["rows"], TEXTS["rows"] + " ", TEXTS["rows"].replace("Rows", "Others")):
        answer = clients[0].post("/graphql", json={"query": text}, headers={"x-api-key": "ada"})
        assert answer.status_code == 200
    assert len(ran) == 1


def test_the_limits_of_any_client_hold_for_prepared_documents():
    schema = toy.schema(limits=QueryLimits(depth=1))
    stock = replace(toy.endpoint(), schema=schema)
    prepared = replace(stock, prepared=PreparedDocuments(schema, TEXTS.values()))
    answers = []
    for endpoint in (prepared, stock):
        with toy.client(endpoint) as client:
            headers = {"x-api-key": "ada", "accept": RESPONSE}
            answer = client.post("/graphql", json={"query": TEXTS["rows"]}, headers=headers)
            answers.append((answer.status_code, answer.content))
    assert answers[0] == answers[1]
    assert answers[0][0] == 400


@pytest.mark.parametrize(("size", "status"), [(1, 200), (200, 400), (None, 400)])
def test_the_limits_hold_for_the_pages_that_a_request_asks_for(size, status):
    text = "query Page($first: Int! = 100) {\n  page(first: $first) {\n    edges {\n      node {\n        id\n      }\n    }\n  }\n}"
    schema = toy.schema(limits=QueryLimits(cost=50))
    stock = replace(toy.endpoint(), schema=schema)
    prepared = replace(stock, prepared=PreparedDocuments(schema, [text]))
    asked = {"query": text, "variables": {"first": size} if size else {}}
    answers = []
    for endpoint in (prepared, stock):
        with toy.client(endpoint) as client:
            answer = client.post("/graphql", json=asked, headers={"x-api-key": "ada", "accept": RESPONSE})
            answers.append((answer.status_code, answer.content))
    assert answers[0] == answers[1]
    assert answers[0][0] == status


def test_a_text_that_the_schema_does_not_know_is_not_prepared():
    prepared = PreparedDocuments(toy.schema(), ["query { nothing }"])
    with pytest.raises(ValueError, match="nothing"):
        prepared.find("query { nothing }", None, "POST")
