"""Compares the clocks of an update that a document has already with those of the document.

A Yjs client writes each of its clocks once. An update that repeats known clocks adds nothing where the content is the
same, however the two sides cut it into runs, and also where it was deleted meanwhile: what it was is not kept then. An
update with other content is a forgery, or comes from a client that lost what it had sent and began again from
there; to acknowledge it would be to lose its text.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import isnan
from struct import unpack
from typing import Any, Final, NamedTuple

from pycrdt import Doc

from documents.tree.encoding import encodes
from documents.yjs.lib0 import Decoder, uint
from documents.yjs.scan import DELETED, GC, SKIP, TEXT, TYPE, Id, Scanned
from documents.yjs.structs import ANYS, EMBED, FORMAT, JSONS, LISTS, Struct, read_struct

MAX_APART: Final = 8  # clients of whom a document is encoded one by one
_ERASED: Final = (GC, DELETED, SKIP)
_REPLACED: Final = "\ufffd"  # both halves of a surrogate pair that was cut become this


def _vector(state: Mapping[int, int]) -> bytes:
    """Return a state vector as it is encoded."""
    return uint(len(state)) + b"".join([uint(client) + uint(clock) for client, clock in state.items()])


@dataclass(frozen=True, slots=True)
class Repeated:
    """A document's own encoding of the clocks that an update repeats, up to `stops` of each client."""

    stops: dict[int, int]
    stored: tuple[bytes, ...]


def repeated(
    doc: Doc[Any], state: Mapping[int, int], scanned: Scanned, compared: Mapping[int, int] | None = None
) -> Repeated | None:
    """Return what a document with this state vector has of an update, but for clocks that were `compared`; None of nothing."""
    begins = {client: max(scanned.begins[client], (compared or {}).get(client, 0)) for client in scanned.known(state)}
    stops = {client: min(scanned.ends[client], state[client]) for client in begins}
    begins = {client: begin for client, begin in begins.items() if begin < stops[client]}
    if not begins:
        return None
    # Of one client alone what follows need not be read, but each encoding goes through the whole document.
    apart = [{client: begin} for client, begin in begins.items()] if len(begins) <= MAX_APART else [begins]
    stored = tuple([doc.get_update(_vector({**state, **each})) for each in apart])
    return Repeated({client: stops[client] for client in begins}, stored)


def contradicts_document(
    doc: Doc[Any],
    state: Mapping[int, int],
    update: bytes,
    scanned: Scanned,
    compared: Mapping[int, int] | None = None,
) -> bool:
    """Whether an update contradicts the document, which has this state vector, about clocks that both know."""
    overlap = repeated(doc, state, scanned, compared)
    return overlap is not None and contradicts(update, overlap) and encodes(doc)


def contradicts(update: bytes, overlap: Repeated) -> bool:
    """Whether an update that was scanned contradicts a document; linear in what is compared, a struct of each at a time.

    Where the document does not `encodes`, nothing follows: its content is not known then.
    """
    theirs, ours = _Sections((update,)), _Sections(overlap.stored)
    return any(
        _differ(client, theirs.upto(client, stop), ours.upto(client, stop)) for client, stop in overlap.stops.items()
    )


class _Section(NamedTuple):
    """Where the structs of a client begin in an update, how many they are, and the clock of the first one."""

    at: int
    structs: int
    clock: int


class _Sections:
    """The structs of clients in some updates. To find those of one client is to read those before them, once."""

    def __init__(self, updates: Iterable[bytes]) -> None:
        self._found: dict[int, tuple[bytes, _Section]] = {}
        self._unfound = chain.from_iterable(map(_sections, updates))

    def upto(self, client: int, stop: int) -> Iterator[Struct]:
        """Yield the structs of a client up to a clock, or a little further."""
        while client not in self._found:
            found = next(self._unfound, None)
            if found is None:
                return
            self._found[found[0]] = found[1:]
        update, (at, structs, clock) = self._found[client]
        decoder = Decoder(update, at)
        for _ in range(structs):
            if clock >= stop:
                return
            struct = read_struct(decoder, clock)
            clock += struct.length
            yield struct


def _sections(update: bytes) -> Iterator[tuple[int, bytes, _Section]]:
    decoder = Decoder(update)
    for left in reversed(range(decoder.uint())):
        structs, client, clock = decoder.uint(), decoder.uint(), decoder.uint()
        yield client, update, _Section(decoder.at, structs, clock)
        for _ in range(structs if left else 0):
            read_struct(decoder, clock)


def _differ(client: int, one: Iterator[Struct], other: Iterator[Struct]) -> bool:
    mine, yours = _Contents(), _Contents()
    return any(
        _placed_otherwise(client, *pair) or _says_otherwise(mine, yours, *pair)
        for pair in _pairs(one, other)
        if pair[0].kind not in _ERASED and pair[1].kind not in _ERASED
    )


def _pairs(one: Iterator[Struct], other: Iterator[Struct]) -> Iterator[tuple[Struct, Struct, int, int]]:
    """Yield what overlaps: a run of each, and from which clock to which."""
    mine, yours = next(one, None), next(other, None)
    while mine and yours:
        ends = mine.clock + mine.length, yours.clock + yours.length
        start, stop = max(mine.clock, yours.clock), min(ends)
        if start < stop:
            yield mine, yours, start, stop
        goes_on = ends[0] == stop or ends[0] <= yours.clock, ends[1] == stop or ends[1] <= mine.clock
        mine = next(one, None) if goes_on[0] else mine
        yours = next(other, None) if goes_on[1] else yours


