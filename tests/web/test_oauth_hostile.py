"""Whatever is sent to the OAuth endpoints, the answer is in a form of their standards: never a fault, never a leak."""

import json
import re
import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from persistence.store import PostgresStore
from tests.support.database.clusters import clone
from tests.support.suite.rounds import examples
from tests.web.oauth_world import RESOURCE, VERIFIER, WEBSITE, Browser, challenge_of, serving

SPECIAL = [
    "",
    "code",
    "S256",
    "plain",
    "drive",
    RESOURCE,
    WEBSITE,
    VERIFIER,
    challenge_of(VERIFIER),
    "authorization_code",
]
SPECIAL += ["refresh_token", "none", "\0", "\n", '"', "\\", "\ud7ff", "\u202e", "é", "%", "%zz", "javascript:alert(1)"]
NAMES = ["response_type", "client_id", "redirect_uri", "scope", "state", "resource", "code_challenge"]
NAMES += ["code_challenge_method", "grant_type", "code", "code_verifier", "refresh_token", "token", "token_type_hint"]
NAMES += ["client_secret", "nonce", "prompt"]
STORABLE = st.characters(codec="utf-8")
values = st.sampled_from(SPECIAL) | st.text(STORABLE, max_size=60) | st.text(string.printable, max_size=60)
pairs = st.lists(st.tuples(st.sampled_from(NAMES) | st.text(STORABLE, max_size=5), values), max_size=12)
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | values,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(values, inner, max_size=4),
    max_leaves=10,
)
metadata = st.dictionaries(
    st.sampled_from(["client_name", "grant_types", "response_types", "redirect_uris", "scope", "jwks"]), documents
)
many = settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@pytest.fixture(scope="module")
async def served(cluster_url, migrated_template, worker_id):
    with clone(cluster_url, f"oauth_hostile_{worker_id}", migrated_template) as url:
        async with PostgresStore(url) as store, serving(store) as made:
            made.known = await made.registered()
            yield made


def check_error(answer):
    """An error of RFC 6749, section 5.2."""
    assert 400 <= answer.status_code < 500, answer.text
    said = answer.json()
    assert re.fullmatch(r"[\x20\x21\x23-\x5b\x5d-\x7e]+", said["error"])
    assert answer.headers["cache-control"] == "no-store"


@many
@given(pairs, st.booleans())
async def test_no_token_request_is_a_fault(served, given_pairs, known):
    form = given_pairs + ([("client_id", served.known)] if known else [])
    for path in ("/oauth/token", "/oauth/revoke"):
        body = "&".join(f"{quoted(name)}={quoted(value)}" for name, value in form)
        answer = await served.client.post(
            path, content=body, headers={"content-type": "application/x-www-form-urlencoded"}
        )
        if answer.status_code != 200:
            check_error(answer)
        else:
            assert (path, answer.json()) == ("/oauth/revoke", {})


@many
@given(pairs, st.booleans(), st.booleans())
async def test_no_authorization_request_is_a_fault_or_leads_elsewhere(served, given_pairs, known, redirected):
    asked = given_pairs + ([("client_id", served.known)] if known else [])
    asked += [("redirect_uri", WEBSITE)] if redirected else []
    query = "&".join(f"{quoted(name)}={quoted(value)}" for name, value in asked)
    answer = await Browser(served, "").get(f"/oauth/authorize?{query}")
    assert answer.status_code in (302, 303, 400), answer.text
    location = answer.headers.get("location", "")
    assert location == "" or location.startswith((f"{WEBSITE}?", "/sign-in?")), "never anywhere that was not registered"
    assert "\n" not in location
    assert location.isascii()


@many
@given(metadata | documents)
async def test_no_registration_is_a_fault(served, document):
    answer = await served.client.post("/oauth/register", content=json.dumps(document))
    if answer.status_code != 201:
        check_error(answer)
        assert answer.json()["error"] in ("invalid_client_metadata", "invalid_redirect_uri")


@many
@given(st.binary(max_size=200))
async def test_no_bytes_are_a_fault(served, body):
    for path, kind in (
        ("/oauth/register", "application/json"),
        ("/oauth/token", "application/x-www-form-urlencoded"),
        ("/oauth/revoke", "application/x-www-form-urlencoded"),
    ):
        check_error(await served.client.post(path, content=body, headers={"content-type": kind}))


def quoted(text):
    return "".join(f"%{byte:02x}" for byte in text.encode())
