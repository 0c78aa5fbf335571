"""What verifies that an address is somebody's, what an account does without it, and what ends when it is verified."""

import base64
import hashlib
import json
import re
import secrets
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.processes.servers import PATIENCE, eventually, sync_websocket
from tests.support.web.visitors import Visitor, ask, forms, shown

PASSWORD = "four unrelated words here"
ANOTHER = "quite another password"
CALLBACK = "https://evil.example/callback"
VERIFIER = "a-verifier-of-forty-three-characters-or-more"
SHARE = (
    "mutation($i: ID!, $e: EmailAddress!, $p: Permission!) { shareItem(itemId: $i, email: $e, permission: $p) { id } }"
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def unmailed(shared_server):
    """A server without a mail server."""
    return shared_server("--no-rate-limits", "--no-app")


@pytest.fixture(scope="module")
def database(served):
    with psycopg.connect(served.database, autocommit=True) as connection:
        yield connection


@pytest.fixture
def told(served):
    """`told("account", …)` is what the operator's command says."""

    def run(*words):
        done = served.operator(*words, CODRIVE_ORIGIN=served.origin)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def organization_of(visitor):
    return ask(visitor, "{ viewer { organizations { id } } }")["viewer"]["organizations"][0]["id"]


def invited(admin, address):
    """Invite somebody in the settings and return the page that says so."""
    page = f"/settings/organizations/{organization_of(admin)}"
    answer = admin.see(admin.form(page, f"{page}/invite"), email=address, role="member")
    assert answer.status_code == 200
    return answer


def from_log(server, address):
    """The path of the link that the operator of a server without mail has for an address, to which one letter goes."""

    def letter():
        return next((line for line in server.log.read_text().splitlines() if f'"to": "{address}"' in line), None)

    text = json.loads(eventually(letter, origin=server.origin))["text"]
    return re.findall(r"http://[^/]+(/\w[\w-]*/[0-9A-Za-z_]+)", text)[-1]


def in_personal_drive(visitor, name, kind="docs_workbook"):
    drives = ask(visitor, "{ drives(first: 9) { nodes { id kind } } }")["drives"]["nodes"]
    drive = next(each["id"] for each in drives if each["kind"] == "personal")
    query = "mutation($d: ID!, $n: ItemName!, $k: DriveItemType!) { createItem(driveId: $d, name: $n, driveItemType: $k) { id } }"
    return ask(visitor, query, d=drive, n=name, k=kind)["createItem"]["id"]


def shared_with(visitor):
    return [each["id"] for each in ask(visitor, "{ allSharedWithMe { id } }")["allSharedWithMe"]]


def viewer_of(visitor):
    return ask(visitor, "{ viewer { email emailVerified activeOrganization { name } } }")["viewer"]


def joined(visitor, link, address):
    """Make an account with an invitation, sign in and join."""
    made = visitor.fill(visitor.form(link), name="Somebody", password=PASSWORD)
    assert made.status_code == 303
    assert visitor.sign_in(address, PASSWORD).status_code == 303
    assert visitor.fill(visitor.form(link)).status_code == 303


def connected(visitor):
    """Connect an application as whoever is signed in, and return its tokens."""
    client = visitor.post("/oauth/register", json={"client_name": "Helper", "redirect_uris": [CALLBACK]}).json()
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "response_type": "code",
        "client_id": client["client_id"],
        "redirect_uri": CALLBACK,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    form = visitor.form(f"/oauth/authorize?{urlencode(asked)}", "/oauth/consent")
    sent = visitor.fill(form, decision="approve")
    code = dict(parse_qsl(urlsplit(sent.headers["location"]).query))["code"]
    given = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": VERIFIER}
    tokens = visitor.post("/oauth/token", data=given | {"client_id": client["client_id"]}).json()
    return client["client_id"], tokens


def works(server, tokens):
    """The status with which the MCP address answers an access token."""
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"authorization": f"Bearer {tokens['access_token']}", "accept": "application/json, text/event-stream"}
    return httpx.post(f"{server.origin}/api/v1/mcp", json=ping, headers=headers, timeout=PATIENCE).status_code


# invitations


def test_a_mailed_invitation_makes_an_account_that_is_verified_and_may_join(browser_of, letters):
    grace, visitor = browser_of("grace"), browser_of()
    page = invited(grace, "ivy@new.example")
    link = letters.link("ivy@new.example")
    token = link.rpartition("/")[2]
    assert token.startswith("cdi_")
    assert token not in page.text
    assert token not in grace.get(f"/settings/organizations/{organization_of(grace)}").text
    joined(visitor, link, "ivy@new.example")
    assert viewer_of(visitor) == {
        "email": "ivy@new.example",
        "emailVerified": True,
        "activeOrganization": {"name": "Acme"},
    }
    assert browser_of().get(link).status_code == 404


