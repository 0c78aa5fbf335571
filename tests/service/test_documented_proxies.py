"""The proxies of docs/production.md, run as the page has them but for their ports and certificates."""

import os
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.service.proxies import documented, haproxy, replaced
from tests.service.spellings import SPELLED, sent
from tests.support.processes.debian import installed
from tests.support.processes.servers import PATIENCE, ask, eventually, free_port, http, serving, sync_websocket

pytestmark = pytest.mark.slow


def nginx(folder, port, server):
    """Return the command of nginx with the page's configuration, without TLS."""
    site = replaced(
        documented("nginx"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        ("http://127.0.0.1:8000", server.origin),
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    written = folder / "nginx.conf"
    owner = "user root; " if os.geteuid() == 0 else ""  # whose the folder is
    head = f"{owner}daemon off; pid {folder}/pid; error_log stderr warn; events {{}}\n"
    written.write_text(f"{head}http {{ access_log off;\n{places}{site}}}\n")
    return [installed("nginx", "nginx-light"), "-p", str(folder), "-c", str(written)], {}


def caddy(folder, port, server):
    """Return the command of Caddy with the page's configuration, without TLS and its administration."""
    site = replaced(
        documented("caddy"),
        ("drive.example.com {", f"http://127.0.0.1:{port} {{\n    bind 127.0.0.1"),
        ("127.0.0.1:8000", server.origin.removeprefix("http://")),
    )
    written = folder / "Caddyfile"
    written.write_text("{\n    admin off\n    auto_https off\n}\n" + site)
    homes = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return [installed("caddy", "caddy"), "run", "--adapter", "caddyfile", "--config", str(written)], homes


PROXIES = {"nginx": nginx, "caddy": caddy, "haproxy": haproxy}


class Proxied:
    """The server as it is reached through a proxy."""

    def __init__(self, server, origin):
        self.server, self.origin = server, origin

    def __getattr__(self, name):
        return getattr(self.server, name)


@contextmanager
def behind(proxy, *servers):
    """Run the proxy in front of the server, or of several where it has them."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="codrive-tests-") as made:
        command, variables = PROXIES[proxy](Path(made), port, *servers)
        with Path(made, "log").open("w") as log:
            process = subprocess.Popen(command, env=variables or None, stdout=log, stderr=log)
            origin = f"http://127.0.0.1:{port}"

            def answers():
                assert process.poll() is None, Path(made, "log").read_text()
                try:
                    with http(origin) as client:
                        return client.get("/healthz").status_code == 200 or None
                except httpx.TransportError:
                    return None

            try:
                eventually(answers)
                yield origin
            finally:
                process.terminate()
                process.wait()


@pytest.fixture(scope="module")
def trusting(open_folder):
    with serving(open_folder / "proxied", "--trusted-proxies", "127.0.0.1") as running:
        yield running


@pytest.fixture(scope="module", params=PROXIES)
def proxied(trusting, request):
    with behind(request.param, trusting) as origin:
        yield Proxied(trusting, origin)


@pytest.mark.parametrize("spelled", [*SPELLED, "as it is"])
def test_the_metrics_are_not_there_for_the_world(proxied, spelled):
    path = SPELLED.get(spelled, str)("/metrics")
    for headers in ((), ("x-forwarded-for: 127.0.0.1",), ("forwarded: for=127.0.0.1",)):
        assert sent(proxied, path, *headers)[0] in (400, 404)


@pytest.mark.parametrize(
    "path", ["/healthz/", "//sign-in", "/graphql/", "//oauth/token", "/%6detrics", "/x/../metrics"]
)
def test_no_other_spelling_reaches_anything(proxied, path):
    assert sent(proxied, path, method="POST")[0] in (400, 404)


def test_what_is_encoded_passes_unchanged(proxied):
    with http(proxied.origin, headers=proxied.headers()) as client:
        drive = client.get("/api/v1/drives").json()["drives"][0]["id"]
        body = {"name": "Behind a proxy", "driveItemType": "docs_workbook"}
        item = client.post(f"/api/v1/drives/{drive}/items", json=body).json()["item"]["id"]
        share = {"email": "a/b+c@example.com", "permission": "read_only"}
        client.post(f"/api/v1/drive-items/{item}/access", json=share).raise_for_status()
        for written, status in (("a%252Fb+c%40example.com", 404), ("a%2Fb+c%40example.com", 200)):
            answer = client.delete(f"/api/v1/drive-items/{item}/access/{written}")
            assert answer.status_code == status, written


def test_sockets_and_large_bodies_pass(proxied):
    with http(proxied.origin, headers=proxied.headers()) as client:
        assert ask(client, "{ viewer { name } }")["viewer"]["name"] == "Ada Lovelace"
        answer = client.post("/graphql", json={"query": "{ viewer { name } }" + " " * 3_000_000})
        assert (answer.status_code, "extensions" in answer.text) == (413, True), "it is the server's own refusal"
    address = proxied.origin.replace("http", "ws")
    spoken = {"additional_headers": proxied.headers(), "subprotocols": ["graphql-transport-ws"]}
    with sync_websocket(f"{address}/graphql", **spoken) as wire:
        wire.send('{"type": "connection_init"}')
        assert "connection_ack" in wire.recv(timeout=PATIENCE)
    with sync_websocket(f"{address}/collaboration", additional_headers=proxied.headers()) as wire:
        assert wire.ping().wait(PATIENCE)
