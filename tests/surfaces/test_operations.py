"""Whether each operation of the contract answers with exactly what is written, to the letter."""

import json
import re
from types import SimpleNamespace

import pytest

from contract.operations import BY_NAME, Answer
from graphql_api.system import new_id
from tests.support.processes.servers import eventually
from tests.support.surfaces.answers import ANSWERS, write
from tests.support.surfaces.callers import PIXEL

OWNERS = ["read", "edit", "createChild", "move", "moveOut", "share", "publish", "trash", "versions", "deleteForever"]


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
