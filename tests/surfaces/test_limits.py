"""Whether limits and rates hold and lists go on, on a server where all of them are near."""

import re
import socket
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from graphql_api.system import new_id
from tests.support.processes.rates import told_so, until_refused
from tests.support.processes.servers import PATIENCE
from tests.support.surfaces.callers import Person
from tests.support.surfaces.fixtures import client_of
from tests.support.web.visitors import Visitor

RENAME = "mutation($i: ID!, $n: ItemName!) { renameItem(itemId: $i, name: $n) { id } }"
RESTORE = "mutation($i: ID!) { restoreItem(itemId: $i) { id } }"


LIMITS = (
    *("--most-grants", "1", "--most-depth", "2", "--most-folder-children", "1", "--most-members", "2"),
    *("--listed-items", "3", "--body-bytes", "2000", "--no-rate-limits"),
)
RATES = ("--writes-per-minute", "2", "--images-per-minute", "2")


def is_one_too_many(said):
    return said.code == "TOO_MANY_REQUESTS"


def people(server, client):
    return SimpleNamespace(**{name: Person.of(server, name, client) for name in server.credentials["users"]})


@pytest.fixture(scope="module")
def strict(running):
    """The people of a server with small limits."""
    with running(*LIMITS) as server, client_of(server) as client:
        yield people(server, client)


@pytest.fixture(scope="module")
def slow(running):
    """The people of a server that lets nobody write much."""
    with running(*RATES) as server, client_of(server) as client:
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

    def rename(surface):
        return until_refused(lambda: surface.ask("driveItems.rename", itemId=new_id(), name="a"), 2, is_one_too_many)

    *let_in, refused = rename(ben.rest)
    assert len(let_in) >= 2
    assert {said.status for said in let_in} == {404}
    last = refused.response
    assert (refused.status, int(last.headers["retry-after"]) > 0) == (429, True)
    assert last.headers["ratelimit"].startswith('"writes";r=0')
    assert last.headers["ratelimit-policy"] == '"writes";q=2;w=60'
    *_, refused = until_refused(lambda: ben.graphql.post(RENAME, i=new_id(), n="a"), 2, is_one_too_many)
    assert refused.response.status_code == 429
    assert int(refused.response.headers["retry-after"]) > 0
    *_, refused = rename(ben.mcp)
    assert int(refused.response.headers["retry-after"]) > 0
    assert refused.response.headers["ratelimit-policy"] == '"writes";q=2;w=60'
    assert ben.mcp.ask("driveItems.rename", itemId=new_id()).code == "BAD_REQUEST"
    # 400 comes before 429, and 429 before what is there
    assert ben.rest.ask("driveItems.rename", itemId=new_id()).status == 400
    assert ben.rest.ask("drives.list").status == 200
    assert slow.cleo.rest.ask("driveItems.rename", itemId=new_id(), name="a").status == 404


def test_an_agent_that_spends_all_it_may_on_any_surface_leaves_a_quarter_to_its_own_person(running):
    with running("--reads-per-minute", "4") as server, client_of(server) as client:
        ada = Person.of(server, "ada", client)
        agent = replace(ada, key=server.credentials["agentKey"]["apiKey"])
        with Visitor(server.origin) as visitor:
            account = server.credentials["users"]["ada"]
            assert visitor.sign_in(account["email"], account["password"]).status_code == 303
            asked = [on.ask("drives.list") for on in (agent.rest, ada.graphql, agent.mcp)]
            assert [said.status for said in asked] == [200] * 3
            policies = {said.response.headers["ratelimit-policy"] for said in asked}
            assert policies == {'"reads";q=3;w=60'}
            for on in (agent.rest, agent.graphql, agent.mcp, ada.rest):
                *_, refused = until_refused(lambda on=on: on.ask("drives.list"), 4, is_one_too_many)
                assert int(refused.response.headers["retry-after"]) > 0
            *answers, _ = until_refused(lambda: visitor.graphql("{ viewer { id } }"), 4, told_so)
    assert {answer.status_code for answer in answers} == {200}, "one at least is let in"
    assert answers[0].headers["ratelimit-policy"] == '"reads";q=4;w=60'
    assert answers[-1].headers["ratelimit"].startswith('"reads";r=0;')


