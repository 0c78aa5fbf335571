"""Cursor: a place in a list as opaque text, which is base64url without padding."""

import base64
import binascii
import hmac
import re
from typing import NewType

from domain.errors import Rejection
from domain.values import bad

Cursor = NewType("Cursor", str)

_SIGNATURE_BYTES = 16
_SIGNATURE_LENGTH = 22

MAX_CURSOR_LENGTH = 8_192  # characters: with the rest of an address, what common proxies take
# The published pattern is exactly the accepted one; the reader of a cursor finds out whether it names a place of its list.
CURSOR_PATTERN = r"^[A-Za-z0-9_-]+$"

_cursor = re.compile(CURSOR_PATTERN)


def cursor(text: str, field: str = "cursor") -> Cursor | Rejection:
    """Return `text` where it is spelled as a cursor, of whichever list."""
    if len(text) > MAX_CURSOR_LENGTH or _cursor.fullmatch(text) is None:
        return bad(
            field, f"must be a cursor as an answer gave it: 1 to {MAX_CURSOR_LENGTH} letters, digits, `-` and `_`"
        )
    return Cursor(text)


def encode_cursor(place: bytes) -> Cursor:
    """Return the cursor of a place; `place` is what the list is ordered by, in a form of the list's own."""
    return Cursor(base64.urlsafe_b64encode(place).rstrip(b"=").decode())


def signed_cursor(key: bytes, place: str, of: tuple[str, ...]) -> Cursor:
    """Return the cursor of a place that nobody can make without the key; `of` names the list, and whose it is."""
    signature = hmac.digest(key, "\0".join((place, *of)).encode(), "sha256")[:_SIGNATURE_BYTES]
    return Cursor(f"{place}-{encode_cursor(signature)}")


def signed_place(key: bytes, text: str, of: tuple[str, ...]) -> str | None:
    """Return the place that a cursor was made of with this key and for this list, or None where it was not."""
    place = text[: -_SIGNATURE_LENGTH - 1]
    return place if hmac.compare_digest(text.encode(), signed_cursor(key, place, of).encode()) else None


def decode_cursor(text: str) -> bytes | None:
    """Return the place that a cursor was made of, or None where it was made of none."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
