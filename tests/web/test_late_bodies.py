"""What arrives late is carried out only where its credential is still valid: by key and by session, for GraphQL and forms."""

import json
import re
import time
from urllib.parse import urlencode

import pytest

from edge.app import LATE_SECONDS
from tests.support.web.visitors import ask, forms

MAKE = 'mutation($d: ID!) { createItem(driveId: $d, name: "Late", driveItemType: folder) { id } }'
DRIVE = "{ viewer { name } drives(first: 1) { nodes { id } } }"


def late(body, happens):
    """Send a body in two halves, between which something happens."""
    yield body[:10]
    happens()
    time.sleep(LATE_SECONDS + 0.1)
    yield body[10:]


@pytest.fixture
def request_of(newcomer):
    """A mutation of somebody's, as the body of a request, and what they see then."""
    visitor, address = newcomer()
    drive = ask(visitor, DRIVE)["drives"]["nodes"][0]["id"]
    seen = "query($d: ID!) { drive(id: $d) { items { nodes { id } } } }"
    return (
        visitor,
        address,
        json.dumps({"query": MAKE, "variables": {"d": drive}}).encode(),
        lambda by: ask(by, seen, d=drive)["drive"]["items"]["nodes"],
    )


def sessions(visitor):
    return ask(visitor, "{ viewer { sessions { id } } }")["viewer"]["sessions"]


def test_a_key_that_is_revoked_while_its_mutation_arrives_changes_nothing(request_of, served):
    visitor, address, body, seen = request_of
    made = served.operator("account", "key", address)
    key_id = ask(visitor, "{ viewer { apiKeys { id } } }")["viewer"]["apiKeys"][0]["id"]

    def revoke():
        ask(visitor, f'mutation {{ revokeApiKey(id: "{key_id}") {{ id }} }}')

    headers = {"x-api-key": made.stdout.strip(), "content-type": "application/json"}
    nobody = visitor.post("/graphql", content=body, headers=headers | {"x-api-key": "cdr_none"})
    answer = visitor.post("/graphql", content=late(body, revoke), headers=headers)
    assert (answer.status_code, answer.content) == (401, nobody.content)
    assert seen(visitor) == []


def test_a_session_that_ends_while_its_mutation_arrives_changes_nothing(request_of, browser_of, served):
    visitor, address, body, seen = request_of
    elsewhere = browser_of()
    link = served.operator("account", "link", address).stdout
    elsewhere.fill(elsewhere.form(re.search(r"(/sign-in/\S+)", link)[1]))

    def sign_out():
        ask(elsewhere, "mutation { endOtherSessions { id } }")

    headers = {"origin": visitor.own, "content-type": "application/json"}
    answer = visitor.post("/graphql", content=late(body, sign_out), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")
    assert seen(elsewhere) == []


def test_a_session_that_ends_while_its_form_arrives_makes_no_key(browser_of):
    visitor, elsewhere = browser_of("ben"), browser_of("ben")
    before = ask(elsewhere, "{ viewer { apiKeys { id } } }")
    token = forms(visitor.get("/settings/keys").text)[0].fields["csrf"]
    body = urlencode({"csrf": token, "name": "late", "agent": ""}).encode()

    def sign_out():
        ask(elsewhere, "mutation { endOtherSessions { id } }")

    headers = {"origin": visitor.own, "content-type": "application/x-www-form-urlencoded"}
    answer = visitor.post("/settings/keys", content=late(body, sign_out), headers=headers)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=%2F")
    assert ask(elsewhere, "{ viewer { apiKeys { id } } }") == before
