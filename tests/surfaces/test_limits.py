"""Whether limits and rates hold and lists go on, on a server where all of them are near."""

import socket
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from service.fresh import new_id

from .callers import Person
from .conftest import client_of
from .running import running

RENAME = "mutation($i: ID!, $n: ItemName!) { renameItem(itemId: $i, name: $n) { id } }"
RESTORE = "mutation($i: ID!) { restoreItem(itemId: $i) { id } }"


LIMITS = (
    *("--most-grants", "1", "--most-depth", "2", "--most-folder-children", "1", "--most-members", "2"),
    *("--listed-items", "3", "--body-bytes", "2000", "--no-rate-limits"),
)
# a token comes back each half minute: longer than any test asks on
RATES = ("--writes-per-minute", "2", "--images-per-minute", "2")


def people(server, client):
    return SimpleNamespace(**{name: Person.of(server, name, client) for name in server.credentials["users"]})


@pytest.fixture(scope="module")
def strict(another_database):
    """The people of a server with small limits."""
    with running(*LIMITS, DATABASE_URL=another_database()) as server, client_of(server) as client:
        yield people(server, client)


@pytest.fixture(scope="module")
def slow(another_database):
    """The people of a server that lets nobody write much."""
    with running(*RATES, DATABASE_URL=another_database()) as server, client_of(server) as client:
        yield people(server, client)


def test_limits_are_said_to_be_reached_and_deep_trees_to_be_deep(strict, surface):
    ada = strict.ada
    drive = ada.drive(surface, manager=strict.ben)
    top = ada.folder(drive)
    middle = ada.folder(top)
    ada.share(top, "one@newcomers.example")
    on = ada.on(surface)
    refused = {
        "too many grants": on.ask("driveItems.share", itemId=top, email="b@x.example", permission="read_only"),
        "too many children": on.ask("driveItems.createChild", itemId=top, name="Two", driveItemType="folder"),
        "too many members": on.ask("drives.upsertMember", driveId=drive, userId=strict.cleo.id, role="manager"),
    }
    assert {what: (said.code, said.status) for what, said in refused.items()} == dict.fromkeys(
        refused, ("LIMIT_EXCEEDED", 409)
    )
    deep = on.ask("driveItems.createChild", itemId=middle, name="Three", driveItemType="folder")
    assert (deep.code, deep.status) == ("TREE_TOO_DEEP", 409)
    beside = ada.folder(drive)
    ada.folder(beside)
    deep = on.ask("driveItems.move", itemId=beside, driveId=drive, parentId=middle)
    assert deep.code == "TREE_TOO_DEEP"


def test_what_comes_back_from_the_trash_needs_room(strict):
    ada = strict.ada
    top = ada.folder(ada.drive("Full"))
    first = ada.document(top)
    ada.trash(first)
    second = ada.document(top)
    assert ada.graphql.post(RESTORE, i=first).code == "LIMIT_EXCEEDED"
    ada.trash(second)
    assert ada.restore(first)["parentId"] == top


def test_whoever_writes_too_often_waits_on_all_surfaces_and_may_read_meanwhile(slow):
    ben = slow.ben
    answers = [ben.rest.ask("driveItems.rename", itemId=new_id(), name="a") for _ in range(3)]
    assert [said.status for said in answers] == [404, 404, 429]
    last = answers[-1].response
    assert (answers[-1].code, int(last.headers["retry-after"]) > 0) == ("TOO_MANY_REQUESTS", True)
    assert last.headers["ratelimit"].startswith('"writes";r=0')
    assert last.headers["ratelimit-policy"] == '"writes";q=2;w=60'
    refused = ben.graphql.post(RENAME, i=new_id(), n="a")
    assert (refused.code, refused.response.status_code) == ("TOO_MANY_REQUESTS", 429)
    assert int(refused.response.headers["retry-after"]) > 0
    refused = ben.mcp.ask("driveItems.rename", itemId=new_id(), name="a")
    assert (refused.code, int(refused.response.headers["retry-after"]) > 0) == ("TOO_MANY_REQUESTS", True)
    assert refused.response.headers["ratelimit-policy"] == '"writes";q=2;w=60'
    assert ben.mcp.ask("driveItems.rename", itemId=new_id()).code == "BAD_REQUEST"
    # 400 comes before 429, and 429 before what is there
    assert ben.rest.ask("driveItems.rename", itemId=new_id()).status == 400
    assert ben.rest.ask("drives.list").status == 200
    assert slow.cleo.rest.ask("driveItems.rename", itemId=new_id(), name="a").status == 404


def test_images_have_a_rate_of_their_own(slow):
    codes = [slow.cleo.rest.ask("driveItems.uploadImage", itemId=new_id()).code for _ in range(3)]
    assert codes == ["NOT_FOUND", "NOT_FOUND", "TOO_MANY_REQUESTS"]
    assert slow.cleo.rest.ask("driveItems.rename", itemId=new_id(), name="a").status == 404


def test_a_list_of_drives_that_is_too_long_goes_on_until_nothing_is_left_out(strict, surface):
    ada = strict.ada
    drive = ada.drive(f"List {surface}")
    made = {ada.document(drive) for _ in range(5)}
    first = ada.on(surface).ask("drives.list").data
    pages = [first]
    while pages[-1]["nextCursor"]:
        pages.append(ada.on(surface).ask("drives.list", cursor=pages[-1]["nextCursor"]).data)
    items = [item["id"] for page in pages for each in page["drives"] for item in each["items"]]
    assert len(items) == len(set(items))
    assert made <= set(items)
    assert all(sum(len(each["items"]) for each in page["drives"]) <= 3 for page in pages)
    ids = [each["id"] for each in first["drives"]]
    assert drive in ids
    for page in pages[1:]:
        assert all(each["items"] and each["id"] in ids for each in page["drives"])
    assert ada.on(surface).ask("drives.list", cursor="none_of_ours").code == "NOT_FOUND"
    malformed = ada.on(surface).ask("drives.list", cursor="no cursor of ours")
    assert malformed.code == "BAD_REQUEST"
    assert "cursor" in malformed.message


def test_nothing_is_compressed_on_a_socket_of_graphql(server, ada):
    url = urlsplit(server.origin)
    head = (
        "GET /graphql HTTP/1.1", f"host: {url.netloc}", "connection: upgrade", "upgrade: websocket",
        "sec-websocket-version: 13", "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==", f"x-api-key: {ada.key}",
        "sec-websocket-protocol: graphql-transport-ws", "sec-websocket-extensions: permessage-deflate", "\r\n",
    )  # fmt: skip
    with socket.create_connection((url.hostname, url.port), timeout=30) as connection:
        connection.sendall("\r\n".join(head).encode())
        told = b""
        while b"\r\n\r\n" not in told:
            told += connection.recv(4096)
    assert told.startswith(b"HTTP/1.1 101")
    assert b"permessage-deflate" not in told.lower()


def test_the_largest_body_is_a_setting(strict, surface):
    said = strict.grace.on(surface).ask("drives.create", name="a" * 3000)
    assert (said.code, said.status) == ("PAYLOAD_TOO_LARGE", 413)
