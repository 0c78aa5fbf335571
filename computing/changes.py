"""Lists the changes of a document since a revision, and computes edits that take some of them back."""

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import randbits
from typing import Any

from pycrdt import Doc

from computing.edits import TOO_LARGE
from computing.logs import log_since
from documents.history.changes import NO_SUCH_CHANGE, Change, UndoEffect, UndoRequest, changes, undo_changes
from documents.history.copied_text import encode_copied
from documents.history.replay import replayed
from documents.yjs.scan import IMPORT, Refused, accepted
from documents.yjs.snapshot import apply_updates, encode_deleted, encode_state, load, state_vector
from domain.document import Computed, ComputedEdit, DocumentLogSince
from domain.errors import NOT_FOUND, Code, Rejection


@dataclass(frozen=True, slots=True)
class ListedChanges:
    """The changes up to the update number `sequence`."""

    sequence: int
    changes: list[Change]


def list_changes(stored: DocumentLogSince, until: int | None) -> ListedChanges:
    return ListedChanges(stored.sequence, changes(accepted(replayed(log_since(stored.until(until))))))


def undo_document(
    stored: DocumentLogSince, request: UndoRequest, ends: Sequence[int]
) -> ComputedEdit[UndoEffect] | Rejection:
    """Return the edit that takes changes back; its update is empty where nothing is left of them."""
    stored = stored.until(request.until)
    log = log_since(stored)
    doc = accepted(load(None, [*stored.state, *(each.update for each in stored.versions)]))
    sizes = _sizes(doc, stored, ends)
    undone = undo_changes(log, request, _new_client(doc))
    if isinstance(undone, Refused):
        return NOT_FOUND if undone is NO_SUCH_CHANGE else Rejection(Code.BAD_REQUEST, undone.reason)
    before = len(encode_state(doc))
    if undone.update:
        accepted(apply_updates(doc, [undone.update]))
    size = len(encode_state(doc))
    if size > IMPORT.size:
        return TOO_LARGE
    made = Computed(
        undone.update,
        stored.sequence,
        size,
        copied=encode_copied(undone.copied),
        deleted=encode_deleted(doc),
        deletes_nodes=undone.deletes_nodes,
        before=before,
        sizes=sizes,
    )
    return ComputedEdit(made, undone.effect)


def _sizes(doc: Doc[Any], stored: DocumentLogSince, ends: Sequence[int]) -> dict[int, int]:
    """Bring the log into the document, and return how large that is at those of the ends that the log reaches."""
    begun = done = stored.sequence - len(stored.log)
    sizes: dict[int, int] = {}
    for end in sorted({*ends, stored.sequence}):
        if not begun <= end <= stored.sequence:
            continue
        accepted(apply_updates(doc, [each.update for each in stored.log[done - begun : end - begun]]))
        done = end
        if end in ends:
            sizes[end] = len(encode_state(doc))
    return sizes


def _new_client(doc: Doc[Any]) -> int:
    """Return a Yjs client id under which nobody has written."""
    known = state_vector(doc)
    while (client := randbits(32)) in known:
        pass
    return client
