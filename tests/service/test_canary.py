"""A key that is put where no key belongs, and where one does: it is in no log, whatever the server makes of it."""

import socket

import httpx
import pytest

from domain.key import compose, digest
from tests.support.processes.servers import PATIENCE, http, operator

CANARY = compose((1 << 180) - 12345)
PASSWORD = "correct-horse-battery"


def raw(origin, *sent):
    """Send bytes that no client library would, and read what comes until the server hangs up."""
    url = httpx.URL(origin)
    with socket.create_connection((url.host, url.port), timeout=PATIENCE) as connection:
        connection.sendall(b"".join(sent))
        return b"".join(iter(lambda: connection.recv(65_536), b""))


def everywhere(origin, secret):
    """Requests that carry the secret in every place a request has."""
    with http(origin) as client:
        named = {"x-api-key": secret}
        yield client.get("/api/v1/drives", headers=named)
        yield client.get("/api/v1/drives", headers={"authorization": f"Bearer {secret}"})
        yield client.get("/api/v1/drives", headers={"cookie": f"session={secret}", "referer": f"http://x/?k={secret}"})
        yield client.get("/api/v1/drives", headers={**named, "x-service-agent": secret})
        yield client.get("/api/v1/drives", headers={**named, "x-request-id": secret})
        yield client.get("/healthz", headers={"x-request-id": secret})
        for path in ("/api/v1/drives", "/graphql", "/healthz", "/nothing", "/images/x"):
            yield client.get(path, params={"api_key": secret})
            yield client.get(path, params={"q": f"a{secret}b"}, headers=named)
        for path in (f"/api/v1/drive-items/{secret}", f"/{secret}", f"/images/{secret}", f"/api/v1/documents/{secret}"):
            yield client.get(path, headers=named)
        body = {"name": secret, secret: secret}
        yield client.post("/api/v1/drives", json=body, headers={**named, "idempotency-key": secret})
        yield client.post("/api/v1/drives", json={"name": 7, "secret": secret}, headers=named)
        yield client.post("/api/v1/drives", content=f'{{"name": "{secret}', headers=named)
        for query in (f'{{ driveItem(id: "{secret}") {{ id }} }}', f"{{ {secret} }}", f'{{ "{secret}', secret):
            yield client.post("/graphql", json={"query": query, "variables": {"key": secret}}, headers=named)
        yield client.post("/graphql", content=secret, headers=named)
        yield client.post(
            f"/api/v1/drive-items/{secret}/images", files={"file": (secret, secret.encode(), secret)}, headers=named
        )


@pytest.mark.parametrize("whose", ["ada's", "nobody's"])
def test_no_log_ever_holds_a_key(server, whose):
    secret = server.key() if whose == "ada's" else CANARY
    for answer in everywhere(server.origin, secret):
        assert answer.status_code != 500
    for sent in (
        f"GET /{secret} HTTP/1.1\r\nhost: a\r\nx-api-key : {secret}\r\n\r\n",
        f"{secret}\r\n\r\n",
        f"GET /api/v1/drives?k={secret} HTTP/1.1\r\nhost: {secret}\r\nx-api-key: {secret}\r\ncontent-length: x\r\n\r\n",
    ):
        assert b" 400 " in raw(server.origin, sent.encode())
    marked = httpx.get(f"{server.origin}/healthz", headers={"x-request-id": f"after-{whose[:3]}"}, timeout=PATIENCE)
    server.eventually(lambda: marked.headers["x-request-id"] in server.errors or None)
    logs = server.errors + (server.data / "postgres" / "postgres.log").read_text()
    assert secret not in logs
    assert secret[5:-8] not in logs, "not even most of it"


def test_only_what_a_key_is_known_by_is_in_a_backup(server, folder):
    done = operator("--data", server.data, "backup", folder / "saved")
    assert done.returncode == 0
    assert server.key() not in done.stdout + done.stderr
    assert server.key().encode() not in (folder / "saved").read_bytes()
    assert digest(server.key())
