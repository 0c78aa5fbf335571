"""Whether each operation of the contract answers with exactly what is written, to the letter."""

import base64
import json
import re
from itertools import count
from types import SimpleNamespace

import pytest

from contract.operations import BY_NAME, Answer
from demo.data import TEXTS
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from graphql_api.system import new_id
from tests.servers import eventually

from .callers import PIXEL

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
CREDIT = ["userId", "name", "agent"]
ITEM = [
    "id", "driveId", "parentId", "driveItemType", "name", "createdAt", "updatedAt", "createdBy", "updatedBy",
    "published", "publicUrl", "role", "permission", "capabilities", "trashedAt",
    "revision", "url",
]  # fmt: skip
DRIVE = ["id", "name", "kind", "organizationId", "role", "capabilities", "createdAt", "updatedAt"]
MEMBER = ["userId", "role", "name", "email", "addedAt"]
SHARE = ["email", "permission", "userId", "name", "createdAt"]
IMAGE = ["id", "url", "contentType", "width", "height", "byteSize", "createdAt"]
VERSION = ["number", "name", "createdAt", "authors", "byteSize", "restoredFrom"]
CHANGE = ["email", "userId", "name", "before", "after", "because"]
EVENT = ["id", "type", "driveId", "itemId", "itemName", "by", "at", "details"]
BLOCK_CHANGE = ["id", "at", "by", "kind", "path", "inserted", "deleted", "unseen"]
AUTHOR = ["userId", "name", "agent", "editedAt"]
OWNERS = ["read", "edit", "createChild", "move", "moveOut", "share", "publish", "trash", "versions", "deleteForever"]


def is_item(item: dict) -> bool:
    assert list(item) == ITEM
    assert [list(item[by]) for by in ("createdBy", "updatedBy")] == [CREDIT, CREDIT]
    assert item["driveItemType"] in ("folder", "docs_workbook", "viz_workbook")
    assert all(MOMENT.fullmatch(item[at]) for at in ("createdAt", "updatedAt"))
    assert (item["publicUrl"] is not None) == item["published"]
    folder = item["driveItemType"] == "folder"
    assert (item["revision"] is None) is folder
    assert folder or item["revision"] >= 0
    assert item["url"].endswith(f"/{'folder' if folder else 'doc'}/{item['id']}")
    return True


def is_drive(drive: dict, *more: str) -> bool:
    assert list(drive) == [*DRIVE, *more]
    assert all(MOMENT.fullmatch(drive[at]) for at in ("createdAt", "updatedAt"))
    return True


@pytest.fixture(scope="module")
def scene(ada, ben, cleo, versioned):
    """A drive of Ada's with Ben in it, a folder with a published document that was edited and shared, an image."""
    drive = ada.drive("Operations", contributor=ben)
    folder = ada.folder(drive, "Folder")
    document = ada.document(folder, "Document")
    ada.share(document, cleo, "read_write")
    write(ada, document)
    kept = ada.document(drive, "Kept")
    versioned(ada, kept)
    # the document's text is indexed some time after it is written
    eventually(lambda: ada.do("driveItems.search", text="living", driveId=drive)["results"] or None)
    return SimpleNamespace(
        kept=kept, drive=drive, folder=folder, document=document, ben=ben.id, cleo=cleo.email, spare=ada.document(drive)
    )


client_ids = count(1_000)  # of Yjs: each update is of a client of its own


def write(person, document: str, text: str = "welcome.md") -> None:
    update = base64.b64encode(from_tree(parse((TEXTS / text).read_text()), next(client_ids))).decode()
    person.gql(
        "mutation($d: ID!, $u: String!) { importYjsUpdate(documentId: $d, update: $u) { id } }", d=document, u=update
    )


def of(names: str, check=None):
    """Return what checks that an answer has these fields, and more."""

    def checks(data):
        assert list(data) == names.split()
        return check(data) if check else True

    return checks


