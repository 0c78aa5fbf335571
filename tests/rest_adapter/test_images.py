"""Images: in as multipart, made anew by a worker, out as nothing but images."""

import asyncio
import sys
from io import BytesIO

import pytest
from PIL import Image, PngImagePlugin
from surface import KEY, ORIGIN, PIXEL, World, envelope, exact

from domain.errors import NOT_FOUND, Code, Rejection, forbidden
from edge.rate_limit import Rate, Rates
from graphql_api.errors import RejectionError
from rest_adapter.image_process import ImageProcess
from rest_adapter.image_worker import TooLarge, reencode

PATH = "/drive-items/i/images"


def picture(kind, size=(30, 20), mode="RGB", **options):
    written = BytesIO()
    Image.new(mode, size, "red" if mode != "P" else 1).save(written, kind, **options)
    return written.getvalue()


def moving(kind, frames):
    colours = [Image.new("RGB", (8, 8), (each * 37 % 256, each * 91 % 256, each)) for each in range(frames)]
    written = BytesIO()
    colours[0].save(written, kind, save_all=True, append_images=colours[1:], duration=40, loop=0)
    return written.getvalue()


def upload(content, name="file", filename="a.png"):
    return {"files": {name: (filename, content)}}


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
async def test_an_image_is_made_anew_kept_and_served(kind):
    world = World()
    response = await world.ask("POST", PATH, **upload(picture(kind)))
    assert response.status_code == 200
    image = response.json()["image"]
    assert image == {
        "id": "image-0",
        "url": f"{ORIGIN}/images/image-0",
        "contentType": f"image/{kind.lower()}",
        "width": 30,
        "height": 20,
        "byteSize": len(world.fake.kept["image-0"][1]),
        "createdAt": "2026-11-20T09:30:00.000Z",
    }
    served = await world.client.get(image["url"], headers={"x-api-key": KEY})
    assert served.status_code == 200
    assert served.headers["content-type"] == image["contentType"]
    assert served.headers["x-content-type-options"] == "nosniff"
    assert served.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert served.headers["content-disposition"].startswith('inline; filename="image-0.')
    with Image.open(BytesIO(served.content)) as opened:
        assert (opened.format, opened.size) == (kind, (30, 20))


async def test_an_image_is_served_to_nobody_else():
    world = World()
    assert envelope(await world.client.get(f"{ORIGIN}/images/image-0", headers={"x-api-key": KEY})) == (
        404,
        "NOT_FOUND",
    )
    assert envelope(await world.client.get(f"{ORIGIN}/images/image-0")) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize("rejection", [NOT_FOUND, forbidden("add images"), Rejection(Code.NOT_A_DOCUMENT, "a folder")])
async def test_who_may_not_upload_is_told_before_anything_is_decoded(rejection):
    world = World()
    world.fake.rejection = rejection
    response = await world.ask("POST", PATH, **upload(PIXEL[:20]))
    assert envelope(response)[1] == rejection.code.value


async def test_the_same_upload_is_the_same_request():
    world = World()
    for _ in range(2):
        await world.ask("POST", PATH, **upload(PIXEL), headers={"idempotency-key": "one"})
    first, second = world.fake.asked
    assert first[2] == second[2]
    assert first[3] == "one"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (b"GIF89", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (b"RIFF0000WAVE", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (PIXEL[:40], (400, "BAD_REQUEST")),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, (400, "BAD_REQUEST")),
        (b"\xff\xd8\xff" + b"\0" * 100, (400, "BAD_REQUEST")),
        (b"GIF89a" + b"\xff" * 100, (400, "BAD_REQUEST")),
        (b"RIFF\x10\0\0\0WEBPVP8 ", (400, "BAD_REQUEST")),
        (PIXEL[:16] + b"\0\0\xea\x60\0\0\xea\x60" + PIXEL[24:], (400, "BAD_REQUEST")),
    ],
)
async def test_what_is_no_whole_image_is_refused(content, said):
    assert envelope(await World().ask("POST", PATH, **upload(content))) == said


