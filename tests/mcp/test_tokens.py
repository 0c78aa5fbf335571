"""Who is let in and what a fault looks like: the application alone, over hand-written fakes."""

import json
import subprocess
import sys
from importlib.util import find_spec

import httpx
import pytest

from contract.errors import RejectionError
from domain.errors import NOT_FOUND, Code, Rejection, Unavailable
from domain.key import compose
from edge.in_flight import SMALL_BODY, InFlight
from edge.origins import own_origins
from edge.rate_limit import Rate, Rates
from tests.mcp.mcp_world import AGENT_KEY, KEY, ORIGIN, TOKEN, Recorder, World
from tests.support.processes.servers import PATIENCE
from tests.support.surfaces.tools import Mcp

METADATA = f'resource_metadata="{ORIGIN}/.well-known/oauth-protected-resource/api/v1/mcp"'


def code(response):
    (block,) = response.json()["result"]["content"]
    return json.loads(block["text"])["code"]


async def test_a_token_lets_in_whom_it_was_made_for_and_credits_the_client():
    world = World()
    response = await world.send(authorization=f"Bearer {TOKEN}", x_service_agent="somebody")
    assert response.json()["result"]["isError"] is False
    ((_, caller, inputs, _),) = world.asked
    assert (caller.user_id, caller.agent, inputs) == ("u1", "Claude", {"driveId": "d", "name": "n"})
    assert world.seen[0].user_id == "u1"
    assert world.seen[0].operation == "drives.rename"


@pytest.mark.parametrize(
    ("key", "header", "agent"), [(KEY, None, None), (KEY, "scribe", "scribe"), (AGENT_KEY, "scribe", "bound")]
)
async def test_a_key_lets_in_its_user_and_its_own_agent_wins(key, header, agent):
    world = World()
    await world.send(x_api_key=key, **({"x_service_agent": header} if header else {}))
    assert world.asked[0][1].agent == agent


async def test_a_key_may_be_the_bearer_token_of_a_host_that_has_no_other_field():
    world = World()
    await world.send(authorization=f"Bearer {AGENT_KEY}", x_service_agent="scribe")
    assert [(caller.user_id, caller.agent) for _, caller, _, _ in world.asked] == [("u1", "bound")]


@pytest.mark.parametrize("header", ["", "a" * 65, b"caf\xe9"])
async def test_an_agent_that_is_no_name_is_a_bad_request(header):
    world = World()
    response = await world.send(x_api_key=KEY, x_service_agent=header)
    assert code(response) == "BAD_REQUEST"
    assert world.asked == []


@pytest.mark.parametrize(
    ("headers", "query", "invalid"),
    [
        ({}, "", False),
        ({"x_api_key": "cdr_guess"}, "", False),
        ({"x_api_key": compose(9)}, "", False),
        ({"x_api_key": "cdr_guess", "authorization": f"Bearer {TOKEN}"}, "", True),
        ({"authorization": "Bearer stolen"}, "", True),
        ({"authorization": "Bearer "}, "", False),
        ({"authorization": f"Bearer {compose(9)}"}, "", True),
        ({"authorization": f"Bearer {KEY}"}, f"?x={KEY}", True),
        ({"authorization": "Basic YTpi"}, "", False),
        ({"authorization": b"Bearer \xff"}, "", False),
        ({"x_api_key": KEY}, f"?api_key={KEY}", False),
        ({"authorization": f"Bearer {TOKEN}"}, f"?x={KEY}", True),
        ({}, f"?access_token={TOKEN}", False),
    ],
)
async def test_whoever_is_not_known_is_challenged_with_one_constant_body(headers, query, invalid):
    world = World()
    world.client.params = httpx.QueryParams(query.removeprefix("?"))
    response = await world.send(**headers)
    assert response.status_code == 401
    assert response.content == b'{"code":"UNAUTHORIZED","message":"send a valid API key in the `x-api-key` header"}'
    error = 'error="invalid_token", ' if invalid else ""
    assert response.headers["www-authenticate"] == f'Bearer {error}{METADATA}, scope="drive"'
    assert world.asked == []


async def test_whoever_guesses_is_counted():
    world = World(rates=Rates(failed_sign_ins=Rate("failed-sign-ins", 5)))
    for left in (4, 3, 2):
        response = await world.send(authorization="Bearer guess")
        assert response.headers["ratelimit"].startswith(f'"failed-sign-ins";r={left};')


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://drive.example.com", "https://drive.example.com:8443"]
)
async def test_a_page_of_another_site_is_turned_away(origin):
    world = World()
    response = await world.send(x_api_key=KEY, origin=origin)
    assert (response.status_code, response.json()["code"]) == (403, "FORBIDDEN")
    assert world.asked == []