# operation -> its inputs, and what its answer is checked with
ANSWERS = {
    "documents.read": (
        lambda s: {"documentId": s.document},
        of("item markdown prosemirrorDoc authors", lambda d: (
            is_item(d["item"]) and d["markdown"].endswith("\n") and d["prosemirrorDoc"]["type"] == "doc"
            and [list(author) for author in d["authors"]] == [AUTHOR]
        )),
    ),
    "driveItems.get": (
        lambda s: {"itemId": s.document},
        of("item drive children ancestors shares", lambda d: (
            is_item(d["item"]) and is_drive(d["drive"]) and d["children"] == [] and is_item(d["ancestors"][0])
            and [list(share) for share in d["shares"]] == [SHARE]
        )),
    ),
    "driveItems.sharedWithMe": (lambda _: {}, of("items", lambda d: all(map(is_item, d["items"])))),
    "driveItems.shareSuggestions": (
        lambda s: {"itemId": s.folder},
        of("suggestions", lambda d: all(list(each) == ["userId", "email", "name"] for each in d["suggestions"])),
    ),
    "driveItems.rename": (lambda s: {"itemId": s.folder, "name": "Folder"}, None),
    "driveItems.move": (lambda s: {"itemId": s.folder, "driveId": s.drive, "parentId": None}, None),
    "driveItems.createChild": (
        lambda s: {"itemId": s.folder, "name": " New ", "driveItemType": "folder"},
        of("item", lambda d: is_item(d["item"]) and d["item"]["name"] == " New "),
    ),
    "driveItems.share": (lambda s: {"itemId": s.document, "email": s.cleo, "permission": "read_write"}, None),
    "driveItems.updateShare": (lambda s: {"itemId": s.document, "email": s.cleo, "permission": "read_write"}, None),
    "driveItems.removeShare": (lambda s: {"itemId": s.document, "email": s.cleo}, None),
    "driveItems.setPublication": (lambda s: {"itemId": s.document, "published": True}, None),
    "driveItems.uploadImage": (
        lambda s: {"itemId": s.document},
        of("image", lambda d: list(d["image"]) == IMAGE and (d["image"]["width"], d["image"]["height"]) == (1, 1)),
    ),
    "drives.list": (
        lambda _: {},
        of("drives nextCursor", lambda d: d["nextCursor"] is None and all(
            is_drive(each, "items", "members") and all(map(is_item, each["items"]))
            and all(list(member) == MEMBER for member in each["members"])
            for each in d["drives"]
        )),
    ),
    "drives.create": (lambda _: {"name": "Made"}, of("drive", lambda d: is_drive(d["drive"]))),
    "drives.rename": (lambda s: {"driveId": s.drive, "name": "Operations"}, None),
    "drives.createItem": (
        lambda s: {"driveId": s.drive, "name": "At the root", "driveItemType": "viz_workbook"},
        of("item", lambda d: is_item(d["item"]) and d["item"]["parentId"] is None),
    ),
    "drives.upsertMember": (lambda s: {"driveId": s.drive, "userId": s.ben, "role": "manager"}, None),
    "drives.removeMember": (lambda s: {"driveId": s.drive, "userId": s.ben}, None),
    "driveItems.search": (
        lambda s: {"text": "doc", "driveId": s.drive, "first": 1},
        of("results nextCursor", lambda d: all(
            list(each) == ["item", "folders", "foundIn", "excerpt", "rank"] and is_item(each["item"]) for each in d["results"]
        ) and len(d["results"]) == 1),
    ),
    "driveItems.duplicate": (
        lambda s: {"itemId": s.document, "name": "Second"},
        of("item", lambda d: is_item(d["item"]) and d["item"]["name"] == "Second" and d["item"]["id"]),
    ),
    "driveItems.trash": (lambda s: {"itemId": s.spare}, of("item", lambda d: is_item(d["item"]) and d["item"]["trashedAt"])),
    "driveItems.explainAccess": (
        lambda s: {"itemId": s.document, "email": "ada@acme.example"},
        of("email permission capabilities because", lambda d: d["permission"] == "read_write" and all(
            list(each) == ["role", "permission", "itemId", "itemName", "givenBy", "givenByName", "givenAt"] for each in d["because"]
        )),
    ),
    "documents.edit": (
        lambda s: {"documentId": s.kept, "append": "- more"},
        of("revision markdown changes kept conflicts lost", lambda d: d["markdown"].endswith("- more\n") and d["kept"] == [] and [
            list(each) for each in d["changes"]
        ] == [["kind", "path", "inserted", "deleted"]]),
    ),
    "documents.changes": (
        lambda s: {"documentId": s.kept, "first": 1},
        of("changes nextCursor", lambda d: [list(each) for each in d["changes"]] == [BLOCK_CHANGE]),
    ),
    "documents.undoChanges": (
        lambda s: {"documentId": s.kept, "userId": s.ben, "agent": "nobody", "sinceRevision": 0},
        of("revision changes changesTotal skipped", lambda d: (
            d["revision"] > 0 and d["changes"] == d["skipped"] == [] and d["changesTotal"] == 0
        )),
    ),
    "documents.attributions": (
        lambda s: {"documentId": s.kept},
        of("revision attributions nextCursor", lambda d: d["nextCursor"] is None and all(
            list(each) == ["path", "start", "end", "by", "movedBy"] and list(each["by"]) == AUTHOR for each in d["attributions"]
        )),
    ),
    "documents.versions": (
        lambda s: {"documentId": s.kept},
        of("versions nextCursor", lambda d: [list(each) for each in d["versions"]] == [VERSION]),
    ),
    "documents.readVersion": (
        lambda s: {"documentId": s.kept, "number": 1},
        of(" ".join([*VERSION, "markdown", "prosemirrorDoc"]), lambda d: d["markdown"] == "Written\n"),
    ),
    "documents.restoreVersion": (
        lambda s: {"documentId": s.kept, "number": 1},
        of("item markdown prosemirrorDoc authors", lambda d: is_item(d["item"]) and d["markdown"] == "Written\n"),
    ),
    "drives.get": (
        lambda s: {"driveId": s.drive},
        of("drive", lambda d: is_drive(d["drive"], "members", "storage") and all(list(e) == MEMBER for e in d["drive"]["members"])),
    ),
    "drives.organizationMembers": (
        lambda s: {"driveId": s.drive, "first": 200},
        of("members nextCursor", lambda d: d["nextCursor"] is None and len(d["members"]) > 1 and all(
            list(each) == ["userId", "role", "name", "email", "joinedAt"] for each in d["members"]
        )),
    ),
    "driveItems.previewMove": (
        lambda s: {"itemId": s.document, "driveId": s.drive, "parentId": None},
        of("gains loses keeps otherGains otherLoses otherKeeps", lambda d: d["keeps"] and all(
            list(each) == CHANGE for each in d["keeps"]
        )),
    ),
    "driveItems.previewShare": (
        lambda s: {"itemId": s.document, "email": "nobody@globex.example", "permission": "read_only"},
        of("gains loses keeps otherGains otherLoses otherKeeps", lambda d: [list(each) for each in d["gains"]] == [CHANGE]),
    ),
    "drives.events": (
        lambda s: {"driveId": s.drive, "first": 2},
        of("events nextCursor", lambda d: len(d["events"]) == 2 and d["nextCursor"] and all(
            list(each) == EVENT for each in d["events"]
        )),
    ),
    "viewer.get": (
        lambda _: {}, of("id name email agent organization limits", lambda d: list(d["organization"]) == ["id", "name", "role"])
    ),
    "driveItems.trashed": (
        lambda s: {"driveId": s.drive},
        of("items nextCursor", lambda d: all(is_item(each) and each["trashedAt"] for each in d["items"])),
    ),
    "documents.outline": (
        lambda s: {"documentId": s.document},
        of("revision size blocks headings", lambda d: d["revision"] > 0 and d["headings"] and all(
            list(each) == ["id", "level", "text", "fromBlock", "toBlock", "size"] for each in d["headings"]
        )),
    ),
    "documents.readPart": (
        lambda s: {"documentId": s.document, "fromBlock": 0, "toBlock": 1},
        of("revision markdown fromBlock toBlock nextBlock blocks", lambda d: (
            d["markdown"].endswith("\n") and (d["fromBlock"], d["toBlock"], d["nextBlock"]) == (0, 1, None)
        )),
    ),
    "viewer.events": (
        lambda s: {"itemId": s.document, "first": 2},
        of("events nextCursor", lambda d: len(d["events"]) == 2 and d["nextCursor"] and all(
            list(each) == EVENT for each in d["events"]
        )),
    ),
    "driveItems.restore": (
        lambda s: {"itemId": s.spare}, of("item", lambda d: is_item(d["item"]) and d["item"]["trashedAt"] is None)
    ),
}  # fmt: skip


