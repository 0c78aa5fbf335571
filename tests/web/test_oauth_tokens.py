"""What applications ask for themselves: every rule of registration, codes, tokens and revocation, and each attack."""

import asyncio
from datetime import timedelta

import pytest
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata

from domain.oauth import Client
from domain.questions import CredentialIsValid
from edge.rate_limit import RateLimiter
from persistence.housekeeping import Housekeeping
from persistence.postgres.tables import SQLModel
from persistence.store import PostgresStore
from tests.support.database.clusters import clone
from tests.web.oauth_world import LOOPBACK, ORIGIN, RESOURCE, VERIFIER, WEBSITE, challenge_of, sent_back, serving

TABLES = [name for name in SQLModel.metadata.tables if name.startswith(("oauth_", "connected_"))]


@pytest.fixture(scope="module")
async def store(cluster_url, migrated_template, worker_id):
    with clone(cluster_url, f"oauth_tokens_{worker_id}", migrated_template) as url:
        async with PostgresStore(url) as opened:
            yield opened


@pytest.fixture
async def served(store):
    async with serving(store) as made:
        yield made


# what is said of the server


async def test_the_metadata_is_what_rfc_8414_asks_for(served):
    answer = await served.client.get("/.well-known/oauth-authorization-server")
    said = answer.json()
    AuthorizationServerMetadata(said).validate()
    assert said["issuer"] == ORIGIN, "to the letter, without a slash"
    assert said["code_challenge_methods_supported"] == ["S256"]
    assert said["token_endpoint_auth_methods_supported"] == ["none"]
    assert said["authorization_response_iss_parameter_supported"] is True
    assert "offline_access" not in said["scopes_supported"]
    assert "client_id_metadata_document_supported" not in said
    for name in ("authorization", "token", "registration", "revocation"):
        assert said[f"{name}_endpoint"].startswith(f"{ORIGIN}/oauth/")


@pytest.mark.parametrize("path", ["", "/api/v1/mcp"])
async def test_the_resource_s_metadata_names_the_server_and_the_mcp_address(served, path):
    said = (await served.client.get(f"/.well-known/oauth-protected-resource{path}")).json()
    assert said["resource"] == RESOURCE
    assert said["authorization_servers"] == [ORIGIN]
    assert said["scopes_supported"] == ["drive"]
    assert said["bearer_methods_supported"] == ["header"]


async def test_there_is_no_metadata_of_other_resources(served):
    assert (await served.client.get("/.well-known/oauth-protected-resource/graphql")).status_code == 404


PROGRAMS = [
    ("GET", "/.well-known/oauth-authorization-server"),
    ("GET", "/.well-known/oauth-protected-resource"),
    ("GET", "/.well-known/oauth-protected-resource/api/v1/mcp"),
    ("POST", "/oauth/register"),
    ("POST", "/oauth/token"),
    ("POST", "/oauth/revoke"),
]


