"""Credits the written and deleted parts of a document to authors, by Yjs client id and clock.

A clock is credited to the first update that contains it, and its deletion to the first update that deletes it; later
repetitions, such as a synced or imported copy of the document, change nothing. Times are precise to the minute, so
that constant typing takes a few bytes a minute.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec

from documents.history.copied_text import Copied, Copies
from documents.yjs.lib0 import utf16_length

NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class Source:
    """The author of something written, and its minute."""

    user_id: str
    agent: str | None
    at: datetime

    @staticmethod
    def of(user_id: str, agent: str | None, at: datetime) -> "Source":
        return Source(user_id, agent, at.astimezone(UTC).replace(second=0, microsecond=0))


@dataclass(slots=True)
class _Ranges:
    """The clocks of one client without gaps: the end of each range, and its author."""

    ends: list[int] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Deletion:
    """A run of clocks that was deleted; `source` is None where that was before deletions were credited."""

    client: int
    clock: int
    length: int
    source: Source | None


class UnseenRun(NamedTuple):
    """Text under the clocks from `clock` on that nobody deleted by itself: see `documents.history.unseen`.

    `deleter` is the number of the source that deleted what it lies in, or NOBODY.
    """

    client: int
    clock: int
    text: str
    deleter: int

    @property
    def length(self) -> int:
        return utf16_length(self.text)


@dataclass(slots=True)
class _Deleted:
    """The deleted clocks of one client: ordered ranges that do not overlap, each with its author."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)

    def gaps(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return what of the clocks from `start` up to `end` is not deleted yet."""
        found: list[tuple[int, int]] = []
        place = bisect_right(self.ends, start)
        while start < end:
            if place == len(self.ends) or self.starts[place] >= end:
                return [*found, (start, end)]
            if start < self.starts[place]:
                found.append((start, self.starts[place]))
            start = self.ends[place]
            place += 1
        return found

    def insert(self, start: int, end: int, source: int) -> None:
        """Add a stretch of which nothing is deleted, as one with those of the same source that it touches."""
        first = last = bisect_right(self.starts, start)
        if first and self.ends[first - 1] == start and self.sources[first - 1] == source:
            first -= 1
            start = self.starts[first]
        if last < len(self.starts) and self.starts[last] == end and self.sources[last] == source:
            end = self.ends[last]
            last += 1
        self.starts[first:last] = [start]
        self.ends[first:last] = [end]
        self.sources[first:last] = [source]

    def encoded(self) -> list[int]:
        """Return for each stretch how far it is from the end of the one before, how long it is, and its source."""
        stretches = zip([0, *self.ends], self.starts, self.ends, self.sources, strict=False)
        return [part for before, start, end, source in stretches for part in (start - before, end - start, source)]

    @staticmethod
    def decoded(parts: Sequence[int]) -> "_Deleted":
        made, at = _Deleted(), 0
        for gap, length, source in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            made.starts.append(at + gap)
            at += gap + length
            made.ends.append(at)
            made.sources.append(source)
        return made


@dataclass(slots=True)
class Credits:
    """`tells_deletions` is false of what was encoded before deletions were credited."""

    sources: list[Source] = field(default_factory=list)
    tells_deletions: bool = True
    copies: Copies = field(default_factory=Copies)
    unseen: list[UnseenRun] = field(default_factory=list)
    _numbers: dict[Source, int] = field(default_factory=dict)
    _clients: dict[int, _Ranges] = field(default_factory=dict)
    _deleted: dict[int, _Deleted] = field(default_factory=dict)

    def add(self, ends: Mapping[int, int], source: Source, copied: Iterable[Copied] = ()) -> None:
        """Credit what an update brings: `ends` is how far it goes for each client, as it was scanned.

        What is `copied` is credited to its first author.
        """
        self.copies.add(copied)
        for client, end in ends.items():
            ranges = self._clients.setdefault(client, _Ranges())
            if ranges.ends and ranges.ends[-1] >= end:
                continue
            number = self.number(source)
            if ranges.sources and ranges.sources[-1] == number:
                ranges.ends[-1] = end
            else:
                ranges.ends.append(end)
                ranges.sources.append(number)

    def writers(self) -> dict[int, Source]:
        """Return who wrote the first clock of each client."""
        made: dict[int, Source] = {}
        for client, ranges in self._clients.items():
            place = bisect_right(ranges.ends, 0)
            if place < len(ranges.sources):
                made[client] = self.sources[ranges.sources[place]]
        return made

    def delete(self, runs: Iterable[tuple[int, int, int]], source: Source | None) -> None:
        """Credit deletions, each a client with a clock and a length; without a source they are nobody's."""
        for client, clock, length in runs:
            deleted = self._deleted.setdefault(client, _Deleted())
            for start, end in deleted.gaps(clock, clock + length):
                deleted.insert(start, end, NOBODY if source is None else self.number(source))

    def number(self, source: Source) -> int:
        number = self._numbers.setdefault(source, len(self.sources))
        if number == len(self.sources):
            self.sources.append(source)
        return number

    def source(self, number: int) -> Source | None:
        return None if number == NOBODY else self.sources[number]

    def end(self, client: int) -> int:
        """Return how far it is known whose the clocks of a client are."""
        ranges = self._clients.get(client)
        return ranges.ends[-1] if ranges and ranges.ends else 0

    def alive(self, client: int, start: int, stop: int) -> list[tuple[int, int]]:
        """Return what of these clocks nobody has deleted."""
        return self._deleted.get(client, _Deleted()).gaps(start, stop)

    def deletions(self) -> Iterator[Deletion]:
        """Yield what was deleted, by whom and when, in the order of clients and clocks."""
        for client, deleted in sorted(self._deleted.items()):
            for start, end, number in zip(deleted.starts, deleted.ends, deleted.sources, strict=True):
                yield Deletion(client, start, end - start, None if number == NOBODY else self.sources[number])

    def of(self, client: int, clock: int, length: int) -> Iterator[tuple[int, int, int]]:
        """Yield how many of the clocks from `clock` on are whose, by the number of the source, and who moved them, if anybody.

        Whoever moved them is the source of the update that brought them, where they are copies: of what it moved or brought back.
        """
        for part, first in self.copies.firsts(client, clock, length) if self.copies else ((length, (client, clock)),):
            if first == (client, clock):
                for size, number in self.inserted(client, clock, part):
                    yield size, number, NOBODY
                clock += part
                continue
            writers, (writer, until) = self.inserted(*first, part), (NOBODY, clock)
            for size, mover in self.inserted(client, clock, part):
                stop = clock + size
                while clock < stop:
                    if until == clock:
                        run, writer = next(writers)
                        until += run
                    end = min(stop, until)
                    yield end - clock, writer, mover
                    clock = end

    def inserted(self, client: int, clock: int, length: int) -> Iterator[tuple[int, int]]:
        """Yield how many of the clocks from `clock` on came by whose update, copy or not."""
        ranges = self._clients.get(client, _Ranges())
        place, stop = bisect_right(ranges.ends, clock), clock + length
        while clock < stop:
            known = place < len(ranges.ends)
            end = min(ranges.ends[place], stop) if known else stop
            yield end - clock, ranges.sources[place] if known else NOBODY
            clock, place = end, place + 1

    def deleted(self, client: int, clock: int, length: int) -> Iterator[tuple[int, int | None]]:
        """Yield how many of the clocks from `clock` on were deleted by whom, by the number; None where nobody did."""
        deleted, stop = self._deleted.get(client, _Deleted()), clock + length
        place = bisect_right(deleted.ends, clock)
        while clock < stop:
            start = deleted.starts[place] if place < len(deleted.starts) else stop
            if clock < start:
                yield min(start, stop) - clock, None
                clock = min(start, stop)
            else:
                end = min(deleted.ends[place], stop)
                yield end - clock, deleted.sources[place]
                clock, place = end, place + 1

    def encode(self) -> bytes:
        people = sorted({(source.user_id, source.agent or "") for source in self.sources})
        places = {person: place for place, person in enumerate(people)}
        sources = [
            (places[source.user_id, source.agent or ""], int(source.at.timestamp()) // 60) for source in self.sources
        ]
        clients = {client: (ranges.ends, ranges.sources) for client, ranges in sorted(self._clients.items())}
        deleted = {client: runs.encoded() for client, runs in sorted(self._deleted.items())}
        return msgspec.msgpack.encode(_Encoded(people, sources, clients, deleted, self.copies.encoded(), self.unseen))

    @staticmethod
    def decode(encoded: bytes | None) -> "Credits":
        made = Credits()
        if encoded is None:
            return made
        known = _DECODER.decode(encoded)
        for place, minute in known.sources:
            user_id, agent = known.people[place]
            source = Source(user_id, agent or None, datetime.fromtimestamp(minute * 60, UTC))
            made._numbers[source] = len(made.sources)
            made.sources.append(source)
        made._clients = {client: _Ranges(*ranges) for client, ranges in known.clients.items()}
        made._deleted = {client: _Deleted.decoded(runs) for client, runs in (known.deleted or {}).items()}
        made.tells_deletions = known.deleted is not None
        made.copies = Copies.decoded(known.copies)
        made.unseen = known.unseen
        return made


class _Encoded(msgspec.Struct, array_like=True):
    """Stored form of credits.

    `deleted` is missing where it was stored before deletions were credited, `copies` before undo was, `unseen` before those letters were
    known.
    """

    people: list[tuple[str, str]]
    sources: list[tuple[int, int]]
    clients: dict[int, tuple[list[int], list[int]]]
    deleted: dict[int, list[int]] | None = None
    copies: dict[int, list[int]] = {}
    unseen: list[UnseenRun] = []


_DECODER: Final = msgspec.msgpack.Decoder(_Encoded)
