"""What ProseMirror editors hold after they were edited all at once, and whether a read tells the same."""

import asyncio
from functools import partial

import pytest

from documents.markdown.markdown_out import markdown
from documents.tree.schema import SCHEMA
from tests.support.live import npm
from tests.support.suite.rounds import ROUNDS

EDITS = 100 * ROUNDS  # of each editor; 1,000 in full
IDLE = 4.5 * ROUNDS  # seconds; 45 in full, when a client has given up a silent server and a server a silent client
EVERY = (*npm.HOCUSPOCUS, "y")
TOGETHER = {**{f"two of {client}": (client, client) for client in EVERY}, "one of each": EVERY}


async def editors(clients, world, document, kinds):
    """An editor for each kind of client, in turn of Ada and of Ben."""
    names = [f"editor {number}" for number in range(len(kinds))]
    for number, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        await clients("open", name, **world.way(document, ("ada", "ben")[number % 2], kind))
        await clients("synced", name)
        await clients("edits", name, schema=SCHEMA)
    return names


async def edit_at_once(clients, names, times, seed=1):
    await asyncio.gather(
        *(clients("edit", name, times=times, seed=seed + 7919 * number) for number, name in enumerate(names))
    )


async def agree(clients, world, document, names, mark, readers=()):
    """Let each editor hear of the others' last words, and find one document everywhere."""
    await npm.settled(clients, names, mark, partial(world.followed, document), readers)
    read = await world.read(document)
    for name in names:
        assert (await clients("differs", name, tree=read["prosemirrorDoc"]))["there"] is None
    assert read["markdown"] == markdown(read["prosemirrorDoc"])
    assert len({(await clients("text", name))["text"] for name in names}) == 1
    return read


@pytest.mark.parametrize("kinds", TOGETHER.values(), ids=TOGETHER)
async def test_editors_that_edit_at_once_end_with_what_a_read_tells(clients, world, kinds):
    document = await world.document()
    names = await editors(clients, world, document, kinds)
    for turn in range(10):
        await edit_at_once(clients, names, EDITS // 10, seed=turn + 1)
    read = await agree(clients, world, document, names, "end of")
    await clients("open", "late", **world.way(document, client=kinds[0]))
    await clients("synced", "late")
    await clients("edits", "late", schema=SCHEMA)
    assert (await clients("differs", "late", tree=read["prosemirrorDoc"]))["there"] is None
    assert {author["name"] for author in read["authors"]} == {"Ada Lovelace", "Ben Franklin"}


@pytest.mark.parametrize("kinds", TOGETHER.values(), ids=TOGETHER)
async def test_an_editor_that_was_away_while_both_sides_edited_comes_back_to_one_document(clients, world, kinds):
    document = await world.document()
    names = await editors(clients, world, document, kinds)
    await edit_at_once(clients, names, EDITS // 10)
    for turn in range(3):
        await clients("off", names[0])
        await edit_at_once(clients, names, EDITS // 10, seed=100 + turn)
        await clients("on", names[0])
        await agree(clients, world, document, names, f"back {turn}")


@pytest.mark.parametrize("client", EVERY)
async def test_an_editor_that_may_only_read_shows_all_and_changes_nothing(clients, world, client):
    document = await world.personal()
    body = {"email": "ben@acme.example", "permission": "read_only"}
    (await world.api["ada"].post(f"/api/v1/drive-items/{document}/access", json=body)).raise_for_status()
    writer, reader = await editors(clients, world, document, (client, client))
    await clients("edit", writer, times=EDITS // 10, seed=3)
    read = await agree(clients, world, document, [writer], "end of", [reader])
    assert (await clients("differs", reader, tree=read["prosemirrorDoc"]))["there"] is None
    await clients("edit", reader, times=10, seed=4)
    await clients("write", reader, text="never")
    assert "never" not in (await agree(clients, world, document, [writer], "still", [reader]))["markdown"]


@pytest.mark.parametrize("client", EVERY)
async def test_editors_that_nobody_touches_stay_connected(clients, world, client):
    document, other = await world.document(), await world.document()
    names = await editors(clients, world, document, (client, client))
    if client != "y":  # a second document on the first one's socket
        await clients("open", "beside", **world.way(other, client=client), socket=names[0])
        await clients("synced", "beside")
    idle = await asyncio.gather(*(clients("idle", name, seconds=IDLE) for name in names))
    assert [each["codes"] for each in idle] == [[], []]
    await edit_at_once(clients, names, 10)
    await agree(clients, world, document, names, "awake")
    if client != "y":
        await clients("type", "beside", text="beside")
        await clients("acknowledged", "beside")
        assert (await world.read(other))["markdown"] == "beside\n"
