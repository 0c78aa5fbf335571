"""Where a browser's session counts beside pages, and where it does not: GraphQL, sockets, images, REST and MCP."""

import hashlib
import io
import json
import re
from contextlib import contextmanager

import pytest
from PIL import Image
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.processes.servers import PATIENCE, sync_websocket
from tests.support.web.visitors import Visitor

STEP1 = bytes([0, 0, 1, 0])  # of y-websocket: what do you have that an empty document lacks?
QUERY = "{ viewer { name } }"
EVERY_METHOD = [
    ("GET", "/api/v1/drives"),
    ("GET", "/api/v1/drive-items/shared-with-me"),
    ("POST", "/api/v1/drives"),
    ("POST", "/api/v1/mcp"),
]


@pytest.fixture
def document(served):
    """A document of Ada's, made over REST."""
    with Visitor(served.origin) as client:
        headers = {"x-api-key": served.credentials["users"]["ada"]["apiKey"]}
        drive = client.get("/api/v1/drives", headers=headers).json()["drives"][0]["id"]
        body = {"name": "Watched", "driveItemType": "docs_workbook"}
        return client.post(f"/api/v1/drives/{drive}/items", json=body, headers=headers).json()["item"]["id"]


def opened(served, path, visitor, origin=None, **options):
    headers = {"Cookie": f"codrive={visitor.cookie}"} if visitor else {}
    return sync_websocket(
        served.origin.replace("http", "ws") + path,
        additional_headers=headers | ({"Origin": origin} if origin else {}),
        **options,
    )


def ended(socket):
    """Read on to the end, and return how it came."""
    try:
        while True:
            socket.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code, closed.rcvd.reason


def sign_out_everywhere(visitor):
    ended = visitor.graphql("mutation { endOtherSessions { id } }")
    assert "errors" not in ended.json()


@pytest.mark.parametrize(("method", "path"), EVERY_METHOD)
def test_rest_and_mcp_never_take_a_cookie(browser_of, method, path):
    visitor = browser_of("ada")
    answer = visitor.request(
        method, path, json={"name": "Mine"}, headers={"origin": visitor.own, "x-codrive-csrf": "1"}
    )
    nobody = browser_of().request(method, path, json={"name": "Mine"}, headers={"origin": visitor.own})
    assert answer.status_code == 401
    assert answer.content == nobody.content


