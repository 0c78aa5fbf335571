"""Images that are uploaded are decoded and encoded anew, in a process of their own."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, PngImagePlugin

from computing.image import TooLarge, reencode
from computing.jobs import REENCODE_IMAGE
from domain.document import ImageFile, image_file
from domain.errors import Code
from service.image_jobs import ImageJobs

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)
WHOLE = ImageFile(PIXEL, "image/png")


def picture(kind, size=(30, 20), mode="RGB", **options):
    written = BytesIO()
    Image.new(mode, size, "red" if mode != "P" else 1).save(written, kind, **options)
    return written.getvalue()


def moving(kind, frames):
    colours = [Image.new("RGB", (8, 8), (each * 37 % 256, each * 91 % 256, each)) for each in range(frames)]
    written = BytesIO()
    colours[0].save(written, kind, save_all=True, append_images=colours[1:], duration=40, loop=0)
    return written.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
async def test_an_image_is_made_anew_in_its_own_format(runner, kind):
    made = await ImageJobs(runner).encode(image_file(picture(kind)), "ada")
    assert (made.width, made.height) == (30, 20)
    with Image.open(BytesIO(made.content)) as opened:
        assert (opened.format, opened.size) == (kind, (30, 20))


@pytest.mark.parametrize(
    "content",
    [
        PIXEL[:40],
        b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
        b"\xff\xd8\xff" + b"\0" * 100,
        b"GIF89a" + b"\xff" * 100,
        b"RIFF\x10\0\0\0WEBPVP8 ",
        PIXEL[:16] + b"\0\0\xea\x60\0\0\xea\x60" + PIXEL[24:],
    ],
)
async def test_what_only_begins_as_an_image_is_damaged(runner, content):
    assert (await ImageJobs(runner).encode(image_file(content), "ada")).code is Code.BAD_REQUEST


async def test_an_image_of_too_many_pixels_is_refused_before_it_is_decoded(runner):
    large = image_file(picture("PNG", (7000, 7000), "1"))
    assert (await ImageJobs(runner).encode(large, "ada")).code is Code.PAYLOAD_TOO_LARGE


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


async def test_a_decoder_that_is_stuck_or_takes_too_much_costs_the_upload_alone(runner):
    large = image_file(picture("PNG", (5000, 5000)))
    for less in ({"seconds": 0.0}, {"cpu_seconds": 0}, {"memory": 200 << 20}):
        jobs = ImageJobs(runner, replace(REENCODE_IMAGE, **less))
        assert (await jobs.encode(large, "ada")).code is Code.PAYLOAD_TOO_LARGE
    assert (await ImageJobs(runner).encode(WHOLE, "ada")).width == 1
