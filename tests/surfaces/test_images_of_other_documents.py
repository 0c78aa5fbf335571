"""An image that an edit brings from another document becomes an image of the document that it is brought to."""

import pytest

from graphql_api.system import new_id
from tests.support.surfaces.callers import PIXEL


def status(client, url, person):
    return client.get(url, headers={"x-api-key": person.key}).status_code


def images(person, document):
    return person.gql("query($id: ID!) { document(id: $id) { images { id url } } }", id=document)["images"]


@pytest.fixture
def drive(ada):
    return ada.drive("Images")


@pytest.fixture
def image(ada, drive):
    """An image of a document that nobody but Ada and the drive's members may read."""
    return ada.do("driveItems.uploadImage", itemId=ada.document(drive), file=PIXEL)["image"]


def written(said):
    """The address of the one image in a document."""
    start = said["markdown"].index("http")
    return said["markdown"][start : said["markdown"].index(")", start)]


@pytest.mark.parametrize("form", ["replace", "append", "passages"])
def test_the_image_of_another_document_is_copied_with_the_edit_that_names_it(
    ada, gus, drive, client, server, image, form, surface
):
    document = ada.document(drive)
    ada.share(document, gus)
    ada.do("documents.edit", documentId=document, append="here")
    files = {*(server.data / "images").iterdir()}
    text = f"text\n\n![a dot]({image['url']})"
    given = {"passages": [{"old": "here", "new": text}]} if form == "passages" else {form: text}
    made = ada.on(surface).ask("documents.edit", documentId=document, **given, base=1).data
    copy = written(ada.do("documents.read", documentId=document))
    assert copy != image["url"]
    assert made["lost"] == []
    assert [each["url"] for each in images(ada, document)] == [copy]
    assert status(client, image["url"], gus) == 404
    read = client.get(copy, headers={"x-api-key": gus.key})
    assert (read.status_code, read.content) == (200, client.get(image["url"], headers={"x-api-key": ada.key}).content)
    assert {*(server.data / "images").iterdir()} == files


MADE = """mutation($drive: ID!, $content: String) {
  item: createItem(driveId: $drive, name: "Made", driveItemType: docs_workbook, content: $content) { id lost { path what name } } }"""


@pytest.fixture(params=["graphql", "mcp_full"])
def created(request):
    """`created(person, drive, content)` makes a document that says this, and returns its id and what was left out."""

    def by_graphql(person, drive, content):
        made = person.gql(MADE, drive=drive, content=content)
        return made["id"], made["lost"]

    return {"graphql": by_graphql, "mcp_full": by_tool}[request.param]


def by_tool(person, drive, content, headers=None):
    given = {"driveId": drive, "name": "Made", "driveItemType": "docs_workbook", "content": content}
    made = person.on("mcp_full").ask("drives.createItem", headers=headers, **given).data["item"]
    return made["id"], made["lost"]


def test_the_image_of_another_document_is_copied_with_the_document_that_is_made_with_it(
    ada, gus, drive, client, server, image, created
):
    files = {*(server.data / "images").iterdir()}
    document, lost = created(ada, drive, f"![a dot]({image['url']})\n\n![again]({image['url']})")
    copy = written(ada.do("documents.read", documentId=document))
    assert copy != image["url"]
    assert lost == []
    assert [each["url"] for each in images(ada, document)] == [copy]
    ada.share(document, gus)
    assert (status(client, image["url"], gus), status(client, copy, gus)) == (404, 200)
    assert {*(server.data / "images").iterdir()} == files


def test_what_a_new_document_does_not_say_of_its_content_is_told(gus, image, created):
    own = gus.drive("Elsewhere")
    text = f"![]({image['url']})\n\n![](/images/{new_id()})\n\n<!-- for later -->\n\n<marquee>Words</marquee>"
    document, lost = created(gus, own, text)
    assert [each["name"] for each in lost][:1] == [f"/images/{image['id']}"]
    assert {each["name"] for each in lost[2:]} == {"comment", "marquee"}
    assert {(each["what"], *each["path"]) for each in lost} == {("node",)}
    assert images(gus, document) == []
    assert "Words" in gus.do("documents.read", documentId=document)["markdown"]


