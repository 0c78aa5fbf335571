"""Where sign-up is closed nobody makes an account by themselves, and nobody learns by it who has one."""

import re
import tempfile
from pathlib import Path

import psycopg
import pytest

from tests.support.processes.browser import new_context
from tests.support.processes.servers import eventually, launch, serving
from tests.support.web.accessible import check_accessible
from tests.support.web.letterbox import letterbox
from tests.support.web.visitors import Visitor, forms

PASSWORD = "four unrelated words here"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def letters():
    with letterbox() as box:
        yield box


@pytest.fixture(scope="module")
def closed(running, letters):
    with running("--no-rate-limits", "--sign-up", "closed", CODRIVE_SMTP_URL=letters.url) as server:
        yield server
        assert server.faults() == []


@pytest.fixture
def visitor(closed):
    with Visitor(closed.origin) as made:
        yield made


@pytest.fixture
def ada(closed):
    return closed.credentials["users"]["ada"]


def asked(visitor, address):
    return visitor.fill(visitor.form("/forgotten", "/forgotten"), email=address)


def links_to(closed, address):
    with psycopg.connect(closed.database, autocommit=True) as connection:
        return [row[0] for row in connection.execute("select purpose from link where email = %s", [address])]


def test_the_page_says_so_and_nothing_else_whatever_is_asked(visitor, ada):
    said = visitor.get("/sign-up")
    assert said.status_code == 403
    assert "<h1>Sign-up is closed</h1>" in said.text
    assert forms(said.text) == []
    for path in ("/sign-up", "/sign-up/unknown"):
        for address in (ada["email"], "nobody@new.example", "no address"):
            sent = visitor.submit(path, {"email": address, "name": "Eve", "password": PASSWORD})
            assert (sent.status_code, sent.content) == (403, said.content)
        assert visitor.get(path).content == said.content
        head = visitor.head(path)
        assert (head.status_code, head.headers["content-length"]) == (403, said.headers["content-length"])
        assert visitor.delete(path).status_code == 405


async def test_axe_finds_nothing_on_the_page(closed, browser):
    async with await new_context(browser) as context:
        page = await context.new_page()
        await page.goto(f"{closed.origin}/sign-up")
        assert (await page.title()).startswith("Sign-up is closed ")
        await check_accessible(page, ("minor", "moderate", "serious", "critical"))


def test_no_page_leads_there(visitor):
    assert "/sign-up" not in visitor.get("/sign-in").text
    assert "/sign-up" not in visitor.sign_in("nobody@new.example", "wrong").text
    assert "/sign-up" not in visitor.get("/forgotten").text


def test_who_has_an_account_is_told_to_whoever_reads_the_address_alone(closed, visitor, letters, ada):
    addresses = ada["email"], "nobody@new.example"
    before = [len(links_to(closed, address)) for address in addresses]
    known, unknown = asked(visitor, ada["email"]), asked(visitor, "nobody@new.example")
    assert (known.status_code, unknown.status_code) == (303, 303)
    assert (known.headers["location"], known.content) == (unknown.headers["location"], unknown.content)
    assert "/reset-password/" in letters.next(ada["email"])[1]
    subject, text = letters.next("nobody@new.example")
    assert subject == "No account on Codrive"
    assert "Sign-up is closed" in text
    assert "http" not in text
    after = [len(links_to(closed, address)) for address in addresses]
    assert after == [made + 1 for made in before], "the same work, and so the same time"


def test_whoever_has_an_account_still_has_their_way_back(closed, visitor, letters):
    ben = closed.credentials["users"]["ben"]
    asked(visitor, ben["email"])
    assert visitor.fill(visitor.form(letters.link(ben["email"])), password=PASSWORD).status_code == 303
    assert "Ben" in visitor.get("/").text


def test_an_invitation_still_makes_an_account(closed, visitor, letters):
    grace = closed.credentials["users"]["grace"]
    with Visitor(closed.origin) as admin:
        admin.sign_in(grace["email"], grace["password"])
        page = re.search(r'href="(/settings/organizations/[0-9a-f-]+)"', admin.get("/settings/organizations").text)[1]
        invited = admin.fill(admin.form(page, f"{page}/invite"), email="ivy@new.example", role="member")
        assert invited.status_code == 303
    link = letters.link("ivy@new.example")
    assert visitor.fill(visitor.form(link), name="Ivy", password=PASSWORD).status_code == 303
    assert visitor.sign_in("ivy@new.example", PASSWORD).status_code == 303
    assert "Ivy" in visitor.get("/").text


def test_the_operator_still_makes_an_account(closed, visitor):
    for command in (("create", "zed@new.example", "--name", "Zed"), ("link", "zed@new.example")):
        done = closed.operator("account", *command, CODRIVE_ORIGIN=closed.origin)
        assert done.returncode == 0, done.stderr
    path = re.search(r"(/sign-in/\S+)", done.stdout)[1]
    assert visitor.fill(visitor.form(path)).status_code == 303
    assert "Zed" in visitor.get("/").text


def test_a_link_that_was_mailed_before_makes_no_account_until_sign_up_is_open_again():
    with tempfile.TemporaryDirectory(prefix="codrive-tests-") as made:
        Path(made).chmod(0o711)
        data, path = Path(made) / "data", None
        for state, status in (("open", 200), ("closed", 403), ("open", 200)):
            with serving(data, "--sign-up", state, begin=launch) as server, Visitor(server.origin) as visitor:
                if path is None:
                    visitor.fill(visitor.form("/sign-up"), email="zoe@new.example")
                    said = eventually(lambda: re.search(r"http://[^/]+(/sign-up/[0-9A-Za-z]+)", server.errors))
                    path = said[1]
                assert visitor.get(path).status_code == status
                if state == "closed":
                    given = {"name": "Zoe", "password": PASSWORD}
                    assert visitor.submit(path, given).status_code == 403
                    assert visitor.sign_in("zoe@new.example", PASSWORD).status_code == 400