@pytest.mark.parametrize(("method", "path"), PROGRAMS)
async def test_pages_of_any_site_may_ask_what_programs_ask(served, method, path):
    asked = {"origin": "https://inspector.example", "access-control-request-method": method}
    preflight = await served.client.options(path, headers=asked)
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert method in preflight.headers["access-control-allow-methods"]
    answer = await served.client.request(method, path, headers={"origin": "https://inspector.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("path", ["/oauth/authorize", "/oauth/consent", "/settings/apps"])
async def test_no_page_of_another_site_may_read_what_people_see(served, path):
    browser = await served.sign_in("ada")
    for method in ("GET", "POST", "OPTIONS"):
        answer = await served.client.request(method, path, headers=browser.headers | {"origin": "https://evil.example"})
        assert "access-control-allow-origin" not in answer.headers


# registration


async def test_a_client_registers_itself_and_is_told_what_was_made_of_it(served):
    answer = await served.register(
        redirect_uris=[LOOPBACK],
        grant_types=["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        token_endpoint_auth_method="client_secret_basic",
        scope="drive offline_access",
        logo_uri="https://app.example.com/logo.svg",
        client_uri="javascript:alert(1)",
    )
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    said = answer.json()
    assert said | {"client_id": "", "client_id_issued_at": 0} == {
        "client_id": "",
        "client_id_issued_at": 0,
        "client_name": "Claude Code",
        "redirect_uris": [LOOPBACK],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "scope": "drive",
    }
    assert "client_secret" not in said


async def test_two_registrations_are_two_clients(served):
    assert await served.registered() != await served.registered()


async def test_a_name_of_64_characters_is_kept_and_of_65_refused(served):
    assert (await served.register(client_name="n" * 64)).json()["client_name"] == "n" * 64
    answer = await served.register(client_name="n" * 65)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


async def test_a_client_that_does_not_say_its_name_is_given_one(served):
    answer = await served.client.post("/oauth/register", json={"redirect_uris": [WEBSITE]})
    assert (answer.status_code, answer.json()["client_name"]) == (201, "MCP client")


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\u202eevil", 7, ["Claude"], {"en": "Claude"}])
async def test_what_is_no_name_is_refused(served, name):
    answer = await served.register(client_name=name)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


@pytest.mark.parametrize(
    "uris",
    [
        [],
        ["javascript:alert(1)"],
        ["http://evil.example/callback"],
        ["https://app.example.com/#fragment"],
        ["https://ada@app.example.com/"],
        ["data:text/html,x"],
        [WEBSITE, "javascript:alert(1)"],
        [f"https://app.example.com/{n}" for n in range(11)],
        "https://app.example.com/",
        [7],
        None,
        {"a": "b"},
    ],
)
async def test_redirects_that_nobody_may_be_sent_to_are_refused(served, uris):
    answer = await served.register(redirect_uris=uris)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")


@pytest.mark.parametrize(
    "metadata",
    [
        {"grant_types": ["client_credentials"]},
        {"grant_types": []},
        {"grant_types": ["refresh_token"]},
        {"grant_types": "authorization_code"},
        {"response_types": ["token"]},
    ],
)
async def test_a_client_that_cannot_use_the_one_grant_is_refused(served, metadata):
    answer = await served.register(**metadata)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"\xff", b'{"redirect_uris"', b"[" * 10_000])
async def test_a_registration_that_cannot_be_read_is_refused(served, body):
    answer = await served.client.post("/oauth/register", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_client_metadata"


@pytest.mark.parametrize("path", ["/oauth/register", "/oauth/token", "/oauth/revoke"])
async def test_a_body_longer_than_16_kib_is_refused(served, path):
    kind = "application/json" if path == "/oauth/register" else "application/x-www-form-urlencoded"
    answer = await served.client.post(path, content=b"a=" + b"b" * 16 * 1024, headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]) == (413, "invalid_request")


async def test_registrations_and_token_requests_are_limited_by_address(store):
    async with serving(store, limiter=RateLimiter(now=lambda: 0.0)) as served:
        refused = [(await served.register(redirect_uris=["ftp://x"])).status_code for _ in range(21)]
        assert refused == [400] * 21, "what is refused stores nothing and does not count"
        statuses = [(await served.register()).status_code for _ in range(21)]
        assert statuses == [201] * 20 + [429]
        late = await served.register()
        assert int(late.headers["retry-after"]) > 0
        assert late.json()["error"] == "temporarily_unavailable"
        statuses = [(await served.refresh("nobody", "x")).status_code for _ in range(121)]
        assert statuses == [400] * 120 + [429]


# codes


async def test_a_code_is_exchanged_for_tokens_that_act_as_its_user_under_the_client_s_name(served):
    acme = await served.world.organize("ada")
    _, given = await served.connected(organization_id=acme)
    assert given | {"access_token": "", "refresh_token": ""} == {
        "access_token": "",
        "refresh_token": "",
        "token_type": "Bearer",
        "expires_in": 3600,
        "scope": "drive",
    }
    identity = await served.bearer(given["access_token"])
    assert identity.user_id == served.world.people["ada"].id
    assert (identity.agent, identity.organization_id) == ("Claude Code", acme)
    assert (identity.key_id, identity.session_id) == (None, None)
    assert await served.world.read(CredentialIsValid(identity.credential))
    (app,) = await served.apps.of(identity.user_id)
    await served.apps.disconnect(app.id, identity.credit)
    assert not await served.world.read(CredentialIsValid(identity.credential))


async def test_tokens_are_never_cached(served):
    client_id = await served.registered()
    browser = await served.sign_in("ada")
    answer = await served.redeem(client_id, await browser.approve(served.request(client_id)))
    assert (answer.headers["cache-control"], answer.headers["pragma"]) == ("no-store", "no-cache")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": None}, "invalid_request"),
        ({"code_verifier": VERIFIER[:-1] + "x"}, "invalid_grant"),
        ({"code_verifier": "short"}, "invalid_request"),
        ({"code_verifier": challenge_of(VERIFIER)}, "invalid_grant"),
        ({"redirect_uri": LOOPBACK}, "invalid_grant"),
        ({"redirect_uri": WEBSITE + "/"}, "invalid_grant"),
        ({"redirect_uri": None}, "invalid_grant"),
        ({"resource": f"{ORIGIN}/graphql"}, "invalid_target"),
        ({"resource": "https://other.example/api/v1/mcp"}, "invalid_target"),
        ({"client_id": None}, "invalid_client"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"client_id": "a\0b"}, "invalid_request"),
        ({"client_secret": "guessed"}, "invalid_client"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": "refresh_token"}, "invalid_request"),
        ({"grant_type": None}, "invalid_request"),
        ({"code": None}, "invalid_request"),
        ({"code": "cdc_" + "0" * 43}, "invalid_grant"),
    ],
)
async def test_a_code_is_good_for_nothing_but_what_it_was_asked_for(served, changes, error):
    client_id = await served.registered()
    browser = await served.sign_in("ada")
    code = await browser.approve(served.request(client_id))
    answer = await served.redeem(client_id, code, **changes)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert "access_token" not in answer.json()
    assert (await served.redeem(client_id, code)).status_code == 200, "it was not used up by that"


