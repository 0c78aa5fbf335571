"""What is asked about documents and their images."""

from dataclasses import dataclass

from domain.credit import Author
from domain.document import DocumentState, Image
from domain.item import ItemFacts
from domain.questions.question import Question


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """A document as the user meets it, and the recent authors."""

    facts: ItemFacts
    authors: tuple[Author, ...]

    @property
    def sequence(self) -> int:
        return self.facts.item.sequence


@dataclass(frozen=True, slots=True)
class DocumentFor(Question[DocumentHead | None]):
    user_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class StateOf(Question[DocumentState]):
    """The stored state up to `sequence` (None: all of it), so that a head and its state agree.

    Of what was there at the number `after` nothing is said, but for what only a snapshot made later still says. Where
    `sequence` is gone, the snapshot answers, with its own number: see `RevisionOf`.
    """

    item_id: str
    sequence: int | None = None
    after: int = 0


@dataclass(frozen=True, slots=True)
class RevisionOf(Question[DocumentState | None]):
    """The document as it was at the update `sequence`; None where that is gone, or was never there.

    It is there for a day at least, and as long as the log was not compacted beyond it.
    """

    item_id: str
    sequence: int


@dataclass(frozen=True, slots=True)
class ImageFor(Question[tuple[Image, ItemFacts] | None]):
    """An image with the document it is in, as the user meets it."""

    user_id: str
    image_id: str


@dataclass(frozen=True, slots=True)
class ImagesOf(Question[tuple[Image, ...]]):
    """All images of a document, the oldest first."""

    item_id: str
