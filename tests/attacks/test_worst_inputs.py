"""The worst input of each kind, sent by one user, one at a time: none keeps the server from its other users.

The event loop's thread is busy for at most a quarter of a second at a stretch, counted as CPU time of
a usual host, for documents of up to a mebibyte; the memory grows by less than 300 MiB.
"""

import asyncio
import base64
import io
import json
from contextlib import AsyncExitStack

import psycopg
import pytest
from PIL import Image
from pycrdt import Doc, Text, XmlElement, XmlFragment, XmlText

from contract.bounds import MAX_PASSAGES
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.yjs.scan import IMPORT as IMPORT_LIMITS
from documents.yjs.scan import scan
from live import codec
from live.protocol import CloseCode
from tests.attacks.large_inputs import IMPORT, KEYSTROKES, TYPIST, large
from tests.support.documents.encoding import client, element, gc, inside, item, number, string, update
from tests.support.live import raw
from tests.support.live.raw import EMPTY, synced
from tests.support.processes.servers import PATIENCE, async_http, websocket

STRETCH = 0.25  # seconds of CPU on a usual host, and in proportion on a slower one
GROWTH = 300  # MiB
MANY_STRUCTS = 1_900_000
REFUSED = ("BAD_REQUEST", "PAYLOAD_TOO_LARGE")
EDIT = "mutation($id: ID!, $edit: EditInput!) { editDocument(documentId: $id, edit: $edit) { id } }"


@pytest.fixture
def ask(attacked):
    """`ask(who, query, **variables)`: a request to GraphQL; its answer, whatever it is, unless the server falls over."""

    async def request(who, query, **variables):
        async with reading(attacked, who) as api:
            answer = await api.post("/graphql", json={"query": query, "variables": variables})
            assert answer.status_code < 500, answer.text
            return answer

    return request


def opened(attacked, document, who):
    return raw.connected(attacked.origin, f"/collaboration/{document}", x_api_key=attacked.key(who))


async def answered(socket):
    """Wait until everything that was sent has been looked at: until a ping's answer, or the end of the socket."""
    try:
        socket.send(b"done", opcode=9)
        while (await socket.next())[0] not in (8, 10):
            pass
    except (ConnectionError, asyncio.IncompleteReadError):
        pass


def reading(attacked, who):
    return async_http(attacked.origin, headers=attacked.headers(who))


async def abandoned(attacked, writers):
    """Serve somebody else while these connections are left as they are, and then end them."""
    try:
        async with reading(attacked, "ada") as api:
            for _ in range(20):
                assert (await api.get("/api/v1/drives")).status_code == 200
    finally:
        for writer in writers:
            writer.transport.abort()


def within(watch, growth=GROWTH):
    assert watch.served.process.poll() is None
    limit = STRETCH * watch.slowness
    assert watch.stretch <= limit, f"the loop's thread was busy for {watch.stretch:.3f} of {limit:.3f} s"
    assert watch.growth < growth, f"the memory grew by {watch.growth:.0f} MiB"


# Live documents


async def test_a_reader_that_asks_for_the_document_again_and_again_and_reads_nothing(
    attacked, make_document, large_update, watch
):
    document = make_document(large_update)
    watch.begin()
    async with opened(attacked, document, "cleo") as (_, socket):
        socket.writer.write(raw.frame(codec.step1(EMPTY)) * 1_500)
        await socket.writer.drain()
        async with opened(attacked, document, "ben") as (_, other):
            await synced(other)
    within(watch)


async def test_a_reader_that_sends_deletions_that_are_known(attacked, make_document, large_update, watch):
    document = make_document(large_update)
    known = codec.step2(b"\x00\x01" + number(4711) + b"\x01" + number(0) + number(1))
    watch.begin()
    async with opened(attacked, document, "cleo") as (_, socket):
        await synced(socket)
        for _ in range(20):
            socket.send(known)
        await answered(socket)
    within(watch)


