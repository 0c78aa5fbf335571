"""What was to be mailed when a server died is mailed by the next one, and the database holds no secret meanwhile."""

import re
import socket
from contextlib import contextmanager

import psycopg
import pytest

from tests.support.processes.servers import PATIENCE, eventually, launch_demo, serving
from tests.support.web.letterbox import letterbox
from tests.support.web.visitors import Visitor, ask

SHARED, INVITED = "new@share.example", "new@invited.example"
MAKE = """mutation($d: ID!) { createItem(driveId: $d, name: "For you", driveItemType: docs_workbook) { id } }"""
SHARE = """mutation($i: ID!, $e: EmailAddress!) {
  shareItem(itemId: $i, email: $e, permission: read_only, message: "Please look.") { id } }"""
INVITE = """mutation($o: ID!, $e: EmailAddress!) {
  inviteToOrganization(organizationId: $o, email: $e, role: member) { invitation { id } } }"""


@pytest.fixture
def database(demo_world):
    with demo_world.copied() as url:
        yield url


@pytest.fixture
def server(demo_world, database, tmp_path):
    """`with server(port)` starts a server on the same database each time, whose mail server is at a port of this machine."""
    (tmp_path / "credentials.json").write_text(demo_world.credentials)

    def started(port):
        variables = {"DATABASE_URL": database, "CODRIVE_SMTP_URL": f"smtp://127.0.0.1:{port}"}
        return serving(tmp_path, "--no-app", "--drain-seconds", "0", begin=launch_demo, **variables)

    return started


@contextmanager
def signed_in(running, name):
    person = running.credentials["users"][name]
    with Visitor(running.origin) as visitor:
        visitor.sign_in(person["email"], person["password"])
        yield visitor


def cause_three(running):
    """Forget a password, share an item and invite somebody, each of which is answered; return the address of the first."""
    email = running.credentials["users"]["ada"]["email"]
    with Visitor(running.origin) as anybody:
        anybody.see(anybody.form("/forgotten"), email=email)
    with signed_in(running, "ada") as ada:
        drive = ask(ada, "{ drives(first: 1) { nodes { id } } }")["drives"]["nodes"][0]["id"]
        item = ask(ada, MAKE, d=drive)["createItem"]["id"]
        assert ask(ada, SHARE, i=item, e=SHARED)["shareItem"]
    with signed_in(running, "grace") as grace:
        organization = ask(grace, "{ viewer { organizations { id } } }")["viewer"]["organizations"][0]["id"]
        assert ask(grace, INVITE, o=organization, e=INVITED)["inviteToOrganization"]
    return email


def rows(url):
    """What became of each, and all that the database has of it."""
    with psycopg.connect(url) as connection:
        return connection.execute("select outcome, o::text from outbox o").fetchall()


@pytest.mark.rotate(4, "what waits, is sent and is put off, without a server in persistence/test_outbox")
def test_what_was_to_be_mailed_when_the_server_was_killed_is_mailed_after_its_restart(server, database):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE)
        port = silent.getsockname()[1]
        with server(port) as killed:
            email = cause_three(killed)
            connected, _ = silent.accept()  # and is told nothing: what is on its way goes no further
            killed.process.kill()
            killed.process.wait(PATIENCE)
            connected.close()
    waiting = rows(database)
    assert [outcome for outcome, _ in waiting] == [None] * 3
    with letterbox(port) as box, server(port) as restarted:
        reset, invitation, (_, share) = box.link(email), box.link(INVITED), box.next(SHARED)
        assert "> Please look." in share
        with Visitor(restarted.origin) as visitor:
            assert visitor.form(reset)
            assert visitor.get(invitation).status_code in (200, 303)
        eventually(lambda: [outcome for outcome, _ in rows(database)] == ["sent"] * 3)
        stored = str([*waiting, *rows(database)])
        assert not [path for path in (reset, invitation) if re.split(r"[/?]", path)[2] in stored]
        assert "Please look" not in str(rows(database)), "what was sent is not kept"
