"""Items that are copied with all that lies below them."""

from datetime import timedelta

import pytest

from domain import duplicate
from domain.document import Image, ImageUploaded, copied_image_id
from domain.questions import ImagesOf, LiveTreeOf, LogOf
from graphql_api.ports import LockScope
from persistence.compaction import CompactionLog
from service.compactor import Compactor
from service.version_scheduler import cut_ended
from tests.graphql_api.world import NOW
from tests.support.documents.jobs import JOBS

CREATE = """mutation($drive: ID!, $name: ItemName!, $type: DriveItemType!, $content: String) {
  createItem(driveId: $drive, name: $name, driveItemType: $type, content: $content) { id } }"""
CHILD = """mutation($id: ID!, $name: ItemName!, $type: DriveItemType!, $content: String) {
  createChild(itemId: $id, name: $name, driveItemType: $type, content: $content) { id } }"""
COPY = """mutation($id: ID!, $drive: ID, $parent: ID, $name: ItemName) {
  duplicateItem(itemId: $id, driveId: $drive, parentId: $parent, name: $name) {
    id name driveId parentId revision published shares { email } createdBy { name agent } } }"""
APPEND = "mutation($id: ID!, $text: String!) { editDocument(documentId: $id, edit: {append: $text}) { revision } }"
SHARE = "mutation($id: ID!, $to: EmailAddress!) { shareItem(itemId: $id, email: $to, permission: read_only) { id } }"
PUBLISH = "mutation($id: ID!) { setPublication(itemId: $id, published: true) { id } }"
TRASH = "mutation($id: ID!) { trashItem(itemId: $id) { id } }"
READ = """query($id: ID!) { document(id: $id) { markdown authors { name agent }
  attributions { start end by { name agent } } } }"""
CHANGES = """query($id: ID!) { documentChanges(documentId: $id, sinceRevision: 1) {
  nodes { kind inserted by { name } } } }"""
CHILDREN = "query($id: ID!) { driveItem(id: $id) { children { nodes { id name } } } }"
ADA, AGENT, BEN = ("Ada Lovelace", None), ("Ada Lovelace", "research-assistant"), ("Ben Franklin", None)


async def created(world, name, content=None, *, kind="docs_workbook", below=None, who="ada"):
    if below:
        made = await world.ask(who, CHILD, id=below, name=name, type=kind, content=content)
        return made["createChild"]["id"]
    drive = await world.drive(who, "Engineering")
    return (await world.ask(who, CREATE, drive=drive, name=name, type=kind, content=content))["createItem"]["id"]


async def copy(world, item, who="ada", **where):
    return (await world.ask(who, COPY, id=item, **where))["duplicateItem"]


async def children(world, folder, who="ada"):
    return {
        each["name"]: each["id"]
        for each in (await world.ask(who, CHILDREN, id=folder))["driveItem"]["children"]["nodes"]
    }


async def read(world, document, who="ada"):
    return (await world.ask(who, READ, id=document))["document"]


def authors(document):
    return [(each["by"]["name"], each["by"]["agent"]) for each in document["attributions"]]


async def test_a_copy_says_the_same_and_credits_who_wrote_it(world):
    original = await created(world, "Plan", "from Ada")
    await world.ask("agent", APPEND, id=original, text="from an agent")
    await world.ask("ben", APPEND, id=original, text="from Ben")
    made = await copy(world, original, "grace")
    assert (made["name"], made["revision"], made["createdBy"]["name"]) == ("Copy of Plan", 1, "Grace Hopper")
    document = await read(world, made["id"])
    assert document["markdown"] == "from Ada\n\nfrom an agent\n\nfrom Ben\n"
    assert authors(document) == [ADA, AGENT, BEN]
    assert {each["name"] for each in document["authors"]} == {"Ada Lovelace", "Ben Franklin", "Grace Hopper"}


async def test_a_copy_is_edited_listed_and_undone_like_any_document(world):
    made = await copy(world, await created(world, "Plan", "from Ada"), "grace")
    await world.ask("ben", APPEND, id=made["id"], text="from Ben")
    assert authors(await read(world, made["id"])) == [ADA, BEN]
    changes = (await world.ask("grace", CHANGES, id=made["id"]))["documentChanges"]["nodes"]
    assert [(each["inserted"], each["by"]["name"]) for each in changes] == [("from Ben", "Ben Franklin")]
    undo = "mutation($id: ID!) { undoChanges(documentId: $id, last: true) { revision } }"
    await world.ask("ben", undo, id=made["id"])
    assert (await read(world, made["id"]))["markdown"] == "from Ada\n"


