"""What a page of another site is told, which only browsers ask for."""

import httpx
import pytest

from edge.cors import CORS
from tests.support.processes.servers import async_http

SITE = "https://app.example"


async def answering(_scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"etag", b'"1"')]})
    await send({"type": "http.response.body", "body": b"{}", "more_body": False})


@pytest.fixture
def client() -> httpx.AsyncClient:
    app = CORS(answering, frozenset({SITE.encode()}))
    return async_http("http://drive.example", transport=httpx.ASGITransport(app))


async def test_a_page_of_a_site_that_is_set_may_ask_and_read(client):
    asked = {"origin": SITE, "access-control-request-method": "PATCH", "access-control-request-headers": "x-api-key"}
    before = await client.options("/api/v1/drives", headers=asked)
    assert before.status_code == 204
    assert before.headers["access-control-allow-origin"] == SITE
    assert "PATCH" in before.headers["access-control-allow-methods"]
    assert "x-api-key" in before.headers["access-control-allow-headers"]
    after = await client.get("/api/v1/drives", headers={"origin": SITE})
    assert after.headers["access-control-allow-origin"] == SITE
    assert "etag" in after.headers["access-control-expose-headers"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "https://app.example.evil", "http://app.example"])
async def test_every_other_page_is_told_nothing(client, origin):
    for answer in (
        await client.options("/", headers={"origin": origin, "access-control-request-method": "GET"}),
        await client.get("/", headers={"origin": origin}),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]


async def test_an_answer_that_is_for_everybody_says_so_once():
    async def open_to_all(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"access-control-allow-origin", b"*")]})
        await send({"type": "http.response.body", "body": b"{}", "more_body": False})

    app = CORS(open_to_all, frozenset({SITE.encode()}))
    async with async_http("http://drive.example", transport=httpx.ASGITransport(app)) as client:
        answer = await client.get("/.well-known/oauth-authorization-server", headers={"origin": SITE})
    assert answer.headers.get_list("access-control-allow-origin") == ["*"]


async def test_no_answer_allows_cookies(client):
    answer = await client.get("/", headers={"origin": SITE})
    assert "access-control-allow-credentials" not in answer.headers
