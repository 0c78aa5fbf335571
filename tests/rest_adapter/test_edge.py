"""What is the same for every request, whatever it asks for."""

import re

import httpx
import pytest
from litestar import Request, post

from contract.operations import BY_NAME
from domain.errors import NOT_FOUND, Unavailable
from edge.app import Edge, EdgeParts, request_context
from edge.credentials import Authenticator, nobody
from edge.in_flight import SMALL_BODY, InFlight
from edge.litestar_app import router
from edge.rate_limit import Rate, Rates
from edge.responses import Response
from tests.rest_adapter.surface import AGENT_KEY, KEY, Fake, World, envelope, exact
from tests.support.processes.servers import async_http

GET = BY_NAME["driveItems.get"]
READ = BY_NAME["documents.read"]
CREATE = BY_NAME["drives.create"]
REMOVE_SHARE = BY_NAME["driveItems.removeShare"]


# Paths


@pytest.mark.parametrize(
    "path",
    ["", "/", "//", "/drives/", "//drives", "/drives//d", "/nothing", "/drive-items/i/", "/drive-items//move",
     "/drive-items/i/access/", "/Drives", "/drive-items/" + "i" * 3000, "/drives/d/members/u/more", "/mcp", "/%2Fdrives",
     "/drives%2F", "/drives;a=b", "/%64rives", "/drive%2Ditems/i", "/drives%2Fd", "/drives/.",
     "/drive-items/..", "/drive-items/./i", "/drive-items/../drives", "/x/../drives"],
)  # fmt: skip
async def test_a_path_that_is_none_of_the_contract_is_404_with_a_key_and_401_without(path):
    world = World()
    assert envelope(await exact(world, "GET", path)) == (404, "NOT_FOUND")
    assert envelope(await exact(world, "GET", path, key=None)) == (401, "UNAUTHORIZED")
    assert envelope(await exact(world, "OPTIONS", path, key=None)) == (404, "NOT_FOUND")


async def test_a_path_that_is_not_there_and_an_item_that_is_not_have_the_same_body():
    world = World()
    missing = await world.ask("GET", "/nothing")
    world.fake.rejection = NOT_FOUND
    assert missing.content == (await world.call(GET)).content


@pytest.mark.parametrize(
    ("spelled", "email"),
    [
        ("ada@example.com", "ada@example.com"),
        ("ada%40example.com", "ada@example.com"),
        ("a+b@example.com", "a+b@example.com"),
        ("a%2Bb@example.com", "a+b@example.com"),
        ("a%2Fb@example.com", "a/b@example.com"),
        ("a%2fb@example.com", "a/b@example.com"),
        ("a%252Fb@example.com", "a%2fb@example.com"),
        ("a%25b@example.com", "a%b@example.com"),
        ("a%25252Fb@example.com", "a%252fb@example.com"),
        ("Ada@EXAMPLE.com", "ada@example.com"),
        ("a%20b@example.com", None),
        ("ada@b%C3%BCcher.example", "ada@xn--bcher-kva.example"),
        ("ada", None),
        ("a%00b@example.com", None),
    ],
)
async def test_an_address_in_the_path_is_decoded_exactly_once(spelled, email):
    world = World()
    response = await exact(world, "DELETE", f"/drive-items/i/access/{spelled}")
    if email is None:
        assert envelope(response) == (400, "BAD_REQUEST")
        assert "`email`" in response.json()["message"]
    else:
        assert response.status_code == 200
        assert world.fake.asked[0][2]["email"] == email


@pytest.mark.parametrize(
    "spelled", ["i", "I", "%69", "a%2Fb", "..%2F..", "%2E%2E", "caf%C3%A9", "+", "%2B", "{itemId:str}", "*"]
)
async def test_an_id_in_any_spelling_reaches_whoever_knows_ids(spelled):
    world = World()
    assert (await exact(world, "GET", f"/drive-items/{spelled}")).status_code == 200
    expected = {"%69": "i", "a%2Fb": "a/b", "..%2F..": "../..", "%2E%2E": "..", "caf%C3%A9": "caf\u00e9", "%2B": "+"}
    assert world.fake.asked[0][2] == {"itemId": expected.get(spelled, spelled)}


async def test_shared_with_me_is_a_path_of_its_own():
    world = World()
    assert (await world.ask("GET", "/drive-items/shared-with-me")).status_code == 200
    assert world.fake.asked[0][0] == "driveItems.sharedWithMe"
    assert envelope(await world.ask("PATCH", "/drive-items/shared-with-me")) == (405, "METHOD_NOT_SUPPORTED")


# Credentials


