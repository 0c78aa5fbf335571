"""Reads the structs of Yjs updates one by one, and writes new ones. The updates were scanned before."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from documents.yjs.lib0 import Decoder, uint
from documents.yjs.scan import CONTENT, DELETED, GC, MAX_CLOCK, SKIP, TEXT, TYPE, DeletedRun, Id

JSONS: Final = 2
EMBED: Final = 5
FORMAT: Final = 6
ANYS: Final = 8
VISIBLE: Final = (TEXT, TYPE, EMBED)
"""The kinds of what a reader sees: all but formats and attributes."""
IN_LISTS: Final = (TEXT, TYPE, EMBED, FORMAT, DELETED, GC, SKIP)
"""The kinds of what stands in the text or among the children of a node; editors set all others under keys."""
# What a struct of a list holds under its clocks: as many values as clocks.
LISTS: Final = (JSONS, ANYS)


class Struct(NamedTuple):
    """One struct: what is written under `length` clocks from `clock` on; its content stands at these places."""

    clock: int
    length: int
    kind: int
    origin: Id | None
    right: Id | None
    parent: tuple[object, ...]  # known where the struct has neither an origin nor a right one
    data: bytes
    start: int
    stop: int


def read_struct(decoder: Decoder, clock: int) -> Struct:
    info = decoder.byte()
    if info in (GC, SKIP):
        return Struct(clock, decoder.uint(), info, None, None, (), b"", 0, 0)
    origin = (decoder.uint(), decoder.uint()) if info & 0x80 else None
    right = (decoder.uint(), decoder.uint()) if info & 0x40 else None
    parent: tuple[object, ...] = ()
    if not info & 0xC0:
        parent = (decoder.text(),) if decoder.uint() else (decoder.uint(), decoder.uint())
        parent = (*parent, decoder.text() if info & 0x20 else None)
    kind, start = info & 0x1F, decoder.at
    length = _jsons(decoder) if kind == JSONS else CONTENT[kind](decoder)
    return Struct(clock, length, kind, origin, right, parent, decoder.data, start, decoder.at)


def _jsons(decoder: Decoder) -> int:
    """Pass over what documents may still hold, though no update may bring it any more."""
    count = decoder.uint()
    for _ in range(count):
        decoder.bytes()
    return count


class Update(NamedTuple):
    """The structs of an update, of each client in the order of clocks, and what it deletes."""

    runs: dict[int, list[Struct]]
    deleted: list[DeletedRun]


def read_update(update: bytes) -> Update:
    decoder = Decoder(update)
    runs: dict[int, list[Struct]] = {}
    for _ in range(decoder.uint()):
        count, client, clock = decoder.uint(), decoder.uint(), decoder.uint()
        found = runs.setdefault(client, [])
        for _ in range(count):
            struct = read_struct(decoder, clock)
            clock += struct.length
            found.append(struct)
    return Update(runs, read_deletions(decoder))


def read_deletions(decoder: Decoder) -> list[DeletedRun]:
    return [
        DeletedRun(client, decoder.uint(), decoder.uint())
        for _ in range(decoder.uint())
        for client in (decoder.uint(),)
        for _ in range(decoder.uint())
    ]


class New(NamedTuple):
    """A struct to be written: between two items, or as the first one in a `parent`, under a `key` if it is an attribute.

    `content` is encoded as in an update; `length` is how many clocks it takes.
    """

    kind: int
    content: bytes
    length: int
    origin: Id | None = None
    right: Id | None = None
    parent: Id | str | None = None
    key: str | None = None


def write_update(client: int, structs: Sequence[New], deleted: Iterable[DeletedRun], clock: int = 0) -> bytes:
    """Return an update in which a client writes these structs from `clock` on; empty where it says nothing."""
    ranges = deleted_ranges(deleted)
    if not structs and not ranges:
        return b""
    head = uint(1) + uint(len(structs)) + uint(client) + uint(clock) if structs else uint(0)
    runs = [
        uint(of) + uint(len(found)) + b"".join([uint(start) + uint(stop - start) for start, stop in found])
        for of, found in ranges.items()
    ]
    return b"".join([head, *map(_struct, structs), uint(len(runs)), *runs])


def _struct(new: New) -> bytes:
    info = new.kind | (0x80 if new.origin else 0) | (0x40 if new.right else 0)
    if new.origin or new.right:
        return bytes([info]) + _id(new.origin) + _id(new.right) + new.content
    parent = uint(1) + encoded_text(new.parent) if isinstance(new.parent, str) else uint(0) + _id(new.parent)
    key = b"" if new.key is None else encoded_text(new.key)
    return bytes([info | (0 if new.key is None else 0x20)]) + parent + key + new.content


def _id(name: Id | None) -> bytes:
    return b"" if name is None else uint(name[0]) + uint(name[1])


def encoded_text(value: str) -> bytes:
    raw = value.encode()
    return uint(len(raw)) + raw


def deleted_ranges(deleted: Iterable[DeletedRun]) -> dict[int, list[tuple[int, int]]]:
    """Return what is deleted of each client, in order, neighbours as one."""
    found: dict[int, list[tuple[int, int]]] = {}
    for client, clock, length in sorted(deleted):
        ranges = found.setdefault(client, [])
        if ranges and ranges[-1][1] >= clock:
            ranges[-1] = ranges[-1][0], max(ranges[-1][1], clock + length)
        else:
            ranges.append((clock, clock + length))
    return found


def builds_on_deleted(later: Iterable[bytes], update: bytes, before: Iterable[DeletedRun] = ()) -> bool:
    """Whether later updates write beside or into something that `update`, which was computed without them, deletes.

    If so, what they write may go with it, and the update has to be computed again. `before` is what was deleted before:
    what is written beside that may lie in a node that only the update deletes, since an item does not name its node where
    it names what it stands beside.
    """
    if not update:
        return False
    ranges = deleted_ranges([*before, *read_update(update).deleted])
    return any(
        _is_within(name, ranges)
        for each in later
        for runs in read_update(each).runs.values()
        for struct in runs
        for name in names_of(struct)
    )


def named_by(update: bytes) -> Iterator[DeletedRun]:
    """Yield what an update deletes by itself: what it names, and the values in the place of which it sets others."""
    read = read_update(update)
    yield from read.deleted
    for structs in read.runs.values():
        for struct in structs:
            if struct.origin and struct.kind not in IN_LISTS:
                yield DeletedRun(*struct.origin, 1)


def overlap(one: Iterable[DeletedRun], other: Iterable[DeletedRun]) -> bool:
    """Whether something is deleted by both."""
    ranges = deleted_ranges(other)
    return any(_overlaps(run, ranges) for run in one)


def may_lie_in_deleted(update: bytes, deleted: Iterable[DeletedRun]) -> bool:
    """Whether content that an update writes may lie in a deleted node: all that it stands beside and lies in is deleted.

    With a node, all is deleted that is in it. So what stands beside anything that is not deleted is in no deleted node.
    """
    ranges = deleted_ranges(deleted)
    for client, structs in read_update(update).runs.items():
        lost: list[
            tuple[int, int]
        ] = []  # among the structs themselves: what they write last names what they wrote first
        for struct in structs:
            names = list(names_of(struct))
            if names and all(_is_within(name, ranges) or _is_within(name, {client: lost}) for name in names):
                lost.append((struct.clock, struct.clock + struct.length))
                if struct.kind in VISIBLE:
                    return True
    return False


def begin_together(updates: Iterable[Update], update: Update) -> bool:
    """Whether an item of some `updates` is written behind the same item as one of `update`, or before the same as the first of a list.

    Which of the two stands first is decided by their clients, so that either may part the other from what it was written beside.
    """
    places = {_beginning(struct) for struct in _structs(update)}
    return any(_beginning(struct) in places for each in updates for struct in _structs(each))


def _structs(update: Update) -> Iterator[Struct]:
    for structs in update.runs.values():
        yield from structs


def _beginning(struct: Struct) -> tuple[Id | None, Id | None]:
    return (struct.origin, None) if struct.origin else (None, struct.right)


def names_of(struct: Struct) -> Iterator[Id]:
    """Yield what an item stands beside and lies in, as far as it says so."""
    yield from (name for name in (struct.origin, struct.right) if name)
    match struct.parent:
        case (int(client), int(clock), _):
            yield client, clock


def covers(ranges: dict[int, list[tuple[int, int]]], run: DeletedRun) -> bool:
    """Return whether all of a run lies in ranges that are `joined`."""
    client, clock, length = run
    found = ranges.get(client, [])
    place = bisect_right(found, (clock, MAX_CLOCK)) - 1
    return place >= 0 and clock + length <= found[place][1]


def _is_within(name: Id, ranges: dict[int, list[tuple[int, int]]]) -> bool:
    return _overlaps(DeletedRun(*name, 1), ranges)


def _overlaps(run: DeletedRun, ranges: dict[int, list[tuple[int, int]]]) -> bool:
    client, clock, length = run
    found = ranges.get(client, [])
    place = bisect_right(found, (clock + length - 1, MAX_CLOCK)) - 1
    return place >= 0 and clock < found[place][1]
