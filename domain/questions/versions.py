"""What is asked about the versions of documents, and about what belongs to none yet."""

from dataclasses import dataclass

from domain.document import DocumentLog, DocumentState
from domain.history import History
from domain.questions.question import Question
from domain.version import Version


@dataclass(frozen=True, slots=True)
class VersionsOf(Question[tuple[Version, ...]]):
    """The versions of a document, the newest first, from before the version `before` on."""

    item_id: str
    first: int
    before: int | None = None


@dataclass(frozen=True, slots=True)
class VersionOf(Question[Version | None]):
    item_id: str
    number: int


@dataclass(frozen=True, slots=True)
class VersionStateOf(Question[DocumentState]):
    """What a document was when the version ended; nothing at the number 0 where there is no such version."""

    item_id: str
    number: int


@dataclass(frozen=True, slots=True)
class LogOf(Question[DocumentLog | None]):
    """The log of a document up to the update `sequence` (None: all of it); None where there is no such document.

    What was there at the number `after` is left out, and so is a snapshot that holds nothing later.
    """

    item_id: str
    sequence: int | None = None
    after: int = 0


@dataclass(frozen=True, slots=True)
class AuthorNamesOf(Question[dict[str, str]]):
    """The names of all who ever edited a document, by their ids."""

    item_id: str


@dataclass(frozen=True, slots=True)
class HistoryOf(Question[History | None]):
    item_id: str