async def test_a_token_request_without_a_resource_is_for_the_mcp_address_all_the_same(served):
    client_id = await served.registered()
    browser = await served.sign_in("ada")
    code = await browser.approve(served.request(client_id, resource=None))
    given = (await served.redeem(client_id, code, resource=None)).json()
    assert await served.bearer(given["access_token"])
    assert not await served.bearer(given["access_token"], f"{ORIGIN}/graphql")


async def test_a_code_of_another_client_is_refused(served):
    mine, other = await served.registered(), await served.registered()
    browser = await served.sign_in("ada")
    code = await browser.approve(served.request(mine))
    answer = await served.redeem(other, code)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


async def test_a_code_ends_after_a_minute(served):
    client_id = await served.registered()
    browser = await served.sign_in("ada")
    early, late = [await browser.approve(served.request(client_id)), None]
    late = sent_back(await browser.authorize(served.request(client_id)))["code"]
    served.world.wait(59)
    assert (await served.redeem(client_id, early)).status_code == 200
    served.world.wait(1)
    answer = await served.redeem(client_id, late)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


async def test_a_code_that_comes_again_ends_all_that_it_gave(served):
    client_id = await served.registered()
    browser = await served.sign_in("ada")
    code = await browser.approve(served.request(client_id))
    given = (await served.redeem(client_id, code)).json()
    assert await served.bearer(given["access_token"])
    served.world.wait(3600 * 24)
    newer = (await served.refresh(client_id, given["refresh_token"])).json()
    again = await served.redeem(client_id, code)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert await served.bearer(newer["access_token"]) is None
    assert (await served.refresh(client_id, newer["refresh_token"])).status_code == 400


async def test_a_code_that_comes_twice_at_once_is_good_once_and_then_for_nobody(served):
    client_id = await served.registered()
    browser = await served.sign_in("ada")
    await browser.approve(served.request(client_id))
    for _ in range(5):
        code = sent_back(await browser.authorize(served.request(client_id)))["code"]
        answers = await asyncio.gather(*(served.redeem(client_id, code) for _ in range(4)))
        good = [answer.json() for answer in answers if answer.status_code == 200]
        assert len(good) <= 1
        assert {answer.status_code for answer in answers} <= {200, 400}
        for given in good:
            assert await served.bearer(given["access_token"]) is None


