"""Gzip compression of JSON answers.

Nothing but JSON is compressed: a page holds a secret, the token of its forms, beside text that somebody else chose, and
the length of both compressed together would tell the one by the other (BREACH). JSON is answered to keys, to bearer
tokens and to our own pages, so another site can have no browser ask for it.
"""

import asyncio
import re
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from litestar.types.asgi_types import RawHeaders

MIN_SIZE: Final = 1024  # bytes: shorter answers are sent as they are
MAX_ON_LOOP: Final = 64 * 1024  # bytes: 0.3 ms; longer answers are compressed in threads of their own
LEVEL: Final = 5  # of zlib: 200 MB/s; level 6 takes half as long again for 3 %
JSON_TYPES: Final = frozenset({b"application/json", b"application/graphql-response+json"})
VARY: Final = b"accept-encoding"
_threads: Final = ThreadPoolExecutor(2, thread_name_prefix="gzip")
_GZIP: Final = 31  # zlib's `wbits` for the largest window, in gzip's container
_coding: Final = re.compile(rb"\s*([^\s;,]+)\s*(?:;\s*[qQ]=([0-9.]+))?\s*(?:,|$)")


def accepts(coding: bytes, headers: RawHeaders) -> bool:
    """Whether the request's `Accept-Encoding` takes a content coding, by its name or by `*`."""
    given = b",".join(value for name, value in headers if name == b"accept-encoding").lower()
    weights = {found[1]: _weight(found[2]) for found in _coding.finditer(given)}
    return weights.get(coding, weights.get(b"*", 0.0)) > 0


def _weight(text: bytes | None) -> float:
    try:
        return 1.0 if text is None else float(text)
    except ValueError:
        return 0.0


def gzip(body: bytes | memoryview, level: int = LEVEL) -> bytes:
    """Return the body in gzip's format, the same for the same body."""
    packer = zlib.compressobj(level, zlib.DEFLATED, _GZIP)
    return packer.compress(body) + packer.flush()


def is_compressible(headers: RawHeaders) -> bool:
    """Whether an answer is JSON that is not encoded yet."""
    found = dict(headers)
    media = found.get(b"content-type", b"").partition(b";")[0].strip().lower()
    return media in JSON_TYPES and b"content-encoding" not in found


async def compressed(begun: dict[str, Any], body: bytes) -> bytes:
    """Return the body of an answer in gzip's format, and say so in the headers of its start."""
    packed = await _in_thread(body) if len(body) > MAX_ON_LOOP else gzip(body)
    kept = [each for each in begun["headers"] if each[0] != b"content-length"]
    begun["headers"] = [*kept, (b"content-length", b"%d" % len(packed)), (b"content-encoding", b"gzip")]
    return packed


async def _in_thread(body: bytes) -> bytes:
    return await asyncio.get_running_loop().run_in_executor(_threads, gzip, body)


def vary(headers: RawHeaders, name: bytes) -> list[tuple[bytes, bytes]]:
    """Return the headers with `name` among what the answer varies by."""
    headers = [*headers]
    named = [value for each, value in headers if each == b"vary"]
    if any(name in value.lower() for value in named):
        return headers
    others = [each for each in headers if each[0] != b"vary"]
    return [*others, (b"vary", b", ".join([*named, name]))]
