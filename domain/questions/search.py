"""What is asked when somebody searches: which items they see answer to some words, and where."""

from dataclasses import dataclass

from domain.item import ItemFacts
from domain.questions.question import Page, Question


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of an excerpt; `hit`: it is what was asked for."""

    text: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Found:
    """An item that answers to a search by its name, by its content, or by both; `excerpt` is of the content.

    `rank` adds up what each of the words was found in: 4 for the name, 1 for the content, 1 more for a whole word of it.
    """

    facts: ItemFacts
    in_name: bool
    rank: int
    excerpt: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class SearchFor(Question[Page[Found]]):
    """Live items that the user sees with every word of `text` in the name or the content.

    Those of the highest rank first, of equals the last updated. Content is searched as of a moment ago.
    """

    user_id: str
    text: str
    drive_id: str | None
    first: int
    after: str | None