@pytest.mark.parametrize("name", ["code", "client_id", "code_verifier", "redirect_uri", "grant_type"])
async def test_a_parameter_that_comes_twice_is_refused(served, name):
    client_id = await served.registered()
    browser = await served.sign_in("ada")
    code = await browser.approve(served.request(client_id))
    given = {"grant_type": "authorization_code", "client_id": client_id, "code": code}
    given |= {"redirect_uri": WEBSITE, "code_verifier": VERIFIER}
    answer = await served.post("/oauth/token", given | {name: [given[name], "other"]})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"grant_type": "authorization_code"}'),
        ("text/plain", b"grant_type=authorization_code"),
        ("application/x-www-form-urlencoded", b"grant_type=%ff"),
        ("application/x-www-form-urlencoded", b"\xff=a"),
        ("application/x-www-form-urlencoded", b"a=b&" * 100),
        ("application/x-www-form-urlencoded", b""),
    ],
)
async def test_a_token_request_that_cannot_be_read_is_refused(served, kind, body):
    answer = await served.client.post("/oauth/token", content=body, headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


# refresh


async def test_each_refresh_gives_another_pair_and_ends_the_last_refresh_token(served):
    client_id, first = await served.connected()
    second = (await served.refresh(client_id, first["refresh_token"])).json()
    assert {first["access_token"], first["refresh_token"]} & {second["access_token"], second["refresh_token"]} == set()
    assert second["scope"] == "drive"
    third = await served.refresh(client_id, second["refresh_token"], resource=RESOURCE, scope="drive")
    assert third.status_code == 200
    assert await served.bearer(third.json()["access_token"])


async def test_two_windows_that_refresh_at_once_both_go_on_with_the_same_tokens(served):
    client_id, first = await served.connected()
    answers = await asyncio.gather(*(served.refresh(client_id, first["refresh_token"]) for _ in range(4)))
    assert [answer.status_code for answer in answers] == [200] * 4
    second, *others = [answer.json() for answer in answers]
    assert others == [second] * 3
    assert await served.bearer(second["access_token"])
    third = await served.refresh(client_id, second["refresh_token"])
    assert await served.bearer(third.json()["access_token"])


async def test_a_refresh_whose_answer_was_lost_is_answered_again_for_half_a_minute(served):
    client_id, first = await served.connected()
    second = (await served.refresh(client_id, first["refresh_token"])).json()
    served.world.wait(29)
    again = await served.refresh(client_id, first["refresh_token"])
    assert again.json() == second | {"expires_in": 3571}
    assert await served.bearer(second["access_token"])


async def test_a_spent_refresh_token_that_another_client_presents_ends_the_family_at_once(served):
    client_id, first = await served.connected()
    second = (await served.refresh(client_id, first["refresh_token"])).json()
    other = await served.registered(client_name="Another")
    stolen = await served.refresh(other, first["refresh_token"])
    assert (stolen.status_code, stolen.json()["error"]) == (400, "invalid_grant")
    assert await served.bearer(second["access_token"]) is None


async def test_a_repeated_refresh_for_another_resource_is_refused_and_ends_nothing(served):
    client_id, first = await served.connected()
    second = (await served.refresh(client_id, first["refresh_token"])).json()
    answer = await served.refresh(client_id, first["refresh_token"], resource="https://drive.example/other")
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_target")
    assert await served.bearer(second["access_token"])


async def test_what_successors_are_made_of_is_forgotten_when_it_serves_nothing_any_more(served):
    client_id, first = await served.connected()
    await served.refresh(client_id, first["refresh_token"])
    served.world.wait(31)
    await served.apps.tidy()
    store = served.world.stores[0]

    async def salts(connection):
        cursor = await connection.execute("select count(*) from oauth_secret where salt is not null")
        return (await cursor.fetchone())[0]

    assert await store.autocommit(salts) == 0


async def test_a_refresh_token_that_comes_again_later_ends_the_family(served):
    client_id, first = await served.connected()
    second = (await served.refresh(client_id, first["refresh_token"])).json()
    served.world.wait(30)
    stolen = await served.refresh(client_id, first["refresh_token"])
    assert (stolen.status_code, stolen.json()["error"]) == (400, "invalid_grant")
    assert await served.bearer(first["access_token"]) is None
    assert await served.bearer(second["access_token"]) is None
    assert (await served.refresh(client_id, second["refresh_token"])).json()["error"] == "invalid_grant"


async def test_another_approval_of_the_same_client_lives_on(served):
    client_id, first = await served.connected()
    browser = await served.sign_in("ada")
    other = (
        await served.redeem(client_id, sent_back(await browser.authorize(served.request(client_id)))["code"])
    ).json()
    await served.refresh(client_id, first["refresh_token"])
    served.world.wait(30)
    await served.refresh(client_id, first["refresh_token"])
    assert await served.bearer(first["access_token"]) is None
    assert await served.bearer(other["access_token"])


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"resource": f"{ORIGIN}/graphql"}, "invalid_target"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"client_id": None}, "invalid_client"),
        ({"refresh_token": None}, "invalid_request"),
    ],
)
async def test_a_refresh_asks_for_nothing_else(served, changes, error):
    client_id, first = await served.connected()
    answer = await served.refresh(client_id, first["refresh_token"], **changes)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert (await served.refresh(client_id, first["refresh_token"])).status_code == 200