def test_every_operation_of_the_contract_is_asked():
    assert ANSWERS.keys() == BY_NAME.keys()


@pytest.mark.parametrize("operation", ANSWERS)
def test_an_operation_answers_200_with_exactly_its_shape(operation, ada, scene):
    inputs, check = ANSWERS[operation]
    said = ada.rest.ask(operation, **inputs(scene))
    assert said.status == 200, said
    assert said.response.headers["content-type"] == "application/json"
    assert (said.response.content == b"") == (BY_NAME[operation].answer is Answer.EMPTY)
    assert int(said.response.headers["content-length"]) == said.response.num_bytes_downloaded
    assert check is None or check(said.data)


@pytest.mark.parametrize("operation", [name for name in ANSWERS if BY_NAME[name].read_only])
def test_both_surfaces_read_the_same(operation, ada, scene):
    inputs = ANSWERS[operation][0](scene)
    assert ada.graphql.ask(operation, **inputs).data == ada.rest.ask(operation, **inputs).data


# Documents


def test_a_document_is_read_by_its_sections_and_edited_by_them(ada, scene, surface):
    person, document = ada.on(surface), ada.document(scene.drive)
    text = "# Plan\n\nWords.\n\n## Goals\n\n- one\n\n## Action items\n\n- call\n"
    ada.do("documents.edit", documentId=document, replace=text, base=0)
    outline = person.ask("documents.outline", documentId=document).data
    assert [(each["text"], each["level"]) for each in outline["headings"]] == [
        ("Plan", 1), ("Goals", 2), ("Action items", 2),
    ]  # fmt: skip
    assert outline["size"] == len(text)
    goals = outline["headings"][1]["id"]
    part = person.ask("documents.readPart", documentId=document, section=goals).data
    assert part["markdown"] == "## Goals\n\n- one\n"
    said = person.ask(
        "documents.edit", documentId=document, section=goals, replace="## Our goals\n\n- two\n", base=part["revision"]
    )
    assert said.status == 200, said
    assert ada.do("documents.read", documentId=document)["markdown"] == text.replace("Goals", "Our goals").replace(
        "one", "two"
    )
    assert person.ask("documents.outline", documentId=document).data["headings"][1]["id"] == goals