def test_inviting_over_graphql_mails_it_too_and_answers_no_token(browser_of, newcomer, letters):
    grace, (_, known) = browser_of("grace"), newcomer()
    unknown = f"{secrets.token_hex(4)}@new.example"
    query = """mutation($o: ID!, $e: EmailAddress!) {
      inviteToOrganization(organizationId: $o, email: $e, role: member) { invitation { email } } }"""
    answers = {}
    for address in (unknown, known):
        answers[address] = ask(grace, query, o=organization_of(grace), e=address)
        assert "/invitation/cdi_" in letters.next(address)[1]
    assert answers[unknown]["inviteToOrganization"] == {"invitation": {"email": unknown}}
    assert repr(answers[known]) == repr(answers[unknown]).replace(unknown, known)


def test_an_invitation_answers_alike_whether_or_not_its_address_has_an_account(browser_of, newcomer, letters):
    _, known = newcomer()
    unknown, answers = f"{secrets.token_hex(4)}@new.example", {}
    for address in (known, unknown):
        invited(browser_of("grace"), address)
        link, visitor = letters.link(address), browser_of()
        page = visitor.get(link)
        made = visitor.submit(link, {"name": "Zoe", "password": ANOTHER})
        weak = visitor.submit(link, {"name": "Zoe", "password": "short"})
        assert "set-cookie" not in made.headers
        token = link.rpartition("/")[2]
        answers[address] = [
            (each.status_code, f"{each.text}{each.headers.get('location')}".replace(address, "").replace(token, ""))
            for each in (page, weak, made)
        ]
        assert made.status_code == 303
    assert answers[known] == answers[unknown]
    assert browser_of().sign_in(known, ANOTHER).status_code == 400, "nobody sets a password of an account by it"
    assert browser_of().sign_in(unknown, ANOTHER).status_code == 303


def test_an_invitation_is_for_its_address_whoever_opens_it(browser_of, newcomer, letters):
    _, address = newcomer()
    invited(browser_of("grace"), address)
    link, ben = letters.link(address), browser_of("ben")
    assert link not in [form.action for form in forms(ben.get(link).text)]
    token = ben.form("/settings/profile", "/settings/profile").fields["csrf"]
    assert ben.submit(link, {"csrf": token}).status_code == 404


def test_an_admin_gets_nothing_of_what_was_shared_with_an_address_that_she_invites(unmailed):
    with Visitor(unmailed.origin) as ada, Visitor(unmailed.origin) as grace, Visitor(unmailed.origin) as contractor:
        for visitor, name in ((ada, "ada"), (grace, "grace")):
            user = unmailed.credentials["users"][name]
            assert visitor.sign_in(user["email"], user["password"]).status_code == 303
        address = "contractor@ext.example"
        drive = ask(ada, 'mutation { createDrive(name: "Board") { id } }')["createDrive"]["id"]
        query = 'mutation($d: ID!) { createItem(driveId: $d, name: "Papers", driveItemType: docs_workbook) { id } }'
        papers = ask(ada, query, d=drive)["createItem"]["id"]
        ask(ada, SHARE, i=papers, e=address, p="read_write")
        page = invited(grace, address)
        assert "/invitation/cdi_" not in page.text
        assert "the link stands in its log" in page.text
        assert f"pass this letter on … {address} … /invitation/" in page.text
        joined(contractor, from_log(unmailed, address), address)
        assert viewer_of(contractor) == {
            "email": address,
            "emailVerified": False,
            "activeOrganization": {"name": "Acme"},
        }
        read = "query($i: ID!) { document(id: $i) { markdown } }"
        assert shared_with(contractor) == []
        assert ask(contractor, read, i=papers) == "NOT_FOUND"
        ask(ada, SHARE, i=(other := in_personal_drive(ada, "More")), e=address, p="read_only")
        assert ask(contractor, read, i=other) == "NOT_FOUND"
        done = unmailed.operator("account", "verify", address)
        assert done.returncode == 0, done.stderr
        assert {*shared_with(contractor)} == {papers, other}


