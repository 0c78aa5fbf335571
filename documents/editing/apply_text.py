"""Changes texts in use by inserting, deleting and formatting in place."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import msgspec
from pycrdt import XmlText

from documents.editing.text_diff import kept_spans
from documents.tree.build import formatting
from documents.tree.tree import Json, marks_of

type _Raw = dict[str, Any]


def readable(text: XmlText) -> bool:
    """Whether it is only characters, and as many as the library believes."""
    runs = text.diff()
    return all(isinstance(run, str) for run, _ in runs) and len(text) == sum(len(run.encode()) for run, _ in runs)


def string_of(text: XmlText) -> str:
    return "".join(run for run, _ in text.diff())


def apply_text(texts: Sequence[XmlText], nodes: Sequence[Json]) -> None:
    """Make these texts, which lie side by side, together read as these text nodes."""
    _Change(texts, nodes).make()


class _Change:
    """Places are code points of all texts together; the library counts bytes of each."""

    def __init__(self, texts: Sequence[XmlText], nodes: Sequence[Json]) -> None:
        runs = [text.diff() for text in texts]
        strings = ["".join(run for run, _ in each) for each in runs]
        self.texts = texts
        self.starts = [0, *accumulate(map(len, strings))]
        self.old, self.new = "".join(strings), "".join(node["text"] for node in nodes)
        # where each character begins, in bytes; where all are one byte long there is nothing to look up
        sizes = () if self.old.isascii() else (len(char.encode()) for char in self.old)
        self.bytes = array("Q", accumulate(sizes, initial=0))
        self.attributes: list[_Raw] = [raw or {} for each in runs for _, raw in each]
        self.old_ends = [*accumulate(len(run) for each in runs for run, _ in each)]
        self.marks: list[list[Json]] = [node.get("marks", []) for node in nodes]
        self.new_ends = [*accumulate(len(node["text"]) for node in nodes)]
        self.names = {
            msgspec.json.encode(mark): (name, value)
            for raw in self.attributes
            for name, value in raw.items()
            for mark in marks_of({name: value})
        }

    def make(self) -> None:
        end, stop = len(self.old), len(self.new)
        for at, there, length in reversed([(0, 0, 0), *kept_spans(self.old, self.new)]):
            self.replace((at + length, end), (there + length, stop))
            self.format(at, there, length)
            end, stop = at, there

    def replace(self, gone: tuple[int, int], come: tuple[int, int]) -> None:
        low, high = gone
        within = bisect_right(self.starts, low, 0, len(self.texts)) - 1  # the text of what is deleted
        if come[0] < come[1] and low + 1 < min(high, self.starts[within + 1]):
            # Between letters that go: what somebody types meanwhile, before or behind them, stays apart from what comes.
            size = self.insert(within, low + 1, come)
            self.delete(low + 1, high, size, within)
            self.delete(low, low + 1)
            return
        self.delete(low, high)
        if low == high:  # an insertion continues the text before it
            within = max(bisect_left(self.starts, low, 0, len(self.texts)) - 1, 0)
        self.insert(within, low, come)

    def delete(self, low: int, high: int, inserted: int = 0, into: int = -1) -> None:
        """Delete what stands there; `inserted` bytes before it are new in the text `into`."""
        first = bisect_right(self.starts, low, 0, len(self.texts)) - 1
        for number in range(bisect_left(self.starts, high, 0, len(self.texts)) - 1, first - 1, -1):
            start, stop = max(low, self.starts[number]), min(high, self.starts[number + 1])
            if start < stop:
                more = inserted if number == into else 0
                del self.texts[number][self.byte(number, start) + more : self.byte(number, stop) + more]

    def insert(self, within: int, place: int, come: tuple[int, int]) -> int:
        """Insert the new text there, and return how many bytes it has."""
        at = self.byte(within, place)
        for start, stop, number in reversed([*_cuts(come, self.new_ends)]):
            formats = dict(map(self.named, self.marks[number]))
            self.texts[within].insert(at, self.new[start:stop], formats)
        return len(self.new[come[0] : come[1]].encode())

    def format(self, at: int, there: int, length: int) -> None:
        for low, high, run in _cuts((at, at + length), self.old_ends):
            number = bisect_right(self.starts, low, 0, len(self.texts)) - 1
            for start, stop, node in _cuts((low - at + there, high - at + there), self.new_ends):
                changes = self.changes(self.attributes[run], self.marks[node])
                if changes:
                    place = start - there + at, stop - there + at
                    self.texts[number].format(self.byte(number, place[0]), self.byte(number, place[1]), changes)

    def changes(self, raw: _Raw, marks: list[Json]) -> _Raw:
        left = [msgspec.json.encode(mark) for mark in marks]
        changes: _Raw = {}
        for name, value in raw.items():
            for mark in map(msgspec.json.encode, marks_of({name: value})):
                if mark in left:
                    left.remove(mark)
                else:
                    changes[name] = None
        return changes | dict(map(self.named, map(msgspec.json.decode, left)))

    def named(self, mark: Json) -> tuple[str, Any]:
        return self.names.get(msgspec.json.encode(mark)) or formatting(mark)

    def byte(self, number: int, place: int) -> int:
        start = self.starts[number]
        return self.bytes[place] - self.bytes[start] if len(self.bytes) > 1 else place - start


def _cuts(span: tuple[int, int], ends: list[int]) -> Iterator[tuple[int, int, int]]:
    """The span cut where runs end, each part with the number of its run."""
    low, high = span
    while low < high:
        number = bisect_right(ends, low)
        stop = min(high, ends[number])
        yield low, stop, number
        low = stop