def test_a_creation_that_is_repeated_makes_one_document_and_tells_the_same(ada, drive, image):
    headers, text = {"idempotency-key": new_id()}, f"![a dot]({image['url']}) <marquee>Words</marquee>"
    first, again = (by_tool(ada, drive, text, headers) for _ in range(2))
    assert first == again
    assert [each["name"] for each in first[1]] == ["marquee"]
    assert len(images(ada, first[0])) == 1


def test_a_new_document_with_the_image_of_another_that_is_gone_meanwhile_is_made_without_it(ada, drive, image, created):
    document, _ = created(ada, drive, f"![a dot]({image['url']})")
    copy = written(ada.do("documents.read", documentId=document))
    ada.trash(document)
    remade, lost = created(ada, drive, f"![a dot]({copy})")
    assert [each["name"] for each in lost] == [f"/images/{copy.rpartition('/')[2]}"]
    assert images(ada, remade) == []


def test_an_image_that_is_brought_twice_is_copied_once(ada, drive, image):
    document = ada.document(drive)
    for _ in range(2):
        ada.do("documents.edit", documentId=document, append=f"![a dot]({image['url']})")
    ada.do("documents.edit", documentId=document, replace=f"`{image['url']}`\n\n![a dot]({image['url']})", base=1)
    assert len(images(ada, document)) == 1
    assert f"`{image['url']}`" in ada.do("documents.read", documentId=document)["markdown"]


def test_what_is_only_tried_or_stands_in_a_text_copies_nothing(ada, drive, image):
    document = ada.document(drive)
    ada.do("documents.edit", documentId=document, replace=f"![a dot]({image['url']})", base=0, dryRun=True)
    ada.do("documents.edit", documentId=document, append=f"`{image['url']}` and [a link]({image['url']})")
    assert images(ada, document) == []


def test_who_may_not_read_an_image_gets_no_copy_and_is_told_the_same_as_of_one_that_is_not_there(
    ada, gus, client, image, drive, surface
):
    document = ada.document(drive)
    ada.share(document, gus, "read_write")
    other = f"/images/{new_id()}"
    said = (
        gus.on(surface).ask("documents.edit", documentId=document, append=f"![]({image['url']})\n\n![]({other})").data
    )
    path = image["url"].removeprefix(str(client.base_url).rstrip("/"))
    assert [each["name"] for each in said["lost"]] == [path, other]
    assert {(each["what"], *each["path"]) for each in said["lost"]} == {("node",)}
    assert images(ada, document) == []
    assert status(client, image["url"], gus) == 404


def test_a_copy_outlives_the_image_and_the_bytes_go_with_the_last_of_both(ada, drive, client, server):
    first, second = ada.document(drive), ada.document(drive)
    image = ada.do("driveItems.uploadImage", itemId=first, file=PIXEL)["image"]
    ada.do("documents.edit", documentId=second, append=f"![]({image['url']})")
    copy = written(ada.do("documents.read", documentId=second))
    ada.trash(first)
    assert (status(client, image["url"], ada), status(client, copy, ada)) == (404, 200)
    ada.gql("mutation($i: ID!) { deleteItemForever(itemId: $i) { id } }", i=first)
    assert status(client, copy, ada) == 200
    file = server.data / "images" / image["id"]
    assert file.exists()


def test_a_published_page_shows_the_copy(ada, drive, client, image):
    document = ada.document(drive)
    ada.do("documents.edit", documentId=document, append=f"![]({image['url']})")
    ada.do("driveItems.setPublication", itemId=document, published=True)
    page = ada.get(document)["item"]["publicUrl"]
    copy = images(ada, document)[0]["id"]
    assert client.get(f"{page}/images/{copy}").status_code == 200
    assert f"/images/{copy}" in client.get(page).text
