"""Surrogate pairs of a document's texts: which update cuts one in half, and what a document becomes in which one was cut.

Yjs counts text in units of UTF-16, the library cuts it between bytes of UTF-8. Of a pair that is cut Yjs makes two U+FFFD, and
the library moves what stands behind it: the copies of the document would differ from then on.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from documents.yjs.lib0 import Decoder, uint
from documents.yjs.scan import TEXT, Id, Refused
from documents.yjs.structs import read_update

_PAIR: Final = re.compile(rb"[\xf0-\xf4][\x80-\xbf]{3}")  # in UTF-8; other bytes of an update look like it now and then
_HALVES: Final = "\ufffd\ufffd".encode()
CUTS: Final = Refused("the update cuts a surrogate pair in half")


def may_hold_pair(update: bytes) -> bool:
    return _PAIR.search(update) is not None


@dataclass(slots=True)
class _Texts:
    """The texts of one client that hold pairs, in UTF-16, in the order of their clocks."""

    clocks: list[int] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)

    def add(self, clock: int, units: bytes) -> None:
        if units:
            self.clocks.append(clock)
            self.texts.append(units)

    def end(self) -> int:
        return self.clocks[-1] + len(self.texts[-1]) // 2 if self.clocks else 0

    def is_second_half(self, clock: int) -> bool:
        place = bisect_right(self.clocks, clock) - 1
        return place >= 0 and _is_second_half(self.texts[place], clock - self.clocks[place])


def _is_second_half(units: bytes, at: int) -> bool:
    high = 2 * at + 1  # the higher byte of the unit
    return high < len(units) and units[high] & 0xFC == 0xDC


class PairedText(NamedTuple):
    """A text that holds pairs, in UTF-16, and the place of its content in the update."""

    client: int
    clock: int
    units: bytes
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Cutting:
    """The clocks of each client before which an update cuts what is there, and the texts with pairs that it brings."""

    boundaries: Mapping[int, AbstractSet[int]]
    texts: Sequence[PairedText]


def cutting(update: bytes) -> Cutting:
    """Read an update that was scanned."""
    read = read_update(update)
    boundaries: defaultdict[int, set[int]] = defaultdict(set)
    texts: list[PairedText] = []
    holds = may_hold_pair(update)
    for client, structs in read.runs.items():
        for struct in structs:
            if struct.origin:
                boundaries[struct.origin[0]].add(struct.origin[1] + 1)
            if struct.right:
                boundaries[struct.right[0]].add(struct.right[1])
            if holds and struct.kind == TEXT and _PAIR.search(update, struct.start, struct.stop):
                units = Decoder(update, struct.start).text().encode("utf-16-le")
                texts.append(PairedText(client, struct.clock, units, struct.start, struct.stop))
    for client, clock, length in read.deleted:
        boundaries[client].update((clock, clock + length))
    return Cutting(boundaries, texts)


_NOTHING: Final = Cutting({}, ())


@dataclass(slots=True)
class SurrogatePairs:
    """The surrogate pairs of a document, but for those that updates cut which it has already."""

    _texts: dict[int, _Texts] = field(default_factory=dict)
    _cut: set[Id] = field(default_factory=set)  # second halves

    @staticmethod
    def of(updates: Iterable[bytes]) -> "SurrogatePairs":
        """Return the pairs of a document that these updates make, which were accepted before."""
        made = SurrogatePairs()
        for update in updates:
            made.add(made.cutting(update))
        return made

    @property
    def cut(self) -> frozenset[Id]:
        """The second halves of the pairs that the document's updates cut."""
        return frozenset(self._cut)

    def cutting(self, update: bytes) -> Cutting:
        """Read an update that was scanned, if it or the document may hold a pair."""
        return cutting(update) if self.may_be_cut_by(update) else _NOTHING

    def may_be_cut_by(self, update: bytes) -> bool:
        """Whether the document or an update may hold a pair."""
        return bool(self._texts) or may_hold_pair(update)

    def add(self, brought: Cutting) -> None:
        """Take in what an applied update brought."""
        self._cut.update(self._found(brought))
        for text in brought.texts:
            known = self._texts.setdefault(text.client, _Texts())
            known.add(max(text.clock, known.end()), text.units[2 * max(known.end() - text.clock, 0) :])

    def are_cut_by(self, brought: Cutting, state: Mapping[int, int]) -> bool:
        """Whether an update cuts a pair of the document, which has this state vector, or one of its own."""
        return next(self._found(brought), None) is not None or any(
            text.clock < state.get(text.client, 0) and _is_second_half(text.units, state[text.client] - text.clock)
            for text in brought.texts
        )

    def _found(self, brought: Cutting) -> Iterator[Id]:
        """Yield the second halves of the pairs that an update cuts, and that none cut before."""
        own: dict[int, _Texts] = {}
        for text in brought.texts:
            own.setdefault(text.client, _Texts()).add(text.clock, text.units)
        for texts in (self._texts, own):
            for client in texts.keys() & brought.boundaries.keys():
                for clock in brought.boundaries[client]:
                    if texts[client].is_second_half(clock) and (client, clock) not in self._cut:
                        yield client, clock


def mended(updates: Sequence[bytes]) -> list[bytes] | None:
    """Return the updates with U+FFFD in the place of the halves of pairs that they cut, as Yjs has it; None where none is cut."""
    cut = SurrogatePairs.of(updates).cut
    return [_with_halves(update, cut) for update in updates] if cut else None


def _with_halves(update: bytes, cut: Iterable[Id]) -> bytes:
    if not may_hold_pair(update):
        return update
    parts: list[bytes] = []
    end = 0
    for text in sorted(cutting(update).texts, key=lambda text: text.start):
        seconds = [clock - text.clock for client, clock in cut if client == text.client]
        inside = sorted(at for at in seconds if 0 < at < len(text.units) // 2)
        if inside:
            written = _HALVES.join(_between(text.units, inside))
            parts += [update[end : text.start], uint(len(written)), written]
            end = text.stop
    return b"".join([*parts, update[end:]])


def _between(units: bytes, seconds: Iterable[int]) -> Iterator[bytes]:
    """Yield the stretches between the pairs that have their second halves there."""
    start = 0
    for second in seconds:
        yield units[2 * start : 2 * (second - 1)].decode("utf-16-le").encode()
        start = second + 1
    yield units[2 * start :].decode("utf-16-le").encode()