def test_a_section_that_is_gone_is_refused_with_those_that_are_there(ada, scene, surface):
    person, document = ada.on(surface), ada.document(scene.drive)
    ada.do("documents.edit", documentId=document, replace="# Goals\n\na\n\n# Action items\n\nb\n", base=0)
    goals = person.ask("documents.outline", documentId=document).data["headings"][0]["id"]
    ada.do("documents.edit", documentId=document, passages=[{"old": "# Goals\n\n", "new": ""}])
    for said in (
        person.ask("documents.readPart", documentId=document, section=goals),
        person.ask("documents.edit", documentId=document, section=goals, replace="# Goals\n\nc", base=1),
    ):
        assert said.code == "PASSAGE_NOT_FOUND"
        assert "`Action items`" in said.message
        assert said.status in (409, None)


def test_a_section_goes_with_a_replacement_alone_and_blocks_are_counted_from_0(ada, scene, surface):
    person, document = ada.on(surface), ada.document(scene.drive)
    said = person.ask("documents.edit", documentId=document, section="1-1", append="x")
    assert said.code == "BAD_REQUEST"
    assert "`section`" in said.message
    for name, value in (("fromBlock", -1), ("toBlock", -1), ("characters", 0)):
        said = person.ask("documents.readPart", documentId=document, **{name: value})
        assert (said.code, name in said.message) == ("BAD_REQUEST", True)


