"""The present time, in whole milliseconds: the process's `ports.Clock`."""

import time
from datetime import UTC, datetime


def milliseconds() -> int:
    """Return the present time in whole milliseconds since 1970, UTC: for what is done with every keystroke."""
    return time.time_ns() // 1_000_000


def now() -> datetime:
    """Return the present time in UTC, in whole milliseconds."""
    return datetime.fromtimestamp(milliseconds() / 1000, UTC)
