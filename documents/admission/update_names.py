"""Finds the names in an update (of roots, elements, marks and attributes) and replaces them in place."""

from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from documents.yjs.item_list import XML_ELEMENT
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import CONTENT, GC, SKIP, TYPE, Id
from documents.yjs.structs import FORMAT, encoded_text


class NameKind(Enum):
    ROOT = auto()
    ELEMENT = auto()
    MARK = auto()
    ATTRIBUTE = auto()


class Name(NamedTuple):
    """A name and its place in an update; `of` is the element itself, or the item that has the attribute."""

    kind: NameKind
    value: str
    start: int
    stop: int
    of: Id | None = None


def names(update: bytes) -> Iterator[Name]:
    """Yield the names of an update that was scanned, in their order.

    Only what lies beside nothing names its root or its attribute: the rest has those of its neighbour.
    """
    decoder = Decoder(update)
    for _ in range(decoder.uint()):
        structs, client, clock = decoder.uint(), decoder.uint(), decoder.uint()
        for _ in range(structs):
            info = decoder.byte()
            if info in (GC, SKIP):
                clock += decoder.uint()
                continue
            if info & 0xC0:
                for _ in range(2 * (info & 0xC0).bit_count()):
                    decoder.uint()
            else:
                yield from _of_parent(decoder, has_key=bool(info & 0x20))
            start = decoder.at
            length = CONTENT[info & 0x1F](decoder)
            yield from _of_content(Decoder(update, start), info & 0x1F, (client, clock))
            clock += length


def _of_parent(decoder: Decoder, *, has_key: bool) -> Iterator[Name]:
    item: Id | None = None
    if decoder.uint():
        yield _name(decoder, NameKind.ROOT)
    else:
        item = decoder.uint(), decoder.uint()
    if has_key:
        yield _name(decoder, NameKind.ATTRIBUTE, item)


def _of_content(decoder: Decoder, kind: int, item: Id) -> Iterator[Name]:
    if kind == FORMAT:
        yield _name(decoder, NameKind.MARK)
    elif kind == TYPE and decoder.uint() == XML_ELEMENT:
        yield _name(decoder, NameKind.ELEMENT, item)


def _name(decoder: Decoder, kind: NameKind, item: Id | None = None) -> Name:
    start = decoder.at
    return Name(kind, decoder.text(), start, decoder.at, item)


def renamed(update: bytes, changes: Iterable[tuple[Name, str]]) -> bytes:
    """Return an update with other values for some of its names, which come in their order."""
    pieces, done = [], 0
    for name, value in changes:
        pieces += [update[done : name.start], encoded_text(value)]
        done = name.stop
    return b"".join([*pieces, update[done:]])
