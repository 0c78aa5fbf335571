"""Credits: the author of a change, and the recent authors of a document."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

MAX_AUTHORS = 10

type AuthorId = tuple[str, str | None]
"""The ids of a user and of the agent that acts for them, if any."""


@dataclass(frozen=True, slots=True)
class Credit:
    """A user, with the name shown for them, and the agent that acted for them, if software did."""

    user_id: str
    name: str
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Author:
    user_id: str
    name: str
    agent: str | None
    edited_at: datetime


def recent_authors(edits: Iterable[Author]) -> tuple[Author, ...]:
    """Return one entry for each (user, agent), the newest edit first, at most ten."""
    latest: dict[AuthorId, Author] = {}
    for edit in edits:
        known = latest.get((edit.user_id, edit.agent))
        if known is None or known.edited_at < edit.edited_at:
            latest[edit.user_id, edit.agent] = edit
    ranked = sorted(latest.values(), key=lambda a: (a.edited_at, a.user_id, a.agent or ""), reverse=True)
    return tuple(ranked[:MAX_AUTHORS])
