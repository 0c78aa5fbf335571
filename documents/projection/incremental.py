"""Keeps the projections of a document up to date: recomputes only what an edit changed.

It keeps the tree and the Markdown of each top-level element. The library's events report the touched, added and
removed elements. An element's Markdown depends on one property of its neighbours, the marker of the list right before
it, which is kept with it. A document with text or an inline node at the top level is projected anew each time. The
tests compare the result with a full projection, byte for byte.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from pycrdt import Doc

from documents.markdown.inline_out import INLINE
from documents.markdown.markdown_out import joined_blocks, part
from documents.projection.projection import Projection, project
from documents.tree.tree import Elements, Json, elements
from documents.yjs.keystroke import keystroke
from documents.yjs.pycrdt_internals import transaction_of
from documents.yjs.scan import IMPORT, Refused, scan
from documents.yjs.snapshot import apply_exactly, state_vector

_LOOSE = INLINE - {"image"}
_encode = msgspec.json.Encoder().encode
# What the objects of one element weigh beside their content, in bytes.
_PART = 250


@dataclass(frozen=True, slots=True)
class _Part:
    """One element: its tree as JSON, its Markdown after a list with the marker `before`, and the marker `after` it."""

    tree: bytes
    text: str
    before: str
    after: str


@dataclass(slots=True)
class _ChangeTracker:
    """Collects the library's events on the elements in `root`: touched, added and removed since the last call."""

    root: Any
    touched: set[Any] = field(default_factory=set)
    turns: list[tuple[list[list[dict[str, Any]]], set[int]]] = field(default_factory=list)

    def record(self, events: list[Any]) -> None:
        """Take what one update did: the places are those after it."""
        moves: list[list[dict[str, Any]]] = []
        places: set[int] = set()
        for event in events:
            if event.target == self.root:
                moves.append(event.delta)
            elif (element := self._element(event.target)) is not None:
                self.touched.add(element)
            elif event.path and isinstance(event.path[0], int):
                places.add(event.path[0])
        if moves or places:
            self.turns.append((moves, places))

    def _element(self, target: Any) -> Any:
        while hasattr(target, "parent"):  # a map or an array has none, and whatever is in one is not shown
            above = target.parent()
            if above == self.root:
                return target
            target = above
        return None

    def moved(self, parts: list[_Part | None]) -> list[_Part | None]:
        for moves, places in self.turns:
            for move in moves:
                parts = _moved(parts, move)
            for place in places:
                parts[place : place + 1] = [None]
        return parts

    def forget(self) -> None:
        self.touched.clear()
        self.turns.clear()


def _moved(parts: list[_Part | None], move: Iterable[dict[str, Any]]) -> list[_Part | None]:
    made: list[_Part | None] = []
    at = 0
    for step in move:
        if "insert" in step:
            made += [None] * len(step["insert"])
        elif "delete" in step:
            at += step["delete"]
        else:
            made += parts[at : at + step["retain"]]
            at += step["retain"]
    return made + parts[at:]


class IncrementalProjection:
    """A document that is read again and again while it is edited. One at a time may use it.

    `size` says how many bytes are kept, but for those of the document itself.
    """

    def __init__(self, doc: Doc[Any]) -> None:
        self.size = 0
        self._doc = doc
        self._state = state_vector(doc)
        self._changes = _ChangeTracker(None)
        self._listening: Any = None
        self._parts: list[_Part | None] = []

    def apply(self, updates: Sequence[bytes]) -> Refused | None:
        """Apply updates that were accepted before, and are known already or not. After a refusal nothing is sound."""
        for update in updates:
            scanned = keystroke(update) or scan(update, IMPORT)
            if isinstance(scanned, Refused):
                return scanned
            self._state = scanned.after(self._state)
        return apply_exactly(self._doc, updates, self._state)

    def project(self) -> Projection:
        with self._doc.transaction() as transaction:
            found = elements(self._doc, transaction_of(transaction))
            parts = _made(found, self._kept(found), self._changes.touched) if found else None
            self._parts = list(parts or ())
            self._changes.forget()
            projection = project(self._doc) if parts is None else _projection_of(parts)
        self.size = len(projection.tree_json) + len(projection.markdown) + _PART * len(self._parts)
        return projection

    def _kept(self, found: Elements) -> list[_Part | None]:
        if self._changes.root != found.root:
            self._listen(found)
            self._parts = []
        kept = self._changes.moved(self._parts)
        count = len(found.elements)
        return kept if len(kept) == count else [None] * count

    def _listen(self, found: Elements) -> None:
        if self._listening:
            self._listening.drop()
        self._changes = _ChangeTracker(found.root)
        self._listening = found.root.observe_deep(self._changes.record)


def _made(found: Elements, kept: list[_Part | None], touched: set[Any]) -> list[_Part] | None:
    """Return the parts of all elements, made where they are not kept; none where one is no block."""
    made: list[_Part] = []
    marker = ""
    for element, part_ in zip(found.elements, kept, strict=True):
        if part_ is None or part_.before != marker or element in touched:
            node = found.node(element)
            if node["type"] in _LOOSE:
                return None
            part_ = _part(node, marker)  # noqa: PLW2901
        marker = part_.after
        made.append(part_)
    return made


def _part(node: Json, marker: str) -> _Part:
    text, after = part(node, marker)
    return _Part(_encode(node), text, marker, after)


def _projection_of(parts: list[_Part]) -> Projection:
    tree = b'{"type":"doc","content":[' + b",".join([each.tree for each in parts]) + b"]}"
    return Projection(tree, joined_blocks([each.text for each in parts]))
