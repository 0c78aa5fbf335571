"""A running server and the processes of its jobs: what ends one of them costs nothing else, and none outlives the server."""

import base64
import os
import signal
from pathlib import Path

import psycopg
import pytest
from servers import eventually, serving

from documents.build import from_tree
from documents.markdown_in import parse
from persistence.postgres.embedded import url_of_running

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


def imported(client):
    """Import a document that is too large to be checked in the server; return its Markdown's length."""
    drive = client.get("/api/v1/drives").json()["drives"][0]["id"]
    body = {"name": "Large", "driveItemType": "docs_workbook"}
    document = client.post(f"/api/v1/drives/{drive}/items", json=body).raise_for_status().json()["item"]["id"]
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
