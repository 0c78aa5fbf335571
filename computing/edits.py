"""Computes edits of documents in Markdown from their stored updates: of the present document, or of an earlier revision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from computing.loaded_document import load_document
from documents.editing.apply_tree import Damaged
from documents.editing.edit import EditRequest, PassageAmbiguous, PassageNotFound, Whole
from documents.editing.edit_effect import EditEffect, NewDocument, effect_of, left_out
from documents.editing.rebase import ChangedMeanwhile, Merged, rebased_edit
from documents.editing.three_way import Conflict
from documents.projection.outline import DocumentPart, Outline, PartRequest, SectionNotFound, outline, read_part
from documents.yjs.scan import IMPORT, Refused, accepted
from documents.yjs.snapshot import encode_state, load
from domain.document import Computed, ComputedEdit, DocumentState
from domain.errors import Code, Rejection

TOO_LARGE: Final = Rejection(Code.LIMIT_EXCEEDED, f"the document would be larger than {IMPORT.size} bytes")
REVISION_GONE: Final = Rejection(
    Code.REVISION_GONE, "the document cannot be made as it was at that revision: read it, and begin at its `revision`"
)
_CODES: Final[dict[type[Refused], Code]] = {
    PassageNotFound: Code.PASSAGE_NOT_FOUND,
    PassageAmbiguous: Code.PASSAGE_AMBIGUOUS,
    SectionNotFound: Code.PASSAGE_NOT_FOUND,
}
# A document whose stored updates are no larger than this, the edit's included, is not encoded to be measured.
_SURELY_FITS: Final = IMPORT.size // 2


@dataclass(frozen=True, slots=True)
class EditedRevision:
    """The updates up to the revision that is edited, and those since; `sequence` is the number of the last one."""

    base: tuple[bytes, ...]
    since: tuple[bytes, ...]
    sequence: int


def edit_document(edited: EditedRevision, asked: EditRequest) -> ComputedEdit[EditEffect] | Rejection:
    made = _computed(edited, asked)
    return made if isinstance(made, Rejection) else ComputedEdit(made[0], effect_of(made[1]))


def write_document(markdown: str, copies: Mapping[str, str]) -> NewDocument | Rejection:
    """Return a new document that says this; images of other documents become their `copies`, by the ids of both."""
    made = _computed(EditedRevision((), (), 0), EditRequest(Whole(markdown), copies=copies))
    return made if isinstance(made, Rejection) else NewDocument(made[0].update, left_out(made[1]))


def outline_document(state: DocumentState) -> Outline:
    return outline(load_document(state))


def read_document_part(state: DocumentState, asked: PartRequest) -> DocumentPart | Rejection:
    """Return a part of a document; PASSAGE_NOT_FOUND where it has not the section."""
    found = read_part(load_document(state), asked)
    return Rejection(_CODES[type(found)], found.reason) if isinstance(found, Refused) else found


def _computed(edited: EditedRevision, asked: EditRequest) -> tuple[Computed, Merged] | Rejection:
    made = rebased_edit(edited.base, edited.since, asked.wanted, refuse=asked.refuse, copies=asked.copies)
    if isinstance(made, Damaged):
        raise RuntimeError(f"an edit went wrong: {made.reason}")  # noqa: TRY004  it is of the right type
    if isinstance(made, ChangedMeanwhile):
        return Rejection(Code.REVISION_CHANGED, made.reason, {"conflicts": [*map(_told, made.conflicts)]})
    if isinstance(made, Refused):
        return Rejection(_CODES.get(type(made), Code.BAD_REQUEST), made.reason)
    size = _size(edited, made.update)
    if size > IMPORT.size:
        return TOO_LARGE
    deleted, deletes_nodes = made.deleted, made.deletes_nodes
    return Computed(made.update, edited.sequence, size, deleted=deleted, deletes_nodes=deletes_nodes), made


def _told(conflict: Conflict) -> dict[str, object]:
    path = None if conflict.path is None else [*conflict.path]
    return {"path": path, "class": conflict.why.value, "theirs": conflict.theirs, "yours": conflict.yours}


def _size(edited: EditedRevision, update: bytes) -> int:
    stored = sum(map(len, (*edited.base, *edited.since, update)))
    if stored <= _SURELY_FITS:
        return stored
    return len(encode_state(accepted(load(None, (*edited.base, *edited.since, *([update] if update else ()))))))
