"""What goes through a browser: what an application may ask, what its user is shown, and who cannot answer for them."""

from urllib.parse import parse_qsl, urlencode, urlsplit

import html5lib
import pytest

from domain.oauth import REQUEST_LASTS
from domain.questions import AppsOf
from edge.rate_limit import Rate, RateLimiter, Rates
from persistence.store import PostgresStore
from tests.support.database.clusters import clone
from tests.web.oauth_world import (
    LOOPBACK,
    ORIGIN,
    RESOURCE,
    VERIFIER,
    WEBSITE,
    Browser,
    form_of,
    sent_back,
    serving,
    text_of,
)


@pytest.fixture(scope="module")
async def store(cluster_url, migrated_template, worker_id):
    with clone(cluster_url, f"oauth_consent_{worker_id}", migrated_template) as url:
        async with PostgresStore(url) as opened:
            yield opened


@pytest.fixture
async def served(store):
    async with serving(store) as made:
        yield made


@pytest.fixture
async def ada(served):
    return await served.sign_in("ada")


# asking


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": None},
        {"client_id": "nobody"},
        {"client_id": "a\0b"},
        {"client_id": "https://app.example.com/client.json"},
        {"redirect_uri": None},
        {"redirect_uri": "https://evil.example/callback"},
        {"redirect_uri": "https://app.example.com.evil.example/callback"},
        {"redirect_uri": WEBSITE + "/"},
        {"redirect_uri": WEBSITE + "?next=https://evil.example"},
        {"redirect_uri": WEBSITE + "#here"},
        {"redirect_uri": "https://ada@app.example.com/callback"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": 'https://app.example.com/"><script>alert(1)</script>'},
        {"redirect_uri": "http://127.0.0.1:1/other"},
        {"redirect_uri": "http://localhost:33418/callback"},
        {"redirect_uri": "\u0439"},
        {"redirect_uri": "https://evil.example/callback", "response_type": "token"},
        {"redirect_uri": "https://evil.example/callback", "scope": "everything"},
    ],
)
@pytest.mark.parametrize("signed_in", [True, False])
async def test_a_wrong_client_or_redirect_is_told_to_the_user_and_to_nobody_else(served, ada, changes, signed_in):
    client_id = await served.registered()
    browser = ada if signed_in else Browser(served, "")
    answer = await browser.authorize(served.request(client_id, **changes))
    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert answer.headers["content-type"].startswith("text/html")
    assert "<script>" not in answer.text
    assert "evil.example" not in answer.text


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": None}, "unsupported_response_type"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unsupported_response_type"),
        ({"response_type": 'a"\u0439'}, "unsupported_response_type"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": "plain", "code_challenge": VERIFIER}, "invalid_request"),
        ({"code_challenge_method": "s256"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": "a" * 44}, "invalid_request"),
        ({"code_challenge": "a" * 42 + "="}, "invalid_request"),
        ({"code_challenge": "a" * 43 + "\n"}, "invalid_request"),
        ({"resource": f"{ORIGIN}/graphql"}, "invalid_target"),
        ({"resource": f"{RESOURCE}/more"}, "invalid_target"),
        ({"resource": "https://other.example/api/v1/mcp"}, "invalid_target"),
    ],
)
async def test_what_else_is_wrong_is_told_to_an_approved_application_with_its_state_and_who_says_it(
    served, ada, changes, error
):
    client_id, _ = await served.connected()
    answer = await ada.authorize(served.request(client_id, **changes))
    assert answer.status_code == 302
    assert answer.headers["location"].startswith(f"{WEBSITE}?")
    told = sent_back(answer)
    assert (told["error"], told["state"], told["iss"]) == (error, "of the client", ORIGIN)
    assert "code" not in told


@pytest.mark.parametrize("changes", [{"response_type": "none"}, {"code_challenge": None}, {"resource": ORIGIN}])
async def test_a_wrong_request_sends_nobody_to_an_application_that_they_did_not_approve(served, ada, changes):
    await served.world.account("eve")
    client_id, _ = await served.connected("eve")
    for browser in (ada, Browser(served, "")):
        answer = await browser.authorize(served.request(client_id, **changes))
        assert answer.status_code == 400
        assert "location" not in answer.headers
        assert "app.example.com" not in answer.text


@pytest.mark.parametrize("scope", [None, "everything", "openid profile email", "drive offline_access", "\u0439"])
async def test_an_application_that_asks_for_other_scopes_gets_the_one_that_there_is(served, ada, scope):
    client_id = await served.registered()
    code = await ada.approve(served.request(client_id, scope=scope))
    tokens = (await served.redeem(client_id, code)).json()
    assert tokens["scope"] == "drive"
    again = (await served.refresh(client_id, tokens["refresh_token"], scope=scope)).json()
    assert again["scope"] == "drive"
    assert await served.bearer(again["access_token"])


@pytest.mark.parametrize("end", ["/", "?tools=read"])
async def test_a_resource_may_end_with_a_slash_or_a_query(served, ada, end):
    client_id = await served.registered()
    code = await ada.approve(served.request(client_id, resource=RESOURCE + end))
    tokens = (await served.redeem(client_id, code, resource=RESOURCE + end)).json()
    assert await served.bearer(tokens["access_token"])


@pytest.mark.parametrize("name", ["client_id", "redirect_uri", "state", "code_challenge", "scope", "response_type"])
async def test_a_parameter_that_comes_twice_is_refused_on_a_page(served, ada, name):
    client_id = await served.registered()
    query = urlencode([*served.request(client_id).items(), (name, "other")])
    answer = await ada.get(f"/oauth/authorize?{query}")
    assert answer.status_code == 400
    assert "location" not in answer.headers


async def test_two_resources_are_refused_where_one_is_not_ours(served, ada):
    client_id = await served.registered()
    for other, status in ((RESOURCE, 200), (f"{ORIGIN}/graphql", 400)):
        query = urlencode([*served.request(client_id).items(), ("resource", other)])
        assert (await ada.get(f"/oauth/authorize?{query}")).status_code == status


@pytest.mark.parametrize("query", ["", "%ff", "client_id=%ff", "a=b&" * 100, "client_id=%00", "&&&", "="])
async def test_a_query_that_cannot_be_read_is_refused_on_a_page(ada, query):
    answer = await ada.get(f"/oauth/authorize?{query}")
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/html")


async def test_a_request_that_is_too_long_is_refused_on_a_page(served, ada):
    client_id = await served.registered()
    assert (await ada.authorize(served.request(client_id, state="s" * 4_000))).status_code == 200
    answer = await ada.authorize(served.request(client_id, state="s" * 9_000))
    assert (answer.status_code, "location" in answer.headers) == (400, False)


async def test_the_window_stays_known_to_the_application_that_opened_it(served, ada):
    request = served.request(await served.registered())
    asked, sent = await ada.authorize(request), await Browser(served, "").authorize(request)
    decided = await ada.decide(form_of(asked.text))
    for answer in (asked, sent, decided, await ada.authorize(request)):
        assert "cross-origin-opener-policy" not in answer.headers
    assert (await ada.get("/settings/apps")).headers["cross-origin-opener-policy"] == "same-origin"


async def test_whoever_is_not_signed_in_signs_in_first_and_comes_back(served):
    client_id = await served.registered()
    request = served.request(client_id)
    answer = await Browser(served, "").authorize(request)
    assert answer.status_code == 303
    where = urlsplit(answer.headers["location"])
    assert (where.scheme, where.netloc, where.path) == ("", "", "/sign-in")
    back = urlsplit(dict(parse_qsl(where.query))["next"])
    assert (back.scheme, back.netloc, back.path) == ("", "", "/oauth/authorize")
    assert dict(parse_qsl(back.query)) == request


# being asked


async def test_the_page_says_who_asks_where_they_are_and_what_they_will_be_able_to_do(served, ada):
    client_id = await served.registered()
    shown = text_of((await ada.authorize(served.request(client_id))).text)
    assert "Claude Code" in shown
    assert "app.example.com" in shown
    assert "Read every drive, folder and document that you can see." in shown
    assert "Nobody has checked that name." in shown
    assert "Approve" in shown
    assert "Deny" in shown
    assert "your own computer" not in shown


async def test_it_says_in_which_organization(served):
    acme = await served.world.organize("ada", "Acme & Sons")
    browser = await served.sign_in("ada", acme)
    shown = text_of((await browser.authorize(served.request(await served.registered()))).text)
    assert "Acme & Sons" in shown


async def test_an_application_on_this_computer_is_warned_of(served, ada):
    client_id = await served.registered(redirect_uris=["http://127.0.0.1/callback"])
    request = served.request(client_id, redirect_uri="http://127.0.0.1:51234/callback")
    shown = text_of((await ada.authorize(request)).text)
    assert "This is a program on your own computer." in shown
    assert "127.0.0.1" in shown


async def test_a_name_is_shown_as_text_whatever_it_is(served, ada):
    name = '"><img src=x onerror=alert(1)><script>'
    page = (await ada.authorize(served.request(await served.registered(client_name=name)))).text
    assert "<script>" not in page
    assert "<img" not in page
    assert name in text_of(page)


@pytest.mark.parametrize("path", ["/oauth/authorize", "/settings/apps"])
async def test_no_page_is_framed_or_stored_or_runs_what_is_not_ours(served, ada, path):
    query = urlencode(served.request(await served.registered()))
    headers = (await ada.get(f"{path}?{query}")).headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
    assert policy["frame-ancestors"] == "'none'"
    assert policy["default-src"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] in ("same-origin", "no-referrer"), "the application's state stays with us"
    assert ("form-action" in policy) == (path == "/settings/apps"), "the way back to the application is not ours"


# answering


async def test_approving_leads_back_with_a_code_the_state_and_who_says_it(served, ada):
    client_id = await served.registered()
    answer = await ada.decide(await ada.asked(served.request(client_id)))
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(f"{WEBSITE}?")
    told = sent_back(answer)
    assert told.keys() == {"code", "state", "iss"}
    assert (told["state"], told["iss"]) == ("of the client", ORIGIN)


@pytest.mark.parametrize(
    ("registered", "asked", "back"),
    [
        (WEBSITE + "?from=codrive", None, WEBSITE + "?from=codrive&code="),
        ("http://127.0.0.1/callback", "http://127.0.0.1:51234/callback", "http://127.0.0.1:51234/callback?code="),
        ("http://[::1]/callback", "http://[::1]:51234/callback", "http://[::1]:51234/callback?code="),
        ("cursor://anysphere.cursor/callback", None, "cursor://anysphere.cursor/callback?code="),
        ("com.example.app:/callback", None, "com.example.app:/callback?code="),
        ("com.example.app:///callback", None, "com.example.app:///callback?code="),
    ],
)
async def test_the_way_back_is_the_redirect_uri_to_the_letter(served, ada, registered, asked, back):
    client_id = await served.registered(redirect_uris=[registered])
    answer = await ada.decide(await ada.asked(served.request(client_id, redirect_uri=asked or registered)))
    assert answer.headers["location"].startswith(back)


async def test_without_a_state_none_is_sent_back(served, ada):
    client_id = await served.registered()
    answer = await ada.decide(await ada.asked(served.request(client_id, state=None)))
    assert sent_back(answer).keys() == {"code", "iss"}


async def test_denying_leads_back_with_that_and_connects_nothing(served, ada):
    client_id = await served.registered()
    form = await ada.asked(served.request(client_id))
    answer = await ada.decide(form, "deny")
    assert answer.status_code == 303
    told = sent_back(answer)
    assert (told["error"], told["state"], told["iss"]) == ("access_denied", "of the client", ORIGIN)
    assert await served.apps.of(served.world.people["ada"].id) == ()
    assert (await ada.decide(form)).status_code == 400, "and cannot be taken back"


async def test_a_request_is_answered_once(served, ada):
    form = await ada.asked(served.request(await served.registered()))
    assert (await ada.decide(form)).status_code == 303
    again = await ada.decide(form)
    assert again.status_code == 400
    assert "location" not in again.headers


async def test_a_request_stands_for_ten_minutes(served, ada):
    early, late = [await ada.asked(served.request(await served.registered())) for _ in range(2)]
    served.world.now += REQUEST_LASTS
    assert (await ada.decide(late)).status_code == 400
    served.world.wait(-1)
    assert (await ada.decide(early)).status_code == 303


@pytest.mark.parametrize("decision", ["", "yes", "approve ", "APPROVE"])
async def test_an_answer_that_is_neither_decides_nothing(served, ada, decision):
    form = await ada.asked(served.request(await served.registered()))
    assert (await ada.decide(form, decision)).status_code == 400
    assert (await ada.decide(form)).status_code == 303


# forgery


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "https://app.example.com"},
        {"origin": "null"},
        {"origin": "http://drive.example"},
        {"origin": "https://evil.example", "sec-fetch-site": "same-origin"},
    ],
)
async def test_no_other_site_answers_for_somebody(served, ada, headers):
    form = await ada.asked(served.request(await served.registered()))
    answer = await ada.send("/oauth/consent", form | {"decision": "approve"}, **headers)
    assert answer.status_code == 403
    assert "location" not in answer.headers
    assert (await ada.decide(form)).status_code == 303, "the request still waits for them"


