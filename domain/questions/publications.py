"""What is asked about public pages."""

from dataclasses import dataclass

from domain.document import Image
from domain.item import Item
from domain.questions.question import Question


@dataclass(frozen=True, slots=True)
class Published:
    """A published document and all images in it, the oldest first."""

    item: Item
    images: tuple[Image, ...]

    @property
    def sequence(self) -> int:
        return self.item.sequence


@dataclass(frozen=True, slots=True)
class PublishedAs(Question[Published | None]):
    """What the public page of this name shows: nobody is asked who wants to know."""

    slug: str