def test_a_new_document_is_empty_and_a_new_chart_is_a_chart(ada, scene, surface):
    empty = ada.on(surface).ask("documents.read", documentId=ada.document(scene.drive)).data
    assert (empty["markdown"], empty["prosemirrorDoc"], empty["authors"]) == ("", {"type": "doc", "content": []}, [])
    chart = ada.on(surface).ask("documents.read", documentId=ada.make(scene.drive, "viz_workbook", "Chart")).data
    (block,) = chart["prosemirrorDoc"]["content"]
    assert (block["type"], block["attrs"]["language"]) == ("codeBlock", "vega-lite")
    assert chart["markdown"].startswith("```vega-lite\n")
    assert [author["userId"] for author in chart["authors"]] == [ada.id]


def test_the_revision_of_a_document_counts_its_edits_wherever_it_is_answered(server, ada, surface):
    drive = ada.drive("Revisions")
    folder, document = ada.folder(drive), ada.document(drive)

    def revision() -> int:
        read = ada.on(surface).ask("documents.read", documentId=document).data["item"]
        met = ada.on(surface).ask("driveItems.get", itemId=document).data["item"]
        drives = ada.on(surface).ask("drives.list").data["drives"]
        (listed,) = [each for one in drives for each in one["items"] if each["id"] == document]
        found = ada.gql("query($i: ID!) { driveItem(id: $i) { revision url } }", i=document)
        assert {each["revision"] for each in (read, met, listed, found)} == {read["revision"]}
        assert {each["url"] for each in (read, met, listed, found)} == {f"{server.origin}/doc/{document}"}
        return read["revision"]

    assert revision() == 0
    write(ada, document)
    assert revision() == 1
    ada.do("driveItems.rename", itemId=document, name="Another")
    assert revision() == 1, "a name is no edit of the document"
    write(ada, document, "notes.md")
    assert revision() == 2
    met = ada.on(surface).ask("driveItems.get", itemId=folder).data["item"]
    assert (met["revision"], met["url"]) == (None, f"{server.origin}/folder/{folder}")
    chart = ada.do("drives.createItem", driveId=drive, name="Chart", driveItemType="viz_workbook")["item"]
    assert (chart["revision"], chart["url"]) == (1, f"{server.origin}/doc/{chart['id']}")


def test_the_tag_of_a_document_covers_its_content_and_the_callers_rights(ada, cleo, scene):
    document = ada.document(scene.drive)
    ada.share(document, cleo)

    def tag(person, known=""):
        said = person.rest.ask("documents.read", documentId=document, headers={"if-none-match": known})
        assert (said.status == 304) == (said.response.headers["etag"] == known)
        assert said.status == 200 or said.response.content == b""
        return said.response.headers["etag"]

    first = tag(cleo)
    assert tag(cleo, first) == first
    assert tag(ada, first) != first
    ada.do("driveItems.updateShare", itemId=document, email=cleo.email, permission="read_write")
    second = tag(cleo, first)
    assert second != first
    write(ada, document)
    third = tag(cleo, second)
    assert third not in (first, second)
    ada.do("driveItems.rename", itemId=document, name="Another")
    assert tag(cleo, third) != third