KEY, JSON = {"x-api-key": "{key}"}, {"content-type": "application/json"}
MCP, TOOLS = "/api/v1/mcp", b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
UNKNOWN = "00000000-0000-7000-8000-000000000000"
HANDSHAKE = {
    "connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
}  # fmt: skip
ANSWERS = {  # method, path, headers, body, status and the rate that is told of
    "REST": ("GET", "/api/v1/drives", KEY, b"", 200, "reads"),
    "nobody over REST": ("GET", "/api/v1/drives", {}, b"", 401, "failed-sign-ins"),
    "a wrong key": ("GET", "/api/v1/drives", {"x-api-key": "cdr_"}, b"", 401, "failed-sign-ins"),
    "a bad body": ("POST", "/api/v1/drives", KEY | JSON, b"{", 400, "writes"),
    "another kind of body": ("POST", "/api/v1/drives", KEY, b"{}", 415, "writes"),
    "a long body": ("POST", "/api/v1/drives", KEY | JSON, b" " * 1_100_000, 413, "writes"),
    "an unknown id": ("GET", f"/api/v1/documents/{UNKNOWN}", KEY, b"", 404, "reads"),
    "an unknown path": ("GET", "/api/v1/nothing", KEY, b"", 404, "reads"),
    "an unknown method": ("PUT", "/api/v1/drives", KEY, b"", 405, "writes"),
    "a preflight": ("OPTIONS", "/api/v1/drives", {}, b"", 204, "failed-sign-ins"),
    "a head": ("HEAD", "/api/v1/drives", KEY, b"", 200, "reads"),
    "the description": ("GET", "/api/v1/openapi.json", {}, b"", 200, "failed-sign-ins"),
    "an upload": ("POST", f"/api/v1/drive-items/{UNKNOWN}/images", KEY, b"", 415, "writes"),
    "an image": ("GET", f"/images/{UNKNOWN}", KEY, b"", 404, "reads"),
    "MCP": ("POST", MCP, KEY | JSON, TOOLS, 200, "reads"),
    "nobody over MCP": ("POST", MCP, JSON, TOOLS, 401, "failed-sign-ins"),
    "no message": ("POST", MCP, KEY | JSON, b"{", 400, "writes"),
    "a foreign page": ("POST", MCP, KEY | JSON | {"origin": "https://a.example"}, TOOLS, 403, "writes"),
    "no stream": ("GET", MCP, KEY, b"", 405, "reads"),
    "GraphQL": ("POST", "/graphql", KEY | JSON, b'{"query": "{ viewer { id } }"}', 200, "reads"),
    "nobody over GraphQL": ("POST", "/graphql", JSON, b"{}", 401, "failed-sign-ins"),
    "no GraphQL": ("POST", "/graphql", KEY | JSON, b"{", 400, "writes"),
    "another kind of GraphQL": ("POST", "/graphql", KEY, b"{}", 415, "writes"),
    "a long query": ("POST", "/graphql", KEY | JSON, b" " * 1_100_000, 400, "writes"),
    "an odd agent": ("GET", "/graphql?query={viewer{id}}", KEY | {"x-service-agent": "\t"}, b"", 400, "reads"),
    "a mutation by GET": ("GET", '/graphql?query=mutation{createDrive(name:"a"){id}}', KEY, b"", 405, "writes"),
    "an unknown method of GraphQL": ("PUT", "/graphql", KEY, b"", 405, "writes"),
    "a preflight of GraphQL": ("OPTIONS", "/graphql", {}, b"", 204, "failed-sign-ins"),
    "a page": ("GET", "/sign-in", {}, b"", 200, "failed-sign-ins"),
    "a page for others": ("GET", "/settings", {}, b"", 303, "failed-sign-ins"),
    "a published page": ("GET", "/p/nothing", {}, b"", 404, "published-reads"),
    "OAuth": ("POST", "/oauth/token", {}, b"", 400, "token-requests"),
    "metadata": ("GET", "/.well-known/oauth-authorization-server", {}, b"", 200, "failed-sign-ins"),
    "nothing": ("GET", "/nothing", {}, b"", 404, "failed-sign-ins"),
    "health": ("GET", "/healthz", {}, b"", 200, "failed-sign-ins"),
    "metrics": ("GET", "/metrics", {}, b"", 200, "failed-sign-ins"),
    "a key in the address": ("GET", "/collaboration?x-api-key=a", HANDSHAKE, b"", 401, "failed-sign-ins"),
    "a handshake elsewhere": ("GET", "/collaboration/a/b", HANDSHAKE | KEY, b"", 404, "failed-sign-ins"),
    "a wrong handshake": ("GET", "/collaboration", HANDSHAKE | {"upgrade": "b"}, b"", 404, "failed-sign-ins"),
    "two hosts": ("GET", "/api/v1/drives", {"Host": "a"}, b"", 400, "failed-sign-ins"),
}


