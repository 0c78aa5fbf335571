"""The table of credentials is what the running server does: each kind opens the surfaces of its row, and no other."""

import hashlib
from base64 import urlsafe_b64encode
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from domain.caller import CredentialKind
from edge.credentials import ACCEPTED, AccessPoint
from edge.mcp_resources import MCP_FULL, MCP_RESOURCES
from tests.support.processes.servers import PATIENCE, sync_websocket
from tests.support.web.visitors import Visitor

CALLBACK, VERIFIER = "http://127.0.0.1:9/back", "v" * 43


@pytest.fixture(scope="module")
def headers_of(served):
    """`headers_of[kind]` are the headers by which Ada sends a credential of the kind; a token is for `/mcp`."""
    ada = served.credentials["users"]["ada"]
    with Visitor(served.origin) as visitor:
        visitor.sign_in(ada["email"], ada["password"])
        yield {
            CredentialKind.KEY: {"x-api-key": ada["apiKey"]},
            CredentialKind.SESSION: {"cookie": f"codrive={visitor.cookie}", "x-codrive-csrf": "1"},
            CredentialKind.BEARER: {"authorization": f"Bearer {access_token(visitor)}"},
            MCP_FULL: {"authorization": f"Bearer {access_token(visitor, resource=MCP_FULL.at(served.origin))}"},
        }


def access_token(visitor, **asked_for):
    asked = {"client_name": "Table", "redirect_uris": [CALLBACK]}
    client_id = visitor.post("/oauth/register", json=asked).json()["client_id"]
    challenge = urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
    request = {"response_type": "code", "client_id": client_id, "redirect_uri": CALLBACK, "state": "s"}
    request |= {"code_challenge": challenge, "code_challenge_method": "S256"} | asked_for
    form = visitor.form(f"/oauth/authorize?{urlencode(request)}", words="Approve")
    back = visitor.fill(form, decision="approve").headers["location"]
    code = parse_qs(urlsplit(back).query)["code"][0]
    exchange = {"grant_type": "authorization_code", "code": code, "client_id": client_id, "redirect_uri": CALLBACK}
    return visitor.post("/oauth/token", data=exchange | {"code_verifier": VERIFIER}).json()["access_token"]


def opens(served, point, headers):
    """Whether the surface takes the caller for signed in."""
    origin = served.origin
    match point:
        case AccessPoint.REST:
            return httpx.get(f"{origin}/api/v1/drives", headers=headers, timeout=PATIENCE).status_code == 200
        case AccessPoint.IMAGES:  # the image is unknown, which only a known caller is told
            return httpx.get(f"{origin}/images/unknown", headers=headers, timeout=PATIENCE).status_code == 404
        case AccessPoint.IMAGE_UPLOADS:  # no document is named, which only a known caller is told
            return httpx.post(f"{origin}/images", headers=headers, timeout=PATIENCE).status_code == 400
        case AccessPoint.GRAPHQL:
            answer = httpx.post(
                f"{origin}/graphql", json={"query": "{ viewer { id } }"}, headers=headers, timeout=PATIENCE
            )
            return answer.status_code == 200 and greets(f"{origin}/graphql", headers)
        case AccessPoint.MCP | AccessPoint.MCP_FULL:
            path = next(each.path for each in MCP_RESOURCES if each.point is point)
            asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            asked_by = {"mcp-protocol-version": "2025-11-25", "accept": "application/json, text/event-stream"}
            return (
                httpx.post(f"{origin}{path}", json=asked, headers=headers | asked_by, timeout=PATIENCE).status_code
                == 200
            )
        case AccessPoint.PAGES:
            return httpx.get(f"{origin}/settings/profile", headers=headers, timeout=PATIENCE).status_code == 200
        case AccessPoint.COLLABORATION:
            return identified(f"{origin}/collaboration/unknown", headers)


def greets(address, headers):
    with sync_websocket(
        address.replace("http", "ws"), additional_headers=headers, subprotocols=["graphql-transport-ws"]
    ) as socket:
        socket.send('{"type":"connection_init"}')
        try:
            return "connection_ack" in socket.recv(timeout=PATIENCE)
        except ConnectionClosed:
            return False


def identified(address, headers):
    """Whether an unknown document is refused as not found, and not for want of a credential."""
    with sync_websocket(address.replace("http", "ws"), additional_headers=headers) as socket:
        socket.send(bytes([0, 0, 1, 0]))  # the first message of y-websocket: Step1 of an empty document
        try:
            while True:
                socket.recv(timeout=PATIENCE)
        except ConnectionClosed as closed:
            return closed.rcvd.code == 4404


@pytest.mark.parametrize("kind", CredentialKind)
@pytest.mark.parametrize("point", AccessPoint)
def test_a_credential_opens_what_the_table_says(served, headers_of, point, kind):
    of_full = kind is CredentialKind.BEARER and point is AccessPoint.MCP_FULL
    assert opens(served, point, headers_of[MCP_FULL if of_full else kind]) is (kind in ACCEPTED[point])


@pytest.mark.parametrize("resource", MCP_RESOURCES, ids=lambda resource: resource.path)
def test_a_token_of_the_other_mcp_address_is_refused_with_the_way_to_its_own_metadata(served, headers_of, resource):
    other = headers_of[CredentialKind.BEARER if resource is MCP_FULL else MCP_FULL]
    for headers, error in ((other, 'error="invalid_token", '), ({}, "")):
        refused = httpx.post(resource.at(served.origin), json={}, headers=headers, timeout=PATIENCE)
        metadata = f"{served.origin}{resource.metadata_path}"
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == f'Bearer {error}resource_metadata="{metadata}", scope="drive"'
        assert httpx.get(metadata, timeout=PATIENCE).json()["resource"] == resource.at(served.origin)
    assert not opens(served, AccessPoint.REST, headers_of[MCP_FULL])
