"""Document events: updates are appended with their author, and never rewritten."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from domain.access import Can
from domain.credit import AuthorId
from domain.errors import Code, Rejection
from domain.item import ItemFacts, allowed, document

# The file extension of each content type that an image of a document may have.
IMAGE_EXTENSIONS: Mapping[str, str] = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}


IMAGE_TOO_LARGE = Rejection(
    Code.PAYLOAD_TOO_LARGE, "`file` takes too much to decode: send at most 40 megapixels and 200 frames"
)


@dataclass(frozen=True, slots=True)
class DocumentEdited:
    """`update` is one Yjs v1 update, unchanged; its sender is the credit of the event.

    `copied` names what in it was written by others before (`documents.history.copied_text`); None where nothing was.
    """

    item_id: str
    drive_id: str
    update: bytes
    copied: bytes | None = None


@dataclass(frozen=True, slots=True)
class DocumentCopied:
    """A new document begins with the text of another one: `update` makes it, and `credits` say who wrote which letters.

    `authors` are the people in these: user, agent ("" for none) and the time of their last letter, as ISO 8601 text.
    """

    item_id: str
    drive_id: str
    update: bytes
    credits: bytes
    authors: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class DocumentState:
    """The stored Yjs state: a snapshot (or None) and the updates after it, with the number of the last one."""

    snapshot: bytes | None
    updates: tuple[bytes, ...]
    sequence: int


@dataclass(frozen=True, slots=True)
class LoggedUpdate:
    """One update, with whom it is credited to, but for what in it is `copied` from others (`documents.history.copied_text`)."""

    update: bytes
    user_id: str
    agent: str | None
    at: datetime
    copied: bytes | None = None


@dataclass(frozen=True, slots=True)
class ShownClientId:
    """A Yjs client id that an editor of a document showed in awareness."""

    document_id: str
    client: int
    author: AuthorId


@dataclass(frozen=True, slots=True)
class DocumentLog:
    """A document in its log: a snapshot (or None) with its credits, then the updates after it.

    `sequence` is the number of the last update. There are no gaps, so it determines the numbers of the others, too.
    `shown` are the Yjs client ids that editors showed lately, each with its editor; they may have written under them since.
    """

    snapshot: bytes | None
    credits: bytes | None
    log: tuple[LoggedUpdate, ...]
    sequence: int
    shown: Mapping[int, AuthorId] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VersionUpdate:
    """A version whose rows are gone: what it adds to the version before it, the number of its last update, and its time."""

    sequence: int
    update: bytes
    at: datetime


@dataclass(frozen=True, slots=True)
class DocumentLogSince:
    """A document as it was at the update `revision` (`state`: the updates that make it), and its log since.

    `versions` come first, whose rows were compacted; `log` is what follows them. `credits` are those of the snapshot,
    and `copied` names what was copied in updates after it that `state` holds. `authors` are those of these updates, the last of
    `state`: user, agent and time.
    """

    revision: int
    state: tuple[bytes, ...]
    versions: tuple[VersionUpdate, ...]
    log: tuple[LoggedUpdate, ...]
    credits: bytes | None
    copied: tuple[bytes, ...] = ()
    authors: tuple[tuple[str, str | None, datetime], ...] = ()

    @property
    def sequence(self) -> int:
        """The number of the last update."""
        return (self.versions[-1].sequence if self.versions else self.revision) + len(self.log)

    def until(self, sequence: int | None) -> Self:
        """Return it without what came after that number, nor the compacted version that holds it; all of it for None."""
        if sequence is None:
            return self
        versions = tuple(each for each in self.versions if each.sequence <= sequence)
        log = self.log[: max(0, len(self.log) - self.sequence + sequence)]
        return replace(self, versions=versions, log=log)

    @property
    def size(self) -> int:
        """How many bytes are stored of it."""
        parts = (self.state, (each.update for each in self.versions), (each.update for each in self.log))
        return sum(len(update) for updates in parts for update in updates)


@dataclass(frozen=True, slots=True)
class Computed:
    """An update for a document, computed from its update number `sequence`.

    With it, the document has `size` bytes at most. `clients` are its Yjs clients, unless all of them are new; `copied` as
    in `DocumentEdited`. `deleted` is the set of all that is deleted with it, as Yjs encodes it, for an edit in Markdown and for
    letters that follow what was moved. It is computed again where others meanwhile write into nodes that it `deletes_nodes` of, or
    delete what it deletes, too, the nodes that it writes in, or what letters that follow come to lie `near`. With an undo or a
    restore, the document had `before` bytes then, and `sizes` is how large it was at the numbers at which versions end.
    """

    update: bytes
    sequence: int
    size: int
    clients: frozenset[int] = frozenset()
    copied: bytes | None = None
    deleted: bytes = b""
    deletes_nodes: bool = False
    before: int = 0
    sizes: Mapping[int, int] = field(default_factory=dict)
    near: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class ComputedEdit[Effect]:
    """An edit that is computed and not recorded, and what it does."""

    computed: Computed
    effect: Effect


# Why an update is computed again, and is refused where that does not end.
WRITTEN_MEANWHILE = Rejection(
    Code.REVISION_CHANGED, "others are changing what the edit changes: read the document again, or wait for them"
)


@dataclass(frozen=True, slots=True)
class Image:
    """An image of a document; `blob` is the key of its bytes, which copies in other documents share."""

    id: str
    item_id: str
    content_type: str
    width: int
    height: int
    byte_size: int
    created_at: datetime
    blob: str


def copied_image(image: Image, document_id: str, at: datetime) -> Image:
    """Return the image as one of another document: its id follows from both, so that it is copied once."""
    return replace(image, id=copied_image_id(image.id, document_id), item_id=document_id, created_at=at)


def copied_image_id(image_id: str, document_id: str) -> str:
    """Return an id (version 7) with the moment of the image's own, and bits that follow from both ids."""
    bits = hashlib.sha256(f"{document_id} {image_id}".encode()).hexdigest()
    return f"{image_id[:13]}-7{bits[:3]}-a{bits[3:6]}-{bits[6:18]}"