def test_edits_are_credited_to_user_and_agent_and_the_newest_comes_first(ada, agent, surface):
    document = ada.document(ada.drive("Credits"))
    write(ada, document)
    write(agent, document, "notes.md")
    read = ada.on(surface).ask("documents.read", documentId=document).data
    assert [(author["userId"], author["agent"]) for author in read["authors"]] == [
        (ada.id, "research-assistant"), (ada.id, None)
    ]  # fmt: skip
    assert read["item"]["updatedBy"]["agent"] == "research-assistant"
    assert read["item"]["createdBy"] == {"userId": ada.id, "name": "Ada Lovelace", "agent": None}


def test_an_agent_named_by_the_header_is_credited_but_the_keys_own_wins(ada, agent, scene):
    named = {"headers": {"x-service-agent": "scribe"}}
    made = [
        person.do("drives.createItem", driveId=scene.drive, name="By", driveItemType="folder", **named)["item"]
        for person in (ada, agent)
    ]
    assert [item["createdBy"]["agent"] for item in made] == ["scribe", "research-assistant"]
    for wrong in ("", "a" * 65, "caf\u00e9".encode(), b"a\tb"):
        said = ada.rest.ask("drives.list", headers={"x-service-agent": wrong})
        assert (said.status, said.code) == (400, "BAD_REQUEST"), wrong
    events = ada.gql(
        "query($d: ID!) { driveEvents(driveId: $d, first: 2) { nodes { type by { agent } } } }", d=scene.drive
    )["nodes"]
    assert [event["by"]["agent"] for event in events] == ["research-assistant", "scribe"]
    assert ada.graphql.post("{ viewer { agent } }", headers=named["headers"]).data["viewer"]["agent"] == "scribe"


# Images


def test_an_image_is_served_to_whoever_may_read_its_document(server, client, ada, gus, scene):
    image = ada.do("driveItems.uploadImage", itemId=scene.document)["image"]
    assert image["url"] == f"{server.origin}/images/{image['id']}"

    def get(person):
        return client.get(image["url"], headers={"x-api-key": person.key})

    served = get(ada)
    assert (served.status_code, served.headers["content-type"]) == (200, "image/png")
    assert len(served.content) == image["byteSize"]
    assert served.content.startswith(b"\x89PNG")
    hidden, unknown = get(gus), client.get(image["url"][:-1], headers={"x-api-key": gus.key})
    assert (hidden.status_code, hidden.content) == (unknown.status_code, unknown.content) == (404, hidden.content)
    assert client.get(image["url"]).status_code == 401


