"""Whether every error of the contract is met as it is written down, on every surface, and leaves no trace."""

import json
from itertools import combinations
from types import SimpleNamespace

import pytest

from domain.errors import Code
from edge.responses import STATUS
from graphql_api.system import new_id
from tests.support.surfaces.callers import JSON_BODY, Person, heard, read
from tests.support.surfaces.clients import CLIENTS
from tests.support.surfaces.fixtures import client_of


@pytest.fixture(params=["rest", "graphql", "mcp", *CLIENTS])
def surface(request):
    """All there are, the command line too, which takes a process for each thing that is asked."""
    return request.param


MUTATIONS = {
    "deleteDrive": "mutation($i: ID!) { deleteDrive(driveId: $i) { id } }",
    "leave": "mutation($i: ID!, $u: ID!) { removeOrganizationMember(organizationId: $i, userId: $u) { id } }",
    "delete": "mutation($i: ID!) { deleteItemForever(itemId: $i) { id } }",
}
MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def scene(ada, ben, cleo, grace, gus, newcomer):
    """A place in which everything can go wrong."""
    drive = ada.drive("Scene", manager=ben, contributor=cleo)
    folder = ada.folder(drive)
    document, published = ada.document(folder), ada.document(drive)
    ada.do("driveItems.setPublication", itemId=published, published=True)
    ada.share(folder, gus)
    organization = ada.organize("Second")
    contested = ada.document(drive)
    base = ada.do("documents.edit", documentId=contested, replace="One\n\nTwo", base=0)["revision"]
    ben.do("documents.edit", documentId=contested, passages=[{"old": "One", "new": "One by Ben"}])
    zoe = newcomer()
    own = zoe.organize("Her own")
    return SimpleNamespace(
        ada=ada, ben=ben, cleo=cleo, gus=gus, zoe=zoe, nobody=Person("", "", "", "cdr_nobody", ada.client),
        drive=drive, folder=folder, document=document, published=published, own=own, contested=contested, base=base,
        below=ada.folder(folder), personal=ada.personal(), elsewhere=grace.drive("RemoteEdit", contributor=ada),
        other=ada.drive("Other"), foreign=ada.acting_in(organization).drive("Foreign"),
    )  # fmt: skip


# code -> who asks for which operation with what
REFUSED = {
    "BAD_REQUEST": lambda s: (s.ada, "drives.create", {"name": "\x07"}),
    "UNAUTHORIZED": lambda s: (s.nobody, "drives.list", {}),
    "FORBIDDEN": lambda s: (s.cleo, "drives.rename", {"driveId": s.drive, "name": "Mine"}),
    "NOT_FOUND": lambda s: (s.gus, "driveItems.get", {"itemId": s.published}),
    "LAST_OWNER": lambda s: (s.ada, "drives.removeMember", {"driveId": s.drive, "userId": s.ada.id}),
    "NO_ACTIVE_ORGANIZATION": lambda s: (s.zoe, "drives.create", {"name": "Nowhere"}),
    "NOT_A_SHARED_DRIVE": lambda s: (
        s.ada, "drives.upsertMember", {"driveId": s.personal, "userId": s.ben.id, "role": "manager"}
    ),
    "SELF_SHARE": lambda s: (
        s.ada, "driveItems.share", {"itemId": s.folder, "email": s.ada.email.upper(), "permission": "read_only"}
    ),
    "SHARE_EXISTS": lambda s: (
        s.ada, "driveItems.share", {"itemId": s.folder, "email": s.gus.email, "permission": "read_write"}
    ),
    "UNPUBLISH_FIRST": lambda s: (
        s.ada, "driveItems.move", {"itemId": s.published, "driveId": s.elsewhere, "parentId": None}
    ),
    "CROSS_ORGANIZATION_MOVE": lambda s: (
        s.ada, "driveItems.move", {"itemId": s.folder, "driveId": s.foreign, "parentId": None}
    ),
    "MOVE_CYCLE": lambda s: (
        s.ada, "driveItems.move", {"itemId": s.folder, "driveId": s.drive, "parentId": s.below}
    ),
    "PARENT_NOT_IN_DRIVE": lambda s: (
        s.ada, "driveItems.move", {"itemId": s.document, "driveId": s.other, "parentId": s.below}
    ),
    "PASSAGE_NOT_FOUND": lambda s: (
        s.ada, "documents.edit", {"documentId": s.document, "passages": [{"old": "nowhere", "new": "here"}]}
    ),
    "PASSAGE_AMBIGUOUS": lambda s: (
        s.ada, "documents.edit", {"documentId": s.document, "passages": [{"old": "", "new": "here"}]}
    ),
    "REVISION_GONE": lambda s: (
        s.ada, "documents.edit", {"documentId": s.contested, "replace": "Two", "base": s.base + 100}
    ),
    "REVISION_CHANGED": lambda s: (
        s.ada,
        "documents.edit",
        {"documentId": s.contested, "replace": "Two", "base": s.base, "onConflict": "refuse"},
    ),
    "NOT_A_DOCUMENT": lambda s: (s.ada, "documents.read", {"documentId": s.folder}),
    "NOT_A_FOLDER": lambda s: (
        s.ada, "driveItems.createChild", {"itemId": s.document, "name": "Below", "driveItemType": "folder"}
    ),
}  # fmt: skip
# code -> who asks for which field that REST has not
REFUSED_BEYOND_REST = {
    "DRIVE_NOT_EMPTY": lambda s: (s.ada, "deleteDrive", {"i": s.drive}),
    "LAST_ADMIN": lambda s: (s.zoe, "leave", {"i": s.own, "u": s.zoe.id}),
    "NOT_IN_TRASH": lambda s: (s.ada, "delete", {"i": s.document}),
}
# what is about requests rather than operations: (method, path, headers, body) for both surfaces
UNFIT = {
    "METHOD_NOT_SUPPORTED": {
        "rest": ("PUT", "/api/v1/drives", JSON_BODY, b"{}"), "graphql": ("PUT", "/graphql", JSON_BODY, b"{}"),
    },
    "PAYLOAD_TOO_LARGE": {
        "rest": ("POST", "/api/v1/drives", JSON_BODY, b'{"name": "%s"}' % (b"a" * MEGABYTE)),
        "graphql": ("POST", "/graphql", JSON_BODY, b'{"query": "{ viewer { id } } #%s"}' % (b"a" * MEGABYTE)),
    },
    "UNSUPPORTED_MEDIA_TYPE": {
        "rest": ("POST", "/api/v1/drives", {"content-type": "text/plain"}, b'{"name": "a"}'),
        "graphql": ("POST", "/graphql", {"content-type": "text/plain"}, b'{"query": "{ viewer { id } }"}'),
    },
}  # fmt: skip
ELSEWHERE = {  # each in a test of its own
    "IDEMPOTENCY_KEY_REUSED", "LIMIT_EXCEEDED", "TREE_TOO_DEEP", "TOO_MANY_REQUESTS", "INTERNAL_SERVER_ERROR",
    "SERVICE_UNAVAILABLE", "STORAGE_FULL",
}  # fmt: skip


