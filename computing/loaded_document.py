"""Loads a document from its stored updates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pycrdt import Doc

from documents.owners import owners
from documents.scan import accepted
from documents.snapshot import load
from documents.surrogate_pairs import SurrogatePairs
from domain.credit import AuthorId
from domain.document import DocumentLog, DocumentState


def load_document(state: DocumentState) -> Doc[Any]:
    return accepted(load(state.snapshot, state.updates))


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """A document as its log makes it, with the owners of its Yjs clients; `size` is how many bytes are stored.

    `shown` are clients under which somebody may have written or not, by the editors who showed them.
    """

    doc: Doc[Any]
    owners: dict[int, AuthorId]
    size: int
    sequence: int
    pairs: SurrogatePairs
    shown: Mapping[int, AuthorId]

    def may_use(self, client: int, author: AuthorId) -> bool:
        return (self.owners.get(client) or self.shown.get(client) or author) == author


def load_log(stored: DocumentLog) -> LoadedDocument:
    updates = tuple([each.update for each in stored.log])
    doc = load_document(DocumentState(stored.snapshot, updates, stored.sequence))
    pairs = SurrogatePairs.of([*([stored.snapshot] if stored.snapshot else ()), *updates])
    return LoadedDocument(
        doc, owners(stored.credits, stored.log), size_of(stored), stored.sequence, pairs, stored.shown
    )


def size_of(stored: DocumentLog) -> int:
    return len(stored.snapshot or b"") + sum([len(each.update) for each in stored.log])


def bytes_of(state: DocumentState) -> int:
    return len(state.snapshot or b"") + sum(map(len, state.updates))