def test_invitations_and_accounts_are_counted(running, letters):
    limits = ("--invitations-per-day", "6", "--most-open-invitations", "4", "--accounts-per-hour", "2")
    with running(*limits, CODRIVE_SMTP_URL=letters.url) as server, Visitor(server.origin) as grace:
        user = server.credentials["users"]["grace"]
        grace.sign_in(user["email"], user["password"])
        page = f"/settings/organizations/{organization_of(grace)}"
        addresses = [f"{secrets.token_hex(4)}@new.example" for _ in range(8)]
        form = grace.form(page, f"{page}/invite")
        answers = [grace.fill(form, email=address, role="member") for address in addresses]
        assert [answer.status_code for answer in answers] == [303] * 4 + [409] * 2 + [429] * 2
        assert all(0 < int(answer.headers["retry-after"]) <= 86_400 for answer in answers[6:])
        with Visitor(server.origin) as anybody:
            made = [
                anybody.submit(letters.link(address), {"name": "Zoe", "password": PASSWORD}).status_code
                for address in addresses[:4]
            ]
        assert made == [303, 303, 429, 429]


# with an unverified address


@pytest.fixture
def unverified(browser_of, told):
    """Somebody whom the operator made an account for, without vouching for the address."""
    address = f"{secrets.token_hex(4)}@new.example"
    told("account", "create", address, "--name", "Uma")
    visitor = browser_of()
    visitor.fill(visitor.form(re.search(r"(/sign-in/\S+)", told("account", "link", address))[1]))
    return visitor, address


def test_an_account_with_an_unverified_address_is_told_how_to_have_one(unverified):
    visitor, _ = unverified
    assert '<a href="/settings/profile">Confirm it</a>' in visitor.get("/settings/keys").text
    assert ask(visitor, 'mutation { createApiKey(name: "mine") { secret } }') == "FORBIDDEN"
    token = forms(visitor.get("/settings/profile").text)[0].fields["csrf"]
    refused = visitor.submit("/settings/keys", {"csrf": token, "name": "mine", "agent": ""})
    assert refused.status_code == 403
    assert "confirm it in the settings, under profile" in refused.text
    mine = in_personal_drive(visitor, "Mine")
    assert ask(visitor, SHARE, i=mine, e="ben@acme.example", p="read_only") == "FORBIDDEN"
    publish = "mutation($i: ID!) { setPublication(itemId: $i, published: true) { id } }"
    assert ask(visitor, publish, i=mine) == "FORBIDDEN"
    client = visitor.post("/oauth/register", json={"client_name": "Helper", "redirect_uris": [CALLBACK]}).json()
    asked = {
        "response_type": "code",
        "client_id": client["client_id"],
        "redirect_uri": CALLBACK,
        "code_challenge": "a" * 43,
        "code_challenge_method": "S256",
    }
    page = visitor.get(f"/oauth/authorize?{urlencode(asked)}")
    assert page.status_code == 403
    assert "settings, under profile" in page.text


def test_a_mailed_link_verifies_an_address_where_its_account_is_signed_in_and_sets_a_new_password(
    unverified, browser_of, letters
):
    visitor, address = unverified
    assert visitor.fill(visitor.form("/settings/profile", "/settings/profile/verify")).status_code == 303
    link = letters.link(address)
    assert browser_of().get(link).status_code == 303
    other = browser_of("ben")
    token = other.form("/settings/profile", "/settings/profile").fields["csrf"]
    assert other.submit(link, {"csrf": token, "password": PASSWORD}).status_code == 404
    weak = visitor.fill(visitor.form(link, link), password="short")
    assert (weak.status_code, 'href="#password"' in weak.text) == (400, True)
    made = visitor.fill(visitor.form(link, link), password=PASSWORD)
    assert (made.status_code, made.headers["location"]) == (303, "/settings/profile")
    assert viewer_of(visitor)["emailVerified"] is True
    assert browser_of().sign_in(address, PASSWORD).status_code == 303
    assert visitor.get(link).status_code == 404


# when the verification comes


@pytest.fixture
def planted(browser_of, told, database):
    """An account that somebody else made for a victim before verification was asked for, and all that they planted in it."""
    address = f"{secrets.token_hex(4)}@bank.example"
    user_id = told("account", "create", address, "--name", "Not her", "--verified").split()[3]
    attacker, evil = browser_of(), browser_of("gus")
    attacker.fill(attacker.form(re.search(r"(/sign-in/\S+)", told("account", "link", address))[1]))
    attacker.fill(attacker.form("/settings/profile", "/settings/profile/password"), password=PASSWORD)
    told("organization", "add", organization_of(evil), address)
    ask(attacker, "mutation($o: ID!) { switchOrganization(organizationId: $o) { id } }", o=organization_of(evil))
    key = shown(attacker.see(attacker.form("/settings/keys", "/settings/keys"), name="back door").text)
    client_id, tokens = connected(attacker)
    folder = in_personal_drive(attacker, "Documents", "folder")
    ask(attacker, SHARE, i=folder, e="gus@globex.example", p="read_write")
    page = in_personal_drive(attacker, "Diary")
    slug = ask(attacker, "mutation($i: ID!) { setPublication(itemId: $i, published: true) { publicUrl } }", i=page)[
        "setPublication"
    ]["publicUrl"]
    database.execute("update account set email_verified_at = null where id = %s::uuid", [user_id])
    spare = re.search(r"(/sign-in/\S+)", told("account", "link", address))[1]
    return address, attacker, evil, {
        "key": key, "client": client_id, "tokens": tokens, "folder": folder, "page": slug, "link": spare,
    }  # fmt: skip


