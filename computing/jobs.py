"""Table of the jobs: what each computes of its inputs, and what it may take.

Inputs and results pass between processes as msgpack, typed by the job's annotations: a process that was taken over by what it
read can answer with nothing but such a value.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from types import GenericAlias, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from computing.changes import list_changes, undo_document
from computing.checks import compare_update, knows_deletions, read_pairs, scan_update
from computing.duplicates import duplicate_document
from computing.edits import edit_document, outline_document, read_document_part, write_document
from computing.image_addresses import point_to_copies
from computing.import_check import check_import, check_import_again
from computing.loaded_document import encodes_itself
from computing.markdown import read_markdown, write_markdown
from computing.pages import write_chart, write_page
from computing.search import find_unseen, read_search_text
from computing.trial import try_update
from computing.versions import attribute, compute_restore, credit, read_document, sizes_at, try_reading
from documents.admission.surrogate_pairs import mended
from documents.history.compaction import compact
from domain.document import EncodedImage
from domain.errors import Rejection

GIB: Final = 1 << 30
_FAILED: Final = 255


@dataclass(frozen=True, slots=True)
class Lane:
    """Jobs that take turns with one another and never wait for those of another lane.

    `slots` run at a time; who waits longer than `patience` seconds is refused. A job that takes long leaves its slot to the next one:
    up to `beside` such jobs go on beside the slots, so that a few users cannot have all others refused.
    """

    name: str
    slots: int
    patience: float | None = None
    beside: int = 0


LARGE: Final = Lane("large", max(1, len(os.sched_getaffinity(0)) - 1), patience=10.0, beside=3)
SMALL: Final = Lane("small", 2, patience=10.0, beside=3)
SMALL_INPUTS: Final = 64 * 1024  # bytes
COMPACTIONS: Final = Lane("compactions", 1)
INDEX: Final = Lane("index", 1)
IMAGES: Final = Lane("images", 1)


@dataclass(frozen=True, slots=True)
class Job[**P, Result]:
    """A computation of the values that it is given, and of nothing else.

    It is done at once where its inputs are smaller than `inline` bytes, else in a process that may take `cpu_seconds`,
    `seconds` by the clock and `memory` in bytes. A crash of one whose bytes all are stored (`is_of_stored`) is the document's.
    Without a `lane` of its own, a job is in that of the small or of the large ones, by its inputs.
    """

    act: Callable[P, Result]
    lane: Lane | None = None
    cpu_seconds: int = 60
    seconds: float = 120.0
    memory: int = 2 * GIB
    inline: int = 0
    is_of_stored: bool = False

    @property
    def name(self) -> str:
        return self.act.__name__

    def lane_of(self, size: int) -> Lane:
        return self.lane or (SMALL if size < SMALL_INPUTS else LARGE)


class Failed(Exception):  # noqa: N818 - the fault is in its text
    """A job raised what is a fault of ours; the text is its traceback."""


def reencode_image(content: bytes, kind: str) -> EncodedImage | Rejection:
    from computing.image import encoded  # noqa: PLC0415 - only a process that decodes an image loads the decoders

    return encoded(content, kind)


AT_ONCE: Final = 2 * 1024  # bytes: a reader's bounds leave a text that is so short about a tenth of a second at worst
READ: Final = Job(read_document, inline=32 * 1024, is_of_stored=True)
EDIT: Final = Job(edit_document, inline=AT_ONCE)
WRITE_DOCUMENT: Final = Job(write_document, inline=AT_ONCE)
READ_MARKDOWN: Final = Job(read_markdown, inline=AT_ONCE)
WRITE_MARKDOWN: Final = Job(write_markdown, inline=AT_ONCE)
OUTLINE: Final = Job(outline_document, inline=32 * 1024, is_of_stored=True)
READ_PART: Final = Job(read_document_part, inline=32 * 1024, is_of_stored=True)
POINT_TO_COPIES: Final = Job(point_to_copies, INDEX, inline=AT_ONCE, is_of_stored=True)
DUPLICATE: Final = Job(duplicate_document, inline=AT_ONCE, is_of_stored=True)
UNDO: Final = Job(undo_document, inline=AT_ONCE, is_of_stored=True)
RESTORE: Final = Job(compute_restore, inline=AT_ONCE, is_of_stored=True)
LIST_CHANGES: Final = Job(list_changes, inline=AT_ONCE, is_of_stored=True)
ATTRIBUTE: Final = Job(attribute, inline=AT_ONCE, is_of_stored=True)
CREDIT: Final = Job(credit, inline=AT_ONCE, is_of_stored=True)
MEASURE: Final = Job(sizes_at, inline=32 * 1024, is_of_stored=True)
CHECK_IMPORT: Final = Job(check_import, inline=AT_ONCE)
CHECK_IMPORT_AGAIN: Final = Job(check_import_again, inline=AT_ONCE)
TRY_READING: Final = Job(try_reading, is_of_stored=True)
CHECK_ENCODING: Final = Job(encodes_itself)
TRY_UPDATE: Final = Job(try_update, cpu_seconds=20, seconds=60.0)
COMPACT: Final = Job(compact, COMPACTIONS, cpu_seconds=120, seconds=360.0, is_of_stored=True)
REENCODE_IMAGE: Final = Job(reencode_image, IMAGES, cpu_seconds=20, seconds=60.0, memory=GIB)

SCAN_UPDATE: Final = Job(scan_update)
COMPARE_UPDATE: Final = Job(compare_update)
READ_PAIRS: Final = Job(read_pairs)
KNOWS_DELETIONS: Final = Job(knows_deletions)
WRITE_PAGE: Final = Job(write_page, inline=64 * 1024)
WRITE_CHART: Final = Job(write_chart, inline=64 * 1024)
READ_SEARCH_TEXT: Final = Job(read_search_text, INDEX, inline=AT_ONCE, is_of_stored=True)
FIND_UNSEEN: Final = Job(find_unseen, INDEX, inline=AT_ONCE, is_of_stored=True)
MEND_PAIRS: Final = Job(mended, INDEX)

_ROWS: Final[tuple[Job[..., Any], ...]] = (
    *(WRITE_DOCUMENT, READ_MARKDOWN, WRITE_MARKDOWN, OUTLINE, READ_PART, POINT_TO_COPIES, DUPLICATE),
    *(READ, EDIT, UNDO, RESTORE, LIST_CHANGES, ATTRIBUTE, CREDIT, MEASURE),
    *(CHECK_IMPORT, CHECK_IMPORT_AGAIN, TRY_READING, CHECK_ENCODING, TRY_UPDATE, COMPACT, REENCODE_IMAGE),
    *(SCAN_UPDATE, COMPARE_UPDATE, READ_PAIRS, KNOWS_DELETIONS),
    *(WRITE_PAGE, WRITE_CHART, READ_SEARCH_TEXT, FIND_UNSEEN, MEND_PAIRS),
)
JOBS: Final[Mapping[str, Job[..., Any]]] = {job.name: job for job in _ROWS}


@dataclass(frozen=True, slots=True)
class _Form:
    """How the inputs and the results of a job are written: `results` are the types of which a result is one."""

    inputs: msgspec.msgpack.Decoder[tuple[Any, ...]]
    results: tuple[tuple[type, msgspec.msgpack.Decoder[Any]], ...]


def _form(job: Job[..., Any]) -> _Form:
    types = get_type_hints(job.act)
    inputs = GenericAlias(tuple, tuple([types[name] for name in signature(job.act).parameters]))
    returned = types["return"]
    results = get_args(returned) if get_origin(returned) in {Union, UnionType} else (returned,)
    return _Form(
        msgspec.msgpack.Decoder(inputs),
        tuple([(get_origin(each) or each, msgspec.msgpack.Decoder(each)) for each in results]),
    )


_FORMS: Final = {name: _form(job) for name, job in JOBS.items()}


def encode(inputs: tuple[Any, ...]) -> bytes:
    return msgspec.msgpack.encode(inputs)


def answer(job: Job[..., Any], given: bytes | bytearray) -> bytes:
    """Return the result of a job, encoded: its place among the types of results, and itself."""
    form = _FORMS[job.name]
    result = job.act(*form.inputs.decode(given))
    place = next(place for place, (each, _) in enumerate(form.results) if isinstance(result, each))
    return bytes([place]) + msgspec.msgpack.encode(result)


def failed(text: str) -> bytes:
    return bytes([_FAILED]) + text.encode()


def decode(job: Job[..., Any], answered: bytes | memoryview) -> Any:
    """Return the result of a job; raises Failed where the job did, ValueError where it is none."""
    if not answered:
        raise ValueError("an empty answer")
    if answered[0] == _FAILED:
        raise Failed(bytes(answered[1:]).decode(errors="replace"))
    results = _FORMS[job.name].results
    if answered[0] >= len(results):
        raise ValueError("an answer of no type of the job's")
    return results[answered[0]][1].decode(memoryview(answered)[1:])