async def test_a_refresh_token_of_another_client_is_refused(served):
    _, first = await served.connected()
    other = await served.registered()
    assert (await served.refresh(other, first["refresh_token"])).json()["error"] == "invalid_grant"


async def test_an_access_token_refreshes_nothing_and_a_refresh_token_opens_nothing(served):
    client_id, first = await served.connected()
    assert (await served.refresh(client_id, first["access_token"])).json()["error"] == "invalid_grant"
    assert (await served.redeem(client_id, first["refresh_token"])).json()["error"] == "invalid_grant"
    assert await served.bearer(first["refresh_token"]) is None
    assert await served.bearer(first["access_token"]), "and no family ended by it"


async def test_a_client_that_asked_for_no_refresh_tokens_is_given_none(served):
    client_id, given = await served.connected(grant_types=["authorization_code"])
    assert "refresh_token" not in given
    answer = await served.refresh(client_id, "cdf_x")
    assert (answer.status_code, answer.json()["error"]) == (400, "unauthorized_client")


async def test_access_ends_after_an_hour_and_refresh_after_thirty_days_without_use(served):
    client_id, given = await served.connected()
    served.world.wait(3599)
    assert await served.bearer(given["access_token"])
    served.world.wait(1)
    assert await served.bearer(given["access_token"]) is None
    served.world.now += timedelta(days=30) - timedelta(seconds=3601)
    given = (await served.refresh(client_id, given["refresh_token"])).json()
    served.world.now += timedelta(days=30)
    assert (await served.refresh(client_id, given["refresh_token"])).json()["error"] == "invalid_grant"


async def test_a_family_ends_after_half_a_year_however_often_it_is_refreshed(served):
    client_id, given = await served.connected()
    for _ in range(6):
        served.world.now += timedelta(days=29)
        given = (await served.refresh(client_id, given["refresh_token"])).json()
    served.world.now += timedelta(days=6) - timedelta(minutes=10)
    given = (await served.refresh(client_id, given["refresh_token"])).json()
    assert given["expires_in"] == 600
    served.world.now += timedelta(minutes=10)
    assert await served.bearer(given["access_token"]) is None
    assert (await served.refresh(client_id, given["refresh_token"])).status_code == 400


# who the token acts as


async def test_a_token_is_good_at_the_mcp_address_alone(served):
    _, given = await served.connected()
    for other in (ORIGIN, f"{ORIGIN}/", f"{RESOURCE}/", f"{ORIGIN}/graphql", f"{ORIGIN}/api/v1", ""):
        assert await served.bearer(given["access_token"], other) is None


async def test_a_token_of_a_disabled_account_is_nobody_s(served):
    client_id, given = await served.connected()
    await served.world.disable("ada")
    assert await served.bearer(given["access_token"]) is None
    assert (await served.refresh(client_id, given["refresh_token"])).json()["error"] == "invalid_grant"


async def test_a_token_acts_in_no_organization_that_its_user_left(served):
    await served.world.account("ben")
    acme = await served.world.organize("ada")
    await served.world.join("ada", acme, "ben")
    _, given = await served.connected("ben", acme)
    assert (await served.bearer(given["access_token"])).organization_id == acme
    await served.world.leave_organization("ben", acme, "ben")
    assert (await served.bearer(given["access_token"])).organization_id is None


@pytest.mark.parametrize("token", ["", "x", "cda_" + "0" * 43, "a\0b", "\ud7ff", "cdr_" + "0" * 36])
async def test_what_is_no_token_is_nobody_s(served, token):
    assert await served.bearer(token) is None


# giving back


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
@pytest.mark.parametrize("hint", [None, "access_token", "refresh_token", "something"])
async def test_a_client_gives_back_what_it_holds_and_all_of_it_is_worthless(served, which, hint):
    client_id, given = await served.connected()
    form = {"token": given[which], "client_id": client_id} | ({"token_type_hint": hint} if hint else {})
    assert (await served.post("/oauth/revoke", form)).status_code == 200
    assert await served.bearer(given["access_token"]) is None
    assert (await served.refresh(client_id, given["refresh_token"])).status_code == 400
    assert (await served.post("/oauth/revoke", form)).status_code == 200, "which is no news"


