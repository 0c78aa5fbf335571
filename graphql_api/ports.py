"""Ports of the resolvers: state, documents, blobs, time and fresh ids. `service` wires what implements them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

import msgspec

from documents.editing.edit import EditRequest
from documents.editing.edit_effect import EditEffect, NewDocument
from documents.history.changes import Change, UndoEffect, UndoRequest
from documents.history.duplicate import Duplicated, Duplication
from documents.projection.outline import DocumentPart, Outline, PartRequest
from domain.caller import Caller
from domain.credit import Author, Credit, Payer
from domain.document import Computed, ComputedEdit, DocumentLog, EncodedImage, ImageFile
from domain.errors import Rejection
from domain.events import Event
from domain.idempotency import IdempotencyKey
from domain.mail import Mail
from domain.questions import Question
from domain.values import Email


class StateReader(Protocol):
    async def read[Answer](self, question: Question[Answer]) -> Answer:
        """Answer from one snapshot; raises `Unavailable` where state cannot be reached."""
        ...


class Transaction(StateReader, Protocol):
    """Reads that see one serial order with what is recorded."""

    async def record(self, events: Sequence[Event], by: Credit, at: datetime) -> None:
        """Write the events and their lines in the audit, all or nothing."""
        ...

    async def remember(self, once: IdempotencyKey, result_id: str, at: datetime) -> None: ...

    def post(self, mail: Mail) -> None:
        """Have an e-mail sent once this is committed."""
        ...


@dataclass(frozen=True, slots=True)
class LockScope:
    """The locks of a transaction: the drives named, the drives of the items named, organizations, and documents.

    The locks are held, in one order, from before the transaction begins until after it ends; unknown ids lock nothing.
    Typing in a document waits for its lock, so only what writes to the document's own row takes it, as every edit does.

    With `covers_reads` the locks keep everything that the decision rests on as it was read, so that the transaction need not be
    serializable: it cannot conflict with changes of other drives.

    Where it `may_end_access` and finds that there is nothing to do, as where somebody repeats it at another server, it is answered
    when what was done before is over everywhere.
    """

    items: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    covers_reads: bool = False
    may_end_access: bool = False


class Store(StateReader, Protocol):
    async def transact[T](self, touches: LockScope, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `work` in one transaction, serializable unless the locks cover its reads, and commit; after a conflict, run it again.

        An exception from `work` rolls everything back and goes on to the caller. Raises `Unavailable` where state
        cannot be reached or the conflicts do not end.
        """
        ...


class DocumentContent(Protocol):
    """The content of a document from one snapshot: its ProseMirror tree as encoded JSON, and Markdown."""

    @property
    def tree(self) -> msgspec.Raw: ...

    @property
    def markdown(self) -> str: ...


class LiveDocuments(Protocol):
    """Reads and computes documents outside of any transaction; the computations of one user run one at a time.

    `by` pays for them. Computing raises `Unavailable` where too much is being computed, `BudgetSpent` where too much was for them.
    """

    async def read(self, document_id: str, sequence: int, by: Payer = "") -> DocumentContent:
        """Return the document as of its update number `sequence`."""
        ...

    async def outline(self, document_id: str, sequence: int, by: Payer) -> Outline:
        """Return the headings of the document as of its update number `sequence`."""
        ...

    async def part(self, document_id: str, sequence: int, asked: PartRequest, by: Payer) -> DocumentPart | Rejection:
        """Return a part of it; PASSAGE_NOT_FOUND where it has not the section."""
        ...

    async def imported(
        self, document_id: str, update: bytes, by: Credit, source: str | None = None
    ) -> Computed | Rejection:
        """Return `update` to be recorded, with the text of its root `source` where reads look for it; empty if all is known.

        A Rejection where it may not be added to the document, or no read would show anything of it.
        """
        ...

    async def edited(self, document_id: str, asked: EditRequest, by: Credit) -> ComputedEdit[EditEffect] | Rejection:
        """Return the update that makes this edit, to be recorded, empty where there is nothing to do; and what it does."""
        ...

    async def bytes_added_since(
        self, document_id: str, made: Computed, by: Credit, reader: StateReader, sequence: int
    ) -> int | Rejection:
        """Return how many bytes were added to a document, whose last update has the number `sequence`, since an update was computed.

        A Rejection where it may not be added to the document as it is by now; after WRITTEN_MEANWHILE it may be if it is
        computed again. It costs as much as what was added since.
        """
        ...

    async def written(self, markdown: str, copies: Mapping[str, str], by: Credit) -> NewDocument | Rejection:
        """Return a new document that says this; images of other documents become their `copies`, by the ids of both."""
        ...

    async def tree_of(self, markdown: str, by: Credit) -> msgspec.Raw | Rejection:
        """Return the tree of a document that says this, as encoded JSON."""
        ...

    async def markdown_of(self, tree: Mapping[str, Any], by: Credit) -> str | Rejection:
        """Return the Markdown of a tree that anybody may have made."""
        ...

    async def duplicated(self, document_id: str, log: DocumentLog, asked: Duplication, by: Credit) -> Duplicated:
        """Return what a copy of the document with this log begins with."""
        ...

    def first_update(self, kind: str) -> bytes | None:
        """Return the update that a new document of this kind begins with, if any."""
        ...


