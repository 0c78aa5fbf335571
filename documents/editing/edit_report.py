"""Lists what an edit changes in a document, block by block, and what it loses because Markdown cannot express it."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from documents.editing.apply_tree import key
from documents.editing.sequence_alignment import aligned
from documents.editing.text_diff import MAX_LIKENED, SAME_TYPE, counted, kept_spans, likenesses
from documents.history.changes import Kind
from documents.history.moves import Node, TextEdits, moved_text
from documents.markdown.images import TEXT_BLOCKS
from documents.markdown.markdown_in import TooComplexError, parse
from documents.markdown.markdown_out import markdown
from documents.markdown.unsupported_markup import Unsayable
from documents.tree.tree import Json, nodes_of, text_of

MAX_COMPARED: Final = 2**16  # pairs of texts that are compared for what was lost
_LONG: Final = 4  # letters of a word by which a text is known again
_LIKENED: Final = 0.1  # how alike the texts of two blocks are, for one to have become the other


@dataclass(frozen=True, slots=True)
class Difference:
    """Change of a block that lies directly in the document; `path` leads to it afterwards, None where it is gone.

    Text that was moved is in neither of the texts. A block is `moved` that only got or lost such text.
    """

    kind: Kind
    path: tuple[int, ...] | None
    inserted: str
    deleted: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Something in the block at `path` that is there no more, though the text that had it is; `name` is as in the tree.

    Of what the Markdown of an edit says and the schema has no place for, the path is empty, and the name that of HTML.
    """

    path: tuple[int, ...]
    what: Unsayable
    name: str


def differences(before: Json, after: Json) -> list[Difference]:
    """Return what is different in a document after an edit, in the order of the document."""
    blocks = [_EditedBlock(*each) for each in _changed(before["content"], after["content"])]
    _take_moved(blocks)
    return [found for each in blocks if (found := each.difference())]


def lost(before: Json, after: Json) -> list[Lost]:
    """Return what the text of the blocks that an edit changed has lost, wherever it is now."""
    changed = [*_changed(before["content"], after["content"])]
    now = [(part, place) for _, new, place in changed if new is not None and place is not None for part in _parts(new)]
    found: set[tuple[tuple[int, ...], _Feature]] = set()
    left = MAX_COMPARED
    for old, new, place in changed:
        unsayable = old is not None and _unsayable(old)
        if old is None or not unsayable:
            continue
        if new is not None and place is not None and not any(part.text for part in _parts(old)):
            found |= {((place,), feature) for feature in unsayable - _features(new)}
        for part in _parts(old):
            held = [(other, at) for other, at in now if _goes_on(part, other, is_same=at == place)]
            left -= len(now)
            if left < 0:
                break
            inside = {feature for other, _ in held for feature in other.inside}
            for other, at in held:
                gone = ((part.around & unsayable) - other.around) | ((part.inside & unsayable) - inside)
                found |= {((at,), feature) for feature in gone | _lost_marks(part, other, unsayable)}
    return [Lost(path, *feature) for path, feature in sorted(found)]


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
    like = likenesses(olds, news)

    def alike(one: int, other: int) -> float:
        found = like(one, other)
        same = olds[one]["type"] == news[other]["type"]
        return found + SAME_TYPE if same else found if found >= _LIKENED else 0

    pairs = aligned([*map(key, olds)], [*map(key, news)], alike)
    row = column = 0
    for one, other in [*pairs, (len(olds), len(news))]:
        yield from ((node, None, None) for node in olds[row:one])
        yield from ((None, news[at], front + at) for at in range(column, other))
        if one < len(olds) and olds[one] != news[other]:
            yield olds[one], news[other], front + other
        row, column = one + 1, other + 1


_CHANGED: Final = 1  # a character that an edit inserts or deletes
_MOVED: Final = 2  # one that it moves


class _Side:
    """A block before an edit or after it: its text, what of that the edit changes, and its text nodes with their places."""

    def __init__(self, block: Json | None) -> None:
        self.text = text_of(block or {})
        self.marks = bytearray(len(self.text))
        texts = [*_texts(block)] if block else []
        if sum(map(len, texts)) != len(self.text):  # a line break of two characters is one in the text of the block
            texts = [self.text]
        self.nodes = [Node(said, [], []) for said in texts]
        self.places = [0, *accumulate(map(len, texts))]

    @property
    def is_moved(self) -> bool:
        return _MOVED in self.marks

    @property
    def changed(self) -> str:
        """The text that was inserted or deleted, without what was moved."""
        return "".join(letter for letter, mark in zip(self.text, self.marks, strict=True) if mark == _CHANGED)

    def change(self, start: int, stop: int) -> None:
        self.marks[start:stop] = bytes([_CHANGED]) * (stop - start)
        place = bisect_right(self.places, start) - 1
        while start < stop:
            end = min(stop, self.places[place + 1])
            if start < end:
                self.nodes[place].touch(start - self.places[place], end - self.places[place])
            start, place = end, place + 1

    def move(self, start: int, stop: int) -> None:
        for place in range(start, stop):
            self.marks[place] = _MOVED if self.marks[place] else 0


