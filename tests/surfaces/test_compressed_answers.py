"""Are long answers compressed on every surface, with the same bytes inside, and never for another site?"""

import gzip
import json

import pytest

from tests.support.processes.servers import http

NAME = "A name that makes the answer long enough to be worth compressing, as most are"


@pytest.fixture(scope="module")
def drive(ada):
    made = ada.drive()
    for _ in range(12):
        ada.folder(made, NAME)
    return made


def asked(server, ada, drive, surface):
    """Return the request of a long answer: its method, path, body, and headers."""
    query = "query($id: ID!) { drive(id: $id) { items { nodes { id name url capabilities } } } viewer { name } }"
    bodies = {
        "rest": ("GET", "/api/v1/drives", None),
        "graphql": ("POST", "/graphql", {"query": query, "variables": {"id": drive}}),
        "mcp": ("POST", "/api/v1/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    }
    method, path, body = bodies[surface]
    headers = {"x-api-key": ada.key, "accept": "application/json, text/event-stream"}
    if body is not None:
        headers["content-type"] = "application/json"
    return method, f"{server.origin}{path}", None if body is None else json.dumps(body).encode(), headers


def exchanged(method, url, content, headers, encoding):
    """Return the answer and its bytes as they came."""
    with (
        http() as client,
        client.stream(method, url, content=content, headers=headers | {"accept-encoding": encoding}) as answer,
    ):
        return answer, b"".join(answer.iter_raw())


@pytest.mark.parametrize("over", ["rest", "graphql", "mcp"])
def test_a_long_answer_is_compressed_for_those_who_take_it(server, ada, drive, over):
    request = asked(server, ada, drive, over)
    plain, body = exchanged(*request, "identity")
    packed, bytes_of_it = exchanged(*request, "gzip, br")
    assert (plain.status_code, packed.status_code) == (200, 200)
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) == len(bytes_of_it) < len(body)
    assert gzip.decompress(bytes_of_it) == body
    for answer in (plain, packed):
        assert "accept-encoding" in answer.headers["vary"]
        assert answer.headers["cache-control"] == "no-store"


def test_head_tells_what_get_would_send(server, ada, drive):
    _, url, _, headers = asked(server, ada, drive, "rest")
    found, body = exchanged("GET", url, None, headers, "gzip")
    told, nothing = exchanged("HEAD", url, None, headers, "gzip")
    assert nothing == b""
    assert len(body) == int(told.headers["content-length"])
    assert told.headers["content-encoding"] == found.headers["content-encoding"]


def test_a_document_is_known_again_whichever_way_it_was_sent(server, ada, drive):
    document = ada.document(drive, NAME)
    edit = "mutation($d: ID!, $t: String!) { editDocument(documentId: $d, edit: {append: $t}) { id } }"
    ada.gql(edit, d=document, t=NAME * 5)
    url, headers = f"{server.origin}/api/v1/documents/{document}", {"x-api-key": ada.key}
    packed, _ = exchanged("GET", url, None, headers, "gzip")
    assert packed.headers["content-encoding"] == "gzip"
    tag = packed.headers["etag"]
    assert tag.startswith("W/")
    for encoding in ("gzip", "identity"):
        again, body = exchanged("GET", url, None, headers | {"if-none-match": tag}, encoding)
        assert (again.status_code, body, again.headers["etag"]) == (304, b"", tag)
        assert "accept-encoding" in again.headers["vary"]


def test_errors_that_hide_something_are_never_compressed(server, ada):
    for path in ("/api/v1/documents/none", "/api/v1/none"):
        answer, body = exchanged("GET", server.origin + path, None, {"x-api-key": ada.key}, "gzip")
        assert answer.status_code == 404
        assert "vary" not in answer.headers
        assert json.loads(body)["code"] == "NOT_FOUND"


def test_another_site_gets_nothing_whose_length_tells(server, drive):
    """Without this, a page elsewhere could guess a document's words by the length of compressed answers."""
    user = server.credentials["users"]["ada"]
    with http(server.origin) as browser:
        form = {"email": user["email"], "password": user["password"]}
        assert browser.post("/sign-in", data=form, headers={"origin": server.origin}).status_code == 303
        query = {"query": "{ drives { nodes { items { nodes { id name } } } } }"}
        own = browser.get("/graphql", params=query, headers={"sec-fetch-site": "same-origin"})
        assert own.headers["content-encoding"] == "gzip"
        for site in ("cross-site", "same-site", "none"):
            other = browser.get("/graphql", params=query, headers={"sec-fetch-site": site})
            assert (other.status_code, "content-encoding" in other.headers) == (403, False), site
        for page in ("/", f"/drive/{drive}", "/settings/keys"):
            assert "content-encoding" not in browser.get(page).headers, "it holds the token of its forms"