async def test_what_happened_to_a_copy_is_told_also_once_its_first_edit_is_compacted(world):
    made = (await copy(world, await created(world, "Plan", "from Ada"), "grace"))["id"]
    await world.ask("grace", APPEND, id=made, text="from Grace")
    store, now = world.ports.store, NOW + timedelta(days=3)
    await cut_ended(store, world.ports.versions, lambda: now, made)
    await Compactor(CompactionLog(store, rows=10, from_bytes=10**9), JOBS, lambda: now + timedelta(hours=1)).turn()
    changes = "query($id: ID!) { documentChanges(documentId: $id) { nodes { inserted } } }"
    told = (await world.ask("grace", changes, id=made))["documentChanges"]["nodes"]
    assert "from Grace" in [each["inserted"] for each in told]
    versions = "query($id: ID!) { documentVersions(documentId: $id) { nodes { number } } }"
    numbers = [each["number"] for each in (await world.ask("grace", versions, id=made))["documentVersions"]["nodes"]]
    assert numbers == [2, 1]
    assert authors(await read(world, made)) == [ADA, ("Grace Hopper", None)]


async def test_what_was_deleted_is_not_in_the_copy(world):
    original = await created(world, "Plan", "a secret\n\nthe rest")
    edit = """mutation($id: ID!) { editDocument(documentId: $id, edit: {passages: [{old: "a secret", new: "nothing"}]}) { revision } }"""
    await world.ask("ada", edit, id=original)
    made = await copy(world, original)
    log = await world.ports.store.read(LogOf(made["id"]))
    assert b"secret" not in b"".join([log.snapshot, *(each.update for each in log.log)])


async def test_all_below_is_copied_but_shares_pages_and_the_trash(world):
    folder = await created(world, "Project", kind="folder")
    inner = await created(world, "Notes", kind="folder", below=folder)
    page = await created(world, "Page", "public", below=inner)
    gone = await created(world, "Gone", "gone", below=inner)
    await created(world, "Chart", kind="viz_workbook", below=folder)
    await world.ask("ada", PUBLISH, id=page)
    await world.ask("ada", SHARE, id=folder, to="cleo@acme.example")
    await world.ask("ada", TRASH, id=gone)
    made = await copy(world, folder, name="Second")
    assert (made["name"], made["shares"]) == ("Second", [])
    below = await children(world, made["id"])
    assert [*below] == ["Chart", "Notes"]
    assert "Jan" in (await read(world, below["Chart"]))["markdown"]
    notes = await children(world, below["Notes"])
    assert [*notes] == ["Page"]
    published = await world.ask("ada", "query($id: ID!) { driveItem(id: $id) { published } }", id=notes["Page"])
    assert published["driveItem"]["published"] is False
    assert not {folder, inner, page} & {made["id"], *below.values(), *notes.values()}


async def test_links_inside_what_is_copied_lead_to_the_copies_and_others_stay(world):
    folder = await created(world, "Project", kind="folder")
    other = await created(world, "Elsewhere", "x")
    first = await created(world, "First", "x", below=folder)
    text = f"[own](http://drive.example/doc/{first}) [path](/doc/{first}) [other](/doc/{other}) [far](http://far.example/{first})"
    await created(world, "Second", text, below=folder)
    below = await children(world, (await copy(world, folder))["id"])
    assert (await read(world, below["Second"]))["markdown"] == (
        text.replace(f"drive.example/doc/{first}", f"drive.example/doc/{below['First']}").replace(
            f"(/doc/{first})", f"(/doc/{below['First']})"
        )
        + "\n"
    )


async def test_images_become_those_of_the_copy(world):
    original = await created(world, "Plan", "x")
    image, drive = world.ports.ids(), await world.drive("ada", "Engineering")
    event = ImageUploaded(Image(image, original, "image/png", 1, 1, 8, world.ports.clock(), image), drive)
    caller = world.callers["ada"]
    await world.ports.store.transact(
        LockScope(), lambda under: under.record([event], caller.credit, world.ports.clock())
    )
    await world.ask("ada", APPEND, id=original, text=f"![a](/images/{image})")
    made = (await copy(world, original))["id"]
    assert (await read(world, made))["markdown"] == f"x\n\n![a](/images/{copied_image_id(image, made)})\n"
    (found,) = await world.ports.store.read(ImagesOf(made))
    assert (found.id, found.blob) == (copied_image_id(image, made), image)


async def test_a_copy_is_made_in_the_place_that_is_named(world):
    drive, own = await world.drive("ada", "Engineering"), await world.drive("ada", "Ada Lovelace")
    folder = await created(world, "Folder", kind="folder")
    original = await created(world, "Plan", "x", below=folder)
    places = [
        (await copy(world, original, **where)) for where in ({}, {"drive": own}, {"drive": drive}, {"parent": folder})
    ]
    assert [(each["driveId"], each["parentId"]) for each in places] == [
        (drive, folder), (own, None), (drive, None), (drive, folder),
    ]  # fmt: skip
    assert await world.refused("ada", COPY, id=original, drive=own, parent=folder) == "PARENT_NOT_IN_DRIVE"
    assert await world.refused("ada", COPY, id=original, parent=original) == "NOT_A_FOLDER"


