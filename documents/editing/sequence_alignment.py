"""Aligns two sequences: finds the items that an edit may leave alone."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import Final

type Pair = tuple[int, int]

_CELLS: Final = 2**15  # of the table by which a short stretch is compared exactly
_PASSES: Final = 64  # over each item, before a stretch that nothing holds together is given up
_MAX_VISITS: Final = 2**22  # of items in all, beyond one pass
_MAX_COMPARED: Final = 2**17  # pairs of changed items that are compared each with each, in all


def equal_pairs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Pair]:
    """Places of equal items, rising on both sides.

    Ends that are equal first, then items that occur once on either side, then the longest common subsequence of what
    is short enough. What remains is taken for different, so that no input costs more than its length allows.
    """
    pairs: list[Pair] = []
    length = len(old) + len(new)
    left = length + min(_PASSES * length, _MAX_VISITS)
    ranges = [(0, len(old), 0, len(new))]
    while ranges:
        low, high, start, stop = ranges.pop()
        while low < high and start < stop and old[low] == new[start]:
            pairs.append((low, start))
            low, start = low + 1, start + 1
        while low < high and start < stop and old[high - 1] == new[stop - 1]:
            high, stop = high - 1, stop - 1
            pairs.append((high, stop))
        if low == high or start == stop:
            continue
        left -= high - low + stop - start
        anchors = _anchors(old, new, (low, high), (start, stop)) if left > 0 else []
        if anchors:
            pairs += anchors
            edges = [(low - 1, start - 1), *anchors, (high, stop)]
            ranges += [(a + 1, b, c + 1, d) for (a, c), (b, d) in pairwise(edges)]
        elif (high - low) * (stop - start) <= _CELLS:
            pairs += [(low + row, start + column) for row, column in common(old[low:high], new[start:stop])]
    return sorted(pairs)


def _anchors(old: Sequence[Hashable], new: Sequence[Hashable], here: Pair, there: Pair) -> list[Pair]:
    """The longest rising run of items that are unique in both stretches."""
    seen, others = Counter(old[here[0] : here[1]]), Counter(new[there[0] : there[1]])
    places = {new[at]: at for at in range(*there) if others[new[at]] == 1 and seen[new[at]] == 1}
    lowest: list[int] = []  # for each length, the lowest place at which a run of it ends
    ends: list[int] = []  # and the link that ends there
    links: list[tuple[Pair, int]] = []  # a pair, and the link before it
    for at in range(*here):
        place = places.get(old[at])
        if place is None:
            continue
        length = bisect_left(lowest, place)
        links.append(((at, place), ends[length - 1] if length else -1))
        lowest[length : length + 1] = [place]
        ends[length : length + 1] = [len(links) - 1]
    found: list[Pair] = []
    link = ends[-1] if ends else -1
    while link >= 0:
        pair, link = links[link]
        found.append(pair)
    return found[::-1]


def common(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Pair]:
    """The longest common subsequence, by a row of bits for each old item (Hyyrö 2004).

    From its end on, a bit of a row that is not set says that the best of the columns from it on is one more than that
    of those behind it.
    """
    columns = len(new)
    every = (1 << columns) - 1
    places: dict[Hashable, int] = {}
    for at, item in enumerate(reversed(new)):
        places[item] = places.get(item, 0) | 1 << at
    rows = [every]
    for item in reversed(old):
        above = rows[-1]
        taken = above & places.get(item, 0)
        rows.append(((above + taken) | (above - taken)) & every)
    rows.reverse()

    def best(row: int, column: int) -> int:
        return columns - column - (rows[row] & ((1 << (columns - column)) - 1)).bit_count()

    found: list[Pair] = []
    row = column = 0
    while row < len(old) and column < columns:
        here, below = best(row, column), best(row + 1, column)
        if old[row] == new[column] and here == best(row + 1, column + 1) + 1:
            found.append((row, column))
            row, column = row + 1, column + 1
        elif here == below:
            row += 1
        else:
            column += 1
    return found


def _heaviest(weights: list[list[float]]) -> list[Pair]:
    """Pairs, rising on both sides, whose weights sum to the most; a weight of 0 is no pair."""
    rows, columns = len(weights), len(weights[0])
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        here, below, own = best[row], best[row + 1], weights[row]
        for column in range(columns - 1, -1, -1):
            skipped = max(below[column], here[column + 1])
            here[column] = max(skipped, below[column + 1] + own[column]) if own[column] else skipped
    found, row, column = [], 0, 0
    while row < rows and column < columns:
        if weights[row][column] and best[row][column] == best[row + 1][column + 1] + weights[row][column]:
            found.append((row, column))
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return found


_COMPARED: Final = 2**12  # pairs of changed items that are compared each with each


def aligned(old: Sequence[Hashable], new: Sequence[Hashable], likeness: Callable[[int, int], float]) -> list[Pair]:
    """Places of items that go on as one another, rising on both sides: equal ones, and between these the most alike.

    `likeness` compares the items at two places that are not equal.
    """
    return likely_pairs(equal_pairs(old, new), (len(old), len(new)), likeness)


def likely_pairs(equal: list[Pair], sizes: Pair, likeness: Callable[[int, int], float]) -> list[Pair]:
    """Add to the equal pairs those of the stretches between them that are most alike; no likeness, no pair."""
    pairs: list[Pair] = []
    left = _MAX_COMPARED
    edges = [(-1, -1), *equal, sizes]
    for (a, c), (b, d) in pairwise(edges):
        rows, columns = range(a + 1, b), range(c + 1, d)
        compared = len(rows) * len(columns)
        left -= compared
        if compared > _COMPARED or left < 0:
            pairs += [pair for pair in zip(rows, columns, strict=False) if likeness(*pair)]
        elif rows and columns:
            found = _heaviest([[likeness(row, column) for column in columns] for row in rows])
            pairs += [(rows[row], columns[column]) for row, column in found]
    return sorted(equal + pairs)
