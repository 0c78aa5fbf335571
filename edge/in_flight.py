"""Bound on what one user has in flight at once: sockets, operations or bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

SMALL_BODY: Final = 4 * 1024  # bytes: bodies up to this size do not count, since a connection takes more

MAX_ARRIVING: Final = 64 * 1024 * 1024  # bytes of the bodies of one user's requests, from their first to their answer

MAX_UNREAD: Final = 64 * 1024 * 1024  # bytes of the answers to one user that wait to be read


@dataclass(slots=True)
class InFlight:
    """The amount that each user has in flight, at most `most` (None: any); what a user has alone may be larger."""

    most: int | None
    _of: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self._of.values())

    def begin(self, user_id: str, amount: int = 1) -> bool:
        """Count it and return True, unless it would be too much beside what there is."""
        before = self._of.get(user_id, 0)
        if before and amount and self.most is not None and before + amount > self.most:
            return False
        if amount:
            self._of[user_id] = before + amount
        return True

    def end(self, user_id: str, amount: int = 1) -> None:
        if not amount:
            return
        left = self._of[user_id] - amount
        if left:
            self._of[user_id] = left
        else:
            del self._of[user_id]

    @contextmanager
    def holding(self, user_id: str, amount: int = 1) -> Iterator[bool]:
        """Count it meanwhile; yields whether there was room, and counts nothing where there was none."""
        begun = self.begin(user_id, amount)
        try:
            yield begun
        finally:
            if begun:
                self.end(user_id, amount)
