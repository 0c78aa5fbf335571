"""Checks a Yjs update that somebody imports into a document: whether it may be admitted, and what of it goes where."""

from typing import Any, Final

from pycrdt import Doc

from computing.loaded_document import LoadedDocument, load_log
from computing.trial import try_update
from documents.admission.admit import DocumentTooLarge, admit
from documents.admission.cost import may_be_costly
from documents.admission.deletions import Deletions
from documents.admission.imported import hidden, moved_to_root, unseen
from documents.admission.known_clocks import contradicts_document
from documents.admission.schema_names import in_schema
from documents.admission.surrogate_pairs import CUTS
from documents.admission.update_v2 import is_v2
from documents.tree.tree import ROOTS, walk
from documents.yjs.scan import IMPORT, Refused, Scanned, scan
from documents.yjs.snapshot import encode_state, state_vector
from domain.credit import AuthorId
from domain.document import Computed, DocumentLog
from domain.errors import Code, Rejection

OF_VERSION_2: Final = Refused(
    "it is encoded in version 2, send version 1: `Y.encodeStateAsUpdate` makes it, and `Y.convertUpdateFormatV2ToV1` "
    "converts to it"
)


def check_import(stored: DocumentLog, update: bytes, source: str | None, by: AuthorId) -> Computed | Rejection:
    """Return the update with its content in the root that is read; a Rejection where no read would show any of it."""
    scanned = scan(update, IMPORT)
    if isinstance(scanned, Refused):
        return refusal(OF_VERSION_2 if is_v2(update) else scanned)
    document = load_log(stored)
    before, state = walk(document.doc), state_vector(document.doc)
    placed = moved_to_root(in_schema(update, document.doc), source, before.root or ROOTS[0])
    if isinstance(placed, Refused):
        return refusal(placed)
    made = _admitted(document, placed.update, scanned if placed.update == update else scan(placed.update, IMPORT), by)
    if isinstance(made, Rejection) or not made.update:
        return made
    after = walk(document.doc)
    if after == before and (roots := unseen(document.doc, state, after.root)):
        return refusal(hidden(map(placed.original, roots), source))
    return made


def check_import_again(stored: DocumentLog, update: bytes, by: AuthorId) -> Computed | Rejection:
    """Return an import that was admitted before, to be recorded in the document as it is by now."""
    return _admitted(load_log(stored), update, scan(update, IMPORT), by, was_tried=True)


def _admitted(
    document: LoadedDocument, update: bytes, scanned: Scanned | Refused, by: AuthorId, *, was_tried: bool = False
) -> Computed | Rejection:
    if isinstance(scanned, Refused):
        return refusal(scanned)
    state = state_vector(document.doc)
    if whose := _forged(document, state, update, scanned, by):
        return Rejection(Code.FORBIDDEN, f"`update` is refused: {whose}")
    if document.pairs.are_cut_by(document.pairs.cutting(update), state):
        return refusal(CUTS)
    if _is_known(document.doc, state, update, scanned):
        return Computed(b"", document.sequence, document.size)
    if not was_tried and (refused := _too_costly(document, state, update, scanned)):
        return refusal(refused)
    admitted = admit(document.doc, update, scanned=scanned, state=state)
    if isinstance(admitted, Refused):
        return refusal(admitted)
    size = len(encode_state(document.doc))
    return Computed(update, document.sequence, size, frozenset(admitted.ends))


def refusal(why: Refused) -> Rejection:
    code = Code.LIMIT_EXCEEDED if isinstance(why, DocumentTooLarge) else Code.BAD_REQUEST
    return Rejection(code, f"`update` is refused: {why.reason}")


def _is_known(doc: Doc[Any], state: dict[int, int], update: bytes, scanned: Scanned) -> bool:
    """Return whether an update that does not contradict a document neither writes nor deletes anything in it."""
    if scanned.after(state) != state:
        return False
    return not scanned.deletes or Deletions(doc.get_update(doc.get_state())).hold(update, scanned.deletes_at)


def _too_costly(document: LoadedDocument, state: dict[int, int], update: bytes, scanned: Scanned) -> Refused | None:
    if not may_be_costly(scanned, state, document.size + len(update)):
        return None
    return try_update(encode_state(document.doc), update)


def _forged(
    document: LoadedDocument, state: dict[int, int], update: bytes, scanned: Scanned, by: AuthorId
) -> str | None:
    """Return why an author may not send an update: it continues others' client ids, or contradicts their content."""
    for client, end in scanned.ends.items():
        if end > state.get(client, 0) and not document.may_use(client, by):
            return f"the Yjs client `{client}` is somebody else's, and only they may go on with it"
    if contradicts_document(document.doc, state, update, scanned):
        return "it says something else of changes that the document has"
    return None