class _EditedBlock:
    def __init__(self, old: Json | None, new: Json | None, place: int | None) -> None:
        self._old, self._new = old, new
        self._path = None if place is None else (place,)
        self.before, self.after = _Side(old), _Side(new)
        was, now, at, there = self.before.text, self.after.text, 0, 0
        for start, begin, length in [*kept_spans(was, now), (len(was), len(now), 0)]:
            self.after.change(there, begin)
            self.before.change(at, start)
            at, there = start + length, begin + length

    def difference(self) -> Difference | None:
        """Return what happened to the block; None where it is gone, and all of its text is elsewhere."""
        inserted, deleted = self.after.changed, self.before.changed
        is_moved = self.before.is_moved or self.after.is_moved
        spaces = " " if is_moved else ""  # of which one comes or goes where text is joined or split
        come, went = bool(inserted.strip(spaces)), bool(deleted.strip(spaces))
        if is_moved and not come and not went:
            return Difference(Kind.moved, self._path, inserted, deleted) if self._new else None
        if self._old is None or (come and not went):
            return Difference(Kind.inserted, self._path, inserted, deleted)
        if self._new is None or (went and not come):
            return Difference(Kind.deleted, self._path, inserted, deleted)
        return Difference(Kind.replaced if come else Kind.formatted, self._path, inserted, deleted)


def _texts(block: Json) -> Iterator[str]:
    """Yield the text of each node that holds text, in the order of the block."""
    waiting = [block]
    while waiting:
        node = waiting.pop()
        content = node.get("content") or []
        if any("text" in child or child["type"] == "hardBreak" for child in content):
            yield text_of(node)
        else:
            waiting += content[::-1]


def _take_moved(blocks: Sequence[_EditedBlock]) -> None:
    """Mark what an edit only moves, by the rule by which letters stay credited to whoever wrote them."""
    sides: dict[int, tuple[_Side, int]] = {}
    edits = TextEdits()
    for block in blocks:
        for side, into in ((block.before, edits.before), (block.after, edits.after)):
            for node, at in zip(side.nodes, side.places, strict=False):
                if node.stretches:
                    into.append(node)
                    sides[id(node)] = side, at
    for node, start, gone, begin, length in moved_text(edits):
        for each, place in ((node, start), (gone, begin)):
            side, at = sides[id(each)]
            side.move(at + place, at + place + length)


type _Feature = tuple[Unsayable, str]


def _unsayable(node: Json) -> set[_Feature]:
    """Return what a block holds that is not read of its Markdown."""
    try:
        expressed = parse(markdown({"type": "doc", "content": [node]}))
    except TooComplexError:
        expressed = {"type": "doc", "content": []}
    return _features(node) - _features(expressed)


@dataclass(slots=True)
class _Part:
    """A text of a block: the features of the nodes around it, those of the nodes in it, and the marks of each character."""

    text: str
    words: Counter[str]
    around: set[_Feature]
    inside: set[_Feature]
    marks: list[frozenset[str]]


def _parts(block: Json) -> list[_Part]:
    found: list[_Part] = []
    waiting: list[tuple[Json, set[_Feature]]] = [(block, set())]
    while waiting:
        node, above = waiting.pop()
        around = (
            above | {(Unsayable.node, node["type"])} | {(Unsayable.attribute, name) for name in node.get("attrs", {})}
        )
        content = node.get("content", [])
        if node["type"] in TEXT_BLOCKS or any(child["type"] == "text" for child in content) or not content:
            inside = {feature for child in content for feature in _features(child) if feature[0] is not Unsayable.mark}
            found.append(_Part(text_of(node), counted(text_of(node, MAX_LIKENED)), around, inside, [*_marks(node)]))
        else:
            waiting += [(child, around) for child in reversed(content)]
    return found


def _is_part(part: str, whole: str) -> bool:
    return bool(part.strip()) and part.strip() in whole


def _goes_on(old: _Part, new: _Part, *, is_same: bool) -> bool:
    """Whether a text is in another, or words of it: half of them, or a long one, or any where one block became the other."""
    if _is_part(new.text, old.text) or _is_part(old.text, new.text):
        return True
    shared = old.words & new.words
    return shared.total() > 0 and (is_same or 2 * shared.total() >= old.words.total() or max(map(len, shared)) >= _LONG)


def _lost_marks(old: _Part, new: _Part, unsayable: set[_Feature]) -> set[_Feature]:
    marks = {name for what, name in unsayable if what is Unsayable.mark}
    found: set[_Feature] = set()
    for at, there, length in kept_spans(old.text, new.text) if marks else ():
        for was, now in zip(old.marks[at : at + length], new.marks[there : there + length], strict=False):
            found |= {(Unsayable.mark, name) for name in (was & marks) - now}
    return found


def _features(tree: Json) -> set[_Feature]:
    found: set[_Feature] = set()
    for node in nodes_of(tree):
        found.add((Unsayable.node, node["type"]))
        found |= {(Unsayable.attribute, name) for name in node.get("attrs", {})}
        found |= {(Unsayable.mark, mark["type"]) for mark in node.get("marks", ())}
    return found


def _marks(tree: Json) -> Iterator[frozenset[str]]:
    """Yield the marks of each character of the text of a tree."""
    for node in nodes_of(tree):
        if node["type"] == "hardBreak":
            yield frozenset()
        marks = frozenset(mark["type"] for mark in node.get("marks", ()))
        yield from (marks for _ in node.get("text", "").replace("\r\n", "\n"))
