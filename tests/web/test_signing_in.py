"""How people come in: with a password, by a link, by an invitation; and how they are kept out."""

import hashlib
import json
import re
import tempfile
from pathlib import Path

import psycopg
import pytest

from tests.support.processes.rates import told_so, until_refused
from tests.support.processes.servers import eventually, launch, serving
from tests.support.web.visitors import Visitor, forms

PASSWORD = "four unrelated words here"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def database(served):
    with psycopg.connect(served.database, autocommit=True) as connection:
        yield connection


@pytest.fixture
def ada(served):
    return served.credentials["users"]["ada"]


def test_a_password_opens_a_session_that_a_cookie_holds(browser_of, ada):
    visitor = browser_of()
    answer = visitor.fill(visitor.form("/sign-in"), email=ada["email"].upper(), password=ada["password"])
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    attributes = {part.strip() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert attributes == {"Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=2592000"}
    assert "Ada" in visitor.get("/").text


def test_nobody_can_tell_an_unknown_address_from_a_wrong_password(browser_of, ada):
    known = browser_of().sign_in(ada["email"], "wrong")
    unknown = browser_of().sign_in("nobody@acme.example", "wrong")
    assert (known.status_code, unknown.status_code) == (400, 400)
    assert known.text == unknown.text.replace("nobody@acme.example", ada["email"])
    assert {*known.headers} == {*unknown.headers}
    assert "set-cookie" not in known.headers


def test_only_digests_of_what_signs_in_are_kept(browser_of, database, ada):
    visitor = browser_of("ada")
    digest = hashlib.sha256(visitor.cookie.encode()).hexdigest()
    assert database.execute("select user_id::text from web_session where digest = %s", [digest]).fetchone() == (
        ada["userId"],
    )
    rows = " ".join(str(row) for row in database.execute("select * from web_session"))
    assert visitor.cookie not in rows
    events = " ".join(str(row) for row in database.execute("select details from event where type like 'session%'"))
    assert visitor.cookie not in events
    assert digest not in events


def test_signing_in_gives_a_new_secret_and_ends_the_one_that_the_browser_came_with(browser_of, ada):
    visitor = browser_of("ada")
    before = visitor.cookie
    visitor.sign_in(ada["email"], ada["password"])
    assert visitor.cookie != before
    fixed = browser_of()
    fixed.cookies.set("codrive", before)
    assert fixed.get("/").headers["location"] == "/sign-in?next=%2F"


def test_a_secret_that_somebody_else_chose_is_never_made_a_session(browser_of, ada):
    visitor, planted = browser_of(), "cds_" + "A" * 32
    visitor.cookies.set("codrive", planted)
    answer = visitor.sign_in(ada["email"], ada["password"])
    assert answer.status_code == 303
    assert planted not in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\n//evil.example",
        "evil.example",
        " //evil.example",
        "http:evil.example",
        "/ä",
        "",
    ],
)
def test_signing_in_leads_nowhere_but_to_a_path_of_ours(browser_of, ada, wanted):
    answer = browser_of().sign_in(ada["email"], ada["password"], next=wanted)
    assert answer.headers["location"] == "/"


def test_signing_in_leads_back_to_where_somebody_wanted_to_go(browser_of, ada):
    visitor = browser_of()
    sent = visitor.get("/settings/keys?x=1")
    assert sent.headers["location"] == "/sign-in?next=%2Fsettings%2Fkeys%3Fx%3D1"
    form = visitor.form(sent.headers["location"], "/sign-in")
    answer = visitor.fill(form, email=ada["email"], password=ada["password"])
    assert answer.headers["location"] == "/settings/keys?x=1"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", None])
