"""What the operator does from a shell, beside a running server and without one."""

import json
import re
import tarfile

import httpx
import psycopg
import pytest

from domain.key import is_key
from domain.values import is_id
from persistence.postgres.embedded import url_of_running
from service.backup import DUMP
from tests.support.processes.servers import PATIENCE, ask, http, operator, serving

pytestmark = pytest.mark.slow
SHARED = {"email": "Zoë@Bücher.example", "permission": "read_only"}


def told(server, *arguments):
    """Run a command on the server's data; it must go well. Returns what it says."""
    done = operator("--data", server.data, *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def refused(server, *arguments):
    done = operator("--data", server.data, *arguments)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr.strip().removeprefix("Error: ")


def drives(server, key):
    return httpx.get(f"{server.origin}/api/v1/drives", headers={"x-api-key": key}, timeout=PATIENCE)


def test_an_account_is_made_verified_disabled_and_enabled_while_the_server_runs(server, client):
    item = next(drive for drive in client.get("/api/v1/drives").json()["drives"] if drive["items"])["items"][0]["id"]
    client.post(f"/api/v1/drive-items/{item}/access", json=SHARED | {"email": "Zed@Example.com"}).raise_for_status()

    made = told(server, "account", "create", "zed@example.com", "--name", "Zed", "--key")
    said, key = re.fullmatch(r"(.*)\nAPI key \(shown this once\): (\S+)", made).groups()
    assert is_id(said.split()[3])
    assert is_key(key)
    assert [drive["kind"] for drive in drives(server, key).json()["drives"]] == ["personal"]

    def shared():
        headers = {"x-api-key": key}
        return httpx.get(
            f"{server.origin}/api/v1/drive-items/shared-with-me", headers=headers, timeout=PATIENCE
        ).json()["items"]

    assert shared() == [], "an address that nobody verified opens nothing"
    assert told(server, "account", "verify", "ZED@example.com") == "zed@example.com is verified"
    assert [each["id"] for each in shared()] == [item]

    assert told(server, "account", "disable", "zed@example.com") == "zed@example.com is disabled"
    assert drives(server, key).status_code == 401
    assert told(server, "account", "disable", "--enable", "zed@example.com") == "zed@example.com is enabled"
    assert drives(server, key).status_code == 200


def test_a_link_is_printed_with_how_long_it_is_good(server):
    said = told(server, "--origin", "https://drive.example.com/", "account", "link", "ada@acme.example")
    assert re.match(r"https://drive\.example\.com/sign-in/[0-9A-Za-z]{32} \(good once, for 7 days\)", said)
    assert said != told(server, "--origin", "https://drive.example.com/", "account", "link", "ada@acme.example")


def test_a_link_leads_to_where_the_running_server_is_reached(server, folder):
    assert told(server, "account", "link", "ada@acme.example").startswith(f"{server.origin}/sign-in/")
    with serving(folder / "elsewhere", "--origin", "https://docs.example.org/") as other:
        assert told(other, "account", "link", "ada@acme.example").startswith("https://docs.example.org/sign-in/")
        other.end()
        assert told(other, "account", "link", "ada@acme.example").startswith("https://docs.example.org/sign-in/")


def test_accounts_and_organizations_are_listed(folder):
    with serving(folder / "listed") as server:
        long = "a-very-long-local-part-of-an-address-that-takes-a-whole-line@somewhere.example"
        told(server, "account", "create", long, "--name", "N" * 200)
        told(server, "account", "create", "wide@example.com", "--name", "\u5de5\u4f5c" * 30, "--verified")
        told(server, "account", "disable", "ben@acme.example")
        accounts = told(server, "account", "list").splitlines()
        assert all(len(line) + sum(letter > "\u2fff" for letter in line) <= 80 for line in accounts)
        assert accounts[0].split() == ["ADDRESS", "NAME", "STATE", "MADE"]
        shown = [line.split()[0] for line in accounts]
        assert shown.index("ada@acme.example") < shown.index("grace@acme.example")
        assert any(line.startswith("ben@acme.example") and "disabled" in line for line in accounts)
        assert any("not verified" in line for line in accounts)
        assert "".join(accounts).count("N") >= 200, "nothing is cut off"

        known = {each["email"]: each for each in json.loads(told(server, "account", "list", "--json"))}
        assert list(known) == sorted(known)
        grace = known["grace@acme.example"]
        assert list(grace) == ["id", "email", "name", "emailVerified", "disabled", "createdAt", "organizations"]
        assert (grace["organizations"], grace["emailVerified"], grace["disabled"]) == (["Acme"], True, False)
        assert known["ben@acme.example"]["disabled"]
        assert (known[long]["organizations"], known[long]["emailVerified"]) == ([], False)

        listed = told(server, "organization", "list").splitlines()
        assert listed[0].split() == ["ID", "NAME", "MEMBERS", "MADE"]
        organization = listed[1].split()
        assert (organization[1:3], listed[2].split()[1]) == (["Acme", "4"], "Globex")
        assert told(server, "organization", "add", organization[0], long) == f"{long} is member of {organization[0]}"
        acme, globex = json.loads(told(server, "organization", "list", "--json"))
        assert acme == acme | {"id": organization[0], "name": "Acme", "members": 5, "admins": ["grace@acme.example"]}
        assert globex["admins"] == ["gus@globex.example"]


def test_a_key_acts_in_the_organization_that_is_named(server):
    key = told(server, "account", "key", "ada@acme.example", "--name", "From the shell", "--organization", "Acme")
    with http(server.origin, headers={"x-api-key": key}) as client:
        viewer = ask(client, "{ viewer { name activeOrganization { name } } }")["viewer"]
    assert viewer["activeOrganization"] == {"name": "Acme"}
    assert json.loads(told(server, "account", "keys", "ada@acme.example", "--json"))[0]["name"] == "From the shell"
    assert "does not belong" in refused(server, "account", "key", "ada@acme.example", "--organization", "Globex")


def test_a_key_of_an_agent_is_made_listed_and_revoked(server):
    key = told(server, "account", "key", "cleo@acme.example", "--name", "Of the scribe", "--agent", "scribe")
    with http(server.origin, headers={"x-api-key": key}) as client:
        assert ask(client, "{ viewer { agent } }")["viewer"] == {"agent": "scribe"}
        newest = json.loads(told(server, "account", "keys", "cleo@acme.example", "--json"))[0]
        assert (newest["name"], newest["agent"], newest["lastFour"]) == ("Of the scribe", "scribe", key[-4:])
        header, first, *_ = told(server, "account", "keys", "cleo@acme.example").splitlines()
        assert header.split() == ["ID", "NAME", "AGENT", "KEY"]
        assert first.startswith(newest["id"])
        assert key not in told(server, "account", "keys", "cleo@acme.example", "--json")
        assert "no key with the id" in refused(server, "account", "revoke", "ada@acme.example", newest["id"])
        said = told(server, "account", "revoke", "cleo@acme.example", newest["id"])
        assert said == f"the key {newest['id']} of cleo@acme.example is revoked"
        assert client.get("/api/v1/drives").status_code == 401
    assert "no key with the id" in refused(server, "account", "revoke", "cleo@acme.example", newest["id"])
    assert "must" in refused(server, "account", "key", "cleo@acme.example", "--agent", "")


def test_an_organization_is_made_and_joined(server):
    told(server, "account", "create", "olga@example.com", "--name", "Olga", "--verified")
    told(server, "account", "create", "oscar@example.com", "--name", "Oscar")
    made = told(server, "organization", "create", "Initech", "--admin", "olga@example.com")
    organization = made.removeprefix("made the organization ")
    assert is_id(organization)
    assert told(server, "organization", "add", organization, "oscar@example.com") == (
        f"oscar@example.com is member of {organization}"
    )
    told(server, "organization", "add", organization, "oscar@example.com", "--role", "admin")
    key = told(server, "account", "key", "oscar@example.com")
    with http(server.origin, headers={"x-api-key": key}) as client:
        mine = ask(client, "{ viewer { organizations { name role members { email role } } } }")["viewer"][
            "organizations"
        ]
    assert mine == [
        {
            "name": "Initech",
            "role": "admin",
            "members": [
                {"email": "olga@example.com", "role": "admin"},
                {"email": "oscar@example.com", "role": "admin"},
            ],
        }
    ]


NOWHERE = "01890000-0000-7000-8000-000000000000"
WRONG = [
    (("account", "create", "ada@acme.example", "--name", "Ada"), "has an account already"),
    (("account", "create", "new@example.com", "--name", "\u200b\n"), "name"),
    (("account", "verify", "nobody@example.com"), "no account has the address"),
    (("account", "key", "nobody@example.com"), "no account has the address"),
    (("account", "link", "no address"), "email"),
    (("organization", "create", "X", "--admin", "nobody@example.com"), "no account has the address"),
    (("organization", "add", NOWHERE, "ada@acme.example"), "no organization"),
    (("organization", "add", "nonsense", "ada@acme.example"), "no organization"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_what_cannot_be_done_is_said_in_a_line(server, arguments, said):
    assert said in refused(server, *arguments)


def test_the_last_admin_stays_one(server):
    key = told(server, "account", "key", "gus@globex.example")
    with http(server.origin, headers={"x-api-key": key}) as client:
        organization = ask(client, "{ viewer { activeOrganization { id } } }")["viewer"]["activeOrganization"]["id"]
    assert "admin" in refused(server, "organization", "add", organization, "gus@globex.example", "--role", "member")


def test_the_commands_work_without_a_server(folder):
    data = folder / "alone"
    made = operator("--data", data, "account", "create", "solo@example.com", "--name", "Solo", "--verified", "--key")
    assert made.returncode == 0, made.stderr
    key = made.stdout.split()[-1]
    with serving(data) as server:
        assert drives(server, key).status_code == 200
        assert "Ada" not in server.text, "there is somebody already, so nothing is filled in"


def test_a_database_that_is_not_there_is_told_in_a_line(folder):
    nowhere = {"DATABASE_URL": f"postgresql://codrive:hidden@/codrive?host={folder}"}
    backup = folder / "backup"
    with tarfile.open(backup, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo(DUMP))
    for arguments in ((), ("account", "verify", "a@b.example"), ("backup", folder / "saved"), ("restore", backup)):
        done = operator("--data", folder / "data", "--port", 0, *arguments, **nowhere)
        assert done.returncode == 1
        said = [line for line in done.stderr.splitlines() if not line.startswith("{")]  # but for the log of the start
        assert said[0].startswith("Error: the database cannot be reached"), done.stderr
        assert "Traceback" not in done.stderr
        assert "hidden" not in done.stderr


def test_edits_that_no_read_has_are_told_of_at_the_start_and_brought_back(folder):
    with serving(folder) as server, server.client() as client:
        drive = client.get("/api/v1/drives").json()["drives"][0]["id"]
        body = {"name": "Log", "driveItemType": "docs_workbook"}
        document = client.post(f"/api/v1/drives/{drive}/items", json=body).raise_for_status().json()["item"]["id"]
        edit = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
        for text in ("lost", "and found"):
            ask(client, edit, d=document, e={"append": text})
        assert told(server, "repair") == "there is nothing to bring back"
        with psycopg.connect(url_of_running(server.data / "postgres"), autocommit=True) as connection:
            # what was typed took the numbers of edits that a snapshot stands for
            connection.execute("insert into document_snapshot values (%s, 2, %s)", [document, b"\0\0"])
        assert client.get(f"/api/v1/documents/{document}").json()["markdown"] == ""
        assert "codrive-server repair" not in server.errors
    with serving(folder) as server, server.client() as client:
        server.eventually(
            lambda: "acknowledged edits are in no read: run `codrive-server repair`" in server.errors or None
        )
        assert told(server, "repair") == f"brought back 2 edits of document {document}"
        assert client.get(f"/api/v1/documents/{document}").json()["markdown"] == "lost\n\nand found\n"
        assert told(server, "repair") == "there is nothing to bring back"


def test_without_a_mail_server_invitations_are_in_the_log_and_shares_are_not(server, client):
    drive = next(drive for drive in client.get("/api/v1/drives").json()["drives"] if drive["items"])
    share = SHARED | {"email": "told-by-ada@example.com"}
    client.post(f"/api/v1/drive-items/{drive['items'][0]['id']}/access", json=share).raise_for_status()
    with server.client("grace") as grace:
        organization = ask(grace, "{ viewer { activeOrganization { id } } }")["viewer"]["activeOrganization"]["id"]
        invite = "mutation($o: ID!, $e: EmailAddress!) { inviteToOrganization(organizationId: $o, email: $e, role: member) { __typename } }"
        ask(grace, invite, o=organization, e="invited@example.com")
    server.eventually(lambda: "invited@example.com" in server.errors or None)
    assert "told-by-ada@example.com" not in server.errors