@pytest.mark.parametrize("csrf", [None, "", "x", "0" * 64])
async def test_a_form_without_the_session_s_token_is_refused(served, ada, csrf):
    form = await ada.asked(served.request(await served.registered()))
    answer = await ada.decide({name: value for name, value in (form | {"csrf": csrf}).items() if value is not None})
    assert answer.status_code == 403


async def test_the_token_of_another_session_is_refused(served, ada):
    other = await served.sign_in("ada")
    form = await ada.asked(served.request(await served.registered()))
    assert (await ada.decide(form | {"csrf": other.csrf})).status_code == 403


async def test_a_request_is_tied_to_the_session_that_was_asked(served, ada):
    """An attacker's own request, put before somebody else, even into another session of their own, is refused."""
    await served.world.account("eve")
    eve, elsewhere = await served.sign_in("eve"), await served.sign_in("ada")
    form = await eve.asked(served.request(await served.registered()))
    for browser in (ada, elsewhere):
        assert (await browser.decide(form | {"csrf": browser.csrf})).status_code == 400
    assert await served.apps.of(served.world.people["ada"].id) == ()


async def test_whoever_signed_out_cannot_answer(served, ada):
    form = await ada.asked(served.request(await served.registered()))
    answer = await Browser(served, "").decide(form)
    assert (answer.status_code, answer.headers["location"].startswith("/sign-in")) == (303, True)


