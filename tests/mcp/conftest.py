"""A running server with the demo world, and its people, who ask over MCP and over REST."""

import html
import re

import pytest
from servers import http
from surfaces.conftest import ada, ben, cleo, client, people  # noqa: F401 - the same people, of the server below
from surfaces.running import running

GENEROUS = [word for rate in ("reads", "writes", "bad-sign-ins") for word in (f"--{rate}-per-minute", "1000000")]


@pytest.fixture(scope="session")
def server():
    """The server of this worker; nothing that a test sends may make it log a fault."""
    with running(*GENEROUS, "--allowed-origins", "https://inspector.example") as started:
        yield started
        assert started.faults() == []


@pytest.fixture
def browser(server):
    """`browser(url)` approves what an application asks for, as Ada, and returns where the browser is sent then."""
    approver = server.credentials["users"]["ada"]
    with http(server.origin) as window:
        own = {"origin": server.origin}
        entered = window.post(
            "/sign-in", data={"email": approver["email"], "password": approver["password"]}, headers=own
        )
        assert entered.status_code == 303, entered.text

        def approve(url):
            asked = window.get(url)
            assert asked.status_code == 200, asked.text
            last = asked.text[asked.text.rindex('<form method="post" action="/oauth/consent"') :]
            fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', last)
            form = {name: html.unescape(value) for name, value in fields} | {"decision": "approve"}
            sent = window.post("/oauth/consent", data=form, headers=own)
            assert sent.status_code == 303, sent.text
            return sent.headers["location"]

        yield approve
