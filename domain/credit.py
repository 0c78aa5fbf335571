"""Credits: the author of a change, and the recent authors of a document."""

from dataclasses import dataclass, field
from datetime import datetime

MAX_AUTHORS = 10  # of a document, the last to edit it; a user and each of their agents are two

type AuthorId = tuple[str, str | None]
"""The ids of a user and of the agent that acts for them, if any."""


@dataclass(frozen=True, slots=True)
class Credit:
    """A user, with the name shown for them, and the agent that acted for them, if software did.

    `is_session`: they act through a browser's session, of which nothing is recorded.
    """

    user_id: str
    name: str
    agent: str | None = None
    is_session: bool = field(default=False, compare=False)


type Payer = Credit | str
"""Who pays for what is computed: a user, by credit or id, a document by its id, or nobody where that is empty."""


def payer_id(by: Payer) -> str:
    return by if isinstance(by, str) else by.user_id


@dataclass(frozen=True, slots=True)
class Author:
    user_id: str
    name: str
    agent: str | None
    edited_at: datetime
