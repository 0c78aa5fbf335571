"""How a moment is written: ISO 8601 in UTC, milliseconds, `Z`."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

import msgspec

_encode: Final = msgspec.json.Encoder().encode
_MICROSECONDS: Final = len('"2026-01-02T03:04:05.678901Z"')


@lru_cache(maxsize=10_000)
def timestamp_text(moment: datetime) -> str:
    """As `2026-01-02T03:04:05.678Z`; raises ValueError for a moment without a zone."""
    if moment.tzinfo is UTC:
        text = _encode(moment)  # a fifth of the time of `isoformat`, which lists of thousands of items feel
        if len(text) == _MICROSECONDS:
            return text[1:24].decode() + "Z"
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")[:23] + "Z"
