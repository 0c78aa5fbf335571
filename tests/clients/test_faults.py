"""What the client libraries make of everything that can go wrong between them and the server."""

import json
import re
import socket

import pytest

from tests.clients.libraries import KEY, LIBRARIES
from tests.support.processes.faulty import SILENCE, answer, faulty

ENVELOPE = '{"code": "NOT_FOUND", "message": "there is nothing here that you can see"}'
PAGE = "<html><body>Bad gateway</body></html>"
ITEMS = answer(200, '{"items": []}')
EMPTY = answer(200)
SHARED, MAKE, RENAME = "driveItems.sharedWithMe", "drives.create", "drives.rename"
INPUTS = {SHARED: {}, MAKE: {"name": "Made"}, RENAME: {"driveId": "one", "name": "Named"}}
MADE = answer(200, '{"drive": {}}')
# what the server does -> the operation, what comes of it, and how often it was asked
FAULTS = {
    "a dropped connection, then an answer": ((b"", ITEMS), SHARED, None, 2),
    "dropped connections": ((b"", b"", b""), SHARED, ("CONNECTION_FAILED", None), 3),
    "a dropped connection while making something": ((b"", MADE), MAKE, None, 2),
    "a dropped connection while changing something": ((b"", EMPTY), RENAME, ("CONNECTION_FAILED", None), 1),
    "429 with Retry-After": ((answer(429, retry_after="0"), ITEMS), SHARED, None, 2),
    "429 without": ((answer(429), EMPTY), RENAME, None, 2),
    "429 for longer than anybody waits": ((answer(429, retry_after="3600"),), SHARED, ("TOO_MANY_REQUESTS", 429), 1),
    "503, then an answer": ((answer(503, retry_after="0"), ITEMS), SHARED, None, 2),
    "503 while changing something": ((answer(503, retry_after="0"), EMPTY), RENAME, ("SERVICE_UNAVAILABLE", 503), 1),
    "a page of a proxy": ((answer(502, PAGE, "text/html"),) * 3, SHARED, ("SERVICE_UNAVAILABLE", 502), 3),
    "a page instead of an answer": ((answer(200, PAGE, "text/html"),), SHARED, ("INVALID_ANSWER", 200), 1),
    "a page instead of nothing": ((answer(200, PAGE, "text/html"),), RENAME, ("INVALID_ANSWER", 200), 1),
    "nothing instead of an answer": ((EMPTY,), SHARED, ("INVALID_ANSWER", 200), 1),
    "another answer": ((answer(200, '{"drives": []}'),), SHARED, ("INVALID_ANSWER", 200), 1),
    "an answer cut off": ((ITEMS[:-3], ITEMS), SHARED, None, 2),
    "an answer cut off while changing": ((answer(200, "x")[:-1],), RENAME, ("CONNECTION_FAILED", None), 1),
    "204": ((answer(204),), RENAME, ("INVALID_ANSWER", 204), 1),
    "no HTTP": ((b"hello\r\n\r\n",) * 3, SHARED, ("CONNECTION_FAILED", None), 3),
    "silence": ((SILENCE,) * 3, SHARED, ("TIMED_OUT", None), 3),
    "silence while changing something": ((SILENCE,), RENAME, ("TIMED_OUT", None), 1),
    "an envelope": ((answer(404, ENVELOPE, x_request_id="r-1"),), SHARED, ("NOT_FOUND", 404), 1),
    "an unknown code": ((answer(418, '{"code": "TEAPOT", "message": "short"}'),), SHARED, ("TEAPOT", 418), 1),
    "an error without a body": ((answer(409),), RENAME, ("BAD_REQUEST", 409), 1),
    "an error that is a list": ((answer(403, "[]"),), RENAME, ("FORBIDDEN", 403), 1),
}


TIMEOUTS = 0.3, 3.0, 30.0  # seconds


