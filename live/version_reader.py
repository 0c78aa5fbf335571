"""Reads, measures and restores the versions of a document from their stored states."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from cachetools import LRUCache
from pycrdt import Doc

from computing.loaded_document import bytes_of, load_document, size_of
from documents.attribution import AttributedText, CreditedRange, Logged, attributions, credited_ranges
from documents.change import Damaged
from documents.copies import decode_copied, encode_copied
from documents.credits import Credits, Source
from documents.edit import restore_content
from documents.loading import Loading, noted, unnoted
from documents.projection import project
from documents.replay import BEGINNING
from documents.restored import restored
from documents.scan import IMPORT, Refused, accepted
from documents.snapshot import encode_deleted, encode_state
from documents.tree import tree
from domain.credit import Author, Credit
from domain.document import WRITTEN_MEANWHILE, Computed, DocumentLog, DocumentState, LoggedUpdate
from domain.errors import Code, Rejection
from domain.questions import AuthorNamesOf, LogOf, RevisionOf, StateOf, VersionStateOf
from domain.version import Restoring
from live.change_reader import ChangeReader
from live.computations import Computations
from live.document_edits import REVISION_GONE, TOO_LARGE
from live.document_reader import (
    SMALL_EDIT,
    Projected,
    added_bytes,
    is_overtaken,
    keep,
    offload,
)
from live.store_reader import StoreReader

CACHE_BYTES = 16 * 1024 * 1024
ATTRIBUTION_BYTES = 16 * 1024 * 1024
CREDIT_BYTES = 8 * 1024 * 1024
# What a stretch weighs in memory, with its source, and each step of its path; measured.
SPAN_BYTES = 400
STEP_BYTES = 40


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


@dataclass(frozen=True, slots=True)
class _Ranges:
    """Letters by Yjs ids: JSON lists, of the last numbers of which each is a place in `sources`, or `movers`."""

    encoded: msgspec.Raw
    sources: tuple[Source, ...]
    moved: msgspec.Raw
    movers: tuple[Source, ...]

    @property
    def size(self) -> int:
        encoded = memoryview(self.encoded).nbytes + memoryview(self.moved).nbytes
        return encoded + SPAN_BYTES * (1 + len(self.sources) + len(self.movers))

    @staticmethod
    def of(found: Iterable[CreditedRange]) -> "_Ranges":
        writers: dict[Source, int] = {}
        movers: dict[Source, int] = {}
        ranges: list[tuple[int, int, int, int]] = []
        moved: list[tuple[int, int, int, int]] = []
        for each in found:
            run = each.client, each.clock, each.length
            ranges.append((*run, writers.setdefault(each.source, len(writers))))
            if each.mover:
                moved.append((*run, movers.setdefault(each.mover, len(movers))))
        encode = msgspec.json.encode
        return _Ranges(msgspec.Raw(encode(ranges)), tuple(writers), msgspec.Raw(encode(moved)), tuple(movers))


class VersionReader:
    """Reads the versions of a store's documents; a version never changes, so those read last are cached.

    The attribution of a document as of one of its updates is cached too, without the names, which people change.
    """

    def __init__(
        self,
        reader: StoreReader,
        cache_bytes: int = CACHE_BYTES,
        attribution_bytes: int = ATTRIBUTION_BYTES,
        computations: Computations | None = None,
        loading: Loading = unnoted,
    ) -> None:
        self._reader = reader
        self._loading = loading
        self._computations = computations or Computations()
        self._largest = cache_bytes // 4  # one version
        self._versions: LRUCache[tuple[str, int], Projected] = LRUCache(cache_bytes, lambda made: made.size)
        self._attributed: LRUCache[tuple[str, int], list[AttributedText]] = LRUCache(attribution_bytes, _weight)
        self._credited: LRUCache[tuple[str, int], _Ranges] = LRUCache(CREDIT_BYTES, lambda kept: kept.size)
        self.changes = ChangeReader(reader, self._computations, loading)

    async def read(self, document_id: str, number: int) -> Projected:
        place = (document_id, number)
        if kept := self._versions.get(place):
            return kept
        state = await self._reader.read(VersionStateOf(document_id, number))
        made = await offload(bytes_of(state), noted(self._loading, document_id, lambda: _projected(state)))
        if made.size <= self._largest:
            self._versions[place] = made
        return made

    async def sizes(self, document_id: str, ends: Sequence[int], reader: StoreReader) -> tuple[int, ...]:
        """Return how large the document was at each of these update numbers, which belong to no version yet."""
        if not ends:
            return ()
        state = await reader.read(StateOf(document_id, ends[-1]))
        return await offload(bytes_of(state), noted(self._loading, document_id, lambda: _sizes(state, ends)))

    async def restoring(self, document_id: str, number: int, ends: Sequence[int], by: Credit) -> Restoring | Rejection:
        async def read() -> tuple[DocumentState, DocumentState]:
            earlier = await self._reader.read(VersionStateOf(document_id, number))
            return await self._reader.read(StateOf(document_id)), earlier

        def act(both: tuple[DocumentState, DocumentState]) -> Restoring | Rejection:
            return _restoring(*both, ends)

        restore = noted(self._loading, document_id, act)
        state, earlier = await read()
        if bytes_of(state) + bytes_of(earlier) < SMALL_EDIT:
            return restore((state, earlier))
        del state, earlier  # while it waits
        return await self._computations.run(by.user_id, read, restore)

    async def bytes_added_since(self, document_id: str, made: Restoring, reader: StoreReader) -> int | Rejection:
        since = await reader.read(StateOf(document_id, after=made.sequence))
        if await is_overtaken(since, made):
            return WRITTEN_MEANWHILE
        return added_bytes(since, Computed(made.update, made.sequence, made.byte_size))

    async def attributions(self, document_id: str, sequence: int, user_id: str) -> list[AttributedSpan] | Rejection:
        async def read() -> DocumentLog | None:
            return await self._log_at(document_id, sequence)

        found = await self._of_log(self._attributed, (document_id, sequence), user_id, read, _attributed)
        if found is None:
            return REVISION_GONE
        names = await self._reader.read(AuthorNamesOf(document_id))
        return [
            AttributedSpan(
                each.path,
                each.start,
                each.stop,
                _author(each.source, names),
                _author(each.mover, names) if each.mover else None,
            )
            for each in found
        ]

    async def credits(self, document_id: str, sequence: int, user_id: str) -> CreditedLetters:
        async def read() -> DocumentLog | None:
            return await self._reader.read(LogOf(document_id, sequence))

        found = await self._of_log(self._credited, (document_id, sequence), user_id, read, _credited) or _Ranges.of(())
        names = await self._reader.read(AuthorNamesOf(document_id))
        authors, movers = (tuple(_author(each, names) for each in of) for of in (found.sources, found.movers))
        return CreditedLetters(found.encoded, authors, found.moved, movers)

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

    async def _of_log[T](
        self,
        cache: LRUCache[tuple[str, int], T],
        place: tuple[str, int],
        user_id: str,
        read: Callable[[], Awaitable[DocumentLog | None]],
        act: Callable[[DocumentLog], T],
    ) -> T | None:
        """Return what `act` makes of the log at a revision of a document: small logs at once, others in turn.

        None where there is no log.
        """
        if (kept := cache.get(place)) is not None:
            return kept

        def made_of(log: DocumentLog | None) -> T | None:
            return None if log is None else act(log)

        compute = noted(self._loading, place[0], made_of)
        log = await read()
        if log is None or size_of(log) < SMALL_EDIT:
            made = compute(log)
        else:
            del log  # while it waits
            made = await self._computations.run(user_id, read, compute)
        if made is not None:
            keep(cache, place, made)
        return made


def _projected(state: DocumentState) -> Projected:
    made = project(load_document(state))
    return Projected(msgspec.Raw(made.tree_json), made.markdown)


def _sizes(state: DocumentState, ends: Sequence[int]) -> tuple[int, ...]:
    """Go through the history once: the updates are those up to the state's number, without gaps."""
    doc = load_document(DocumentState(state.snapshot, (), 0))
    done = state.sequence - len(state.updates)
    begun, sizes = done, []
    for end in ends:
        _bring(doc, state.updates[done - begun : end - begun])
        done = end
        sizes.append(len(encode_state(doc)))
    return tuple(sizes)


