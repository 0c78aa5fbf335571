"""An image of another document that somebody pastes in an editor becomes an image of the document that it is pasted into."""

import asyncio

from tests.support.processes.servers import PATIENCE

PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU"
    b"\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"
)
IMAGES = "query($id: ID!) { document(id: $id) { images { id url } } }"
CHANGES = "/api/v1/documents/{}/changes"


async def uploaded(world, document, who="ada"):
    said = await world.api[who].post(f"/api/v1/drive-items/{document}/images", files={"file": ("dot.png", PIXEL)})
    return said.raise_for_status().json()["image"]["url"]


async def images(world, document, who="ada"):
    return [each["url"] for each in (await world.ask(IMAGES, who, id=document))["document"]["images"]]


async def copied(world, document):
    """The address of the one image of a document, once there is one."""
    async with asyncio.timeout(PATIENCE):
        while not (found := await images(world, document)):
            continue
    return found[0]


async def test_what_is_pasted_is_copied_for_everybody_who_has_the_document_open(clients, world):
    first, second = await world.document(), await world.document()
    image = await uploaded(world, first)
    for who in ("ada", "ben"):
        await clients("open", who, **world.way(second, who))
        await clients("synced", who)
    await clients("image", "ada", src=image)
    await clients("acknowledged", "ada")
    copy = await copied(world, second)
    assert copy != image
    for who in ("ada", "ben"):
        await clients("sees", who, text=copy.rpartition("/")[2])
        assert image.rpartition("/")[2] not in (await clients("text", who))["text"]
    assert (await world.api["ben"].get(copy)).content == (await world.api["ada"].get(image)).content
    changes = (await world.api["ben"].get(CHANGES.format(second))).json()["changes"]
    assert {(each["by"]["name"], each["by"]["agent"]) for each in changes} == {("Ada Lovelace", None)}


async def test_what_is_pasted_twice_and_again_has_one_copy(clients, world):
    first, second = await world.document(), await world.document()
    image = await uploaded(world, first)
    await clients("open", "ada", **world.way(second))
    await clients("synced", "ada")
    for _ in range(2):
        await clients("image", "ada", src=image)
        await clients("acknowledged", "ada")
        copy = await copied(world, second)
        async with asyncio.timeout(PATIENCE):
            while image.rpartition("/")[2] in (await world.read(second))["markdown"]:
                continue
    assert await images(world, second) == [copy]
    assert (await world.read(second))["markdown"].count(copy) == 2


async def test_who_may_not_read_an_image_gets_no_copy_of_it(clients, world):
    own, shared = await world.personal("ben"), await world.document()
    image = await uploaded(world, own, "ben")
    readable = await uploaded(world, await world.document())
    await clients("open", "ada", **world.way(shared))
    await clients("synced", "ada")
    await clients("image", "ada", src=image)
    await clients("image", "ada", src=readable)
    await clients("acknowledged", "ada")
    copy = await copied(world, shared)
    text = (await world.read(shared))["markdown"]
    assert image in text
    assert copy in text or readable in text
    assert await images(world, shared) == [copy]