class Shutting(Fake):
    """Knows the key until it is shut out, or until nobody can be asked."""

    shut_out = away = False

    async def authenticate(self, secret):
        if self.away:
            raise Unavailable
        return None if self.shut_out else await super().authenticate(secret)


@pytest.mark.parametrize(
    ("happens", "expected"), [("shut_out", (401, "UNAUTHORIZED")), ("away", (503, "SERVICE_UNAVAILABLE")), (None, None)]
)
@pytest.mark.parametrize("row", [CREATE, BY_NAME["driveItems.uploadImage"]], ids=lambda row: row.name)
async def test_a_key_that_ends_while_its_body_is_on_the_way_opens_nothing(row, happens, expected):
    world = World(fake=Shutting())
    world.with_parts(late=0.0)

    async def slowly():
        yield b'{"name": '
        if happens:
            setattr(world.fake, happens, True)
        yield b'"Plans"}'

    answer = await world.call(row, content=slowly(), headers={"content-type": "application/json"})
    if expected is None:
        assert answer.status_code == (200 if row is CREATE else 415)
    elif row is CREATE:
        assert envelope(answer) == expected
        assert world.seen[-1].user_id is None
    assert (world.fake.asked != []) == (expected is None and row is CREATE)


async def test_whoever_sends_at_once_is_looked_up_once():
    world = World(fake=Shutting())
    asked = []
    known = world.fake.authenticate

    async def counted(secret):
        asked.append(secret)
        return await known(secret)

    world.with_parts(authenticator=Authenticator(counted))
    assert (await world.call(CREATE)).status_code == 200
    assert len(asked) == 1
    world.with_parts(late=0.0)
    assert (await world.call(CREATE)).status_code == 200
    assert len(asked) == 3


async def test_what_of_a_users_bodies_has_arrived_unfinished_is_bounded():
    world = World()
    world.with_parts(bodies=InFlight(2 * SMALL_BODY))
    is_json, meanwhile = {"content-type": "application/json"}, []

    def long(size):
        return b'{"name": "Plans"}' + b" " * size

    async def slowly():
        yield long(SMALL_BODY)
        meanwhile.append(await world.call(CREATE, content=long(SMALL_BODY), headers=is_json))
        meanwhile.append(await world.call(CREATE, json={"name": "small"}))
        yield b" "

    assert (await world.call(CREATE, content=slowly(), headers=is_json)).status_code == 200
    refused, small = meanwhile
    assert envelope(refused) == (429, "TOO_MANY_REQUESTS")
    assert refused.headers["retry-after"] == "1"
    assert small.status_code == 200
    alone = await world.call(CREATE, content=long(3 * SMALL_BODY), headers=is_json)
    assert alone.status_code == 200, "all was given back, and one alone may be larger"


async def test_an_application_that_identifies_callers_itself_refuses_a_body_too_many_in_the_envelope():
    bodies = InFlight(SMALL_BODY)

    @post("/form")
    async def form(request: Request) -> int:
        request_context(request.scope).caller = await Fake().authenticate(KEY)
        return len(await request.body())

    transport = httpx.ASGITransport(Edge(router([form]), EdgeParts(Authenticator(nobody), bodies=bodies)))
    async with async_http("http://codrive.test", transport=transport) as client:
        assert bodies.begin("u1", SMALL_BODY)
        refused = await client.post("/form", content=b" " * (SMALL_BODY + 1))
        bodies.end("u1", SMALL_BODY)
        taken = await client.post("/form", content=b" " * (SMALL_BODY + 1))
    assert envelope(refused) == (429, "TOO_MANY_REQUESTS")
    assert refused.headers["retry-after"] == "1"
    assert taken.json() == SMALL_BODY + 1
    assert bodies.begin("u1", SMALL_BODY), "all was given back"


BAD_KEYS = {
    "none": [],
    "empty": [b""],
    "of another form": [b"secret"],
    "with a typing error": [KEY[:-1].encode() + b"!"],
    "unknown": [b"cdr_" + b"0" * 36],
    "not ASCII": [KEY.encode() + b"\xe9"],
    "twice": [KEY.encode(), KEY.encode()],
    "two": [KEY.encode(), AGENT_KEY.encode()],
}


@pytest.mark.parametrize("values", BAD_KEYS.values(), ids=BAD_KEYS.keys())
async def test_every_bad_key_is_the_same_401(values):
    world = World()
    response = await exact(world, "GET", "/drives", key=None, headers=[(b"x-api-key", value) for value in values])
    assert envelope(response) == (401, "UNAUTHORIZED")
    assert response.content == (await world.ask("GET", "/drives", key=None)).content
    assert response.headers["www-authenticate"]


