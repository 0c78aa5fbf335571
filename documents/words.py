"""Finds the stretches of one text that another keeps, cut only between grapheme clusters."""

from collections import Counter
from collections.abc import Iterator
from heapq import nlargest
from itertools import accumulate
from typing import Final

import regex

from documents.align import Pair, equal_pairs, likely_pairs

type KeptSpan = tuple[int, int, int]
"""The start of a stretch in the old text and in the new one, and its length, in code points."""

_SYLLABLE: Final = 3  # characters
_MAX_KEPT: Final = 2**12  # stretches of one text: of more, the longest
# Flags are paired here, since `\X` alone counts back through all of a row of them for each.
_CLUSTER: Final = regex.compile(
    r"\p{RI}{2}[\p{Grapheme_Cluster_Break=Extend}\p{Grapheme_Cluster_Break=ZWJ}\p{Grapheme_Cluster_Break=SpacingMark}]*|\X"
)

_WORD: Final = regex.compile(r"(?w)\b[\p{L}\p{N}\p{So}].*?\b")


def words_in(text: str) -> list[str]:
    """Return the words of a text (Unicode's UAX 29) without what stands between them, each ideograph and emoji as one."""
    return _WORD.findall(text)


def clusters(text: str) -> list[str]:
    """Return the grapheme clusters of a text (Unicode's UAX 29): what a reader sees as one character each."""
    return list(text) if text.isascii() and "\r" not in text else _CLUSTER.findall(text)


def words(text: str) -> list[str]:
    """The text in words, each with the spaces behind it; everything else one character at a time."""
    found: list[str] = []
    last: list[str] = []  # the characters of the last word
    state = ""  # of the last word: in its letters, in its spaces, or over
    for cluster in clusters(text):
        kind = "letters" if cluster[0].isalnum() or cluster[0] == "_" else "spaces" if cluster == " " else ""
        if last and kind and (kind == state or (kind == "spaces" and state == "letters")):
            last.append(cluster)
        else:
            if last:
                found.append("".join(last))
            last = [cluster]
        state = kind
    return [*found, "".join(last)] if last else found


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """From 0 to 1, how much two bags of words have in common."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def kept(old: str, new: str) -> list[KeptSpan]:
    """Return the stretches that an edit from `old` to `new` keeps, in order, none empty."""
    if old == new:
        return [(0, 0, len(old))] if old else []
    found = list(_joined(_found(words(old), words(new))))
    return found if len(found) <= _MAX_KEPT else sorted(nlargest(_MAX_KEPT, found, key=lambda stretch: stretch[2]))


def _found(old: list[str], new: list[str]) -> Iterator[KeptSpan]:
    def same_letters(row: int, column: int) -> int:
        letters = old[row].rstrip(" ")
        return len(letters) if letters == new[column].rstrip(" ") else 0

    was, now = "".join(old), "".join(new)
    olds, news = [0, *accumulate(map(len, old))], [0, *accumulate(map(len, new))]
    size = (len(old), len(new))
    at = there = 0
    for row, column in [*likely_pairs(equal_pairs(old, new), size, same_letters), size]:
        start, begin = olds[row], news[column]
        yield from _ends(clusters(was[at:start]), clusters(now[there:begin]), at, there)
        if (row, column) != size:
            length = min(len(old[row]), len(new[column]))  # they differ in the spaces behind them alone
            yield start, begin, length
            at, there = start + length, begin + length


def _ends(old: list[str], new: list[str], at: int, there: int) -> Iterator[KeptSpan]:
    """Yield what changed words have in common: their ends, and syllables; single letters are passed over."""
    if not old or not new:
        return
    last = (-1, -1)
    stretches: list[list[Pair]] = []
    for pair in equal_pairs(old, new):
        if not stretches or pair != (last[0] + 1, last[1] + 1):
            stretches.append([])
        stretches[-1].append(pair)
        last = pair
    olds, news = [0, *accumulate(map(len, old))], [0, *accumulate(map(len, new))]
    for stretch in stretches:
        (row, column), (bottom, right) = stretch[0], stretch[-1]
        at_an_end = row == column == 0 or (bottom, right) == (len(old) - 1, len(new) - 1)
        if at_an_end or len(stretch) >= _SYLLABLE:
            yield at + olds[row], there + news[column], olds[bottom + 1] - olds[row]


def _joined(stretches: Iterator[KeptSpan]) -> Iterator[KeptSpan]:
    last: KeptSpan | None = None
    for stretch in stretches:
        if last and (last[0] + last[2], last[1] + last[2]) == stretch[:2]:
            last = (last[0], last[1], last[2] + stretch[2])
            continue
        if last:
            yield last
        last = stretch
    if last:
        yield last
