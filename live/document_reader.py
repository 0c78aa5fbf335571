"""Reads documents, and computes edits of them, from their stored updates alone, whether or not a room has them open.

A room holds edits that are not committed, so no answer is made from it. Documents that change while they are read
are cached as such: the updates that were committed since are brought in, and only what they touched is made anew.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache

from computing.edits import REVISION_GONE, EditedRevision
from computing.import_check import refusal
from computing.jobs import (
    CHECK_IMPORT,
    CHECK_IMPORT_AGAIN,
    DUPLICATE,
    EDIT,
    OUTLINE,
    READ,
    READ_MARKDOWN,
    READ_PART,
    WRITE_DOCUMENT,
    WRITE_MARKDOWN,
)
from computing.loaded_document import bytes_of, load_document, updates_of
from computing.overtaken import added_since, may_lose_letters, may_write_under
from computing.runner import Crashed, JobRunner, TooCostly
from computing.trial import TOO_COSTLY
from documents.editing.edit import EditRequest
from documents.editing.edit_effect import EditEffect, NewDocument
from documents.history.duplicate import Duplicated, Duplication
from documents.projection.incremental import IncrementalProjection
from documents.projection.outline import DocumentPart, Outline, PartRequest
from documents.projection.projection import Projection
from documents.tree.build import from_tree
from documents.yjs.keystroke import keystroke
from documents.yjs.relative_position import RelativePosition, edited_at
from documents.yjs.scan import IMPORT, Refused, Scanned, scan
from documents.yjs.slices import sliced
from domain.credit import AuthorId, Credit, Payer
from domain.document import WRITTEN_MEANWHILE, Computed, ComputedEdit, DocumentLog, DocumentState, LoggedUpdate
from domain.errors import NOT_FOUND, BudgetSpent, Rejection
from domain.questions import LogOf, LogSinceOf, StateOf
from live.store_reader import StoreReader

ANSWER_BYTES = 32 * 1024 * 1024
FOLLOWED_BYTES = 128 * 1024 * 1024
# What a document weighs in memory for each byte of its updates, measured.
WEIGHT = 18
# The cost of assembling an answer from cached parts, relative to making it.
SHARE = 16
# The first client of a new chart: fixed, so that two servers make the same document of it.
FIRST_CLIENT = 1
CHART = {
    "type": "doc",
    "content": [
        {
            "type": "codeBlock",
            "attrs": {"language": "vega-lite"},
            "content": [
                {
                    "type": "text",
                    "text": """{
  "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
  "data": {"values": [{"month": "Jan", "sold": 28}, {"month": "Feb", "sold": 55}, {"month": "Mar", "sold": 43}]},
  "mark": "bar",
  "encoding": {"x": {"field": "month", "sort": null}, "y": {"field": "sold", "type": "quantitative"}}
}""",
                }
            ],
        }
    ],
}


@dataclass(frozen=True, slots=True)
class Projected:
    """The ProseMirror tree as encoded JSON, and Markdown, from one snapshot."""

    tree: msgspec.Raw
    markdown: str

    @property
    def size(self) -> int:
        return len(bytes(self.tree)) + len(self.markdown)

    @staticmethod
    def of(made: Projection) -> "Projected":
        return Projected(msgspec.Raw(made.tree_json), made.markdown)


@dataclass(frozen=True, slots=True)
class LoggedSlice:
    """Some of an update of the log, small enough to be applied while others wait, and its scan."""

    update: bytes
    scanned: Scanned | Refused


@dataclass(frozen=True, slots=True)
class LoggedSlices:
    """The slices of one update of a log, its author, and the place in the document where it wrote."""

    slices: Sequence[LoggedSlice]
    author: AuthorId
    place: RelativePosition | None


def slices_of(stored: DocumentLog) -> list[LoggedSlices]:
    """Return the slices of each update of a log."""
    return [_slices(each) for each in stored.log]


def _slices(logged: LoggedUpdate) -> LoggedSlices:
    slices = [LoggedSlice(part, keystroke(part) or scan(part, IMPORT)) for part in sliced(logged.update)]
    is_sound = not any(isinstance(each.scanned, Refused) for each in slices)
    place = edited_at([each.update for each in slices]) if is_sound else None
    return LoggedSlices(slices, (logged.user_id, logged.agent), place)


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """A document as of its update number `sequence`, and itself; `updates` are the bytes that were brought into it."""

    sequence: int
    projected: Projected
    followed: IncrementalProjection
    updates: int

    @property
    def weight(self) -> int:
        return self.followed.size + WEIGHT * self.updates


@dataclass(frozen=True, slots=True)
class _Making:
    """A read under way, and who pays for it."""

    by: Payer
    task: asyncio.Task[Projected]


def _load_snapshot(state: DocumentState, sequence: int) -> _Snapshot:
    return _projected(IncrementalProjection(load_document(state)), sequence, bytes_of(state))


def _advance(read: _Snapshot, since: DocumentState, sequence: int) -> _Snapshot | None:
    """Return the document with what came since; none where it did not go on as the updates say."""
    if read.followed.apply(since.updates):
        return None
    return _projected(read.followed, sequence, read.updates + bytes_of(since))


def _projected(followed: IncrementalProjection, sequence: int, updates: int) -> _Snapshot:
    made = followed.project()
    return _Snapshot(sequence, Projected.of(made), followed, updates)


def keep[Key, T](cache: LRUCache[Key, T], place: Key, value: T) -> None:
    with suppress(ValueError):  # it is larger than the cache
        cache[place] = value


async def read_edited(reader: StoreReader, document_id: str, asked: EditRequest) -> EditedRevision | Rejection:
    """Return what the edit is computed from; REVISION_GONE where the base cannot be rebuilt."""
    if asked.base is None:
        state = await reader.read(StateOf(document_id, asked.until))
        return EditedRevision(updates_of(state), (), state.sequence)
    stored = await reader.read(LogSinceOf(document_id, asked.base))
    if stored is None:
        return REVISION_GONE
    stored = stored.until(asked.until)
    since = [*(each.update for each in stored.versions), *(each.update for each in stored.log)]
    return EditedRevision(stored.state, tuple(since), stored.sequence)


class DocumentReader:
    """Reads the documents of a store. The last answers are cached, and of documents that change the documents themselves.

    A small document is not cached before it has changed under its readers: to read it again costs less than to hold it. As
    a worker it lets go of what nobody has read since its last turn.
    """

    every: Final = 30.0

    def __init__(
        self,
        reader: StoreReader,
        answer_bytes: int = ANSWER_BYTES,
        followed_bytes: int = FOLLOWED_BYTES,
        *,
        runner: JobRunner,
    ) -> None:
        self._reader = reader
        self._runner = runner
        self._answers: LRUCache[str, tuple[int, Projected]] = LRUCache(answer_bytes, lambda kept: kept[1].size)
        self._followed: LRUCache[str, _Snapshot] = LRUCache(followed_bytes, lambda read: read.weight)
        self._read_since: set[str] = set()  # ids of documents
        self._making: dict[tuple[str, int], _Making] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def read(self, document_id: str, sequence: int, by: Payer = "") -> Projected:
        """Return the document as of an update number; where nobody pays for it, the document does."""
        self._read_since.add(document_id)
        kept = self._answers.get(document_id)
        if kept and kept[0] == sequence:
            return kept[1]
        asked = (document_id, sequence)
        by = by or document_id
        while making := self._making.get(asked):  # those who ask meanwhile wait for the same
            try:
                return await asyncio.shield(making.task)
            except BudgetSpent:
                if making.by == by:
                    raise
        making = self._making[asked] = _Making(by, asyncio.create_task(self._make(document_id, sequence, by)))
        making.task.add_done_callback(lambda _: self._making.pop(asked))
        return await asyncio.shield(making.task)

    async def turn(self) -> None:
        for cache in (self._answers, self._followed):
            for document_id in cache.keys() - self._read_since:
                del cache[document_id]
        self._read_since.clear()

    async def _make(self, document_id: str, sequence: int, by: Payer) -> Projected:
        lock = self._locks.setdefault(document_id, asyncio.Lock())
        async with lock:
            known = self._answers.get(document_id)
            if known and known[0] > sequence:  # a later request was answered before
                return await self._cold(document_id, sequence, by)
            read = self._followed.pop(document_id, None)
            made = await self._go_on(document_id, sequence, read) if read else None
            if made is None and known:
                made = await self._begin(document_id, sequence)
            if made:
                keep(self._followed, document_id, made)
            projected = made.projected if made else await self._cold(document_id, sequence, by)
            keep(self._answers, document_id, (sequence, projected))
            return projected

    async def _cold(self, document_id: str, sequence: int, by: Payer) -> Projected:
        state = await self._reader.read(StateOf(document_id, sequence))
        return Projected.of(await self._runner.run(READ, by, document_id, state))

    async def _begin(self, document_id: str, sequence: int) -> _Snapshot:
        """Return a document that has changed since it was read, to be followed from now on."""
        state = await self._reader.read(StateOf(document_id, sequence))
        return await self._runner.run_here(document_id, bytes_of(state), lambda: _load_snapshot(state, sequence))

    async def _go_on(self, document_id: str, sequence: int, read: _Snapshot) -> _Snapshot | None:
        """Return the document with what came since it was read; none where that is not how it came to this number."""
        if sequence < read.sequence:
            return None
        since = await self._reader.read(StateOf(document_id, sequence, after=read.sequence))
        if since.sequence < read.sequence or since.snapshot is not None:  # it is not there any more, or was compacted
            return None
        work = max(bytes_of(since), read.projected.size // SHARE)
        return await self._runner.run_here(document_id, work, lambda: _advance(read, since, sequence))

    async def outline(self, document_id: str, sequence: int, by: Payer) -> Outline:
        state = await self._reader.read(StateOf(document_id, sequence))
        return await self._runner.run(OUTLINE, by, document_id, state)

    async def part(self, document_id: str, sequence: int, asked: PartRequest, by: Payer) -> DocumentPart | Rejection:
        state = await self._reader.read(StateOf(document_id, sequence))
        return await self._runner.run(READ_PART, by, document_id, state, asked)

    async def imported(
        self, document_id: str, update: bytes, by: Credit, source: str | None = None
    ) -> Computed | Rejection:
        stored = await self._reader.read(LogOf(document_id))
        if stored is None:
            return NOT_FOUND
        whose = (by.user_id, by.agent)
        try:
            return await self._runner.run(CHECK_IMPORT, by, document_id, stored, update, source, whose)
        except (TooCostly, Crashed):
            return refusal(TOO_COSTLY)

    async def edited(self, document_id: str, asked: EditRequest, by: Credit) -> ComputedEdit[EditEffect] | Rejection:
        found = await read_edited(self._reader, document_id, asked)
        if isinstance(found, Rejection):
            return found
        return await self._runner.run(EDIT, by, document_id, found, asked)

    async def bytes_added_since(
        self, document_id: str, made: Computed, by: Credit, reader: StoreReader, sequence: int
    ) -> int | Rejection:
        since = DocumentState(None, (), sequence)
        if sequence != made.sequence:
            since = await reader.read(StateOf(document_id, after=made.sequence))
        added = added_since(since, made)
        if isinstance(added, Rejection):
            return added
        here, size = self._runner.run_here, bytes_of(since)
        if bool(made.deleted) and await here(
            document_id, size + len(made.update), partial(may_lose_letters, since, made)
        ):
            return WRITTEN_MEANWHILE
        if not made.clients or not await here(document_id, size, partial(may_write_under, since, made.clients)):
            return added
        # Another author wrote under a client of the update: the lock decides who owns it.
        stored = await reader.read(LogOf(document_id))
        if stored is None:
            return NOT_FOUND
        whose = (by.user_id, by.agent)
        again = await self._runner.run(CHECK_IMPORT_AGAIN, by, document_id, stored, made.update, whose)
        if isinstance(again, Computed) and not again.update:  # somebody brought the same meanwhile
            return WRITTEN_MEANWHILE
        return again if isinstance(again, Rejection) else added

    async def written(self, markdown: str, copies: Mapping[str, str], by: Credit) -> NewDocument | Rejection:
        return await self._runner.run(WRITE_DOCUMENT, by, "", markdown, {**copies})

    async def tree_of(self, markdown: str, by: Credit) -> msgspec.Raw | Rejection:
        made = await self._runner.run(READ_MARKDOWN, by, "", markdown)
        return made if isinstance(made, Rejection) else msgspec.Raw(made)

    async def markdown_of(self, tree: Mapping[str, Any], by: Credit) -> str | Rejection:
        return await self._runner.run(WRITE_MARKDOWN, by, "", {**tree})

    async def duplicated(self, document_id: str, log: DocumentLog, asked: Duplication, by: Credit) -> Duplicated:
        return await self._runner.run(DUPLICATE, by, document_id, log, asked)

    def first_update(self, kind: str) -> bytes | None:
        return from_tree(CHART, FIRST_CLIENT) if kind == "viz_workbook" else None
