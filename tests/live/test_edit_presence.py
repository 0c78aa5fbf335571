"""Edits over the API as those see them who have the document open: a cursor for ten seconds."""

import asyncio
import base64
import random

import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.tree.schema import SCHEMA
from domain.credit import Credit
from live.awareness import REMOVED
from live.codec import ClientState
from live.edit_presence import EditPresence
from tests.support.live import npm
from tests.support.live.people import as_agent
from tests.support.suite.rounds import ROUNDS

EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
IMPORT = "mutation($d: ID!, $u: String!) { importYjsUpdate(documentId: $d, update: $u) { id } }"


async def opened(clients, world, client="4"):
    document = await world.document()
    await clients("open", "ada", **world.way(document, client=client))
    await clients("synced", "ada")
    await clients("edits", "ada", schema=SCHEMA)
    return document


@pytest.mark.parametrize("client", [*npm.HOCUSPOCUS, "y"])
async def test_an_edit_over_the_api_is_seen_where_it_is_and_moves_with_the_next_one(clients, world, client):
    document = await opened(clients, world, client)
    ben = (await world.api["ben"].post("/graphql", json={"query": "{ viewer { id } }"})).json()["data"]["viewer"]["id"]
    await as_agent(world, "scribe", EDIT, d=document, e={"append": "# Title\n\nfirst **words**\n\n- one\n- two"})
    first = await clients("cursor", "ada", user="Ben Franklin", before="two")
    assert first["state"]["user"] == {"id": ben, "name": "Ben Franklin", "agent": "scribe"}
    await as_agent(world, "scribe", EDIT, d=document, e={"passages": [{"old": "first", "new": "the first"}]})
    second = await clients("cursor", "ada", user="Ben Franklin", before="the ")
    assert second["client"] == first["client"] > 2**32
    await as_agent(world, "scribe", EDIT, d=document, e={"passages": [{"old": " **words**", "new": ""}]})
    assert (await clients("cursor", "ada", user="Ben Franklin", before="the first"))["client"] == first["client"]
    await as_agent(world, "scribe", EDIT, d=document, e={"passages": [{"old": "# Title", "new": "## Title"}]})
    await clients("cursor", "ada", user="Ben Franklin", before="")
    await clients("open", "late", **world.way(document, client=client))
    assert (await clients("shown", "late", client=first["client"]))["state"]["user"]["agent"] == "scribe"


async def test_each_author_of_edits_has_a_cursor_of_their_own_and_none_is_credited_by_it(clients, world):
    document = await opened(clients, world)
    await world.ask(EDIT, "ben", d=document, e={"append": "by hand"})
    await as_agent(world, "scribe", EDIT, d=document, e={"append": "by scribe"})
    update = base64.b64encode(from_tree(parse("by import"), 77)).decode()
    await as_agent(world, "loader", IMPORT, d=document, u=update)
    found = [
        await clients("cursor", "ada", user="Ben Franklin", before=before)
        for before in ("by hand", "by scribe", "by import")
    ]
    assert [each["state"]["user"]["agent"] for each in found] == [None, "scribe", "loader"]
    assert len({each["client"] for each in found}) == 3
    await clients("write", "ada", text="typed")
    await clients("acknowledged", "ada")
    authors = [(author["name"], author["agent"]) for author in (await world.read(document))["authors"]]
    assert authors == [
        ("Ada Lovelace", None),
        ("Ben Franklin", "loader"),
        ("Ben Franklin", "scribe"),
        ("Ben Franklin", None),
    ]


async def by_rest(world, document, **edit):
    return await world.api["ben"].patch(
        f"/api/v1/documents/{document}", json=edit, headers={"x-service-agent": "minutes"}
    )


async def by_mcp(world, document, **edit):
    call = {"name": "documents_edit", "arguments": {"documentId": document, **edit}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"x-service-agent": "minutes", "accept": "application/json, text/event-stream"}
    return await world.api["ben"].post("/api/v1/mcp-full", json=message, headers=headers)


@pytest.mark.parametrize("call", [by_rest, by_mcp])
async def test_an_agents_edit_is_seen_over_each_surface_and_a_dry_run_is_not(clients, world, call):
    document = await opened(clients, world)
    assert (await call(world, document, append="never written", dryRun=True)).status_code == 200
    answer = await call(world, document, append="# Minutes\n\nAll were there.")
    assert answer.status_code == 200, answer.text
    await clients("cursor", "ada", user="Ben Franklin", before="All were there.")
    assert len((await clients("states", "ada"))["states"]) == 1


BLOCKS = [
    "plain words and **bold** ones",
    "# heading with `code`",
    "- one\n- two\n  - three",
    "1. [ ] no task\n2. second",
    "- [ ] task\n- [x] done",
    "> quoted\n>\n> twice",
    "```python\ncode\n```",
    "***",
    "![image](/images/1)",
    "| a | b |\n| --- | --- |\n| c | d |",
    "<details>\n<summary>more</summary>\n\nwithin\n\n</details>",
]


@pytest.mark.parametrize("seed", range(ROUNDS))
async def test_an_edit_of_any_kind_has_a_place_in_the_editor(clients, world, seed):
    document = await opened(clients, world)
    chance = random.Random(seed)
    blocks = ["begin"]  # it stays: y-prosemirror fails where an editor's own selection is a node that somebody deletes
    await world.ask(EDIT, "ben", d=document, e={"replace": "begin"})
    for number in range(40):
        before = (await world.read(document))["markdown"]
        at = chance.randrange(1, len(blocks) + 1)
        blocks[at : at + chance.randrange(3)] = chance.sample(BLOCKS, chance.randrange(3))
        await as_agent(world, f"agent {number}", EDIT, d=document, e={"replace": "\n\n".join(blocks)})
        if (await world.read(document))["markdown"] != before:
            place = await clients("place", "ada", user="Ben Franklin", agent=f"agent {number}")
            assert place["before"] is not None


async def test_the_cursor_of_an_edit_goes_after_ten_seconds(clients, world):
    document = await opened(clients, world)
    await as_agent(world, "scribe", EDIT, d=document, e={"append": "here"})
    found = await clients("cursor", "ada", user="Ben Franklin", before="here")
    await clients("unshown", "ada", client=found["client"])


class ToldTime(asyncio.SelectorEventLoop):
    """An event loop whose clock goes on only when it is told."""

    now = 0.0

    def time(self):
        return self.now

    async def at(self, now):
        """Let the clock go on to this moment, and what is due by then be done."""
        self.now = now
        await asyncio.sleep(0)
        await asyncio.sleep(0)


def test_an_edit_is_shown_for_exactly_ten_seconds_and_the_next_one_of_its_author_for_ten_more():
    async def shown(loop):
        told = []
        presence = EditPresence(told.extend)
        presence.show(Credit("ben", "Ben", "scribe"), None)
        await loop.at(4)
        presence.show(Credit("ben", "Ben", "scribe"), None)
        presence.show(Credit("ada", "Ada", None), None)
        (first, again, other) = told
        assert (again.client, again.clock) == (first.client, first.clock + 1)
        await loop.at(13.99)
        assert (presence.all(), len(told)) == ([again, other], 3)
        presence.show(Credit("ada", "Ada", None), None)
        await loop.at(14)
        assert [each.client for each in presence.all()] == [other.client]
        assert told[-1] == ClientState(first.client, again.clock + 1, REMOVED)
        await loop.at(23.98)
        assert len(presence.all()) == 1
        await loop.at(23.99)
        assert presence.all() == []

    with asyncio.Runner(loop_factory=ToldTime) as runner:
        runner.run(shown(runner.get_loop()))