def test_graphql_takes_the_session_of_our_own_pages(browser_of, served):
    visitor = browser_of("ada")
    assert visitor.graphql(QUERY).json() == {"data": {"viewer": {"name": "Ada Lovelace"}}}
    by_header = visitor.post("/graphql", json={"query": QUERY}, headers={"x-codrive-csrf": "1"})
    assert by_header.json() == {"data": {"viewer": {"name": "Ada Lovelace"}}}
    same_site = visitor.post("/graphql", json={"query": QUERY}, headers={"sec-fetch-site": "same-origin"})
    assert same_site.status_code == 200
    local = served.origin.replace("127.0.0.1", "localhost")
    assert visitor.post("/graphql", json={"query": QUERY}, headers={"origin": local}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "https://evil.example", "x-codrive-csrf": "1"},
        {"origin": "null"},
        {"origin": "null", "x-codrive-csrf": "1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {},
    ],
)
def test_graphql_refuses_the_session_to_everybody_else(browser_of, headers):
    visitor = browser_of("ada")
    answer = visitor.post("/graphql", json={"query": QUERY}, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["code"] == "FORBIDDEN"
    assert visitor.get("/graphql", params={"query": QUERY}, headers=headers).status_code == 403


def test_graphql_takes_no_form_no_plain_text_and_no_mutation_by_get_with_a_session(browser_of):
    visitor = browser_of("ada")
    own = {"origin": visitor.own}
    body = json.dumps({"query": QUERY})
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert visitor.post("/graphql", content=body, headers=own | {"content-type": kind}).status_code == 415
    mutation = {"query": 'mutation { createApiKey(name: "k") { secret } }'}
    assert visitor.get("/graphql", params=mutation, headers=own).status_code == 405


def test_a_key_that_opens_nothing_is_not_helped_by_a_cookie(browser_of):
    answer = browser_of("ada").graphql(QUERY, **{"x-api-key": "cdr_wrong"})
    assert answer.status_code == 401


def test_the_active_organization_is_the_sessions_and_ends_with_the_membership(browser_of):
    one, other = browser_of("gus"), browser_of("gus")
    made = one.graphql('mutation { createOrganization(name: "Second") { id } }').json()["data"]["createOrganization"]
    active = "{ viewer { activeOrganization { name } } }"
    switched = one.graphql(f'mutation {{ switchOrganization(organizationId: "{made["id"]}") {{ name }} }}')
    assert switched.json()["data"]["switchOrganization"]["name"] == "Second"
    assert one.graphql(active).json()["data"]["viewer"]["activeOrganization"]["name"] == "Second"
    assert other.graphql(active).json()["data"]["viewer"]["activeOrganization"]["name"] == "Globex"


def test_a_document_opens_with_the_session_and_closes_when_it_ends(browser_of, served, document):
    visitor, elsewhere = browser_of("ada"), browser_of("ada")
    with opened(served, f"/collaboration/{document}", visitor, served.origin) as socket:
        socket.send(STEP1)
        assert socket.recv(timeout=PATIENCE)[:2] == b"\x00\x00", "the server asks before it answers"
        assert socket.recv(timeout=PATIENCE)[:2] == b"\x00\x01"
        sign_out_everywhere(elsewhere)
        assert ended(socket) == (4401, "UNAUTHORIZED")


def test_a_ticket_that_a_session_got_ends_with_it(browser_of, served, document):
    visitor, elsewhere = browser_of("ada"), browser_of("ada")
    asked = f'mutation {{ createCollaborationTicket(documentId: "{document}") {{ ticket }} }}'
    ticket = visitor.graphql(asked).json()["data"]["createCollaborationTicket"]["ticket"]
    name, token = document.encode(), ticket.encode()
    with opened(served, "/collaboration", None) as socket:
        socket.send(bytes([len(name)]) + name + bytes([2, 0, len(token)]) + token)
        assert b"read-write" in socket.recv(timeout=PATIENCE)
        sign_out_everywhere(elsewhere)
        assert ended(socket) == (4401, "UNAUTHORIZED")


def test_a_session_opens_no_document_for_another_site_even_one_that_may_come_with_tickets(running, document, served):
    with running("--no-rate-limits", "--allowed-origins", "https://app.example") as server:
        user = server.credentials["users"]["ada"]
        with Visitor(server.origin) as visitor:
            visitor.sign_in(user["email"], user["password"])
            assert served.origin != server.origin
            with opened(server, f"/collaboration/{document}", visitor, "https://app.example") as socket:
                socket.send(STEP1)
                with pytest.raises(ConnectionClosed) as closed:
                    socket.recv(timeout=PATIENCE)
            assert closed.value.rcvd.code == 4401
            for origin in ("https://evil.example", "null"):
                with pytest.raises(InvalidStatus) as refused:
                    opened(server, f"/collaboration/{document}", visitor, origin)
                assert refused.value.response.status_code == 403


def test_a_subscription_closes_when_its_session_ends(browser_of, served):
    visitor, elsewhere = browser_of("ada"), browser_of("ada")
    spoken = {"subprotocols": ["graphql-transport-ws"]}
    with opened(served, "/graphql", visitor, served.origin, **spoken) as socket:
        socket.send('{"type": "connection_init"}')
        assert json.loads(socket.recv(timeout=PATIENCE))["type"] == "connection_ack"
        sign_out_everywhere(elsewhere)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd.code == 4401


ELSEWHERE = "https://app.example"


@pytest.fixture(scope="module")
def allowing(running):
    with running("--no-rate-limits", "--allowed-origins", ELSEWHERE) as server:
        yield server


@contextmanager
def greeted(server, payload, origin=ELSEWHERE):
    """Yield a socket of a page, of another origin unless `origin` says otherwise, that has sent its greeting."""
    with opened(server, "/graphql", None, origin, subprotocols=["graphql-transport-ws"]) as socket:
        socket.send(json.dumps({"type": "connection_init", "payload": payload}))
        yield socket


def ticket_for(server):
    """A ticket that a page of another origin gets with Ada's key."""
    headers = {"x-api-key": server.credentials["users"]["ada"]["apiKey"], "origin": ELSEWHERE}
    with Visitor(server.origin) as page:
        asked = {"query": "mutation { createSocketTicket { ticket expiresAt } }"}
        return page.post("/graphql", json=asked, headers=headers).json()["data"]["createSocketTicket"]["ticket"]


@pytest.mark.parametrize("page", ["of an allowed origin", "of the server"])
def test_a_page_without_a_session_subscribes_with_a_ticket_once(allowing, page):
    ticket, origin = ticket_for(allowing), ELSEWHERE if page == "of an allowed origin" else allowing.origin
    with greeted(allowing, {"ticket": ticket}, origin) as socket:
        assert json.loads(socket.recv(timeout=PATIENCE))["type"] == "connection_ack"
        for number in ("1", "2"):
            socket.send(json.dumps({"type": "subscribe", "id": number, "payload": {"query": QUERY}}))
            answer = json.loads(socket.recv(timeout=PATIENCE))
            assert answer["payload"]["data"]["viewer"]["name"] == "Ada Lovelace"
            assert json.loads(socket.recv(timeout=PATIENCE))["type"] == "complete"
    with greeted(allowing, {"ticket": ticket}, origin) as socket:
        assert ended(socket) == (4401, "UNAUTHORIZED")


@pytest.mark.parametrize("payload", [None, {}, {"ticket": "nothing"}, {"ticket": 1}, {"ticket": "a" * 5_000}])
def test_a_greeting_without_a_ticket_admits_nobody(allowing, payload):
    with greeted(allowing, payload) as socket:
        assert ended(socket) == (4401, "UNAUTHORIZED")


def test_a_key_in_a_greeting_admits_nobody_nor_does_the_ticket_of_a_document(allowing):
    key = allowing.credentials["users"]["ada"]["apiKey"]
    with Visitor(allowing.origin) as page:
        headers = {"x-api-key": key}
        drive = page.get("/api/v1/drives", headers=headers).json()["drives"][0]["id"]
        body = {"name": "Watched", "driveItemType": "docs_workbook"}
        document = page.post(f"/api/v1/drives/{drive}/items", json=body, headers=headers).json()["item"]["id"]
        asked = {"query": f'mutation {{ createCollaborationTicket(documentId: "{document}") {{ ticket }} }}'}
        made = page.post("/graphql", json=asked, headers=headers).json()["data"]["createCollaborationTicket"]
    for payload in ({"x-api-key": key}, made):
        with greeted(allowing, payload) as socket:
            assert ended(socket) == (4401, "UNAUTHORIZED")


def test_a_socket_that_came_with_a_ticket_ends_with_the_key_that_it_was_got_with(allowing):
    user = allowing.credentials["users"]["ada"]
    made = allowing.operator("account", "key", user["email"], "--name", "for a page")
    key = re.search(r"cdr_\w+", made.stdout)[0]
    with Visitor(allowing.origin) as page:
        asked = {"query": "mutation { createSocketTicket { ticket } }"}
        ticket = page.post("/graphql", json=asked, headers={"x-api-key": key}).json()["data"]["createSocketTicket"]
    with greeted(allowing, ticket) as socket:
        assert json.loads(socket.recv(timeout=PATIENCE))["type"] == "connection_ack"
        listed = json.loads(allowing.operator("account", "keys", user["email"], "--json").stdout)
        (number,) = [each["id"] for each in listed if each["name"] == "for a page"]
        assert allowing.operator("account", "revoke", user["email"], number).returncode == 0
        assert ended(socket) == (4401, "UNAUTHORIZED")


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_no_other_site_subscribes_with_a_session(browser_of, served, origin):
    with pytest.raises(InvalidStatus) as refused:
        opened(served, "/graphql", browser_of("ada"), origin, subprotocols=["graphql-transport-ws"])
    assert refused.value.response.status_code == 403


def test_a_socket_that_says_nothing_of_its_page_gets_no_session(browser_of, served):
    with opened(served, "/graphql", browser_of("ada"), subprotocols=["graphql-transport-ws"]) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
        assert closed.value.rcvd.code == 4401


def test_an_image_is_shown_to_a_session_that_may_read_its_document(browser_of, served, document):
    made = io.BytesIO()
    Image.new("RGB", (2, 2), "red").save(made, "PNG")
    headers = {"x-api-key": served.credentials["users"]["ada"]["apiKey"]}
    ada, gus = browser_of("ada"), browser_of("gus")
    uploaded = ada.post(
        f"/api/v1/drive-items/{document}/images", files={"file": ("a.png", made.getvalue())}, headers=headers
    )
    path = uploaded.json()["image"]["url"].removeprefix(served.origin)
    assert ada.get(path).headers["content-type"] == "image/png"
    assert gus.get(path).status_code == 404
    assert browser_of().get(path).status_code == 401


def test_a_session_uploads_an_image_from_our_own_pages_alone(browser_of, served, document):
    made = io.BytesIO()
    Image.new("RGB", (2, 2), "red").save(made, "PNG")
    ada = browser_of("ada")
    own, key = {"origin": ada.own}, {"x-api-key": served.credentials["users"]["ada"]["apiKey"]}

    picture = made.getvalue()

    def upload(visitor, headers, content=picture, query=f"?documentId={document}"):
        answer = visitor.post(f"/images{query}", files={"file": ("a.png", content)}, headers=headers)
        return answer.status_code, answer.json()

    for headers in (own, key, {"sec-fetch-site": "same-origin"}, {"x-codrive-csrf": "1"}):
        status, answer = upload(browser_of() if headers is key else ada, headers)
        assert status == 200
        path = answer["image"]["url"].removeprefix(served.origin)
        assert ada.get(path).headers["content-type"] == "image/png"
    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {}):
        status, answer = upload(ada, headers)
        assert (status, answer["code"]) == (403, "FORBIDDEN")
    assert upload(browser_of(), own)[0] == 401
    assert upload(browser_of("gus"), {"sec-fetch-site": "same-origin"})[0] == 404
    assert upload(ada, own, b"<svg xmlns='http://www.w3.org/2000/svg'/>")[0] == 415
    assert upload(ada, own, picture + bytes(10 << 20))[0] == 413
    for query in ("", "?documentId=", f"?documentId={document}&more=1", "?itemId=x", "?documentId=%ff"):
        assert upload(ada, own, query=query)[0] == 400
    assert upload(ada, own, query="?documentId=unknown")[0] == 404
    body = {"email": "ben@acme.example", "permission": "read_only"}
    ada.post(f"/api/v1/drive-items/{document}/access", json=body, headers=key).raise_for_status()
    assert upload(browser_of("ben"), own)[0] == 403


def test_people_see_where_they_are_signed_in_but_not_by_what(browser_of):
    visitor = browser_of("ada")
    found = visitor.graphql("{ viewer { sessions { current device } } }").json()["data"]["viewer"]["sessions"]
    assert [each["device"] for each in found if each["current"]] == ["A program"]
    assert hashlib.sha256(visitor.cookie.encode()).hexdigest() not in json.dumps(found)