async def test_a_writer_that_sends_what_builds_on_what_never_comes(attacked, make_document, watch):
    document = make_document()
    text = "x" * 4_000
    ahead = [
        codec.update(update(client(900 + each, element(parent=inside(899, 5)), clock=0))) for each in range(200)
    ] + [
        codec.update(update(client(2000 + each, b"\x84" + number(899) + number(7) + number(4000) + text.encode())))
        for each in range(50)
    ]
    watch.begin()
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        for sent in ahead:
            socket.send(sent)
        doc = Doc()
        root = doc.get("default", type=XmlFragment)
        for _ in range(20):
            before = doc.get_state()
            root.children.append(XmlElement("paragraph"))
            socket.send(codec.update(doc.get_update(before)))
        await answered(socket)
    within(watch)


async def test_a_writer_of_a_document_that_is_as_deep_as_it_may_be(attacked, make_document, watch):
    doc = Doc()
    root = doc.get("default", type=XmlFragment)
    inner = root
    for _ in range(98):
        inner = inner.children.append(XmlElement("blockquote"))
    for _ in range(800):
        paragraph = root.children.append(XmlElement("paragraph"))
        paragraph.children.append(XmlText("x" * 1_000))
    document = make_document(base64.b64encode(doc.get_update()).decode())
    watch.begin()
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        for _ in range(20):
            before = doc.get_state()
            root.children.append(XmlElement("paragraph"))
            socket.send(codec.update(doc.get_update(before)))
        await answered(socket)
    within(watch)


async def test_a_document_of_a_mebibyte_is_imported_while_it_is_open(attacked, make_document, large_update, watch, ask):
    document = make_document()
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        watch.begin()
        assert "errors" not in (await ask("ada", IMPORT, id=document, update=large_update)).json()
        await answered(socket)
        within(watch)


async def test_a_document_of_a_mebibyte_is_pasted(attacked, make_document, large_update, watch):
    document = make_document()
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        watch.begin()
        socket.send(codec.step2(base64.b64decode(large_update)))
        async with asyncio.timeout(PATIENCE), reading(attacked, "ada") as api:
            while not (await api.get(f"/api/v1/documents/{document}")).json()["markdown"]:
                pass
        within(watch)


async def test_a_document_of_a_mebibyte_is_opened_and_read_for_the_first_time(
    attacked, make_document, large_update, watch
):
    document = make_document(large_update)
    watch.begin()
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        async with reading(attacked, "ada") as api:
            assert (await api.get(f"/api/v1/documents/{document}")).status_code == 200
    within(watch)


@pytest.fixture(scope="session")
def small_blocks_update():
    """A document of a mebibyte, by client 4711, of as many blocks as it can hold."""
    return base64.b64encode(from_tree(parse("a\n\n" * 30_000), 4711)).decode()


@pytest.mark.parametrize("who", ["ben", "cleo"])
async def test_an_update_that_contradicts_a_document_of_a_mebibyte(
    attacked, make_document, small_blocks_update, watch, who
):
    document = make_document(small_blocks_update)
    async with opened(attacked, document, who) as (_, socket):
        await synced(socket)
        watch.begin()
        socket.send(codec.step2(update(client(4711, element("forged")))))
        if who == "ben":
            assert await socket.closed() == CloseCode.FORBIDDEN
        else:
            await synced(socket)
    within(watch)