def test_another_site_cannot_sign_anybody_in(browser_of, ada, origin):
    visitor = browser_of(origin=origin)
    answer = visitor.sign_in(ada["email"], ada["password"])
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/sign-out", {}),
        ("/settings/keys", {"name": "stolen"}),
        ("/settings/profile", {"name": "Mallory"}),
        ("/settings/profile/password", {"password": PASSWORD}),
        ("/settings/profile/verify", {}),
        ("/settings/sessions/end-others", {}),
        ("/settings/organizations", {"name": "Mine"}),
    ],
)
def test_a_forged_form_changes_nothing(browser_of, path, fields):
    visitor, other = browser_of("ada"), browser_of("ben")
    token = visitor.form("/settings/profile", "/settings/profile").fields["csrf"]
    silent = browser_of(origin=None)
    silent.cookies.set("codrive", visitor.cookie)
    others = other.form("/settings/profile", "/settings/profile").fields["csrf"]
    tries = [
        visitor.submit(path, fields),  # without the token
        visitor.submit(path, fields | {"csrf": others}),
        visitor.submit(path, fields | {"csrf": token}, origin="https://evil.example"),
        visitor.submit(path, fields | {"csrf": token}, origin="null"),
        visitor.submit(path, fields | {"csrf": token}, origin=f"{visitor.own}.evil.example"),
        silent.submit(path, fields | {"csrf": token}, **{"sec-fetch-site": "cross-site"}),
        silent.submit(path, fields | {"csrf": token}, **{"sec-fetch-site": "same-site"}),
        silent.submit(path, fields | {"csrf": token}),
        visitor.post(path, json=fields | {"csrf": token}, headers={"origin": visitor.own}),
        visitor.post(path, content="csrf=x", headers={"origin": visitor.own, "content-type": "text/plain"}),
    ]
    assert [answer.status_code for answer in tries] == [403] * 8 + [415] * 2
    viewer = visitor.graphql("{ viewer { name apiKeys { name } } }").json()["data"]["viewer"]
    assert viewer["name"] == "Ada Lovelace"
    assert "stolen" not in {each["name"] for each in viewer["apiKeys"]}


def test_every_page_carries_the_headers_that_keep_it_to_itself(browser_of):
    visitor = browser_of("ada")
    for path in ("/", "/sign-in", "/sign-up", "/settings/keys", "/settings/profile", "/nothing", "/sign-in/x"):
        answer = visitor.get(path, headers={"accept": "text/html"})
        policy = dict(
            part.strip().split(" ", 1) for part in answer.headers.get("content-security-policy", "a b").split(";")
        )
        if answer.status_code != 303:
            assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'", path
            assert (policy["style-src"], policy["script-src"]) == ("'self'", "'self'")
            assert not re.search(r"<style|style=|<script(?! src)|\son[a-z]+=", answer.text)
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_static_files_are_kept_for_ever_under_the_name_of_their_content(browser_of):
    visitor = browser_of()
    address = re.search(r'href="(/static/style\.[0-9a-f]{12}\.css)"', visitor.get("/sign-in").text)[1]
    answer = visitor.get(address)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert visitor.get("/static/style.css").status_code == 404


def test_signing_out_ends_the_session_and_not_only_the_cookie(browser_of):
    visitor, copy = browser_of("ada"), browser_of()
    copy.cookies.set("codrive", visitor.cookie)
    assert copy.get("/").status_code == 200
    out = visitor.fill(visitor.form("/", "/sign-out"))
    assert "codrive=; Max-Age=0" in out.headers["set-cookie"]
    assert copy.get("/").status_code == 303


def test_a_link_of_the_operators_signs_in_once_and_not_by_being_looked_at(browser_of, served):
    said = served.operator("account", "link", "ben@acme.example", CODRIVE_ORIGIN=served.origin)
    assert said.returncode == 0, said.stderr
    path = re.search(r"(/sign-in/\S+)", said.stdout)[1]
    previewing = browser_of()
    assert [previewing.get(path).status_code for _ in range(3)] == [200] * 3
    visitor = browser_of()
    form = visitor.form(path)
    forged = browser_of(origin="https://evil.example")
    assert forged.submit(form.action, {}).status_code == 403
    answer = visitor.fill(form)
    assert answer.status_code == 303
    assert "Ben" in visitor.get("/").text
    again = browser_of()
    assert again.get(path).status_code == 404
    assert again.submit(form.action, {}).status_code == 404


def test_a_link_that_has_run_out_leads_nowhere(browser_of, served, database):
    said = served.operator("account", "link", "cleo@acme.example", CODRIVE_ORIGIN=served.origin)
    assert said.returncode == 0, said.stderr
    path = re.search(r"(/sign-in/\S+)", said.stdout)[1]
    database.execute("update link set expires_at = now() where purpose = 'sign_in' and email = 'cleo@acme.example'")
    visitor = browser_of()
    unknown = visitor.get("/sign-in/unknown")
    assert visitor.get(path).text == unknown.text
    assert visitor.submit(path, {}).status_code == 404


