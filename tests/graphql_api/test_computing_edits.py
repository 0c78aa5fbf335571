"""Edits of documents are computed once, outside of any transaction, and only for those who may make them."""

import asyncio
import base64
import dataclasses

import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.idempotency import IdempotencyKey
from graphql_api.context import Context
from service.version_scheduler import cut_ended
from tests.graphql_api.world import SCHEMA
from tests.support.processes.servers import PATIENCE

EDIT = "mutation($id: ID!, $e: EditInput!) { editDocument(documentId: $id, edit: $e) { id } }"
IMPORT = "mutation($id: ID!, $u: String!) { importYjsUpdate(documentId: $id, update: $u) { id } }"
RESTORE = "mutation($id: ID!, $n: Int!) { restoreVersion(documentId: $id, number: $n) { markdown } }"
READ = "query($id: ID!) { document(id: $id) { markdown } }"
APPLY = """mutation(
    $id: ID!, $replace: String, $append: String, $passages: [PassageInput!], $base: Int, $dry: Boolean! = false
) {
    editDocument(
        documentId: $id, edit: {replace: $replace, append: $append, passages: $passages}, base: $base, dryRun: $dry
    ) {
        revision markdown changes { kind path inserted deleted } kept { path notDone }
    }
}"""
UNDO = """mutation($id: ID!, $u: ID!, $dry: Boolean! = false) {
    undoChanges(documentId: $id, userId: $u, sinceRevision: 0, dryRun: $dry) { revision }
}"""
REVOKE = "mutation($id: ID!) { revokeApiKey(id: $id) { id } }"
END = "mutation($id: ID!) { endSession(id: $id) { id } }"
TRASH = "mutation($id: ID!) { trashItem(itemId: $id) { id } }"
MAKE = 'mutation($d: ID!) { createItem(driveId: $d, name: "Beside", driveItemType: folder) { id } }'
DRIVE = "query($id: ID!) { driveItem(id: $id) { driveId } }"


class Counted:
    """A port whose computations are counted, and once made are kept until they may be recorded."""

    def __init__(self, port):
        self.port = port
        self.computed = 0
        self.ready, self.may_end = asyncio.Event(), asyncio.Event()

    async def _made(self, made):
        made = await made
        self.computed += 1
        self.ready.set()  # not before the document is read: what others write then would be edited with it
        await self.may_end.wait()
        return made

    async def edited(self, *asked):
        return await self._made(self.port.edited(*asked))

    async def imported(self, *asked):
        return await self._made(self.port.imported(*asked))

    async def restoring(self, *asked):
        return await self._made(self.port.restoring(*asked))

    async def undoing(self, *asked):
        return await self._made(self.port.undoing(*asked))

    def __getattr__(self, name):
        return getattr(self.port, name)


@pytest.fixture
async def counted(world):
    """The world as its agent meets it: with computations that are counted."""
    made = Counted(world.ports.documents)
    versions = Counted(world.ports.versions)
    versions.changes = Counted(world.ports.versions.changes)
    for each in (versions, versions.changes):
        each.ready, each.may_end = made.ready, made.may_end
    slow = dataclasses.replace(world, ports=dataclasses.replace(world.ports, documents=made, versions=versions))
    return slow, made, versions


@pytest.fixture
async def pad(world):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, e={"replace": "# Plan\n\nMilk and bread"})
    return pad


async def text_of(world, pad):
    return (await world.ask("ben", READ, id=pad))["document"]["markdown"]


