"""Reads the changes of documents, and undoes some of them, from the log since a revision."""

from collections.abc import Sequence

from cachetools import LRUCache

from computing.changes import ListedChanges
from computing.edits import REVISION_GONE
from computing.jobs import LIST_CHANGES, UNDO
from computing.runner import JobRunner
from documents.history.changes import Change, UndoEffect, UndoRequest
from domain.credit import Credit
from domain.document import ComputedEdit
from domain.errors import Rejection
from domain.questions import LogSinceOf
from live.document_reader import keep
from live.store_reader import StoreReader

LISTED_BYTES = 16 * 1024 * 1024
# What a change weighs in memory but for its texts; measured.
CHANGE_BYTES = 600


class ChangeReader:
    """Reads the changes of a store's documents. The last lists are cached, so that their pages need not be made anew."""

    def __init__(self, reader: StoreReader, runner: JobRunner) -> None:
        self._reader = reader
        self._runner = runner
        self._listed: LRUCache[tuple[str, int, int], ListedChanges] = LRUCache(
            LISTED_BYTES, lambda kept: _weight(kept.changes)
        )

    async def since(
        self, document_id: str, revision: int, sequence: int, by: Credit, until: int | None = None
    ) -> list[Change] | Rejection:
        place = (document_id, revision, sequence if until is None else min(until, sequence))
        kept = self._listed.get(place)
        if kept and kept.sequence == sequence:
            return kept.changes
        stored = await self._reader.read(LogSinceOf(document_id, revision))
        if stored is None:
            return REVISION_GONE
        found = await self._runner.run(LIST_CHANGES, by, document_id, stored, until)
        keep(self._listed, place, found)
        return found.changes

    async def undoing(
        self, document_id: str, request: UndoRequest, ends: Sequence[int], by: Credit
    ) -> ComputedEdit[UndoEffect] | Rejection:
        stored = await self._reader.read(LogSinceOf(document_id, request.revision))
        if stored is None:
            return REVISION_GONE
        return await self._runner.run(UNDO, by, document_id, stored, request, ends)


def _weight(listed: Sequence[Change]) -> int:
    texts = (text for each in listed for text in (each.inserted, each.deleted, *(lost.text for lost in each.unseen)))
    parts = sum(1 + len(each.unseen) for each in listed)
    return CHANGE_BYTES * (1 + parts) + 4 * sum(map(len, texts))