async def test_whoever_may_read_copies_to_where_they_may_create(world):
    folder = await created(world, "Folder", kind="folder")
    original = await created(world, "Plan", "x", below=folder)
    assert await world.refused("cleo", COPY, id=original) == "NOT_FOUND"
    await world.ask("ada", SHARE, id=original, to="cleo@acme.example")
    code, message = await world.told("cleo", COPY, id=original)
    assert code == "FORBIDDEN"
    assert "`driveId` or `parentId`" in message
    assert await world.refused("cleo", COPY, id=original, parent=folder) == "NOT_FOUND"
    own = await world.drive("cleo", "Cleo Strand")
    assert (await copy(world, original, "cleo", drive=own))["driveId"] == own
    await world.ask("ada", TRASH, id=original)
    assert await world.refused("cleo", COPY, id=original, drive=own) == "NOT_FOUND"


@pytest.mark.parametrize("bound", ["MAX_ITEMS", "MAX_BYTES"])
async def test_what_is_too_large_to_copy_at_once_is_refused_and_nothing_is_made(world, monkeypatch, bound):
    folder = await created(world, "Folder", kind="folder")
    await created(world, "Plan", "x" * 100, below=folder)
    before = await children(world, folder)
    monkeypatch.setattr(duplicate, bound, 1)
    code, message = await world.told("ada", COPY, id=folder, parent=folder)
    assert (code, "at once" in message) == ("LIMIT_EXCEEDED", True)
    assert await children(world, folder) == before


async def test_a_folder_is_copied_into_itself_as_it_was(world):
    folder = await created(world, "Folder", kind="folder")
    await created(world, "Plan", "x", below=folder)
    made = await copy(world, folder, parent=folder)
    assert [*await children(world, folder)] == ["Copy of Folder", "Plan"]
    assert [*await children(world, made["id"])] == ["Plan"]


async def test_a_tree_of_as_many_items_as_are_copied_at_once_is_copied_and_one_more_is_refused(world):
    root = await created(world, "Root", kind="folder")
    sizes = {}  # of the copies in the root, by their ids
    while (whole := 1 + sum(sizes.values())) < 512:
        sizes[(await copy(world, root, parent=root, name=f"Copy {whole}"))["id"]] = whole
    for folder, size in sorted(sizes.items(), key=lambda each: -each[1]):
        if whole + size <= duplicate.MAX_ITEMS:
            await copy(world, folder, parent=root, name=f"Again {size}")
            whole += size
    assert whole == duplicate.MAX_ITEMS
    made = await copy(world, root, name="All")
    tree = await world.ports.store.read(LiveTreeOf(made["id"]))
    assert len(tree.items) == duplicate.MAX_ITEMS
    assert len({each.id for each in tree.items}) == duplicate.MAX_ITEMS
    await created(world, "One more", below=root)
    assert await world.refused("ada", COPY, id=root, name="Too many") == "LIMIT_EXCEEDED"
    drive = await world.drive("ada", "Engineering")
    items = await world.ask("ada", "query($id: ID!) { drive(id: $id) { items { nodes { name } } } }", id=drive)
    assert "Too many" not in {each["name"] for each in items["drive"]["items"]["nodes"]}


async def test_a_copy_by_somebody_who_sees_a_part_of_a_drive_holds_nothing_of_the_rest(world):
    outer = await created(world, "Outer", kind="folder")
    secret = await created(world, "Secret", "not for Cleo", below=outer)
    inner = await created(world, "Inner", kind="folder", below=outer)
    gone = await created(world, "Gone", "gone", below=inner)
    text = f"[secret](/doc/{secret}) [gone](/doc/{gone}) [up](/folder/{outer}) [here](/folder/{inner})"
    await created(world, "Page", text, below=inner)
    await world.ask("ada", TRASH, id=gone)
    await world.ask("ada", SHARE, id=inner, to="cleo@acme.example")
    own = await world.drive("cleo", "Cleo Strand")
    assert await world.refused("cleo", COPY, id=outer, drive=own) == "NOT_FOUND"
    assert await world.refused("cleo", COPY, id=secret, drive=own) == "NOT_FOUND"
    made = await copy(world, inner, "cleo", drive=own)
    below = await children(world, made["id"], "cleo")
    assert [*below] == ["Page"]
    page = await read(world, below["Page"], "cleo")
    assert page["markdown"] == text.replace(f"/folder/{inner}", f"/folder/{made['id']}") + "\n"
