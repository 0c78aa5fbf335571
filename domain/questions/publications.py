"""What is asked about public pages."""

from dataclasses import dataclass

from domain.document import Image
from domain.item import Item
from domain.questions.question import Question


@dataclass(frozen=True, slots=True)
class Published:
    """A published document, the number of its last update, and all images in it, the oldest first."""

    item: Item
    sequence: int
    images: tuple[Image, ...]


@dataclass(frozen=True, slots=True)
class PublishedAs(Question[Published | None]):
    """What the public page of this name shows: nobody is asked who wants to know."""

    slug: str
