"""What callers are told while the database is away, and that the server needs nobody when it is back."""

import os
import signal
from contextlib import contextmanager

import pytest

from tests.support.database.clusters import start_cluster, stop_cluster
from tests.support.processes.servers import ask, eventually, http, serving


@pytest.fixture(scope="module")
def cluster():
    """A Postgres of the operator's own, which nobody but the test brings back."""
    own = start_cluster()
    yield own
    stop_cluster(own)


@pytest.fixture(scope="module")
def server(home, cluster):
    with serving(home / "away", DATABASE_URL=cluster.url) as running:
        yield running


@contextmanager
def away(cluster):
    """Without the database, however many times it is asked for."""
    os.kill(cluster.pid, signal.SIGKILL)
    eventually(lambda: cluster.exited() or None)
    try:
        yield
    finally:
        cluster.restart()


def requests(client):
    drive = client.get("/api/v1/drives").json()["drives"][0]
    item = drive["items"][0]["id"]
    return [
        ("GET", "/api/v1/drives", None),
        ("GET", f"/api/v1/drive-items/{item}", None),
        ("PATCH", f"/api/v1/drive-items/{item}", {"name": "away"}),
        ("POST", f"/api/v1/drives/{drive['id']}/items", {"name": "away", "driveItemType": "folder"}),
        ("POST", "/graphql", {"query": "{ viewer { name } }"}),
    ]


def test_while_the_database_is_away_every_answer_is_503_and_says_when_to_come_back(server, cluster):
    with server.client() as client, http(server.origin) as anybody:
        asked = requests(client)
        with away(cluster):
            for method, path, body in asked:
                answer = client.request(method, path, json=body)
                assert answer.status_code == 503, (path, answer.text)
                assert answer.json().keys() == {"code", "message"}
                assert answer.json()["code"] == "SERVICE_UNAVAILABLE"
                assert int(answer.headers["retry-after"]) > 0
                assert answer.headers["x-request-id"]
            assert anybody.get("/healthz").status_code == 200
            assert anybody.get("/readyz").status_code == 503
            assert anybody.get("/metrics").status_code == 200
            assert anybody.get("/api/v1/drives").status_code == 401
        eventually(lambda: anybody.get("/readyz").status_code == 200 or None)
        assert all(client.request(method, path, json=body).status_code == 200 for method, path, body in asked)
        assert ask(client, "{ viewer { name } }") == {"viewer": {"name": "Ada Lovelace"}}
        names = [each["name"] for drive in client.get("/api/v1/drives").json()["drives"] for each in drive["items"]]
        assert names.count("away") == 2, "one renamed, one made, both of them after the database was back"


def test_nothing_is_logged_as_a_fault_of_ours_while_the_database_is_away(server):
    assert "request failed" not in server.errors
    assert "Traceback" not in server.errors
