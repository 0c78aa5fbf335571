"""How an image comes in as multipart and goes out again: the one operation whose body is no JSON."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from litestar.types import HTTPScope, Receive
from multipart import MultipartError, MultipartSegment, PushMultipartParser

from domain.caller import Caller
from domain.document import Image as StoredImage
from domain.errors import Code
from graphql_api.errors import RejectionError, unwrap
from graphql_api.operation_schema import OperationSchema, parse_inputs
from graphql_api.rates import Buckets, Rates
from graphql_api.scalars import timestamp_text
from graphql_api.types import ImageType
from rest_adapter.answers import TOO_MANY_REQUESTS, Answer, answer_json
from rest_adapter.edge import Visit, visit_of
from rest_adapter.requests import declared_length, idempotency_key, media_type, parameters, refused, stream, too_large
from rest_adapter.routes import PRIVATE, asking, spend
from rest_adapter.workshop import Workshop

MAX_IMAGE_BYTES: Final = 10 << 20
MAX_AROUND: Final = 1 << 16  # boundaries and the headers of the part
MAX_AT_ONCE: Final = 16
MAX_OF_ONE_USER: Final = 4
_CONFINED: Final = (b"content-security-policy", b"default-src 'none'; sandbox")


@dataclass(frozen=True, slots=True)
class Kind:
    """A format that may be uploaded; `pillow` is what Pillow calls it."""

    pillow: str
    content_type: str
    extension: str


PNG: Final = Kind("PNG", "image/png", "png")
JPEG: Final = Kind("JPEG", "image/jpeg", "jpg")
GIF: Final = Kind("GIF", "image/gif", "gif")
WEBP: Final = Kind("WEBP", "image/webp", "webp")
_EXTENSIONS: Final = {kind.content_type: kind.extension for kind in (PNG, JPEG, GIF, WEBP)}


class Images(Protocol):
    """What decides over images and keeps them; each raises RejectionError."""

    async def may_upload(self, caller: Caller, item_id: str) -> None: ...

    async def record_image(
        self, caller: Caller, item_id: str, image: StoredImage, content: bytes, digest: str, idempotency_key: str | None
    ) -> ImageType: ...

    async def read_image(self, caller: Caller, image_id: str) -> tuple[StoredImage, bytes]: ...


@dataclass(frozen=True, slots=True)
class Gallery:
    """All that uploading and serving images needs; `most_at_once` uploads are in memory at a time."""

    images: Images
    new_id: Callable[[], str]
    now: Callable[[], datetime]
    workshop: Workshop = field(default_factory=Workshop)
    most_bytes: int = MAX_IMAGE_BYTES
    most_at_once: int = MAX_AT_ONCE
    most_of_one_user: int = MAX_OF_ONE_USER


def kind_of(content: bytes) -> Kind:
    """Tell the format from the first bytes, whatever the part says of itself."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG
    if content.startswith(b"\xff\xd8\xff"):
        return JPEG
    if content.startswith((b"GIF87a", b"GIF89a")):
        return GIF
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return WEBP
    raise refused(Code.UNSUPPORTED_MEDIA_TYPE, "`file` must be a PNG, JPEG, GIF or WebP image")


async def read_file(scope: HTTPScope, receive: Receive, most: int) -> bytes:
    """Return the one part `file` of the body; raises RejectionError: 413, 415, then 400."""
    declared_length(scope, most + MAX_AROUND)
    kind, options = media_type(scope)
    if kind != "multipart/form-data":
        raise refused(Code.UNSUPPORTED_MEDIA_TYPE, "send the image as the part `file` of `multipart/form-data`")
    try:
        return await _parse(options.get("boundary", ""), receive, most)
    except MultipartError:
        raise refused(Code.BAD_REQUEST, "the body is not well-formed multipart") from None


async def _parse(boundary: str, receive: Receive, most: int) -> bytes:
    content, parts, total = bytearray(), 0, 0
    with PushMultipartParser(boundary, max_segment_count=8) as parser:
        async for chunk in stream(receive):
            total += len(chunk)
            if total > most + MAX_AROUND:
                raise too_large(most)
            for event in parser.parse(chunk):
                if isinstance(event, MultipartSegment):
                    parts += 1
                    if event.name != "file" or parts > 1:
                        raise refused(Code.BAD_REQUEST, "the body must have exactly one part, named `file`")
                elif event:
                    content += event
                    if len(content) > most:
                        raise too_large(most)
    if parts != 1:
        raise refused(Code.BAD_REQUEST, "the body must have exactly one part, named `file`")
    return bytes(content)


def serve_upload(
    shape: OperationSchema, gallery: Gallery, buckets: Buckets | None
) -> Callable[[HTTPScope, Receive], Awaitable[Answer]]:
    rate = (buckets.rates if buckets else Rates()).images
    room = asyncio.Semaphore(gallery.most_at_once)

    uploading: Counter[str] = Counter()

    async def serve(scope: HTTPScope, receive: Receive) -> Answer:
        visit = visit_of(scope)
        user = visit.caller.user_id if visit.caller else ""
        if uploading[user] >= gallery.most_of_one_user:  # so that nobody's slow uploads keep the others waiting
            raise RejectionError(TOO_MANY_REQUESTS)
        uploading[user] += 1
        try:
            async with room:
                return await upload(scope, receive, visit)
        finally:
            uploading[user] -= 1
            if not uploading[user]:
                del uploading[user]

    async def upload(scope: HTTPScope, receive: Receive, visit: Visit) -> Answer:
        content = await read_file(scope, receive, gallery.most_bytes)
        kind = kind_of(content)
        caller = asking(scope, visit)
        key = idempotency_key(scope)
        item_id = str(unwrap(parse_inputs(shape, parameters(scope["path_params"])))["itemId"])
        spend(buckets, rate, visit)
        await gallery.images.may_upload(caller, item_id)
        made = await gallery.workshop.make(content, kind.pillow, caller.user_id)
        image = StoredImage(
            gallery.new_id(),
            item_id,
            kind.content_type,
            made.width,
            made.height,
            len(made.content),
            gallery.now(),
        )
        digest = hashlib.sha256(content).hexdigest()
        recorded = await gallery.images.record_image(caller, item_id, image, made.content, digest, key)
        return answer_json({"image": _shown(recorded)})

    return serve


def _shown(image: ImageType) -> dict[str, object]:
    return {
        "id": image.id,
        "url": image.url,
        "contentType": image.content_type,
        "width": image.width,
        "height": image.height,
        "byteSize": image.byte_size,
        "createdAt": timestamp_text(image.created_at),
    }


def serve_image(gallery: Gallery, buckets: Buckets | None) -> Callable[[HTTPScope, Receive], Awaitable[Answer]]:
    """Serve an image to whoever may read its document, as nothing but an image."""
    rate = (buckets.rates if buckets else Rates()).reads

    async def serve(scope: HTTPScope, _receive: Receive) -> Answer:
        visit = visit_of(scope)
        caller = asking(scope, visit)
        spend(buckets, rate, visit)
        image, content = await gallery.images.read_image(caller, str(parameters(scope["path_params"])["imageId"]))
        name = f"{image.id}.{_EXTENSIONS[image.content_type]}"
        headers = (
            (b"content-type", image.content_type.encode()),
            (b"content-disposition", f'inline; filename="{name}"'.encode()),
            _CONFINED,
            *PRIVATE,
        )
        return Answer(200, headers, content)

    return serve
