"""Whom what is in a document is credited to, by the Yjs client ids and clocks under which it was written.

A clock belongs to the update that brought it first: whatever repeats it later, such as a whole document that is synced
or imported again, changes nothing. Times are kept to the minute, so that somebody who types takes a few bytes a minute.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import msgspec

NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class Source:
    """Who wrote something, and in which minute."""

    user_id: str
    agent: str | None
    at: datetime

    @staticmethod
    def of(user_id: str, agent: str | None, at: datetime) -> "Source":
        return Source(user_id, agent, at.astimezone(UTC).replace(second=0, microsecond=0))


@dataclass(slots=True)
class _Ranges:
    """What one client wrote, without gaps: where each stretch ends, and whose it is."""

    ends: list[int] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Credits:
    sources: list[Source] = field(default_factory=list)
    _numbers: dict[Source, int] = field(default_factory=dict)
    _clients: dict[int, _Ranges] = field(default_factory=dict)

    def add(self, ends: Mapping[int, int], source: Source) -> None:
        """Credit what an update brings: `ends` is how far it goes for each client, as it was scanned."""
        number = self._numbers.get(source)
        for client, end in ends.items():
            ranges = self._clients.setdefault(client, _Ranges())
            if ranges.ends and ranges.ends[-1] >= end:
                continue
            if number is None:
                number = self._numbers[source] = len(self.sources)
                self.sources.append(source)
            if ranges.sources and ranges.sources[-1] == number:
                ranges.ends[-1] = end
            else:
                ranges.ends.append(end)
                ranges.sources.append(number)

    def of(self, client: int, clock: int, length: int) -> Iterator[tuple[int, int]]:
        """Yield how many of the clocks from `clock` on are whose, by the number of the source."""
        ranges = self._clients.get(client, _Ranges())
        place, stop = bisect_right(ranges.ends, clock), clock + length
        while clock < stop:
            known = place < len(ranges.ends)
            end = min(ranges.ends[place], stop) if known else stop
            yield end - clock, ranges.sources[place] if known else NOBODY
            clock, place = end, place + 1

    def encode(self) -> bytes:
        people = sorted({(source.user_id, source.agent or "") for source in self.sources})
        places = {person: place for place, person in enumerate(people)}
        sources = [
            (places[source.user_id, source.agent or ""], int(source.at.timestamp()) // 60) for source in self.sources
        ]
        clients = {client: (ranges.ends, ranges.sources) for client, ranges in sorted(self._clients.items())}
        return msgspec.msgpack.encode((people, sources, clients))

    @staticmethod
    def decode(encoded: bytes | None) -> "Credits":
        made = Credits()
        if encoded is None:
            return made
        people, sources, clients = _DECODER.decode(encoded)
        for place, minute in sources:
            user_id, agent = people[place]
            source = Source(user_id, agent or None, datetime.fromtimestamp(minute * 60, UTC))
            made._numbers[source] = len(made.sources)
            made.sources.append(source)
        made._clients = {client: _Ranges(*ranges) for client, ranges in clients.items()}
        return made


_DECODER: Final = msgspec.msgpack.Decoder(
    tuple[list[tuple[str, str]], list[tuple[int, int]], dict[int, tuple[list[int], list[int]]]]
)
