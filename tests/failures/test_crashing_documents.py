"""A document whose stored bytes end the process that reads them keeps nothing but itself from being read."""

import asyncio
import signal
from contextlib import AsyncExitStack

import httpx
import psycopg
import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from live import codec
from persistence.postgres.embedded import url_of_running
from tests.support.documents.encoding import client as structs_of
from tests.support.documents.encoding import element, update
from tests.support.documents.hostile import deep_attribute, smuggled
from tests.support.live import raw
from tests.support.processes.servers import eventually, operator, serving

# Let through before ContentJSON was refused; whoever reads what it makes overflows the stack.
BOMB = smuggled(*deep_attribute(20_000))
SMALL_BOMB = smuggled(*deep_attribute(15_500))  # read in the server itself
TYPISTS = 20


def plant(served, document, stored):
    """Have the document's log be this one update, as if it had been accepted."""
    with psycopg.connect(url_of_running(served.data / "postgres")) as connection:
        connection.execute("update item set sequence = 1 where id = %s", [document])
        connection.execute(
            "insert into document_update (item_id, sequence, update, user_id, at)"
            " select id, 1, %s, created_by_user, now() from item where id = %s"
            " on conflict (item_id, sequence) do update set update = excluded.update",
            [stored, document],
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


def crashes(data):
    """Return how many processes each quarantined document has ended."""
    lines = operator("--data", data, "documents", "quarantined").stdout.splitlines()
    return {words[0]: int(words[1]) for words in map(str.split, lines) if words[1].isdecimal()}


@pytest.fixture
def data(home):
    return home / "quarantine"


async def test_a_document_that_ended_two_processes_is_left_alone_by_the_third_until_it_is_released(data):
    with serving(data) as served:
        with served.client() as client:
            document, other = created(client, "Bomb"), created(client, "Other")
        plant(served, document, SMALL_BOMB)
        assert ends_the_server(served, document) == -signal.SIGSEGV
    with serving(data) as served, served.client() as client:
        try:
            answer = client.get(f"/api/v1/documents/{document}")
        except httpx.TransportError:
            assert served.ended() == -signal.SIGSEGV
        else:  # a process of the index has read it first, and ended instead of the server
            assert answer.status_code == 503
    with serving(data) as served, served.client() as client:
        answer = client.get(f"/api/v1/documents/{document}")
        assert (answer.status_code, answer.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
        assert codes(client, document) == {name: ["SERVICE_UNAVAILABLE"] for name in QUESTIONS}
        assert await close_code(served, document) == 4205
        assert client.get(f"/api/v1/drive-items/{document}").status_code == 200
        assert client.get(f"/api/v1/documents/{other}").status_code == 200
        assert served.process.poll() is None
        assert crashes(data)[document] in (2, 3)  # three, where a process of the index and a reader began at once
        plant(served, document, from_tree(parse("mended"), 1))  # as another version may be able to read it
        assert operator("--data", data, "documents", "release", document).returncode == 0
        assert operator("--data", data, "documents", "release", document).returncode == 1
        read = eventually(lambda: answered(client, document))
        assert read["markdown"] == "mended\n"


async def typed(sockets, clock):
    """Have everybody write a paragraph, and see those of all others."""
    written = []
    for name, socket in enumerate(sockets, start=1):
        paragraph = element("paragraph", origin=(name, clock - 1) if clock else None)
        written.append(codec.update(update(structs_of(name, paragraph, clock=clock))))
        socket.send(written[-1])
    for own, socket in zip(written, sockets, strict=True):
        left = {*written} - {own}
        while left:
            opcode, message = await socket.next()
            assert opcode == 2
            left.discard(message)


async def test_a_document_that_ends_processes_of_jobs_costs_its_readers_alone(data):
    with serving(data) as served, served.client() as client:
        document, other = created(client, "Large bomb"), created(client, "Typed in")
        plant(served, document, BOMB)
        async with AsyncExitStack() as stack:
            path, key = f"/collaboration/{other}", served.key()
            sockets = [
                (await stack.enter_async_context(raw.connected(served.origin, path, x_api_key=key)))[1]
                for _ in range(TYPISTS)
            ]
            for socket in sockets:
                socket.send(codec.step1(b"\0"))
                await socket.until(lambda message: message[:2] == b"\0\1")
            await typed(sockets, 0)
            first = await asyncio.to_thread(client.get, f"/api/v1/documents/{document}")
            assert (first.status_code, "quarantined" in first.json()["message"]) == (503, False)
            assert document not in crashes(data)
            await typed(sockets, 1)
            assert await close_code(served, document) == 4205
            second = await asyncio.to_thread(client.get, f"/api/v1/documents/{document}")
            assert (second.status_code, "quarantined" in second.json()["message"]) == (503, True)
            assert codes(client, document) == {name: ["SERVICE_UNAVAILABLE"] for name in QUESTIONS}
            await typed(sockets, 2)
        assert served.process.poll() is None
        assert crashes(data)[document] == 2


def answered(client, document):
    answer = client.get(f"/api/v1/documents/{document}")
    return answer.json() if answer.status_code == 200 else None
