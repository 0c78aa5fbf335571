"""Document events: updates are appended with their author, and never rewritten."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from domain.access import Can
from domain.errors import Rejection
from domain.item import ItemFacts, allowed, document

# The file extension of each content type that an image of a document may have.
IMAGE_EXTENSIONS: Mapping[str, str] = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}


@dataclass(frozen=True, slots=True)
class DocumentEdited:
    """`update` is one Yjs v1 update, unchanged; its sender is the credit of the event."""

    item_id: str
    drive_id: str
    update: bytes


@dataclass(frozen=True, slots=True)
class DocumentState:
    """The stored Yjs state: a snapshot (or None) and the updates after it, with the number of the last one."""

    snapshot: bytes | None
    updates: tuple[bytes, ...]
    sequence: int


@dataclass(frozen=True, slots=True)
class LoggedUpdate:
    """One update, with whom it is credited to."""

    update: bytes
    user_id: str
    agent: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class DocumentLog:
    """A document in its log: a snapshot (or None) with its credits, then the updates after it.

    `sequence` is the number of the last update. There are no gaps, so it tells the numbers of the others, too.
    """

    snapshot: bytes | None
    credits: bytes | None
    log: tuple[LoggedUpdate, ...]
    sequence: int


@dataclass(frozen=True, slots=True)
class Computed:
    """An update for a document, computed from its update number `sequence`; `size` is the document's with it, in bytes.

    `clients` are its Yjs clients, unless all of them are new.
    """

    update: bytes
    sequence: int
    size: int
    clients: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Image:
    id: str
    item_id: str
    content_type: str
    width: int
    height: int
    byte_size: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ImageUploaded:
    image: Image
    drive_id: str


def edit(facts: ItemFacts | None, update: bytes) -> tuple[DocumentEdited, ...] | Rejection:
    seen = editable(facts, "edit this document")
    if isinstance(seen, Rejection):
        return seen
    return (DocumentEdited(seen.item.id, seen.item.drive_id, update),)


def editable(facts: ItemFacts | None, what: str) -> ItemFacts | Rejection:
    seen = allowed(facts, Can.edit, what)
    return document(seen) if isinstance(seen, ItemFacts) else seen


def upload(facts: ItemFacts | None, image: Image) -> tuple[ImageUploaded, ...] | Rejection:
    seen = editable(facts, "add images to this document")
    if isinstance(seen, Rejection):
        return seen
    return (ImageUploaded(image, seen.item.drive_id),)
