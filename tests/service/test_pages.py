"""What operators ask of a running server, and what is answered where nothing lives."""

import json
import re
import socket

import httpx
import pytest

from tests.support.processes.servers import PATIENCE


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_server_that_is_well_says_so_to_anybody(server, path, method):
    answer = httpx.request(method, server.origin + path, timeout=PATIENCE)
    assert (answer.status_code, answer.text) == (200, "ok\n" if method == "GET" else "")


@pytest.mark.parametrize(
    "path", ["/nothing", "/sign-inn", "/healthz/more", "/api", "/api/v2/drives", "/Images", "/settings/nothing/at/all"]
)
def test_an_unknown_path_is_answered_in_the_envelope(server, path):
    answer = httpx.get(server.origin + path, timeout=PATIENCE)
    assert answer.status_code == 404
    assert answer.json() == {"code": "NOT_FOUND", "message": "there is nothing here that you can see"}


@pytest.mark.parametrize("path", ["/nothing", "/sign-in/abc", "/api", "/settings/nothing/at/all"])
def test_an_unknown_path_is_a_page_for_whoever_asks_for_one(server, path):
    answer = httpx.get(server.origin + path, headers={"accept": "text/html,*/*;q=0.8"}, timeout=PATIENCE)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is nothing here that you can see." in answer.text
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_another_method_is_refused_in_the_envelope_with_those_that_are_known(server, path):
    answer = httpx.post(server.origin + path, timeout=PATIENCE)
    assert answer.status_code == 405
    assert answer.json().keys() == {"code", "message"}
    assert answer.json()["code"] == "METHOD_NOT_SUPPORTED"
    assert {"GET", "HEAD"} <= set(answer.headers["allow"].split(", "))


ANYWHERE = [
    ("GET", "/api/v1/drives", "drives.list"),
    ("GET", "/healthz", "healthz"),
    ("GET", "/metrics", "metrics"),
    ("POST", "/graphql", "graphql"),
    ("GET", "/p/nothing.md", "published"),
    ("HEAD", "/p/nothing/images/at-all", "published"),
    ("GET", "/p", "other"),
    ("GET", "/nothing", "other"),
]


@pytest.mark.parametrize(("method", "path", "operation"), ANYWHERE)
def test_every_answer_has_an_id_that_its_line_in_the_log_has_too(server, client, method, path, operation):
    answer = client.request(method, path, json={"query": "{ viewer { id } }"} if method == "POST" else None)
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["x-request-id"])
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
    line = server.eventually(lambda: line_of(server, answer.headers["x-request-id"]))
    assert (line["method"], line["operation"], line["status"]) == (method, operation, answer.status_code)
    signed_in = path.startswith(("/api", "/graphql"))
    assert line["user_id"] == (server.credentials["users"]["ada"]["userId"] if signed_in else None)


def line_of(server, request_id):
    lines = (json.loads(line) for line in server.errors.splitlines() if request_id in line and line.endswith("}"))
    return next((line for line in lines if line["event"] == "answered"), None)


def test_the_callers_own_id_is_kept_where_it_is_fit_for_a_log(server):
    for path in ("/healthz", "/api/v1/drives", "/graphql"):
        kept = httpx.get(server.origin + path, headers={"x-request-id": "trace-1.2:3_4"}, timeout=PATIENCE)
        assert kept.headers["x-request-id"] == "trace-1.2:3_4"
        replaced = httpx.get(server.origin + path, headers={"x-request-id": "a b{}"}, timeout=PATIENCE)
        assert replaced.headers["x-request-id"] != "a b{}"


def test_metrics_count_answers_by_operation_and_status(client):
    for _ in range(3):
        client.post("/graphql", json={"query": "{ viewer { id } }"})
        client.get("/api/v1/drives")
    answer = client.get("/metrics")
    assert answer.headers.get_list("content-type") == ["text/plain; version=1.0.0; charset=utf-8"]
    told = answer.text
    for operation in ("graphql", "drives.list"):
        count = re.search(rf'codrive_answers_total{{operation="{operation}",status="200"}} (\d+)', told)
        assert int(float(count[1])) >= 3
        assert f'codrive_answer_seconds_count{{operation="{operation}"}}' in told
    assert "process_resident_memory_bytes" in told


@pytest.mark.parametrize("path", ["/graphql", "/api/v1/drives"])
def test_a_caller_who_hangs_up_in_the_middle_is_no_fault_of_ours(server, path):
    url = httpx.URL(server.origin)
    marked = f"hung-up{path.replace('/', '-')}"
    head = [f"POST {path} HTTP/1.1", "host: a", f"x-api-key: {server.key()}", f"x-request-id: {marked}"]
    sent = "\r\n".join([*head, "content-type: application/json", "content-length: 100", "expect: 100-continue", "", ""])
    with socket.create_connection((url.host, url.port), timeout=PATIENCE) as connection:
        connection.sendall(sent.encode())
        assert b"100 Continue" in connection.recv(1000), "the body is awaited"
    assert (
        httpx.get(f"{server.origin}/healthz", headers={"x-request-id": f"after-{marked}"}, timeout=PATIENCE).status_code
        == 200
    )
    server.eventually(lambda: line_of(server, f"after-{marked}"))
    lines = server.errors.splitlines()
    assert not [line for line in lines if f'"{marked}"' in line or "disconnected prematurely" in line]