@pytest.fixture(scope="session")
def as_many_structs_as_a_document_may_have():
    """Two texts, by clients 2 and 1, each typed from its end to its beginning, as the sections of an update of 13 MB."""

    def typed(name):
        letters = [b"\x44" + number(name) + number(at) + b"\1a" for at in range(2, MANY_STRUCTS // 2)]
        first = item(4, string("a"), parent=inside(name, 1))
        return client(name, element(), item(7, b"\6", parent=inside(name, 0)), first, *letters)

    return typed(2), typed(1)


@pytest.mark.parametrize("order", [1, -1], ids=["as stored", "with the clients in another order"])
async def test_a_reader_that_sends_back_a_document_of_two_million_structs_from_three_sockets(
    attacked, make_document, as_many_structs_as_a_document_may_have, watch, order
):
    document, sections = make_document(), as_many_structs_as_a_document_may_have
    with psycopg.connect(attacked.database) as connection:
        connection.execute(
            "insert into document_update (item_id, sequence, user_id, at, update)"
            " select id, 1, created_by_user, now(), %s from item where id = %s",
            [update(*sections), document],
        )
        connection.execute("update item set sequence = 1 where id = %s", [document])
    said = codec.step2(update(*sections[::order]))
    async with AsyncExitStack() as stack:
        opened_by = [await stack.enter_async_context(opened(attacked, document, "cleo")) for _ in range(3)]
        sockets = [socket for _, socket in opened_by]
        for socket in sockets:
            await synced(socket)
        watch.begin()
        for socket in sockets:
            socket.send(said)
        for socket in sockets:
            await answered(socket)
        within(watch, growth=100)


async def test_an_update_that_repeats_a_document_of_a_mebibyte_in_a_few_bytes(
    attacked, make_document, small_blocks_update, watch
):
    document = make_document(small_blocks_update)
    end = scan(base64.b64decode(small_blocks_update), IMPORT_LIMITS).ends[4711]
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        watch.begin()
        for _ in range(5):
            socket.send(codec.update(update(client(4711, gc(end)))))
        await synced(socket)
    within(watch)


async def test_edits_of_a_user_who_damaged_a_document_of_a_mebibyte(
    attacked, make_document, small_blocks_update, watch
):
    document = make_document(small_blocks_update)
    async with opened(attacked, document, "grace") as (_, socket):
        await synced(socket)
        socket.send(codec.update(update(client(70, element(parent=inside(4711, 2))))))  # inside of a letter
        assert await socket.closed() == CloseCode.REFUSED
    async with opened(attacked, document, "grace") as (_, socket):
        await synced(socket)
        watch.begin()
        for clock in range(5):
            socket.send(codec.update(update(client(71, element(f"written-{clock}"), clock=clock))))
        async with asyncio.timeout(PATIENCE), reading(attacked, "ada") as api:
            while "written-4" not in (await api.get(f"/api/v1/documents/{document}")).text:
                pass
    within(watch)


SIBLINGS = update(client(77, *[item(4, string("y"), parent=inside(TYPIST, 1)) for _ in range(6_000)]))


async def test_items_that_are_to_be_searched_a_place_in_a_long_text(attacked, make_document, backwards_update, watch):
    document = make_document(backwards_update)
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        watch.begin()
        socket.send(codec.update(SIBLINGS))
        assert await socket.closed() == CloseCode.REFUSED
    within(watch)


async def test_bold_words_at_a_hundred_places_of_a_long_document_are_taken(
    attacked, make_document, large_update, watch
):
    document = make_document(large_update)
    doc = Doc()
    doc.apply_update(base64.b64decode(large_update))
    before = doc.get_state()
    with doc.transaction():
        for paragraph in list(doc.get("default", type=XmlFragment).children)[:100]:
            paragraph.children[0].insert(0, "bold")
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        watch.begin()
        socket.send(codec.update(doc.get_update(before)))
        async with asyncio.timeout(PATIENCE), reading(attacked, "ada") as api:
            while "bold" not in (await api.get(f"/api/v1/documents/{document}")).json()["markdown"]:
                pass
    within(watch)


async def test_an_import_of_items_that_are_to_be_searched_a_place(make_document, backwards_update, watch, ask):
    document = make_document(backwards_update)
    watch.begin()
    answer = (await ask("ben", IMPORT, id=document, update=base64.b64encode(SIBLINGS).decode())).json()
    assert answer["errors"][0]["extensions"]["code"] == "BAD_REQUEST"
    within(watch)


async def test_keystrokes_that_are_to_be_searched_a_place_in_a_long_text(
    attacked, make_document, backwards_update, watch
):
    document = make_document(backwards_update)
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        watch.begin()
        for clock in range(500):  # each before the last letter, with nothing to its left
            before_the_last = b"\x44" + number(TYPIST) + number(2) + string("y")
            socket.send(codec.update(update(client(78, before_the_last, clock=clock))))
        await answered(socket)
    within(watch)


async def test_deletions_of_every_other_letter(attacked, make_document, watch):
    doc = Doc(client_id=TYPIST)
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[XmlText("x" * 1_000_000)]))
    document = make_document(base64.b64encode(doc.get_update()).decode())
    runs = [number(clock) + number(1) for clock in range(2, 500_000, 2)]
    async with opened(attacked, document, "ben") as (_, socket):
        await synced(socket)
        watch.begin()
        socket.send(codec.update(b"\0" + number(1) + number(TYPIST) + number(len(runs)) + b"".join(runs)))
        await answered(socket)
    within(watch)


