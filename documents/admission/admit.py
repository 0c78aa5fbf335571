"""Admits an update from outside to a document: the document that results must itself be within the limits."""

from dataclasses import dataclass
from typing import Any

from pycrdt import Doc

from documents.tree.tree import too_deep
from documents.yjs.scan import IMPORT, MAX_TREE_DEPTH, Refused, Scanned, UpdateLimits
from documents.yjs.snapshot import apply, encode_state


@dataclass(frozen=True, slots=True)
class DocumentTooLarge(Refused):
    """Nothing wrong with the update, but there is no room for it."""


def admit(
    doc: Doc[Any],
    update: bytes,
    limits: UpdateLimits = IMPORT,
    scanned: Scanned | Refused | None = None,
    state: dict[int, int] | None = None,
) -> Scanned | Refused:
    """As `documents.yjs.snapshot.apply`, and the document that results must itself be within the limits. After a refusal drop `doc`."""
    applied = apply(doc, update, limits, scanned, state)
    if isinstance(applied, Refused):
        return applied
    if len(encode_state(doc)) > limits.size:
        return DocumentTooLarge(f"the document would be larger than {limits.size} bytes")
    return Refused(f"the document would be nested deeper than {MAX_TREE_DEPTH}") if too_deep(doc) else applied