async def test_a_token_that_never_was_is_revoked_without_a_word(served):
    client_id = await served.registered()
    assert (await served.post("/oauth/revoke", {"token": "x", "client_id": client_id})).status_code == 200


async def test_nobody_gives_back_what_another_client_holds(served):
    _, given = await served.connected()
    other = await served.registered()
    answer = await served.post("/oauth/revoke", {"token": given["access_token"], "client_id": other})
    assert answer.status_code == 400
    for form in ({"token": given["access_token"]}, {"token": given["access_token"], "client_id": "nobody"}):
        assert (await served.post("/oauth/revoke", form)).json()["error"] == "invalid_client"
    assert await served.bearer(given["access_token"])


async def test_a_revocation_without_a_token_is_refused(served):
    client_id = await served.registered()
    answer = await served.post("/oauth/revoke", {"client_id": client_id})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


# what is kept


async def rows(store, table):
    async def ask(connection):
        cursor = await connection.execute(f"select t::text from {table} t")
        return [row[0] for row in await cursor.fetchall()]

    return await store.autocommit(ask)


async def test_nothing_that_is_handed_out_is_kept_as_it_is(served, store):
    client_id, given = await served.connected()
    browser = await served.sign_in("ada")
    code = sent_back(await browser.authorize(served.request(client_id)))["code"]
    form = await browser.asked(served.request(client_id, redirect_uri=LOOPBACK))
    kept = "".join([row for table in [*TABLES, "event"] for row in await rows(store, table)])
    assert client_id in kept
    for secret in (given["access_token"], given["refresh_token"], code, form["request"], browser.secret):
        assert secret not in kept
        assert secret[4:] not in kept


async def test_what_ended_is_removed_and_the_rest_is_not(served, store):
    client_id, given = await served.connected()
    unused = await served.registered()
    browser = await served.sign_in("ada")
    await browser.asked(served.request(client_id, redirect_uri=LOOPBACK))
    await served.apps.tidy()
    assert await served.apps.client(unused)
    assert await rows(store, "oauth_request")
    served.world.now += timedelta(days=29)
    await served.apps.tidy()
    assert not await rows(store, "oauth_request")
    assert not [row for row in await rows(store, "oauth_secret") if "access" in row and client_id in row]
    given = (await served.refresh(client_id, given["refresh_token"])).json()
    await served.apps.tidy()
    served.world.now += timedelta(days=1)
    await served.apps.tidy()
    assert await served.apps.client(unused) is None, "nobody approved it in thirty days"
    assert isinstance(await served.apps.client(client_id), Client)
    assert (await served.refresh(client_id, given["refresh_token"])).status_code == 200
    served.world.now += timedelta(days=31)
    await served.apps.tidy()
    assert await served.apps.of(served.world.people["ada"].id), "an approval is remembered after its tokens ended"
    served.world.now += timedelta(days=180)
    await served.apps.tidy()
    assert not await served.apps.of(served.world.people["ada"].id)
    assert await served.apps.client(client_id) is None
    for table in TABLES:
        assert not [row for row in await rows(store, table) if client_id in row]


async def test_the_housekeeping_of_the_service_does_it(served, store):
    unused = await served.registered()
    keeping = Housekeeping(store, trash_days=30, apps=served.apps)
    await keeping.turn()
    assert await served.apps.client(unused)
    served.world.now += timedelta(days=30)
    await keeping.turn()
    assert await served.apps.client(unused) is None


async def test_a_use_is_noted_by_the_minute(served):
    _, given = await served.connected()
    await served.apps.flush()
    served.world.wait(3000)
    await served.bearer(given["access_token"])
    await served.apps.flush()
    (app,) = await served.apps.of(served.world.people["ada"].id)
    assert app.last_used_at == served.world.now.replace(second=0)


async def test_approving_and_disconnecting_are_in_the_audit(served, store):
    await served.connected()
    ada = served.world.people["ada"]
    (app,) = await served.apps.of(ada.id)
    assert await served.apps.disconnect(app.id, served.world.credit("ada")) is None
    lines = sorted(row for row in await rows(store, "event") if app.id in row)
    assert len(lines) == 2
    for kind in ("appConnected", "appDisconnected"):
        assert [row for row in lines if f",{kind}," in row and "Claude Code" in row and ada.id in row]
