"""Token bucket for each connection, of messages and of bytes.

A client that sends more is read from later and loses nothing; one that goes on doing so is closed as a flood.
"""

from dataclasses import dataclass
from typing import Final

from live.protocol import MAX_FIRST_SYNC

MESSAGES_A_SECOND: Final = 500.0
BURST: Final = 5_000.0
BYTES_A_SECOND: Final = 2.0 * 1024 * 1024
BYTES_AT_ONCE: Final = 2.0 * MAX_FIRST_SYNC
MAX_PAUSE: Final = 2.0
FLOOD: Final = 10.0  # seconds of sending more all the time


@dataclass(slots=True)
class TokenBucket:
    """Times are in seconds; `over_since` is when the client began to send more than it may."""

    at: float
    messages: float = BURST
    size: float = BYTES_AT_ONCE
    over_since: float | None = None

    def spend(self, size: int, now: float) -> float | None:
        """Return for how many seconds to read nothing more, or None where this has become a flood."""
        passed, self.at = now - self.at, now
        self.messages = min(self.messages + passed * MESSAGES_A_SECOND, BURST) - 1
        self.size = min(self.size + passed * BYTES_A_SECOND, BYTES_AT_ONCE) - size
        short = max(-self.messages / MESSAGES_A_SECOND, -self.size / BYTES_A_SECOND, 0.0)
        if not short:
            self.over_since = None
        elif self.over_since is None:
            self.over_since = now
        elif now - self.over_since > FLOOD:
            return None
        return min(short, MAX_PAUSE)