@pytest.mark.parametrize(
    "query",
    [f"x-api-key={KEY}", f"api_key={KEY}", f"key={KEY}", "apiKey=x", f"a=b&c={KEY}", KEY, f"x%2Dapi%2Dkey={KEY}"],
)
async def test_a_key_in_the_query_is_refused_whatever_the_header_says_and_is_in_no_log(query, capsys):
    world = World()
    for key in (None, KEY):
        assert envelope(await exact(world, "GET", f"/drives?{query}", key=key)) == (401, "UNAUTHORIZED")
    assert KEY not in str(world.seen)
    assert KEY not in "".join(capsys.readouterr())


@pytest.mark.parametrize("headers", [{"authorization": f"Bearer {KEY}"}, {"cookie": f"x-api-key={KEY}"}])
async def test_a_key_anywhere_else_opens_nothing(headers):
    assert envelope(await World().ask("GET", "/drives", key=None, headers=headers)) == (401, "UNAUTHORIZED")


async def test_who_tries_many_keys_waits_and_is_still_told_401():
    world = World(Rates(failed_sign_ins=Rate("failed-sign-ins", 3)))
    for _ in range(5):
        assert envelope(await world.ask("GET", "/drives", key="guess")) == (401, "UNAUTHORIZED")
    assert world.paused == [1.0, 1.0]
    assert (await world.ask("GET", "/drives")).status_code == 200


async def test_who_goes_on_asking_in_spite_of_refusals_waits_for_each_further_one():
    world = World(Rates(reads=Rate("reads", 4), refusals=Rate("refusals", 3)))
    answers = [await world.ask("GET", "/drives") for _ in range(8)]
    assert [each.status_code for each in answers] == [200] * 3 + [429] * 5
    assert world.paused == [1.0, 1.0]
    world.time.seconds += 60
    assert (await world.ask("GET", "/drives")).status_code == 200
    assert world.paused == [1.0, 1.0]


async def test_the_store_of_keys_out_of_reach_is_503():
    world = World()

    async def unavailable(_secret):
        raise Unavailable

    world.with_parts(authenticator=Authenticator(unavailable))
    assert envelope(await world.ask("GET", "/drives")) == (503, "SERVICE_UNAVAILABLE")


# Headers of every answer


async def test_every_answer_has_a_request_id_and_a_sane_one_is_kept():
    world = World()
    for method, path, key in (
        ("GET", "/drives", KEY),
        ("GET", "/x", KEY),
        ("GET", "/drives", None),
        ("PUT", "/drives", KEY),
    ):
        response = await world.ask(method, path, key=key)
        assert re.fullmatch("[0-9a-f]{32}", response.headers["x-request-id"])
        assert response.headers["x-content-type-options"] == "nosniff"
        kept = await world.ask(method, path, key=key, headers={"x-request-id": "trace-7.a_b:c"})
        assert kept.headers["x-request-id"] == "trace-7.a_b:c"
    for odd in (b"", b"a b", b"a" * 65, b"\xe9", b"<script>"):
        response = await world.ask("GET", "/drives", headers={"x-request-id": odd})
        assert response.headers["x-request-id"].encode("latin-1") != odd


async def test_what_is_left_of_the_rate_is_on_every_answer_and_only_what_runs_costs():
    world = World(Rates(reads=Rate("reads", 13), writes=Rate("writes", 6)))
    said = [
        (await world.ask(method, path)).headers["ratelimit"]
        for method, path in (("GET", "/drives"), ("GET", "/drives"), ("GET", "/nothing"), ("PUT", "/drives"))
    ]
    assert said == ['"reads";r=9;t=6', '"reads";r=8;t=12', '"reads";r=8;t=12', '"writes";r=5;t=0']
    anonymous = await world.ask("GET", "/drives", key=None)
    assert anonymous.headers["ratelimit-policy"] == '"failed-sign-ins";q=20;w=60'


async def test_too_many_requests_are_429_with_the_seconds_to_wait_and_after_them_it_goes_on():
    world = World(Rates(writes=Rate("writes", 2)))
    assert [(await world.call(CREATE)).status_code for _ in range(2)] == [200, 200]
    refused = await world.call(CREATE)
    assert envelope(refused) == (429, "TOO_MANY_REQUESTS")
    assert refused.headers["retry-after"] == "30"
    assert (await world.call(GET)).status_code == 200
    world.time.seconds += 30
    assert (await world.call(CREATE)).status_code == 200
    assert envelope(await world.call(CREATE, json={})) == (400, "BAD_REQUEST")


async def test_without_limits_nothing_is_limited_and_nothing_said_of_it():
    world = World(rates=None)
    responses = [await world.call(CREATE) for _ in range(700)]
    assert {response.status_code for response in responses} == {200}
    assert "ratelimit" not in responses[0].headers


