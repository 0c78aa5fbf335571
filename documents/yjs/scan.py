"""Scans a Yjs update: whether it is safe for the CRDT library, and what it would change.

The library is native code: an array nested 25,900 deep (52 KB) overflows its stack and kills the process, invalid
UTF-8 is undefined behaviour, lengths wrap at 32 bits and a count of 2^24 is allocated before it is read. So every
update is decoded here first, whole, without recursion and in linear time, against limits. What passes is exactly one
well-formed v1 update and nothing after it. What it refuses beyond plain damage:

- `ContentJSON` (kind 2): yrs reads one string more than its count says, so everything behind it would be read
  otherwise than it was scanned, and Yjs throws at a string that is no JSON. Yjs 13 writes `ContentAny` in its place.
- options of a sub-document that are no object: Yjs throws when it opens the document.
- `XmlHook`, sub-document and weak-link types and moves: the library or Yjs cannot read them back.
- one client listed twice: honest encoders merge, and decoders disagree on which list wins.
- a client without structs, and items of no length: no editor writes them, and the library panics where it knows the
  client.
- structs that wait for each other or for themselves: the library would keep them in its waiting room for ever.
- texts, formats and embeds under a key: editors write none, and the library panics when it joins two of them.
- several values under a key that the update does not delete: Yjs throws when it collects some of them. Deleted ones are honest:
  Yjs joins what it keeps for an undo.
- info bytes that Yjs and yrs read differently (the fifth content bit, flags on GC and Skip).

Erased runs (GC and deleted content) are bounded apart from bytes: whole documents and long offline sessions honestly
carry millions of erased characters in a few bytes, and a run costs no memory however long. All it can do is use up
the clock of the client that wrote it, so the ceiling is generous: 2^24 for one live update, 2^30 for an import.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from documents.yjs.lib0 import OBJECT, Decoder, Hostile, any_value, json

MAX_CLOCK = 2**31 - 1  # yrs counts in 32 bits; half of it leaves room for its own sums
MAX_TREE_DEPTH = 100


@dataclass(frozen=True, slots=True)
class UpdateLimits:
    size: int = 16 * 2**20
    clients: int = 1_000
    structs: int = 100_000
    erased: int = 2**24


# An import carries a whole document: every client that ever edited it and every run it ever erased.
IMPORT = UpdateLimits(clients=100_000, structs=2_000_000, erased=2**30)


@dataclass(frozen=True, slots=True)
class Refused:
    reason: str


def accepted[T](made: T | Refused) -> T:
    """Return what was made of stored updates, which were accepted before; raises RuntimeError where they are refused."""
    if isinstance(made, Refused):
        raise RuntimeError(f"stored updates cannot be read: {made.reason}")  # noqa: TRY004  it is of the right type
    return made


class Scanned(NamedTuple):
    """The result of scanning a well-formed update; the clocks are per Yjs client id.

    `starts`: how far a document must already be for these structs to follow on (holes included).
    `ends`: how far it is once they are in; the keys are the clients that wrote structs here.
    `names`: how far document and update together must reach for every origin, parent and deletion to be known.
    `depth`: how many types made here lie inside each other, so no branch grows by more than this.
    `plain`: it is one keystroke, of a form that the library always takes.
    `begins`: the first clock that each client's structs are about.
    `deletes_at`: the offset of the deletions in the update.
    `scattered`: how many structs the library may have to search a place for among all their siblings. It knows the place
    of the others: each stands next to another one of this update, which nothing else of it stands next to.
    """

    starts: dict[int, int]
    ends: dict[int, int]
    names: dict[int, int]
    structs: int
    deletes: int
    depth: int
    plain: bool
    begins: dict[int, int]
    deletes_at: int
    scattered: int

    def missing(self, state: Mapping[int, int]) -> bool:
        """Whether a document with this state vector lacks something the update builds on."""
        return self.lacking(state) is not None

    def lacking(self, state: Mapping[int, int]) -> tuple[int, int] | None:
        """Return a client and a clock up to which a document with this state vector has to be first, if there is one."""
        for client, clock in self.starts.items():
            if state.get(client, 0) < clock:
                return client, clock
        for client, clock in self.names.items():
            if state.get(client, 0) < clock and self.ends.get(client, 0) < clock:
                return client, clock
        return None

    def known(self, state: Mapping[int, int]) -> list[int]:
        """Return the clients of whom the update repeats what a document with this state vector has."""
        return [client for client, clock in self.begins.items() if clock < state.get(client, 0)]

    def after(self, state: dict[int, int]) -> dict[int, int]:
        """Return the state vector of a document that has this one, once the update is in."""
        return state | {client: end for client, end in self.ends.items() if end > state.get(client, 0)}


def _anys(decoder: Decoder) -> int:
    count = decoder.count(1)
    for _ in range(count):
        any_value(decoder)
    return count


def _binary(decoder: Decoder) -> int:
    decoder.bytes()
    return 1


def _embed(decoder: Decoder) -> int:
    json(decoder)
    return 1


def _format(decoder: Decoder) -> int:
    decoder.text()
    json(decoder)
    return 1


def _subdocument(decoder: Decoder) -> int:
    decoder.text()
    if decoder.data[decoder.at] != OBJECT:
        raise Hostile("the options of a sub-document are no object")
    any_value(decoder)
    return 1


_TYPES = {
    0: False,
    1: False,
    2: False,
    3: True,
    4: False,
    6: False,
}  # Array Map Text XmlElement(name) XmlFragment XmlText


def _type(decoder: Decoder) -> int:
    ref = decoder.uint()
    named = _TYPES.get(ref)
    if named is None:
        raise Hostile(f"`{ref}` is no shared type of a document")
    if named:
        decoder.text()
    return 1


GC, DELETED, TEXT, TYPE, ANYS, SKIP = 0, 1, 4, 7, 8, 10
CONTENT = {
    DELETED: Decoder.uint,
    3: _binary,
    TEXT: Decoder.units,
    5: _embed,
    6: _format,
    TYPE: _type,
    ANYS: _anys,
    9: _subdocument,
}

_IN_A_ROW = {TEXT, 5, 6}  # what stands between others of its kind, never under a key

type Id = tuple[int, int]


class Text(NamedTuple):
    """A run of characters: `units` of UTF-16 under the clocks from `clock` on, at these places of the update."""

    client: int
    clock: int
    units: int
    start: int
    stop: int


class DeletedRun(NamedTuple):
    """A run of clocks of one client that an update says is deleted."""

    client: int
    clock: int
    length: int


class Placed(NamedTuple):
    """A struct of a client, the clock it begins at, and the place of the update where it starts."""

    client: int
    clock: int
    start: int


@dataclass(frozen=True, slots=True)
class TextSpans:
    """The end of an update for each client, the places of its texts and structs, and its deletions.

    `deletes_at` is the place of the update where the structs end.
    """

    ends: dict[int, int]
    texts: list[Text]
    deleted: list[DeletedRun]
    placed: list[Placed]
    deletes_at: int


@dataclass(slots=True)
class _Structs:
    """One client's items as the depth check needs them: where each begins and what tells its parent."""

    clocks: list[int] = field(default_factory=list)
    links: list[tuple[bool, Id] | None] = field(default_factory=list)  # (is a parent, id); None is a root
    types: list[int] = field(default_factory=list)  # indexes of the items that are types
    waits: array[int] = field(default_factory=lambda: array("q"))  # at this clock for another client's clock: threes