def _bring(doc: Doc[Any], updates: Sequence[bytes]) -> None:
    with doc.transaction():
        for update in updates:
            doc.apply_update(update)


def _restoring(state: DocumentState, earlier: DocumentState, ends: Sequence[int]) -> Restoring | Rejection:
    doc, version = load_document(state), load_document(earlier)
    before = len(encode_state(doc))
    made = restore_content(doc, tree(version))
    if isinstance(made, Damaged):
        raise RuntimeError(f"a restore went wrong: {made.reason}")  # noqa: TRY004  it is of the right type
    if isinstance(made, Refused):
        return Rejection(Code.BAD_REQUEST, made.reason)
    if not made.update:
        return Restoring(b"", before, state.sequence, before, {})
    size = len(encode_state(doc))
    if size > IMPORT.size:
        return TOO_LARGE
    # what ended before a snapshot that was made since `ends` were read is in no update
    known = [end for end in ends if state.sequence - len(state.updates) < end <= state.sequence]
    sizes = dict(zip(known, _sizes(state, known), strict=True))
    deleted, deletes_nodes = encode_deleted(doc), made.deletes_nodes
    copied = restored((version, _updates(earlier)), (doc, (*_updates(state), made.update)), made.update)
    return Restoring(
        made.update, size, state.sequence, before, sizes, encode_copied(copied), deleted, deletes_nodes=deletes_nodes
    )


def _updates(state: DocumentState) -> Sequence[bytes]:
    return (*([state.snapshot] if state.snapshot else ()), *state.updates)


def _logged(log: DocumentLog) -> list[Logged]:
    return [
        Logged(each.update, Source.of(each.user_id, each.agent, each.at), decode_copied(each.copied))
        for each in log.log
    ]


def _attributed(log: DocumentLog) -> list[AttributedText]:
    return accepted(attributions(log.snapshot, Credits.decode(log.credits), _logged(log)))


def _credited(log: DocumentLog) -> _Ranges:
    return _Ranges.of(accepted(credited_ranges(log.snapshot, Credits.decode(log.credits), _logged(log))))


def _weight(found: Sequence[AttributedText]) -> int:
    return SPAN_BYTES + sum(SPAN_BYTES + STEP_BYTES * len(each.path) for each in found)


def _author(source: Source, names: dict[str, str]) -> Author:
    return Author(source.user_id, names.get(source.user_id, ""), source.agent, source.at)
