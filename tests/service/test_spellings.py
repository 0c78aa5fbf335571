"""Every path has one spelling: any other is 404 on all surfaces, or leads to the page that it means."""

import json
from contextlib import closing
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from edge.one_spelling import canonical_path
from tests.service.spellings import SPELLED, sent
from tests.support.processes.servers import PATIENCE, ask, signed_in, sync_websocket
from web.pages import static_url

PROGRAMS = [
    "/metrics", "/healthz", "/readyz", "/graphql", "/oauth/token", "/oauth/authorize", "/oauth/register", static_url("style.css"),
    "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/api/v1/mcp", "/api/v1/drives",
    "/api/v1/drive-items/shared-with-me", "/api/v1/openapi.json", "/api/v1/docs", "/api/v1/mcp", "/api/v1/mcp-full", "/images",
]  # fmt: skip
PAGES = ["/sign-in", "/settings", "/settings/keys", "/forgotten", "/shared", "/search", "/agents", "/p/nothing"]
LEADS_ON = {
    "doubled at the start", "three at the start", "doubled at the end", "a slash at the end", "two at the end", "a letter encoded",
}  # fmt: skip


@pytest.mark.parametrize("path", PROGRAMS)
@pytest.mark.parametrize("spelled", SPELLED)
def test_a_path_for_programs_that_is_spelled_in_another_way_is_not_there(server, path, spelled):
    key = f"x-api-key: {server.key()}"
    for method in ("GET", "HEAD"):
        assert sent(server, SPELLED[spelled](path), key, method=method)[0] == 404
    assert sent(server, SPELLED[spelled](path), key, method="POST")[0] in (404, 405), (
        "405: it is an id that nothing has"
    )
    assert sent(server, SPELLED[spelled](path), "accept: text/html", key)[0] == 404


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("spelled", SPELLED)
def test_a_page_that_is_spelled_in_another_way_leads_to_its_one_spelling_or_is_not_there(server, path, spelled):
    written = SPELLED[spelled](path)
    status, headers = sent(server, f"{written}?next=%2Fdoc", "accept: text/html")
    if spelled in LEADS_ON:
        assert (status, headers["location"]) == (308, f"{path}?next=%2fdoc")
        assert sent(server, written, method="POST")[0] == 404, "a form is sent to its own address"
    else:
        assert status == 404


@pytest.mark.parametrize("path", [*PROGRAMS, *PAGES])
def test_the_one_spelling_is_there(server, path):
    status, _ = sent(server, path, f"x-api-key: {server.key()}")
    assert status != 404 or path == "/p/nothing"
    assert status != 308


@pytest.mark.parametrize(
    "path", ["//evil.example", "//evil.example/sign-in", "/\\evil.example/", "///evil.example/%2e%2e"]
)
def test_no_spelling_leads_to_another_site(server, path):
    assert sent(server, path)[0] in (400, 404)


@pytest.mark.parametrize("name", ["a/b+c", "100%", "%2F", "a b", "caf\u00e9", "..", "a;b=c", "?#"])
def test_what_is_encoded_in_a_parameter_survives(server, client, name):
    folder = client.get("/api/v1/drives").json()["drives"][0]["id"]
    body = {"name": "For names", "driveItemType": "folder"}
    item = client.post(f"/api/v1/drives/{folder}/items", json=body).json()["item"]["id"]
    told = client.get(f"/api/v1/drive-items/{item}/access/{quote(f'{name}@example.com', safe='')}")
    assert told.status_code in (200, 400), "it names an address, or none, but no other path"
    with closing(signed_in(server.origin, server.credentials["users"]["ada"])) as browser:
        path = f"/agents/{quote(name, safe='+') if name != '..' else 'a..b'}"
        answer = browser.get(path, headers={"accept": "text/html"})
        assert (answer.status_code, answer.request.url.raw_path.decode()) == (200, path)


@pytest.mark.parametrize(
    "path", ["//graphql", "/graphql/", "/%67raphql", "/graphql%2f", "//collaboration", "/collaboration/", "/collaboration//",
             "/%63ollaboration", "/collaboration/..", "/collaboration/x/", "/collaboration%2fx"],
)  # fmt: skip
def test_a_socket_is_opened_at_its_one_spelling_alone(server, path):
    address = server.origin.replace("http", "ws")
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)) as refused,
        sync_websocket(
            address + path, additional_headers=server.headers(), subprotocols=["graphql-transport-ws"]
        ) as socket,
    ):
        socket.recv(timeout=PATIENCE)
    if isinstance(refused.value, InvalidStatus):
        assert refused.value.response.status_code in (403, 404)
    else:
        assert refused.value.rcvd.code == 4404


def test_a_page_is_asked_for_at_its_one_spelling_and_asks_for_no_more(server):
    with server.client() as client:
        assert ask(client, "{ viewer { id } }")


@given(st.text("/.%2eEfFaA+\\", max_size=12).map(lambda text: "/" + text))
def test_the_one_spelling_is_found_at_once_and_stays_on_this_site(path):
    found = canonical_path(path)
    if found is not None:
        assert canonical_path(found) == found
        assert not found.startswith("//")
        assert json.dumps(found)
        assert not {".", ".."} & set(found.split("/"))
