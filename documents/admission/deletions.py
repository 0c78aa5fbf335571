"""Compares what an update deletes with what is deleted in a document."""

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from documents.yjs.lib0 import Decoder
from documents.yjs.scan import IMPORT, DeletedRun, Refused, scan


class _Runs(NamedTuple):
    """The runs of one client that are deleted, in order: they do not touch."""

    starts: "array[int]"
    stops: "array[int]"


@dataclass(slots=True)
class Deletions:
    """All that is deleted in a document; `encoded` is the update that says this and nothing else."""

    encoded: bytes
    _runs: dict[int, _Runs] | None = field(default=None, init=False)

    def hold(self, update: bytes, at: int) -> bool:
        """Whether all is deleted that an update deletes; it begins to say so at `at`, and nobody has scanned that."""
        said = b"\0" + update[at:]
        if said == self.encoded:
            return True
        if isinstance(scan(said, IMPORT), Refused):
            return False
        if self._runs is None:
            self._runs = _runs(self.encoded)
        return all(_is_within(run, self._runs.get(run.client)) for run in _deleted(said))


def _runs(encoded: bytes) -> dict[int, _Runs]:
    found: dict[int, _Runs] = {}
    for client, clock, length in _deleted(encoded):
        runs = found.get(client) or found.setdefault(client, _Runs(array("q"), array("q")))
        runs.starts.append(clock)
        runs.stops.append(clock + length)
    return found


def _deleted(update: bytes) -> Iterator[DeletedRun]:
    """Yield one by one what an update deletes that does nothing else."""
    decoder = Decoder(update, 1)
    for _ in range(decoder.uint()):
        client = decoder.uint()
        for _ in range(decoder.uint()):
            yield DeletedRun(client, decoder.uint(), decoder.uint())


def _is_within(run: DeletedRun, runs: _Runs | None) -> bool:
    place = bisect_right(runs.starts, run.clock) - 1 if runs else -1
    return runs is not None and place >= 0 and run.clock + run.length <= runs.stops[place]
