"""Loads a document from its stored updates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pycrdt import Doc

from documents.admission.surrogate_pairs import SurrogatePairs
from documents.history.losses import applied
from documents.history.owners import owners
from documents.tree.encoding import encodes
from documents.yjs.scan import accepted
from documents.yjs.snapshot import apply_updates, load
from domain.credit import AuthorId
from domain.document import DocumentLog, DocumentState


def load_document(state: DocumentState) -> Doc[Any]:
    return accepted(load(state.snapshot, state.updates))


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """A document as its log makes it, with the owners of its Yjs clients; `size` is how many bytes are stored.

    `shown` are clients under which somebody may have written or not, by the editors who showed them. `has_lost`: something may
    have gone with the last updates of the log that none of them deletes, where they were looked at.
    """

    doc: Doc[Any]
    owners: dict[int, AuthorId]
    size: int
    sequence: int
    pairs: SurrogatePairs
    shown: Mapping[int, AuthorId]
    has_lost: bool = False

    def may_use(self, client: int, author: AuthorId) -> bool:
        return (self.owners.get(client) or self.shown.get(client) or author) == author


def load_log(stored: DocumentLog, last: int = 0) -> LoadedDocument:
    """Return the document that a log makes; of the `last` updates it is noted whether something went with them."""
    updates = tuple([each.update for each in stored.log])
    begun = max(0, len(updates) - last)
    doc = load_document(DocumentState(stored.snapshot, updates[:begun], stored.sequence))
    has_lost = accepted(applied(doc, updates[begun:]))
    pairs = SurrogatePairs.of([*([stored.snapshot] if stored.snapshot else ()), *updates])
    whose = owners(stored.credits, stored.log)
    return LoadedDocument(doc, whose, size_of(stored), stored.sequence, pairs, stored.shown, has_lost)


def size_of(stored: DocumentLog) -> int:
    return len(stored.snapshot or b"") + sum([len(each.update) for each in stored.log])


def encodes_itself(stored: DocumentLog, uncommitted: Sequence[bytes]) -> bool:
    """Whether the encoding of a document says what the document does."""
    doc = load_log(stored).doc
    return apply_updates(doc, uncommitted) is None and encodes(doc)


def updates_of(state: DocumentState) -> tuple[bytes, ...]:
    return (*([state.snapshot] if state.snapshot else ()), *state.updates)


def bytes_of(state: DocumentState) -> int:
    return len(state.snapshot or b"") + sum(map(len, state.updates))