def test_every_code_of_the_list_is_provoked():
    assert REFUSED.keys() | REFUSED_BEYOND_REST.keys() | UNFIT.keys() | ELSEWHERE == set(Code)


@pytest.mark.parametrize("code", REFUSED)
def test_what_is_refused_says_so_with_its_code_and_changes_nothing(code, surface, scene, state):
    who, operation, inputs = REFUSED[code](scene)
    before = state()
    said = who.on(surface).ask(operation, **inputs)
    assert (said.code, said.status) == (code, STATUS[Code(code)])
    assert not said.message.endswith(".")
    assert code != "BAD_REQUEST" or "name" in said.message
    assert surface != "rest" or said.response.headers["x-request-id"]
    assert state() == before


@pytest.mark.parametrize("code", REFUSED)
def test_every_surface_refuses_in_the_same_words(code, surface, scene):
    if surface == "graphql" and code in ("UNAUTHORIZED", "BAD_REQUEST"):  # it knows no operation, and its own fields
        return
    who, operation, inputs = REFUSED[code](scene)
    assert who.on(surface).ask(operation, **inputs).message == who.rest.ask(operation, **inputs).message


@pytest.mark.parametrize("code", REFUSED_BEYOND_REST)
def test_what_only_graphql_can_be_asked_for_is_refused_likewise(code, scene, state):
    who, document, variables = REFUSED_BEYOND_REST[code](scene)
    before = state()
    assert who.graphql.post(MUTATIONS[document], **variables).code == code
    assert state() == before


@pytest.mark.parametrize("surface", ["rest", "graphql"])
@pytest.mark.parametrize("code", UNFIT)
def test_a_request_that_is_none_is_refused_before_anything_is_looked_at(code, surface, scene, state):
    method, path, headers, body = UNFIT[code][surface]
    before = state()
    response = scene.ada.client.request(method, path, headers={"x-api-key": scene.ada.key} | headers, content=body)
    said = heard(response) if surface == "rest" else read(response)
    assert (said.code, response.status_code) == (code, STATUS[Code(code)])
    if code == "METHOD_NOT_SUPPORTED":
        expected = {"rest": "GET, HEAD, OPTIONS, POST", "graphql": "GET, HEAD, POST, OPTIONS"}
        assert response.headers["allow"] == expected[surface]
    assert state() == before


