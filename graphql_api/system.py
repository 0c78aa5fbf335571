"""Time, ids and random bits from the operating system: the process's `ports.Clock`, `ports.Ids` and `ports.Secrets`."""

import secrets
import threading
import time
import uuid
from datetime import UTC, datetime

_lock = threading.Lock()
_last = 0


def milliseconds() -> int:
    """Return the present time in whole milliseconds since 1970, UTC; cheaper than `now`, for every keystroke."""
    return time.time_ns() // 1_000_000


def now() -> datetime:
    """Return the present time in UTC, in whole milliseconds."""
    return datetime.fromtimestamp(time.time_ns() // 1_000_000 / 1000, UTC)


def new_id() -> str:
    """Return a UUIDv7 (RFC 9562): 48 bits of milliseconds, 12 of fraction, 62 of randomness; each sorts after the last."""
    global _last  # noqa: PLW0603 - one order for the whole process is the point
    with _lock:
        _last = max(time.time_ns() * 4096 // 1_000_000, _last + 1)
        moment = _last
    value = (moment >> 12 & (1 << 48) - 1) << 80 | 7 << 76 | (moment & 0xFFF) << 64 | 2 << 62 | secrets.randbits(62)
    return str(uuid.UUID(int=value))


def random_bits() -> int:
    """Return 192 random bits from the operating system."""
    return secrets.randbits(192)