@pytest.mark.parametrize("request_secret", ["", "x", "cdq_" + "0" * 43, "\u0439"])
async def test_a_request_that_never_was_is_refused(served, ada, request_secret):
    form = await ada.asked(served.request(await served.registered()))
    assert (await ada.decide(form | {"request": request_secret})).status_code == 400


async def test_no_get_approves_anything(served, ada):
    form = await ada.asked(served.request(await served.registered()))
    answer = await ada.get(f"/oauth/consent?{urlencode(form | {'decision': 'approve'})}")
    assert answer.status_code == 405
    assert await served.apps.of(served.world.people["ada"].id) == ()


# being remembered


async def test_an_application_is_approved_once(served, ada):
    client_id = await served.registered()
    await ada.approve(served.request(client_id))
    answer = await ada.authorize(served.request(client_id, state="again"))
    assert answer.status_code == 302
    told = sent_back(answer)
    assert (told["state"], told["iss"]) == ("again", ORIGIN)
    assert (await served.redeem(client_id, told["code"])).status_code == 200
    assert len(await served.apps.of(served.world.people["ada"].id)) == 1


async def test_after_our_own_form_the_way_back_is_a_page_since_a_redirect_would_be_stopped(served, ada):
    client_id = await served.registered()
    await ada.approve(served.request(client_id))
    answer = await ada.authorize(served.request(client_id), **{"sec-fetch-site": "same-origin"})
    assert answer.status_code == 200
    page = html5lib.parse(answer.text, namespaceHTMLElements=False)
    (refresh,) = [each.get("content") for each in page.iter("meta") if each.get("http-equiv") == "refresh"]
    location = refresh.removeprefix("0; url=")
    assert location.startswith(f"{WEBSITE}?code=")
    assert location in [each.get("href") for each in page.iter("a")]
    code = dict(parse_qsl(urlsplit(location).query))["code"]
    assert (await served.redeem(client_id, code)).status_code == 200


