"""Says of an edit, computed outside of any lock, what the updates that were recorded since do to it."""

from computing.edits import TOO_LARGE
from documents.yjs.keystroke import keystroke
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import IMPORT, Refused, scan
from documents.yjs.structs import builds_on_deleted, may_lie_in_deleted, overlap, read_deletions, read_update
from domain.document import Computed, DocumentState
from domain.errors import Rejection


def added_since(since: DocumentState, made: Computed) -> int | Rejection:
    """Return the bytes added to a document `since` the edit was computed, up to its limit.

    Two updates merged are no larger than both together, so the sum bounds the document without merging them. What
    was deleted meanwhile is not counted off: within that much of the limit an edit is refused that would have fitted.
    Nor can the tree be deeper than either alone: neither put anything into what the other brought.
    """
    came = sum(map(len, since.updates))
    # a snapshot that was made meanwhile holds what the update was computed from
    size = made.size if since.snapshot is None else len(since.snapshot) + len(made.update)
    return came if size + came <= IMPORT.size else TOO_LARGE


def may_write_under(since: DocumentState, clients: frozenset[int]) -> bool:
    """Return whether the updates added to a document may contain one of these Yjs clients."""
    scans = [keystroke(update) or scan(update, IMPORT) for update in since.updates]
    written = {client for scanned in scans if not isinstance(scanned, Refused) for client in scanned.ends}
    return since.snapshot is not None or not clients.isdisjoint(written)


def _writes_into(since: DocumentState, update: bytes, deleted: bytes) -> bool:
    """Return whether what was added to a document may lie in what `update` deletes.

    `deleted` is the encoded set of all that is deleted with it. Of a log that was compacted meanwhile nobody can say.
    """
    if since.snapshot is not None:
        return True
    return bool(since.updates) and builds_on_deleted(since.updates, update, read_deletions(Decoder(deleted)))


def may_lose_letters(since: DocumentState, made: Computed) -> bool:
    """Return whether an edit and what was added meanwhile may lose letters in one another, or write deleted ones again.

    What was added may lie in nodes that the edit deletes; or it may delete nodes in which the edit writes, perhaps letters
    that it deletes elsewhere; or it may delete letters that the edit deletes, to write them elsewhere. Of a log that was
    compacted meanwhile nobody can say.
    """
    if not since.updates and since.snapshot is None:
        return False
    if made.deletes_nodes and _writes_into(since, made.update, made.deleted):
        return True
    deleted = read_update(made.update).deleted if made.update else []
    if not deleted:
        return False
    if since.snapshot is not None:
        return True
    gone = [run for update in since.updates for run in read_update(update).deleted]
    before = read_deletions(Decoder(made.deleted))
    return overlap(gone, deleted) or (bool(gone) and may_lie_in_deleted(made.update, [*before, *gone]))
