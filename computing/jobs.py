"""Table of the jobs: what each computes of its inputs, and what it may take.

Inputs and results pass between processes as msgpack, typed by the job's annotations: a process that was taken over by what it
read can answer with nothing but such a value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from types import GenericAlias, UnionType
from typing import Any, Final, get_args, get_type_hints

import msgspec

from computing.image_addresses import point_to_copies
from computing.import_check import check_import, check_import_again
from computing.trial import try_update
from documents.compaction import compact
from domain.document import EncodedImage
from domain.errors import Rejection

GIB: Final = 1 << 30
_FAILED: Final = 255


@dataclass(frozen=True, slots=True)
class Lane:
    """Jobs that take turns with one another and never wait for those of another lane.

    `slots` run at a time; who waits longer than `patience` seconds is refused.
    """

    name: str
    slots: int
    patience: float | None = None


COMPACTIONS: Final = Lane("compactions", 1)
IMAGES: Final = Lane("images", 1)
IMPORTS: Final = Lane("imports", 2, patience=10.0)
TRIALS: Final = Lane("trials", 1, patience=10.0)
SMALL: Final = 2 * 1024  # what is done at once, in bytes of the inputs


@dataclass(frozen=True, slots=True)
class Job[**P, Result]:
    """A computation of the values that it is given, and of nothing else.

    It is done at once where its inputs are smaller than `inline` bytes, else in a process that may take `cpu_seconds`,
    `seconds` by the clock and `memory` in bytes. A crash of one whose bytes all are stored (`is_of_stored`) is the document's.
    """

    act: Callable[P, Result]
    lane: Lane
    cpu_seconds: int
    seconds: float
    memory: int = 2 * GIB
    inline: int = 0
    is_of_stored: bool = False

    @property
    def name(self) -> str:
        return self.act.__name__


class Failed(Exception):  # noqa: N818 - the fault is in its text
    """A job raised what is a fault of ours; the text is its traceback."""


def reencode_image(content: bytes, kind: str) -> EncodedImage | Rejection:
    from computing.image import encoded  # noqa: PLC0415 - only a process that decodes an image loads the decoders

    return encoded(content, kind)


COMPACT: Final = Job(compact, COMPACTIONS, cpu_seconds=120, seconds=360.0, is_of_stored=True)
TRY_UPDATE: Final = Job(try_update, TRIALS, cpu_seconds=20, seconds=60.0)
CHECK_IMPORT: Final = Job(check_import, IMPORTS, cpu_seconds=60, seconds=120.0, inline=SMALL)
CHECK_IMPORT_AGAIN: Final = Job(check_import_again, IMPORTS, cpu_seconds=60, seconds=120.0, inline=SMALL)
POINT_TO_COPIES: Final = Job(point_to_copies, IMPORTS, cpu_seconds=60, seconds=120.0, inline=SMALL, is_of_stored=True)
REENCODE_IMAGE: Final = Job(reencode_image, IMAGES, cpu_seconds=20, seconds=60.0, memory=GIB)
JOBS: Final[Mapping[str, Job[..., Any]]] = {
    job.name: job for job in (COMPACT, TRY_UPDATE, CHECK_IMPORT, CHECK_IMPORT_AGAIN, POINT_TO_COPIES, REENCODE_IMAGE)
}


@dataclass(frozen=True, slots=True)
class _Form:
    """How the inputs and the results of a job are written: `results` are the types of which a result is one."""

    inputs: msgspec.msgpack.Decoder[tuple[Any, ...]]
    results: tuple[tuple[type, msgspec.msgpack.Decoder[Any]], ...]


def _form(job: Job[..., Any]) -> _Form:
    types = get_type_hints(job.act)
    inputs = GenericAlias(tuple, tuple([types[name] for name in signature(job.act).parameters]))
    results = get_args(types["return"]) if isinstance(types["return"], UnionType) else (types["return"],)
    return _Form(msgspec.msgpack.Decoder(inputs), tuple([(each, msgspec.msgpack.Decoder(each)) for each in results]))


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
