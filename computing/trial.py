"""Tries an update on a copy of its document: whether it is too costly for the library, or damages it."""

import time
from typing import Any, Final

from pycrdt import Doc

from documents.admission.cost import is_costly
from documents.tree.tree import depth
from documents.yjs.scan import IMPORT, MAX_TREE_DEPTH, Refused, scan
from documents.yjs.snapshot import apply_updates, load, state_differs, state_vector

TOO_COSTLY: Final = Refused("it takes the library too long to bring the update in")
TOO_DEEP: Final = Refused(f"the document would be nested deeper than {MAX_TREE_DEPTH}")


def try_update(state: bytes, update: bytes) -> Refused | None:
    """Refuse an update that is too costly to apply to the document of this `state`, or damages it."""
    doc = load(state)
    return doc if isinstance(doc, Refused) else try_on(doc, update)


def try_on(doc: Doc[Any], update: bytes) -> Refused | None:
    scanned = scan(update, IMPORT)
    if isinstance(scanned, Refused):
        return scanned
    after = scanned.after(state_vector(doc))
    began = time.thread_time()
    refused = apply_updates(doc, (update,))
    if is_costly(len(update), time.thread_time() - began):
        return TOO_COSTLY
    return refused or state_differs(doc, after) or (TOO_DEEP if depth(doc) > MAX_TREE_DEPTH else None)