async def test_what_was_seen_names_the_operation_and_the_user_and_holds_no_secret():
    world = World()
    await world.call(GET)
    await world.ask("GET", "/drives", key=None)
    seen = world.seen
    assert [(each.operation, each.user_id, each.status) for each in seen] == [
        ("driveItems.get", "u1", 200),
        (None, None, 401),
    ]
    assert KEY not in str(seen)


# Answers that are known already


async def test_a_document_that_did_not_change_is_304():
    world = World()
    first = await world.call(READ)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["vary"] == "x-api-key, accept-encoding"
    for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = await world.call(READ, headers={"if-none-match": known})
        assert again.status_code == 304
        assert again.content == b""
        assert again.headers["etag"] == tag
        assert "content-type" not in again.headers
    assert (await world.call(READ, headers={"if-none-match": '"other"'})).status_code == 200


async def test_the_tag_covers_the_whole_answer():
    world = World()
    tags = set()
    for body in ({"markdown": "a"}, {"markdown": "b"}, {"markdown": "a", "item": {"permission": "read_only"}}):
        world.fake.answers["documents.read"] = body
        tags.add((await world.call(READ)).headers["etag"])
    assert len(tags) == 3


@pytest.mark.parametrize(
    ("status", "says", "expected"),
    [
        (200, {}, {"cache-control": "no-store"}),
        (200, {"cache-control": "public, max-age=60"}, {"cache-control": "public, max-age=60"}),
        (429, {}, {"cache-control": "no-store", "retry-after": "1"}),
        (429, {"retry-after": "7"}, {"cache-control": "no-store", "retry-after": "7"}),
    ],
)
async def test_what_an_answer_does_not_say_of_caching_and_waiting_is_said_for_it(status, says, expected):
    app = Response(status, tuple((name.encode(), value.encode()) for name, value in says.items()))
    async with async_http(
        "http://codrive.test", transport=httpx.ASGITransport(Edge(app, EdgeParts(Authenticator(nobody))))
    ) as client:
        headers = (await client.get("/healthz")).headers
    assert {name: headers[name] for name in ("cache-control", "retry-after") if name in headers} == expected


async def test_nothing_else_is_stored_anywhere():
    world = World()
    for row in (GET, CREATE, REMOVE_SHARE):
        assert (await world.call(row)).headers["cache-control"] == "no-store"


# Queries and bodies where there are none


async def test_the_cursor_is_one_string_and_other_parts_of_a_query_are_refused():
    world = World()
    for query, inputs in (("", {}), ("?cursor=a%2Db", {"cursor": "a-b"}), ("?", {})):
        assert (await exact(world, "GET", f"/drives{query}")).status_code == 200
        assert world.fake.asked[-1][2] == inputs
    for query in (
        "cursor=",
        "cursor=a%2Fb",
        "cursor=a&cursor=b",
        "cursor=%ff",
        "cursor=%zz",
        "cursor=%00",
        "x=1",
        "cursor=a&x",
        "&".join(f"a{i}" for i in range(200)),
    ):
        assert envelope(await exact(world, "GET", f"/drives?{query}")) == (400, "BAD_REQUEST")


async def test_a_body_where_none_belongs_is_ignored():
    world = World()
    for method, row in (("GET", GET), ("DELETE", REMOVE_SHARE)):
        response = await world.call(row, content=b"{" * 100, headers={"content-type": "text/plain"})
        assert response.status_code == 200, method


async def test_an_input_of_the_path_does_not_come_in_the_body_too():
    world = World()
    response = await world.call(BY_NAME["driveItems.rename"], json={"name": "a", "itemId": "i"})
    assert envelope(response) == (400, "BAD_REQUEST")


async def test_a_host_that_is_none_is_400():
    world = World()
    response = await world.ask("GET", "/drives", headers={"host": "a b"})
    assert envelope(response) == (400, "BAD_REQUEST")


async def test_a_client_that_leaves_in_the_middle_of_its_body_is_no_fault(capsys):
    world = World()
    sent = []
    parts = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive():
        return next(parts)

    async def send(message):
        sent.append(message)

    headers = [(b"x-api-key", KEY.encode()), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/drives", "raw_path": b"/api/v1/drives"}
    scope |= {"query_string": b"", "headers": headers, "client": None, "root_path": ""}
    await world.app(scope, receive, send)
    assert sent == []
    assert "failed" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("extensions", "told"),
    [({}, "websocket.close"), ({"websocket.http.response": {}}, "websocket.http.response.start")],
)
async def test_no_websocket_lives_here(extensions, told):
    sent = []

    async def send(message):
        sent.append(message)

    await World().app({"type": "websocket", "path": "/api/v1/drives", "extensions": extensions}, None, send)
    assert sent[0]["type"] == told
