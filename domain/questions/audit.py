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
    """The events of a drive before `before`, or all, the newest first."""

    drive_id: str
    first: int
    before: int | None = None


@dataclass(frozen=True, slots=True)
class EventPlace(Question[str]):
    """The place of `NewsOf` right after the event with the number `after`, or (None) after all that happened."""

    after: int | None = None


@dataclass(frozen=True, slots=True)
class News:
    """What happened since a place, and the place behind it; where there is `more`, ask on at once."""

    events: tuple[Recorded, ...]
    place: str
    more: bool


@dataclass(frozen=True, slots=True)
class NewsOf(Question[News]):
    """What happened in a drive since `place`, which an earlier answer or `EventPlace` gave: about the oldest first.

    Each event is told once, also one that is committed after another with a higher number. Only those that were being
    committed beside the event of an `EventPlace` may be told though they were told before it.
    """

    drive_id: str
    place: str
    first: int