async def test_an_image_of_too_many_pixels_is_413_before_it_is_decoded():
    large = picture("PNG", (7000, 7000), "1")
    assert envelope(await World().ask("POST", PATH, **upload(large))) == (413, "PAYLOAD_TOO_LARGE")


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


# The worker, without its process


def test_metadata_goes_and_the_orientation_with_it_into_the_pixels():
    about = Image.Exif()
    about[0x0112] = 6  # turn right
    about[0x010E] = "secret place"
    made, width, height = reencode(picture("JPEG", exif=about, comment=b"secret comment"), "JPEG")
    assert (width, height) == (20, 30)
    assert b"secret" not in made
    text = PngImagePlugin.PngInfo()
    text.add_text("secret", "secret")
    made, _, _ = reencode(picture("PNG", pnginfo=text, icc_profile=b"secret", exif=about), "PNG")
    assert b"secret" not in made
    for kind in ("WEBP", "GIF"):
        extra = {"comment": b"secret"} if kind == "GIF" else {"exif": about, "xmp": b"secret"}
        assert b"secret" not in reencode(picture(kind, **extra), kind)[0]


def test_what_follows_an_image_in_the_file_goes():
    assert b"<script>" not in reencode(picture("GIF") + b"<script>", "GIF")[0]


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_what_moves_goes_on_moving(kind):
    made, _, _ = reencode(moving(kind, 5), kind)
    with Image.open(BytesIO(made)) as opened:
        assert opened.n_frames == 5
        assert opened.info["loop"] == 0


def test_too_many_frames_are_too_large():
    with pytest.raises(TooLarge):
        reencode(moving("GIF", 201), "GIF")


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_pixel_comes_through(mode):
    assert reencode(picture("PNG", mode=mode) if mode != "I;16" else picture_of_depth(), "PNG")[1:] == (30, 20)


def picture_of_depth():
    written = BytesIO()
    Image.new("I;16", (30, 20)).save(written, "PNG")
    return written.getvalue()


def test_a_large_noisy_webp_is_written_in_whatever_way_it_can_be():
    written = BytesIO()
    Image.effect_noise((400, 260), 80).resize((4000, 2600)).convert("RGB").save(written, "WEBP", quality=50, method=0)
    assert reencode(written.getvalue(), "WEBP")[1:] == (4000, 2600)


def test_a_picture_for_print_becomes_one_for_screens():
    made, _, _ = reencode(picture("JPEG", mode="CMYK"), "JPEG")
    with Image.open(BytesIO(made)) as opened:
        assert opened.mode == "RGB"


@pytest.mark.parametrize("script", ["import time; time.sleep(600)", "import os; os.abort()", "raise SystemExit(3)"])
async def test_a_worker_that_is_stuck_or_falls_over_costs_the_upload_alone(script):
    shop = ImageProcess(seconds=0.3, command=(sys.executable, "-I", "-S", "-c", script))
    with pytest.raises(RejectionError) as refused:
        await shop.make(PIXEL, "PNG", "ada")
    assert refused.value.rejection.code is Code.PAYLOAD_TOO_LARGE
    assert (await ImageProcess().make(PIXEL, "PNG", "ada")).width == 1


async def test_an_image_waits_for_one_image_of_another_user_and_not_for_all_of_them():
    script = """
import sys
content = sys.stdin.buffer.read()
sys.stdout.buffer.write(b'{"outcome": "made", "width": 1, "height": 1}' + bytes([10]) + content)
"""
    shop = ImageProcess(command=(sys.executable, "-I", "-S", "-c", script))
    finished = []

    async def make(user, name):
        await shop.make(name.encode(), "PNG", user)
        finished.append(name)

    await asyncio.gather(*[make("ada", f"ada {number}") for number in range(4)], make("ben", "ben"))
    assert finished == ["ada 0", "ben", "ada 1", "ada 2", "ada 3"]
