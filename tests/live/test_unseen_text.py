"""Text that somebody writes into what is being deleted: its writer is told, it is listed, and it is back after an undo."""

from dataclasses import dataclass

import pytest

from tests.support.live import npm
from tests.support.live.people import World, as_agent, me
from tests.support.live.subscriptions import follow_from_now, following, following_everything

EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
UNDO = """mutation($d: ID!, $u: ID!, $r: Int!) {
  undoChanges(documentId: $d, userId: $u, sinceRevision: $r, agent: "") { skipped { reason } } }"""


async def opened(clients, world, client="4"):
    """A document of two paragraphs by Ben, which Ada has open and who hears nothing from now on."""
    document = await world.document()
    await world.ask(EDIT, "ben", d=document, e={"append": "keep"})
    await clients("open", "ada", **world.way(document, client=client))
    await clients("synced", "ada")
    await clients("open", "ben", **world.way(document, "ben"))
    await clients("synced", "ben")
    return document


async def changes(world, document, **asked):
    path = f"/api/v1/documents/{document}/changes"
    return (await world.api["ada"].get(path, params=asked)).raise_for_status().json()["changes"]


async def unseen(world, document):
    """What is listed as unseen, with who wrote it and who deleted what it was written in."""
    return [
        (lost["text"], lost["by"]["name"], lost["deletedBy"]["name"], lost["deletedBy"]["agent"])
        for each in await changes(world, document)
        for lost in each["unseen"]
    ]


async def revision(world, document):
    return (await world.read(document))["item"]["revision"]


@dataclass
class Scene:
    clients: npm.Clients
    world: World
    document: str


async def by_an_agent(scene):
    document = scene.document
    await as_agent(scene.world, "scribe", EDIT, d=document, e={"passages": [{"old": "gone\n\n", "new": ""}]})


async def by_a_person(scene):
    await scene.clients("sees", "ben", text="gone")
    await scene.clients("remove", "ben", block=0)
    await scene.clients("acknowledged", "ben")


async def by_an_undo(scene):
    ben = await me(scene.world, "ben")
    await scene.world.ask(UNDO, "ben", d=scene.document, u=ben, r=1)


DELETIONS = {"an agent": by_an_agent, "a person": by_a_person, "an undo": by_an_undo}


@pytest.mark.parametrize("deletion", DELETIONS)
async def test_who_writes_into_what_is_deleted_is_told_and_it_is_listed_and_back_after_an_undo(
    clients, world, deletion
):
    document = await opened(clients, world)
    await world.ask(EDIT, "ben", d=document, e={"replace": "gone\n\nkeep"})
    before = await revision(world, document)
    await clients("sees", "ada", text="gone")
    await clients("deaf", "ada")
    await DELETIONS[deletion](Scene(clients, world, document))
    assert (await world.read(document))["markdown"] == "keep\n"
    for text in (" and", " more"):
        await clients("into", "ada", block=0, text=text)
    await clients("hears", "ada")
    await clients("acknowledged", "ada")
    agent = "scribe" if deletion == "an agent" else None
    told, count = "", 0
    while told != " and more":  # at once, or in two parts
        count += 1
        (*_, last) = (await clients("told", "ada", times=count))["told"]
        assert last["type"] == "unseen"
        assert (last["deletedBy"]["name"], last["deletedBy"]["agent"]) == ("Ben Franklin", agent)
        told += last["text"]
    assert last["revision"] == await revision(world, document)
    assert "and more" not in (await world.read(document))["markdown"]
    assert await unseen(world, document) == [(" and more", "Ada Lovelace", "Ben Franklin", agent)]
    ben = await me(world, "ben")
    undo = f'mutation {{ undoChanges(documentId: "{document}", userId: "{ben}", sinceRevision: {before}) {{ skipped {{ reason }} }} }}'
    assert (await world.ask(undo, "ada"))["undoChanges"]["skipped"] == []
    assert (await world.read(document))["markdown"] == "gone and more\n\nkeep\n"
    assert await unseen(world, document) == []
    await clients("sees", "ada", text="gone and more")


async def test_who_wrote_what_had_not_reached_who_deletes_the_block_is_told(clients, world):
    document = await opened(clients, world)
    await world.ask(EDIT, "ben", d=document, e={"replace": "gone\n\nkeep"})
    await clients("sees", "ada", text="gone")
    await clients("sees", "ben", text="gone")
    await clients("deaf", "ben")
    await clients("into", "ada", block=0, text=" and more")
    await clients("acknowledged", "ada")
    await clients("remove", "ben", block=0)
    ((told,)) = (await clients("told", "ada"))["told"]
    assert (told["text"], told["deletedBy"]["name"]) == (" and more", "Ben Franklin")
    await clients("hears", "ben")
    await clients("acknowledged", "ben")
    assert await unseen(world, document) == [(" and more", "Ada Lovelace", "Ben Franklin", None)]
    assert not any("more" in each["deleted"] for each in await changes(world, document))


