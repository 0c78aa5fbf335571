"""Behind a proxy that is trusted everybody has an address of their own; nobody else has any say in whose theirs is."""

from itertools import count

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from edge.proxies import proxies
from edge.proxy_headers import ProxyHeaders
from tests.support.processes.rates import told_so, until_refused
from tests.support.processes.servers import PATIENCE, http, launch

PROXY, STRANGER = "127.0.0.2", "127.0.0.1"
ONE, OTHER = "198.51.100.1", "203.0.113.7"


async def seen(trusted, peer, *headers, kind="http", scheme="http"):
    """What the application is told of a request: the client's address, and the scheme."""
    found = []

    async def look(scope, _receive, _send):
        found.append((scope["client"][0], scope["scheme"]))

    app = ProxyHeaders(look, proxies(trusted))
    told = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    await app({"type": kind, "client": (peer, 1), "scheme": scheme, "headers": told}, None, None)
    return found[0]


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "client"),
    [
        ("10.0.0.1", "10.0.0.1", ONE, ONE),
        ("10.0.0.1", "10.0.0.2", ONE, "10.0.0.2"),
        ("10.0.0.1", "10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.1", f"{OTHER}, {ONE}", ONE),  # the other is what the one has said
        ("10.0.0.0/8", "10.0.0.1", f"{OTHER}, {ONE}, 10.0.0.9", ONE),
        ("10.0.0.1,192.0.2.0/24", "10.0.0.1", f"{OTHER},{ONE},192.0.2.4", ONE),
        ("10.0.0.0/8", "10.0.0.1", "10.0.0.7, 10.0.0.9", "10.0.0.7"),  # all are ours
        ("10.0.0.1", "10.0.0.1", f"{ONE}, unknown", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.1", f"{ONE}:4711", ONE),
        ("::1", "::1", "[2001:db8::5]:4711", "2001:db8::5"),
        ("fd00::/8", "fd00::9", "2001:db8::5", "2001:db8::5"),
        ("10.0.0.1", "::ffff:10.0.0.1", f"::ffff:{ONE}", ONE),  # as one sees it that listens on both
        ("*", "10.0.0.1", f"{OTHER}, {ONE}", ONE),
        ("*", "10.0.0.1", "", "10.0.0.1"),
        ("*", "10.0.0.1", "junk", "10.0.0.1"),
    ],
)
async def test_the_client_is_the_nearest_address_that_nobody_trusted_has(trusted, peer, forwarded, client):
    assert (await seen(trusted, peer, ("x-forwarded-for", forwarded)))[0] == client


@pytest.mark.parametrize("trusted", ["10.0.0.1", "10.0.0.0/8", "*"])
@given(written=st.text(st.characters(max_codepoint=255), max_size=60))
@example(f"{OTHER}, ")
@example("10.0.0.1")
async def test_whatever_a_stranger_writes_their_address_is_what_the_proxy_saw(trusted, written):
    for headers in ([f"{written},{ONE}"], [written, ONE]):
        assert (await seen(trusted, "10.0.0.1", *(("x-forwarded-for", each) for each in headers)))[0] == ONE


@given(written=st.text(st.characters(max_codepoint=255), max_size=60) | st.just("10.0.0.1"))
async def test_a_stranger_who_comes_directly_changes_nothing(written):
    headers = [("x-forwarded-for", written), ("x-forwarded-proto", "https")]
    assert await seen("10.0.0.1", "10.0.0.2", *headers) == ("10.0.0.2", "http")


@pytest.mark.parametrize(
    ("kind", "scheme", "said", "told"),
    [
        ("http", "http", "https", "https"),
        ("http", "http", "http, HTTPS", "https"),
        ("http", "http", "wss", "http"),
        ("http", "http", "javascript", "http"),
        ("websocket", "ws", "https", "wss"),
        ("websocket", "ws", "wss", "wss"),
        ("websocket", "ws", "", "ws"),
    ],
)
async def test_the_scheme_is_the_one_that_the_proxy_was_asked_by(kind, scheme, said, told):
    assert (await seen("*", PROXY, ("x-forwarded-proto", said), kind=kind, scheme=scheme))[1] == told


@pytest.fixture(scope="module")
def behind(demo_world, open_folder):
    flags = ("--trusted-proxies", PROXY, "--bad-sign-ins-per-minute", "1", "--published-reads-per-minute", "1")
    with demo_world.serving(open_folder / "behind", *flags, begin=launch) as running:
        yield running


@pytest.fixture
def ask(behind):
    """`ask(source, forwarded)` fails to sign in from that address, saying so of others."""

    def sign_in(source, forwarded):
        with http(behind.origin, transport=httpx.HTTPTransport(local_address=source)) as client:
            form, said = {"email": "eve@acme.example", "password": "wrong"}, {"x-forwarded-for": forwarded}
            return client.post("/sign-in", data=form, headers={"origin": behind.origin, **said})

    return sign_in


@pytest.mark.slow
def test_tries_count_for_whom_a_trusted_proxy_names_and_for_a_stranger_alone(ask):
    assert ask(PROXY, ONE).status_code == 400
    until_refused(lambda: ask(PROXY, f"{OTHER}, {ONE}"), 1, told_so)
    assert ask(PROXY, OTHER).status_code == 400
    until_refused(lambda: ask(PROXY, OTHER), 1, told_so)
    assert ask(STRANGER, "192.0.2.1").status_code == 400
    others = (f"192.0.2.{number}" for number in count(2))
    until_refused(lambda: ask(STRANGER, next(others)), 1, told_so)  # a stranger has one address
    assert ask(PROXY, "192.0.2.1").status_code == 400, "nobody uses up what is another's"


@pytest.mark.slow
def test_published_pages_are_read_so_often_by_each_address(behind):
    with http(behind.origin, transport=httpx.HTTPTransport(local_address=PROXY)) as client:

        def read(address):
            return client.get("/p/nothing", headers={"x-forwarded-for": address})

        assert read(ONE).status_code == 404
        *_, refused = until_refused(lambda: read(ONE), 1, told_so)
        assert read(OTHER).status_code == 404
    assert 0 < int(refused.headers["retry-after"]) <= 60
    told = httpx.get(f"{behind.origin}/metrics", timeout=PATIENCE).text
    assert 'codrive_answers_total{operation="published",status="429"} 1.0' in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "forwarded", "address"), [(PROXY, "192.0.2.9", "192.0.2.9"), ("127.0.0.3", OTHER, "127.0.0.3")]
)
def test_a_wrong_key_is_logged_with_the_address_that_counts(behind, source, forwarded, address):
    marked = f"wrong-key-{source}"
    headers = {"x-api-key": "cdk_wrong", "x-forwarded-for": forwarded, "x-request-id": marked}
    with http(behind.origin, transport=httpx.HTTPTransport(local_address=source)) as client:
        assert client.get("/api/v1/drives", headers=headers).status_code == 401
    line = behind.eventually(lambda: refused(behind, marked))
    assert f'"{address}"' in line


@pytest.mark.slow
def test_where_nothing_is_set_nobody_is_believed(server):
    marked = "wrong-key-and-nothing-set"
    headers = {"x-api-key": "cdk_wrong", "x-forwarded-for": ONE, "x-request-id": marked}
    assert httpx.get(f"{server.origin}/api/v1/drives", headers=headers, timeout=PATIENCE).status_code == 401
    line = server.eventually(lambda: refused(server, marked))
    assert ONE not in line
    assert '"127.0.0.1"' in line


def refused(server, request_id):
    return next((line for line in server.errors.splitlines() if request_id in line and "key refused" in line), None)
