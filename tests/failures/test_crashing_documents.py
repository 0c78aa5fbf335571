"""A document whose stored bytes end the process keeps nothing but itself from being read."""

import signal

import httpx
import psycopg
import pytest
from servers import eventually, operator, serving

from documents.build import from_tree
from documents.markdown_in import parse
from live import codec
from persistence.postgres.embedded import url_of_running
from tests.documents.hostile import deep_attribute, smuggled
from tests.live import raw

# Let through before ContentJSON was refused; whoever reads what it makes overflows the stack.
BOMB = smuggled(*deep_attribute(20_000))


def plant(served, document, update):
    """Have the document's log be this one update, as if it had been accepted."""
    with psycopg.connect(url_of_running(served.data / "postgres")) as connection:
        connection.execute("update item set sequence = 1 where id = %s", [document])
        connection.execute(
            "insert into document_update (item_id, sequence, update, user_id, at)"
            " select id, 1, %s, created_by_user, now() from item where id = %s"
            " on conflict (item_id, sequence) do update set update = excluded.update",
            [update, document],
        )


def created(client, name):
    drive = client.get("/api/v1/drives").json()["drives"][0]["id"]
    body = {"name": name, "driveItemType": "docs_workbook"}
    return client.post(f"/api/v1/drives/{drive}/items", json=body).raise_for_status().json()["item"]["id"]


def ends_the_server(served, document):
    with served.client() as client, pytest.raises(httpx.TransportError):
        client.get(f"/api/v1/documents/{document}")
    return served.ended()


async def close_code(served, document):
    path = f"/collaboration/{document}"
    async with raw.connected(served.origin, path, x_api_key=served.key()) as (_, socket):
        socket.send(codec.step1(b"\0"))
        return await socket.closed()


QUESTIONS = {
    "document": "query($id: ID!) { document(id: $id) { markdown } }",
    "attributions": "query($id: ID!) { document(id: $id) { attributions { start } } }",
    "import": 'mutation($id: ID!) { importYjsUpdate(documentId: $id, update: "AAA=") { id } }',
    "edit": 'mutation($id: ID!) { editDocument(documentId: $id, edit: {append: "more"}) { id } }',
}


def codes(client, document):
    """Return with which code each question about the document is answered."""
    found = {}
    for name, query in QUESTIONS.items():
        answer = client.post("/graphql", json={"query": query, "variables": {"id": document}}).json()
        found[name] = [error["extensions"]["code"] for error in answer.get("errors", ())]
    return found


@pytest.fixture
def data(home):
    return home / "quarantine"


async def test_a_document_that_ended_two_processes_is_left_alone_by_the_third_until_it_is_released(data):
    with serving(data) as served:
        with served.client() as client:
            document, other = created(client, "Bomb"), created(client, "Other")
        plant(served, document, BOMB)
        assert ends_the_server(served, document) == -signal.SIGSEGV
    with serving(data) as served:
        assert ends_the_server(served, document) == -signal.SIGSEGV
    with serving(data) as served, served.client() as client:
        answer = client.get(f"/api/v1/documents/{document}")
        assert (answer.status_code, answer.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
        assert codes(client, document) == {name: ["SERVICE_UNAVAILABLE"] for name in QUESTIONS}
        assert await close_code(served, document) == 4205
        assert client.get(f"/api/v1/drive-items/{document}").status_code == 200
        assert client.get(f"/api/v1/documents/{other}").status_code == 200
        assert served.process.poll() is None
        listed = operator("--data", data, "documents", "quarantined").stdout.split()
        assert listed[:2] == [document, "2"]
        plant(served, document, from_tree(parse("mended"), 1))  # as another version may be able to read it
        assert operator("--data", data, "documents", "release", document).returncode == 0
        assert operator("--data", data, "documents", "release", document).returncode == 1
        read = eventually(lambda: answered(client, document))
        assert read["markdown"] == "mended\n"


def answered(client, document):
    answer = client.get(f"/api/v1/documents/{document}")
    return answer.json() if answer.status_code == 200 else None