def test_a_session_ends_when_it_is_idle_and_when_it_is_old(browser_of, database):
    for column, days in (("last_seen_at", 14), ("created_at", 30)):
        visitor = browser_of("gus")
        digest = hashlib.sha256(visitor.cookie.encode()).hexdigest()
        age = f"update web_session set {column} = now() - make_interval(days => %s, mins => %s) where digest = %s"
        database.execute(age, [days, -1, digest])
        assert visitor.get("/").status_code == 200
        database.execute(age, [days, 1, digest])
        assert visitor.get("/").status_code == 303


def test_asking_for_a_link_answers_alike_for_every_address(browser_of, letters, ada):
    visitor = browser_of()
    for path in ("/sign-up", "/forgotten"):
        known = visitor.see(visitor.form(path, path), email=ada["email"])
        unknown = visitor.see(visitor.form(path, path), email="nobody@new.example")
        assert known.url == unknown.url
        assert known.text == unknown.text
        assert (known.status_code, unknown.status_code) == (200, 200)
        assert "/reset-password/" in letters.next(ada["email"])[1]
        assert "/sign-up/" in letters.next("nobody@new.example")[1]


def test_signing_up_verifies_the_address_and_what_waits_for_it_takes_effect(browser_of, letters):
    ada, address = browser_of("ada"), "waiting@new.example"
    drive = ada.graphql("{ drives(first: 9) { nodes { id kind } } }").json()["data"]["drives"]["nodes"][0]["id"]
    made = ada.graphql(
        f'mutation {{ createItem(driveId: "{drive}", name: "For you", driveItemType: docs_workbook) {{ id }} }}'
    ).json()["data"]["createItem"]["id"]
    shared = ada.graphql(
        f'mutation {{ shareItem(itemId: "{made}", email: "{address}", permission: read_only) {{ id }} }}'
    )
    assert "errors" not in shared.json()
    letters.next(address)  # of the share, which could come after that of the sign-up
    visitor = browser_of()
    visitor.fill(visitor.form("/sign-up"), email=address)
    visitor.fill(visitor.form(letters.link(address)), name="Wanda", password=PASSWORD)
    seen = visitor.graphql("{ allSharedWithMe { id } }").json()["data"]["allSharedWithMe"]
    assert [each["id"] for each in seen] == [made]


def test_a_used_link_of_sign_up_makes_no_second_account(browser_of, letters):
    visitor, address = browser_of(), "twice@new.example"
    visitor.fill(visitor.form("/sign-up"), email=address)
    link = letters.link(address)
    weak = visitor.fill(visitor.form(link), name="Zoe", password="short")
    assert weak.status_code == 400
    assert 'href="#password"' in weak.text
    assert visitor.fill(visitor.form(link), name="Zoe", password=PASSWORD).status_code == 303
    again = browser_of()
    assert again.submit(link, {"name": "Zoe", "password": PASSWORD}).status_code == 404


def test_a_new_password_ends_every_session_and_every_other_link(browser_of, newcomer, letters):
    visitor, address = newcomer()
    away = browser_of()
    for _ in range(2):
        away.fill(away.form("/forgotten"), email=address)
    first, second = letters.link(address), letters.link(address)
    assert away.fill(away.form(first), password=f"{PASSWORD} too").status_code == 303
    assert visitor.get("/").status_code == 303
    assert away.get("/").status_code == 200
    assert away.get(second).status_code == 404
    assert browser_of().sign_in(address, PASSWORD).status_code == 400
    assert browser_of().sign_in(address, f"{PASSWORD} too").status_code == 303


def test_a_password_that_is_changed_in_the_settings_says_what_ended_and_what_goes_on(browser_of, newcomer):
    visitor, address = newcomer()
    other = browser_of()
    assert other.sign_in(address, PASSWORD).status_code == 303
    form = visitor.form("/settings/profile", "/settings/profile/password")
    told = visitor.see(form, present=PASSWORD, password=f"{PASSWORD} too").text
    assert (
        "Your password is changed. Every other browser is signed out; API keys and connected apps still work." in told
    )
    assert other.get("/").status_code == 303
    assert other.sign_in(address, f"{PASSWORD} too").status_code == 303
    form = visitor.form("/settings/profile", "/settings/sessions/end-others")
    assert "You are signed out everywhere else" in visitor.see(form).text
    assert other.get("/").status_code == 303


