"""Re-encodes an uploaded image: decodes it within bounds, turns it upright and strips its metadata.

It is loaded only in a process that re-encodes an image, so an image that crashes a decoder ends only that process.
"""

from io import BytesIO
from typing import Any, Final

from PIL import Image, ImageCms, ImageOps, ImageSequence

from domain.document import IMAGE_TOO_LARGE, EncodedImage
from domain.errors import Code, Rejection

MAX_PIXELS: Final = 40_000_000
MAX_FRAMES: Final = 200
MAX_PIXELS_OF_ALL_FRAMES: Final = 100_000_000
_MOVING: Final = frozenset({"GIF", "PNG", "WEBP"})
_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "PNG": {"optimize": False},
    "JPEG": {"quality": 90, "optimize": True},
    "GIF": {},
    "WEBP": {"quality": 90, "method": 2},  # a sixth of the time of 3 and more
}
_FORMATS: Final = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}
_DAMAGED: Final = Rejection(Code.BAD_REQUEST, "`file` is damaged: it cannot be decoded")


class TooLarge(Exception):  # noqa: N818 - reported to the caller, not a fault
    pass


def encoded(content: bytes, content_type: str) -> EncodedImage | Rejection:
    """Return the image anew, or a Rejection of one that is damaged or takes too much to decode."""
    try:
        return EncodedImage(*reencode(content, _FORMATS[content_type]))
    except (TooLarge, MemoryError, Image.DecompressionBombError):
        return IMAGE_TOO_LARGE
    except Exception:  # noqa: BLE001 - decoders raise whatever they like at a damaged image
        return _DAMAGED


def reencode(content: bytes, kind: str) -> tuple[bytes, int, int]:
    """Return the image anew with its width and height; raises TooLarge, or what Pillow raises for a damaged one."""
    with Image.open(BytesIO(content), formats=[kind]) as image:
        # only the header has been read so far
        pixels = image.width * image.height
        frames = getattr(image, "n_frames", 1) if kind in _MOVING and pixels <= MAX_PIXELS else 1
        if pixels > MAX_PIXELS or frames > MAX_FRAMES or pixels * frames > MAX_PIXELS_OF_ALL_FRAMES:
            raise TooLarge
        written = BytesIO()
        if frames > 1:
            width, height = _write_frames(image, kind, written)
        else:
            still = _upright(image, kind)
            width, height = still.size
            try:
                still.save(written, kind, **_OPTIONS[kind])
            except ValueError:  # a large WebP may overflow what the quick methods plan with
                written = BytesIO()
                still.save(written, kind, **_OPTIONS[kind] | {"method": 4})
    return written.getvalue(), width, height


def _upright(image: Image.Image, kind: str) -> Image.Image:
    image.load()
    upright = _in_srgb(ImageOps.exif_transpose(image))
    if kind == "JPEG" and upright.mode not in ("L", "RGB"):
        upright = upright.convert("RGB")
    transparency = upright.info.get("transparency")
    upright = upright.copy()
    upright.info = {} if transparency is None else {"transparency": transparency}
    upright.getexif().clear()
    return upright


def _in_srgb(image: Image.Image) -> Image.Image:
    """Apply the colour profile, since it is metadata and goes; one that cannot be applied is ignored, as it was."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "RGBA", "CMYK"):
        return image
    mode = "RGB" if image.mode == "CMYK" else image.mode
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        return ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode=mode) or image
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image


def _write_frames(image: Image.Image, kind: str, written: BytesIO) -> tuple[int, int]:
    durations, frames = [], []
    for frame in ImageSequence.Iterator(image):
        durations.append(int(frame.info.get("duration", 100)))
        bare = frame.convert("RGBA")
        bare.info = {}
        frames.append(bare)
    loop = {"loop": image.info["loop"]} if "loop" in image.info else {}
    frames[0].save(written, kind, save_all=True, append_images=frames[1:], duration=durations, **loop, **_OPTIONS[kind])
    return frames[0].size
