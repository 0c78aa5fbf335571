"""Whoever asks for the head of a page is told what the page would be told, and which methods there are is told whole."""

import re
import socket
from types import SimpleNamespace

import httpx
import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from tests.support.processes.servers import PATIENCE
from web.app import web_handlers
from web.oauth import oauth_router
from web.oauth_consent import consent_router
from web.published import published_pages

pytestmark = pytest.mark.slow
ACCOUNTS = SimpleNamespace(sign_up_open=True)
PAGES = web_handlers(SimpleNamespace(accounts=ACCOUNTS, application=None, graphiql=None))
DECLARED = {
    re.sub(r"{\w+}", "x", route.path_format): set(route.methods)
    for route in Litestar([*PAGES, oauth_router(None), consent_router(None), published_pages(None)]).routes
    if isinstance(route, HTTPRoute) and not route.path.startswith("/schema")
}
OF_EACH_ANSWER = {"date", "x-request-id", "set-cookie"}


def told(answer):
    return answer.status_code, {name: value for name, value in answer.headers.items() if name not in OF_EACH_ANSWER}


def test_there_are_pages_of_every_kind():
    assert {"/", "/sign-in", "/settings/keys", "/settings/apps", "/oauth/authorize", "/p/x", "/static/x"} < {*DECLARED}


@pytest.mark.parametrize("path", sorted(path for path, methods in DECLARED.items() if "GET" in methods))
@pytest.mark.parametrize("who", [None, "ada"], ids=["nobody", "ada"])
def test_the_head_of_whatever_is_looked_at_is_that_of_the_page(browser_of, path, who):
    visitor = browser_of(who)
    for headers in ({"accept": "text/html"}, {}):
        head, got = visitor.head(path, headers=headers), visitor.get(path, headers=headers)
        assert told(head) == told(got)
        assert head.status_code != 405
        assert got.status_code in (303, 307) or int(head.headers["content-length"]) == len(got.content) > 0


@pytest.mark.parametrize("path", ["/sign-in", "/sign-in/x", "/p/x", "/.well-known/oauth-authorization-server"])
def test_nothing_follows_a_head(served, path):
    url = httpx.URL(served.origin)
    with socket.create_connection((url.host, url.port), timeout=PATIENCE) as connection:
        connection.sendall(f"HEAD {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 ")
    assert answer.endswith(b"\r\n\r\n")
    assert answer.count(b"\r\n\r\n") == 1


@pytest.mark.parametrize(("path", "methods"), sorted(DECLARED.items()))
def test_whoever_uses_another_method_is_told_all_that_there_are(browser_of, path, methods):
    refused = browser_of().request("DELETE", path)
    assert refused.status_code == 405
    allowed = refused.headers["allow"].split(", ")
    assert len(allowed) == len({*allowed})
    assert {*allowed} == methods
    assert ("HEAD" in methods) == ("GET" in methods)
