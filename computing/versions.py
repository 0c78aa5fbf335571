"""Reads documents and their versions, says who wrote what in them, and restores versions, from stored states and logs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any, Final

import msgspec
from pycrdt import Doc

from computing.edits import TOO_LARGE
from computing.loaded_document import load_document, load_log, updates_of
from documents.editing.apply_tree import Damaged
from documents.editing.edit import restore_content
from documents.history.attribution import AttributedText, CreditedRange, Logged, attributions, credited_ranges
from documents.history.copied_text import decode_copied, encode_copied
from documents.history.credits import Credits, Source
from documents.history.restored_text import restored_letters
from documents.projection.projection import Projection, project
from documents.tree.tree import tree
from documents.yjs.scan import IMPORT, Refused, accepted
from documents.yjs.snapshot import encode_deleted, encode_state
from domain.document import Computed, DocumentLog, DocumentState
from domain.errors import Code, Rejection

PART: Final = 1_000  # texts that are decoded at once
# What a stretch weighs in memory, with its source, and each step of its path; measured.
SPAN_BYTES: Final = 400
_PARTS: Final = msgspec.msgpack.Decoder(list[AttributedText])


@dataclass(frozen=True, slots=True)
class EncodedTexts:
    """Attributed texts in parts, none of which holds the loop up."""

    parts: tuple[bytes, ...]

    @staticmethod
    def decode(part: bytes) -> list[AttributedText]:
        return _PARTS.decode(part)


@dataclass(frozen=True, slots=True)
class CreditedRanges:
    """Letters by Yjs ids: JSON lists, of the last numbers of which each is a place in `sources`, or `movers`."""

    encoded: bytes
    sources: tuple[Source, ...]
    moved: bytes
    movers: tuple[Source, ...]

    @property
    def size(self) -> int:
        return len(self.encoded) + len(self.moved) + SPAN_BYTES * (1 + len(self.sources) + len(self.movers))

    @staticmethod
    def of(found: Iterable[CreditedRange]) -> "CreditedRanges":
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
        return CreditedRanges(encode(ranges), tuple(writers), encode(moved), tuple(movers))


def read_document(state: DocumentState) -> Projection:
    return project(load_document(state))


def try_reading(stored: DocumentLog) -> bool:
    """Load and read a document, and leave it: what cannot be read ends the process."""
    project(load_log(stored).doc)
    return True


def sizes_at(state: DocumentState, ends: Sequence[int]) -> tuple[int, ...]:
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


def compute_restore(state: DocumentState, earlier: DocumentState, ends: Sequence[int]) -> Computed | Rejection:
    doc, version = load_document(state), load_document(earlier)
    before = len(encode_state(doc))
    made = restore_content(doc, tree(version))
    if isinstance(made, Damaged):
        raise RuntimeError(f"a restore went wrong: {made.reason}")  # noqa: TRY004  it is of the right type
    if isinstance(made, Refused):
        return Rejection(Code.BAD_REQUEST, made.reason)
    if not made.update:
        return Computed(b"", state.sequence, before, before=before)
    size = len(encode_state(doc))
    if size > IMPORT.size:
        return TOO_LARGE
    # what ended before a snapshot that was made since `ends` were read is in no update
    known = [end for end in ends if state.sequence - len(state.updates) < end <= state.sequence]
    sizes = dict(zip(known, sizes_at(state, known), strict=True))
    copied = restored_letters((version, updates_of(earlier)), (doc, (*updates_of(state), made.update)), made.update)
    return Computed(
        made.update,
        state.sequence,
        size,
        copied=encode_copied(copied),
        deleted=encode_deleted(doc),
        deletes_nodes=made.deletes_nodes,
        before=before,
        sizes=sizes,
    )


def logged(log: DocumentLog) -> list[Logged]:
    return [
        Logged(each.update, Source.of(each.user_id, each.agent, each.at), decode_copied(each.copied))
        for each in log.log
    ]


def attribute(log: DocumentLog) -> EncodedTexts:
    found = accepted(attributions(log.snapshot, Credits.decode(log.credits), logged(log)))
    return EncodedTexts(tuple([msgspec.msgpack.encode(part) for part in batched(found, PART)]))


def credit(log: DocumentLog) -> CreditedRanges:
    return CreditedRanges.of(accepted(credited_ranges(log.snapshot, Credits.decode(log.credits), logged(log))))
