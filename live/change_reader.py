"""Lists the changes of documents, and computes edits that take some of them back, from the log since a revision."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from secrets import randbits
from typing import Any

from cachetools import LRUCache
from pycrdt import Doc

from documents.changes import NO_SUCH_CHANGE, Change, SkippedPart, UndoRequest, changes, undo_changes
from documents.copies import encode_copied
from documents.loading import Loading, unnoted
from documents.replay import replayed
from documents.scan import IMPORT, Refused, accepted
from documents.snapshot import apply_updates, encode_deleted, encode_state, load, state_vector
from domain.credit import Credit
from domain.document import DocumentLogSince
from domain.errors import NOT_FOUND, Code, Rejection
from domain.version import Restoring
from live.computations import Computations
from live.document_edits import TOO_LARGE
from live.document_reader import keep
from live.log_reader import LogReader, log_since
from live.store_reader import StoreReader

LISTED_BYTES = 16 * 1024 * 1024
# What a change weighs in memory but for its texts; measured.
CHANGE_BYTES = 600


@dataclass(frozen=True, slots=True)
class ComputedUndo:
    """An edit that takes `changes` back; its update is empty where nothing is left of them."""

    edit: Restoring
    changes: tuple[Change, ...]
    skipped: tuple[SkippedPart, ...]


class ChangeReader:
    """Reads the changes of a store's documents. The last lists are cached, so that their pages need not be made anew."""

    def __init__(self, reader: StoreReader, computations: Computations, loading: Loading = unnoted) -> None:
        self._log = LogReader(reader, computations, loading)
        self._listed: LRUCache[tuple[str, int, int], tuple[int, list[Change]]] = LRUCache(
            LISTED_BYTES, lambda kept: _weight(kept[1])
        )

    async def since(
        self, document_id: str, revision: int, sequence: int, by: Credit, until: int | None = None
    ) -> list[Change] | Rejection:
        place = (document_id, revision, sequence if until is None else min(until, sequence))
        kept = self._listed.get(place)
        if kept and kept[0] == sequence:
            return kept[1]
        found = await self._log.compute(document_id, revision, by, partial(_listed, until))
        if isinstance(found, Rejection):
            return found
        keep(self._listed, place, found)
        return found[1]

    async def undoing(
        self, document_id: str, request: UndoRequest, ends: Sequence[int], by: Credit
    ) -> ComputedUndo | Rejection:
        return await self._log.compute(
            document_id, request.revision, by, lambda stored: _undoing(stored, request, ends)
        )


def _listed(until: int | None, stored: DocumentLogSince) -> tuple[int, list[Change]]:
    return stored.sequence, changes(accepted(replayed(log_since(stored.until(until)))))


def _undoing(stored: DocumentLogSince, request: UndoRequest, ends: Sequence[int]) -> ComputedUndo | Rejection:
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
    copied, deleted = encode_copied(undone.copied), encode_deleted(doc)
    made = Restoring(undone.update, size, stored.sequence, before, sizes, copied, deleted, undone.deletes_nodes)
    return ComputedUndo(made, undone.changes, undone.skipped)


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


def _weight(listed: Sequence[Change]) -> int:
    texts = (text for each in listed for text in (each.inserted, each.deleted, *(lost.text for lost in each.unseen)))
    parts = sum(1 + len(each.unseen) for each in listed)
    return CHANGE_BYTES * (1 + parts) + 4 * sum(map(len, texts))