async def test_another_redirect_is_asked_about_again(served, ada):
    other = f"{WEBSITE}/other"
    client_id = await served.registered(redirect_uris=[WEBSITE, other])
    await ada.approve(served.request(client_id))
    await ada.approve(served.request(client_id, redirect_uri=other))
    await ada.approve(served.request(client_id))
    assert len(await served.apps.of(served.world.people["ada"].id)) == 1, "it is still one application"


@pytest.mark.parametrize(
    "place", [LOOPBACK, "http://localhost:33418/callback", "com.example.app:/back", "vscode://a/b"]
)
async def test_a_program_on_the_user_s_computer_is_asked_about_each_time(served, ada, place):
    client_id = await served.registered(redirect_uris=[place])
    for _ in range(3):
        await ada.approve(served.request(client_id, redirect_uri=place))
    assert len(await served.apps.of(served.world.people["ada"].id)) == 1, "it is still one application"


@pytest.mark.parametrize("when", ["asked", "decided", "remembered"])
async def test_whoever_has_not_verified_their_address_connects_nothing(served, store, when):
    await served.world.account("eve")
    eve, client_id = await served.sign_in("eve"), await served.registered()
    form = await eve.asked(served.request(client_id))
    if when == "remembered":
        await eve.approve(served.request(client_id))
    await _forget_verification(store, served.world.people["eve"].id)
    answer = await (eve.decide(form) if when == "decided" else eve.authorize(served.request(client_id)))
    assert answer.status_code == 403
    assert "location" not in answer.headers
    assert "settings, under profile" in answer.text
    assert len(await served.apps.of(served.world.people["eve"].id)) == (when == "remembered")