def test_failed_sign_ins_are_slowed_and_good_ones_are_not(running):
    with running("--bad-sign-ins-per-minute", "5") as server:
        ada = server.credentials["users"]["ada"]
        with Visitor(server.origin) as visitor:
            assert {visitor.sign_in(ada["email"], ada["password"]).status_code for _ in range(8)} == {303}

            def guess():
                return until_refused(lambda: visitor.sign_in(ada["email"], "wrong"), 5, told_so)

            *tried, refused = guess()
            assert len(tried) >= 5
            assert {answer.status_code for answer in tried} == {400}
            assert int(refused.headers["retry-after"]) > 0
            # whoever guesses learns nothing by guessing right
            until_refused(lambda: guess() and visitor.sign_in(ada["email"], ada["password"]), 1, told_so)
        letter = server.log.read_text()
        assert "password" not in letter


def test_without_a_mail_server_links_go_to_the_operators_log_and_verify_nothing(shared_server):
    server = shared_server("--no-rate-limits", "--no-app")
    with Visitor(server.origin) as visitor:
        visitor.fill(visitor.form("/sign-up"), email="zoe@new.example")
        link = eventually(lambda: re.search(r"http://[^/]+(/sign-up/[0-9A-Za-z]+)", server.log.read_text()))[1]
        assert visitor.fill(visitor.form(link), name="Zoe", password=PASSWORD).status_code == 303
        told = visitor.graphql("{ viewer { email emailVerified } }").json()["data"]["viewer"]
        assert told == {"email": "zoe@new.example", "emailVerified": False}, "the operator may have given it to anybody"
        profile = visitor.get("/settings/profile")
        assert "ask its operator" in profile.text
        token = forms(profile.text)[-1].fields["csrf"]
        assert visitor.submit("/settings/profile/verify", {"csrf": token}).status_code == 400
        done = server.operator("account", "verify", "zoe@new.example")
        assert done.returncode == 0, done.stderr
        assert visitor.graphql("{ viewer { emailVerified } }").json()["data"]["viewer"]["emailVerified"] is True


LINK = re.compile(
    r"  Open this in a browser\. One-time sign-in link: http://[^/]+(/sign-in/\S+) \(good once, for 7 days\)"
)


def link_of(said):
    """The path of the sign-in link, which is the first that a server says."""
    return LINK.fullmatch(said.strip("\n").splitlines()[0])[1]


def test_the_demo_prints_first_a_link_that_signs_in_as_ada_then_how_to_be_others_then_her_key():
    with tempfile.TemporaryDirectory(prefix="codrive-tests-") as made:
        Path(made).chmod(0o711)
        data = Path(made) / "data"
        with serving(data, "--demo", begin=launch) as first, Visitor(first.origin) as visitor:
            said = eventually(lambda: "Stop it" in first.text and first.text)
            assert visitor.fill(visitor.form(link_of(said))).status_code == 303
            assert visitor.graphql("{ viewer { name } }").json()["data"]["viewer"]["name"] == "Ada Lovelace"
            link, others, key, *_ = said.strip("\n").splitlines()
            assert "codrive-server account link" in others
            assert "cdr_" not in link + others
            assert re.search(r"cdr_\w+", key)
            (address, *_) = re.findall(r"\w+@\w+\.example", others)
            done = first.operator("account", "link", address)
            with Visitor(first.origin) as other:
                assert other.fill(other.form(re.search(r"/sign-in/\S+", done.stdout)[0])).status_code == 303
                assert other.graphql("{ viewer { email } }").json()["data"]["viewer"]["email"] == address


def test_the_first_start_prints_a_link_that_signs_in_and_what_mcp_clients_want():
    with tempfile.TemporaryDirectory(prefix="codrive-tests-") as made:
        Path(made).chmod(0o711)
        with serving(Path(made) / "data", begin=launch) as first, Visitor(first.origin) as visitor:
            said = eventually(lambda: "Stop it" in first.text and first.text)
            path = link_of(said)
            assert visitor.fill(visitor.form(path)).headers["location"] == "/settings/profile#password"
            told = visitor.see(visitor.form("/settings/profile", "/settings/profile/password"), password=PASSWORD).text
            assert "Your password is set. Every other browser is signed out." in told
            with Visitor(first.origin) as again:
                assert again.sign_in("admin@codrive.example", PASSWORD).status_code == 303
            (line,) = [line for line in said.splitlines() if "mcpServers" in line]
            server = json.loads(line)["mcpServers"]["codrive"]
            assert server["url"] == f"{first.origin}/api/v1/mcp-full"
            listed = visitor.get("/api/v1/drives", headers=server["headers"])
            assert listed.status_code == 200
