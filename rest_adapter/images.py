"""Receives image uploads as multipart and serves images: the one operation whose body is not JSON."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Final, Protocol, cast
from urllib.parse import parse_qsl

from litestar.types import HTTPScope, Receive
from multipart import MultipartError, MultipartSegment, PushMultipartParser

from contract.errors import RejectionError, unwrap
from contract.operations import MediaType
from domain.caller import Caller
from domain.document import IMAGE_EXTENSIONS, Image, image_file
from domain.errors import Code
from edge.app import request_context
from edge.operations import require_caller, spend
from edge.rate_limit import RateLimiter, Rates
from edge.requests import declared_length, knows, media_type, only, refuse_encoded, refused, stream, too_large
from edge.responses import TOO_MANY_UPLOADS, Response, Serve

DOCUMENT: Final = "documentId"
MAX_IMAGE_BYTES: Final = 10 << 20
MAX_AROUND: Final = 1 << 16  # boundaries and the headers of the part
MAX_AT_ONCE: Final = 16
MAX_OF_ONE_USER: Final = 4
# what an id names never changes, and whoever saw it may keep it
_FOR_EVER: Final = ((b"cache-control", b"private, max-age=31536000, immutable"), (b"vary", b"x-api-key, cookie"))
_CONFINED: Final = (b"content-security-policy", b"default-src 'none'; sandbox")


class Images(Protocol):
    async def read_image(self, caller: Caller, image_id: str) -> tuple[Image, bytes]:
        """Return an image and its content; raises RejectionError."""
        ...


@dataclass(frozen=True, slots=True)
class ImageUploads:
    """All that uploading and serving images needs; `most_at_once` uploads are in memory at a time."""

    images: Images
    most_bytes: int = MAX_IMAGE_BYTES
    most_at_once: int = MAX_AT_ONCE
    most_of_one_user: int = MAX_OF_ONE_USER


async def read_image_file(scope: HTTPScope, receive: Receive, most: int) -> dict[str, object]:
    """Return the one part `file` of the body as the input; raises RejectionError: 413, 415, 400, then 415 for no image."""
    declared_length(scope, most + MAX_AROUND)
    refuse_encoded(scope)
    kind, options = media_type(scope)
    if kind != MediaType.MULTIPART:
        said = f"send the image as the part `file` of `{MediaType.MULTIPART}`"
        raise refused(Code.UNSUPPORTED_MEDIA_TYPE, said)
    try:
        content = await _parse(options.get("boundary", ""), receive, most)
    except MultipartError:
        raise refused(Code.BAD_REQUEST, "the body is not well-formed multipart") from None
    return {"file": unwrap(image_file(content))}


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


def document_in_query(serve: Serve) -> Serve:
    """Return what serves an upload whose address names the document as `?documentId=`; raises RejectionError (400)."""

    async def serve_query(scope: HTTPScope, receive: Receive) -> Response:
        try:
            named = parse_qsl(scope["query_string"].decode("latin-1"), errors="strict", max_num_fields=2)
        except ValueError:
            named = []
        if [name for name, _ in named] != [DOCUMENT]:
            raise refused(Code.BAD_REQUEST, f"the query must be `{DOCUMENT}=` and the id of the document")
        inside = {**scope, "path_params": {"itemId": named[0][1]}, "query_string": b""}
        return await serve(cast("HTTPScope", inside), receive)

    return serve_query


def few_at_a_time(serve: Serve, gallery: ImageUploads) -> Serve:
    """Return what serves uploads, `gallery.most_at_once` in memory at a time; raises RejectionError (429) for a user's."""
    room = asyncio.Semaphore(gallery.most_at_once)
    uploading: Counter[str] = Counter()

    async def serve_one(scope: HTTPScope, receive: Receive) -> Response:
        context = request_context(scope)
        user = context.caller.user_id if context.caller else ""
        if uploading[user] >= gallery.most_of_one_user:  # so that nobody's slow uploads keep the others waiting
            raise RejectionError(TOO_MANY_UPLOADS)
        uploading[user] += 1
        try:
            async with room:
                return await serve(scope, receive)
        finally:
            uploading[user] -= 1
            if not uploading[user]:
                del uploading[user]

    return serve_one


def serve_image(gallery: ImageUploads, limiter: RateLimiter | None) -> Serve:
    """Serve an image to whoever may read its document, as nothing but an image."""
    rate = (limiter.rates if limiter else Rates()).reads

    async def serve(scope: HTTPScope, _receive: Receive) -> Response:
        context = request_context(scope)
        caller = require_caller(scope, context)
        spend(limiter, rate, context)
        image, content = await gallery.images.read_image(caller, str(scope["path_params"]["imageId"]))
        name = f"{image.id}.{IMAGE_EXTENSIONS[image.content_type]}"
        headers = (
            (b"content-type", image.content_type.encode()),
            (b"content-disposition", f'inline; filename="{name}"'.encode()),
            _CONFINED,
            *_FOR_EVER,
            (b"etag", (tag := f'"{image.id}"').encode()),
        )
        if knows(only(scope, b"if-none-match") or "", tag):
            return Response(304, headers)
        return Response(200, headers, content)

    return serve