@pytest.mark.parametrize("way", ["/sign-up", "/forgotten", "an invitation", "an older link"])
def test_whoever_reads_the_mail_of_an_address_ends_all_that_others_planted_in_its_account(
    planted, browser_of, served, letters, way, database
):
    address, attacker, evil, left = planted
    owner = browser_of()
    assert works(served, left["tokens"]) == 200
    assert left["folder"] in shared_with(evil)
    assert browser_of().get(urlsplit(left["page"]).path).status_code == 200
    with sync_websocket(
        f"{served.origin.replace('http', 'ws')}/graphql",
        subprotocols=["graphql-transport-ws"],
        additional_headers={"cookie": f"codrive={attacker.cookie}", "origin": served.origin},
    ) as socket:
        socket.send('{"type": "connection_init"}')
        assert json.loads(socket.recv())["type"] == "connection_ack"
        _come(way, owner, address, letters, browser_of, database)
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
    assert viewer_of(owner) == {"email": address, "emailVerified": True, "activeOrganization": None}
    assert attacker.get("/").status_code == 303
    assert browser_of().sign_in(address, PASSWORD).status_code == 400
    assert browser_of().get(left["link"]).status_code == 404
    assert browser_of().get("/api/v1/drives", headers={"x-api-key": left["key"]}).status_code == 401
    assert works(served, left["tokens"]) == 401
    refresh = {"grant_type": "refresh_token", "client_id": left["client"]}
    refused = owner.post("/oauth/token", data=refresh | {"refresh_token": left["tokens"]["refresh_token"]})
    assert refused.status_code == 400
    assert left["folder"] not in shared_with(evil)
    assert browser_of().get(urlsplit(left["page"]).path).status_code == 404
    assert address not in evil.get(f"/settings/organizations/{organization_of(evil)}").text
    assert owner.get("/settings/apps").text.count("Disconnect ") == 0
    note = in_personal_drive(owner, "Top secret")
    assert ask(evil, "query($i: ID!) { document(id: $i) { markdown } }", i=note) == "NOT_FOUND"


def _come(way, owner, address, letters, browser_of, database):
    """Come by a link to the address and choose a password."""
    match way:
        case "an invitation":
            invited(browser_of("grace"), address)
            link = letters.link(address)
            assert owner.fill(owner.form(link), name="Victoria", password=ANOTHER).status_code == 303
            assert owner.sign_in(address, ANOTHER).status_code == 303
            return
        case "an older link":
            (moved,) = database.execute("select email from account where email = %s", [address]).fetchone()
            database.execute("update account set email = 'away' where email = %s", [address])
            owner.fill(owner.form("/sign-up"), email=address)
            link = letters.link(address)
            assert link.startswith("/sign-up/")
            database.execute("update account set email = %s where email = 'away'", [moved])
            made = owner.fill(owner.form(link), name="Victoria", password=ANOTHER)
        case _:
            owner.fill(owner.form(way, way), email=address)
            made = owner.fill(owner.form(letters.link(address)), password=ANOTHER)
    assert (made.status_code, made.headers["location"]) == (303, "/")


def test_a_new_password_of_a_verified_account_leads_to_what_else_acts_as_it_and_one_button_ends_that(
    newcomer, browser_of, served, letters
):
    visitor, address = newcomer()
    key = shown(visitor.see(visitor.form("/settings/keys", "/settings/keys"), name="left over").text)
    _, tokens = connected(visitor)
    again = browser_of()
    again.fill(again.form("/forgotten"), email=address)
    made = again.fill(again.form(letters.link(address)), password=ANOTHER)
    assert (made.status_code, made.headers["location"]) == (303, "/settings/access")
    page = again.get("/settings/access").text
    assert "left over" in page
    assert "Helper" in page
    assert (works(served, tokens), visitor.get("/").status_code) == (200, 303)
    assert again.fill(again.form("/settings/access", words="End them all")).status_code == 303
    assert works(served, tokens) == 401
    assert again.get("/api/v1/drives", headers={"x-api-key": key}).status_code == 401
    assert "End them all" not in again.get("/settings/access").text
