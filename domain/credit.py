"""Credits: the author of a change, and the recent authors of a document."""

from dataclasses import dataclass
from datetime import datetime

MAX_AUTHORS = 10  # of a document, the last to edit it; a user and each of their agents are two

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