@pytest.mark.parametrize(
    ("file", "status", "code"),
    [
        (b"not an image at all", 415, "UNSUPPORTED_MEDIA_TYPE"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", 415, "UNSUPPORTED_MEDIA_TYPE"),
        (PIXEL[:40], 400, "BAD_REQUEST"),
        (b"", 415, "UNSUPPORTED_MEDIA_TYPE"),
        (PIXEL + b"\0" * (10 << 20), 413, "PAYLOAD_TOO_LARGE"),
    ],
    ids=["text", "SVG", "damaged", "empty", "large"],
)
def test_what_is_no_sound_image_is_refused(file, status, code, ada, scene, state):
    before = state()
    said = ada.rest.ask("driveItems.uploadImage", itemId=scene.document, file=file)
    assert (said.status, said.code) == (status, code)
    assert state() == before


@pytest.mark.parametrize("file", [PIXEL, PIXEL[:40]], ids=["whole", "damaged"])
def test_who_may_not_upload_is_told_so_before_the_file_is_decoded(file, ada, gus, scene, state):
    shared = ada.document(scene.drive)
    ada.share(shared, gus, "read_only")
    before = state()
    refused = [
        person.rest.ask("driveItems.uploadImage", itemId=item, file=file).code
        for person, item in ((gus, new_id()), (gus, scene.document), (gus, shared), (ada, scene.folder))
    ]
    assert refused == ["NOT_FOUND", "NOT_FOUND", "FORBIDDEN", "NOT_A_DOCUMENT"]
    assert state() == before


@pytest.mark.parametrize(
    "file", [PIXEL.decode("latin-1"), "", None, 1, [], {"content": "", "contentType": "image/png"}]
)
def test_a_file_is_nothing_that_graphql_can_say(file, ada, scene, state):
    before = state()
    mutation = "mutation ($item: ID!, $file: ImageFile!) { uploadImage(itemId: $item, file: $file) { id } }"
    said = ada.graphql.post(mutation, item=scene.document, file=file)
    assert (said.status, said.code) == (400, "BAD_REQUEST")
    literal = re.sub(r'"(\w+)":', r"\1:", json.dumps(file))
    said = ada.graphql.post(f'mutation {{ uploadImage(itemId: "{scene.document}", file: {literal}) {{ id }} }}')
    assert (said.status, said.code) == (400, "BAD_REQUEST")
    if file is not None:
        assert "is a file, which only the body of `POST /api/v1/drive-items/{itemId}/images` holds" in said.message
    assert state() == before


# Drives


def test_drives_are_listed_ones_own_first_then_by_name_with_items_by_depth_and_members_by_age(newcomer, surface):
    zoe = newcomer("zoe")
    organization = zoe.organize()
    zoe = zoe.acting_in(organization)
    yan = newcomer("yan")
    zoe.admit(organization, yan)
    second, first = zoe.drive("b"), zoe.drive("a")
    zoe.do("drives.upsertMember", driveId=first, userId=yan.id, role="contributor")
    deep = zoe.folder(zoe.folder(first, "B"), "A")
    top = [zoe.folder(first, name) for name in ("C", "A")]
    drives = zoe.on(surface).ask("drives.list").data["drives"]
    assert [drive["id"] for drive in drives] == [zoe.personal(), first, second]
    assert [drive["kind"] for drive in drives] == ["personal", "shared", "shared"]
    assert [item["name"] for item in drives[1]["items"]] == ["A", "B", "C", "A"]
    assert drives[1]["items"][-1]["id"] == deep
    assert drives[1]["items"][0]["id"] == top[1]
    assert [(member["userId"], member["role"]) for member in drives[1]["members"]] == [
        (zoe.id, "owner"), (yan.id, "contributor")
    ]  # fmt: skip
    assert drives[1]["capabilities"] == ["createItem", "rename", "manageMembers", "manageOwners", "delete"]
    assert drives[0]["capabilities"] == ["createItem", "rename"]


def test_an_owner_may_do_everything_that_an_item_allows(ada, scene):
    folder, document = ada.get(scene.folder)["item"], ada.get(scene.document)["item"]
    assert folder["capabilities"] == [can for can in OWNERS if can not in ("publish", "versions")]
    assert document["capabilities"] == [can for can in OWNERS if can != "createChild"]
    assert (folder["role"], folder["permission"]) == ("owner", "read_write")


def test_children_come_by_name_and_ancestors_from_the_root_down(ada, scene):
    top = ada.folder(scene.drive)
    middle = ada.folder(top)
    for name in ("b", "a", "c"):
        ada.folder(middle, name)
    answer = ada.get(middle)
    assert [child["name"] for child in answer["children"]] == ["a", "b", "c"]
    assert [parent["id"] for parent in ada.get(answer["children"][0]["id"])["ancestors"]] == [top, middle]


def test_a_new_drive_is_the_callers_and_belongs_to_the_active_organization(ada, acme, surface):
    drive = ada.on(surface).ask("drives.create", name="  \u00dcber \U0001f680 ").data["drive"]
    assert (drive["name"], drive["kind"], drive["role"]) == ("  \u00dcber \U0001f680 ", "shared", "owner")
    assert drive["organizationId"] == acme
