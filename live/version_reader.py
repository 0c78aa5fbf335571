"""Reads, measures and restores the versions of a document from their stored states."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import batched

import msgspec
from cachetools import LRUCache

from computing.edits import REVISION_GONE
from computing.jobs import ATTRIBUTE, CREDIT, MEASURE, READ, RESTORE
from computing.runner import JobRunner
from computing.versions import SPAN_BYTES, CreditedRanges
from documents.history.attribution import AttributedText
from documents.history.credits import Source
from documents.history.replay import BEGINNING
from domain.credit import Author, Credit, Payer
from domain.document import Computed, DocumentLog, LoggedUpdate
from domain.errors import Rejection
from domain.questions import AuthorNamesOf, LogOf, RevisionOf, StateOf, VersionStateOf
from live.change_reader import ChangeReader
from live.document_reader import Projected, keep
from live.store_reader import StoreReader

CACHE_BYTES = 16 * 1024 * 1024
ATTRIBUTION_BYTES = 16 * 1024 * 1024
CREDIT_BYTES = 8 * 1024 * 1024
SPANS_AT_ONCE = 2_000  # between two breaks: some milliseconds
STEP_BYTES = 40  # what each step of a path weighs in memory; measured


@dataclass(frozen=True, slots=True)
class AttributedSpan:
    """A stretch of one text node, who wrote it in which minute, and who moved it there, if anybody did."""

    path: tuple[int, ...]
    start: int
    stop: int
    by: Author
    moved_by: Author | None


@dataclass(frozen=True, slots=True)
class CreditedLetters:
    """The letters of a document by Yjs ids: `ranges` is JSON, lists of client, clock, length and place in `authors`.

    `moved` are lists of the same form, with places in `movers`, who moved letters to where they are.
    """

    ranges: msgspec.Raw
    authors: tuple[Author, ...]
    moved: msgspec.Raw
    movers: tuple[Author, ...]


class VersionReader:
    """Reads the versions of a store's documents; a version never changes, so those read last are cached.

    The attribution of a document as of one of its updates is cached too, without the names, which people change.
    """

    def __init__(
        self,
        reader: StoreReader,
        cache_bytes: int = CACHE_BYTES,
        attribution_bytes: int = ATTRIBUTION_BYTES,
        *,
        runner: JobRunner,
    ) -> None:
        self._reader = reader
        self._runner = runner
        self._largest = cache_bytes // 4  # one version
        self._versions: LRUCache[tuple[str, int], Projected] = LRUCache(cache_bytes, lambda made: made.size)
        self._attributed: LRUCache[tuple[str, int], list[AttributedText]] = LRUCache(attribution_bytes, _weight)
        self._credited: LRUCache[tuple[str, int], CreditedRanges] = LRUCache(CREDIT_BYTES, lambda kept: kept.size)
        self.changes = ChangeReader(reader, self._runner)

    async def read(self, document_id: str, number: int, by: Payer = "") -> Projected:
        place = (document_id, number)
        if kept := self._versions.get(place):
            return kept
        state = await self._reader.read(VersionStateOf(document_id, number))
        made = Projected.of(await self._runner.run(READ, by or document_id, document_id, state))
        if made.size <= self._largest:
            self._versions[place] = made
        return made

    async def sizes(self, document_id: str, ends: Sequence[int], reader: StoreReader) -> tuple[int, ...]:
        """Return how large the document was at each of these update numbers, which belong to no version yet."""
        if not ends:
            return ()
        state = await reader.read(StateOf(document_id, ends[-1]))
        return await self._runner.run(MEASURE, "", document_id, state, ends)

    async def restoring(self, document_id: str, number: int, ends: Sequence[int], by: Credit) -> Computed | Rejection:
        earlier = await self._reader.read(VersionStateOf(document_id, number))
        state = await self._reader.read(StateOf(document_id))
        return await self._runner.run(RESTORE, by, document_id, state, earlier, ends)

    async def attributions(self, document_id: str, sequence: int, by: Payer) -> list[AttributedSpan] | Rejection:
        place = document_id, sequence
        found = self._attributed.get(place)
        if found is None:
            log = await self._log_at(document_id, sequence)
            if log is None:
                return REVISION_GONE
            encoded = await self._runner.run(ATTRIBUTE, by, document_id, log)
            found = []
            for encoded_part in encoded.parts:
                found += encoded.decode(encoded_part)
                await asyncio.sleep(0)
            keep(self._attributed, place, found)
        names = await self._reader.read(AuthorNamesOf(document_id))
        spans = list[AttributedSpan]()
        for part in batched(found, SPANS_AT_ONCE):
            spans += [_with_name(each, names) for each in part]
            await asyncio.sleep(0)
        return spans

    async def credits(self, document_id: str, sequence: int, by: Payer) -> CreditedLetters:
        place = document_id, sequence
        found = self._credited.get(place)
        if found is None:
            log = await self._reader.read(LogOf(document_id, sequence))
            found = await self._runner.run(CREDIT, by, document_id, log) if log else CreditedRanges.of(())
            keep(self._credited, place, found)
        names = await self._reader.read(AuthorNamesOf(document_id))
        authors, movers = (tuple(_author(each, names) for each in of) for of in (found.sources, found.movers))
        return CreditedLetters(msgspec.Raw(found.encoded), authors, msgspec.Raw(found.moved), movers)

    async def _log_at(self, document_id: str, sequence: int) -> DocumentLog | None:
        """Return the log up to a revision; None where that is gone.

        Before the snapshot, it is the updates that make the state then: the credits of the snapshot say whose they are.
        """
        log = await self._reader.read(LogOf(document_id, sequence))
        if log is None or log.sequence == sequence:
            return log
        state = await self._reader.read(RevisionOf(document_id, sequence))
        if state is None:
            return None
        updates = tuple(LoggedUpdate(update, "", None, BEGINNING) for update in state.updates)
        return DocumentLog(state.snapshot, log.credits, updates, sequence)


def _weight(found: Sequence[AttributedText]) -> int:
    return SPAN_BYTES + sum(SPAN_BYTES + STEP_BYTES * len(each.path) for each in found)


def _with_name(text: AttributedText, names: dict[str, str]) -> AttributedSpan:
    mover = _author(text.mover, names) if text.mover else None
    return AttributedSpan(text.path, text.start, text.stop, _author(text.source, names), mover)


def _author(source: Source, names: dict[str, str]) -> Author:
    return Author(source.user_id, names.get(source.user_id, ""), source.agent, source.at)