class AttributedRange(Protocol):
    """A stretch of one text node, which `path` leads to: from `start` to `stop` in units of UTF-16."""

    @property
    def path(self) -> Sequence[int]: ...

    @property
    def start(self) -> int: ...

    @property
    def stop(self) -> int: ...

    @property
    def by(self) -> Author: ...

    @property
    def moved_by(self) -> Author | None: ...


class LetterCredits(Protocol):
    """Whose the letters of a document are: JSON lists of client, clock, length and place in `authors`, by Yjs ids.

    `moved` are such lists, too, with places in `movers`, who moved them.
    """

    @property
    def ranges(self) -> msgspec.Raw: ...

    @property
    def moved(self) -> msgspec.Raw: ...

    @property
    def movers(self) -> Sequence[Author]: ...

    @property
    def authors(self) -> Sequence[Author]: ...


class DocumentChanges(Protocol):
    """Changes of documents and their undo, computed from the log outside of any transaction, as edits are.

    A log that cannot be read since a revision is refused with REVISION_GONE.
    """

    async def since(
        self, document_id: str, revision: int, sequence: int, by: Credit, until: int | None = None
    ) -> Sequence[Change] | Rejection:
        """Return the changes since a revision, the oldest first, as they were at the revision `until`.

        `sequence` is the document's last revision.
        """
        ...

    async def undoing(
        self, document_id: str, request: UndoRequest, ends: Sequence[int], by: Credit
    ) -> ComputedEdit[UndoEffect] | Rejection:
        """Return the edit that takes changes back, to be recorded; its update is empty where nothing is left of them.

        `ends` are the revisions at which versions end before that.
        """
        ...


class Versions(Protocol):
    @property
    def changes(self) -> DocumentChanges: ...

    async def read(self, document_id: str, number: int, by: Payer = "") -> DocumentContent:
        """Return the document as it was when its version `number` ended."""
        ...

    async def restoring(self, document_id: str, number: int, ends: Sequence[int], by: Credit) -> Computed | Rejection:
        """Return the update that brings a version back, to be recorded; empty where there is nothing to do.

        `ends` are the update numbers at which versions end before that. It is computed outside of any transaction.
        """
        ...

    async def attributions(self, document_id: str, sequence: int, by: Payer) -> Sequence["AttributedRange"] | Rejection:
        """Return who wrote each stretch of the document as of its update number `sequence`.

        REVISION_GONE where the document cannot be made as it was then.
        """
        ...

    async def credits(self, document_id: str, sequence: int, by: Payer) -> LetterCredits:
        """Return who wrote which letters of the document as of its update number `sequence`."""
        ...


SOCKET: Final = "graphql"
"""What a ticket opens that opens no document: a WebSocket at `/graphql`."""


class Tickets(Protocol):
    """Tickets open one thing once: a document, by its id, or `SOCKET`."""

    async def issue(self, holder: Caller, opens: str, secret: int) -> tuple[str, datetime]:
        """Return a ticket of `holder`, and when it ends."""
        ...

    async def take(self, shown: str, opens: str) -> Caller | None:
        """Return whose ticket it is, and let nobody use it again; None where it opens nothing."""
        ...


class MailRules(Protocol):
    @property
    def delivers(self) -> bool:
        """Whether e-mails reach their addresses, and not only the operator's log."""
        ...

    def count_invitation(self, by: str, address: Email) -> None:
        """Count an invitation that the user `by` is about to make; raises RejectionError beyond the rate limit."""
        ...


class Blobs(Protocol):
    async def put(self, key: str, content: bytes) -> None: ...

    async def get(self, key: str) -> bytes | None: ...

    async def delete(self, key: str) -> None: ...


class ImageEncoder(Protocol):
    async def encode(self, file: ImageFile, by: Payer) -> EncodedImage | Rejection:
        """Return the image anew and without metadata, or a Rejection of one that is damaged or takes too much to decode.

        Users take turns: each has one image decoded at a time.
        """
        ...


Clock = Callable[[], datetime]
"""The present time in UTC, in whole milliseconds."""

Ids = Callable[[], str]
"""A fresh id: UUIDv7 in canonical spelling, later ones sorting after earlier ones."""

Secrets = Callable[[], int]
"""At least 190 fresh random bits."""
