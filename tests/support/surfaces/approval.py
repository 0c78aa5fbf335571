"""Ada in a browser, who approves what an application asks for: a fixture over the `server` of whoever imports it."""

import html
import re
from collections.abc import Callable, Iterator

import pytest

from tests.support.processes.running import Server
from tests.support.processes.servers import http


@pytest.fixture
def browser(server: Server) -> Iterator[Callable[[str], str]]:
    """`browser(url)` approves what an application asks for, as Ada, and returns where the browser is sent then."""
    approver = server.credentials["users"]["ada"]
    with http(server.origin) as window:
        own = {"origin": server.origin}
        entered = window.post(
            "/sign-in", data={"email": approver["email"], "password": approver["password"]}, headers=own
        )
        assert entered.status_code == 303, entered.text

        def approve(url: str) -> str:
            asked = window.get(url)
            assert asked.status_code == 200, asked.text
            last = asked.text[asked.text.rindex('<form method="post" action="/oauth/consent"') :]
            fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', last)
            form = {name: html.unescape(value) for name, value in fields} | {"decision": "approve"}
            sent = window.post("/oauth/consent", data=form, headers=own)
            assert sent.status_code == 303, sent.text
            return sent.headers["location"]

        yield approve