@pytest.fixture(params=LIBRARIES)
def library(request):
    return LIBRARIES[request.param]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_as_documented(fault, library):
    script, operation, failure, asked = FAULTS[fault]
    # on a slow host a request may not have come in that time; then it is tried with more
    for options in ({"timeout": each} for each in TIMEOUTS) if SILENCE in script else ({},):
        with faulty(*script) as server:
            outcome = library(operation, INPUTS[operation], server.url, **options)
        if len(server.requests) == asked:
            break
    assert (outcome.code, outcome.status) == (failure or (None, None))
    assert len(server.requests) == asked
    assert KEY not in f"{outcome}"
    if fault == "an envelope":
        assert (outcome.message, outcome.request_id) == (json.loads(ENVELOPE)["message"], "r-1")


def test_a_refused_connection_is_tried_again_whatever_was_asked(library):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/api/v1"
    outcome = library(RENAME, INPUTS[RENAME], url)
    assert (outcome.code, outcome.status, outcome.kind) == ("CONNECTION_FAILED", None, "ConnectionFailedError")


def test_a_repeated_request_has_the_key_of_the_first(library):
    with faulty(b"", answer(503), MADE) as server:
        assert library(MAKE, INPUTS[MAKE], server.url).code is None
    keys = [re.search(r"(?im)^idempotency-key: (\S+)", request)[1] for request in server.requests]
    assert len(keys) == 3
    assert len({*keys}) == 1


def test_a_key_of_the_callers_own_is_sent_and_only_where_something_is_made(library):
    with faulty(MADE) as server:
        assert library(MAKE, INPUTS[MAKE], server.url, idempotency_key="mine").code is None
        assert library(RENAME, INPUTS[RENAME], server.url, idempotency_key="mine").code == "INVALID_INPUT"
    (request,) = server.requests
    assert "idempotency-key: mine" in request.lower()


def test_nothing_is_asked_again_where_that_is_not_wanted(library):
    with faulty(b"", ITEMS) as server:
        assert library(SHARED, {}, server.url, max_retries=0).code == "CONNECTION_FAILED"
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed_and_the_key_goes_nowhere_else(library):
    with faulty(ITEMS) as other, faulty(answer(307, location=f"{other.url}/drive-items/shared-with-me")) as server:
        outcome = library(SHARED, {}, server.url)
        assert outcome.code == "INVALID_ANSWER"
    assert other.requests == []


def test_what_is_sent_names_the_key_the_agent_and_the_client_in_headers(library):
    with faulty(ITEMS) as server:
        library(SHARED, {}, server.url, agent="tester")
    (request,) = server.requests
    line, *headers = request.split("\r\n")
    assert line == "GET /api/v1/drive-items/shared-with-me HTTP/1.1"
    sent = dict(header.lower().split(": ", 1) for header in headers if header)
    assert sent["x-api-key"] == KEY.lower()
    assert sent["x-service-agent"] == "tester"
    assert re.fullmatch(r"codrive-(python|typescript)/\d+\.\d+\.\d+", sent["user-agent"])


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("a/b", "a%2Fb"),
        ("a b?c#d", "a%20b%3Fc%23d"),
        ("grün+@x", "gr%C3%BCn%2B%40x"),
        ("%2F", "%252F"),
    ],
)
def test_what_stands_in_a_path_is_encoded(given, path, library):
    with faulty(EMPTY) as server:
        assert library(RENAME, {"driveId": given, "name": "a"}, server.url).code is None
    assert server.requests[0].split(" ")[1].lower() == f"/api/v1/drives/{path}".lower()


@pytest.mark.parametrize("given", ["", ".", "..", None, 7, "\ud800"])
def test_what_would_make_another_path_is_refused_before_anything_is_sent(given, library):
    with faulty(EMPTY) as server:
        outcome = library(RENAME, {"driveId": given, "name": "a"}, server.url)
    assert (outcome.code, server.requests) == ("INVALID_INPUT", [])
    assert "driveId" in outcome.message


def test_an_input_that_the_operation_has_no_place_for_is_refused(library):
    with faulty(ITEMS) as server:
        outcome = library(SHARED, {"color": "red"}, server.url)
    assert (outcome.code, server.requests) == ("INVALID_INPUT", [])