def test_where_graphql_cannot_run_its_own_media_type_says_so_in_the_status(ada):
    wanted = {"accept": "application/graphql-response+json"}
    for document, status in (("{", 400), ("{ nothing }", 400), ("{ viewer { id } }", 200)):
        response = ada.graphql.post(document, headers=wanted).response
        assert response.status_code == status
        assert response.headers["content-type"].startswith("application/graphql-response+json")


def test_the_same_idempotency_key_with_another_body_is_409(ada, scene, state):
    once = {"headers": {"Idempotency-Key": new_id()}}
    ada.do("drives.createItem", driveId=scene.other, name="One", driveItemType="folder", **once)
    before = state()
    said = ada.rest.ask("drives.createItem", driveId=scene.other, name="Two", driveItemType="folder", **once)
    assert (said.status, said.code) == (409, "IDEMPOTENCY_KEY_REUSED")
    assert state() == before


# The order of checks


def no_key(request):
    request.update(headers=request["headers"] | {"x-api-key": "cdr_nobody"})


def no_route(request):
    request.update(path=request["path"] + "/nowhere")


def no_method(request):
    request.update(method="PUT")


def too_large(request):
    request.update(padding=b" " * MEGABYTE)


def no_json(request):
    request.update(headers=request["headers"] | {"content-type": "text/plain"})


def no_field(request):
    request["body"].pop("parentId", None)
    request["body"]["color"] = "red"


def no_item(request):
    request.update(path=request["path"].replace(request["item"], new_id()))


def no_drive(request):
    request["body"]["driveId"] = new_id()


def no_right(request):
    request.update(headers=request["headers"] | {"x-api-key": request["reader"]}) if "reader" in request else None


def no_sense(request):
    if "parentId" in request["body"]:
        request["body"]["parentId"] = request["item"]


IN_ORDER = {
    no_key: 401, no_route: 404, no_method: 405, too_large: 413, no_json: 415, no_field: 400, no_item: 404, no_drive: 404,
    no_right: 403, no_sense: 409,
}  # fmt: skip
BESIDE = {(too_large, no_json)}  # 413 and 415 are one step
PAIRS = [pair for pair in combinations(IN_ORDER, 2) if pair not in BESIDE]


@pytest.mark.parametrize(("earlier", "later"), PAIRS, ids=lambda fault: fault.__name__)
def test_a_request_wrong_in_two_ways_is_answered_by_the_earlier_check(earlier, later, scene, state):
    request = {
        "method": "POST",
        "path": f"/api/v1/drive-items/{scene.folder}/move",
        "headers": {"x-api-key": scene.ada.key} | JSON_BODY,
        "body": {"driveId": scene.drive, "parentId": None},
        "padding": b"",
        "item": scene.folder,
        "reader": scene.gus.key,
    }
    before = state()
    for fault in (later, earlier):  # so that a fault of the credentials is not written over
        fault(request)
    content = request["padding"] + scene.ada.client.build_request("POST", "/", json=request["body"]).content
    response = scene.ada.client.request(
        request["method"], request["path"], headers=request["headers"], content=content
    )  # fmt: skip
    assert heard(response).status == IN_ORDER[earlier]
    assert state() == before


def test_options_answers_before_the_key_is_asked_for_and_what_is_public_needs_none(client):
    assert client.options("/api/v1/drives").headers["allow"] == "GET, HEAD, OPTIONS, POST"
    for path in ("/api/v1/openapi.json", "/api/v1/docs", "/healthz", "/readyz"):
        assert client.get(path).status_code == 200


# Faults


@pytest.fixture(scope="module")
def broken(running, execute):
    """A server that fails at whatever is asked."""
    with running() as server, client_of(server) as client:
        execute(server.database, "alter table item rename to broken")
        yield server, client


def test_a_fault_tells_nothing_but_where_to_look(broken, surface):
    server, client = broken

    def failed():  # the server's own work fails at this database, too, and names no request
        return {json.loads(each).get("request_id") for each in server.faults()} - {None}

    before = failed()
    said = Person.of(server, "ada", client).on(surface).ask("driveItems.get", itemId=new_id())
    assert (said.code, said.status) == ("INTERNAL_SERVER_ERROR", 500)
    assert said.message == "something went wrong here: it has been logged"
    request_id = said.response.headers["x-request-id"] if said.response else said.request_id
    logged = failed() - before
    assert logged
    assert request_id in {None, *logged}  # the command line prints the envelope alone


def test_a_lost_database_is_unavailable_until_it_is_back(demo_world):
    with demo_world.running() as server, client_of(server) as client:
        ada = Person.of(server, "ada", client)
        demo_world.lose(server)
        for surface in ("rest", "graphql"):
            said = ada.on(surface).ask("driveItems.get", itemId=new_id())
            assert (said.code, said.status) == ("SERVICE_UNAVAILABLE", 503)
            assert not said.response or int(said.response.headers["retry-after"]) > 0
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 503