@dataclass(slots=True)
class _Overwritten:
    """Where one client writes several values under a key, and what of its clocks the update deletes: starts and stops."""

    values: list[tuple[int, int]] = field(default_factory=list)
    deleted: list[tuple[int, int]] = field(default_factory=list)

    def are_deleted(self) -> bool:
        """Whether each of the values is in one run that is deleted, as editors write it."""
        self.deleted.sort()
        starts = [start for start, _ in self.deleted]
        places = ((bisect_right(starts, start) - 1, stop) for start, stop in self.values)
        return all(place >= 0 and stop <= self.deleted[place][1] for place, stop in places)


@dataclass(slots=True)
class _Scanner:
    decoder: Decoder
    limits: UpdateLimits
    starts: dict[int, int] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    names: dict[int, int] = field(default_factory=dict)
    begins: dict[int, int] = field(default_factory=dict)
    deletes_at: int = 0
    items: dict[int, _Structs] = field(default_factory=dict)
    texts: list[Text] | None = None  # gathered on request, like the next two
    deleted: list[DeletedRun] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    structs: int = 0
    deletes: int = 0
    erased: int = 0
    overwritten: dict[int, _Overwritten] = field(default_factory=dict)  # by client
    scattered: int = 0
    heads: set[Id] = field(default_factory=set)  # items of this update that are the first of their list
    taken: set[tuple[Id, bytes]] = field(default_factory=set)  # what has a neighbour, or a first child, by this update

    def name(self, writer: int, at: int, seen: _Structs) -> Id:
        """Read what an item that `writer` writes at the clock `at` hangs on."""
        client, clock = self.decoder.uint(), self.decoder.uint()
        if clock >= MAX_CLOCK:
            raise Hostile("a clock is out of range")
        if self.names.get(client, 0) <= clock:
            self.names[client] = clock + 1
        if client != writer:
            seen.waits.extend((at, client, clock))
        elif clock >= at:
            raise Hostile("an item hangs on itself or on what comes after it")
        return client, clock

    def item(self, info: int, client: int, clock: int, seen: _Structs) -> int:
        link = self.link(info, client, clock, seen)
        length = self.content(info, client, clock)
        if info & 0x1F == TYPE:
            seen.types.append(len(seen.clocks))
        seen.clocks.append(clock)
        seen.links.append(link)
        return length

    def link(self, info: int, client: int, clock: int, seen: _Structs) -> tuple[bool, Id] | None:
        """Read what tells an item's parent, and count the item where its place has to be searched."""
        decoder = self.decoder
        link: tuple[bool, Id] | None = None
        if info & 0x80:
            origin = self.name(client, clock, seen)
            if info & 0x40:
                self.name(client, clock, seen)
            goes_on = origin == (client, clock - 1) and clock > self.starts[client]
            found, link = goes_on or self.takes(client, origin), (False, origin)
        elif info & 0x40:
            right = self.name(client, clock, seen)
            found, link = right in self.heads, (False, right)
            self.heads.discard(right)
        else:
            named = decoder.uint()
            if named > 1:
                raise Hostile("a parent is neither named nor an item")
            if named:
                decoder.text()
            else:
                link = (True, self.name(client, clock, seen))
            began = decoder.at
            if info & 0x20:
                decoder.text()
            found = link is not None and self.takes(client, link[1], b"in" + decoder.data[began : decoder.at])
        if not found:
            self.scattered += 1
        elif not info & 0x80:
            self.heads.add((client, clock))
        return link

    def takes(self, writer: int, beside: Id, role: bytes = b"beside") -> bool:
        """Whether what `writer` writes next to an item is the first thing in its `role` there, and the item as new as it."""
        client, clock = beside
        if clock < self.starts.get(client, MAX_CLOCK) or (client != writer and clock >= self.ends.get(client, 0)):
            return False
        before = len(self.taken)
        self.taken.add((beside, role))
        return len(self.taken) > before

    def content(self, info: int, client: int, clock: int) -> int:
        decoder, kind = self.decoder, info & 0x1F
        content = CONTENT.get(kind)
        if content is None:
            raise Hostile(f"`{kind}` is no kind of content")
        if kind in _IN_A_ROW and info & 0xE0 == 0x20:
            raise Hostile(f"content of kind `{kind}` is no value of a key")
        start = decoder.at
        length = content(decoder)
        if not length:
            raise Hostile("an item is empty")
        if length > 1 and kind == ANYS and info & 0xE0 == 0x20:
            self.overwritten.setdefault(client, _Overwritten()).values.append((clock, clock + length))
        if kind == TEXT and self.texts is not None:
            self.texts.append(Text(client, clock, length, start, decoder.at))
        if kind == DELETED:
            self.erase(length)
        return length

    def erase(self, length: int) -> None:
        self.erased += length
        if not length or self.erased > self.limits.erased:
            raise Hostile("an erased run is empty or too long")

    def client(self) -> None:
        decoder = self.decoder
        count, client, clock = decoder.count(2), decoder.uint(), decoder.uint()
        if client in self.ends:
            raise Hostile("a client is listed twice")
        if not count:
            raise Hostile("a client is listed without a change")
        self.structs += count
        if self.structs > self.limits.structs:
            raise Hostile(f"more than {self.limits.structs} changes in one update")
        seen = self.items[client] = _Structs()
        self.starts[client] = self.begins[client] = clock
        for _ in range(count):
            if self.texts is not None:
                self.placed.append(Placed(client, clock, decoder.at))
            info = decoder.byte()
            if info == GC:
                length = decoder.uint()
                self.erase(length)
            elif info == SKIP:
                length = decoder.uint()
                self.starts[client] = clock + length
                if not length:
                    raise Hostile("a gap is empty")
            else:
                length = self.item(info, client, clock, seen)
            clock += length
            if clock > MAX_CLOCK:
                raise Hostile("a clock is out of range")
        self.ends[client] = clock

    def deletions(self) -> int:
        decoder, total = self.decoder, 0
        self.deletes_at = decoder.at
        clients: set[int] = set()
        for _ in range(decoder.count(2)):
            client = decoder.uint()
            if client in clients:
                raise Hostile("a client is listed twice")
            clients.add(client)
            count = decoder.count(2)
            total += count
            values = self.overwritten.get(client)
            for _ in range(count):
                clock, length = decoder.uint(), decoder.uint()
                end = clock + length
                if values:
                    values.deleted.append((clock, end))
                if not length or end > MAX_CLOCK:
                    raise Hostile("a deletion is out of range")
                if self.names.get(client, 0) < end:
                    self.names[client] = end
                if self.texts is not None:
                    self.deleted.append(DeletedRun(client, clock, length))
        if not all(values.are_deleted() for values in self.overwritten.values()):
            raise Hostile("a key has more than one value")
        return total


