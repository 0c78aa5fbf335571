"""Images over REST: in as multipart, out as nothing but images."""

import asyncio

import pytest

from domain.document import Image, ImageFile
from edge.rate_limit import Rate, Rates
from graphql_api.contract_execution import fingerprint
from tests.rest_adapter.surface import KEY, MOMENT, ORIGIN, PIXEL, World, envelope, exact

PATH = "/drive-items/i/images"


def upload(content, name="file", filename="a.png"):
    return {"files": {name: (filename, content)}}


async def test_an_image_is_served_as_nothing_but_an_image():
    world = World()
    world.fake.kept["image-0"] = (Image("image-0", "i", "image/png", 1, 1, len(PIXEL), MOMENT, "image-0"), PIXEL)
    served = await world.client.get(f"{ORIGIN}/images/image-0", headers={"x-api-key": KEY})
    assert (served.status_code, served.content) == (200, PIXEL)
    assert served.headers["content-type"] == "image/png"
    assert served.headers["x-content-type-options"] == "nosniff"
    assert served.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert served.headers["content-disposition"] == 'inline; filename="image-0.png"'


@pytest.mark.parametrize("known", ['"image-0"', 'W/"image-0"', '"other", "image-0"', "*"])
async def test_an_image_that_a_browser_has_is_not_sent_again(known):
    world = World()
    world.fake.kept["image-0"] = (Image("image-0", "i", "image/png", 1, 1, len(PIXEL), MOMENT, "image-0"), PIXEL)
    first = await world.client.get(f"{ORIGIN}/images/image-0", headers={"x-api-key": KEY})
    assert first.headers["etag"] == '"image-0"'
    assert first.headers["cache-control"] == "private, max-age=31536000, immutable"
    again = await world.client.get(f"{ORIGIN}/images/image-0", headers={"x-api-key": KEY, "if-none-match": known})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", '"image-0"')
    other = await world.client.get(f"{ORIGIN}/images/image-0", headers={"x-api-key": KEY, "if-none-match": '"image-1"'})
    assert other.status_code == 200
    stranger = {"if-none-match": known}
    assert (await world.client.get(f"{ORIGIN}/images/image-0", headers=stranger)).status_code == 401


async def test_an_image_is_served_to_nobody_else():
    world = World()
    assert envelope(await world.client.get(f"{ORIGIN}/images/image-0", headers={"x-api-key": KEY})) == (
        404,
        "NOT_FOUND",
    )
    assert envelope(await world.client.get(f"{ORIGIN}/images/image-0")) == (401, "UNAUTHORIZED")


async def test_an_upload_is_run_as_every_row_is_with_its_file_as_an_input():
    world = World()
    await world.ask("POST", PATH, **upload(PIXEL), headers={"idempotency-key": "one"})
    ((operation, _, inputs, key),) = world.fake.asked
    assert (operation, key) == ("driveItems.uploadImage", "one")
    assert inputs == {"itemId": "i", "file": ImageFile(PIXEL, "image/png")}


async def test_the_same_file_is_the_same_request_and_another_is_another():
    first, again, other = (ImageFile(content, "image/png") for content in (PIXEL, bytes(bytearray(PIXEL)), PIXEL[:40]))
    assert fingerprint({"itemId": "i", "file": first}) == fingerprint({"itemId": "i", "file": again})
    assert fingerprint({"itemId": "i", "file": first}) != fingerprint({"itemId": "i", "file": other})


@pytest.mark.parametrize(
    "content", [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89", b"RIFF0000WAVE", b"\x89PNG\r\n"]
)
async def test_what_does_not_begin_as_an_image_is_415_before_anything_is_run(content):
    world = World()
    assert envelope(await world.ask("POST", PATH, **upload(content))) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert world.fake.asked == []


async def test_a_file_over_ten_mebibytes_is_413_whether_its_length_was_declared_or_not():
    world = World()
    content = PIXEL + b"\0" * (10 << 20)
    assert envelope(await world.ask("POST", PATH, **upload(content))) == (413, "PAYLOAD_TOO_LARGE")
    whole = b'--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n' + content

    async def parts():
        for start in range(0, len(whole), 1 << 18):
            yield whole[start : start + (1 << 18)]

    headers = {"content-type": "multipart/form-data; boundary=b"}
    assert envelope(await world.ask("POST", PATH, content=parts(), headers=headers)) == (413, "PAYLOAD_TOO_LARGE")


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (b"{}", "application/json", 415),
        (PIXEL, "image/png", 415),
        (b"", "", 415),
        (b"", "multipart/form-data", 400),
        (b"", "multipart/form-data; boundary=b", 400),
        (b"rubbish", "multipart/form-data; boundary=b", 400),
        (b'--b\r\ncontent-disposition: form-data; name="file"\r\n\r\nabc', "multipart/form-data; boundary=b", 400),
        (b'--b\r\ncontent-disposition: form-data; name="other"\r\n\r\nabc\r\n--b--', "multipart/form-data; boundary=b", 400),
        (b"--b\r\nx: y\r\n\r\nabc\r\n--b--", "multipart/form-data; boundary=b", 400),
        (b"--b\r\n" + b"x" * 9000, "multipart/form-data; boundary=b", 400),
        (b'--b\r\ncontent-disposition: form-data; name="file"\r\n\r\na\r\n' * 2 + b"--b--", "multipart/form-data; boundary=b", 400),
        (b"--b--", "multipart/form-data; boundary=b", 400),
    ],
)  # fmt: skip
async def test_a_body_that_is_not_one_file_is_refused(body, kind, said):
    response = await World().ask("POST", PATH, content=body, headers={"content-type": kind})
    assert envelope(response)[0] == said


async def test_uploads_have_a_rate_of_their_own():
    world = World(Rates(images=Rate("images", 1)))
    assert (await world.ask("POST", PATH, **upload(PIXEL))).status_code == 200
    assert envelope(await world.ask("POST", PATH, **upload(PIXEL))) == (429, "TOO_MANY_REQUESTS")
    assert (await world.ask("GET", "/drives")).status_code == 200


async def test_one_user_uploads_a_few_at_a_time_and_others_do_not_wait():
    world = World()
    held, begun = asyncio.Event(), asyncio.Semaphore(0)

    async def slowly():
        begun.release()
        yield b"--b"
        await held.wait()

    headers = {"content-type": "multipart/form-data; boundary=b"}
    async with asyncio.TaskGroup() as tasks:
        slow = [tasks.create_task(world.ask("POST", PATH, content=slowly(), headers=headers)) for _ in range(4)]
        for _ in slow:
            await begun.acquire()
        refused = await world.ask("POST", PATH, **upload(PIXEL))
        held.set()
    assert envelope(refused) == (429, "TOO_MANY_REQUESTS")
    assert refused.headers["retry-after"] == "1"
    assert [envelope(each.result()) for each in slow] == [(400, "BAD_REQUEST")] * 4
    assert (await world.ask("POST", PATH, **upload(PIXEL))).status_code == 200


async def test_broken_encoding_in_the_path_of_an_upload_is_400():
    response = await exact(World(), "POST", "/drive-items/%ff/images", files={"file": ("a", PIXEL)})
    assert envelope(response) == (400, "BAD_REQUEST")