@pytest.mark.parametrize("way", ["edit", "import", "restore"])
async def test_others_write_while_an_edit_is_computed_and_it_is_computed_once(world, counted, pad, way):
    slow, made, versions = counted
    drive = (await world.ask("grace", DRIVE, id=pad))["driveItem"]["driveId"]
    if way == "restore":
        await _a_version(world, pad)
    asked = {
        "edit": lambda: slow.ask("agent", EDIT, id=pad, e={"passages": [{"old": "bread", "new": "rolls"}]}),
        "import": lambda: slow.ask("agent", IMPORT, id=pad, u=base64.b64encode(from_tree(parse("rolls"), 77)).decode()),
        "restore": lambda: slow.ask("agent", RESTORE, id=pad, n=1),
    }[way]
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
        task = tasks.create_task(asked())
        await made.ready.wait()
        await world.ask("grace", MAKE, d=drive)
        for number in range(5):
            await world.ask("grace", EDIT, id=pad, e={"append": f"written meanwhile {number}"})
        made.may_end.set()
        await task
    text = await text_of(world, pad)
    assert [number for number in range(5) if f"written meanwhile {number}" not in text] == []
    assert "rolls" in text
    assert made.computed + versions.computed == 1


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"replace": "# Plan\n\n# Milk and bread", "base": 1}, "# Plan\n\nMilk\n"),
        ({"passages": [{"old": "# Plan\n\nMilk", "new": "# Plan\n\n- Milk"}]}, "# Plan\n\n- Milk\n"),
    ],
)
async def test_letters_that_somebody_deletes_while_an_edit_of_their_block_is_computed_do_not_come_back(
    world, counted, pad, asked, text
):
    slow, made, _ = counted
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
        task = tasks.create_task(slow.ask("agent", APPLY, id=pad, **asked))
        await made.ready.wait()
        await world.ask("grace", EDIT, id=pad, e={"passages": [{"old": " and bread", "new": ""}]})
        made.may_end.set()
        told = await task
    assert told["editDocument"]["markdown"] == await text_of(world, pad) == text
    assert made.computed == 2


async def _a_version(world, pad):
    """A version that says rolls, which the document then says no more."""
    await world.ask("grace", EDIT, id=pad, e={"replace": "# Plan\n\nMilk and rolls"})
    world.later()
    await cut_ended(world.ports.store, world.ports.versions, world.ports.clock, pad)
    await world.ask("grace", EDIT, id=pad, e={"replace": "# Plan\n\nMilk"})


async def test_nothing_is_computed_for_those_who_may_not_edit(world, counted, pad):
    slow, made, _ = counted
    made.may_end.set()
    handbook = await world.item("grace", "Handbook")
    assert await slow.refused("gus", EDIT, id=pad, e={"append": "x"}) == "NOT_FOUND"
    assert await slow.refused("gus", IMPORT, id=pad, u="AAA=") == "NOT_FOUND"
    assert await slow.refused("ben", EDIT, id=handbook, e={"append": "x"}) == "NOT_A_DOCUMENT"
    assert made.computed == 0


async def test_a_document_that_is_trashed_while_an_edit_is_computed_is_not_there(world, counted, pad):
    slow, made, _ = counted
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
        task = tasks.create_task(slow.refused("ben", EDIT, id=pad, e={"append": "x"}))
        await made.ready.wait()
        await world.ask("grace", TRASH, id=pad)
        made.may_end.set()
        assert await task == "NOT_FOUND"


WAYS = {
    "edit": (EDIT, {"e": {"append": "rolls"}}),
    "import": (IMPORT, {"u": base64.b64encode(from_tree(parse("rolls"), 77)).decode()}),
    "restore": (RESTORE, {"n": 1}),
    "undo": (UNDO, {"u": "grace"}),
    "a try": (APPLY, {"append": "rolls", "dry": True}),
    "an undo that is tried": (UNDO, {"u": "grace", "dry": True}),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["key", "session"])
async def test_a_change_whose_credential_ends_while_it_is_computed_is_not_made(world, counted, pad, way, kind):
    slow, made, _ = counted
    await _a_version(world, pad)
    before, browser = await text_of(world, pad), await world.browser_of("ben")
    query, given = WAYS[way]
    if "u" in given and way != "import":
        given = given | {"u": world.callers["grace"].user_id}
    who = "ben" if kind == "key" else browser
    ended = world.callers[who].credential.id
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
        task = tasks.create_task(slow.refused(who, query, id=pad, **given))
        await made.ready.wait()
        await world.ask(browser, REVOKE if kind == "key" else END, id=ended)
        made.may_end.set()
        assert await task == "UNAUTHORIZED"
    assert await text_of(world, pad) == before