def _climb(items: dict[int, _Structs], client: int, index: int, depths: dict[Id, int]) -> Iterator[Id]:
    """The item and, up from it, what its depth hangs on: an origin shares its parent, a parent lies one above."""
    here: Id | None = (client, index)
    while here is not None and here not in depths:
        depths[here] = -1  # being resolved
        yield here
        link = items[here[0]].links[here[1]]
        here = _find(items, link[1]) if link else None


def _find(items: dict[int, _Structs], name: Id) -> Id | None:
    seen = items.get(name[0])
    index = bisect_right(seen.clocks, name[1]) - 1 if seen else -1
    return None if index < 0 else (name[0], index)


def _deepest(items: dict[int, _Structs]) -> int:
    """Return the greatest nesting depth of the types of this update."""
    depths: dict[Id, int] = {}  # how many of this update's types hold the item
    deepest = 0
    for client, seen in items.items():
        for index in seen.types:
            for here in reversed(list(_climb(items, client, index, depths))):
                link = items[here[0]].links[here[1]]
                above = _find(items, link[1]) if link else None
                depth = depths[above] if above else 0
                if depth < 0:
                    raise Hostile("an item lies inside itself")
                depths[here] = depth + (1 if link and link[0] and above else 0)
            deepest = max(deepest, depths[client, index] + 1)
    return deepest