async def _forget_verification(store, user_id):
    async def work(connection):
        await connection.execute("update account set email_verified_at = null where id = %s::uuid", [user_id])

    await store.autocommit(work)


async def test_an_account_that_is_taken_over_keeps_no_application_and_no_request(served, ada):
    client_id, given = await served.connected()
    await served.connected(redirect_uris=[LOOPBACK, WEBSITE], client_name="Another")
    form = await ada.asked(served.request(await served.registered()))
    user_id = served.world.people["ada"].id
    assert await served.world.read(AppsOf(user_id)) == await served.apps.of(user_id) != ()
    await served.world.take_over("ada")
    assert await served.apps.of(user_id) == await served.world.read(AppsOf(user_id)) == ()
    assert await served.bearer(given["access_token"]) is None
    assert (await served.refresh(client_id, given["refresh_token"])).status_code == 400
    again = await served.sign_in("ada")
    assert (await again.decide(form | {"csrf": again.csrf})).status_code == 400


async def test_nobody_is_spoken_for_by_another_s_approval_or_for_another_client(served, ada):
    await served.world.account("ben")
    ben, client_id = await served.sign_in("ben"), await served.registered()
    await ada.approve(served.request(client_id))
    assert form_of((await ben.authorize(served.request(client_id))).text)
    assert form_of((await ada.authorize(served.request(await served.registered()))).text), "though it has the same name"


async def test_a_code_of_one_client_mixed_up_with_another_gives_nothing(served, ada):
    honest, evil = await served.registered(), await served.registered(redirect_uris=["https://evil.example/callback"])
    code = await ada.approve(served.request(honest))
    for changes in ({}, {"redirect_uri": "https://evil.example/callback"}):
        answer = await served.redeem(evil, code, **changes)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


# connected apps


async def test_connected_apps_are_listed_with_name_place_beginning_and_last_use(served, ada):
    _, given = await served.connected(client_name="Claude <Code>")
    shown = text_of((await ada.get("/settings/apps")).text)
    assert "Claude <Code>" in shown
    assert "app.example.com" in shown
    assert "20 November 2026" in shown
    assert "not used yet" in shown
    await served.bearer(given["access_token"])
    await served.apps.flush()
    assert "last used" in text_of((await ada.get("/settings/apps")).text)


async def test_disconnecting_ends_everything_at_once_and_is_asked_about_again(served, ada):
    client_id, given = await served.connected()
    other = await ada.approve(served.request(client_id, redirect_uri=LOOPBACK))
    form = form_of((await ada.get("/settings/apps")).text)
    answer = await ada.send("/settings/apps", form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings/apps")
    assert await served.bearer(given["access_token"]) is None
    assert (await served.refresh(client_id, given["refresh_token"])).json()["error"] == "invalid_grant"
    assert (await served.redeem(client_id, other, redirect_uri=LOOPBACK)).json()["error"] == "invalid_grant"
    assert "Nothing is connected" in (await ada.get("/settings/apps")).text
    assert form_of((await ada.authorize(served.request(client_id))).text)


async def test_nobody_disconnects_what_is_another_s(served, ada):
    await served.world.account("eve")
    _, given = await served.connected()
    eve = await served.sign_in("eve")
    form = form_of((await ada.get("/settings/apps")).text) | {"csrf": eve.csrf}
    unknown = await eve.send("/settings/apps", form | {"app": served.world.new_id()})
    hidden = await eve.send("/settings/apps", form)
    assert (hidden.status_code, hidden.content) == (404, unknown.content)
    assert (await eve.send("/settings/apps", form | {"app": "nonsense"})).status_code == 404
    assert await served.bearer(given["access_token"])


async def test_a_forged_form_disconnects_nothing(served, ada):
    _, given = await served.connected()
    form = form_of((await ada.get("/settings/apps")).text)
    assert (await ada.send("/settings/apps", form | {"csrf": "x"})).status_code == 403
    assert (await ada.send("/settings/apps", form, origin="https://evil.example")).status_code == 403
    assert await served.bearer(given["access_token"])


async def test_asking_and_answering_are_limited_by_user(store):
    rates = Rates(writes=Rate("writes", 3))
    async with serving(store, limiter=RateLimiter(rates, now=lambda: 0.0)) as served:
        browser = await served.sign_in("ada")
        request = served.request(await served.registered())
        form = [await browser.asked(request) for _ in range(3)][-1]
        assert (await browser.authorize(request)).status_code == 429
        assert (await browser.decide(form)).status_code == 429
