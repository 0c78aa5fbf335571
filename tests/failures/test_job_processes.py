"""A running server and the processes of its jobs: what ends one of them costs nothing else, and none outlives the server."""

import base64
import os
import signal
from pathlib import Path

import psycopg
import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from live import codec
from persistence.postgres.embedded import url_of_running
from tests.support.live import raw
from tests.support.processes.rates import told_so, until_refused
from tests.support.processes.servers import eventually, launch, serving

LARGE_TREE = parse("word " * 40_000)
LARGE_TEXT = from_tree(LARGE_TREE, 1)
LARGE = base64.b64encode(from_tree(parse("word " * 2000), 1)).decode()
IMPORT = "mutation($id: ID!, $update: String!) { importYjsUpdate(documentId: $id, update: $update) { id } }"


def zygote(served):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            if parent == served.process.pid and b"computing.zygote" in (path.parent / "cmdline").read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def created(client):
    drive = client.get("/api/v1/drives").json()["drives"][0]["id"]
    body = {"name": "Large", "driveItemType": "docs_workbook"}
    return client.post(f"/api/v1/drives/{drive}/items", json=body).raise_for_status().json()["item"]["id"]


def imported(client):
    """Import a document that is too large to be checked in the server; return its Markdown's length."""
    document = created(client)
    answer = client.post("/graphql", json={"query": IMPORT, "variables": {"id": document, "update": LARGE}}).json()
    assert answer.get("errors") is None, answer
    return len(client.get(f"/api/v1/documents/{document}").json()["markdown"])


def locks_of(pid):
    return [each.readlink().name for each in Path(f"/proc/{pid}/fd").iterdir() if each.readlink().suffix == ".lock"]


def test_a_zygote_that_is_killed_is_started_again(home):
    with serving(home / "jobs") as served, served.client() as client:
        (first,) = eventually(lambda: zygote(served))
        assert locks_of(first) == []
        assert imported(client) == len("word " * 2000)
        os.kill(first, signal.SIGKILL)
        assert imported(client) == len("word " * 2000)
        (second,) = zygote(served)
        assert second != first
        with psycopg.connect(url_of_running(served.data / "postgres")) as connection:
            assert connection.execute("select count(*) from document_quarantine").fetchone() == (0,)


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_ends_leaves_no_zygote(home, order):
    with serving(home / "jobs") as served:
        (pid,) = eventually(lambda: zygote(served))
        served.end(order)
        eventually(lambda: not Path(f"/proc/{pid}").exists())


async def test_who_has_too_much_computed_is_told_when_to_come_back_and_nobody_else_is(home):
    data = home / "paying"
    flags = ("--demo", "--credentials", data / "credentials.json", "--cpu-seconds-per-minute", 1)
    with serving(data, *flags, begin=launch) as served, served.client("ada") as ada, served.client("ben") as ben:
        refused = until_refused(lambda: imported_large(ada), 200, told_so)[-1]
        seconds = int(refused.headers["retry-after"])
        assert refused.json()["code"] == "TOO_MANY_REQUESTS"
        assert f"wait {seconds} second" in refused.json()["message"]
        assert 1 <= seconds <= 240
        document = imported_large(ben).request.url.path.rpartition("/")[2]
        assert ben.get(f"/api/v1/documents/{document}").status_code == 200
        assert 'codrive_jobs_refused_total{reason="budget"}' in ben.get("/metrics").text
        own = created(ada)
        async with raw.connected(served.origin, f"/collaboration/{own}", x_api_key=served.key("ada")) as (_, socket):
            last, client_id = None, 0
            while socket.reason is None:  # the first updates may be paid from what the budget was filled with meanwhile
                socket.send(codec.step1(b"\0"))
                *_, last = await socket.until(lambda message: message[:2] == b"\0\1")
                client_id += 1
                assert client_id < 50, "nothing is refused"
                socket.send(codec.update(from_tree(LARGE_TREE, client_id)))
            assert (last, socket.reason) == (4429, "TOO_MANY_REQUESTS")


def imported_large(client):
    """Import a large document; return the answer of who reads it then."""
    document = created(client)
    values = {"id": document, "update": base64.b64encode(LARGE_TEXT).decode()}
    client.post("/graphql", json={"query": IMPORT, "variables": values})
    return client.get(f"/api/v1/documents/{document}")
