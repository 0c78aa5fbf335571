"""Records copies of letters: moved or restored text is written anew, and stays credited to its first author."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from documents.yjs.scan import Id


class Copied(NamedTuple):
    """A run of clocks whose content is that of the clocks from `of` on."""

    client: int
    clock: int
    length: int
    of: Id


_COPIED: Final = msgspec.msgpack.Decoder(tuple[Copied, ...])


def encode_copied(copied: Sequence[Copied]) -> bytes | None:
    """Return copies as a row of the log keeps them: None where there are none."""
    return msgspec.msgpack.encode(copied) if copied else None


def decode_copied(encoded: bytes | None) -> tuple[Copied, ...] | None:
    """Return copies as they were recorded; None where nothing was, so that what was moved is to be found in the updates."""
    return _COPIED.decode(encoded) if encoded else None


@dataclass(slots=True)
class _Run:
    """The copies that one client made, in the order of their clocks."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    firsts: list[Id] = field(default_factory=list)


@dataclass(slots=True)
class Copies:
    """The copies of letters; a copy of a copy is stored as one of the original."""

    _runs: dict[int, _Run] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self._runs)

    def add(self, copied: Iterable[Copied]) -> None:
        """Add copies; those of one client in the order of their clocks."""
        for client, clock, length, of in copied:
            for part, first in self.firsts(*of, length):
                run = self._runs.setdefault(client, _Run())
                if not run.ends or run.ends[-1] <= clock:
                    run.starts.append(clock)
                    run.ends.append(clock + part)
                    run.firsts.append(first)
                clock += part  # noqa: PLW2901

    def firsts(self, client: int, clock: int, length: int) -> Iterator[tuple[int, Id]]:
        """Yield the clocks in parts, with how long each is and what was written first of it: itself, if it is no copy."""
        run = self._runs.get(client)
        if run is None:
            yield length, (client, clock)
            return
        place, stop = bisect_right(run.ends, clock), clock + length
        while clock < stop:
            if place == len(run.ends) or run.starts[place] >= stop:
                yield stop - clock, (client, clock)
                return
            if clock < run.starts[place]:
                yield run.starts[place] - clock, (client, clock)
                clock = run.starts[place]
            end = min(run.ends[place], stop)
            first, at = run.firsts[place]
            yield end - clock, (first, at + clock - run.starts[place])
            clock, place = end, place + 1

    def all(self) -> Iterator[Copied]:
        for client, run in sorted(self._runs.items()):
            for start, end, first in zip(run.starts, run.ends, run.firsts, strict=True):
                yield Copied(client, start, end - start, first)

    def encoded(self) -> dict[int, list[int]]:
        return {
            client: [
                part
                for start, end, first in zip(run.starts, run.ends, run.firsts, strict=True)
                for part in (start, end - start, *first)
            ]
            for client, run in sorted(self._runs.items())
        }

    @staticmethod
    def decoded(runs: dict[int, list[int]]) -> "Copies":
        made = Copies()
        for client, parts in runs.items():
            for place in range(0, len(parts), 4):
                clock, length, first, at = parts[place : place + 4]
                made.add([Copied(client, clock, length, (first, at))])
        return made


class CopiesOf:
    """Finds the copies of what was written first."""

    def __init__(self, copies: Copies) -> None:
        found: dict[int, list[tuple[int, int, Id]]] = {}
        for client, clock, length, (first, at) in copies.all():
            found.setdefault(first, []).append((at, at + length, (client, clock)))
        self._runs = {client: _sorted(runs) for client, runs in found.items()}

    def of(self, first: Id) -> Iterator[Id]:
        client, clock = first
        starts, reach, runs = self._runs.get(client, ((), (), ()))
        place = bisect_left(starts, clock + 1) - 1
        while place >= 0 and reach[place] > clock:
            start, stop, (copier, at) = runs[place]
            if clock < stop:
                yield copier, at + clock - start
            place -= 1


type _Sorted = tuple[Sequence[int], Sequence[int], Sequence[tuple[int, int, Id]]]


def _sorted(runs: list[tuple[int, int, Id]]) -> _Sorted:
    """Return the runs by where they start, with how far each or one before it reaches."""
    runs.sort()
    reach: list[int] = []
    for _, stop, _ in runs:
        reach.append(max(stop, reach[-1] if reach else 0))
    return [start for start, _, _ in runs], reach, runs