async def test_names_of_documents_of_a_mebibyte(attacked, make_document, watch):
    document = make_document()
    watch.begin()
    for _ in range(5):
        async with raw.connected(attacked.origin, "/collaboration", x_api_key=attacked.key("cleo")) as (_, socket):
            for each in range(50):
                name = f"{document}\0{each}" + "x" * 900_000
                socket.send(codec.text(name) + b"\2\0" + codec.text("") + codec.text("4.0.0"))
            await answered(socket)
    within(watch)


# Markdown

SIZE = 1_000_000
MARKDOWN = {
    "images that do not end": "![" * (SIZE // 2),
    "links that do not end": "[" * SIZE,
    "links that end without a beginning": "](" * (SIZE // 2),
    "links in links": "[a](" * (SIZE // 4),
    "brackets": "[a]" * (SIZE // 3),
    "rows of a table": "|" * SIZE,
    "a wide table": "|" + "a|" * 20_000 + "\n|" + "-|" * 20_000 + "\n" + "|b" * 20_000,
    "a long table": "|a|b|\n|-|-|\n" + "|c|d|\n" * (SIZE // 6),
    "emphasis": "*a _b " * (SIZE // 6),
    "stars": "*" * SIZE,
    "strong": "**a" * (SIZE // 3),
    "backticks": "`" * SIZE,
    "backticks of all lengths": " ".join("`" * each for each in range(1, 1_400)),
    "angles": "<" * SIZE,
    "an html comment": "<!--" * (SIZE // 4),
    "references": "&" * SIZE,
    "definitions": "".join(f"[a{each}]: b\n" for each in range(SIZE // 14)),
    "uses of definitions": "[a]: b\n\n" + "[a] " * (SIZE // 4),
    "quotes": "> " * (SIZE // 2),
    "quotes of many lines": ("> " * 15 + "a\n") * (SIZE // 32),
    "lists": "".join("  " * each + "- a\n" for each in range(1_000)),
    "items": "- a\n" * (SIZE // 4),
    "numbers": "".join(f"{each}. a\n" for each in range(SIZE // 10)),
    "blocks": "a\n\n" * (SIZE // 3),
    "headings": "# a\n" * (SIZE // 4),
    "backslashes": "\\" * SIZE,
    "tildes": "~~a" * (SIZE // 3),
    "one word": "a" * SIZE,
    "addresses": "http://a.b " * (SIZE // 11),
    "entities": "&amp;" * (SIZE // 5),
    "white space": " " * (SIZE - 1) + "a",
    "tabs": "\t" * (SIZE - 1) + "a",
    "line ends": "\n" * (SIZE - 1) + "a",
    "breaks": "a\\\n" * (SIZE // 3),
    "text": large(SIZE),
}


@pytest.mark.parametrize("text", MARKDOWN.values(), ids=MARKDOWN)
async def test_markdown_that_is_appended(make_document, watch, ask, text):
    document = make_document()
    watch.begin()
    await ask("ben", EDIT, id=document, edit={"append": text})
    within(watch)


async def test_every_word_of_a_long_document_is_changed(make_document, large_update, watch, ask):
    document = make_document(large_update)
    watch.begin()
    await ask("ben", EDIT, id=document, edit={"replace": large(1_000_000).replace("o", "0")})
    within(watch)


async def test_every_word_of_a_long_document_is_changed_while_it_is_open(
    attacked, make_document, large_update, watch, ask
):
    document = make_document(large_update)
    async with opened(attacked, document, "cleo") as (_, socket):
        await synced(socket)
        watch.begin()
        await ask("ben", EDIT, id=document, edit={"replace": large(1_000_000).replace("o", "0")})
        await answered(socket)
        within(watch)


async def test_a_passage_of_a_long_document_is_changed(make_document, large_update, watch, ask):
    document = make_document(large_update)
    watch.begin()
    await ask("ben", EDIT, id=document, edit={"passages": [{"old": "7000 **the", "new": "7000 **a"}]})
    within(watch)


DEEP = {
    "quotes": "> " * 10_000 + "a\n\n",
    "lists": "- " * 10_000 + "a\n\n",
    "quotes and lists in turn": "> - " * 5_000 + "a\n\n",
    "lists of numbers": "1. " * 10_000 + "a\n\n",
}
SIZES = {"16 MiB": 16 << 20, "as much as a body may have": 900_000}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("nested", DEEP.values(), ids=DEEP)
async def test_markdown_that_is_nested_10_000_deep(attacked, make_document, watch, nested, size):
    document, text = make_document(), nested * (size // len(nested))
    tool = {"name": "documents_edit", "arguments": {"documentId": document, "append": text}}
    watch.begin()
    async with reading(attacked, "ben") as api:
        by_rest = await api.patch(f"/api/v1/documents/{document}", json={"append": text})
        by_tool = await api.post(
            "/api/v1/mcp-full", json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": tool}
        )
        by_graphql = await api.post(
            "/graphql", json={"query": EDIT, "variables": {"id": document, "edit": {"append": text}}}
        )
        read = (await api.get(f"/api/v1/documents/{document}")).raise_for_status().json()
    assert by_rest.json()["code"] in REFUSED
    assert any(code in by_tool.text for code in REFUSED), by_tool.text[:200]
    assert any(code in by_graphql.text for code in REFUSED), by_graphql.text[:200]
    assert (read["item"]["revision"], read["markdown"]) == (0, "")
    within(watch)


async def test_as_many_passages_of_a_long_document_as_may_be_are_changed(attacked, make_document, large_update, watch):
    document = make_document(large_update)
    passages = [{"old": f"{each} **the", "new": f"{each} **a"} for each in range(1_000, 7_500, 13)]
    assert len(passages) == MAX_PASSAGES
    watch.begin()
    async with reading(attacked, "ben") as api:
        edited = await api.patch(f"/api/v1/documents/{document}", json={"passages": passages})
    assert edited.json()["markdown"].count("**a quick") == MAX_PASSAGES
    within(watch)


# Changes


async def test_the_changes_of_a_long_log_are_listed(attacked, long_log, watch):
    watch.begin()
    async with reading(attacked, "ben") as api:
        for asked in ({}, {"agent": "scribe", "first": 200}, {"agent": "", "sinceRevision": KEYSTROKES // 2}):
            listed = (await api.get(f"/api/v1/documents/{long_log}/changes", params=asked)).raise_for_status().json()
            assert {each["by"]["agent"] for each in listed["changes"]} <= {"scribe", None}
            assert listed["changes"]
        whole = (await api.get(f"/api/v1/documents/{long_log}/attributions")).raise_for_status().json()
        assert whole["attributions"]
    within(watch)


@pytest.mark.parametrize("agent", ["scribe", ""])
async def test_a_half_of_a_long_log_is_taken_back(attacked, long_log, watch, agent):
    ben = attacked.credentials["users"]["ben"]["userId"]
    asked = {"userId": ben, "agent": agent, "sinceRevision": 0}
    watch.begin()
    async with reading(attacked, "ben") as api:
        for is_dry in (True, False):
            undo = f"/api/v1/documents/{long_log}/undo-changes"
            undone = (await api.post(undo, json=asked | {"dryRun": is_dry})).raise_for_status().json()
            assert undone["changes"]
        assert undone["revision"] == KEYSTROKES + 1
    within(watch)


# GraphQL

NESTED = "ancestors { shares { email } drive { name } children(first: 50) { nodes { ancestors { name } shares { email } } } }"
QUERIES = {
    "a long string": '{ viewer { id } } # "' + "x" * 900_000 + '"',
    "spaces": " " * 900_000 + "{ viewer { id } }",
    "commas": "{ viewer { id } }" + "," * 60_000,
    "a field again and again": "{" + " viewer { id }" * 249 + "}",
    "many fragments": "{ viewer { ...f0 } }"
    + "".join(f" fragment f{n} on Viewer {{ id ...f{n + 1} }}" for n in range(190))
    + " fragment f190 on Viewer { id }",
    "nested questions": "{ drives(first: 20) { nodes { items(first: 20) { nodes { " + NESTED + " } } } } }",
    "a deep value": "{ search(text: " + "[" * 20_000 + ") { nodes { id } } }",
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
async def test_a_query(watch, ask, query):
    for _ in range(3):
        await ask("ben", query)
    within(watch)


async def test_an_import_whose_update_is_part_of_the_query(make_document, watch, ask):
    document = make_document()
    watch.begin()
    await ask("ben", f'mutation {{ importYjsUpdate(documentId: "{document}", update: "{"A" * 20_000_000}") {{ id }} }}')
    within(watch)


async def test_an_import_of_as_much_as_may_be_sent(make_document, watch, ask):
    document = make_document()
    doc = Doc({"a": Text("x" * 15_000_000)})
    watch.begin()
    await ask("ben", IMPORT, id=document, update=base64.b64encode(doc.get_update()).decode())
    within(watch)


async def test_a_body_of_deep_json(attacked, watch):
    async with reading(attacked, "ben") as api:
        for path in ("/graphql", "/api/v1/drives", "/api/v1/mcp"):
            for body in (
                "[" * 1_000_000,
                '{"a":' * 150_000,
                '"' + "\\u0041" * 160_000 + '"',
                '{"query": "' + "\\n" * 400_000 + '"}',
            ):
                answer = await api.post(path, content=body, headers={"content-type": "application/json"})
                assert answer.status_code < 500
    within(watch)


@pytest.mark.parametrize("value", ["{}", "[[[]]]", '{"a":{}}', "1", '"a"', '"\\\\"'])
async def test_a_body_of_as_many_values_as_fit(attacked, watch, value):
    body = f'{{"query":"{{viewer{{id}}}}","variables":{{"v":[{",".join([value] * (900_000 // (len(value) + 1)))}]}}}}'
    watch.begin()
    async with reading(attacked, "ben") as api:
        for path in ("/graphql", "/api/v1/drives", "/api/v1/mcp"):
            answer = await api.post(path, content=body, headers={"content-type": "application/json"})
            assert "too many values" in answer.text
    within(watch)


async def test_the_tree_of_a_long_document_is_written_as_markdown(watch, ask):
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": "short"}]}
    tree = {"type": "doc", "content": [paragraph] * 10_000}
    watch.begin()
    answer = await ask("ben", "query($t: JSON!) { markdownOf(prosemirrorDoc: $t) }", t=tree)
    assert answer.json()["data"]["markdownOf"] == "short\n\n" * 9_999 + "short\n"
    within(watch)


async def test_answers_that_nobody_reads(attacked, make_document, large_update, watch):
    document = make_document(large_update)
    watch.begin()
    aliases = " ".join(f'a{each}: document(id: "{document}") {{ markdown prosemirrorDoc }}' for each in range(30))
    body = json.dumps({"query": f"{{ {aliases} }}"}).encode()
    key = attacked.key("ben")
    post = f"POST /graphql HTTP/1.1\r\nhost: a\r\nx-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    get = f"GET /api/v1/documents/{document} HTTP/1.1\r\nhost: a\r\nx-api-key: {key}\r\n\r\n"
    writers = []
    for request in [post.encode() + body] * 6 + [get.encode()] * 60:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(attacked.origin.rpartition(":")[2]), limit=1024)
        writer.write(request)
        await reader.readline()  # the first line of the answer, and about as much again before reading pauses
        writers.append(writer)
    await abandoned(attacked, writers)
    within(watch)


async def test_operations_over_the_socket_of_graphql(attacked, make_document, large_update, watch):
    document = make_document(large_update)
    watch.begin()
    query = f'{{ document(id: "{document}") {{ markdown prosemirrorDoc }} }}'
    url = attacked.origin.replace("http", "ws") + "/graphql"
    async with websocket(
        url, subprotocols=["graphql-transport-ws"], additional_headers=attacked.headers("ben"), max_size=None
    ) as socket:
        await socket.send(json.dumps({"type": "connection_init"}))
        for each in range(12):
            await socket.send(json.dumps({"id": str(each), "type": "subscribe", "payload": {"query": query}}))
        ended = set()
        while len(ended) < 12:
            message = json.loads(await socket.recv())
            if message["type"] in ("complete", "error"):
                ended.add(message["id"])
    within(watch)


async def test_unfinished_bodies(attacked, watch):
    key, writers = attacked.key("ben"), []
    head = f"POST /graphql HTTP/1.1\r\nhost: a\r\nx-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: 24000000\r\n\r\n"
    for _ in range(40):
        _, writer = await asyncio.open_connection("127.0.0.1", int(attacked.origin.rpartition(":")[2]))
        writer.write(head.encode())
        for _ in range(23):
            writer.write(b'{"query": "' if writer.transport.get_write_buffer_size() == 0 else b"x" * 1_000_000)
        writers.append(writer)
    await abandoned(attacked, writers)
    within(watch)


# What else is large


async def test_what_is_made_of_a_long_document(attacked, make_document, large_update, watch, ask):
    document = make_document(large_update)
    watch.begin()
    attributions = "attributions { path start end by { userId name agent editedAt } } credits { ranges }"
    answer = await ask("ben", f"query($id: ID!) {{ document(id: $id) {{ {attributions} }} }}", id=document)
    assert len(answer.json()["data"]["document"]["attributions"]) > 10_000
    async with reading(attacked, "ada") as api:
        assert (
            await api.put(f"/api/v1/drive-items/{document}/publication", json={"published": True})
        ).status_code == 200
        url = (await api.get(f"/api/v1/drive-items/{document}")).json()["item"]["publicUrl"]
        for suffix in ("", ".md"):
            assert (await api.get(url + suffix)).status_code == 200
    within(watch)


async def test_a_search_for_a_long_text(watch, ask):
    await ask("ben", "query($t: String!) { search(text: $t) { nodes { id } } }", t="a b " * 200_000)
    within(watch)


@pytest.mark.parametrize("kind", ["WEBP", "GIF", "PNG"])
async def test_an_image_of_as_many_pixels_as_may_be(attacked, make_document, watch, kind):
    made = io.BytesIO()
    Image.new("RGB", (8_000, 5_000), "teal").save(made, kind)
    document = make_document()
    watch.begin()
    async with reading(attacked, "ben") as api:
        sent = {"file": ("a", made.getvalue(), "image/" + kind.lower())}
        assert (await api.post(f"/api/v1/drive-items/{document}/images", files=sent)).status_code in (200, 413)
    within(watch)