def _wait_for_each_other(scanner: _Scanner) -> bool:
    """Whether some structs can never be brought in, since each waits for another of them or for what follows on it.

    Goes through each client's structs in order, and turns to another client where that has to come first.
    """
    known = dict.fromkeys(scanner.items, 0)  # how far each client is in
    read = dict.fromkeys(scanner.items, 0)  # how many of its waits are behind it
    for first in scanner.items:
        path = {first: MAX_CLOCK}  # who waits for the next, and how far each is wanted
        while path:
            client, wanted = next(reversed(path.items()))
            waits, at = scanner.items[client].waits, read[client]
            while at < len(waits) and waits[at] < wanted:
                known[client] = waits[at]
                other, clock = waits[at + 1], waits[at + 2]
                if known.get(other, MAX_CLOCK) <= clock:
                    if other in path:
                        return True
                    path[other] = clock + 1
                    break
                at += 3
            else:
                known[client] = max(known[client], wanted)
                del path[client]
            read[client] = at
    return False


def scan(update: bytes, limits: UpdateLimits = UpdateLimits()) -> Scanned | Refused:
    scanner = _scanned(update, limits)
    if isinstance(scanner, Refused):
        return scanner
    if len(scanner.items) > 1 and _wait_for_each_other(scanner):
        return Refused("some changes wait for each other")
    try:
        depth = _deepest(scanner.items)
    except Hostile as hostile:
        return Refused(str(hostile))
    if depth > MAX_TREE_DEPTH:
        return Refused(f"nested deeper than {MAX_TREE_DEPTH}")
    return Scanned(
        scanner.starts,
        scanner.ends,
        scanner.names,
        scanner.structs,
        scanner.deletes,
        depth,
        plain=False,
        begins=scanner.begins,
        deletes_at=scanner.deletes_at,
        scattered=scanner.scattered,
    )


def text_spans(update: bytes) -> TextSpans | Refused:
    """As `scan`, of an update that was accepted before: what texts it brings, and what it deletes."""
    scanner = _scanned(update, IMPORT, [])
    return scanner if isinstance(scanner, Refused) else _text_spans(scanner)


def _text_spans(scanner: _Scanner) -> TextSpans:
    return TextSpans(scanner.ends, scanner.texts or [], scanner.deleted, scanner.placed, scanner.deletes_at)


def _scanned(update: bytes, limits: UpdateLimits, texts: list[Text] | None = None) -> _Scanner | Refused:
    if len(update) > limits.size:
        return Refused(f"the update is larger than {limits.size} bytes")
    scanner = _Scanner(Decoder(update), limits, texts=texts)
    try:
        clients = scanner.decoder.count(4)
        if clients > limits.clients:
            return Refused(f"more than {limits.clients} clients in one update")
        for _ in range(clients):
            scanner.client()
        scanner.deletes = scanner.deletions()
    except IndexError:
        return Refused("the update ends too early")
    except UnicodeDecodeError:
        return Refused("a text is not valid UTF-8")
    except Hostile as hostile:
        return Refused(str(hostile))
    return scanner if scanner.decoder.at == len(update) else Refused("something follows the update")