@dataclass(frozen=True, slots=True)
class ImageFile:
    """The file of an image as it was sent. Only its first bytes were looked at, which determine the content type."""

    content: bytes
    content_type: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class EncodedImage:
    """An image that was decoded and encoded anew; the width and height are in pixels."""

    content: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ImageUploaded:
    image: Image
    drive_id: str


def edit(facts: ItemFacts | None, update: bytes, copied: bytes | None = None) -> tuple[DocumentEdited, ...] | Rejection:
    seen = editable(facts)
    if isinstance(seen, Rejection):
        return seen
    return (DocumentEdited(seen.item.id, seen.item.drive_id, update, copied),)


def editable(facts: ItemFacts | None, what: str = "edit this document") -> ItemFacts | Rejection:
    seen = allowed(facts, Can.edit, what)
    return document(seen) if isinstance(seen, ItemFacts) else seen


def image_file(content: bytes) -> ImageFile | Rejection:
    """Determine the content type from the first bytes, whatever the request claims."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return ImageFile(content, "image/png")
    if content.startswith(b"\xff\xd8\xff"):
        return ImageFile(content, "image/jpeg")
    if content.startswith((b"GIF87a", b"GIF89a")):
        return ImageFile(content, "image/gif")
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return ImageFile(content, "image/webp")
    return Rejection(Code.UNSUPPORTED_MEDIA_TYPE, "`file` must be a PNG, JPEG, GIF or WebP image")


def upload(facts: ItemFacts | None, image: Image) -> tuple[ImageUploaded, ...] | Rejection:
    seen = editable(facts, "add images to this document")
    if isinstance(seen, Rejection):
        return seen
    return (ImageUploaded(image, seen.item.drive_id),)
