"""Clients that are known by a document at an address: only where that is set, and only as the document says."""

import json

import pytest

from persistence.store import PostgresStore
from tests.support.database.clusters import clone
from tests.web.oauth_world import ORIGIN, WEBSITE, Browser, form_of, sent_back, serving

ADDRESS = "https://app.example.com/oauth/client.json"


@pytest.fixture(scope="module")
async def store(cluster_url, migrated_template, worker_id):
    with clone(cluster_url, f"oauth_documents_{worker_id}", migrated_template) as url:
        async with PostgresStore(url) as opened:
            yield opened


class Internet:
    """What is found at addresses, and who was asked for."""

    def __init__(self):
        self.found, self.asked = {}, []

    def put(self, address=ADDRESS, **changes):
        usual = {"client_id": ADDRESS, "client_name": "Documented", "redirect_uris": [WEBSITE]}
        told = {name: value for name, value in (usual | changes).items() if value is not None}
        self.found[address] = json.dumps(told).encode()

    async def fetch(self, address):
        self.asked.append(address)
        return self.found.get(address)


@pytest.fixture
def internet():
    return Internet()


@pytest.fixture
async def served(store, internet):
    async with serving(store, internet.fetch) as made:
        yield made


@pytest.fixture
async def ada(served):
    return await served.sign_in("ada")


async def test_the_metadata_says_that_documents_are_read(served):
    said = (await served.client.get("/.well-known/oauth-authorization-server")).json()
    assert said["client_id_metadata_document_supported"] is True
    assert "none" in said["token_endpoint_auth_methods_supported"]


async def test_a_client_that_nobody_registered_goes_the_whole_way(served, ada, internet):
    internet.put()
    page = (await ada.authorize(served.request(ADDRESS))).text
    assert "app.example.com" in page
    assert "Nobody has checked that name" not in page
    answer = await ada.decide(form_of(page))
    given = (await served.redeem(ADDRESS, sent_back(answer)["code"])).json()
    identity = await served.bearer(given["access_token"])
    assert (identity.user_id, identity.agent) == (served.world.people["ada"].id, "Documented")
    assert (await served.refresh(ADDRESS, given["refresh_token"])).status_code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "https://app.example.com/oauth/other.json"},
        {"client_id": None},
        {"client_id": ADDRESS + "/"},
        {"client_name": "n" * 65},
        {"redirect_uris": None},
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": ["https://other.example.com/callback"]},
        {"redirect_uris": [WEBSITE] * 11 + [f"{WEBSITE}/{n}" for n in range(10)]},
        {"token_endpoint_auth_method": "client_secret_post"},
        {"grant_types": ["client_credentials"]},
    ],
)
async def test_a_document_that_is_not_right_is_told_to_the_user_alone(served, ada, internet, changes):
    internet.put(**changes)
    answer = await ada.authorize(served.request(ADDRESS))
    assert answer.status_code == 400
    assert "location" not in answer.headers


@pytest.mark.parametrize("found", [None, b"", b"[]", b"{", b"\xff", b"[" * 5_000])
async def test_what_is_no_document_is_told_to_the_user_alone(served, ada, internet, found):
    internet.found[ADDRESS] = found
    assert (await ada.authorize(served.request(ADDRESS))).status_code == 400


async def test_nobody_who_is_not_signed_in_has_anything_fetched(served, internet):
    internet.put()
    answer = await Browser(served, "").authorize(served.request(ADDRESS))
    assert (answer.status_code, answer.headers["location"].startswith("/sign-in?")) == (303, True)
    await served.redeem(ADDRESS, "cdc_x")
    assert internet.asked == []


async def test_a_redirect_that_the_document_gave_up_is_good_no_more(served, ada, internet):
    internet.put()
    await ada.approve(served.request(ADDRESS))
    internet.put(redirect_uris=["https://app.example.com/new"])
    assert (await ada.authorize(served.request(ADDRESS))).status_code == 400


async def test_where_it_is_not_set_no_document_is_read(store):
    async with serving(store) as served:
        ada = await served.sign_in("ada")
        assert (await ada.authorize(served.request(ADDRESS))).status_code == 400
        said = (await served.client.get(f"{ORIGIN}/.well-known/oauth-authorization-server")).json()
        assert "client_id_metadata_document_supported" not in said