async def test_an_import_that_is_repeated_is_not_computed_again(world, counted, pad):
    slow, made, _ = counted
    made.may_end.set()
    query, asked = WAYS["import"]
    caller = slow.callers["ben"]
    for _ in range(2):
        once = IdempotencyKey(caller.user_id, "documents.import", "a key", "the same request")
        result = await SCHEMA.execute(query, {"id": pad, **asked}, {"context": Context(slow.ports, caller, once)})
        assert result.errors is None
    assert made.computed == 1
    assert (await text_of(world, pad)).count("rolls") == 1


async def test_an_applied_edit_that_is_repeated_is_told_again_as_it_was(world, pad):
    caller = world.callers["ben"]
    await world.ask("grace", EDIT, id=pad, e={"passages": [{"old": "bread", "new": "bread, eggs"}]})
    told = []
    for _ in range(2):
        once = IdempotencyKey(caller.user_id, "documents.edit", "one more key", "the same request")
        context = Context(world.ports, caller, once)
        asked = {"id": pad, "replace": "# Plan", "base": 1}
        result = await SCHEMA.execute(APPLY, asked, {"context": context})
        assert result.errors is None
        told.append(result.data["editDocument"])
        await world.ask("grace", EDIT, id=pad, e={"append": "later"})
    assert told[0] == told[1]
    assert told[0]["kept"] == [{"path": [1], "notDone": "deleted"}]
    assert (await text_of(world, pad)).count("later") == 2


async def test_an_applied_edit_that_is_repeated_is_told_again_though_others_wrote_while_it_was_computed(
    world, counted, pad
):
    """It was computed from a revision in which nobody had written yet what is there twice now."""
    slow, made, _ = counted
    asked, told = {"id": pad, "passages": [{"old": "bread", "new": "rolls"}]}, []

    async def apply():
        once = IdempotencyKey(slow.callers["ben"].user_id, "documents.edit", "a third key", "the same request")
        result = await SCHEMA.execute(APPLY, asked, {"context": Context(slow.ports, slow.callers["ben"], once)})
        assert result.errors is None
        told.append(result.data["editDocument"])

    async with asyncio.timeout(PATIENCE):
        first = asyncio.create_task(apply())
        await made.ready.wait()
        await world.ask("grace", EDIT, id=pad, e={"append": "no bread"})
        made.may_end.set()
        await first
        await world.ask("grace", EDIT, id=pad, e={"append": "at all"})
        await apply()
    assert told[0] == told[1]
    assert told[0]["markdown"] == "# Plan\n\nMilk and rolls\n\nno bread\n"


@pytest.mark.parametrize("asked", [{"append": "x"}, {"append": "x", "dry": True}, {"replace": "x", "base": 1}])
async def test_a_right_that_ends_while_an_edit_is_computed_and_a_request_that_is_cancelled_leave_nothing(
    world, counted, pad, asked
):
    slow, made, _ = counted
    before = await text_of(world, pad)
    async with asyncio.timeout(PATIENCE):
        cancelled = asyncio.create_task(slow.ask("agent", APPLY, id=pad, **asked))
        await made.ready.wait()
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        assert await text_of(world, pad) == before
        made.ready.clear()
        revoked = asyncio.create_task(slow.run("agent", APPLY, id=pad, **asked))
        await made.ready.wait()
        drive = (await world.ask("grace", DRIVE, id=pad))["driveItem"]["driveId"]
        removed = "mutation($d: ID!, $u: ID!) { removeMember(driveId: $d, userId: $u) { userId } }"
        await world.ask("grace", removed, d=drive, u=world.callers["agent"].user_id)
        made.may_end.set()
        told = await revoked
    assert await text_of(world, pad) == before
    assert told.errors[0].extensions["code"] == "NOT_FOUND"