@pytest.mark.parametrize(("method", "path", "headers", "body", "status", "rate"), ANSWERS.values(), ids=ANSWERS)
def test_every_answer_tells_what_is_left_of_a_rate(server, ada, method, path, headers, body, status, rate):
    answered, said = sent(
        server.origin, method, path, {name: text.format(key=ada.key) for name, text in headers.items()}, body
    )
    assert answered == status
    assert re.fullmatch(rf'"{rate}";q=\d+;w=\d+', said["ratelimit-policy"])
    assert re.fullmatch(rf'"{rate}";r=\d+;t=\d+', said["ratelimit"])


def test_an_answer_that_need_not_be_sent_again_tells_what_is_left(ada):
    document = ada.document(ada.personal())
    tag = ada.rest.ask("documents.read", documentId=document).response.headers["etag"]
    same = ada.rest.ask("documents.read", documentId=document, headers={"if-none-match": tag})
    assert same.status == 304
    assert same.response.headers["ratelimit"].startswith('"reads";r=')


def sent(origin, method, path, headers, body):
    """Send a request as it is written here, and return the status and the headers of what is answered."""
    url = urlsplit(origin)
    lines = [f"{method} {path} HTTP/1.1", f"host: {url.netloc}", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with socket.create_connection((url.hostname, url.port), timeout=PATIENCE) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        told = b""
        while b"\r\n\r\n" not in told:
            told += connection.recv(65_536)
    first, *rest = told.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    named = [line.partition(": ") for line in rest]
    assert len({name for name, _, _ in named if name.lower().startswith("ratelimit")}) == sum(
        name.lower().startswith("ratelimit") for name, _, _ in named
    )
    return int(first.split()[1]), {name.lower(): value for name, _, value in named}


def test_an_invitation_too_many_says_how_long_to_wait(running):
    rates = ("--invitations-per-day", "1")
    with running(*rates) as server, client_of(server) as client:
        grace = Person.of(server, "grace", client)
        organization = grace.organize()
        invite = (
            "mutation($o: ID!, $e: EmailAddress!)"
            " { inviteToOrganization(organizationId: $o, email: $e, role: member) { invitation { id } } }"
        )
        first, second = (grace.graphql.post(invite, o=organization, e=f"{name}@new.example") for name in "ab")
    assert (first.code, second.code) == (None, "TOO_MANY_REQUESTS")
    assert 80_000 < int(second.response.headers["retry-after"]) <= 86_400
    assert second.response.headers["ratelimit-policy"].startswith('"writes"')


def test_images_have_a_rate_of_their_own(slow):
    upload = partial(slow.cleo.rest.ask, "driveItems.uploadImage", itemId=new_id())
    *let_in, _ = until_refused(upload, 2, is_one_too_many)
    assert len(let_in) >= 2
    assert {said.code for said in let_in} == {"NOT_FOUND"}
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


def opened(server, ada):
    """Return a socket to `/graphql` after its handshake, and what the server answered."""
    url = urlsplit(server.origin)
    head = (
        "GET /graphql HTTP/1.1", f"host: {url.netloc}", "connection: upgrade", "upgrade: websocket",
        "sec-websocket-version: 13", "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==", f"x-api-key: {ada.key}",
        "sec-websocket-protocol: graphql-transport-ws", "sec-websocket-extensions: permessage-deflate", "\r\n",
    )  # fmt: skip
    connection = socket.create_connection((url.hostname, url.port), timeout=PATIENCE)
    connection.sendall("\r\n".join(head).encode())
    told = b""
    while b"\r\n\r\n" not in told:
        told += connection.recv(4096)
    assert told.startswith(b"HTTP/1.1 101")
    return connection, told


def test_nothing_is_compressed_on_a_socket_of_graphql(server, ada):
    connection, told = opened(server, ada)
    with connection:
        assert b"permessage-deflate" not in told.lower()


def frame(opcode, content=b""):
    return bytes([0x80 | opcode, 0x80 | len(content), 0, 0, 0, 0]) + content


def test_a_socket_of_graphql_that_closes_while_it_is_answered_is_no_fault(server, ada):
    text, close = 0x1, 0x8
    for number in range(30):
        connection, _ = opened(server, ada)
        with connection:
            connection.sendall(frame(text, b'{"type":"connection_init"}'))
            assert b"connection_ack" in connection.recv(4096)
            for each in range(8):
                asked = b'{"type":"subscribe","id":"%d","payload":{"query":"{ viewer { id } }"}}' % each
                connection.sendall(frame(text, asked))
            for _ in range(number // 5):  # so that it closes at another moment
                connection.recv(1)
            connection.sendall(frame(close))
            while connection.recv(4096):
                pass
    assert server.faults() == []


def test_the_largest_body_is_a_setting(strict, surface):
    said = strict.grace.on(surface).ask("drives.create", name="a" * 3000)
    assert (said.code, said.status) == ("PAYLOAD_TOO_LARGE", 413)
