"""Receives image uploads as multipart and serves images: the one operation whose body is not JSON."""

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
from domain.document import IMAGE_EXTENSIONS
from domain.document import Image as StoredImage
from domain.errors import Code
from edge.app import RequestContext, context_of
from edge.operations import require_caller, spend
from edge.rate_limit import RateLimiter, Rates
from edge.requests import (
    declared_length,
    idempotency_key,
    media_type,
    parameters,
    query_inputs,
    refused,
    stream,
    too_large,
)
from edge.responses import TOO_MANY_REQUESTS, Response, json_response
from graphql_api.errors import RejectionError, unwrap
from graphql_api.operation_schema import OperationSchema, parse_inputs
from graphql_api.scalars import timestamp_text
from graphql_api.types import ImageType
from rest_adapter.image_process import ImageProcess
from rest_adapter.routes import PRIVATE

MAX_IMAGE_BYTES: Final = 10 << 20
MAX_AROUND: Final = 1 << 16  # boundaries and the headers of the part
MAX_AT_ONCE: Final = 16
MAX_OF_ONE_USER: Final = 4
_CONFINED: Final = (b"content-security-policy", b"default-src 'none'; sandbox")


@dataclass(frozen=True, slots=True)
class ImageFormat:
    """A format that may be uploaded; `pillow` is what Pillow calls it."""

    pillow: str
    content_type: str


PNG: Final = ImageFormat("PNG", "image/png")
JPEG: Final = ImageFormat("JPEG", "image/jpeg")
GIF: Final = ImageFormat("GIF", "image/gif")
WEBP: Final = ImageFormat("WEBP", "image/webp")


class Images(Protocol):
    """The operations on images; each raises RejectionError."""

    async def may_upload(self, caller: Caller, item_id: str) -> None: ...

    async def record_image(
        self, caller: Caller, item_id: str, image: StoredImage, content: bytes, digest: str, idempotency_key: str | None
    ) -> ImageType: ...

    async def read_image(self, caller: Caller, image_id: str) -> tuple[StoredImage, bytes]: ...


@dataclass(frozen=True, slots=True)
class ImageUploads:
    """All that uploading and serving images needs; `most_at_once` uploads are in memory at a time."""

    images: Images
    new_id: Callable[[], str]
    now: Callable[[], datetime]
    workshop: ImageProcess = field(default_factory=ImageProcess)
    most_bytes: int = MAX_IMAGE_BYTES
    most_at_once: int = MAX_AT_ONCE
    most_of_one_user: int = MAX_OF_ONE_USER


def image_format(content: bytes) -> ImageFormat:
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
    shape: OperationSchema, gallery: ImageUploads, limiter: RateLimiter | None
) -> Callable[[HTTPScope, Receive], Awaitable[Response]]:
    rate = (limiter.rates if limiter else Rates()).images
    room = asyncio.Semaphore(gallery.most_at_once)

    uploading: Counter[str] = Counter()

    async def serve(scope: HTTPScope, receive: Receive) -> Response:
        context = context_of(scope)
        user = context.caller.user_id if context.caller else ""
        if uploading[user] >= gallery.most_of_one_user:  # so that nobody's slow uploads keep the others waiting
            raise RejectionError(TOO_MANY_REQUESTS)
        uploading[user] += 1
        try:
            async with room:
                return await upload(scope, receive, context)
        finally:
            uploading[user] -= 1
            if not uploading[user]:
                del uploading[user]

    async def upload(scope: HTTPScope, receive: Receive, context: RequestContext) -> Response:
        content = await read_file(scope, receive, gallery.most_bytes)
        kind = image_format(content)
        caller = require_caller(scope, context)
        key = idempotency_key(scope)
        given = parameters(scope["path_params"]) | query_inputs(scope, shape)
        item_id = str(unwrap(parse_inputs(shape, given))["itemId"])
        spend(limiter, rate, context)
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
        return json_response({"image": _shown(recorded)})

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


def serve_image(
    gallery: ImageUploads, limiter: RateLimiter | None
) -> Callable[[HTTPScope, Receive], Awaitable[Response]]:
    """Serve an image to whoever may read its document, as nothing but an image."""
    rate = (limiter.rates if limiter else Rates()).reads

    async def serve(scope: HTTPScope, _receive: Receive) -> Response:
        context = context_of(scope)
        caller = require_caller(scope, context)
        spend(limiter, rate, context)
        image, content = await gallery.images.read_image(caller, str(parameters(scope["path_params"])["imageId"]))
        name = f"{image.id}.{IMAGE_EXTENSIONS[image.content_type]}"
        headers = (
            (b"content-type", image.content_type.encode()),
            (b"content-disposition", f'inline; filename="{name}"'.encode()),
            _CONFINED,
            *PRIVATE,
        )
        return Response(200, headers, content)

    return serve
