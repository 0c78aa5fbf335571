"""Whether the two MCP addresses are two resources: asked for, approved, held and refused each by itself."""

from urllib.parse import urlencode

import pytest

from persistence.store import PostgresStore
from tests.support.database.clusters import clone
from tests.web.oauth_world import FULL, ORIGIN, RESOURCE, form_of, sent_back, serving, text_of

METADATA = "/.well-known/oauth-protected-resource/api/v1/mcp-full"


@pytest.fixture(scope="module")
async def store(cluster_url, migrated_template, worker_id):
    with clone(cluster_url, f"oauth_resources_{worker_id}", migrated_template) as url:
        async with PostgresStore(url) as opened:
            yield opened


@pytest.fixture
async def served(store):
    async with serving(store) as made:
        yield made


@pytest.fixture
async def ada(served):
    return await served.sign_in("ada")


async def given(served, ada, client_id, resource):
    """What an application is given for one resource."""
    code = await ada.approve(served.request(client_id, resource=resource))
    answer = await served.redeem(client_id, code, resource=resource)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_each_has_metadata_of_its_own_and_the_server_names_both(served):
    said = (await served.client.get(METADATA)).json()
    assert (said["resource"], said["authorization_servers"]) == (FULL, [ORIGIN])
    about_server = (await served.client.get("/.well-known/oauth-authorization-server")).json()
    assert about_server["protected_resources"] == [RESOURCE, FULL]
    assert (await served.client.options(METADATA)).status_code == 204


async def test_a_token_is_for_the_one_that_was_asked_for_and_so_is_what_refreshes_it(served, ada):
    client_id = await served.registered()
    for mine, other in ((RESOURCE, FULL), (FULL, RESOURCE)):
        tokens = await given(served, ada, client_id, mine)
        for _ in range(2):
            assert await served.bearer(tokens["access_token"], mine)
            assert await served.bearer(tokens["access_token"], other) is None
            refused = await served.refresh(client_id, tokens["refresh_token"], resource=other)
            assert (refused.status_code, refused.json()["error"]) == (400, "invalid_target")
            tokens = (await served.refresh(client_id, tokens["refresh_token"])).json()


async def test_a_code_is_redeemed_for_its_own_alone_whether_it_is_named_or_not(served, ada):
    client_id = await served.registered()
    code = await ada.approve(served.request(client_id, resource=FULL))
    refused = await served.redeem(client_id, code, resource=RESOURCE)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_target")
    tokens = (await served.redeem(client_id, code, resource=None)).json()
    assert await served.bearer(tokens["access_token"], FULL)
    assert await served.bearer(tokens["access_token"], RESOURCE) is None


async def test_asked_for_without_one_a_token_is_for_the_seventeen(served, ada):
    client_id = await served.registered()
    code = await ada.approve(served.request(client_id, resource=None))
    tokens = (await served.redeem(client_id, code, resource=None)).json()
    assert await served.bearer(tokens["access_token"], RESOURCE)
    assert await served.bearer(tokens["access_token"], FULL) is None


async def test_both_at_once_are_refused_as_no_token_is_for_two(served, ada):
    client_id = await served.registered()
    query = urlencode([*served.request(client_id).items(), ("resource", FULL)])
    assert (await ada.get(f"/oauth/authorize?{query}")).status_code == 400


async def test_an_approval_of_one_is_none_of_the_other(served, ada):
    client_id = await served.registered()
    await ada.approve(served.request(client_id))
    assert "Write in your name" in text_of((await ada.authorize(served.request(client_id, resource=FULL))).text)
    await ada.approve(served.request(client_id, resource=FULL))
    for resource in (RESOURCE, FULL):
        answer = await ada.authorize(served.request(client_id, resource=resource))
        assert answer.status_code == 302, "each is remembered"
        tokens = (await served.redeem(client_id, sent_back(answer)["code"], resource=None)).json()
        assert await served.bearer(tokens["access_token"], resource)


async def test_the_page_says_which_of_them_writes_and_in_whose_name(served, ada):
    client_id = await served.registered()
    reads = text_of((await ada.authorize(served.request(client_id))).text)
    writes = text_of((await ada.authorize(served.request(client_id, resource=FULL))).text)
    assert "It cannot write the text of documents." in reads
    assert "Write in your name" not in reads
    assert "It cannot write" not in writes
    assert "Write in your name: change the text of every document that you may edit" in writes
    for shown in (reads, writes):
        assert "credited to you and to the agent Claude Code" in shown


async def test_each_is_listed_and_disconnected_by_itself(served, ada):
    client_id = await served.registered()
    reads, writes = [await given(served, ada, client_id, resource) for resource in (RESOURCE, FULL)]
    page = (await ada.get("/settings/apps")).text
    assert text_of(page).count("writes documents") == 1
    apps = await served.apps.of(served.world.people["ada"].id)
    (writing,) = [app.id for app in apps if app.resource == FULL]
    await ada.send("/settings/apps", form_of(page) | {"app": writing})
    assert await served.bearer(writes["access_token"], FULL) is None
    assert await served.bearer(reads["access_token"], RESOURCE)


async def test_revoking_a_token_of_one_leaves_the_other(served, ada):
    client_id = await served.registered()
    reads, writes = [await given(served, ada, client_id, resource) for resource in (RESOURCE, FULL)]
    await served.post("/oauth/revoke", {"client_id": client_id, "token": writes["refresh_token"]})
    assert await served.bearer(writes["access_token"], FULL) is None
    assert await served.bearer(reads["access_token"], RESOURCE)
