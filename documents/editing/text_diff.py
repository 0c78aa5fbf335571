"""Finds the stretches of one text that another keeps, cut only between grapheme clusters."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from heapq import nlargest
from itertools import accumulate
from typing import Final

import regex

from documents.editing.sequence_alignment import Pair, aligned, equal_pairs
from documents.tree.tree import Json, text_of

type KeptSpan = tuple[int, int, int]
"""The start of a stretch in the old text and in the new one, and its length, in code points."""

MAX_LIKENED: Final = 2**12  # characters of a node by which it is found to be like another
SAME_TYPE: Final = 0.1  # how alike two nodes of one type are, whatever is in them
_SYLLABLE: Final = 3  # characters
_LONG: Final = 64  # characters of two words together, of which all are counted wherever they stand
_MAX_KEPT: Final = 2**12  # stretches of one text: of more, the longest
# Flags are paired here, since `\X` alone counts back through all of a row of them for each.
_CLUSTER: Final = regex.compile(
    r"\p{RI}{2}[\p{Grapheme_Cluster_Break=Extend}\p{Grapheme_Cluster_Break=ZWJ}\p{Grapheme_Cluster_Break=SpacingMark}]*|\X"
)

WORD: Final = regex.compile(r"(?w)\b[\p{L}\p{N}\p{So}].*?\b")


def words_in(text: str) -> list[str]:
    """Return the words of a text (Unicode's UAX 29) without what stands between them, each ideograph and emoji as one."""
    return WORD.findall(text)


def clusters(text: str) -> list[str]:
    """Return the grapheme clusters of a text (Unicode's UAX 29): what a reader sees as one character each."""
    return list(text) if text.isascii() and "\r" not in text else _CLUSTER.findall(text)


def words_of_text(text: str) -> list[str]:
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


def counted(text: str) -> Counter[str]:
    """Return how often each word is in a text."""
    return Counter(words_in(text))


def bag(node: Json) -> Counter[str]:
    """Return the words by which nodes are found to be alike: those that the node begins with."""
    return Counter(words_of_text(text_of(node, MAX_LIKENED)))


def likenesses(ones: Sequence[Json], others: Sequence[Json]) -> Callable[[int, int], float]:
    """Return how alike nodes are, by their places; the words of each are counted once, when they are asked for."""
    old, new = (cache(lambda at, nodes=nodes: bag(nodes[at])) for nodes in (ones, others))
    return lambda one, other: likeness(old(one), new(other))


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """From 0 to 1, how much two bags of words have in common."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def kept_spans(old: str, new: str) -> list[KeptSpan]:
    """Return the stretches that an edit from `old` to `new` keeps, in order, none empty.

    A word keeps letters of one word alone, so that what others write between words tears none.
    """
    return _kept(old, new, _found)


def kept_in_parts(old: str, new: str) -> list[KeptSpan]:
    """As `kept_spans`, but what a word was may go on in several, and several in one: for what letters look like, and not whose they are."""
    return _kept(old, new, _found_in_parts)


def _kept(old: str, new: str, find: Callable[[list[str], list[str]], Iterator[KeptSpan]]) -> list[KeptSpan]:
    if old == new:
        return [(0, 0, len(old))] if old else []
    found = list(_joined_spans(find(words_of_text(old), words_of_text(new))))
    return found if len(found) <= _MAX_KEPT else sorted(nlargest(_MAX_KEPT, found, key=lambda stretch: stretch[2]))


def _found(old: list[str], new: list[str]) -> Iterator[KeptSpan]:
    """Yield what words keep: each goes on as one of the other text at most, and no two share letters."""
    ones, others = [word.rstrip(" ") for word in old], [word.rstrip(" ") for word in new]
    olds, news = [0, *accumulate(map(len, old))], [0, *accumulate(map(len, new))]
    size = (len(old), len(new))
    pairs = aligned(old, new, lambda row, column: _alike(ones[row], others[column]))
    before, used = (-1, -1), 0  # the last pair, and how many of the spaces behind it are kept
    for row, column in [*pairs, size]:
        if row and column and (row - 1, column - 1) != before:
            spaces = _spaces(old[row - 1]) - (used if row - 1 == before[0] else 0)
            if count := min(spaces, _spaces(new[column - 1]) - (used if column - 1 == before[1] else 0)):
                yield olds[row] - count, news[column] - count, count
        if (row, column) != size:
            start, begin = olds[row], news[column]
            if ones[row] == others[column]:
                yield start, begin, len(ones[row])
            else:
                yield from _ends(clusters(ones[row]), clusters(others[column]), start, begin)
            used = min(_spaces(old[row]), _spaces(new[column]))
            if used:
                yield start + len(ones[row]), begin + len(others[column]), used
        before = row, column


def _alike(one: str, other: str) -> int:
    """Return how many letters two words share; 0 where that is less than half of both together."""
    if one == other:
        return 2 * len(one) + 1
    if len(one) + len(other) > _LONG:  # as in scripts without spaces
        shared = (Counter(one) & Counter(other)).total()
    else:
        shared = _same_letters(one, other)
        shared += _same_letters(one[shared:][::-1], other[shared:][::-1])
    return shared if 4 * shared >= len(one) + len(other) else 0


def _same_letters(one: str, other: str) -> int:
    """Return how many letters two words begin with alike."""
    at, end = 0, min(len(one), len(other))
    while at < end and one[at] == other[at]:
        at += 1
    return at


def _spaces(word: str) -> int:
    return len(word) - len(word.rstrip(" "))


def _found_in_parts(old: list[str], new: list[str]) -> Iterator[KeptSpan]:
    def same_letters(row: int, column: int) -> int:
        letters = old[row].rstrip(" ")
        return len(letters) if letters == new[column].rstrip(" ") else 0

    was, now = "".join(old), "".join(new)
    olds, news = [0, *accumulate(map(len, old))], [0, *accumulate(map(len, new))]
    size = (len(old), len(new))
    at = there = 0
    for row, column in [*aligned(old, new, same_letters), size]:
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


def _joined_spans(stretches: Iterator[KeptSpan]) -> Iterator[KeptSpan]:
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
