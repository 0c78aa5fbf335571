"""Which stretches of one text are still there in another, cut only where a reader sees characters end."""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from heapq import nlargest
from itertools import accumulate
from typing import Final

from documents.align import Pair, equal_pairs

type Kept = tuple[int, int, int]
"""Where a stretch begins in the old text and in the new one, and how long it is, in code points."""

_SYLLABLE: Final = 3  # characters
_MAX_KEPT: Final = 2**12  # stretches of one text: of more, the longest
_JOINER: Final = "\u200d"
_SKIN: Final = range(0x1F3FB, 0x1F400)
_FLAG: Final = range(0x1F1E6, 0x1F200)
_TAGS: Final = range(0xE0020, 0xE0080)
_VOWELS_AND_TAILS: Final = range(0x1160, 0x1200)  # of Hangul written in letters


@lru_cache(maxsize=4096)
def _extends(char: str) -> bool:
    code = ord(char)
    return (
        char == _JOINER
        or code in _SKIN
        or code in _TAGS
        or code in _VOWELS_AND_TAILS
        or unicodedata.category(char) in ("Mn", "Me", "Mc")
    )


def clusters(text: str) -> list[str]:
    """What a reader sees as one character each: letters with their accents, families, flags, line ends."""
    if text.isascii() and "\r" not in text:
        return list(text)
    found: list[str] = []
    last: list[str] = []  # the characters of the last one
    for char in text:
        joined = last and (
            (_extends(char) and last != ["\n"])
            or (last[-1] == _JOINER and not char.isspace())
            or (last == ["\r"] and char == "\n")
            or (len(last) == 1 and ord(last[0]) in _FLAG and ord(char) in _FLAG)
        )
        if joined:
            last.append(char)
            continue
        if last:
            found.append("".join(last))
        last = [char]
    return [*found, "".join(last)] if last else found


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


def kept(old: str, new: str) -> list[Kept]:
    """The stretches that an edit from `old` to `new` leaves alone, in order, none empty."""
    if old == new:
        return [(0, 0, len(old))] if old else []
    found = list(_joined(_found(words(old), words(new))))
    return found if len(found) <= _MAX_KEPT else sorted(nlargest(_MAX_KEPT, found, key=lambda stretch: stretch[2]))


def _found(old: list[str], new: list[str]) -> Iterator[Kept]:
    at = there = row = column = 0
    for pair in [*equal_pairs(old, new), (len(old), len(new))]:
        gone, come = "".join(old[row : pair[0]]), "".join(new[column : pair[1]])
        yield from _ends(clusters(gone), clusters(come), at, there)
        at, there = at + len(gone), there + len(come)
        if pair[0] < len(old):
            length = len(old[pair[0]])
            yield at, there, length
            at, there = at + length, there + length
        row, column = pair[0] + 1, pair[1] + 1


def _ends(old: list[str], new: list[str], at: int, there: int) -> Iterator[Kept]:
    """What is in common within changed words: their ends, and syllables; letters alone are not picked out."""
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


def _joined(stretches: Iterator[Kept]) -> Iterator[Kept]:
    last: Kept | None = None
    for stretch in stretches:
        if last and (last[0] + last[2], last[1] + last[2]) == stretch[:2]:
            last = (last[0], last[1], last[2] + stretch[2])
            continue
        if last:
            yield last
        last = stretch
    if last:
        yield last
