"""What is asked about what happened."""

from dataclasses import dataclass
from datetime import datetime

from domain.questions.question import Question


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of the audit: what happened, to what, by whom, when; `details` is what the event carried, as JSON."""

    sequence: int
    type: str
    drive_id: str | None
    item_id: str | None
    user_id: str
    name: str
    agent: str | None
    at: datetime
    details: dict[str, object]


@dataclass(frozen=True, slots=True)
class EventsOf(Question[tuple[Recorded, ...]]):
    """The events of a drive after `after` (oldest first), or before `before` (newest first)."""

    drive_id: str
    first: int
    after: int | None = None
    before: int | None = None