def _placed_otherwise(client: int, one: Struct, other: Struct, start: int, _stop: int) -> bool:
    if one.kind != other.kind or not _near(one.right, other.right):
        return True
    if not _near(_origin(client, one, start), _origin(client, other, start)):
        return True
    return start == one.clock == other.clock and one.parent != other.parent


def _says_otherwise(mine: "_Contents", yours: "_Contents", one: Struct, other: Struct, start: int, stop: int) -> bool:
    ours, theirs = mine.of(one, start, stop), yours.of(other, start, stop)
    if ours == theirs:
        return False
    if one.kind == TEXT and isinstance(ours, bytes) and isinstance(theirs, bytes):
        return not (_is_cut(ours) or _is_cut(theirs))
    return True


def _near(one: Id | None, other: Id | None) -> bool:
    """Whether two neighbours are the same: after a surrogate pair that was cut the library reports the unit before."""
    if one is None or other is None:
        return one is other
    return one[0] == other[0] and abs(one[1] - other[1]) <= 1


def _origin(client: int, run: Struct, clock: int) -> Id | None:
    return run.origin if clock == run.clock else (client, clock - 1)


class _Contents:
    """The contents of runs, one after the other; each is decoded once, however many others it is compared with."""

    def __init__(self) -> None:
        self._run: Struct | None = None
        self._content: Any = None

    def of(self, run: Struct, start: int, stop: int) -> object:
        if self._run is not run:
            decode = _CONTENTS.get(run.kind)
            self._run = run
            self._content = decode(run) if decode else run.data[run.start : run.stop]
        if run.kind == TEXT:
            return self._content[2 * (start - run.clock) : 2 * (stop - run.clock)]
        return self._content[start - run.clock : stop - run.clock] if run.kind in LISTS else self._content


def _text(run: Struct) -> bytes:
    return Decoder(run.data, run.start).text().encode("utf-16-le")


def _anys(run: Struct) -> list[object]:
    decoder = Decoder(run.data, run.start)
    return [_any(decoder) for _ in range(decoder.uint())]


def _json_texts(run: Struct) -> list[object]:
    decoder = Decoder(run.data, run.start)
    return [decoder.bytes() for _ in range(decoder.uint())]


def _embed(run: Struct) -> object:
    return _json(Decoder(run.data, run.start).text())


def _format(run: Struct) -> object:
    decoder = Decoder(run.data, run.start)
    return decoder.text(), _json(decoder.text())


def _type(run: Struct) -> object:
    decoder = Decoder(run.data, run.start)
    number = decoder.uint()
    return number, decoder.text() if decoder.at < run.stop else None


_CONTENTS: Final[Mapping[int, Callable[[Struct], object]]] = {
    JSONS: _json_texts,
    TEXT: _text,
    EMBED: _embed,
    FORMAT: _format,
    TYPE: _type,
    ANYS: _anys,
}


def _is_cut(text: bytes) -> bool:
    """Whether a text holds half of a pair, or what an encoder replaces that by."""
    try:
        return _REPLACED in text.decode("utf-16-le")
    except UnicodeDecodeError:
        return True


def _json(text: str) -> object:
    """Return the value of a JSON text, since two encoders may spell it differently; other texts are compared as they are."""
    try:
        return _plain(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _plain(value: Any) -> object:
    """Return a value that equals another one where both mean the same: numbers have one type, and are no booleans."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, (int, float)):
        number = float(value) if abs(value) < 1e300 else value
        return "NaN" if isinstance(number, float) and isnan(number) else number
    return value


def _any(decoder: Decoder) -> object:
    """Return one lib0 `Any`, so that it equals another that means the same; the scan has bounded how deep it goes."""
    tag = decoder.byte()
    if tag == 118:
        return {decoder.text(): _any(decoder) for _ in range(decoder.uint())}
    if tag == 117:
        return [_any(decoder) for _ in range(decoder.uint())]
    return _SCALARS[tag](decoder)


def _integer(decoder: Decoder) -> object:
    first = part = decoder.byte()
    value, shift = first & 63, 6
    while part & 128:
        part = decoder.byte()
        value |= (part & 127) << shift
        shift += 7
    return _plain(-value if first & 64 else value)


def _fixed(form: str, size: int) -> Callable[[Decoder], object]:
    def read(decoder: Decoder) -> object:
        start = decoder.at
        decoder.skip(size)
        return _plain(unpack(form, decoder.data[start : decoder.at])[0])

    return read


_SCALARS: Final[Mapping[int, Callable[[Decoder], object]]] = {
    127: lambda _: ("undefined",),
    126: lambda _: None,
    125: _integer,
    124: _fixed(">f", 4),
    123: _fixed(">d", 8),
    122: _fixed(">q", 8),
    121: lambda _: ("boolean", False),
    120: lambda _: ("boolean", True),
    119: Decoder.text,
    116: Decoder.bytes,
}
