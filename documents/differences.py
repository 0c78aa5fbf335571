"""Lists what an edit changes in a document, block by block, and what it loses because Markdown cannot express it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from documents.align import equal_pairs, likely_pairs
from documents.change import SAME_TYPE, bag, key
from documents.changes import Kind
from documents.markdown_in import TooComplexError, parse
from documents.markdown_out import markdown
from documents.tree import Json, text_of
from documents.words import kept, likeness

_LIKENED: Final = 0.1  # how alike the texts of two blocks are, for one to have become the other


@dataclass(frozen=True, slots=True)
class Difference:
    """Change of a block that lies directly in the document; `path` leads to it afterwards, None where it is gone."""

    kind: Kind
    path: tuple[int, ...] | None
    inserted: str
    deleted: str


class Unsayable(StrEnum):
    """Attribute, mark or node that Markdown cannot express."""

    mark = "mark"
    attribute = "attribute"
    node = "node"


@dataclass(frozen=True, slots=True)
class Lost:
    """Something in the block at `path` that is there no more, though the text that had it is; `name` is as in the tree."""

    path: tuple[int, ...]
    what: Unsayable
    name: str


def differences(before: Json, after: Json) -> list[Difference]:
    """Return what is different in a document after an edit, in the order of the document."""
    return [_difference(*each) for each in _changed(before["content"], after["content"])]


def lost(before: Json, after: Json) -> list[Lost]:
    """Return what the blocks that an edit changed have lost with it."""
    return [
        Lost((place,), *each)
        for old, new, place in _changed(before["content"], after["content"])
        if old is not None and new is not None and place is not None
        for each in sorted(_lost(old, new))
    ]


type _Block = tuple[Json | None, Json | None, int | None]
"""A block before and after, and its place afterwards."""


def _changed(before: Sequence[Json], after: Sequence[Json]) -> Iterator[_Block]:
    front = 0
    while front < min(len(before), len(after)) and before[front] == after[front]:
        front += 1
    back = 0
    while back < min(len(before), len(after)) - front and before[-1 - back] == after[-1 - back]:
        back += 1
    olds, news = before[front : len(before) - back], after[front : len(after) - back]
    equal = equal_pairs(list(map(key, olds)), list(map(key, news)))
    bags: dict[int, Counter[str]] = {}

    def words_of(node: Json) -> Counter[str]:
        if id(node) not in bags:
            bags[id(node)] = bag(node)
        return bags[id(node)]

    def alike(one: int, other: int) -> float:
        found = likeness(words_of(olds[one]), words_of(news[other]))
        same = olds[one]["type"] == news[other]["type"]
        return found + SAME_TYPE if same else found if found >= _LIKENED else 0

    pairs = likely_pairs(equal, (len(olds), len(news)), alike)
    row = column = 0
    for one, other in [*pairs, (len(olds), len(news))]:
        yield from ((node, None, None) for node in olds[row:one])
        yield from ((None, news[at], front + at) for at in range(column, other))
        if one < len(olds) and olds[one] != news[other]:
            yield olds[one], news[other], front + other
        row, column = one + 1, other + 1


def _difference(old: Json | None, new: Json | None, place: int | None) -> Difference:
    path = None if place is None else (place,)
    was, now = text_of(old or {}), text_of(new or {})
    inserted, deleted, at, there = "", "", 0, 0
    for start, begin, length in [*kept(was, now), (len(was), len(now), 0)]:
        inserted, deleted = inserted + now[there:begin], deleted + was[at:start]
        at, there = start + length, begin + length
    if old is None or (inserted and not deleted):
        return Difference(Kind.inserted, path, inserted, deleted)
    if new is None or (deleted and not inserted):
        return Difference(Kind.deleted, path, inserted, deleted)
    return Difference(Kind.replaced if inserted else Kind.formatted, path, inserted, deleted)


type _Feature = tuple[Unsayable, str]


def _lost(old: Json, new: Json) -> set[_Feature]:
    try:
        expressed = parse(markdown({"type": "doc", "content": [old]}))
    except TooComplexError:
        expressed = {"type": "doc", "content": []}
    unsayable = _features(old) - _features(expressed)
    if not unsayable:
        return set()
    gone = unsayable - _features(new)
    found = {feature for feature in gone if feature[0] is not Unsayable.mark}
    marks = {name for what, name in unsayable if what is Unsayable.mark}
    one, other = list(_marks(old)), list(_marks(new))
    for at, there, length in kept(text_of(old), text_of(new)) if marks else ():
        for was, now in zip(one[at : at + length], other[there : there + length], strict=False):
            found |= {(Unsayable.mark, name) for name in (was & marks) - now}
    return found


def _features(tree: Json) -> set[_Feature]:
    found: set[_Feature] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        found.add((Unsayable.node, node["type"]))
        found |= {(Unsayable.attribute, name) for name in node.get("attrs", {})}
        found |= {(Unsayable.mark, mark["type"]) for mark in node.get("marks", ())}
        waiting += node.get("content", ())
    return found


def _marks(tree: Json) -> Iterator[frozenset[str]]:
    """Yield the marks of each character of the text of a tree."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if node["type"] == "hardBreak":
            yield frozenset()
        marks = frozenset(mark["type"] for mark in node.get("marks", ()))
        yield from (marks for _ in node.get("text", "").replace("\r\n", "\n"))
        waiting += reversed(node.get("content", ()))
