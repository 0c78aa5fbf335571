"""Buffers keystrokes that are acknowledged by the scan alone until the document is next read or committed.

Most of the work of one keystroke would be the library's beginning and ending of a transaction, so keystrokes are applied
together. Those that go on with a connection's own typing are gathered to one text meanwhile.
"""

from typing import Final

from documents.yjs.keystroke import TypingRun

MAX_GATHERED: Final = 256  # keystrokes that a commit may leave in the buffer


class TypingBuffer:
    """Updates in the order in which they came; runs of typing come after them."""

    def __init__(self) -> None:
        self._updates: list[bytes] = []
        self._runs: dict[TypingRun, None] = {}
        self._gathered = 0

    def __len__(self) -> int:
        """Return how many updates would have to be applied, without the runs."""
        return len(self._updates)

    def add(self, update: bytes) -> None:
        """Add a keystroke; it may be about what the runs hold, so they come before it."""
        self._flush_runs()
        self._updates.append(update)

    def extend(self, run: TypingRun) -> None:
        """Note that a run has gathered one more keystroke."""
        self._runs[run] = None
        self._gathered += 1

    @property
    def is_due(self) -> bool:
        """Whether the buffer is to be applied before the next commit: runs alone are sure to be accepted by the library."""
        return bool(self._updates) or self._gathered > MAX_GATHERED

    def take(self) -> list[bytes]:
        """Return all updates and empty the buffer."""
        self._flush_runs()
        updates, self._updates = self._updates, []
        return updates

    def _flush_runs(self) -> None:
        for run in self._runs:
            self._updates += run.flush()
        self._runs.clear()
        self._gathered = 0
