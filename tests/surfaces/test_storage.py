"""Whether a drive stores no more than its quota, on a server where that is small."""

import random
from base64 import b64encode
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from types import SimpleNamespace

import pytest
from PIL import Image
from websockets.exceptions import ConnectionClosed

from accounts.provisioning import Person as Account
from accounts.provisioning import record
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.history import EditedBy
from domain.values import Email
from domain.version import VersionCut
from live import codec
from tests.support.processes.servers import eventually, sync_websocket
from tests.support.surfaces.callers import Person
from tests.support.surfaces.fixtures import client_of

QUOTA = 150_000
LARGE = "words " * 15_000  # fits into an empty drive, and not into one that has as much already
IMPORT = """mutation($d: ID!, $u: String!) { importYjsUpdate(documentId: $d, update: $u) { id } }"""
STORAGE = "query($d: ID!) { drive(id: $d) { storage { used limit } } }"
STORAGE_OF_EACH = "{ drives(first: 50) { nodes { id storage { used limit } } } }"


@pytest.fixture(scope="module")
def small(running):
    """The people of a server whose drives store little."""
    with running("--drive-bytes", str(QUOTA), "--no-rate-limits") as server, client_of(server) as client:
        yield SimpleNamespace(
            **{name: Person.of(server, name, client) for name in server.credentials["users"]}, server=server
        )


def append(person, document, text, surface="rest"):
    return person.on(surface).ask("documents.edit", documentId=document, append=text)


def filled(person, drive):
    """Make a document in a drive, and fill the drive with it."""
    document = person.document(drive)
    for size in (15_000, 5_000, 2_000, 500, 100, 20, 5):
        while append(person, document, "words " * size).code != "STORAGE_FULL":
            pass
    return document


def names_in(person, drive):
    found = person.gql("query($d: ID!) { drive(id: $d) { items { nodes { name } } } }", d=drive)
    return [each["name"] for each in found["items"]["nodes"]]


def markdown(person, document):
    return person.do("documents.read", documentId=document)["markdown"]


def closed(socket):
    """Read to the end, and return with what code and reason it came."""
    with suppress(ConnectionClosed):
        while True:
            socket.recv()
    return socket.close_code, socket.close_reason


def used(person, drive):
    return person.do("drives.get", driveId=drive)["drive"]["storage"]["used"]


def counted(person, drive, expected):
    return eventually(lambda: expected(used(person, drive)), origin=person.server.origin)


def test_what_would_pass_the_quota_is_refused_on_every_surface_and_changes_nothing(small, surface):
    ada = small.ada
    drive = ada.drive(surface)
    document, other = ada.document(drive), ada.document(ada.drive("Elsewhere"))
    assert append(ada, document, LARGE).status == 200
    assert append(ada, other, LARGE).status == 200
    before = ada.get(document)["item"]["revision"]
    refused = [append(ada, document, LARGE, surface)]
    counted(ada, ada.get(other)["item"]["driveId"], lambda bytes_: bytes_ > 90_000)
    refused.append(ada.on(surface).ask("driveItems.move", itemId=other, driveId=drive, parentId=None))
    refused.append(ada.on(surface).ask("driveItems.duplicate", itemId=document))
    assert [(said.code, said.status) for said in refused] == [("STORAGE_FULL", 409)] * 3
    assert "delete what it does not need for ever" in refused[0].message
    assert ada.get(document)["item"]["revision"] == before
    assert append(ada, document, "a few words", surface).status == 200


def test_a_folder_is_copied_where_there_is_room_and_nothing_of_it_where_there_is_none(small):
    ada = small.ada
    full, folder = ada.drive("Full"), ada.folder(ada.drive("Source"))
    few, many = ada.document(folder, "Few"), ada.document(folder, "Many")
    append(ada, few, "a few words")
    append(ada, many, LARGE)
    filled(ada, full)
    names = names_in(ada, full)
    said = ada.rest.ask("driveItems.duplicate", itemId=folder, driveId=full)
    assert (said.code, said.status) == ("STORAGE_FULL", 409)
    assert names_in(ada, full) == names
    made = ada.do("driveItems.duplicate", itemId=folder, driveId=ada.drive("Roomy"))["item"]
    below = ada.gql("query($i: ID!) { driveItem(id: $i) { children { nodes { name } } } }", i=made["id"])
    assert [each["name"] for each in below["children"]["nodes"]] == ["Few", "Many"]


