"""Who sees the metrics: programs of this machine that come directly, and whoever has the token."""

import pytest

from service.metrics import comes_directly
from tests.support.processes.servers import http, launch, serving

TOKEN = "a-token-of-the-operator"
FORWARDING = [
    ("forwarded", "for=198.51.100.1"),
    ("x-forwarded-for", "127.0.0.1"),
    ("x-forwarded-for", ""),
    ("x-forwarded-proto", "https"),
    ("x-forwarded-host", "drive.example.com"),
    ("via", "1.1 proxy"),
]


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
def test_this_machine_comes_directly(peer):
    assert comes_directly(peer, [(b"host", b"drive.example.com"), (b"x-request-id", b"1")])


@pytest.mark.parametrize("peer", ["10.0.0.1", "198.51.100.1", "2001:db8::5", "::ffff:10.0.0.1", "", "localhost"])
def test_another_machine_does_not(peer):
    assert not comes_directly(peer, [])


@pytest.mark.parametrize(("name", "value"), FORWARDING)
def test_nor_does_what_a_proxy_passes_on(name, value):
    assert not comes_directly("127.0.0.1", [(name.encode(), value.encode())])


@pytest.fixture(scope="module", params=[(), ("--trusted-proxies", "*")], ids=["no proxy", "any proxy"])
def guarded(open_folder, request):
    flags = ("--metrics-token", TOKEN, *request.param)
    with serving(open_folder / f"guarded-{len(request.param)}", *flags, begin=launch) as running:
        yield running


def asked(server, path="/metrics", **headers):
    said = {name.replace("_", "-"): value for name, value in headers.items()}
    with http(server.origin) as client:
        return client.get(path, headers=said)


@pytest.mark.slow
def test_the_metrics_are_for_programs_of_this_machine(server):
    told = asked(server)
    assert told.status_code == 200
    assert "codrive_answers_total" in told.text


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), FORWARDING)
def test_without_a_token_they_are_not_there_for_anybody_else(server, name, value):
    told, nowhere = asked(server, **{name: value}), asked(server, "/nothing", **{name: value})
    assert (told.status_code, told.content) == (404, nowhere.content)
    assert asked(server, **{name: value}, authorization=f"Bearer {TOKEN}").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), FORWARDING)
def test_the_token_opens_them_to_others(guarded, name, value):
    assert asked(guarded, **{name: value}, authorization=f"Bearer {TOKEN}").status_code == 200
    for wrong in (TOKEN + "x", TOKEN[:-1], "", "\u00e9"):
        told = asked(guarded, **{name: value}, authorization=f"Bearer {wrong}".strip().encode())
        assert (told.status_code, told.json()["code"]) == (401, "UNAUTHORIZED")
    assert asked(guarded, **{name: value}, x_api_key=TOKEN).status_code == 401
    assert asked(guarded, **{name: value}).headers["www-authenticate"] == "Bearer"
    assert asked(guarded).status_code == 200, "this machine needs none"
    assert TOKEN not in guarded.errors + guarded.text
