"""A server with the demo world and a mail server beside it, for the tests of its pages."""

import secrets

import pytest

from tests.support.web.letterbox import letterbox
from tests.support.web.visitors import Visitor

PASSWORD = "four unrelated words here"


@pytest.fixture(scope="session")
def letters():
    with letterbox() as box:
        yield box


@pytest.fixture(scope="session")
def served(running, letters):
    with running("--no-rate-limits", "--no-app", CODRIVE_SMTP_URL=letters.url) as server:
        yield server
        assert server.faults() == []


@pytest.fixture
def browser_of(served):
    """`browser_of("ada")` is a new browser in which Ada is signed in; `browser_of()` one in which nobody is."""
    opened = []

    def begin(name=None, **options):
        visitor = Visitor(served.origin, **options)
        opened.append(visitor)
        if name:
            user = served.credentials["users"][name]
            answer = visitor.sign_in(user["email"], user["password"])
            assert answer.status_code == 303, answer.text
        return visitor

    yield begin
    for visitor in opened:
        visitor.close()


@pytest.fixture
def newcomer(browser_of, letters):
    """Make an account by mail and return its browser and its address."""

    def begin(name="Zoe"):
        address = f"{secrets.token_hex(4)}@new.example"
        visitor = browser_of()
        assert visitor.see(visitor.form("/sign-up"), email=address).status_code == 200
        made = visitor.fill(visitor.form(letters.link(address)), name=name, password=PASSWORD)
        assert (made.status_code, made.headers["location"]) == (303, "/")
        return visitor, address

    return begin