def test_imports_images_undo_and_restored_versions_count_like_edits(small):
    ada = small.ada
    document = ada.document(ada.drive("Imports"))
    update = from_tree(parse(LARGE), 1)
    assert ada.graphql.post(IMPORT, d=document, u=b64encode(update).decode()).status == 200
    more = b64encode(from_tree(parse(LARGE), 2)).decode()
    assert ada.graphql.post(IMPORT, d=document, u=more).code == "STORAGE_FULL"
    noise = random.Random(1).randbytes(3 * 200 * 200)
    Image.frombytes("RGB", (200, 200), noise).save(file := BytesIO(), "PNG")
    said = ada.rest.ask("driveItems.uploadImage", itemId=document, file=file.getvalue())
    assert (said.code, said.status) == ("STORAGE_FULL", 409)
    item, at = ada.get(document)["item"], datetime.now(UTC)
    cut = VersionCut(document, item["driveId"], 1, item["revision"], at, len(update), (EditedBy(ada.id, None, at),))
    account = Account(ada.id, ada.name, Email(ada.email))
    ada.operator(lambda store: record(store, account.credit, [cut]))
    ada.do("documents.edit", documentId=document, replace="Little", base=item["revision"])
    assert ada.rest.ask("documents.undoChanges", documentId=document, last=True).code == "STORAGE_FULL"
    assert ada.rest.ask("documents.restoreVersion", documentId=document, number=1).code == "STORAGE_FULL"
    assert markdown(ada, document) == "Little\n"


def test_a_full_drive_takes_deletions_and_gives_space_back_for_what_is_deleted_for_ever(small):
    ada = small.ada
    drive = ada.drive("Full")
    document, beside = ada.document(drive), filled(ada, drive)
    assert append(ada, document, "words " * 100).code == "STORAGE_FULL"
    base = ada.get(beside)["item"]["revision"]
    said = ada.rest.ask("documents.edit", documentId=beside, replace="words", base=base)
    assert said.status == 200
    assert said.data["markdown"] == "words\n"
    counted(ada, drive, lambda bytes_: bytes_ > QUOTA - 5_000)
    ada.trash(beside)
    assert append(ada, document, "words " * 100).code == "STORAGE_FULL"
    ada.gql("mutation($i: ID!) { deleteItemForever(itemId: $i) { id } }", i=beside)
    counted(ada, drive, lambda bytes_: bytes_ < 1_000)
    assert append(ada, document, LARGE).status == 200


def test_whoever_writes_more_by_a_socket_is_told_so_and_others_go_on(small):
    ada = small.ada
    drive = ada.drive("Live")
    document = ada.document(drive)
    append(ada, document, LARGE)
    at = f"{small.server.origin.replace('http', 'ws')}/collaboration/{document}"
    with (
        sync_websocket(at, additional_headers={"x-api-key": ada.key}) as mine,
        sync_websocket(at, additional_headers={"x-api-key": ada.key}) as other,
    ):
        for socket in (mine, other):
            socket.send(codec.step1(b"\0"))
        mine.send(codec.update(from_tree(parse("taken"), 7)))
        mine.send(codec.update(from_tree(parse(LARGE), 8)))
        assert closed(mine) == (4413, "STORAGE_FULL")
        other.send(codec.update(from_tree(parse("also taken"), 9)))
        read = eventually(lambda: "also taken" in (text := markdown(ada, document)) and text)
    assert read.startswith("taken\n\nalso taken\n\nwords")
    assert read.count("words") == LARGE.count("words")


def test_members_see_what_a_drive_stores_and_nobody_else_does(small):
    ada, gus = small.ada, small.gus
    drive = ada.drive("Seen")
    document = ada.document(drive)
    append(ada, document, LARGE)
    counted(ada, drive, lambda bytes_: bytes_ > 80_000)
    stored = ada.gql(STORAGE, d=drive)["storage"]
    assert stored == {"used": used(ada, drive), "limit": QUOTA}
    each = {node["id"]: node["storage"] for node in ada.gql(STORAGE_OF_EACH)["nodes"]}
    assert each[drive] == stored
    assert {found["limit"] for found in each.values()} == {QUOTA}
    ada.share(document, gus.email)
    assert gus.gql("query($i: ID!) { driveItem(id: $i) { drive { storage { used } } } }", i=document) == {
        "drive": {"storage": None}
    }
