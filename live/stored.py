"""How a document is read and added to while nobody has it open: from its stored updates alone."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec
from pycrdt import Doc

from documents.build import from_tree
from documents.change import Damaged
from documents.edit import Edit, edit, size
from documents.projection import Projection, project
from documents.scan import IMPORT, Refused
from documents.snapshot import TooLarge, admit, encode_state, load
from domain.document import DocumentState
from domain.errors import Code, Rejection
from domain.questions import Question, StateOf

CACHE_BYTES = 32 * 1024 * 1024
SMALL = 32 * 1024
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
  "encoding": {"x": {"field": "month"}, "y": {"field": "sold", "type": "quantitative"}}
}""",
                }
            ],
        }
    ],
}


class Reader(Protocol):
    async def read[Answer](self, question: Question[Answer]) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Projected:
    """The ProseMirror tree as encoded JSON, and Markdown, from one snapshot."""

    tree: msgspec.Raw
    markdown: str

    @property
    def size(self) -> int:
        return len(bytes(self.tree)) + len(self.markdown)


def _loaded(state: DocumentState) -> Doc[Any]:
    loaded = load(state.snapshot, state.updates)
    if not isinstance(loaded, Refused):
        return loaded
    raise RuntimeError(f"stored updates cannot be read: {loaded.reason}")


def _projected(state: DocumentState) -> Projected:
    made: Projection = project(_loaded(state))
    return Projected(msgspec.Raw(made.tree_json), made.markdown)


def _checked(state: DocumentState, update: bytes) -> Rejection | None:
    admitted = admit(_loaded(state), update)
    if isinstance(admitted, Refused):
        code = Code.LIMIT_EXCEEDED if isinstance(admitted, TooLarge) else Code.BAD_REQUEST
        return Rejection(code, f"`update` is refused: {admitted.reason}")
    return None


def _edited(state: DocumentState, wanted: Edit) -> bytes | Rejection:
    loaded = _loaded(state)
    made = edit(loaded, wanted)
    if isinstance(made, Damaged):
        raise RuntimeError(f"an edit went wrong: {made.reason}")  # noqa: TRY004  it is of the right type
    if isinstance(made, Refused):
        return Rejection(Code.BAD_REQUEST, made.reason)
    if len(encode_state(loaded)) > IMPORT.size:
        return Rejection(Code.LIMIT_EXCEEDED, f"the document would be larger than {IMPORT.size} bytes")
    return made


async def _aside[T](size: int, act: Callable[[], T]) -> T:
    """Run `act`: small work here, large work in a thread, so that others are served meanwhile."""
    return act() if size < SMALL else await asyncio.to_thread(act)


def _size(state: DocumentState) -> int:
    return len(state.snapshot or b"") + sum(map(len, state.updates))


class StoredDocuments:
    """The documents of a store, with the projections read last kept by their update number."""

    def __init__(self, reader: Reader, cache_bytes: int = CACHE_BYTES) -> None:
        self._reader = reader
        self._most = cache_bytes
        self._kept: OrderedDict[str, tuple[int, Projected]] = OrderedDict()
        self._held = 0
        self._making: dict[tuple[str, int], asyncio.Task[Projected]] = {}

    async def read(self, document_id: str, sequence: int) -> Projected:
        kept = self._kept.get(document_id)
        if kept and kept[0] == sequence:
            self._kept.move_to_end(document_id)
            return kept[1]
        asked = (document_id, sequence)
        making = self._making.get(asked)
        if making is None:  # those who ask meanwhile wait for the same
            making = self._making[asked] = asyncio.create_task(self._make(document_id, sequence))
            making.add_done_callback(lambda _: self._making.pop(asked))
        return await asyncio.shield(making)

    async def _make(self, document_id: str, sequence: int) -> Projected:
        state = await self._reader.read(StateOf(document_id, sequence))
        made = await _aside(_size(state), lambda: _projected(state))
        self._keep(document_id, sequence, made)
        return made

    async def checked(self, document_id: str, update: bytes, reader: Reader) -> Rejection | None:
        state = await reader.read(StateOf(document_id))
        return await _aside(_size(state) + len(update), lambda: _checked(state, update))

    async def edited(self, document_id: str, wanted: Edit, reader: Reader) -> bytes | Rejection:
        state = await reader.read(StateOf(document_id))
        return await _aside(_size(state) + size(wanted), lambda: _edited(state, wanted))

    def first_update(self, kind: str) -> bytes | None:
        return from_tree(CHART, FIRST_CLIENT) if kind == "viz_workbook" else None

    def _keep(self, document_id: str, sequence: int, made: Projected) -> None:
        self._drop(document_id)
        if made.size > self._most // 4:
            return
        self._kept[document_id] = (sequence, made)
        self._held += made.size
        while self._held > self._most:
            self._drop(next(iter(self._kept)))

    def _drop(self, document_id: str) -> None:
        dropped = self._kept.pop(document_id, None)
        if dropped:
            self._held -= dropped[1].size