@pytest.mark.parametrize("origin", [ORIGIN, "https://inspector.example"])
async def test_a_page_of_ones_own_or_of_an_allowed_site_is_served(origin):
    assert (await World().send(x_api_key=KEY, origin=origin)).status_code == 200


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("https://drive.example.com", {"https://drive.example.com"}),
        ("http://127.0.0.1:8000", {"http://localhost:8000", "http://127.0.0.1:8000", "http://[::1]:8000"}),
        ("http://localhost", {"http://localhost", "http://127.0.0.1", "http://[::1]"}),
        ("http://[::1]", {"http://localhost", "http://127.0.0.1", "http://[::1]"}),
        ("http://[::1]:8000", {"http://localhost:8000", "http://127.0.0.1:8000", "http://[::1]:8000"}),
    ],
)
def test_a_server_on_this_machine_goes_by_three_names(origin, own):
    assert own_origins(origin) == own


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (RejectionError(NOT_FOUND), "NOT_FOUND"),
        (RejectionError(Rejection(Code.LAST_OWNER, "no")), "LAST_OWNER"),
        (RuntimeError("the secret recipe"), "INTERNAL_SERVER_ERROR"),
        (KeyError("item"), "INTERNAL_SERVER_ERROR"),
    ],
)
async def test_a_fault_is_told_without_its_reason(fault, expected):
    world = World()
    world.fault = fault
    response = await world.send(x_api_key=KEY)
    assert (response.status_code, code(response)) == (200, expected)
    assert "secret recipe" not in response.text


async def test_an_answer_that_is_no_json_is_a_fault_of_ours_and_told_as_one():
    world = World()
    world.answer = {"drive": object()}
    assert code(await world.send(x_api_key=KEY)) == "INTERNAL_SERVER_ERROR"


async def test_the_store_of_keys_out_of_reach_is_503():
    response = await World(fault=Unavailable()).send(x_api_key=KEY)
    assert (response.status_code, response.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert response.headers["retry-after"] == "2"


async def test_whoever_asks_too_often_is_told_how_long_to_wait():
    world = World(rates=Rates(writes=Rate("writes", 1)))
    assert (await world.send(x_api_key=KEY)).json()["result"]["isError"] is False
    refused = await world.send(x_api_key=KEY)
    assert code(refused) == "TOO_MANY_REQUESTS"
    assert refused.headers["retry-after"] == "60"
    assert refused.headers["ratelimit"] == '"writes";r=0;t=60'
    assert len(world.asked) == 1


async def test_what_is_no_call_of_a_tool_counts_as_a_read_and_is_refused_like_one():
    world = World(rates=Rates(reads=Rate("reads", 3)))
    headers = {"x-api-key": KEY}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": ["drives_list"]}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "nothing"}},
    ]
    answers = [await world.client.post("/api/v1/mcp", json=message, headers=headers) for message in messages]
    assert [answer.status_code for answer in answers] == [200, 202, 200, 429]
    assert answers[3].json()["code"] == "TOO_MANY_REQUESTS"
    assert answers[3].headers["retry-after"] == "20"
    assert (await world.send(x_api_key=KEY)).json()["result"]["isError"] is False  # a write has a bucket of its own


async def test_a_request_under_an_idempotency_key_is_run_under_it_where_it_posts():
    world = World()
    world.answer = {"drive": {}}
    sent = Recorder()
    Mcp(sent).send("tools/call", headers={"mcp-name": "drives_create"}, name="drives_create", arguments={"name": "n"})
    for once in ("once", "a" * 256):
        headers = sent.headers | {"x-api-key": KEY, "idempotency-key": once}
        response = await world.client.post("/api/v1/mcp", json=sent.body, headers=headers)
    assert code(response) == "BAD_REQUEST"
    assert [asked[3] for asked in world.asked] == ["once"]
    await world.send(x_api_key=KEY, idempotency_key="again")  # a PATCH has no use for it
    assert world.asked[-1][3] is None


def test_the_protocols_machinery_is_loaded_when_it_is_first_asked_for():
    loaded = "import sys, service.server; sys.exit('mcp' in sys.modules or 'mcp_types' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded], check=False, timeout=PATIENCE).returncode == 0


def test_no_trace_can_leave_since_nothing_that_exports_one_is_installed():
    assert find_spec("opentelemetry.sdk") is None


async def test_a_body_too_many_on_the_way_is_told_how_long_to_wait():
    world = World(bodies=InFlight(2 * SMALL_BODY))
    headers, meanwhile = {"x-api-key": KEY, "content-type": "application/json"}, []
    long = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}' + b" " * SMALL_BODY

    async def slowly():
        yield long
        meanwhile.append(await world.client.post("/api/v1/mcp", content=long, headers=headers))
        yield b" "

    assert (await world.client.post("/api/v1/mcp", content=slowly(), headers=headers)).status_code == 200
    assert (meanwhile[0].status_code, meanwhile[0].json()["code"]) == (429, "TOO_MANY_REQUESTS")
    assert meanwhile[0].headers["retry-after"] == "1"