@pytest.mark.parametrize("client", [*npm.HOCUSPOCUS, "y"])
async def test_what_was_written_offline_into_what_is_gone_is_listed(clients, world, client):
    document = await opened(clients, world, client)
    await world.ask(EDIT, "ben", d=document, e={"replace": "gone\n\nkeep"})
    await clients("sees", "ada", text="gone")
    await clients("off", "ada")
    await clients("into", "ada", block=0, text=" written offline")
    await by_an_agent(Scene(clients, world, document))
    await clients("on", "ada")
    await clients("synced", "ada")
    await clients("acknowledged", "ada")
    assert (await world.read(document))["markdown"] == "keep\n"
    assert await unseen(world, document) == [(" written offline", "Ada Lovelace", "Ben Franklin", "scribe")]
    if client != "y":
        ((told,)) = (await clients("told", "ada"))["told"]
        assert (told["text"], told["deletedBy"]["agent"]) == (" written offline", "scribe")


@pytest.mark.parametrize("wanted", ["# gone\n\nkeep", "> gone\n\nkeep", "- gone\n\nkeep"])
async def test_what_is_written_into_a_block_that_is_retyped_stands_in_the_new_one(clients, world, wanted):
    document = await opened(clients, world)
    await world.ask(EDIT, "ben", d=document, e={"replace": "gone\n\nkeep"})
    await clients("sees", "ada", text="gone")
    await clients("deaf", "ada")
    await as_agent(world, "scribe", EDIT, d=document, e={"replace": wanted})
    for text in (" and", " more"):
        await clients("into", "ada", block=0, text=text)
    await clients("hears", "ada")
    await clients("acknowledged", "ada")
    for who in ("ada", "ben"):
        await clients("sees", who, text="gone and more")
    assert (await world.read(document))["markdown"] == wanted.replace("gone", "gone and more") + "\n"
    assert (await clients("told", "ada", times=0))["told"] == []
    assert await unseen(world, document) == []
    inserted = {each["by"]["name"] for each in await changes(world, document) if " and more" in each["inserted"]}
    assert inserted == {"Ada Lovelace"}


async def test_nobody_is_told_of_the_end_of_a_live_paragraph_that_is_typed_anew(clients, world):
    document = await opened(clients, world)
    await clients("paragraph", "ada", text="one two")
    await clients("acknowledged", "ada")
    await world.ask(EDIT, "ben", d=document, e={"passages": [{"old": "one two", "new": "one"}]})
    await clients("into", "ada", block=1, text=" three")
    await clients("acknowledged", "ada")
    await clients("deaf", "ada")
    await world.ask(EDIT, "ben", d=document, e={"passages": [{"old": "keep\n\n", "new": ""}]})
    await clients("into", "ada", block=0, text=" lost")
    await clients("hears", "ada")
    ((told,)) = (await clients("told", "ada"))["told"]
    assert told["text"] == " lost"
    assert [text for text, *_ in await unseen(world, document)] == [" lost"]


async def test_a_live_notice_says_that_text_is_in_no_read_and_who_deleted_the_block(clients, world, served):
    document = await opened(clients, world)
    item = (await world.api["ada"].get(f"/api/v1/drive-items/{document}")).json()["item"]
    async with (
        following(served, "ben", item["driveId"], document) as members,
        following_everything(served, "ada", document) as own,
    ):
        await follow_from_now(world, members, document)
        await world.ask(EDIT, "ben", d=document, e={"replace": "gone\n\nkeep"})
        await clients("sees", "ada", text="gone")
        await clients("deaf", "ada")
        await by_an_agent(Scene(clients, world, document))
        await clients("into", "ada", block=0, text=" lost")
        for follower in (members, own):
            event = await follower.next()
            while "unseen" not in event["details"]:
                event = await follower.next()
            assert (event["type"], event["itemId"], event["by"]["name"]) == ("documentEdited", document, "Ada Lovelace")
            assert event["details"]["live"] is True
            assert event["details"]["unseen"]["deletedBy"]["name"] == "Ben Franklin"
            assert "lost" not in str(event)
